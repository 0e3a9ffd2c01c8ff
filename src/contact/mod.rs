//! Contact of particles with colliders and, in [`pairs`], with each other, on the device: found each substep, corrected in positions with
//! friction, corrected in velocities with restitution. `shaders/contact/` holds the kernels.

mod fields;
pub mod pairs;
pub(crate) mod pose;
mod readout;

pub use readout::ContactDownload;
pub(crate) use readout::Sources;

#[cfg(feature = "cli")]
pub use fields::sample_bytes;
pub use fields::{firsts, samples};

use std::sync::Arc;

use self::pose::Pose;
use crate::constraint::Vec3;
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

/// What the first kernel of contact may have to know of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// Those with a formula.
    Plain,
    /// Also those that go by samples.
    Fields,
}

/// The three kernels of contact, in the order in which a substep runs them.
pub fn kernels(integrator: Integrator, shapes: Shapes) -> [Kernel; 3] {
    let (label, forget) = match integrator {
        Integrator::Euler => ("contact velocity", shader_piece!("contact/forget_nothing.wgsl")),
        Integrator::Bdf2 => ("contact velocity bdf2", shader_piece!("contact/forget.wgsl")),
    };
    let mut detect = vec![
        shader_piece!("contact/shapes.wgsl"),
        shader_piece!("contact/pose.wgsl"),
        shader_piece!("contact/sweep.wgsl"),
        shader_piece!("contact/detect.wgsl"),
    ];
    let name = match shapes {
        Shapes::Plain => {
            detect.push(shader_piece!("contact/no_fields.wgsl"));
            "contact detect"
        }
        Shapes::Fields => {
            detect.push(shader_piece!("contact/grid.wgsl"));
            detect.push(shader_piece!("contact/heights.wgsl"));
            detect.push(shader_piece!("contact/fields.wgsl"));
            "contact detect fields"
        }
    };
    [
        kernel(name, &detect),
        kernel("contact solve", &[shader_piece!("contact/solve.wgsl")]),
        kernel(label, &[shader_piece!("lib/status.wgsl"), forget, shader_piece!("contact/velocity.wgsl")]),
    ]
}

/// What is compiled in: for no collider what none needs.
fn constants(colliders: &[model::Collider], integrator: Integrator) -> [(&'static str, bool); 5] {
    let any = |is: fn(&model::Collider) -> bool| colliders.iter().any(is);
    let turns = any(|collider| collider.turning.is_some());
    [
        ("BDF2", integrator == Integrator::Bdf2),
        ("FRAMES", any(|collider| !matches!(collider.shape, Shape::Plane | Shape::Sphere { .. }))),
        ("TURNS", turns),
        (
            "SWEEPS",
            turns
                || any(|collider| {
                    collider.shape != Shape::Plane && !(collider.inside && collider.shape.samples().is_empty())
                }),
        ),
        ("ADHESION", any(|collider| collider.adhesion > 0.0)),
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
        colliders: &[model::Collider],
        integrator: Integrator,
        shapes: Shapes,
    ) -> Result<Self, KernelError> {
        let constants = constants(colliders, integrator);
        let colliders = colliders.len();
        let contacts = zeroed(&pipelines.device, "contacts", contact_bytes(particles, colliders));
        let mut dispatches = Dispatches::default();
        let each = (colliders * size_of::<Contact>()) as u64;
        let sizes = [4 * 16 + 8 + each, 4 * 16 + 8 + 2 * each, 3 * 16 + 8 + each];
        let items = sizes.map(|bytes| dispatches.threads(0..particles as u32, bytes));
        let batches = dispatches.upload(&pipelines.device);
        let mut work = kernels(integrator, shapes).into_iter().zip(items).map(|(kernel, dispatch)| {
            let pipeline = pipelines.get(kernel, &constants)?;
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

/// A collider as it stands at time `to`, having moved since `from` (s). `first`: where its samples begin.
pub fn collider_record(collider: &model::Collider, first: u32, from: f64, to: f64) -> Collider {
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
        cell: pose.solid.field.cell as f32,
        nodes: pose.solid.field.nodes,
        first,
    }
}
