//! Which of the two ways large bodies are solved by: a rule, so that a scene has the same bits at every start. A timing
//! would have decided otherwise from day to day.

use clap::ValueEnum;

use super::engine::Device;
use crate::device::adapters;
use crate::model::Model;
use crate::plan::{CLUSTER_PARTICLES, Plan};

/// What `--clusters` names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Clusters {
    /// By clusters on graphics cards, by colours on software devices and on the CPU engine
    #[default]
    Auto,
    /// By clusters
    On,
    /// By colours
    Off,
}

/// Whether clusters are the faster way on an adapter: on every card, since they save launches and bytes, and on no
/// software device, which has neither launches nor memory of workgroups to gain by.
pub fn favoured(info: &wgpu::AdapterInfo) -> bool {
    info.device_type != wgpu::DeviceType::Cpu
}

/// For people: `by clusters`, and why.
pub fn told(info: &wgpu::AdapterInfo) -> &'static str {
    match favoured(info) {
        true => "by clusters, as on every graphics card",
        false => "by colours, as on every software device",
    }
}

/// The plan that solves large bodies by clusters or by colours.
pub fn planned(model: &Model, clustered: bool) -> Plan {
    if clustered { Plan::clustered(model) } else { Plan::new(model) }
}

/// Whether large bodies are solved in clusters on a device.
pub fn chosen(device: &Device, clusters: Clusters) -> bool {
    let name = match (clusters, device) {
        (Clusters::Off, _) => return false,
        (Clusters::On, _) => return true,
        (_, device) if device.is_cpu() => return false,
        (_, Device::Named(name)) => name,
        _ => "",
    };
    let wanted = |info: &wgpu::AdapterInfo| info.name.to_lowercase().contains(&name.to_lowercase());
    // That there is none is told where it is opened.
    let found = pollster::block_on(adapters()).iter().map(wgpu::Adapter::get_info).find(wanted);
    found.as_ref().is_some_and(favoured)
}

/// The same for one model: what is so small that a workgroup solves it whole has no clusters.
pub fn chosen_for(model: &Model, device: &Device, clusters: Clusters) -> bool {
    model.particles.len() > CLUSTER_PARTICLES && chosen(device, clusters)
}
