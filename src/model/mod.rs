//! The model: particles and constraints as plain numbers in SI units and double precision.
//!
//! [`Scene::build`](crate::scene::Scene::build) makes a [`Model`] and checks it. A host may also make one by hand, or
//! change one, before it makes a [`Plan`](crate::Plan) of it. The model knows the constraint kinds and no device. It
//! stays as it is while an engine runs: [`State`] is what comes back from an engine, in the order of the model's
//! particles.

mod air;
mod contact;
mod curve;
mod group;
pub(crate) mod inside;
mod keyframes;
mod material;
pub(crate) mod pose;
pub(crate) mod shape;
mod skin;
mod state;
mod surroundings;
mod tearing;
pub(crate) mod touch;
pub(crate) mod tree;

pub use crate::constraint::Side;
pub use crate::math::{Rotations, Turning};
pub use contact::{Against, Contact};
pub(crate) use contact::{Press, mean_contacts};
pub use curve::Curve;
pub use group::Group;
pub use keyframes::Keyframes;
pub use material::{Material, Materials};
pub use shape::{MeshShape, Shape};
pub use state::{Multiplier, State};
pub use surroundings::{Collider, Drive, FrictionCombine, Groups};
pub(crate) use tearing::Fans;
pub use tearing::{Seam, TearableCell, TearableEdge, TearableFacet, Tearing, Torn};

use std::ops::Range;

/// Particles and constraints with everything that acts on them, in the scene's order.
///
/// ```
/// use pliant::constraint::{Distance, kind};
/// use pliant::model::{Body, Group, Material, Model, Particles};
///
/// // By hand: a pendulum of 2 kg on a rod of 1 m, the upper end fixed.
/// let particles = Particles::at_rest(vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], vec![0.0, 0.5]);
/// let body = Body { name: "pendulum".into(), particles: 0..2, ..Body::default() };
/// let mut model = Model { particles, bodies: vec![body], ..Model::default() };
/// let rigid = model.materials.insert(Material::default());
/// let mut rods = Group::new(kind::<Distance>());
/// rods.push(&[0, 1], &[1.0], rigid);
/// model.groups.push(rods);
/// assert_eq!(model.check(), Ok(()));
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    /// For people and reports; may be empty.
    pub name: String,
    /// How time goes on: substeps, iterations, mode.
    pub settings: Settings,
    /// Gravity and the air.
    pub world: World,
    /// All particles, bodies one after another, then the spare ones of [`Tearing::spares`]. Every `u32` that names a
    /// particle is an index into these lists.
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
    /// The bodies that come apart where their edges or inner faces break; `None` if there is none.
    pub tearing: Option<Tearing>,
    /// What drives rest values over time; [`Material::curve`] names one.
    pub curves: Vec<Curve>,
    /// The scene's coordinates of what is [0, 0, 0] here, m: of a scene far from its origin another than that.
    pub origin: [f64; 3],
}

/// Nothing yet, with default settings and gravity.
impl Default for Model {
    fn default() -> Self {
        Self {
            name: String::new(),
            settings: Settings::default(),
            world: World::default(),
            particles: Particles::default(),
            bodies: Vec::new(),
            groups: Vec::new(),
            materials: Materials::default(),
            colliders: Vec::new(),
            drives: vec![Drive::default()],
            tearing: None,
            curves: Vec::new(),
            origin: [0.0; 3],
        }
    }
}

/// How the model is solved. The defaults are those of scene files.
///
/// ```
/// use pliant::model::Settings;
///
/// // Twice as many substeps as by default: stiffer, and twice as slow.
/// let settings = Settings { substeps: 20, ..Settings::default() };
/// assert_eq!(settings.substep_seconds(), 1.0 / 1200.0); // at 60 frames a second
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What stiffness means: a compliance in SI units or a share of the error.
    pub mode: Mode,
    /// How constraints that share a particle take turns.
    pub method: Method,
    /// How a substep follows from those before.
    pub integrator: Integrator,
    /// Frames per second, Hz, above 0. A frame is what one step solves and what exports hold. Raising it shortens the
    /// substeps, too.
    pub frame_rate: f64,
    /// Substeps per frame, at least 1. Raising it makes motion more accurate and stiff bodies stiffer, linearly in
    /// cost.
    pub substeps: u32,
    /// In which order a sweep goes through the constraints.
    pub sweep: Sweep,
    /// Sweeps over all constraints per substep, at least 1. Raising it solves each substep more exactly, linearly in
    /// cost; more substeps gain more for the same (Macklin et al. 2019).
    pub iterations: u32,
    /// Over-relaxation: every correction is multiplied by it. 0 < relaxation < 2; 1 is plain. Raising it speeds
    /// convergence; near 2 it no longer converges.
    pub relaxation: f64,
    /// PBD mode: use 1 - (1 - k)^(1/sweeps) in place of the stiffness k (Müller et al. 2007, section 3.3).
    pub corrected_stiffness: bool,
    /// Colours beyond this many fall to one Jacobi sweep, so that a particle with thousands of constraints costs no
    /// dispatch for each. 1 to 64.
    pub max_colours: u32,
    /// Whether the multipliers of a frame are averaged over its substeps ([`Multiplier::mean`]), so that forces can be
    /// read without the noise of a single substep. One more number read and written per constraint and sweep. Breaking
    /// does it in any case.
    pub mean_forces: bool,
    /// Whether coarse nets carry the load of stiff sheets and long ropes, so that they need no more substeps where they
    /// are finer ([`crate::plan::levels`]). `None`: that of those only which these substeps alone would lengthen by
    /// more than a hundredth of their length, and by more than their material does. XPBD mode; three more dispatches a
    /// substep. The multipliers of what they hold tell only what they leave to it, a few per cent of the force
    /// ([`crate::measure::balanced`] tells all). What can break or tear has none.
    pub nested: Option<bool>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::Xpbd,
            method: Method::GaussSeidel,
            integrator: Integrator::Euler,
            frame_rate: 60.0,
            substeps: 10,
            sweep: Sweep::ThereAndBack,
            iterations: 1,
            relaxation: 1.0,
            corrected_stiffness: false,
            max_colours: 64,
            mean_forces: true,
            nested: None,
        }
    }
}

impl Settings {
    /// Length of a substep, s.
    pub fn substep_seconds(&self) -> f64 {
        1.0 / (self.frame_rate * f64::from(self.substeps))
    }

    /// H, the time in which a force changes velocities in the equation that a substep solves, s: v' = v̄ + H a. A force
    /// is λ∇C/H², and α̃ = α/H². It is the length h of the substep, and with BDF2 2h/3.
    pub fn implicit_seconds(&self) -> f64 {
        match self.integrator {
            Integrator::Euler => self.substep_seconds(),
            Integrator::Bdf2 => self.substep_seconds() * 2.0 / 3.0,
        }
    }

    /// How often a constraint is solved in a substep: in a sweep there and back twice.
    pub fn visits(&self) -> u32 {
        match self.sweep {
            Sweep::ThereAndBack => self.iterations.saturating_mul(2),
            Sweep::OneWay => self.iterations,
        }
    }

    /// What one visit leaves of a constraint's error may be more than rounding: where the second of two visits in a row
    /// does something, too.
    pub(crate) fn leaves_error(&self) -> bool {
        self.mode == Mode::Pbd || self.relaxation != 1.0
    }

    /// PBD mode: the share of the error that a sweep removes for a stiffness k.
    pub fn applied_stiffness(&self, stiffness: f64) -> f64 {
        match self.corrected_stiffness {
            true => 1.0 - (1.0 - stiffness).powf(1.0 / f64::from(self.visits())),
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

/// In which order a sweep goes through the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sweep {
    /// From the last to the first and back to the last. What a substep does to a small displacement is then
    /// self-adjoint in the metric of the masses, its eigenvalues are real and lie between 0 and 1, and no mode grows,
    /// at any number of substeps.
    #[default]
    ThereAndBack,
    /// From the first to the last: half of the work a sweep. Through three or more colours this has complex
    /// eigenvalues, and slow modes gain energy from nothing, the faster the shorter substeps are. For comparison with
    /// solvers that sweep so.
    OneWay,
}

impl Sweep {
    /// As scenes and reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Sweep::ThereAndBack => "there-and-back",
            Sweep::OneWay => "one-way",
        }
    }
}

/// How a substep follows from those before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Implicit Euler, from the substep before (with Δx = h v + h² a: Macklin et al. 2016). Errors fall with h; it
    /// takes energy from what swings, e^(-ω² h t) of its energy.
    #[default]
    Euler,
    /// The backward differentiation formula of second order, from the two substeps before: x' = (4x - x₋₁)/3 + H v' and
    /// v' = (4v - v₋₁)/3 + H a with H = 2h/3. Errors fall with h², and a swing keeps its energy much better; what is
    /// yanked rings longer. The first substep after a start, or after a change of its length, is Euler's. It damps so
    /// little that it needs sweeps there and back. 32 more bytes a particle.
    Bdf2,
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
    /// Largest speed at which a collider pushes out a body that begins inside it, m/s, above 0. Raising it ends the
    /// overlap sooner and throws stiff bodies harder. It does not act on bodies that begin outside.
    pub push_out_speed: f64,
    /// How the friction coefficients of two bodies, or of a body and a collider, make that of their contact.
    pub friction_combine: FrictionCombine,
}

/// Of dry air at 15 °C and sea level (ISO 2533), kg/m³.
pub const AIR_DENSITY: f64 = 1.225;

/// Default push-out speed, m/s: that of a fall of 5 cm. A penetration of 1 cm takes 10 ms.
pub const PUSH_OUT_SPEED: f64 = 1.0;

impl Default for World {
    fn default() -> Self {
        Self {
            gravity: [0.0, -9.81, 0.0],
            wind: [0.0; 3],
            air_density: AIR_DENSITY,
            max_speed: None,
            push_out_speed: PUSH_OUT_SPEED,
            friction_combine: FrictionCombine::default(),
        }
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
    /// Of the first body, at rest, with nothing that drives them: one at each place, m, with its inverse mass, 1/kg.
    pub fn at_rest(positions: Vec<[f64; 3]>, inverse_masses: Vec<f64>) -> Self {
        let count = positions.len();
        Self {
            positions,
            inverse_masses,
            velocities: vec![[0.0; 3]; count],
            bodies: vec![0; count],
            drives: vec![0; count],
        }
    }
    /// How many particles there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// A run of particles that a scene named, with its surface and its contact properties. By default it has neither: no
/// particles, no radius, no friction, no drag.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Unique in the model.
    pub name: String,
    /// Indices of its particles, without gaps.
    pub particles: Range<u32>,
    /// Triangles over particle indices of the model, counter-clockwise seen from outside; empty where there is no
    /// surface.
    pub triangles: Vec<[u32; 3]>,
    /// What is drawn and exported in place of the triangles and particles, if anything is.
    pub skin: Option<crate::mesh::Skin>,
    /// Distance from a particle at which it touches a collider, m, at least 0; particles touch each other at the sum of
    /// theirs, or less as [`Body::self_collision`] says, those without a radius never.
    pub radius: f64,
    /// Coefficient of static friction, at least 0; [`World::friction_combine`] makes that of a pair of the two.
    pub friction: f64,
    /// Coefficient of dynamic friction, at least 0; combined in a pair as the static one is. Raising it stops sliding
    /// sooner.
    pub dynamic_friction: f64,
    /// Speed kept in a rebound, 0 to 1; that of a pair is the mean of the two.
    pub restitution: f64,
    /// Inverse stiffness of contacts between particles, m/N, at least 0: that of a pair is the sum of the two, and they
    /// overlap by it times the force. 0 is rigid.
    pub contact_compliance: f64,
    /// Whether its particles touch each other. What was placed closer than the sum of the radii never does where
    /// constraints hold it together (those of a body, and of bodies that constraints join), and else at the distance at
    /// which it was placed.
    pub self_collision: bool,
    /// Pairs of its particles, as indices of the model, between which other particles do not pass: they touch the line
    /// between the two as they touch the two. Without a radius nothing does.
    pub segments: Vec<[u32; 2]>,
    /// What it collides with.
    pub groups: Groups,
    /// Coefficient of the air's drag: F = ½ ρ A C v², A the area that a triangle turns to the wind. A segment of a
    /// strand is a cylinder of the body's radius: A = 2 r L sin α at the angle α to its axis, so that nothing drags
    /// along itself. A particle alone is a ball. About 1.1 for a plate or a cylinder, 0.5 for a ball.
    pub drag: f64,
    /// Coefficient of the air's lift on triangles: F = ½ ρ A C v² sin α cos α at the angle of attack α.
    pub lift: f64,
    /// How many particles each of its strands has, which follow one another; `None` for what is no rope, hair or strip.
    pub strand: Option<u32>,
    /// Of a sheet the constraints of the group of distances that keep its surface from stretching, those of shear
    /// included; of strands those along them, from particle to particle. `None` for what is neither.
    pub stretch: Option<Range<u32>>,
    /// Of a sheet the constraints of the group of distances that keep it from bending, across two edges: they resist
    /// stretch as well. `None` where others do that, or nothing.
    pub bend: Option<Range<u32>>,
    /// The rate k at which motion dies away that is not the body's translation and rotation, 1/s, at least 0: what is
    /// left of it after a time t is e^(-k t), whatever the substeps (Müller et al. 2007, section 3.5). Translation and
    /// rotation are those of the free particles. Raising it calms wobbles sooner. It takes no spin; XPBD's own
    /// integration does, as exp(-ω² h t).
    pub damping: f64,
    /// Linear red, green, blue, 0 to 1; `None` for one from the renderer's palette.
    pub colour: Option<[f32; 3]>,
}
