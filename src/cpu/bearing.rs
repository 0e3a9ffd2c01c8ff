//! What constraints bear that can break and have levels over them (`reference/bearing.rs`), in single precision, by the
//! steps of `shaders/nested/bear.wgsl`: a small sheet by one thread, a large one by all together. Sums are made in
//! blocks of the same length for any number of threads, so that the bits do not go by that.

use std::array::from_fn;
use std::sync::atomic::{AtomicBool, Ordering};

use wide::f32x4;

use super::Group;
use super::law::LEAST_BROKEN;
use super::shared::Shared;
use super::single::sum;
use super::team::{Member, Team};
use crate::model::{self, Model};
use crate::plan::levels::Sheet;
use crate::reference::levels::{Bearing, ITERATIONS, group_of};

/// Constraints, or knots, whose sum is one term of that of all; a multiple of four.
const BLOCK: usize = 1024;
/// So many constraints of a sheet are worth that all threads meet six times an iteration.
const LARGE: usize = 8192;

/// What turns a vector round at a constraint's second end.
const SIGNS: [f32x4; 2] = [f32x4::new([0.0; 4]), f32x4::new([-0.0; 4])];

/// The sheets that can break.
pub struct Bearings {
    /// Index of the group of distances.
    pub group: usize,
    sheets: Vec<Breakable>,
    /// Whether constraints are in other blocks, or have other particles, than when it was last looked.
    stale: bool,
}

/// A sheet that can break.
struct Breakable {
    bearing: Bearing,
    /// Of each particle.
    slots: Vec<u32>,
    /// Of each constraint its particles of the sheet, and where its multipliers are.
    ends: Vec<[u32; 2]>,
    places: Vec<u32>,
    broken: Vec<bool>,
    lists: Lists,
}

/// What threads tell each other. Lists of constraints are as long as whole fours of them.
#[derive(Default)]
struct Lists {
    /// What each constraint bore in the frame before, the sum of λ over it; and now, over K.
    kept: Vec<f32>,
    shares: Vec<f32>,
    /// K ∇C at the first end.
    pulls: Vec<f32x4>,
    /// Of the conjugate gradients.
    gradients: Vec<f32>,
    ways: Vec<f32>,
    /// Of each knot P^T F, and M⁻¹ of it.
    forces: Vec<f32x4>,
    moves: Vec<f32x4>,
    /// Of each block of constraints, and of particles.
    squares: Vec<f64>,
    curvatures: Vec<f64>,
}

/// What a frame's end goes by.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    pub x: &'a [f32x4],
    pub e: &'a [f32x4],
    /// What levels moved the particle at each slot by, m, the sum over the frame.
    pub steps: &'a [f32x4],
    pub lambdas: &'a [f32],
    /// Of λ over the frame: what constraints did by themselves, and then what they bear.
    pub sums: Shared<'a, f32>,
}

/// A sheet at the end of a frame, shared by a team.
struct Task<'a> {
    bearing: &'a Bearing,
    slots: &'a [u32],
    ends: &'a [[u32; 2]],
    places: &'a [u32],
    around: Around<'a>,
    kept: Shared<'a, f32>,
    shares: Shared<'a, f32>,
    pulls: Shared<'a, f32x4>,
    gradients: Shared<'a, f32>,
    ways: Shared<'a, f32>,
    forces: Shared<'a, f32x4>,
    moves: Shared<'a, f32x4>,
    squares: Shared<'a, f64>,
    curvatures: Shared<'a, f64>,
}

impl Bearings {
    /// None where no sheet can break.
    pub fn new(model: &Model, sheets: &[Sheet], slot_of: &[u32]) -> Option<Self> {
        let group = group_of(model)?;
        let bearings = Bearing::all(model, group, sheets);
        let breakable = |bearing: Bearing| {
            let particles = bearing.first as usize..bearing.first as usize + bearing.cords.free.len();
            let (count, knots) = (bearing.cords.cords.len(), bearing.smoother.softness.len());
            let padded = count.next_multiple_of(4);
            let mut ends: Vec<[u32; 2]> = bearing.cords.cords.iter().map(|cord| cord.ends).collect();
            ends.resize(padded, [0; 2]);
            let numbers = || vec![0.0; padded];
            Breakable {
                slots: slot_of[particles.clone()].to_vec(),
                ends,
                places: Vec::new(),
                broken: vec![false; count],
                lists: Lists {
                    kept: numbers(),
                    shares: numbers(),
                    pulls: vec![f32x4::ZERO; padded],
                    gradients: numbers(),
                    ways: numbers(),
                    forces: vec![f32x4::ZERO; knots],
                    moves: vec![f32x4::ZERO; knots],
                    squares: vec![0.0; padded.div_ceil(BLOCK)],
                    curvatures: vec![0.0; particles.len().div_ceil(BLOCK)],
                },
                bearing,
            }
        };
        let sheets: Vec<Breakable> = bearings.into_iter().map(breakable).collect();
        (!sheets.is_empty()).then_some(Self { group, sheets, stale: true })
    }

    /// Constraints are in other blocks now, or have other particles.
    pub fn follow(&mut self) {
        self.stale = true;
    }

    /// At the beginning of a frame: keeps what constraints bore, and switches off what would hold together what is
    /// broken. The group as the engine and as the model has it. Whether edges of levels may be others now.
    pub fn open(&mut self, team: &Team, sheets: &mut [Sheet], group: &Group, modelled: &model::Group) -> bool {
        if self.stale {
            let places = group.blocks.places();
            for Breakable { bearing, places: own, .. } in &mut self.sheets {
                *own = bearing.cords.cords.iter().map(|cord| places[cord.constraint as usize]).collect();
            }
        }
        let (lambdas, sums) = (&*group.values.lambdas, &*group.values.sums);
        let mut changes = false;
        for Breakable { bearing, places, broken, lists, .. } in &mut self.sheets {
            let changed = AtomicBool::new(self.stale);
            // SAFETY: each thread has a share of the constraints.
            let (kept, broken_now) = unsafe { (Shared::new(&mut lists.kept), Shared::new(&mut *broken)) };
            let look = |member: &Member| {
                for index in member.share_by(places.len(), BLOCK) {
                    let place = places[index] as usize;
                    let is_broken = lambdas[place] > LEAST_BROKEN;
                    kept.write(index, if is_broken { 0.0 } else { sums[place] });
                    if broken_now.read(index) != is_broken {
                        broken_now.write(index, is_broken);
                        changed.store(true, Ordering::Relaxed);
                    }
                }
            };
            match places.len() < LARGE {
                true => drop(Team::new(1).run(look)),
                false => drop(team.run(look)),
            }
            if changed.into_inner() {
                bearing.open(&mut sheets[bearing.sheet].levels, modelled, broken);
                changes = true;
            }
        }
        self.stale = false;
        changes
    }

    /// At the end of a frame: makes the sums of multipliers what constraints bear.
    pub fn close(&mut self, team: &Team, around: Around) {
        let tasks: Vec<Task> = self.sheets.iter_mut().map(|sheet| sheet.task(around)).collect();
        team.run(|member| {
            let alone = Team::new(1);
            for (index, task) in tasks.iter().enumerate() {
                if task.places.len() >= LARGE {
                    task.bear(member);
                } else if index % team.threads() == member.index {
                    alone.run(|member| task.bear(member));
                }
            }
        });
    }

    /// Bytes of it.
    pub fn bytes(&self) -> usize {
        let of = |sheet: &Breakable| {
            let Breakable { slots, ends, places, broken, lists, .. } = sheet;
            let Lists { kept, shares, pulls, gradients, ways, forces, moves, squares, curvatures } = lists;
            let numbers = [kept, shares, gradients, ways].map(|list| size_of_val(&**list)).iter().sum::<usize>();
            let vectors = [pulls, forces, moves].map(|list| size_of_val(&**list)).iter().sum::<usize>();
            let words = size_of_val(&**slots) + size_of_val(&**places);
            let sums = size_of_val(&**squares) + size_of_val(&**curvatures);
            numbers + vectors + words + sums + size_of_val(&**ends) + broken.len() + sheet.bearing.bytes()
        };
        self.sheets.iter().map(of).sum()
    }
}

impl Breakable {
    fn task<'a>(&'a mut self, around: Around<'a>) -> Task<'a> {
        let Self { bearing, slots, ends, places, lists, .. } = self;
        let Lists { kept, shares, pulls, gradients, ways, forces, moves, squares, curvatures } = lists;
        // SAFETY: between two meetings each constraint, knot and block is written by one thread, whose share it is in,
        // and read by no other.
        unsafe {
            let [kept, shares, gradients, ways] = [kept, shares, gradients, ways].map(|list| Shared::new(list));
            let [pulls, forces, moves] = [pulls, forces, moves].map(|list| Shared::new(list));
            let [squares, curvatures] = [squares, curvatures].map(|list| Shared::new(list));
            Task {
                bearing,
                slots,
                ends,
                places,
                around,
                kept,
                shares,
                pulls,
                gradients,
                ways,
                forces,
                moves,
                squares,
                curvatures,
            }
        }
    }
}

impl Task<'_> {
    /// CGLS from what constraints bore in the frame before, as `Cords::tensions` in `measure/cords.rs` has it.
    fn bear(&self, member: &Member) {
        self.begin(member);
        member.meet();
        self.exert(member, 0.0, true);
        member.meet();
        self.smooth(member);
        self.stretch(member, (0.0, 0.0), true);
        member.meet();
        let (mut squared, mut turn) = (total(&self.squares), 0.0);
        for _ in 0..ITERATIONS {
            self.exert(member, turn, false);
            member.meet();
            self.smooth(member);
            let curvature = total(&self.curvatures);
            let step = if curvature > 0.0 { squared / curvature } else { 0.0 };
            self.stretch(member, (turn, step as f32), false);
            member.meet();
            let next = total(&self.squares);
            turn = if squared > 0.0 { (next / squared) as f32 } else { 0.0 };
            squared = next;
        }
        self.end(member);
    }

    /// Whether a constraint bears something.
    #[inline(always)]
    fn bears(&self, index: usize) -> bool {
        !self.bearing.away[index] && self.around.lambdas[self.places[index] as usize] <= LEAST_BROKEN
    }

    /// Where constraints point, what they bore, and what they did beside that.
    fn begin(&self, member: &Member) {
        let Around { x, e, sums, .. } = &self.around;
        for index in member.share_by(self.places.len(), BLOCK) {
            let root = self.bearing.cords.cords[index].root as f32;
            let [a, b] = self.ends[index].map(|end| self.slots[end as usize] as usize);
            let [right, up, near, _] = ((x[a] - x[b]) + (e[a] - e[b])).to_array();
            let length = (right * right + up * up + near * near).sqrt();
            let bears = self.bears(index);
            let scale = if bears && length > 0.0 { root / length } else { 0.0 };
            let kept = if bears { self.kept.read(index) } else { 0.0 };
            self.pulls.write(index, f32x4::new([right, up, near, 0.0]) * f32x4::splat(scale));
            self.gradients.write(index, (sums.read(self.places[index] as usize) - kept) / root);
            self.ways.write(index, 0.0);
            self.shares.write(index, kept / root);
        }
    }

    /// Forces on particles: of the constraints' ways from here on, at first of what they and levels did.
    fn exert(&self, member: &Member, turn: f32, opening: bool) {
        let (at, free) = (&self.bearing.cords.at, &self.bearing.cords.free);
        let (gradients, ways, pulls) = (self.gradients, self.ways, self.pulls);
        for particle in member.share_by(free.len(), BLOCK) {
            let mut force = sum(at.row(particle), |&entry| {
                let index = (entry / 2) as usize;
                let way = gradients.read(index) + turn * ways.read(index);
                (pulls.read(index) * f32x4::splat(way)) ^ SIGNS[(entry & 1) as usize]
            });
            if opening {
                force += self.by_levels(particle);
            }
            self.forces.write(particle, if free[particle] { force } else { f32x4::ZERO });
        }
    }

    /// What levels pulled a particle by, the sum over the frame.
    fn by_levels(&self, particle: usize) -> f32x4 {
        let slot = self.slots[particle] as usize;
        let [.., inverse_mass] = self.around.x[slot].to_array();
        let [right, up, near, _] = self.around.steps[slot].to_array();
        let mass = if inverse_mass > 0.0 { inverse_mass.recip() } else { 0.0 };
        f32x4::new([right, up, near, 0.0]) * f32x4::splat(mass)
    }

    /// M⁻¹ of the forces. Ends with a meeting.
    fn smooth(&self, member: &Member) {
        let firsts = &self.bearing.smoother.firsts;
        // Above the finest level there is too little for several threads.
        let (finest, end) = (firsts[1]..firsts[2], firsts[firsts.len() - 1]);
        let share = member.share(finest.len());
        for knot in share.clone() {
            self.gather(finest.start + knot);
        }
        member.meet();
        if member.index == 0 {
            for knot in finest.end..end {
                self.gather(knot);
            }
            for knot in (finest.end..end).rev() {
                self.settle(knot);
            }
        }
        member.meet();
        for knot in share {
            self.settle(finest.start + knot);
        }
        member.meet();
        let mine = member.share_by(firsts[1], BLOCK);
        for begin in mine.clone().step_by(BLOCK) {
            let mut sum = f32x4::ZERO;
            for particle in begin..mine.end.min(begin + BLOCK) {
                sum += self.settle(particle);
            }
            self.curvatures.write(begin / BLOCK, of_lanes(sum));
        }
        member.meet();
    }

    /// The force on a node.
    fn gather(&self, knot: usize) {
        let forces = self.forces;
        let row = self.bearing.smoother.below.row(knot);
        forces.write(knot, sum(row, |&(below, share)| forces.read(below as usize) * f32x4::splat(share)));
    }

    /// Where a knot goes by the force on it and by those above it: the products of force and way.
    #[inline(always)]
    fn settle(&self, knot: usize) -> f32x4 {
        let (force, softness) = (self.forces.read(knot), self.bearing.smoother.softness[knot] as f32);
        let mut way = f32x4::ZERO;
        if softness > 0.0 {
            let moves = self.moves;
            let row = self.bearing.smoother.above.row(knot);
            let above = sum(row, |&(above, share)| moves.read(above as usize) * f32x4::splat(share));
            way = force * f32x4::splat(softness) + above;
        }
        self.moves.write(knot, way);
        force * way
    }

    /// A step of the conjugate gradients, or at first the gradient, of constraints.
    fn stretch(&self, member: &Member, (turn, step): (f32, f32), opening: bool) {
        let (turn, step) = (f32x4::splat(turn), f32x4::splat(step));
        let mine = member.share_by(self.ends.len(), BLOCK);
        for begin in mine.clone().step_by(BLOCK) {
            let mut sum = f32x4::ZERO;
            for index in (begin..mine.end.min(begin + BLOCK)).step_by(4) {
                let products: [f32x4; 4] = from_fn(|lane| {
                    let [a, b] = self.ends[index + lane].map(|end| self.moves.read(end as usize));
                    self.pulls.read(index + lane) * (a - b)
                });
                let [x, y, z, _] = f32x4::transpose(products);
                let stretch = x + y + z;
                let mut gradient = stretch;
                if !opening {
                    let before = load(&self.gradients, index);
                    let way = before + turn * load(&self.ways, index);
                    store(&self.ways, index, way);
                    store(&self.shares, index, load(&self.shares, index) + step * way);
                    gradient = before - step * stretch;
                }
                store(&self.gradients, index, gradient);
                sum += gradient * gradient;
            }
            self.squares.write(begin / BLOCK, of_lanes(sum));
        }
    }

    fn end(&self, member: &Member) {
        for index in member.share_by(self.places.len(), BLOCK) {
            if self.bears(index) {
                let root = self.bearing.cords.cords[index].root as f32;
                self.around.sums.write(self.places[index] as usize, root * self.shares.read(index));
            }
        }
    }
}

/// Of all blocks, in order.
fn total(sums: &Shared<f64>) -> f64 {
    (0..sums.len()).map(|block| sums.read(block)).sum()
}

#[inline(always)]
fn of_lanes(sum: f32x4) -> f64 {
    let [x, y, z, w] = sum.to_array();
    f64::from(x) + f64::from(y) + f64::from(z) + f64::from(w)
}

/// Four of a list whose length is a multiple of four.
#[inline(always)]
fn load(list: &Shared<f32>, index: usize) -> f32x4 {
    f32x4::new(from_fn(|lane| list.read(index + lane)))
}

#[inline(always)]
fn store(list: &Shared<f32>, index: usize, values: f32x4) {
    let values = values.to_array();
    for (lane, value) in values.into_iter().enumerate() {
        list.write(index + lane, value);
    }
}
