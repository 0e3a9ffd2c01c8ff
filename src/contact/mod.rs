//! Contact of particles with colliders, on the device: found each substep, corrected in positions with friction, corrected in
//! velocities with restitution. `shaders/contact/` holds the kernels.

pub(crate) mod pose;
mod readout;

pub use readout::ContactDownload;

use std::sync::Arc;

use self::pose::Pose;
use crate::constraint::Vec3;
use crate::model::{self, Integrator, Model};
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
        kernel(
            "contact detect",
            &[
                shader_piece!("contact/shapes.wgsl"),
                shader_piece!("contact/pose.wgsl"),
                shader_piece!("contact/sweep.wgsl"),
                shader_piece!("contact/detect.wgsl"),
            ],
        ),
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
    contacts: wgpu::Buffer,
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
        let sizes = [4 * 16 + 8 + each, 4 * 16 + 8 + 2 * each, 3 * 16 + 8 + each];
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
        Ok(Self { detect, solve, velocity, contacts })
    }

    /// The contacts of all slots with the first collider, the second ...
    pub fn range(&self) -> BufferRange<'_> {
        BufferRange::all(&self.contacts)
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
        self.contacts.size()
    }
}

/// How the particles of each body touch.
pub fn surfaces(model: &Model) -> Vec<Surface> {
    let surface = |body: &model::Body| Surface {
        radius: body.radius as f32,
        friction: body.friction as f32,
        dynamic_friction: body.dynamic_friction as f32,
        restitution: body.restitution as f32,
        groups: body.groups.of,
        meets: body.groups.with,
    };
    model.bodies.iter().map(surface).collect()
}

/// A collider as it stands at time `to`, having moved since `from` (s).
pub fn collider_record(collider: &model::Collider, from: f64, to: f64) -> Collider {
    let pose = Pose::new(collider, from, to);
    let single = |v: Vec3<f64>| [v.x as f32, v.y as f32, v.z as f32];
    let place = collider.position_at(to);
    let high = place.map(|value| value as f32);
    let [axis_x, axis_y, axis_z] = pose.axes.map(single);
    Collider {
        place: high,
        shape: pose.solid.shape,
        place_low: std::array::from_fn(|i| (place[i] - f64::from(high[i])) as f32),
        inside: pose.solid.inside.into(),
        axis_x,
        friction: collider.friction as f32,
        axis_y,
        dynamic_friction: collider.dynamic_friction as f32,
        axis_z,
        restitution: collider.restitution as f32,
        size: single(pose.solid.size),
        thickness: collider.thickness as f32,
        displacement: single(pose.displacement),
        adhesion: collider.adhesion as f32,
        turn: single(pose.turn),
        groups: collider.groups.of,
        spin: single(pose.spin),
        meets: collider.groups.with,
        belt: single(pose.belt),
        reserved: 0,
    }
}
