//! Small pictures of the scenes of the gallery. `scripts/thumbnails.sh` makes them and the list of those there are.

use egui::{ColorImage, Context, Id, TextureHandle, TextureOptions, Vec2};

/// How large they are shown, points. They have twice as many pixels each way, for screens that are that fine.
pub const SIZE: Vec2 = Vec2::new(160.0, 90.0);

/// Name of a scene, and the PNG file.
const ALL: &[(&str, &[u8])] = include!("list.in");

/// The picture of a scene, if there is one.
pub fn thumbnail(context: &Context, name: &str) -> Option<TextureHandle> {
    let bytes = ALL.iter().find(|(known, _)| *known == name)?.1;
    let id = Id::unique(("thumbnail", name));
    if let Some(texture) = context.data_mut(|data| data.get_temp::<TextureHandle>(id)) {
        return Some(texture);
    }
    let texture = context.load_texture(name, decode(bytes)?, TextureOptions::LINEAR);
    context.data_mut(|data| data.insert_temp(id, texture.clone()));
    Some(texture)
}

/// `None` for what is no PNG of 8 bits a channel.
fn decode(bytes: &[u8]) -> Option<ColorImage> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    let size = [info.width, info.height].map(|side| side as usize);
    let rgba = pixels.get(..info.buffer_size())?;
    let fits = info.color_type == png::ColorType::Rgba && rgba.len() == 4 * size[0] * size[1];
    fits.then(|| ColorImage::from_rgba_unmultiplied(size, rgba))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::picture::write_png;
    use crate::scene::GALLERY;

    /// Every picture that is compiled in is of a scene that there is, and of the right size.
    #[test]
    fn thumbnails_are_of_scenes() {
        for (name, bytes) in ALL {
            assert!(GALLERY.iter().any(|(known, _)| known == name), "{name} is no scene: run scripts/thumbnails.sh");
            let picture = decode(bytes).unwrap_or_else(|| panic!("{name} is no picture"));
            assert_eq!(picture.size, [2 * SIZE.x as usize, 2 * SIZE.y as usize], "{name}");
        }
        let context = Context::default();
        assert!(thumbnail(&context, "no scene").is_none());
        assert_eq!(ALL.iter().filter(|(name, _)| thumbnail(&context, name).is_none()).count(), 0);
    }

    /// Pictures as the command writes them are read, and nothing else is.
    #[test]
    fn pictures_are_decoded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write_png(&path, 2, 1, &[255, 0, 0, 255, 0, 0, 255, 255]).unwrap();
        let picture = decode(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(picture.pixels, [egui::Color32::RED, egui::Color32::BLUE]);
        assert!(decode(b"no picture").is_none());
    }
}
