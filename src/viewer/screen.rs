//! The window's surface: where frames are presented. Whatever happens to it, it is made anew.

use std::sync::Arc;

use wgpu::CurrentSurfaceTexture;
use winit::dpi::PhysicalSize;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use crate::cli::{Device, WindowError};
use crate::device::{DeviceError, Gpu};

/// A surface, how it is configured, and what it takes to make it again.
pub struct Screen {
    instance: wgpu::Instance,
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
    /// Of the window, pixels. As its events tell: a window that was destroyed from outside must not be asked.
    size: PhysicalSize<u32>,
    /// Whether the window's size has changed since the surface was configured.
    stale: bool,
}

impl Screen {
    /// Opens the best adapter that can present on the window, or the first whose name contains what is named, with all
    /// that it allows: which scenes come is not known yet.
    ///
    /// # Errors
    /// If there is no such adapter, or it gives no device.
    pub async fn open(
        window: Arc<Window>,
        display: OwnedDisplayHandle,
        device: &Device,
    ) -> Result<(Self, Gpu), WindowError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_with_display_handle(Box::new(display));
        descriptor.flags = wgpu::InstanceFlags::default().with_env();
        descriptor.backends = crate::device::backends();
        let instance = wgpu::Instance::new(descriptor);
        let no_window = |reason: &str| WindowError::NoWindow(reason.to_string());
        let surface = instance
            .create_surface(window.clone())
            .map_err(|_| no_window("there is a display, and no graphics driver that can draw on it"))?;
        let adapter = match device {
            Device::Named(name) => named(&instance, &surface, name).await?,
            _ => {
                let options = wgpu::RequestAdapterOptions {
                    power_preference: wgpu::PowerPreference::HighPerformance,
                    compatible_surface: Some(&surface),
                    ..Default::default()
                };
                let none = |_| no_window("there is a display, and no graphics device that can draw on it");
                instance.request_adapter(&options).await.map_err(none)?
            }
        };
        let limits = adapter.limits();
        let gpu = Gpu::open_adapter(adapter, limits).await?;
        let size = window.inner_size();
        let mut configuration = surface
            .get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| no_window("the graphics device cannot draw on this display"))?;
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        // egui mixes colours as they are encoded.
        if let Some(plain) = formats
            .into_iter()
            .find(|format| matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm))
        {
            configuration.format = plain;
        }
        configuration.present_mode = wgpu::PresentMode::AutoVsync;
        Ok((Self { instance, window, surface, configuration, size, stale: true }, gpu))
    }

    pub fn format(&self) -> wgpu::TextureFormat {
        self.configuration.format
    }

    /// Tells that the window's size has changed.
    pub fn resized(&mut self, size: PhysicalSize<u32>) {
        (self.size, self.stale) = (size, true);
    }

    /// The texture to draw the next frame to; `None` if there is none now, as of a window that is minimised.
    pub fn texture(&mut self, gpu: &Gpu) -> Option<wgpu::SurfaceTexture> {
        // A second try with a surface that was made or configured anew; more would not help now.
        (0..2).find_map(|_| self.try_texture(gpu))
    }

    fn try_texture(&mut self, gpu: &Gpu) -> Option<wgpu::SurfaceTexture> {
        if self.stale && !self.configure(gpu) {
            return None;
        }
        match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) => Some(texture),
            CurrentSurfaceTexture::Suboptimal(texture) => {
                self.stale = true;
                Some(texture)
            }
            CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Validation => {
                self.stale = true;
                None
            }
            CurrentSurfaceTexture::Lost => {
                if let Ok(surface) = self.instance.create_surface(self.window.clone()) {
                    self.surface = surface;
                }
                self.stale = true;
                None
            }
            CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Occluded => None,
        }
    }

    /// Fits the surface to the window. Whether that could be done.
    fn configure(&mut self, gpu: &Gpu) -> bool {
        let size = self.size;
        if size.width == 0 || size.height == 0 {
            return false;
        }
        let most = gpu.device.limits().max_texture_dimension_2d;
        (self.configuration.width, self.configuration.height) = (size.width.min(most), size.height.min(most));
        // The window may be gone since: a surface that could not be configured must not be asked for a texture.
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        self.surface.configure(&gpu.device, &self.configuration);
        self.stale = pollster::block_on(scope.pop()).is_some();
        !self.stale
    }

    /// Pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.configuration.width, self.configuration.height]
    }
}

/// The first adapter that can present on the surface and whose name contains this.
async fn named(
    instance: &wgpu::Instance,
    surface: &wgpu::Surface<'static>,
    name: &str,
) -> Result<wgpu::Adapter, DeviceError> {
    let mut all = instance.enumerate_adapters(crate::device::backends()).await;
    all.retain(|adapter| adapter.is_surface_supported(surface));
    crate::device::find(all, Some(name))
}
