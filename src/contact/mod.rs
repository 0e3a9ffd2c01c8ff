//! Contact of particles with colliders and, in [`pairs`], with each other, on the device: found each substep, corrected in positions with friction, corrected in
//! velocities with restitution. `shaders/contact/` holds the kernels.

pub mod pairs;

use std::sync::Arc;

use crate::model::{self, Integrator, Model, Shape};
use crate::shader_piece;
use crate::solver::buffers::{BufferRange, Buffers, zeroed};
use crate::solver::records::{Collider, Contact, Surface};
use crate::solver::{Dispatches, Kernel, KernelError, Pass, Piece, Pipelines, Recorder, Work};

fn kernel(label: &str, own: &[Piece]) -> Kernel {
    let mut pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/properties.wgsl"),
        shader_piece!("contact/colliders.wgsl"),
    ];
    pieces.extend_from_slice(own);
    Kernel::new(label, pieces)
}

/// The three kernels of contact, in the order in which a substep runs them.
pub fn kernels(integrator: Integrator) -> [Kernel; 3] {
    let (label, forget) = match integrator {
        Integrator::Euler => ("contact velocity", shader_piece!("contact/forget_nothing.wgsl")),
        Integrator::Bdf2 => ("contact velocity bdf2", shader_piece!("contact/forget.wgsl")),
    };
    [
        kernel("contact detect", &[shader_piece!("contact/detect.wgsl")]),
        kernel("contact solve", &[shader_piece!("contact/solve.wgsl")]),
        kernel(label, &[shader_piece!("lib/status.wgsl"), forget, shader_piece!("contact/velocity.wgsl")]),
    ]
}

/// Bytes of the contacts of so many particles with so many colliders.
pub fn contact_bytes(particles: usize, colliders: usize) -> u64 {
    (particles * colliders * size_of::<Contact>()) as u64
}

/// The contacts of all particles with all colliders.
pub struct Contacts {
    detect: Work,
    solve: Work,
    velocity: Work,
    memory: u64,
}

impl Contacts {
    pub fn new(
        pipelines: &mut Pipelines,
        shared: &Buffers,
        particles: usize,
        colliders: usize,
        integrator: Integrator,
    ) -> Result<Self, KernelError> {
        let contacts = zeroed(&pipelines.device, "contacts", contact_bytes(particles, colliders));
        let mut dispatches = Dispatches::default();
        let each = (colliders * size_of::<Contact>()) as u64;
        let sizes = [3 * 16 + 8 + each, 4 * 16 + 8 + 2 * each, 3 * 16 + 8 + each];
        let items = sizes.map(|bytes| dispatches.threads(0..particles as u32, bytes));
        let batches = dispatches.upload(&pipelines.device);
        let mut work = kernels(integrator).into_iter().zip(items).map(|(kernel, dispatch)| {
            let pipeline = pipelines.get(kernel, &[("BDF2", integrator == Integrator::Bdf2)])?;
            let own = [("batch", BufferRange::slot(&batches)), ("contacts", BufferRange::all(&contacts))];
            let bind_group = pipeline.bind(&pipelines.device, shared, &own)?;
            Ok(Work { pipeline, bind_group: Arc::new(bind_group), dispatch })
        });
        let mut next = || work.next().unwrap_or_else(|| unreachable!("there are three kernels"));
        let (detect, solve, velocity) = (next()?, next()?, next()?);
        Ok(Self { detect, solve, velocity, memory: contacts.size() })
    }
}

impl Pass for Contacts {
    fn name(&self) -> &'static str {
        "contact"
    }
    fn detect(&self, recorder: &mut Recorder) {
        recorder.run(&self.detect);
    }
    fn solve(&self, recorder: &mut Recorder) {
        recorder.run(&self.solve);
    }
    fn corrects_velocities(&self) -> bool {
        true
    }
    fn correct_velocities(&self, recorder: &mut Recorder) {
        recorder.run(&self.velocity);
    }
    fn memory_bytes(&self) -> u64 {
        self.memory
    }
}

/// How the particles of each body touch.
pub fn surfaces(model: &Model) -> Vec<Surface> {
    let surface = |body: &model::Body| Surface {
        radius: body.radius as f32,
        friction: body.friction as f32,
        dynamic_friction: body.dynamic_friction as f32,
        restitution: body.restitution as f32,
    };
    model.bodies.iter().map(surface).collect()
}

/// A collider as it stands at time `to`, having moved since `from` (s).
pub fn collider_record(collider: &model::Collider, from: f64, to: f64) -> Collider {
    let at = |seconds| collider.motion.as_ref().map_or([0.0; 3], |motion| motion.at(seconds));
    let (before, now) = (at(from), at(to));
    let (shape, place, normal, radius) = match collider.shape {
        Shape::Plane { point, normal } => (0, point, normal, 0.0),
        Shape::Sphere { centre, radius, inside } => (if inside { 2 } else { 1 }, centre, [0.0; 3], radius),
    };
    let place: [f64; 3] = std::array::from_fn(|i| place[i] + now[i]);
    let high = place.map(|value| value as f32);
    Collider {
        place: high,
        place_low: std::array::from_fn(|i| (place[i] - f64::from(high[i])) as f32),
        shape,
        radius: radius as f32,
        normal: normal.map(|value| value as f32),
        displacement: std::array::from_fn(|i| (now[i] - before[i]) as f32),
        friction: collider.friction as f32,
        dynamic_friction: collider.dynamic_friction as f32,
        restitution: collider.restitution as f32,
        ..Default::default()
    }
}
