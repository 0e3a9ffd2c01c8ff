//! Joints on the device: a workgroup for all that hang together. `shaders/joints/` holds the kernel.

use std::sync::Arc;

use bytemuck::cast_slice;

use super::solver::steps;
use super::{Together, groups, turning};
use crate::gpu::buffers::{BufferRange, Buffers, zeroed};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::{Dispatches, Kernel, KernelError, Recorder, Work};
use crate::math::Vec3;
use crate::model::{Joint, JointKind, Model};
use crate::plan::Plan;
use crate::shader_piece;
use crate::step::records::{JointBody, JointGroup, JointMember, JointSeat, RigidBody, RigidMember};
use crate::step::{Hooks, Jointed, KEPT_NUMBERS};

/// `shaders/joints/state.wgsl`
const NOBODY: u32 = u32::MAX;
const HAS_LIMITS: u32 = 1;
const HAS_MOTOR: u32 = 2;
const HAS_DAMPING: u32 = 4;
/// What a substep of joints begins with.
const SETTLES: u32 = 1;
const REMEMBERS: u32 = 2;
const BODY_NUMBERS: usize = 23;
const JOINT_NUMBERS: usize = 125;
const BLOCK_NUMBERS: usize = 36;

/// The kernel that solves all joints in a sweep.
pub fn kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/products.wgsl"),
        shader_piece!("lib/angle.wgsl"),
        shader_piece!("lib/rotation.wgsl"),
        shader_piece!("law/rod.wgsl"),
        shader_piece!("law/joint.wgsl"),
        shader_piece!("joints/state.wgsl"),
        shader_piece!("joints/solve.wgsl"),
    ];
    Kernel::new("joints", pieces)
}

/// The kernel that turns free rigid bodies.
pub fn turning_kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/products.wgsl"),
        shader_piece!("lib/angle.wgsl"),
        shader_piece!("law/rod.wgsl"),
        shader_piece!("law/rigid.wgsl"),
        shader_piece!("joints/turn.wgsl"),
    ];
    Kernel::new("rigid bodies", pieces)
}

/// The free rigid bodies of a model and their members.
fn free(model: &Model, slot_of: &[u32]) -> (Vec<RigidBody>, Vec<RigidMember>) {
    let (mut bodies, mut members) = (Vec::new(), Vec::new());
    for body in turning::free_bodies(model) {
        let first = members.len() as u32;
        let member =
            |(particle, share): (u32, f64)| RigidMember { slot: slot_of[particle as usize], share: share as f32 };
        members.extend(body.map(member));
        bodies.push(RigidBody { first, count: members.len() as u32 - first });
    }
    (bodies, members)
}

/// Where each of the model's joints is on the device.
pub fn places(model: &Model) -> Vec<u32> {
    let mut places = vec![0; model.joints.len()];
    let in_order = groups(model).into_iter().flat_map(|together| together.joints);
    (0..).zip(in_order).for_each(|(place, joint)| places[joint as usize] = place);
    places
}

/// What a device keeps of each, by where it is.
pub fn kept(jointed: &[Jointed], places: &[u32]) -> Vec<[f32; KEPT_NUMBERS]> {
    let mut kept = vec![[0.0; KEPT_NUMBERS]; places.len()];
    jointed.iter().zip(places).for_each(|(one, &place)| kept[place as usize] = one.to_kept());
    kept
}

/// All lists of a model's joints.
#[derive(Default)]
struct Lists {
    groups: Vec<JointGroup>,
    structure: Vec<u32>,
    bodies: Vec<JointBody>,
    members: Vec<JointMember>,
    seats: Vec<JointSeat>,
    numbers: usize,
}

impl Lists {
    fn new(model: &Model, slot_of: &[u32]) -> Self {
        let all = groups(model);
        let header = all.len() * size_of::<JointGroup>() / size_of::<u32>();
        let mut lists = Self { numbers: model.joints.len() * KEPT_NUMBERS, ..Self::default() };
        for together in &all {
            lists.add(model, together, header, slot_of);
        }
        lists
    }

    fn add(&mut self, model: &Model, together: &Together, header: usize, slot_of: &[u32]) {
        let structure = &together.structure;
        let damped = together.joints.iter().any(|&joint| model.joints[joint as usize].damping > 0.0);
        let (bodies, joints, blocks) = (together.bodies.len(), together.joints.len(), structure.blocks.len());
        self.groups.push(JointGroup {
            first_body: self.bodies.len() as u32,
            bodies: bodies as u32,
            first_joint: self.seats.len() as u32,
            joints: joints as u32,
            blocks: blocks as u32,
            structure: (header + self.structure.len()) as u32,
            work: self.numbers as u32,
            curves: model.curves.len() as u32,
            begins: has(structure.is_closed, SETTLES) | has(damped, REMEMBERS),
        });
        self.numbers += bodies * BODY_NUMBERS + joints * JOINT_NUMBERS + (joints + blocks) * BLOCK_NUMBERS;
        self.structure.extend(structure.blocks.as_flattened());
        self.structure.extend(&structure.columns);
        self.structure.extend(&structure.targets);
        for body in &together.bodies {
            let [inertia0, inertia1, inertia2] = body.inverse_inertia.map(single);
            self.bodies.push(JointBody {
                first: self.members.len() as u32,
                count: body.particles.len() as u32,
                inverse_mass: body.inverse_mass as f32,
                most: body.most() as f32,
                inertia0,
                inertia1,
                inertia2,
                ..Default::default()
            });
            let members = body.particles.iter().zip(&body.members);
            self.members.extend(members.map(|(&particle, &(rest, share))| JointMember {
                rest: single(rest),
                share: share as f32,
                slot: slot_of[particle as usize],
                ..Default::default()
            }));
        }
        for (place, &index) in together.joints.iter().enumerate() {
            let joint = &model.joints[index as usize];
            let arms = together.arms(place, joint).map(single);
            self.seats.push(seat(joint, structure.bodies[place], arms));
        }
    }

    /// Bodies, then their members, by fours of numbers. A device binds eight lists at most.
    fn bodies_and_members(&self) -> Vec<[f32; 4]> {
        let fours = |bytes: usize| (bytes / size_of::<[f32; 4]>()) as u32;
        let begin = fours(size_of_val(&*self.bodies));
        let place =
            |body: &JointBody| JointBody { first: begin + fours(size_of::<JointMember>()) * body.first, ..*body };
        let bodies: Vec<JointBody> = self.bodies.iter().map(place).collect();
        let mut fours: Vec<[f32; 4]> = cast_slice(&bodies).to_vec();
        fours.extend_from_slice(cast_slice(&self.members));
        // Joints that hold nothing that moves have no bodies.
        fours.resize(fours.len().max(1), [0.0; 4]);
        fours
    }

    /// Groups and what depends on which bodies joints hold.
    fn words(&self) -> Vec<u32> {
        let mut words = cast_slice(&self.groups).to_vec();
        words.extend(&self.structure);
        words
    }
}

fn single(v: Vec3<f64>) -> [f32; 3] {
    <[f64; 3]>::from(v).map(|value| value as f32)
}

fn has(there: bool, flag: u32) -> u32 {
    if there { flag } else { 0 }
}

fn seat(joint: &Joint, bodies: [Option<u32>; 2], [arm0, arm1]: [[f32; 3]; 2]) -> JointSeat {
    let kind = JointKind::ALL.iter().position(|&kind| kind == joint.kind).unwrap_or(0) as u32;
    let (limits, motor) = (joint.coordinate_limits(), joint.motor);
    JointSeat {
        bodies: bodies.map(|body| body.unwrap_or(NOBODY)),
        kind,
        flags: has(limits.is_some(), HAS_LIMITS)
            | has(motor.is_some(), HAS_MOTOR)
            | has(joint.damping > 0.0, HAS_DAMPING),
        arm0,
        compliance: joint.compliance as f32,
        arm1,
        motor_compliance: motor.map_or(0.0, |motor| motor.compliance as f32),
        axes: joint.axes.map(|value| value as f32),
        limits: limits.unwrap_or_default().map(|limit| limit as f32),
        curve: motor.map_or(0, |motor| motor.curve),
        break_force: joint.break_force.min(f64::from(f32::MAX)) as f32,
        damping: joint.damping as f32,
        break_moment: joint.break_moment.min(f64::from(f32::MAX)) as f32,
        ..Default::default()
    }
}

/// Uploads rigid bodies and joints, if there are any.
pub fn upload(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    let (bodies, members) = free(model, &plan.slot_of);
    if !bodies.is_empty() {
        buffers.upload(device, "rigid_bodies", &bodies);
        buffers.upload(device, "rigid_members", &members);
    }
    if model.joints.is_empty() {
        return;
    }
    let lists = Lists::new(model, &plan.slot_of);
    buffers.upload(device, "joint_structure", &lists.words());
    buffers.upload(device, "joint_bodies", &lists.bodies_and_members());
    buffers.upload(device, "joint_seats", &lists.seats);
    let bytes = lists.numbers * size_of::<f32>();
    buffers.insert("joint_numbers", zeroed(device, "joint_numbers", bytes as u64));
}

/// Bytes of the largest list that a kernel binds.
pub fn largest_binding(model: &Model) -> u64 {
    (Lists::new(model, &particle_numbers(model)).numbers * size_of::<f32>()) as u64
}

/// Bytes of all lists.
pub fn bytes(model: &Model) -> u64 {
    let (bodies, members) = free(model, &particle_numbers(model));
    let of_bodies = (size_of_val(&*bodies) + size_of_val(&*members)) as u64;
    if model.joints.is_empty() {
        return of_bodies;
    }
    let lists = Lists::new(model, &particle_numbers(model));
    let sizes = [
        size_of_val(&*lists.words()),
        size_of_val(&*lists.bodies),
        size_of_val(&*lists.members),
        size_of_val(&*lists.seats),
        lists.numbers * size_of::<f32>(),
    ];
    of_bodies + sizes.iter().sum::<usize>() as u64
}

fn particle_numbers(model: &Model) -> Vec<u32> {
    (0..model.particles.len() as u32).collect()
}

/// All rigid bodies and joints of a model.
pub struct Joints {
    turning: Option<Work>,
    solving: Option<Work>,
}

impl Joints {
    /// `None` where there is no rigid body.
    pub fn new(setup: &Setup) -> Result<Option<Self>, KernelError> {
        if setup.model.rigid.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { turning: turning_work(setup)?, solving: solving_work(setup)? }))
    }
}

fn turning_work(setup: &Setup) -> Result<Option<Work>, KernelError> {
    let Setup { pipelines, buffers, model, .. } = *setup;
    let (bodies, members) = free(model, &particle_numbers(model));
    if bodies.is_empty() || !turning::turns(model) {
        return Ok(None);
    }
    let mut dispatches = Dispatches::default();
    // Three times x, d and e of each particle, and its new d.
    let moved = members.len() * (3 * (3 * 16 + size_of::<RigidMember>()) + 16) / bodies.len();
    let dispatch = dispatches.threads(0..bodies.len() as u32, moved as u64);
    let batches = dispatches.upload(&pipelines.device);
    let pipeline = pipelines.get(turning_kernel(), &[])?;
    let own = [("batch", BufferRange::slot(&batches))];
    let bind_group = Arc::new(pipeline.bind(&pipelines.device, buffers, &own)?);
    Ok(Some(Work { pipeline, bind_group, dispatch }))
}

fn solving_work(setup: &Setup) -> Result<Option<Work>, KernelError> {
    let Setup { pipelines, buffers, model, .. } = *setup;
    if model.joints.is_empty() {
        return Ok(None);
    }
    let lists = Lists::new(model, &particle_numbers(model));
    let mut dispatches = Dispatches::default();
    // Each number twice, and of members twice x and d.
    let moved = lists.numbers * 2 * size_of::<f32>() + lists.members.len() * (4 * 16 + size_of::<JointMember>());
    let dispatch = dispatches.workgroups(0..lists.groups.len() as u32, (moved / lists.groups.len()) as u64);
    let batches = dispatches.upload(&pipelines.device);
    let pipeline = pipelines.get(kernel(), &[("TWO_STEPS", steps(&model.settings) > 1)])?;
    let own = [("batch", BufferRange::slot(&batches))];
    let bind_group = Arc::new(pipeline.bind(&pipelines.device, buffers, &own)?);
    Ok(Some(Work { pipeline, bind_group, dispatch }))
}

impl Pass for Joints {
    fn hooks(&self) -> Hooks {
        let (correct_prediction, solve) = (self.turning.is_some(), self.solving.is_some());
        Hooks { correct_prediction, solve, ..Hooks::default() }
    }

    fn correct_prediction(&self, recorder: &mut Recorder) {
        self.turning.iter().for_each(|work| recorder.run(work));
    }

    fn solve(&self, recorder: &mut Recorder) {
        self.solving.iter().for_each(|work| recorder.run(work));
    }

    fn memory_bytes(&self) -> u64 {
        0
    }
}
