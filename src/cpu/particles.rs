//! The particles: where a substep would take them, and what it made of that. What `shaders/step/` does, and there is
//! why.

use std::sync::atomic::{AtomicU32, Ordering};

use wide::f32x4;

use super::lanes::Entries;
use super::shared::Shared;
use crate::math::Vec3;
use crate::model::{Integrator, Model};
use crate::step::records::{Drive, Properties, Status, Substep};
use crate::step::{drives_of_particles, lattice_step};

/// As in `shaders/lib/status.wgsl`.
pub const NOT_FINITE: u32 = 1;
pub const RUNAWAY: u32 = 2;
pub const CROWDED: u32 = 4;
pub const RUNAWAY_SPEED: f32 = 1e6;
pub const LATTICE_STEPS: f32 = 16_777_216.0;

/// The state of the particles by slot, m; x has the inverse mass fourth, 1/kg.
pub struct Particles {
    pub x: Entries,
    pub d: Entries,
    pub e: Entries,
    pub u: Entries,
    /// Lags, changes and ways without forces of [`super::past::Past`]; empty unless there is a past.
    pub past: [Entries; 3],
    /// q
    pub lattice: f32,
    pub properties: Vec<Properties>,
}

impl Particles {
    pub fn new(model: &Model, particle_of: &[u32]) -> Self {
        let particles = &model.particles;
        let q = lattice_step(&particles.positions);
        let h = model.settings.substep_seconds();
        let zeros = || Entries::zeros(particle_of.len());
        let (mut x, mut e, mut u, mut properties) = (zeros(), zeros(), zeros(), Vec::new());
        let drives = drives_of_particles(model);
        for (slot, particle) in particle_of.iter().map(|&particle| particle as usize).enumerate() {
            let position = particles.positions[particle];
            let on_lattice = position.map(|value| (value / q).round() * q);
            let four = |[x, y, z]: [f64; 3], w: f64| f32x4::new([x as f32, y as f32, z as f32, w as f32]);
            x[slot] = four(on_lattice, particles.inverse_masses[particle]);
            e[slot] = four(std::array::from_fn(|i| position[i] - on_lattice[i]), 0.0);
            u[slot] = four(particles.velocities[particle].map(|speed| speed * h), 0.0);
            properties.push(Properties { body: particles.bodies[particle], drive: drives[particle] });
        }
        let past = match model.settings.integrator {
            Integrator::Euler => Default::default(),
            Integrator::Bdf2 => std::array::from_fn(|_| zeros()),
        };
        Self { d: e.clone(), x, e, u, past, lattice: q as f32, properties }
    }

    /// Puts one elsewhere, with another u and h² g, by which it has come there. Returns how far out that is, m.
    pub fn place(&mut self, slot: usize, position: [f64; 3], ways: [[f64; 3]; 2]) -> f32 {
        let [.., w] = self.x[slot].to_array();
        // As a device, which has no double precision.
        let single = position.map(|value| value as f32);
        let on_lattice = single.map(|value| (value / self.lattice).round_ties_even() * self.lattice);
        let rest = |i: usize| (single[i] - on_lattice[i]) + (position[i] - f64::from(single[i])) as f32;
        self.x[slot] = with_fourth(of(on_lattice), w);
        self.e[slot] = of(std::array::from_fn(rest));
        let [way, fall] = ways.map(|way| if w > 0.0 { of(way.map(|value| value as f32)) } else { f32x4::ZERO });
        self.u[slot] = way;
        if let [lags, changes, _] = &mut self.past
            && !lags.is_empty()
        {
            (lags[slot], changes[slot]) = (f32x4::splat(-0.5) * fall, fall);
        }
        single.iter().fold(0.0, |extent, value| extent.max(value.abs()))
    }

    /// Once a frame: a coarser lattice if a particle has left it.
    pub fn fit_lattice(&mut self, extent: f32) {
        let mut q = self.lattice;
        while extent >= q * LATTICE_STEPS {
            q *= 4.0;
        }
        if q == self.lattice {
            return;
        }
        self.lattice = q;
        for (x, e) in self.x.iter_mut().zip(self.e.iter_mut()) {
            let w = x.to_array()[3];
            let position = with_fourth((*x * f32x4::splat(1.0 / q)).round_ties_even() * f32x4::splat(q), w);
            *e += *x - position;
            *x = position;
        }
    }
}

/// With another number in the fourth place.
#[inline(always)]
pub fn with_fourth(v: f32x4, w: f32) -> f32x4 {
    let [x, y, z, _] = v.to_array();
    f32x4::new([x, y, z, w])
}

/// The first three of four numbers.
#[inline(always)]
pub fn three(v: f32x4) -> Vec3<f32> {
    let [x, y, z, _] = v.to_array();
    Vec3 { x, y, z }
}

/// In double precision.
pub fn double(Vec3 { x, y, z }: Vec3<f32>) -> [f64; 3] {
    [x, y, z].map(f64::from)
}

/// A vector with nothing in the fourth place.
#[inline(always)]
pub fn four(v: Vec3<f32>) -> f32x4 {
    f32x4::new([v.x, v.y, v.z, 0.0])
}

fn of([x, y, z]: [f32; 3]) -> f32x4 {
    f32x4::new([x, y, z, 0.0])
}

/// What the particles read in a substep: `H² g`, and the drives where there is more than "nothing".
#[derive(Clone, Copy)]
pub struct Fall<'a> {
    /// H² g
    pub gravity: f32x4,
    /// H²
    squared: f32,
    /// The longest way of a substep, m; infinite where there is no limit.
    most: f32,
    drives: &'a [Drive],
    animated: &'a [Drive],
}

impl<'a> Fall<'a> {
    /// `drives`: those of this substep; `animated`: of particles that follow an animation, which count on from them.
    pub fn new(substep: &Substep, drives: &'a [Drive], animated: &'a [Drive]) -> Self {
        let squared = substep.implicit_seconds * substep.implicit_seconds;
        let limited = substep.max_speed < f32::MAX;
        Self {
            gravity: of(substep.gravity) * f32x4::splat(squared),
            squared,
            most: if limited { substep.max_speed * substep.implicit_seconds } else { f32::INFINITY },
            drives: if drives.len() > 1 || !animated.is_empty() { drives } else { &[] },
            animated,
        }
    }

    /// Whether nothing but gravity makes particles move.
    pub fn is_plain(&self) -> bool {
        self.drives.is_empty() && self.most == f32::INFINITY
    }

    /// Where a particle of inverse mass `w` would go that last went `way`: `shaders/step/motion.wgsl`.
    #[inline(always)]
    pub fn predicted(&self, properties: &Properties, w: f32, way: f32x4) -> f32x4 {
        let index = properties.drive as usize;
        let drive = self.drives.get(index).or_else(|| self.animated.get(index.wrapping_sub(self.drives.len())));
        if w == 0.0 {
            return drive.map_or(f32x4::ZERO, |drive| of(drive.displacement));
        }
        let mut next = way + self.gravity;
        if let Some(drive) = drive {
            next += of(drive.force) * f32x4::splat(self.squared * w);
        }
        if self.most < f32::INFINITY {
            let length = three(next).length();
            // A length that overflows would stop the particle in silence: `finish` shall see it.
            if length > self.most && length.is_finite() {
                next *= f32x4::splat(self.most / length);
            }
        }
        next
    }
}

/// What the threads noticed; as in `shaders/lib/status.wgsl`.
pub struct Signs<'a> {
    pub flags: AtomicU32,
    pub particle: AtomicU32,
    pub extent: AtomicU32,
    pub contacts: AtomicU32,
    /// Vertices of surfaces that were held back, and pairs in which none could yield.
    pub held: AtomicU32,
    pub forced: AtomicU32,
    /// The particle at each slot, and the plan's slot of each particle, used in reports.
    particle_of: &'a [u32],
    planned: &'a [u32],
}

impl<'a> Signs<'a> {
    pub fn new(status: &Status, particle_of: &'a [u32], planned: &'a [u32]) -> Self {
        let Status { flags, particle, extent, contacts, .. } = *status;
        let [flags, particle, extent, contacts] = [flags, particle, extent, contacts].map(AtomicU32::new);
        let [held, forced] = Default::default();
        Self { flags, particle, extent, contacts, held, forced, particle_of, planned }
    }

    /// How many vertices of surfaces were held back, and in how many pairs none could yield.
    pub fn surfaces(&self) -> [u32; 2] {
        [&self.held, &self.forced].map(|sign| sign.load(Ordering::Relaxed))
    }

    pub fn status(&self) -> Status {
        let [flags, particle, extent, contacts] =
            [&self.flags, &self.particle, &self.extent, &self.contacts].map(|sign| sign.load(Ordering::Relaxed));
        Status { flags, particle, extent, contacts, ..Default::default() }
    }

    #[cold]
    fn report(&self, slot: usize, speeds: f32x4, position: f32x4, reach: f32) {
        let numbers = |v: f32x4| v.to_array().into_iter().take(3);
        let largest = |v: f32x4| numbers(v).map(f32::abs).fold(0.0, f32::max);
        let finite = numbers(speeds).chain(numbers(position)).all(f32::is_finite);
        if !finite || largest(speeds) > RUNAWAY_SPEED {
            self.flags.fetch_or(if finite { RUNAWAY } else { NOT_FINITE }, Ordering::Relaxed);
            let told = self.planned[self.particle_of[slot] as usize];
            self.particle.fetch_min(told, Ordering::Relaxed);
        }
        if finite && largest(position) >= reach {
            self.extent.fetch_max(largest(position).to_bits(), Ordering::Relaxed);
        }
    }
}

/// How a substep ends.
pub struct Finish<'a> {
    pub inverse_seconds: f32x4,
    pub q: f32x4,
    pub inverse_q: f32x4,
    pub reach: f32x4,
    signs: &'a Signs<'a>,
}

impl<'a> Finish<'a> {
    pub fn new(substep: &Substep, q: f32, signs: &'a Signs) -> Self {
        let reach = q * LATTICE_STEPS;
        Self {
            inverse_seconds: f32x4::splat(substep.inverse_seconds),
            q: f32x4::splat(q),
            inverse_q: f32x4::splat(1.0 / q),
            // Of an inverse mass nothing is asked.
            reach: f32x4::new([reach, reach, reach, f32::INFINITY]),
            signs,
        }
    }

    /// Ends a substep for one particle: `shaders/step/finish.wgsl`. Returns e and d - e, of symplectic Euler u, and
    /// writes x.
    #[inline(always)]
    pub fn finish(&self, slot: usize, x: &Shared<f32x4>, d: f32x4, e: f32x4) -> (f32x4, f32x4) {
        let way = d - e;
        let steps = (d * self.inverse_q).round_ties_even() * self.q;
        let position = x.read(slot) + steps;
        x.write(slot, position);
        (d - steps, way)
    }

    /// Reports a particle that goes too fast, by u, or went too far.
    #[inline(always)]
    pub fn check(&self, slot: usize, way: f32x4, position: f32x4) {
        let speeds = way * self.inverse_seconds;
        let sound = speeds.abs().simd_le(f32x4::splat(RUNAWAY_SPEED)) & position.abs().simd_lt(self.reach);
        if !sound.all() {
            self.signs.report(slot, speeds, position, self.reach.to_array()[0]);
        }
    }
}
