//! The pairs that push, as many side by side as there are lanes: which they are, how they push, and the velocities with
//! which they part.

use wide::f32x4;

use crate::cpu::lanes::{InLanes, Lanes, MOST};
use crate::cpu::particles::four;
use crate::cpu::solve::Points;
use crate::law::contact::{Impulse, PairState, Skin, Touch, approach, meeting_normal, split};
use crate::law::impact::Impact;
use crate::math::Vec3;
use crate::model::FrictionCombine;
use crate::model::touch::PLACED_APART;
use crate::pass::pairs::cpu::{Own, Pressing, SubstepState, View};
use crate::step::records::Substep;

type Line = [f32; MOST];
type Lines = [Line; 3];

/// Pairs side by side, each from the side of its lower slot.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub struct Pushing {
    slot: [u32; MOST],
    partner: [u32; MOST],
    normal: Lines,
    distance: Line,
    /// C before the sweep, and the relative way.
    value: Line,
    slip: Lines,
    /// With what the two meet in this substep, times h, m; until that is known how far apart they are when it begins.
    approach: Line,
    /// 1 if it pushes, when all is over if it pressed, and 0.
    active: Line,
    impulse: Line,
    tangential: Lines,
    /// Sum of the inverse masses as they are split.
    weight: Line,
    /// What moves a particle of inverse mass 1, and at last what changes its velocity along the normal.
    push: Lines,
}

/// # Safety
/// A register must be there.
#[inline(always)]
unsafe fn load<L: Lanes>(line: &Line, at: usize) -> L {
    // SAFETY: the caller's.
    unsafe { L::load(line.as_ptr().add(at)) }
}

#[inline(always)]
unsafe fn load_three<L: Lanes>([x, y, z]: &Lines, at: usize) -> Vec3<L> {
    // SAFETY: the caller's.
    unsafe { Vec3 { x: load(x, at), y: load(y, at), z: load(z, at) } }
}

#[inline(always)]
unsafe fn store<L: Lanes>(value: L, line: &mut Line, at: usize) {
    // SAFETY: the caller's.
    unsafe { value.store(line.as_mut_ptr().add(at)) }
}

#[inline(always)]
unsafe fn store_three<L: Lanes>(v: Vec3<L>, [x, y, z]: &mut Lines, at: usize) {
    // SAFETY: the caller's.
    unsafe {
        store(v.x, x, at);
        store(v.y, y, at);
        store(v.z, z, at);
    }
}

/// The vectors where the mask is set, and zero elsewhere.
#[inline(always)]
fn only<L: Lanes>(mask: L::Mask, v: Vec3<L>) -> Vec3<L> {
    let zero = L::from_f64(0.0);
    Vec3 { x: L::select(mask, v.x, zero), y: L::select(mask, v.y, zero), z: L::select(mask, v.z, zero) }
}

#[inline(always)]
fn vector([x, y, z]: &Lines, lane: usize) -> Vec3<f32> {
    Vec3 { x: x[lane], y: y[lane], z: z[lane] }
}

impl Pushing {
    /// One of all pairs, if it pressed, from the side of its higher slot.
    pub fn pressing(all: &[Self], index: usize) -> Option<Pressing> {
        let (block, lane) = (&all[index / MOST], index % MOST);
        let double = |v: Vec3<f32>| [v.x, v.y, v.z].map(|value| -f64::from(value));
        (block.active[lane] > 0.0).then(|| Pressing {
            slots: [block.partner[lane], block.slot[lane]].map(|slot| slot as usize),
            normal: double(vector(&block.normal, lane)),
            multipliers: (f64::from(block.impulse[lane]), double(vector(&block.tangential, lane))),
        })
    }
}

/// Half of a sweep: what pushes, and then, once all threads know, how.
pub struct Solve<'a> {
    pub view: &'a View<'a>,
    pub state: &'a SubstepState<'a>,
    pub opening: bool,
    pub solving: bool,
    pub own: &'a mut Own,
}

impl InLanes for Solve<'_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        if self.solving {
            self.push::<L>();
            self.sum();
        } else {
            if self.opening {
                self.open::<L>();
            } else {
                self.measure::<L>();
            }
            self.split();
        }
    }
}

impl Solve<'_> {
    /// Start and way of pairs, relative.
    ///
    /// # Safety
    /// There must be as many slots as lanes.
    #[inline(always)]
    unsafe fn relative<L: Lanes>(&self, slots: *const u32, partners: *const u32) -> [Vec3<L>; 2] {
        let Points { x, d, e } = &self.state.points;
        // SAFETY: the caller's; no thread writes these lists meanwhile.
        let (mut start, x, mut way, d, e, f) = unsafe {
            (
                L::gather(x.pointer(), slots),
                L::gather(x.pointer(), partners),
                L::gather(d.pointer(), slots),
                L::gather(d.pointer(), partners),
                L::gather(e.pointer(), slots),
                L::gather(e.pointer(), partners),
            )
        };
        for k in 0..4 {
            start[k] = (start[k] - x[k]) + (e[k] - f[k]);
            way[k] = (way[k] - e[k]) - (d[k] - f[k]);
        }
        let [[a, b, c, _], [d, e, f, _]] = [L::transposed(start), L::transposed(way)];
        [Vec3 { x: a, y: b, z: c }, Vec3 { x: d, y: e, z: f }]
    }

    /// In a substep's first sweep: the pairs, or with one sweep only those that push.
    #[inline(always)]
    fn open<L: Lanes>(&mut self) {
        let count = self.own.pairs.len();
        self.own.pairs.resize(count + MOST, [0; 2]);
        self.own.count = 0;
        let (zero, minus_one) = (L::from_f64(0.0), L::from_f64(-1.0));
        for at in (0..count).step_by(L::COUNT) {
            let (mut slots, mut partners, mut distance) = ([0; MOST], [0; MOST], [0.0; MOST]);
            for (lane, &[slot, partner]) in self.own.pairs[at..at + L::COUNT].iter().enumerate() {
                (slots[lane], partners[lane]) = (slot, partner);
                distance[lane] = self.view.radii[slot as usize] + self.view.radii[partner as usize];
            }
            // SAFETY: these are slots.
            let [start, ways] = unsafe { self.relative::<L>(slots.as_ptr(), partners.as_ptr()) };
            let mut reach = L::from_array(&distance);
            if self.view.are_mixed {
                // SAFETY: as before.
                reach = unsafe { self.view.as_placed(reach, slots.as_ptr(), partners.as_ptr()) };
                distance = reach.to_array();
            }
            let normal = meeting_normal(start, ways, reach, minus_one);
            let value = normal.dot(start + ways) - reach;
            let mut kept = first_lanes(count - at);
            if !self.state.iterated {
                kept &= zero.exceeding(value);
            }
            let n = [normal.x.to_array(), normal.y.to_array(), normal.z.to_array()];
            let slip = [ways.x.to_array(), ways.y.to_array(), ways.z.to_array()];
            let (value, apart) = (value.to_array(), start.length().to_array());
            while kept != 0 {
                let lane = kept.trailing_zeros() as usize;
                kept &= kept - 1;
                let (slot, partner) = (slots[lane], partners[lane]);
                if !self.is_free(slot) && !self.is_free(partner) {
                    continue;
                }
                let (index, to) = (self.own.count / MOST, self.own.count % MOST);
                if index == self.own.pushing.len() {
                    self.own.pushing.push(Pushing::default());
                }
                let block = &mut self.own.pushing[index];
                (block.slot[to], block.partner[to]) = (slot, partner);
                for k in 0..3 {
                    (block.normal[k][to], block.slip[k][to]) = (n[k][lane], slip[k][lane]);
                    block.tangential[k][to] = 0.0;
                }
                (block.distance[to], block.value[to], block.approach[to]) = (distance[lane], value[lane], apart[lane]);
                block.impulse[to] = 0.0;
                self.own.count += 1;
            }
        }
    }

    #[inline(always)]
    fn is_free(&self, slot: u32) -> bool {
        self.state.points.x.look(slot as usize).as_array()[3] > 0.0
    }

    /// In the sweeps after the first: what has become of C.
    #[inline(always)]
    fn measure<L: Lanes>(&mut self) {
        for at in (0..self.own.count).step_by(L::COUNT) {
            let (index, at) = (at / MOST, at % MOST);
            let block = &self.own.pushing[index];
            // SAFETY: there are whole registers of a block, and what is in it are slots.
            unsafe {
                let [start, ways] = self.relative::<L>(block.slot.as_ptr().add(at), block.partner.as_ptr().add(at));
                let value = load_three::<L>(&block.normal, at).dot(start + ways) - load(&block.distance, at);
                let block = &mut self.own.pushing[index];
                store(value, &mut block.value, at);
                store_three(ways, &mut block.slip, at);
            }
        }
    }

    /// Which pairs push, and by how many of them each mass is split.
    #[inline(always)]
    fn split(&mut self) {
        self.own.begin_sums();
        for index in 0..self.own.count {
            let (block, lane) = (&mut self.own.pushing[index / MOST], index % MOST);
            let active = block.value[lane] < 0.0 || block.impulse[lane] > 0.0;
            block.active[lane] = if active { 1.0 } else { 0.0 };
            for slot in [block.slot[lane], block.partner[lane]] {
                if let Some(index) = self.own.has(slot) {
                    self.own.counts[index] += u32::from(active);
                }
            }
        }
        let points = &self.state.points;
        for (slot, &count) in self.own.slots.clone().zip(&self.own.counts).filter(|(_, count)| **count > 0) {
            self.view.splits.write(slot, split(points.x.read(slot).to_array()[3], count));
        }
    }

    #[inline(always)]
    fn push<L: Lanes>(&mut self) {
        let substep = self.state.substep;
        let (zero, rule) = (L::from_f64(0.0), substep.friction_combine());
        let softening = L::splat(substep.inverse_seconds_squared);
        for at in (0..self.own.count).step_by(L::COUNT) {
            let (block, at) = (&mut self.own.pushing[at / MOST], at % MOST);
            let mut weight = [0.0; MOST];
            for (lane, weight) in weight.iter_mut().enumerate().take(L::COUNT) {
                let (slot, partner) = (block.slot[at + lane] as usize, block.partner[at + lane] as usize);
                *weight = self.view.splits.read(slot) + self.view.splits.read(partner);
            }
            let weight = L::from_array(&weight);
            let touch = self.view.touch::<L>(rule, block, at);
            // SAFETY: there are whole registers of a block.
            unsafe {
                let normal = load_three::<L>(&block.normal, at);
                if self.opening {
                    let now = self.view.parting_now::<L>(self.state, block, at, normal);
                    let met = approach(load(&block.approach, at), load(&block.distance, at), now);
                    store(met, &mut block.approach, at);
                }
                let before =
                    Impulse { normal: load(&block.impulse, at), tangential: load_three(&block.tangential, at) };
                let now = PairState {
                    normal,
                    value: load(&block.value, at),
                    slip: load_three(&block.slip, at),
                    weight,
                    softness: touch.compliance * softening,
                };
                let impact = impact_of(self.state.substep, load(&block.approach, at), &touch);
                let after = before.solved(&touch, &impact, &now);
                let push = normal * (after.normal - before.normal) + (after.tangential - before.tangential);
                let active = load::<L>(&block.active, at).greater(zero);
                store_three(only(active, push), &mut block.push, at);
                store_three(only(active, after.tangential), &mut block.tangential, at);
                store(L::select(active, after.normal, zero), &mut block.impulse, at);
                store(weight, &mut block.weight, at);
            }
        }
    }

    /// Moves the particles by the sums over their pairs.
    #[inline(always)]
    fn sum(&mut self) {
        let points = &self.state.points;
        for index in 0..self.own.count {
            let (block, lane) = (&self.own.pushing[index / MOST], index % MOST);
            let push = four(vector(&block.push, lane));
            for (slot, push) in [(block.slot[lane], push), (block.partner[lane], -push)] {
                if let Some(index) = self.own.has(slot) {
                    self.own.sums[index] += push;
                }
            }
        }
        let sums = self.own.sums.iter().zip(&self.own.counts);
        for (slot, (&sum, _)) in self.own.slots.clone().zip(sums).filter(|(_, (_, count))| **count > 0) {
            let w = points.x.read(slot).to_array()[3];
            if w > 0.0 {
                points.d.write(slot, points.d.read(slot) + sum * f32x4::splat(w));
            }
        }
    }
}

impl View<'_> {
    #[inline(always)]
    fn touch<L: Lanes>(&self, rule: FrictionCombine, block: &Pushing, at: usize) -> Touch<L> {
        let mut touch = [[0.0; MOST]; 4];
        let lanes = if self.alike { 1 } else { L::COUNT };
        let ends = block.slot[at..at + lanes].iter().zip(&block.partner[at..at + lanes]);
        for (lane, (&slot, &partner)) in ends.enumerate() {
            let Touch { compliance, friction, dynamic_friction, restitution } =
                Touch::mixed(rule, self.skin_of(slot), self.skin_of(partner));
            for (line, number) in touch.iter_mut().zip([compliance, friction, dynamic_friction, restitution]) {
                line[lane] = number;
            }
        }
        let [a, b, c, d] = &touch;
        let [compliance, friction, dynamic_friction, restitution] = match self.alike {
            true => [L::splat(a[0]), L::splat(b[0]), L::splat(c[0]), L::splat(d[0])],
            false => [L::from_array(a), L::from_array(b), L::from_array(c), L::from_array(d)],
        };
        Touch { compliance, friction, dynamic_friction, restitution }
    }

    /// The distances at which pairs touch, by the sums of their radii: kin that were placed closer are none
    /// (model/touch.rs).
    ///
    /// # Safety
    /// There must be as many slots as lanes.
    #[inline(always)]
    unsafe fn as_placed<L: Lanes>(&self, sums: L, slots: *const u32, partners: *const u32) -> L {
        // SAFETY: the caller's.
        let (mut one, other) =
            unsafe { (L::gather(self.placed.as_ptr(), slots), L::gather(self.placed.as_ptr(), partners)) };
        for k in 0..4 {
            one[k] = one[k] - other[k];
        }
        let [x, y, z, _] = L::transposed(one);
        let placed = Vec3 { x, y, z }.length() / L::from_f64(PLACED_APART);
        L::select(sums.greater(placed), placed, sums)
    }

    #[inline(always)]
    fn skin_of(&self, slot: u32) -> &Skin<f32> {
        &self.touches[self.bodies[slot as usize] as usize].2
    }

    /// h times the relative normal velocity as it is.
    ///
    /// # Safety
    /// A register must be there.
    #[inline(always)]
    unsafe fn parting_now<L: Lanes>(&self, state: &SubstepState, block: &Pushing, at: usize, normal: Vec3<L>) -> L {
        let of = state.u.pointer().cast_const();
        // SAFETY: the caller's; no thread writes velocities meanwhile.
        let (mut u, v) =
            unsafe { (L::gather(of, block.slot.as_ptr().add(at)), L::gather(of, block.partner.as_ptr().add(at))) };
        for k in 0..4 {
            u[k] = u[k] - v[k];
        }
        let [x, y, z, _] = L::transposed(u);
        normal.dot(Vec3 { x, y, z })
    }
}

#[inline(always)]
fn impact_of<L: Lanes>(substep: &Substep, approach: L, touch: &Touch<L>) -> Impact<L> {
    Impact::of_two(approach, touch.restitution, L::splat(substep.calm_way()), L::splat(substep.share))
}

/// Finds the velocities with which what pressed parts, and what it pressed with in all.
pub struct Rebound<'a> {
    pub view: &'a View<'a>,
    pub state: &'a SubstepState<'a>,
    pub last: bool,
    pub own: &'a mut Own,
}

impl InLanes for Rebound<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view, state, last, own } = self;
        let rule = state.substep.friction_combine();
        let zero = L::from_f64(0.0);
        for at in (0..own.count).step_by(L::COUNT) {
            let (block, at) = (&mut own.pushing[at / MOST], at % MOST);
            // SAFETY: there are whole registers of a block.
            unsafe {
                let now = view.parting_now::<L>(state, block, at, load_three(&block.normal, at));
                let (weight, touch) = (load::<L>(&block.weight, at), view.touch::<L>(rule, block, at));
                let impact = impact_of(state.substep, load(&block.approach, at), &touch);
                let impulse =
                    Impulse { normal: load::<L>(&block.impulse, at), tangential: load_three(&block.tangential, at) };
                let presses = impulse.normal.greater(zero);
                let change = impact.change(impulse.normal * weight, now);
                store(change / weight, &mut block.push[0], at);
                store(L::select(presses, L::from_f64(1.0), zero), &mut block.active, at);
                let told = impulse.told(&impact, weight, now);
                store(L::select(presses, told.normal, zero), &mut block.impulse, at);
                store_three(only(presses, told.tangential), &mut block.tangential, at);
            }
        }
        let (calm, fall) = (state.substep.calm_way(), four(state.substep.fall()));
        own.begin_sums();
        let mut pressing = 0;
        for index in 0..own.count {
            let (block, lane) = (&own.pushing[index / MOST], index % MOST);
            if block.active[lane] > 0.0 {
                let (n, push) = (four(vector(&block.normal, lane)), block.push[0][lane]);
                let impact = block.approach[lane] < -calm;
                for (slot, n) in [(block.slot[lane], n), (block.partner[lane], -n)] {
                    let Some(index) = own.has(slot) else { continue };
                    let slot = slot as usize;
                    let w = state.points.x.read(slot).to_array()[3];
                    if w > 0.0 {
                        if own.counts[index] == 0 {
                            (own.counts[index], own.sums[index]) = (1, state.u.read(slot));
                        }
                        own.sums[index] += n * f32x4::splat(w * push);
                        if let Some(past) = &state.past {
                            past.forget(slot, n, impact, fall);
                        }
                    }
                }
                // Each pair once.
                pressing += u32::from(last && own.has(block.slot[lane]).is_some());
            }
        }
        if last {
            state.signs.contacts.fetch_add(pressing, std::sync::atomic::Ordering::Relaxed);
        }
    }
}

/// A bit for each of the first lanes of a register, no more than there are.
#[inline(always)]
fn first_lanes(count: usize) -> u32 {
    (1 << count.min(MOST)) - 1
}
