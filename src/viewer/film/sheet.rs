//! The pictures of all panes side by side, on their way from the device.

use crate::render::Picture;
use crate::viewer::pane::{Canvas, texture};

/// Between two panes, pixels, as in the window; and its colour.
const GAP: u32 = 2;
const SEAM: [u8; 4] = [27, 29, 34, 255];

/// Pictures of these sizes beside each other.
pub struct Sheet {
    panes: Vec<[u32; 2]>,
    /// What panes of another size in the window are drawn to.
    own: Vec<Option<wgpu::TextureView>>,
}

impl Sheet {
    /// As large as what the window shows.
    pub fn of<'a>(canvases: impl Iterator<Item = &'a Canvas>) -> Self {
        let panes: Vec<[u32; 2]> = canvases.map(Canvas::size).collect();
        Self { own: panes.iter().map(|_| None).collect(), panes }
    }

    /// Width and height, pixels: even, as films must be, where that is possible.
    pub fn size(&self) -> [u32; 2] {
        let width =
            self.panes.iter().map(|[width, _]| width).sum::<u32>() + GAP * (self.panes.len() as u32).max(1) - GAP;
        let height = self.panes.iter().map(|[_, height]| *height).max().unwrap_or(1);
        [width, height].map(|side| (side - side % 2).max(1))
    }

    /// The size of a pane that is to be drawn to [`Sheet::target`], if the window's own has another.
    pub fn differs(&self, pane: usize, canvas: &Canvas) -> Option<[u32; 2]> {
        self.panes.get(pane).copied().filter(|size| *size != canvas.size())
    }

    /// What a pane is drawn to where the window's has another size.
    pub fn target(&mut self, device: &wgpu::Device, pane: usize) -> &wgpu::TextureView {
        let size = self.panes[pane];
        self.own[pane].get_or_insert_with(|| texture(device, size))
    }

    /// Records the copy of what is on the panes at this point of the encoder.
    pub fn download<'a>(
        &'a self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        canvases: impl Iterator<Item = &'a Canvas>,
    ) -> Download {
        let all = self.panes.iter().map(|[width, _]| width + GAP).sum::<u32>();
        let row_bytes = (4 * all).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let height = self.panes.iter().map(|[_, height]| *height).max().unwrap_or(1);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(row_bytes) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let (mut left, mut seams) = (0, Vec::new());
        for ((canvas, own), &[width, height]) in canvases.zip(&self.own).zip(&self.panes) {
            let view = if canvas.size() == [width, height] { Some(canvas.view()) } else { own.as_ref() };
            let layout = wgpu::TexelCopyBufferLayout {
                offset: u64::from(4 * left),
                bytes_per_row: Some(row_bytes),
                rows_per_image: None,
            };
            if let Some(view) = view {
                encoder.copy_texture_to_buffer(
                    view.texture().as_image_copy(),
                    wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
                    wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                );
            }
            left += width + GAP;
            seams.push(left - GAP);
        }
        Download { size: self.size(), row_bytes, buffer, seams }
    }
}

/// Pictures that are on their way.
pub struct Download {
    size: [u32; 2],
    row_bytes: u32,
    buffer: wgpu::Buffer,
    /// Where gaps begin.
    seams: Vec<u32>,
}

impl Download {
    /// Hands the picture to `done` once it is here, which is while the device is polled; `None` if it will never be.
    /// To be called when the copy has been submitted.
    pub fn read(self, done: impl FnOnce(Option<Picture>) + Send + 'static) {
        let buffer = self.buffer.clone();
        buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
            done(mapped.ok().and_then(|()| self.unpack()));
        });
    }

    fn unpack(&self) -> Option<Picture> {
        let bytes = self.buffer.get_mapped_range(..).ok()?;
        let [width, height] = self.size;
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        for row in bytes.chunks_exact(self.row_bytes as usize).take(height as usize) {
            let start = rgba.len();
            rgba.extend_from_slice(&row[..4 * width as usize]);
            for x in self.seams.iter().flat_map(|&seam| seam..seam + GAP).filter(|&x| x < width) {
                rgba[start + 4 * x as usize..][..4].copy_from_slice(&SEAM);
            }
        }
        Some(Picture { width, height, rgba })
    }
}
