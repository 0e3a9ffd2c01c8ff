//! The air: what `shaders/air/accelerate.wgsl` does, and there is why. There each particle asks all its triangles and
//! segments, here each of these is asked once, several side by side, and a particle adds up what they tell in the same
//! order.

use std::f32::consts::PI;
use std::ops::Range;

use wide::f32x4;

use crate::cpu::frame::Frame;
use crate::cpu::lanes::{InLanes, Instructions, Lanes, MOST, Numbers};
use crate::cpu::particles::{four, three, with_fourth};
use crate::cpu::pass::{Pass, PassView};
use crate::cpu::shared::Shared;
use crate::cpu::team::Member;
use crate::math::{Real, Vec3};
use crate::model::{Body, Model};
use crate::pass::colliders::cpu::detect::IN_ORDER;
use crate::step::records::{Foil, Properties, Substep};
use crate::step::{Hooks, fans};
use crate::step::{air_is_felt, foils};

/// What the air acts on.
pub struct Air {
    /// How each body meets it.
    pub foils: Vec<Foil>,
    pub plates: Plates,
    pub cylinders: Cylinders,
    /// For each slot where its triangles and segments begin in this very list, and where they end; then these by their
    /// places among the pushes.
    pub fans: Vec<u32>,
    /// What each vertex of a triangle, and then each end of a segment, has of its force, N, and of the bound on how
    /// fast that stops a mass of 1 kg, 1/s.
    pub pushes: Vec<f32x4>,
}

/// The triangles that the air acts on, the last one again until there are whole registers.
#[derive(Default)]
pub struct Plates {
    /// Slots of the first corners, the second and the third ones.
    corners: [Vec<u32>; 3],
    drag: Numbers,
    lift: Numbers,
}

impl Plates {
    fn push(&mut self, corners: [u32; 3], foil: &Foil) {
        self.corners.iter_mut().zip(corners).for_each(|(list, slot)| list.push(slot));
        self.drag.push(foil.drag);
        self.lift.push(foil.lift);
    }

    pub fn len(&self) -> usize {
        self.corners[0].len()
    }

    pub fn bytes(&self) -> usize {
        self.corners.iter().map(|list| size_of_val(&**list)).sum::<usize>()
            + size_of_val(&*self.drag)
            + size_of_val(&*self.lift)
    }
}

/// The segments that the air acts on, the last one again until there are whole registers.
#[derive(Default)]
pub struct Cylinders {
    /// Slots of the first ends, and the second ones.
    ends: [Vec<u32>; 2],
    /// Thickness times coefficient of drag, m.
    width: Numbers,
}

impl Cylinders {
    fn push(&mut self, ends: [u32; 2], width: f32) {
        self.ends.iter_mut().zip(ends).for_each(|(list, slot)| list.push(slot));
        self.width.push(width);
    }

    pub fn len(&self) -> usize {
        self.ends[0].len()
    }

    pub fn bytes(&self) -> usize {
        self.ends.iter().map(|list| size_of_val(&**list)).sum::<usize>() + size_of_val(&*self.width)
    }

    /// Those of these segments, each with the index of its body.
    fn new(segments: &[(usize, [u32; 2])], foils: &[Foil]) -> Self {
        let mut cylinders = Self::default();
        let width = |body: usize| 2.0 * foils[body].radius * foils[body].drag;
        segments.iter().for_each(|&(body, ends)| cylinders.push(ends, width(body)));
        if let Some(&(_, last)) = segments.last() {
            (segments.len()..segments.len().next_multiple_of(MOST)).for_each(|_| cylinders.push(last, 0.0));
        }
        cylinders
    }
}

impl Air {
    /// `None` where it acts on nothing.
    pub fn new(model: &Model, slot_of: &[u32]) -> Option<Self> {
        if !air_is_felt(model) {
            return None;
        }
        let foils = foils(model);
        let slots = |triangle: [u32; 3]| triangle.map(|particle| slot_of[particle as usize]);
        // Of what can be torn, too: no air gets inside a solid.
        let felt = |(body, _): &(&Body, &Foil)| body.drag > 0.0 || body.lift > 0.0;
        let bodies = || model.bodies.iter().zip(&foils).filter(felt);
        let triangles: Vec<[u32; 3]> =
            bodies().flat_map(|(body, _)| &body.triangles).map(|&corners| slots(corners)).collect();
        let mut plates = Plates::default();
        let foil_of = bodies().flat_map(|(body, foil)| std::iter::repeat_n(foil, body.triangles.len()));
        triangles.iter().zip(foil_of).for_each(|(&corners, foil)| plates.push(corners, foil));
        if let Some(&last) = triangles.last() {
            let none = Foil { drag: 0.0, lift: 0.0, radius: 0.0 };
            (plates.len()..plates.len().next_multiple_of(MOST)).for_each(|_| plates.push(last, &none));
        }
        let slots = |ends: [u32; 2]| ends.map(|particle| slot_of[particle as usize]);
        let segments: Vec<(usize, [u32; 2])> = model.cylinders().map(|(body, ends)| (body, slots(ends))).collect();
        let cylinders = Cylinders::new(&segments, &foils);
        let of_plates = (0..).zip(triangles.iter().map(|corners| &corners[..]));
        let of_cylinders = (plates.len() as u32..).zip(segments.iter().map(|(_, ends)| &ends[..]));
        let fans = fans(of_plates.chain(of_cylinders), model.particles.len());
        let pushes = vec![f32x4::ZERO; plates.len() + cylinders.len()];
        Some(Self { foils, plates, cylinders, fans, pushes })
    }
}

impl Pass for Air {
    fn hooks(&self) -> Hooks {
        Hooks { accelerate: true, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        let Air { foils, plates, cylinders, fans, pushes } = self;
        // SAFETY: the caller's.
        let pushes = unsafe { Shared::new(pushes) };
        let (properties, x, u) = (frame.properties, frame.points.x, frame.free_ways());
        Box::new(Wind { foils, plates, cylinders, fans, pushes, properties, x, u })
    }

    fn follow_tear(&mut self, model: &Model, slot_of: &[u32], _spares: Range<u32>, _taken: u32) {
        *self = Self::new(model, slot_of).unwrap_or_else(|| unreachable!("a tear changes no drag"));
    }

    fn bytes(&self) -> usize {
        let Self { foils, plates, cylinders, fans, pushes } = self;
        size_of_val(&**foils) + plates.bytes() + cylinders.bytes() + size_of_val(&**fans) + size_of_val(&**pushes)
    }
}

impl PassView for Wind<'_> {
    fn accelerate(&self, member: &Member, frame: &Frame, substep: usize) {
        self.blow(frame.substep(substep), member.share_by(self.blocks(), 1), frame.instructions);
        member.meet();
    }

    fn change(&self, frame: &Frame, substep: usize, slot: usize) -> f32x4 {
        self.way(frame.substep(substep), slot)
    }
}

/// What the air reads in a substep.
pub struct Wind<'a> {
    pub foils: &'a [Foil],
    pub plates: &'a Plates,
    pub cylinders: &'a Cylinders,
    pub fans: &'a [u32],
    pub pushes: Shared<'a, f32x4>,
    pub properties: &'a [Properties],
    pub x: Shared<'a, f32x4>,
    pub u: Shared<'a, f32x4>,
}

impl Wind<'_> {
    /// How many [`MOST`] of triangles and of segments there are.
    pub fn blocks(&self) -> usize {
        (self.plates.len() + self.cylinders.len()) / MOST
    }

    /// What pushes some blocks of triangles and of segments, which come behind them.
    pub fn blow(&self, substep: &Substep, blocks: Range<usize>, instructions: Instructions) {
        let (begin, end, plates) = (blocks.start * MOST, blocks.end * MOST, self.plates.len());
        let triangles = begin.min(plates)..end.min(plates);
        let segments = begin.max(plates) - plates..end.max(plates) - plates;
        instructions.run(Blow { wind: self, substep, triangles, segments });
    }

    /// What the air changes the way of a particle by, m, once it is known what pushes its triangles and segments.
    pub fn way(&self, substep: &Substep, slot: usize) -> f32x4 {
        let (from, to) = (self.fans[2 * slot] as usize, self.fans[2 * slot + 1] as usize);
        let elements = self.fans[from..to].iter();
        let mut sum = elements.fold(f32x4::ZERO, |sum, &element| sum + self.pushes.read(element as usize));
        if from == to {
            let foil = &self.foils[self.properties[slot].body as usize];
            let v = three(self.u.read(slot)) * substep.inverse_seconds - wind_of(substep);
            let resistance = 0.5 * substep.air_density * PI * foil.radius * foil.radius * foil.drag * v.length();
            sum = with_fourth(four(v * -resistance), resistance);
        }
        // Explicit steps overshoot where the air stops a particle within a substep: no further than to its own speed.
        let w = self.x.read(slot).to_array()[3];
        let rate = w * sum.to_array()[3] * substep.implicit_seconds;
        let share = if rate > 1.0 { 1.0 / rate } else { 1.0 };
        four(three(sum) * (share * w * substep.implicit_seconds * substep.implicit_seconds))
    }
}

fn wind_of(substep: &Substep) -> Vec3<f32> {
    let [x, y, z] = substep.wind;
    Vec3 { x, y, z }
}

/// See [`Wind::blow`].
struct Blow<'a, 'b> {
    wind: &'b Wind<'a>,
    substep: &'b Substep,
    triangles: Range<usize>,
    segments: Range<usize>,
}

impl Blow<'_, '_> {
    #[inline(always)]
    fn wind<L: Lanes>(&self) -> Vec3<L> {
        let [x, y, z] = self.substep.wind.map(L::splat);
        Vec3 { x, y, z }
    }

    #[inline(always)]
    fn plates<L: Lanes>(&self) {
        let Self { wind, substep, .. } = self;
        let Wind { plates, pushes, x, u, .. } = wind;
        let (blown, third) = (self.wind::<L>(), L::splat(1.0 / 3.0));
        let per_way = L::splat(substep.inverse_seconds / 3.0);
        let [a, b, c] = &plates.corners;
        for first in self.triangles.clone().step_by(L::COUNT) {
            let [a, b, c] = [a, b, c].map(|corners| &corners[first..first + L::COUNT]);
            let v = (vectors::<L>(u, a) + vectors(u, b) + vectors(u, c)) * per_way - blown;
            let from = vectors::<L>(x, a);
            let twice_area = (vectors(x, b) - from).cross(vectors(x, c) - from);
            // SAFETY: there are as many of both as of corners.
            let (drag, lift) =
                unsafe { (L::load(plates.drag.pointer().add(first)), L::load(plates.lift.pointer().add(first))) };
            let (force, resistance) = plate(L::splat(substep.air_density), v, twice_area, drag, lift);
            let force = force * third;
            let push = L::transposed([force.x, force.y, force.z, resistance * third]);
            // SAFETY: there are as many pushes as triangles and segments, and these are this thread's.
            unsafe { L::scatter(push, pushes.pointer().add(first), IN_ORDER.as_ptr()) };
        }
    }

    #[inline(always)]
    fn cylinders<L: Lanes>(&self) {
        let Self { wind, substep, .. } = self;
        let Wind { plates, cylinders, pushes, x, u, .. } = wind;
        let (blown, half) = (self.wind::<L>(), L::splat(0.5));
        let per_way = L::splat(0.5 * substep.inverse_seconds);
        let [a, b] = &cylinders.ends;
        for first in self.segments.clone().step_by(L::COUNT) {
            let [a, b] = [a, b].map(|ends| &ends[first..first + L::COUNT]);
            let v = (vectors::<L>(u, a) + vectors(u, b)) * per_way - blown;
            let along = vectors::<L>(x, b) - vectors(x, a);
            // SAFETY: there are as many as segments.
            let width = unsafe { L::load(cylinders.width.pointer().add(first)) };
            let (force, resistance) = cylinder(L::splat(substep.air_density), v, along, width);
            let force = force * half;
            let push = L::transposed([force.x, force.y, force.z, resistance * half]);
            // SAFETY: as those of triangles, behind which these are.
            unsafe { L::scatter(push, pushes.pointer().add(plates.len() + first), IN_ORDER.as_ptr()) };
        }
    }
}

impl InLanes for Blow<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.plates::<L>();
        self.cylinders::<L>();
    }
}

/// Those of some slots, as many as lanes.
#[inline(always)]
fn vectors<L: Lanes>(list: &Shared<f32x4>, slots: &[u32]) -> Vec3<L> {
    // SAFETY: there are as many slots as lanes, those of particles, and no thread writes these meanwhile.
    let [x, y, z, _] = L::transposed(unsafe { L::gather(list.pointer(), slots.as_ptr()) });
    Vec3 { x, y, z }
}

/// Force on a triangle, N, and a bound on how fast it brings a mass of 1 kg to the air's speed, 1/s.
#[inline(always)]
fn plate<R: Real>(density: R, v: Vec3<R>, twice_area: Vec3<R>, drag: R, lift: R) -> (Vec3<R>, R) {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let (doubled, speed) = (twice_area.length(), v.length());
    // Where either is nothing so is the pressure.
    let over = |length: R| R::select(length.greater(zero), length, one);
    let facing = v.dot(twice_area) / over(doubled);
    let side = R::select(facing.greater(zero), one, R::select(zero.greater(facing), -one, zero));
    let n = twice_area * (side / over(doubled));
    let facing = facing * side;
    let across = n - v * (facing / over(speed) / over(speed));
    let pressure = R::from_f64(0.25) * density * doubled;
    let force = (v * drag + across * (lift * speed)) * (-(pressure * facing));
    (force, pressure * speed * (drag + lift))
}

/// The same on a cylinder, by the vector from one end to the other, and its thickness times the coefficient of drag.
#[inline(always)]
fn cylinder<R: Real>(density: R, v: Vec3<R>, along: Vec3<R>, width: R) -> (Vec3<R>, R) {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let squared = along.dot(along);
    // Without a length there is no force.
    let across = v - along * (v.dot(along) / R::select(squared.greater(zero), squared, one));
    let resistance = R::from_f64(0.5) * density * width * squared.sqrt() * across.length();
    (v * -resistance, resistance)
}
