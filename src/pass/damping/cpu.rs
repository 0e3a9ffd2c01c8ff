//! Damping that keeps rigid motion: what `shaders/damping/` does, and there is why; the sums in double precision.

use std::array::from_fn;
use std::ops::Range;

use wide::f32x4;

use crate::cpu::frame::Frame;
use crate::cpu::pass::{Pass, PassView};
use crate::cpu::shared::Shared;
use crate::cpu::single::{double, single};
use crate::cpu::solve::Points;
use crate::cpu::team::Member;
use crate::law::rigid::angular_velocity;
use crate::math::Vec3;
use crate::model::Body;
use crate::step::Hooks;

/// Share of the sums about a reference that may be rounding of what is left about the centre.
const ROUNDING: f64 = 1e-12;

/// Particles that are summed one after the other: the sums of so many do not depend on the number of threads.
const CHUNK: usize = 1024;

/// What is damped.
pub struct Damping {
    lists: DampedLists,
    /// Of each chunk, and of each body with the way of its reference.
    sums: Vec<Sums>,
    motions: Vec<(Motion, f32x4)>,
}

/// The particles of damped bodies.
struct DampedLists {
    bodies: Vec<Damped>,
    chunks: Vec<Chunk>,
    slots: Vec<u32>,
}

/// [`Damping`] in a frame.
struct View<'a> {
    lists: &'a DampedLists,
    sums: Shared<'a, Sums>,
    motions: Shared<'a, (Motion, f32x4)>,
}

struct Damped {
    chunks: Range<usize>,
    /// Slot of the particle to which places and ways are relative.
    reference: usize,
    /// 1 - e^(-k h)
    share: f64,
}

/// Some of a body's particles.
struct Chunk {
    slots: Range<usize>,
    body: usize,
}

/// Of masses m with places r and ways v: Σ m, Σ m r, Σ m v, Σ m r × v, Σ m r rᵀ.
#[derive(Clone, Copy)]
pub struct Sums {
    mass: f64,
    moment: Vec3<f64>,
    momentum: Vec3<f64>,
    spin: Vec3<f64>,
    squares: [Vec3<f64>; 3],
}

impl Default for Sums {
    fn default() -> Self {
        let zero = Vec3::zero();
        Self { mass: 0.0, moment: zero, momentum: zero, spin: zero, squares: [zero; 3] }
    }
}

/// A rigid motion: v_c + ω × r, both times h.
#[derive(Clone, Copy)]
pub struct Motion {
    way: Vec3<f64>,
    turn: Vec3<f64>,
}

impl Default for Motion {
    fn default() -> Self {
        Self { way: Vec3::zero(), turn: Vec3::zero() }
    }
}

impl Damping {
    /// `None` where nothing is damped. `h` is the length of a substep, s. Sums are made in the plan's order, `planned`,
    /// wherever the engine keeps the particles.
    pub fn new(bodies: &[Body], slot_of: &[u32], planned: &[u32], h: f64) -> Option<Self> {
        let lists = DampedLists::new(bodies, slot_of, planned, h);
        let sums = vec![Sums::default(); lists.chunks.len()];
        let motions = vec![(Motion::default(), f32x4::ZERO); lists.bodies.len()];
        (!lists.bodies.is_empty()).then_some(Self { lists, sums, motions })
    }
}

impl Pass for Damping {
    fn hooks(&self) -> Hooks {
        Hooks { correct_velocities: true, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        let Self { lists, sums, motions } = self;
        // SAFETY: the caller's.
        Box::new(unsafe { View { lists, sums: Shared::new(sums), motions: Shared::new(motions) } })
    }

    fn bytes(&self) -> usize {
        let Self { lists: DampedLists { bodies, chunks, slots }, sums, motions } = self;
        let lists = size_of_val(&**bodies) + size_of_val(&**chunks) + size_of_val(&**slots);
        lists + size_of_val(&**sums) + size_of_val(&**motions)
    }
}

impl PassView for View<'_> {
    fn correct_velocities(&self, member: &Member, frame: &Frame, _substep: usize, _last: bool) {
        let Self { lists, sums, motions } = self;
        for chunk in member.share_by(lists.chunks.len(), 1) {
            sums.write(chunk, lists.sums(chunk, &frame.points, &frame.u));
        }
        member.meet();
        for body in member.share_by(lists.bodies.len(), 1) {
            let base = frame.u.read(lists.bodies[body].reference);
            motions.write(body, (lists.motion(body, sums), base));
        }
        member.meet();
        for chunk in member.share_by(lists.chunks.len(), 1) {
            lists.apply(chunk, &frame.points, &frame.u, motions);
        }
        member.meet();
    }
}

impl DampedLists {
    /// One particle has no motion but translation.
    fn new(bodies: &[Body], slot_of: &[u32], planned: &[u32], h: f64) -> Self {
        let mut damping = Self { bodies: Vec::new(), chunks: Vec::new(), slots: Vec::new() };
        for body in bodies.iter().filter(|body| body.damping > 0.0 && body.particles.len() > 1) {
            let particles = &slot_of[body.particles.start as usize..body.particles.end as usize];
            let (first, begin) = (damping.chunks.len(), damping.slots.len());
            let mut in_order: Vec<u32> = body.particles.clone().collect();
            in_order.sort_unstable_by_key(|&particle| planned[particle as usize]);
            damping.slots.extend(in_order.iter().map(|&particle| slot_of[particle as usize]));
            let (end, index) = (damping.slots.len(), damping.bodies.len());
            let chunk = |from: usize| Chunk { slots: from..end.min(from + CHUNK), body: index };
            damping.chunks.extend((begin..end).step_by(CHUNK).map(chunk));
            damping.bodies.push(Damped {
                chunks: first..damping.chunks.len(),
                reference: particles[particles.len() / 2] as usize,
                share: -(-body.damping * h).exp_m1(),
            });
        }
        damping
    }

    /// The sums of a chunk.
    fn sums(&self, chunk: usize, points: &Points, u: &Shared<f32x4>) -> Sums {
        let Chunk { slots, body } = &self.chunks[chunk];
        let reference = self.bodies[*body].reference;
        let mut sums = Sums::default();
        for &slot in &self.slots[slots.clone()] {
            let w = f64::from(points.x.read(slot as usize).to_array()[3]);
            if w > 0.0 {
                let m = 1.0 / w;
                let r = place(points, slot as usize, reference);
                let v = double(u.read(slot as usize)) - double(u.read(reference));
                sums.mass += m;
                sums.moment += r * m;
                sums.momentum += v * m;
                sums.spin += r.cross(v) * m;
                for (square, along) in sums.squares.iter_mut().zip([r.x, r.y, r.z]) {
                    *square += r * (along * m);
                }
            }
        }
        sums
    }

    /// A body's rigid motion, relative to its reference, from the sums of its chunks.
    fn motion(&self, body: usize, sums: &Shared<Sums>) -> Motion {
        let mut all = Sums::default();
        for sums in self.bodies[body].chunks.clone().map(|chunk| sums.read(chunk)) {
            all.mass += sums.mass;
            all.moment += sums.moment;
            all.momentum += sums.momentum;
            all.spin += sums.spin;
            (0..3).for_each(|i| all.squares[i] += sums.squares[i]);
        }
        // Nothing moves where all particles are fixed.
        if all.mass == 0.0 {
            return Motion::default();
        }
        let centre = all.moment * (1.0 / all.mass);
        // From the reference to the centre by the parallel-axis theorem.
        let along: [f64; 3] = all.moment.into();
        let squares: [Vec3<f64>; 3] = from_fn(|i| all.squares[i] - centre * along[i]);
        let trace = squares[0].x + squares[1].y + squares[2].z;
        let inertia = from_fn(|i| Vec3::axis(i) * trace - squares[i]);
        let rounding = ROUNDING * (all.squares[0].x + all.squares[1].y + all.squares[2].z);
        let turn = angular_velocity(inertia, all.spin - centre.cross(all.momentum), rounding);
        Motion { way: all.momentum * (1.0 / all.mass) - turn.cross(centre), turn }
    }

    /// Brings the particles of a chunk nearer to their body's motion. `base` is the way of each body's reference
    /// before.
    fn apply(&self, chunk: usize, points: &Points, u: &Shared<f32x4>, motions: &Shared<(Motion, f32x4)>) {
        let Chunk { slots, body } = &self.chunks[chunk];
        let Damped { reference, share, .. } = self.bodies[*body];
        let (Motion { way, turn }, base) = motions.read(*body);
        for &slot in &self.slots[slots.clone()] {
            if points.x.read(slot as usize).to_array()[3] > 0.0 {
                let mine = u.read(slot as usize);
                let rigid = way + turn.cross(place(points, slot as usize, reference));
                let lost = rigid - (double(mine) - double(base));
                u.write(slot as usize, mine + single(lost * share));
            }
        }
    }
}

/// Place of a particle relative to another.
fn place(points: &Points, slot: usize, reference: usize) -> Vec3<f64> {
    let at = |slot: usize| double(points.x.read(slot)) + double(points.e.read(slot));
    at(slot) - at(reference)
}
