//! Rods on the device: a thread for each chain. `shaders/rods/` holds the kernel.

use std::sync::Arc;

use super::steps;
use crate::gpu::buffers::{BufferRange, Buffers, zeroed};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::{Dispatches, Kernel, KernelError, Recorder, Work};
use crate::math::turn::of_speed;
use crate::model::{self, Model};
use crate::plan::Plan;
use crate::shader_piece;
use crate::step::records::{Rod, RodCurve, RodLink, RodTurned};
use crate::step::{Hooks, Turned, drives_of_particles};

/// `shaders/rods/chain.wgsl`
const CHAINS: usize = 32;
const NO_SLOT: u32 = u32::MAX;
const ELIMINATED: usize = 42;
const HAS_SEGMENT: u32 = 1;
const HAS_JOINT: u32 = 2;

/// The kernel that solves all chains in a sweep.
pub fn kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/products.wgsl"),
        shader_piece!("lib/angle.wgsl"),
        shader_piece!("lib/status.wgsl"),
        shader_piece!("step/fall.wgsl"),
        shader_piece!("law/rod.wgsl"),
        shader_piece!("rods/chain.wgsl"),
        shader_piece!("rods/solve.wgsl"),
    ];
    Kernel::new("rods", pieces)
}

/// The kernel that sets the rests of actuated joints.
pub fn actuating_kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("rods/chain.wgsl"),
        shader_piece!("rods/actuate.wgsl"),
    ];
    Kernel::new("actuated rods", pieces)
}

/// The rods of a model, long ones with long ones, and where the first link of each is.
struct Layout<'a> {
    rods: Vec<(&'a model::Rod, usize)>,
    places: usize,
}

impl<'a> Layout<'a> {
    fn new(model: &'a Model) -> Self {
        let mut order: Vec<&model::Rod> = model.rods.iter().collect();
        order.sort_by_key(|rod| std::cmp::Reverse(rod.orientations.len()));
        let (mut rods, mut places) = (Vec::with_capacity(order.len()), 0);
        for group in order.chunks(CHAINS) {
            rods.extend(group.iter().enumerate().map(|(lane, &rod)| (rod, places + lane)));
            places += group[0].orientations.len() * CHAINS;
        }
        Self { rods, places }
    }
}

/// Where each of the model's orientations is on the device.
pub fn places(model: &Model) -> Vec<u32> {
    let mut places = vec![0; model.orientations.len()];
    for (rod, first) in Layout::new(model).rods {
        for (link, orientation) in rod.orientations.clone().enumerate() {
            places[orientation as usize] = (first + link * CHAINS) as u32;
        }
    }
    places
}

/// Uploads rods, if there are any.
pub fn upload(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    if model.rods.is_empty() {
        return;
    }
    let (layout, drives) = (Layout::new(model), drives_of_particles(model));
    let mut links = vec![RodLink { slots: [NO_SLOT; 2], ..Default::default() }; layout.places];
    let mut turned = vec![RodTurned { reference: [0.0, 0.0, 0.0, 1.0], ..Default::default() }; layout.places];
    let mut rods = Vec::with_capacity(layout.rods.len());
    let mut curves = Vec::new();
    for (rod, first) in layout.rods {
        rods.push(Rod { first: first as u32, links: rod.orientations.len() as u32 });
        for (link, orientation) in rod.orientations.clone().enumerate() {
            let place = first + link * CHAINS;
            links[place] = link_record(rod, link, &plan.slot_of, &drives);
            turned[place] = turned_record(model, orientation as usize);
            curves.extend(curve_record(model, rod, link, place));
        }
    }
    if !curves.is_empty() {
        buffers.upload(device, "rod_curves", &curves);
    }
    buffers.upload(device, "rods", &rods);
    buffers.upload(device, "rod_links", &links);
    buffers.upload(device, "rod_turned", &turned);
    let bytes = layout.places * ELIMINATED * size_of::<f32>();
    buffers.insert("rod_eliminated", zeroed(device, "rod_eliminated", bytes as u64));
}

fn single(values: [f64; 3]) -> [f32; 3] {
    values.map(|value| value as f32)
}

fn link_record(rod: &model::Rod, link: usize, slot_of: &[u32], drives: &[u32]) -> RodLink {
    let segment = rod.segment_at(link);
    let joint = rod.bends.get(link);
    let slot = |node: usize| rod.node(node).map_or(NO_SLOT, |particle| slot_of[particle as usize]);
    let measures = segment.map(|segment| rod.segments[segment]).unwrap_or_default();
    let bends = joint.copied().unwrap_or_default();
    RodLink {
        slots: [slot(link), slot(link + 1)],
        drive: rod.held_at(link).map_or(0, |particle| drives[particle as usize]),
        flags: (u32::from(segment.is_some()) * HAS_SEGMENT) | (u32::from(joint.is_some()) * HAS_JOINT),
        rest: single(bends.rest),
        length: measures.length as f32,
        stretch: single(measures.compliances),
        damping: rod.damping as f32,
        bend: single(bends.compliances),
        ..Default::default()
    }
}

/// Of the joint of a link that is kept at a place, if it is actuated.
fn curve_record(model: &Model, rod: &model::Rod, link: usize, place: usize) -> Option<RodCurve> {
    let joint = rod.bends.get(link)?;
    Some(RodCurve {
        rest: single(joint.rest),
        length: joint.length as f32,
        place: place as u32,
        curve: joint.curve?,
        curves: model.curves.len() as u32,
        reserved: 0,
    })
}

fn turned_record(model: &Model, orientation: usize) -> RodTurned {
    let all = &model.orientations;
    RodTurned {
        reference: all.placed[orientation].map(|value| value as f32),
        inverse_inertia: all.inverse_inertias[orientation] as f32,
        way: single(of_speed(all.angular_velocities[orientation], model.settings.substep_seconds()).into()),
        ..Default::default()
    }
}

/// The records of what was read, with inertias as they are.
pub fn records(turned: &[Turned], places: &[u32], model: &Model) -> Vec<RodTurned> {
    let mut records =
        vec![RodTurned { reference: [0.0, 0.0, 0.0, 1.0], ..Default::default() }; Layout::new(model).places];
    for (index, (one, &place)) in turned.iter().zip(places).enumerate() {
        let [a, b, c, d, e, f] = one.sums;
        records[place as usize] = RodTurned {
            reference: one.reference,
            below: one.below,
            turn: one.below,
            way: one.way,
            force_sum: [a, b, c],
            moment_sum: [d, e, f],
            ..turned_record(model, index)
        };
    }
    records
}

/// Bytes of the largest list that a kernel binds.
pub fn largest_binding(model: &Model) -> u64 {
    (Layout::new(model).places * (ELIMINATED * size_of::<f32>()).max(size_of::<RodTurned>())) as u64
}

/// Bytes of all lists.
pub fn bytes(model: &Model) -> u64 {
    let each = size_of::<RodLink>() + size_of::<RodTurned>() + ELIMINATED * size_of::<f32>();
    let curves = actuated(model) * size_of::<RodCurve>();
    (Layout::new(model).places * each + model.rods.len() * size_of::<Rod>() + curves) as u64
}

/// All chains of a model.
pub struct Rods {
    work: Work,
    /// What sets the rests of actuated joints.
    actuate: Option<Work>,
}

/// What sets the rests of actuated joints, if there are any.
fn actuate(setup: &Setup) -> Result<Option<Work>, KernelError> {
    let Setup { pipelines, buffers, model, .. } = *setup;
    let actuated = actuated(model);
    if actuated == 0 {
        return Ok(None);
    }
    let mut dispatches = Dispatches::default();
    // A record, its curve and the rest.
    let dispatch = dispatches.threads(0..actuated as u32, (size_of::<RodCurve>() + 16 + 12) as u64);
    let batches = dispatches.upload(&pipelines.device);
    let pipeline = pipelines.get(actuating_kernel(), &[])?;
    let own = [("batch", BufferRange::slot(&batches))];
    let bind_group = Arc::new(pipeline.bind(&pipelines.device, buffers, &own)?);
    Ok(Some(Work { pipeline, bind_group, dispatch }))
}

/// How many joints are actuated.
fn actuated(model: &Model) -> usize {
    model.rods.iter().flat_map(|rod| &rod.bends).filter(|joint| joint.curve.is_some()).count()
}

impl Rods {
    /// `None` where there is no rod.
    pub fn new(setup: &Setup) -> Result<Option<Self>, KernelError> {
        let Setup { pipelines, buffers, model, .. } = *setup;
        if model.rods.is_empty() {
            return Ok(None);
        }
        let links: usize = model.rods.iter().map(|rod| rod.orientations.len()).sum();
        // Forth and back: a link and its orientation, with place and displacement of a particle; what is eliminated.
        let bytes_of_link = 2 * (size_of::<RodLink>() + size_of::<RodTurned>() + 4 * 16 + ELIMINATED * 4);
        let mut dispatches = Dispatches::default();
        let bytes = (links * bytes_of_link / model.rods.len()) as u64;
        let dispatch = dispatches.threads(0..model.rods.len() as u32, bytes);
        let batches = dispatches.upload(&pipelines.device);
        let pipeline = pipelines.get(kernel(), &[("TWO_STEPS", steps(&model.settings) > 1)])?;
        let own = [("batch", BufferRange::slot(&batches))];
        let bind_group = Arc::new(pipeline.bind(&pipelines.device, buffers, &own)?);
        Ok(Some(Self { work: Work { pipeline, bind_group, dispatch }, actuate: actuate(setup)? }))
    }
}

impl Pass for Rods {
    fn hooks(&self) -> Hooks {
        Hooks { detect: self.actuate.is_some(), solve: true, ..Hooks::default() }
    }

    fn detect(&self, recorder: &mut Recorder) {
        self.actuate.iter().for_each(|work| recorder.run(work));
    }

    fn solve(&self, recorder: &mut Recorder) {
        recorder.run(&self.work);
    }

    fn memory_bytes(&self) -> u64 {
        0
    }
}
