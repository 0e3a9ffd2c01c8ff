//! Lists that kernels only read, in textures beside their buffers. A software device loads a buffer's numbers one by
//! one, and a texel's four at once: on lavapipe (2 cores) W1's kernel alone takes 0.80 of the time with records and
//! positions as texels, 0.87 with records alone, 0.94 with positions alone (medians of 12 in turn at n = 256). A card
//! loads 16 bytes at once from a buffer as well.
//!
//! Materials are too few for that to matter; but a uniform buffer is loaded from in fewer instructions than a storage
//! buffer.
//!
//! What is written, too, displacements and the state at a substep's end, stays in its buffers, but is loaded and stored
//! by words of 64 bits, two to a vector in place of three or four: by the same kernels with other accessors
//! (`lib/displacement_words.wgsl`, `step/vectors_words.wgsl`). That takes the feature `SHADER_INT64`; devices without
//! it read buffers.

use super::buffers::{BufferRange, Buffers};

/// Bytes of a texel: four numbers.
pub const TEXEL_BYTES: u64 = 16;
/// `TEXELS_A_ROW` in `shaders/lib/texel.wgsl`.
const TEXELS_A_ROW: u32 = 4096;
/// What every device allows for a uniform buffer, and the least that a buffer of materials has.
pub const FEW_MATERIALS_BYTES: u64 = 16 << 10;
/// Rows that every device allows.
const MOST_ROWS: u32 = 8192;
/// Particles below which dispatches are what takes time.
const FEW_PARTICLES: usize = 16_384;

/// Whether positions and records shall be textures as well.
pub fn pay_off(device: &wgpu::Device, particles: usize) -> bool {
    let fit = FEW_PARTICLES..=(TEXELS_A_ROW * MOST_ROWS) as usize;
    let words = device.features().contains(wgpu::Features::SHADER_INT64);
    words && device.adapter_info().device_type == wgpu::DeviceType::Cpu && fit.contains(&particles)
}

/// The materials as a uniform buffer, `FEW_MATERIALS` in `shaders/lib/materials_few.wgsl` of them, unless there are
/// more.
pub fn few_materials(buffers: &Buffers) -> Option<BufferRange<'_>> {
    let materials = buffers.get("materials")?;
    (materials.bytes() == FEW_MATERIALS_BYTES).then_some(materials)
}

/// A copy of a list to the texture that mirrors it.
#[derive(Clone, Debug)]
pub struct Mirror {
    texture: wgpu::Texture,
    buffer: wgpu::Buffer,
    offset: u64,
    texels: u32,
}

impl Mirror {
    /// A texture for the list at `range`, as yet empty.
    pub fn new(device: &wgpu::Device, name: &str, range: BufferRange, format: wgpu::TextureFormat) -> Self {
        let texels = (range.bytes() / TEXEL_BYTES) as u32;
        let written = match format {
            wgpu::TextureFormat::Rgba32Float => wgpu::TextureUsages::STORAGE_BINDING,
            _ => wgpu::TextureUsages::empty(),
        };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some(name),
            size: extent(TEXELS_A_ROW, texels.div_ceil(TEXELS_A_ROW).max(1)),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST | written,
            view_formats: &[],
        });
        Self { texture, buffer: range.buffer.clone(), offset: range.offset, texels }
    }

    /// The positions of so many particles, filed as `x_texels`.
    pub fn of_positions(device: &wgpu::Device, buffers: &mut Buffers, particles: usize) -> Option<Self> {
        let x = BufferRange { size: Some(particles as u64 * TEXEL_BYTES), ..buffers.get("x")? };
        let mirror = Self::new(device, "x texels", x, wgpu::TextureFormat::Rgba32Float);
        buffers.insert_texels("x_texels", mirror.view());
        Some(mirror)
    }

    pub fn view(&self) -> wgpu::TextureView {
        self.texture.create_view(&wgpu::TextureViewDescriptor::default())
    }

    /// Bytes of the texture.
    pub fn bytes(&self) -> u64 {
        u64::from(self.texture.width()) * u64::from(self.texture.height()) * TEXEL_BYTES
    }

    /// Copies the list as it is: whole rows, then what is left.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        let (rows, rest) = (self.texels / TEXELS_A_ROW, self.texels % TEXELS_A_ROW);
        let mut copy = |row: u32, width: u32, height: u32| {
            let bytes_per_row = Some(TEXELS_A_ROW * TEXEL_BYTES as u32);
            let offset = self.offset + u64::from(row * TEXELS_A_ROW) * TEXEL_BYTES;
            let layout = wgpu::TexelCopyBufferLayout { offset, bytes_per_row, rows_per_image: None };
            let origin = wgpu::Origin3d { x: 0, y: row, z: 0 };
            encoder.copy_buffer_to_texture(
                wgpu::TexelCopyBufferInfo { buffer: &self.buffer, layout },
                wgpu::TexelCopyTextureInfo { origin, ..self.texture.as_image_copy() },
                extent(width, height),
            );
        };
        if rows > 0 {
            copy(0, TEXELS_A_ROW, rows);
        }
        if rest > 0 {
            copy(rows, rest, 1);
        }
    }
}

fn extent(width: u32, height: u32) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
