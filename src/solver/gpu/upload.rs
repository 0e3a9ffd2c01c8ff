//! What the solver uploads: particles and surfaces once, materials again when they change; in single precision.

use crate::gpu::buffers::{Buffers, zeroed};
use crate::gpu::surface::upload_surfaces;
use crate::model::{Integrator, Model};
use crate::pass::colliders::gpu::samples;
use crate::pass::flows::gpu as flows;
use crate::pass::fluid::gpu as fluid;
use crate::pass::joints::gpu as joints;
use crate::pass::pairs::gpu as pairs;
use crate::pass::rods::gpu as rods;
use crate::pass::shapes::gpu as shapes;
use crate::pass::surfaces::gpu as surface_contact;
use crate::pass::tear::gpu as tear;
use crate::plan::Plan;
use crate::step::MOST_PULLS;
use crate::step::contact::surfaces;
use crate::step::records::{Material, Properties, RestLaw, Status};
use crate::step::{air_is_felt, drives_of_particles, foils, lattice_step};

/// The buffers that all kernels share.
pub fn buffers(device: &wgpu::Device, model: &Model, plan: &Plan) -> Buffers {
    let mut buffers = Buffers::default();
    let particles = &model.particles;
    let q = lattice_step(&particles.positions);
    let h = model.settings.substep_seconds();
    let (mut x, mut e, mut u, mut properties) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let drives = drives_of_particles(model);
    for &particle in &plan.particle_of {
        let particle = particle as usize;
        let position = particles.positions[particle];
        let on_lattice = position.map(|value| (value / q).round() * q);
        let below = std::array::from_fn(|i| position[i] - on_lattice[i]);
        x.push(vector(on_lattice, particles.inverse_masses[particle]));
        e.push(vector(below, 0.0));
        u.push(vector(particles.velocities[particle].map(|speed| speed * h), 0.0));
        properties.push(Properties { body: particles.bodies[particle], drive: drives[particle] });
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
    buffers.upload(device, "foils", &foils(model));
    let felt = if air_is_felt(model) { particles.len() as u64 * 16 } else { 0 };
    if let Some(tearing) = &model.tearing {
        tear::upload_shared(device, &mut buffers, model, tearing, plan);
    }
    pairs::upload(device, &mut buffers, model, plan);
    surface_contact::upload(device, &mut buffers, model, plan);
    shapes::upload(device, &mut buffers, model, plan);
    rods::upload(device, &mut buffers, model, plan);
    joints::upload(device, &mut buffers, model, plan);
    flows::upload(device, &mut buffers, model, plan);
    fluid::upload(device, &mut buffers, model, plan);
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

/// The displacements within a substep, which predicting writes; with BDF2 then what `shaders/step/past.wgsl` keeps of
/// each particle, nothing as yet.
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
