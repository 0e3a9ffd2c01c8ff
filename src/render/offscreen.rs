//! Pictures without a window: a texture to draw to, and its way back to the CPU.

use wgpu::{CommandEncoder, Device, TextureFormat, TextureView};

use super::RenderError;
use super::gpu::texture;
use super::look::{decode, encode};

/// A picture on the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// sRGB, row by row from the top, 4 bytes a pixel: red, green, blue, alpha.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// Of a transparent shot, with colours as image files have them: not multiplied by alpha.
    pub fn into_straight_alpha(mut self) -> Self {
        for pixel in self.rgba.chunks_exact_mut(4).filter(|pixel| (1..255).contains(&pixel[3])) {
            let alpha = f32::from(pixel[3]) / 255.0;
            for channel in &mut pixel[..3] {
                let light = (decode(f32::from(*channel) / 255.0) / alpha).min(1.0);
                *channel = (255.0 * encode(light)).round() as u8;
            }
        }
        self
    }
}

/// A texture that a [`Renderer`](super::Renderer) of format [`Offscreen::FORMAT`] draws to.
pub struct Offscreen {
    size: [u32; 2],
    view: TextureView,
}

/// A picture on its way back, made by [`Offscreen::download`].
pub struct Download {
    size: [u32; 2],
    row_bytes: u32,
    buffer: wgpu::Buffer,
}

impl Offscreen {
    /// What a renderer for it must be made with: 8 bits a channel, which the device encodes as sRGB.
    pub const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

    /// `size`: width and height in pixels.
    ///
    /// # Errors
    /// If a side is 0 or larger than the device's textures may be.
    pub fn new(device: &Device, size: [u32; 2]) -> Result<Self, RenderError> {
        let limit = device.limits().max_texture_dimension_2d;
        if size.iter().any(|side| !(1..=limit).contains(side)) {
            return Err(RenderError::PictureSize { width: size[0], height: size[1], limit });
        }
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        Ok(Self { size, view: texture(device, "offscreen", size, 1, Self::FORMAT, usage) })
    }

    /// What to draw to.
    pub fn view(&self) -> &TextureView {
        &self.view
    }

    /// Width and height, pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Records the copy of the picture as it is at this point of the encoder. After the encoder is submitted, call
    /// [`Download::read`].
    pub fn download(&self, device: &Device, encoder: &mut CommandEncoder) -> Download {
        let [width, height] = self.size;
        let row_bytes = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("download"),
            size: u64::from(row_bytes) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: None };
        encoder.copy_texture_to_buffer(
            self.view.texture().as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        Download { size: self.size, row_bytes, buffer }
    }
}

impl Download {
    /// Hands the picture to `done` once the GPU is through. Returns at once: `done` is called while the host polls or
    /// submits (`device.poll(...)`; a browser does so by itself), on the thread that does.
    pub fn read(self, done: impl FnOnce(Result<Picture, RenderError>) + wgpu::WasmNotSend + 'static) {
        let buffer = self.buffer.clone();
        buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
            done(mapped.map_err(|error| RenderError::ReadBack(error.to_string())).and_then(|()| self.unpack()));
        });
    }

    /// The picture out of the mapped buffer, without the padding at the ends of its rows.
    fn unpack(&self) -> Result<Picture, RenderError> {
        let bytes = self.buffer.get_mapped_range(..).map_err(|error| RenderError::ReadBack(error.to_string()))?;
        let [width, height] = self.size;
        let rows = bytes.chunks_exact(self.row_bytes as usize);
        let rgba = rows.flat_map(|row| &row[..4 * width as usize]).copied().collect();
        Ok(Picture { width, height, rgba })
    }
}
