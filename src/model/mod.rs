//! The model: particles and constraints as plain double-precision numbers in SI units, checked. It knows the constraint
//! kinds and nothing of devices; [`crate::Plan`] makes it ready for one, [`crate::reference`] solves it as it is.

mod curve;
mod keyframes;
mod state;
mod tearing;

pub use curve::Curve;
pub use keyframes::Keyframes;
pub use state::{Multiplier, State};
pub(crate) use tearing::Fans;
pub use tearing::{Seam, TearableEdge, Tearing, Torn};

use std::collections::HashMap;
use std::ops::Range;

use crate::constraint::{Kind, Real, Vec3};

/// Particles and constraints with everything that acts on them, in the scene's order.
#[derive(Clone, Debug)]
pub struct Model {
    /// For people and reports; may be empty.
    pub name: String,
    /// How time goes on: substeps, iterations, mode.
    pub settings: Settings,
    /// Gravity and the air.
    pub world: World,
    /// All particles, bodies one after another, then the spare ones of [`Tearing::spares`]. Every `u32` that names a particle is
    /// an index into these lists.
    pub particles: Particles,
    /// In the scene's order; their particles follow each other without gaps.
    pub bodies: Vec<Body>,
    /// One group per kind that occurs.
    pub groups: Vec<Group>,
    /// How constraints yield, damp and break; those that name the same numbers share an entry.
    pub materials: Materials,
    /// Solids; each may touch every particle.
    pub colliders: Vec<Collider>,
    /// What acts on particles from outside; entry 0 is "nothing".
    pub drives: Vec<Drive>,
    /// The surfaces that come apart where their edges break; `None` if there is none.
    pub tearing: Option<Tearing>,
    /// What drives rest values over time; [`Material::curve`] names one.
    pub curves: Vec<Curve>,
}

/// How the model is solved. Defaults are those of the scene contract.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What stiffness means: a compliance in SI units or a share of the error.
    pub mode: Mode,
    /// How constraints that share a particle take turns.
    pub method: Method,
    /// Frames per second, Hz, above 0. A frame is what one step solves and what exports hold. Raising it shortens the
    /// substeps, too.
    pub frame_rate: f64,
    /// Substeps per frame, at least 1. Raising it makes motion more accurate and stiff bodies stiffer, linearly in cost.
    pub substeps: u32,
    /// Sweeps over all constraints per substep, at least 1. Raising it solves each substep more exactly, linearly in
    /// cost; more substeps gain more for the same (Macklin et al. 2019).
    pub iterations: u32,
    /// Over-relaxation: every correction is multiplied by it. 0 < relaxation < 2; 1 is plain. Raising it speeds
    /// convergence; near 2 it no longer converges.
    pub relaxation: f64,
    /// PBD mode: use 1 - (1 - k)^(1/iterations) in place of the stiffness k (Müller et al. 2007, section 3.3).
    pub corrected_stiffness: bool,
    /// Colours beyond this many fall to one Jacobi sweep, so that a particle with thousands of constraints costs no
    /// dispatch for each. 1 to 64.
    pub max_colours: u32,
    /// Whether the multipliers of a frame are averaged over its substeps ([`Multiplier::mean`]), so that forces can be read
    /// without the noise of a single substep. One more number read and written per constraint and sweep. Breaking does it in any case.
    pub mean_forces: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::Xpbd,
            method: Method::GaussSeidel,
            frame_rate: 60.0,
            substeps: 10,
            iterations: 1,
            relaxation: 1.0,
            corrected_stiffness: false,
            max_colours: 64,
            mean_forces: true,
        }
    }
}

impl Settings {
    /// Length of a substep, s.
    pub fn substep_seconds(&self) -> f64 {
        1.0 / (self.frame_rate * f64::from(self.substeps))
    }

    /// PBD mode: the share of the error that an iteration removes for a stiffness k.
    pub fn applied_stiffness(&self, stiffness: f64) -> f64 {
        match self.corrected_stiffness {
            true => 1.0 - (1.0 - stiffness).powf(1.0 / f64::from(self.iterations)),
            false => stiffness,
        }
    }
}

/// What the stiffness of a constraint means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Compliance in SI units; stiffness independent of iterations and time step (Macklin et al. 2016).
    #[default]
    Xpbd,
    /// Stiffness k in 0..=1 applied at every iteration (Müller et al. 2007): depends on iterations and time step.
    Pbd,
}

/// How constraints that share a particle take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Colour after colour, each seeing the corrections of those before.
    #[default]
    GaussSeidel,
    /// All constraints at once with split masses: fewer dispatches, slower convergence.
    Jacobi,
}

/// What acts on all particles alike.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Acceleration of gravity, m/s².
    pub gravity: [f64; 3],
    /// Velocity of the air, m/s. It acts on bodies with drag or lift.
    pub wind: [f64; 3],
    /// Density of the air, kg/m³, at least 0: drag and lift are proportional to it.
    pub air_density: f64,
    /// Speed limit of every particle, m/s, above 0; `None` for none. It keeps a simulation that blows up finite, at the
    /// price of its momentum.
    pub max_speed: Option<f64>,
}

/// Of dry air at 15 °C and sea level (ISO 2533), kg/m³.
pub const AIR_DENSITY: f64 = 1.225;

impl Default for World {
    fn default() -> Self {
        Self { gravity: [0.0, -9.81, 0.0], wind: [0.0; 3], air_density: AIR_DENSITY, max_speed: None }
    }
}

/// The particles, one entry each, bodies one after another.
#[derive(Clone, Debug, Default)]
pub struct Particles {
    /// Where the scene placed the particles, m.
    pub positions: Vec<[f64; 3]>,
    /// At the beginning, m/s, one per particle.
    pub velocities: Vec<[f64; 3]>,
    /// 1/kg, one per particle; 0 for a fixed particle.
    pub inverse_masses: Vec<f64>,
    /// Index into [`Model::bodies`], one per particle.
    pub bodies: Vec<u32>,
    /// Index into [`Model::drives`], one per particle.
    pub drives: Vec<u32>,
}

impl Particles {
    /// How many particles there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// A run of particles that a scene named, with its surface and its contact properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Unique in the model.
    pub name: String,
    /// Indices of its particles, without gaps.
    pub particles: Range<u32>,
    /// Triangles over particle indices of the model, counter-clockwise seen from outside; empty where there is no surface.
    pub triangles: Vec<[u32; 3]>,
    /// Distance from a particle at which it touches a collider, m, at least 0.
    pub radius: f64,
    /// Coefficient of static friction, at least 0; that of a pair is the mean of the two.
    pub friction: f64,
    /// Coefficient of dynamic friction, at least 0; that of a pair is the mean of the two. Raising it stops sliding
    /// sooner.
    pub dynamic_friction: f64,
    /// Speed kept in a rebound, 0 to 1; that of a pair is the mean of the two.
    pub restitution: f64,
    /// Coefficient of the air's drag: F = ½ ρ A C v², A the area that a triangle turns to the wind, or that of a ball where
    /// there are no triangles. About 1.1 for a plate, 0.5 for a ball.
    pub drag: f64,
    /// Coefficient of the air's lift on triangles: F = ½ ρ A C v² sin α cos α at the angle of attack α.
    pub lift: f64,
    /// How many particles each of its strands has, which follow one another; `None` for what is no rope, hair or strip.
    pub strand: Option<u32>,
    /// The rate k at which motion dies away that is not the body's translation and rotation, 1/s, at least 0: what is left of
    /// it after a time t is e^(-k t), whatever the substeps (Müller et al. 2007, section 3.5). Translation and rotation are
    /// those of the free particles. Raising it calms wobbles sooner. It takes no spin; XPBD's own integration does, as
    /// exp(-ω² h t).
    pub damping: f64,
    /// Linear red, green, blue, 0 to 1; `None` for one from the renderer's palette.
    pub colour: Option<[f32; 3]>,
}

/// All constraints of one kind.
#[derive(Clone, Debug)]
pub struct Group {
    /// What kind they are.
    pub kind: &'static dyn Kind,
    /// Particle indices of all constraints, one constraint after the other.
    pub particles: Vec<u32>,
    /// Where each constraint's particles begin in `particles`, and the end: count + 1 entries.
    pub offsets: Vec<u32>,
    /// Of surfaces ([`Kind::surface`]) the corners of their triangles, three each, as indices into the constraint's own particles;
    /// empty for other kinds.
    pub corners: Vec<u32>,
    /// Of surfaces where each one's corners begin in `corners`, and the end; of other kinds the one entry 0.
    pub corner_offsets: Vec<u32>,
    /// Rest values at the beginning, `kind.rest().len()` per constraint.
    pub rest: Vec<f64>,
    /// Index into [`Model::materials`], one per constraint.
    pub materials: Vec<u32>,
}

impl Group {
    /// A group with no constraint in it.
    pub fn new(kind: &'static dyn Kind) -> Self {
        Self {
            kind,
            particles: Vec::new(),
            offsets: vec![0],
            corners: Vec::new(),
            corner_offsets: vec![0],
            rest: Vec::new(),
            materials: Vec::new(),
        }
    }
    /// How many constraints there are.
    pub fn len(&self) -> usize {
        self.materials.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.materials.is_empty()
    }
    /// Adds a constraint. `particles` are as many as the kind connects, all different, or of a surface the corners of its
    /// triangles, three each; `rest` has one value for each of `kind.rest()`, in SI units; `material` is an index into
    /// [`Model::materials`].
    pub fn push(&mut self, particles: &[u32], rest: &[f64], material: u32) {
        match self.kind.surface() {
            true => self.push_corners(particles),
            false => self.particles.extend_from_slice(particles),
        }
        self.offsets.push(self.particles.len() as u32);
        self.rest.extend_from_slice(rest);
        self.materials.push(material);
    }
    /// Each particle once, in the order in which the corners name them.
    fn push_corners(&mut self, particles: &[u32]) {
        let mut known = HashMap::new();
        for &particle in particles {
            let next = known.len() as u32;
            let corner = *known.entry(particle).or_insert(next);
            if corner == next {
                self.particles.push(particle);
            }
            self.corners.push(corner);
        }
        self.corner_offsets.push(self.corners.len() as u32);
    }
    /// Adds a constraint of another group of the kind.
    pub(crate) fn push_of(&mut self, other: &Group, constraint: usize) {
        let particles = other.particles_of(constraint);
        let listed: Vec<u32> = other.corners_of(constraint).iter().map(|&corner| particles[corner as usize]).collect();
        let particles = if listed.is_empty() { particles } else { &listed };
        self.push(particles, other.rest_of(constraint), other.materials[constraint]);
    }
    /// Of a surface the corners of its triangles, three each, as indices into [`Group::particles_of`]; of other kinds none.
    ///
    /// # Panics
    /// If there is no such constraint.
    pub fn corners_of(&self, constraint: usize) -> &[u32] {
        match self.kind.surface() {
            true => {
                &self.corners[self.corner_offsets[constraint] as usize..self.corner_offsets[constraint + 1] as usize]
            }
            false => &[],
        }
    }
    /// Particle indices of a constraint, each once.
    ///
    /// # Panics
    /// If there is no such constraint.
    pub fn particles_of(&self, constraint: usize) -> &[u32] {
        &self.particles[self.offsets[constraint] as usize..self.offsets[constraint + 1] as usize]
    }
    /// Rest values of a constraint at the beginning, in the order and units of `kind.rest()`.
    ///
    /// # Panics
    /// If there is no such constraint.
    pub fn rest_of(&self, constraint: usize) -> &[f64] {
        let n = self.kind.rest().len();
        &self.rest[constraint * n..(constraint + 1) * n]
    }
    /// Whether rest values of the group may change in a running simulation: a curve drives them, or they yield.
    pub fn rest_changes(&self, materials: &[Material]) -> bool {
        let changes = |&material: &u32| materials[material as usize].changes_rest();
        self.kind.rest_change().is_some() && self.materials.iter().any(changes)
    }
    /// C of one component at the given positions (m, one per particle of the model) with the rest values in effect
    /// ([`State::rest_of`]), in the kind's unit; its gradient is written to `gradient`, which is resized to one vector per
    /// particle of the constraint.
    ///
    /// # Panics
    /// If there is no such constraint, or `positions` lacks one of its particles.
    pub fn evaluate<P: Copy + Into<Vec3<f64>>>(
        &self,
        constraint: usize,
        component: usize,
        rest: &[f64],
        positions: &[P],
        gradient: &mut Vec<Vec3<f64>>,
    ) -> f64 {
        let particles = self.particles_of(constraint);
        gradient.resize(particles.len(), Vec3::zero());
        // Millions of constraints hold a few particles each: no allocation for those.
        let mut few = [Vec3::zero(); 4];
        match few.get_mut(..particles.len()) {
            Some(few) => {
                for (x, &p) in few.iter_mut().zip(particles) {
                    *x = positions[p as usize].into();
                }
                self.evaluate_at(constraint, component, rest, few, gradient)
            }
            None => {
                let many: Vec<Vec3<f64>> = particles.iter().map(|&p| positions[p as usize].into()).collect();
                self.evaluate_at(constraint, component, rest, &many, gradient)
            }
        }
    }
    /// As [`Group::evaluate`], with the constraint's own particles at `x`.
    pub(crate) fn evaluate_at(
        &self,
        constraint: usize,
        component: usize,
        rest: &[f64],
        x: &[Vec3<f64>],
        gradient: &mut [Vec3<f64>],
    ) -> f64 {
        let evaluate = |x: &[_], gradient: &mut [_]| self.kind.evaluate(rest, component, x, gradient);
        self.at_particles(constraint, x, gradient, evaluate)
    }
    /// What `evaluate` returns, which wants `x` as the kind lists its particles and gives the gradient so: of a surface at the
    /// corners, whose gradients come together at the particles.
    pub(crate) fn at_particles<R: Real>(
        &self,
        constraint: usize,
        x: &[Vec3<R>],
        gradient: &mut [Vec3<R>],
        evaluate: impl FnOnce(&[Vec3<R>], &mut [Vec3<R>]) -> R,
    ) -> R {
        let corners = self.corners_of(constraint);
        if corners.is_empty() {
            return evaluate(x, gradient);
        }
        let x: Vec<Vec3<R>> = corners.iter().map(|&corner| x[corner as usize]).collect();
        let mut at_corners = vec![Vec3::zero(); corners.len()];
        let value = evaluate(&x, &mut at_corners);
        gradient.fill(Vec3::zero());
        for (&corner, &at_corner) in corners.iter().zip(&at_corners) {
            gradient[corner as usize] += at_corner;
        }
        value
    }
}

/// How a constraint yields: shared by all constraints that name the same numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Inverse stiffness α, at least 0; the unit is the kind's (m/N for a distance). 0 is rigid, raising it softens.
    /// XPBD mode only.
    pub compliance: f64,
    /// Damping β along the gradient, at least 0; N s/m for a distance. Raising it calms vibrations sooner. XPBD mode
    /// only; acts on constraints with compliance.
    pub damping: f64,
    /// PBD mode: the share k of the error removed at each iteration, 0 to 1.
    pub stiffness: f64,
    /// In which direction it acts.
    pub side: Side,
    /// The mean force over a frame above which the constraint breaks, N, for good; `None` for one that never does.
    pub break_force: Option<f64>,
    /// Index into [`Model::curves`] of what drives the rest values; `None` for those that stay. Without effect on kinds
    /// whose rest values no curve can drive ([`Kind::rest_change`]).
    pub curve: Option<u32>,
    /// The elastic deformation, at least 0, above which the constraint flows and its rest value takes the excess for good; of
    /// kinds whose rest value changes by a factor a share of the rest value (strain), of others in the unit of C. It is taken
    /// by the force, αλ/h², and so needs compliance and XPBD mode. `None` for what never yields. Each component yields by
    /// itself.
    pub yield_point: Option<f64>,
    /// Rate at which the excess flows, 1/s, above 0: what is left of it after a time t is e^(-creep t). `None`: all at once.
    pub creep: Option<f64>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            compliance: 0.0,
            damping: 0.0,
            stiffness: 1.0,
            side: Side::Both,
            break_force: None,
            curve: None,
            yield_point: None,
            creep: None,
        }
    }
}

impl Material {
    /// Whether rest values of the material may change in a running simulation.
    pub fn changes_rest(&self) -> bool {
        self.curve.is_some() || self.yield_point.is_some()
    }

    /// The share of a deformation beyond the yield point that flows in a time, s: 1 - e^(-creep t). 0 if it never yields.
    pub fn flow(&self, seconds: f64) -> f64 {
        match (self.yield_point, self.creep) {
            (None, _) => 0.0,
            (Some(_), None) => 1.0,
            (Some(_), Some(creep)) => -(-creep * seconds).exp_m1(),
        }
    }
}

/// The direction in which a constraint may act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    #[default]
    /// Against either sign of C.
    Both,
    /// Only against C > 0: a string, which may go slack.
    Pull,
    /// Only against C < 0: a stop, which may part.
    Push,
}

impl Side {
    /// Range that the accumulated multiplier is clamped to.
    pub fn multiplier_range(self) -> (f64, f64) {
        match self {
            Side::Both => (-f64::from(f32::MAX), f64::from(f32::MAX)),
            Side::Pull => (-f64::from(f32::MAX), 0.0),
            Side::Push => (0.0, f64::from(f32::MAX)),
        }
    }
}

/// The table of materials; equal ones share an entry.
#[derive(Clone, Debug, Default)]
pub struct Materials {
    entries: Vec<Material>,
    index: HashMap<[u64; 8], u32>,
}

impl Materials {
    /// The index of a material, added if it is new.
    pub fn insert(&mut self, material: Material) -> u32 {
        let key = [
            material.compliance.to_bits(),
            material.damping.to_bits(),
            material.stiffness.to_bits(),
            material.side as u64,
            material.break_force.map_or(u64::MAX, f64::to_bits),
            material.curve.map_or(u64::MAX, u64::from),
            material.yield_point.map_or(u64::MAX, f64::to_bits),
            material.creep.map_or(u64::MAX, f64::to_bits),
        ];
        *self.index.entry(key).or_insert_with(|| {
            self.entries.push(material);
            self.entries.len() as u32 - 1
        })
    }
}

impl Materials {
    /// The material at an index, to be changed. A changed one is not found by [`Materials::insert`] as what it was.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Material> {
        let entry = self.entries.get_mut(index)?;
        self.index.retain(|_, known| *known as usize != index);
        Some(entry)
    }
}

impl std::ops::Deref for Materials {
    type Target = [Material];
    fn deref(&self) -> &[Material] {
        &self.entries
    }
}

/// A solid that particles collide with, as the scene placed it.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// Where it is and what of it is solid.
    pub shape: Shape,
    /// Added to the shape's place over time, m.
    pub motion: Option<Keyframes>,
    /// Coefficient of static friction, at least 0; that of a pair is the mean of the two.
    pub friction: f64,
    /// Coefficient of dynamic friction, at least 0; that of a pair is the mean of the two.
    pub dynamic_friction: f64,
    /// Speed kept in a rebound, 0 to 1; that of a pair is the mean of the two.
    pub restitution: f64,
}

/// Which part of space a collider fills.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// The half-space below the plane through `point` with unit `normal` is solid.
    Plane {
        /// Any point of the plane, m.
        point: [f64; 3],
        /// Towards the free side, of length 1.
        normal: [f64; 3],
    },
    /// Solid inside, or with `inside` a container: solid outside.
    Sphere {
        /// m
        centre: [f64; 3],
        /// m, above 0.
        radius: f64,
        /// Whether it is a container.
        inside: bool,
    },
}

/// What acts on a particle from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// Displacement of a fixed particle from where the scene placed it, m.
    pub motion: Option<Keyframes>,
    /// Forces on a free particle, N, which add up.
    pub forces: Vec<Keyframes>,
}

impl Drive {
    /// The sum of the forces at a time, N.
    pub fn force(&self, seconds: f64) -> [f64; 3] {
        self.forces.iter().fold([0.0; 3], |sum, force| {
            let f = force.at(seconds);
            std::array::from_fn(|i| sum[i] + f[i])
        })
    }
}
