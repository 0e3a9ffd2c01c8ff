//! Rods in the reference: one chain after another.

use super::steps;
use crate::law::rod::{Chain, Eliminated, Link, solve};
use crate::math::Vec3;
use crate::math::turn::{Orientation, Quaternion, by, compose, of_speed, speed_of};
use crate::model::{Load, Model, Rod, Settings, State};
use crate::reference::pass::{Pass, Points, Substep};

/// What turns an orientation that is held.
#[derive(Clone, Copy)]
enum Leader {
    /// One of the model's drives.
    Drive(u32),
    /// One of the model's animations, by one of its particles.
    Animation(usize, usize),
}

/// All orientations and rods of a model.
pub(crate) struct Rods {
    orientations: Vec<Orientation<f64>>,
    /// The turn of each in a substep.
    ways: Vec<Vec3<f64>>,
    /// Of each that is held what turns it.
    leaders: Vec<Option<Leader>>,
    /// λ of the substep of each link, and the sum over the frame.
    multipliers: Vec<[Vec3<f64>; 2]>,
    sums: Vec<[Vec3<f64>; 2]>,
    eliminated: Vec<Eliminated<f64>>,
    settings: Settings,
}

impl Rods {
    /// `None` where there is no rod.
    pub fn new(model: &Model) -> Option<Self> {
        let all = &model.orientations;
        let count = all.len();
        let nothing = vec![[Vec3::zero(); 2]; count];
        let mut leaders = vec![None; count];
        for rod in &model.rods {
            for (place, index) in rod.orientations.clone().enumerate() {
                leaders[index as usize] = rod.held_at(place).map(|particle| leader(model, particle));
            }
        }
        (count > 0).then(|| Self {
            leaders,
            orientations: all.placed.iter().map(|&q| orientation(q)).collect(),
            ways: all
                .angular_velocities
                .iter()
                .map(|&speed| of_speed(speed, model.settings.substep_seconds()))
                .collect(),
            multipliers: nothing.clone(),
            sums: nothing,
            eliminated: vec![Eliminated::nothing(); count],
            settings: model.settings.clone(),
        })
    }
}

fn leader(model: &Model, particle: u32) -> Leader {
    let one_of = |particles: &[u32]| particles.iter().position(|&one| one == particle);
    let mut animations = model.animations.iter().enumerate();
    let found = animations.find_map(|(index, animation)| Some((index, one_of(&animation.particles)?)));
    let drive = || Leader::Drive(model.particles.drives[particle as usize]);
    found.map_or_else(drive, |(index, one)| Leader::Animation(index, one))
}

impl Leader {
    /// The turn of a substep.
    fn turn(self, substep: &Substep) -> Vec3<f64> {
        let [begin, end] = substep.times;
        match self {
            Leader::Drive(drive) => {
                let begin = (begin > 0.0).then_some(begin);
                substep.model.drives[drive as usize].turn(begin, end).into()
            }
            // In all substeps of a frame the same.
            Leader::Animation(index, one) => {
                let (h, count) = (substep.h, f64::from(substep.model.settings.substeps));
                let begin = begin - f64::from(substep.index) * h;
                of_speed(substep.model.animations[index].turn(one, [begin, begin + count * h]), 1.0 / count)
            }
        }
    }
}

fn orientation(q: [f64; 4]) -> Orientation<f64> {
    Orientation { reference: Quaternion::from(q).normalised(), turn: Vec3::zero() }
}

impl Pass for Rods {
    fn correct_prediction(&mut self, substep: &mut Substep) {
        let inertias = &substep.model.orientations.inverse_inertias;
        for (index, orientation) in self.orientations.iter_mut().enumerate() {
            if inertias[index] == 0.0 {
                self.ways[index] = self.leaders[index].map_or(Vec3::zero(), |leader| leader.turn(substep));
            }
            orientation.turn = self.ways[index];
        }
        self.multipliers.fill([Vec3::zero(); 2]);
        if substep.index == 0 {
            self.sums.fill([Vec3::zero(); 2]);
        }
    }

    fn solve(&mut self, substep: &mut Substep, _opening: bool) {
        let (model, h, [_, seconds]) = (substep.model, substep.implicit, substep.times);
        for _ in 0..steps(&model.settings) {
            for rod in &model.rods {
                solve(&mut InReference { rods: self, points: substep.points, model, rod, h, seconds });
            }
        }
    }

    fn correct_velocities(&mut self, _substep: &mut Substep) {
        for orientation in &mut self.orientations {
            *orientation = Orientation { reference: orientation.quaternion().normalised(), turn: Vec3::zero() };
        }
        for (sum, last) in self.sums.iter_mut().zip(&self.multipliers) {
            *sum = [sum[0] + last[0], sum[1] + last[1]];
        }
    }

    fn tell(&self, state: &mut State) {
        let h = self.settings.substep_seconds();
        state.orientations = self.orientations.iter().map(|orientation| orientation.reference.into()).collect();
        state.angular_velocities = self.ways.iter().map(|&way| speed_of(way, h)).collect();
        state.loads = self.sums.iter().map(|sums| Load::mean(sums.map(Into::into), &self.settings)).collect();
    }

    fn restore(&mut self, state: &State) {
        let h = self.settings.substep_seconds();
        self.orientations = state.orientations.iter().map(|&q| orientation(q)).collect();
        self.ways = state.angular_velocities.iter().map(|&speed| of_speed(speed, h)).collect();
    }
}

/// One rod in a substep of `h` s, which ends at `seconds`.
struct InReference<'a> {
    rods: &'a mut Rods,
    points: &'a mut Points,
    model: &'a Model,
    rod: &'a Rod,
    h: f64,
    seconds: f64,
}

impl InReference<'_> {
    /// The orientation of a link, by its index among all.
    fn place(&self, index: usize) -> usize {
        self.rod.orientations.start as usize + index
    }
}

impl Chain<f64> for InReference<'_> {
    fn links(&self) -> usize {
        self.rod.orientations.len()
    }

    fn link(&self, index: usize) -> Link<f64> {
        let Self { rods, points, model, rod, h, seconds } = self;
        let here = self.place(index);
        let there = self.place((index + 1).min(self.links() - 1));
        let segment = rod.segment_at(index);
        let (length, stretch) = segment
            .map_or_else(Default::default, |segment| (rod.segments[segment].length, rod.segments[segment].compliances));
        let joint = rod.bends.get(index);
        let ends = segment.and(rod.node(index).zip(rod.node(index + 1)));
        let between = |list: &[Vec3<f64>]| ends.map_or(Vec3::zero(), |(a, b)| list[b as usize] - list[a as usize]);
        let way = between(&points.positions);
        Link {
            present: [f64::from(segment.is_some()), f64::from(joint.is_some())],
            inverse_masses: ends.map_or([0.0; 2], |(a, b)| [a, b].map(|end| points.inverse_masses[end as usize])),
            inverse_inertias: [here, there].map(|place| model.orientations.inverse_inertias[place]),
            orientations: [here, there].map(|place| rods.orientations[place]),
            way,
            length,
            rest: joint.map_or(Vec3::zero(), |joint| joint.rest_at(&model.curves, *seconds).into()),
            compliances: [stretch, joint.map_or([0.0; 3], |joint| joint.compliances)]
                .map(|compliances| Vec3::from(compliances) * (1.0 / (h * h))),
            damping: rod.damping / h,
            moved: way - between(&points.starts),
            turned: [here, there].map(|place| rods.orientations[place].turn * 2.0),
            multipliers: rods.multipliers[here],
        }
    }

    fn keep(&mut self, index: usize, eliminated: &Eliminated<f64>) {
        let place = self.place(index);
        self.rods.eliminated[place] = *eliminated;
    }

    fn kept(&self, index: usize) -> Eliminated<f64> {
        self.rods.eliminated[self.place(index)]
    }

    fn press(&mut self, index: usize, change: [Vec3<f64>; 2]) {
        let place = self.place(index);
        let lambda = &mut self.rods.multipliers[place];
        *lambda = [lambda[0] + change[0], lambda[1] + change[1]];
    }

    fn push(&mut self, node: usize, impulse: Vec3<f64>) {
        if let Some(particle) = self.rod.node(node).map(|particle| particle as usize) {
            self.points.positions[particle] += impulse * self.points.inverse_masses[particle];
        }
    }

    fn turn(&mut self, index: usize, impulse: Vec3<f64>) {
        let place = self.place(index);
        let orientation = &mut self.rods.orientations[place];
        let rotation = by(impulse * self.model.orientations.inverse_inertias[place]);
        orientation.turn = compose(rotation, orientation.turn);
        self.rods.ways[place] = orientation.turn;
    }
}
