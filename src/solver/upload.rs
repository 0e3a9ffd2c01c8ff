//! What the solver uploads: particles and surfaces once, materials again when they change; in single precision.

use super::air;
use super::buffers::{Buffers, zeroed};
use super::constraints::Needs;
use super::pulls::MOST_PULLS;
use super::records::{Material, Properties, RestLaw, Status};
use super::surface::upload_surfaces;
use super::tear;
use crate::contact::{pairs, samples, surfaces};
use crate::model::{Group, Integrator, Material as ModelMaterial, Mode, Model, Settings, Side};
use crate::plan::Plan;

/// The buffers that all kernels share.
pub fn buffers(device: &wgpu::Device, model: &Model, plan: &Plan) -> Buffers {
    let mut buffers = Buffers::default();
    let particles = &model.particles;
    let q = lattice_step(&particles.positions);
    let h = model.settings.substep_seconds();
    let (mut x, mut e, mut u, mut properties) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for &particle in &plan.particle_of {
        let particle = particle as usize;
        let position = particles.positions[particle];
        let on_lattice = position.map(|value| (value / q).round() * q);
        let below = std::array::from_fn(|i| position[i] - on_lattice[i]);
        x.push(vector(on_lattice, particles.inverse_masses[particle]));
        e.push(vector(below, 0.0));
        u.push(vector(particles.velocities[particle].map(|speed| speed * h), 0.0));
        properties.push(Properties { body: particles.bodies[particle], drive: particles.drives[particle] });
    }
    buffers.insert("d", displacements(device, particles.len(), model.settings.integrator));
    // Vertices of skins follow the particles, so that one buffer holds all that is drawn.
    for (_, skin) in model.skins() {
        x.extend(skin.interpolate(&particles.positions).into_iter().map(|position| vector(position, 0.0)));
    }
    e.resize(x.len(), [0.0; 4]);
    buffers.upload(device, "x", &x);
    buffers.upload(device, "e", &e);
    buffers.upload(device, "u", &u);
    buffers.upload(device, "properties", &properties);
    buffers.upload(device, "surfaces", &surfaces(model));
    if let Some(samples) = samples(model) {
        buffers.upload(device, "samples", &samples);
    }
    upload_surfaces(device, &mut buffers, model, plan);
    buffers.upload(device, "foils", &air::foils(model));
    let felt = if air::is_felt(model) { particles.len() as u64 * 16 } else { 0 };
    if let Some(tearing) = &model.tearing {
        tear::upload_shared(device, &mut buffers, model, tearing, plan);
    }
    pairs::upload(device, &mut buffers, model, plan);
    buffers.insert("air", zeroed(device, "air", felt));
    // Written with the first step, as after every change. Pulls keep theirs behind those of the model.
    let materials = (model.materials.len() + MOST_PULLS) * size_of::<Material>();
    buffers.insert("materials", zeroed(device, "materials", materials as u64));
    let laws = model.materials.len() * size_of::<RestLaw>();
    buffers.insert("rest_laws", zeroed(device, "rest laws", laws as u64));
    buffers.upload(device, "lattice", &[q as f32; 2]);
    buffers.upload(device, "status", &[Status { particle: u32::MAX, ..Default::default() }]);
    buffers
}

/// The displacements within a substep, which predicting writes; with BDF2 then what `shaders/step/past.wgsl` keeps of each particle, nothing
/// as yet.
pub fn displacements(device: &wgpu::Device, particles: usize, integrator: Integrator) -> wgpu::Buffer {
    zeroed(device, "d", displacement_bytes(particles, integrator))
}

/// Bytes of [`displacements`].
pub fn displacement_bytes(particles: usize, integrator: Integrator) -> u64 {
    let vectors = match integrator {
        Integrator::Euler => 1,
        Integrator::Bdf2 => 3,
    };
    (vectors * particles * 16) as u64
}

fn vector([x, y, z]: [f64; 3], w: f64) -> [f32; 4] {
    [x as f32, y as f32, z as f32, w as f32]
}

/// The lattice step q: a power of two with room for positions four times as far out as any at the start, and for 64 m at
/// least. The device doubles it when a particle goes farther.
pub fn lattice_step(positions: &[[f64; 3]]) -> f64 {
    let extent = positions.as_flattened().iter().fold(16.0_f64, |largest, value| largest.max(value.abs()));
    (4.0 * extent).log2().ceil().exp2() / 16_777_216.0
}

/// A material as the kernels read it: PBD mode is XPBD with no compliance and a share of the correction.
pub fn material_record(material: &ModelMaterial, settings: &Settings) -> Material {
    let (min, max) = material.side.multiplier_range();
    let (compliance, damping, stiffness) = match settings.mode {
        Mode::Xpbd => (material.compliance, material.damping, 1.0),
        Mode::Pbd => (0.0, 0.0, settings.applied_stiffness(material.stiffness)),
    };
    Material {
        compliance: compliance as f32,
        damping: damping as f32,
        scale: (settings.relaxation * stiffness) as f32,
        multiplier_min: min as f32,
        multiplier_max: max as f32,
        break_force: material.break_force.map_or(f32::MAX, |force| force as f32),
        ..Default::default()
    }
}

/// What stays of a group once its constraints are on the device.
#[derive(Clone, Debug)]
pub struct Used {
    /// Which materials of the table it refers to, ascending.
    pub materials: Vec<u32>,
    /// Whether its rest values may change, now or later.
    pub rest_changes: bool,
    /// Whether its constraints are elements of a mesh.
    elements: bool,
}

impl Used {
    pub fn of(group: &Group, materials: &[ModelMaterial]) -> Self {
        Self {
            materials: group.used_materials(),
            rest_changes: group.rest_changes(materials),
            elements: group.is_mesh(),
        }
    }
}

/// What tears ask of the constraints of a group.
#[derive(Clone, Copy, Debug)]
pub struct Tears {
    /// They break with the edges of a surface.
    breaking: bool,
    /// Their forces decide where a solid tears.
    summing: bool,
}

impl Tears {
    pub fn of(model: &Model, group: usize) -> Self {
        Self { breaking: model.tears(group), summing: model.fractures(group) }
    }
}

/// What the kernels of a group must be able to do, by the materials that it refers to and whether it holds a body that can be torn.
pub fn needs(settings: &Settings, materials: &[ModelMaterial], used: &Used, tears: Tears) -> Needs {
    let any = |test: fn(&ModelMaterial) -> bool| used.materials.iter().any(|&index| test(&materials[index as usize]));
    let soft = settings.mode == Mode::Xpbd;
    // What bends across an edge breaks with it, whatever it bears.
    let breaking = tears.breaking || any(|material| material.break_force.is_some());
    Needs {
        iterating: settings.sweeps() > 1,
        scaling: settings.relaxation != 1.0 || !soft && any(|material| material.stiffness != 1.0),
        one_sided: any(|material| material.side != Side::Both),
        damping: soft && any(|material| material.damping > 0.0 && material.compliance > 0.0),
        breaking,
        summing: settings.mean_forces || breaking || tears.summing,
        yielding: soft && used.rest_changes && any(|material| material.yield_point.is_some()),
        elements: used.elements && settings.sweeps_once(),
        two_steps: settings.integrator == Integrator::Bdf2,
    }
}
