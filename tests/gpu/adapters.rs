//! Opening adapters: what is there, by name, and with limits.

use pliant::device::{DeviceError, Gpu, adapters};
use pliant::wgpu;

/// An adapter opens by any part of its name in any case.
#[test]
fn opens_by_name() {
    let all = pollster::block_on(adapters());
    let name = all.first().expect("an adapter").get_info().name.to_uppercase();
    let gpu = pollster::block_on(Gpu::open(Some(&name[..4]), wgpu::Limits::default())).unwrap();
    assert!(gpu.adapter.get_info().name.to_uppercase().contains(&name[..4]));
}

/// Limits beyond the adapter's are refused with the limit's name and both numbers.
#[test]
fn too_large_limits_are_refused() {
    let limits = wgpu::Limits { max_buffer_size: 1 << 60, ..Default::default() };
    let error = pollster::block_on(Gpu::open(None, limits)).err().unwrap();
    let DeviceError::TooSmall { limit: "max_buffer_size", available, needed, .. } = error else { panic!("{error}") };
    assert_eq!(needed, 1 << 60);
    let message = error.to_string();
    assert!(message.contains(&needed.to_string()) && message.contains(&available.to_string()), "{message}");
}

/// An error on the device is kept for whoever asks, in place of a panic.
#[test]
fn faults_are_kept() {
    let gpu = pollster::block_on(Gpu::open(None, wgpu::Limits::default())).unwrap();
    assert_eq!(gpu.faults.take(), None);
    let _module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl("this is no shader".into()),
    });
    assert!(gpu.faults.take().is_some_and(|fault| fault.to_string().contains("error")));
    assert_eq!(gpu.faults.take(), None);
}
