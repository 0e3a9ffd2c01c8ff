//! What changes from frame to frame: gravity, moving pins, forces, colliders and curves, for every substep.

use std::borrow::Cow;

use crate::math::turn::of_speed;
use crate::model::Model;
use crate::model::tree;
use crate::step::change::frame_times;
use crate::step::contact::{collider_record, firsts};
use crate::step::flows::pour;
use crate::step::records::{Bound, Collider, Drive, Pour, Substep};

/// The parameters of a frame: of each kind all of substep 0, all of substep 1, ...
pub struct FrameRecords {
    pub substeps: Vec<Substep>,
    /// Behind those of all substeps one for each particle that follows an animation, the same for each substep.
    pub drives: Vec<Drive>,
    pub colliders: Vec<Collider>,
    /// The tree of all colliders, for all substeps, where there are many.
    pub bounds: Vec<Bound>,
    pub curves: Vec<[f32; 4]>,
    pub pours: Vec<Pour>,
}

impl FrameRecords {
    /// `starting`: whether its first substep has no past; `particles`: those of the whole model.
    pub fn new(model: &Model, frame: u64, starting: bool, particles: u32) -> Self {
        let settings = &model.settings;
        let time =
            |substep: u32| (frame as f64 + f64::from(substep) / f64::from(settings.substeps)) / settings.frame_rate;
        let count = settings.substeps as usize;
        let mut records = Self {
            substeps: Vec::with_capacity(count),
            drives: Vec::with_capacity(count * model.drives.len()),
            colliders: Vec::with_capacity(count * model.colliders.len()),
            bounds: Vec::new(),
            curves: Vec::with_capacity(count * model.curves.len()),
            pours: Vec::with_capacity(count * model.emitters.len()),
        };
        if tree::nodes(model.colliders.len()) > 0 {
            let times: Vec<f64> = (0..=settings.substeps).map(time).collect();
            records.bounds = tree::bounds(&model.colliders, &times);
        }
        let firsts = firsts(model);
        for index in 0..settings.substeps {
            records.substeps.push(Substep { particles, ..substep_record(model, frame, index, starting) });
            let (from, to) = (time(index), time(index + 1));
            records.drives.extend(model.drives.iter().map(|drive| {
                let at = |seconds| drive.way(seconds).unwrap_or_default();
                // What is to be elsewhere at once goes there in the first substep.
                let before = if frame == 0 && index == 0 { [0.0; 3] } else { at(from) };
                let now = at(to);
                Drive {
                    force: drive.force(to).map(|value| value as f32),
                    displacement: std::array::from_fn(|i| (now[i] - before[i]) as f32),
                    turn: drive.turn((frame > 0 || index > 0).then_some(from), to).map(|value| value as f32),
                    ..Default::default()
                }
            }));
            for (collider, &first) in model.colliders.iter().zip(&firsts) {
                // What stands is as it was in the substep before.
                let before = records.colliders.len().checked_sub(model.colliders.len());
                let record = match before.filter(|_| collider.stands()) {
                    Some(before) => records.colliders[before],
                    None => collider_record(collider, first, from, to),
                };
                records.colliders.push(record);
            }
            records.curves.extend(model.curves.iter().map(|curve| {
                let [x, y, z] = curve.at(to).map(|value| value as f32);
                [x, y, z, 0.0]
            }));
            records.pours.extend(model.emitters.iter().map(|emitter| pour(emitter, [from, to])));
        }
        records.drives.extend(animated(model, frame));
        records
    }
}

/// Those of one substep.
#[cfg(feature = "cpu")]
impl FrameRecords {
    /// A substep as all are, but for the first ones of BDF2.
    pub fn usual_substep(model: &Model) -> Substep {
        substep_record(model, 0, 0, false)
    }
    pub fn drives_of(&self, substep: usize) -> &[Drive] {
        self.part(self.drives_and_animated().0, substep)
    }
    /// Those of particles that follow an animation.
    pub fn animated(&self) -> &[Drive] {
        self.drives_and_animated().1
    }
    fn drives_and_animated(&self) -> (&[Drive], &[Drive]) {
        let drives = self.substeps.iter().map(|substep| substep.drives as usize).sum();
        self.drives.split_at(drives)
    }
    pub fn colliders_of(&self, substep: usize) -> &[Collider] {
        self.part(&self.colliders, substep)
    }
    pub fn curves_of(&self, substep: usize) -> &[[f32; 4]] {
        self.part(&self.curves, substep)
    }
    pub fn pours_of(&self, substep: usize) -> &[Pour] {
        self.part(&self.pours, substep)
    }
    fn part<'a, T>(&self, all: &'a [T], substep: usize) -> &'a [T] {
        let each = all.len() / self.substeps.len().max(1);
        &all[substep * each..(substep + 1) * each]
    }
}

fn substep_record(model: &Model, frame: u64, index: u32, starting: bool) -> Substep {
    let (seconds, usual) = (model.settings.substep_seconds(), model.settings.implicit_seconds());
    let implicit = if starting && index == 0 { seconds } else { usual };
    Substep {
        gravity: model.world.gravity.map(|value| value as f32),
        seconds: seconds as f32,
        inverse_seconds: (1.0 / seconds) as f32,
        inverse_seconds_squared: (1.0 / (implicit * implicit)) as f32,
        implicit_seconds: implicit as f32,
        share: (implicit / seconds) as f32,
        force_scale: (1.0 / (usual * usual)) as f32,
        wind: model.world.wind.map(|value| value as f32),
        air_density: model.world.air_density as f32,
        friction_combine: model.world.friction_combine as u32,
        max_speed: model.world.max_speed.map_or(f32::MAX, |speed| speed as f32),
        index,
        count: model.settings.substeps,
        colliders: model.colliders.len() as u32,
        drives: model.drives.len() as u32,
        lattice_slot: (frame % 2) as u32,
        ..Default::default()
    }
}

/// The way of each particle that follows an animation in a substep of a frame: the same part of the frame's way.
fn animated(model: &Model, frame: u64) -> impl Iterator<Item = Drive> + '_ {
    let settings = &model.settings;
    let [begin, end] = frame_times(frame, settings);
    let share = 1.0 / f64::from(settings.substeps);
    let way = move |(from, to): ([f64; 3], [f64; 3])| std::array::from_fn(|i| ((to[i] - from[i]) * share) as f32);
    model.animations.iter().flat_map(move |animation| {
        let ways = animation.at(begin).zip(animation.at(end)).map(way);
        ways.enumerate().map(move |(one, displacement)| {
            let turn = <[f64; 3]>::from(of_speed(animation.turn(one, [begin, end]), share));
            Drive { displacement, turn: turn.map(|value| value as f32), ..Default::default() }
        })
    })
}

/// Whether anything but gravity may act on a particle by its drive.
#[cfg(feature = "gpu")]
pub fn is_driven(model: &Model) -> bool {
    model.drives.len() > 1 || !model.animations.is_empty()
}

/// For each particle which record of a substep's drives is its own; those of animations are behind those of drives.
pub fn drives_of_particles(model: &Model) -> Cow<'_, [u32]> {
    let mut drives = Cow::Borrowed(&model.particles.drives[..]);
    for (record, particle) in (model.drives.len() as u32..).zip(model.animated()) {
        drives.to_mut()[particle as usize] = record;
    }
    drives
}

/// The lattice step q: a power of two with room for positions four times as far out as any at the start, and for 64 m
/// at least. An engine quadruples it when a particle goes farther.
pub fn lattice_step(positions: &[[f64; 3]]) -> f64 {
    let extent = positions.as_flattened().iter().fold(16.0_f64, |largest, value| largest.max(value.abs()));
    (4.0 * extent).log2().ceil().exp2() / 16_777_216.0
}
