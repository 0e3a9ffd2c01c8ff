//! The model: particles and constraints as plain numbers in SI units and double precision.
//!
//! [`Scene::build`](crate::scene::Scene::build) makes a [`Model`] and checks it. A host may also make one by hand, or
//! change one, before it makes a [`Plan`](crate::Plan) of it. The model knows the constraint kinds and no device. It
//! stays as it is while an engine runs: [`State`] is what comes back from an engine, in the order of the model's
//! particles.

mod air;
mod animation;
mod contact;
mod curve;
mod finish;
mod flow;
pub(crate) mod fluid;
mod group;
pub(crate) mod inside;
pub(crate) mod joint;
mod keyframes;
mod material;
pub(crate) mod pose;
mod release;
mod rest_shape;
pub(crate) mod rod;
pub(crate) mod shape;
mod skin;
mod state;
mod surroundings;
mod tearing;
pub(crate) mod touch;
pub(crate) mod tree;

pub use crate::constraint::Side;
pub use crate::math::{Rotations, Turning};
pub use animation::Animation;
pub use contact::{Against, Contact};
pub(crate) use contact::{Press, mean_contacts};
pub use curve::Curve;
pub use finish::Finish;
pub use flow::{Drain, Emitter};
pub use fluid::Fluid;
pub use group::Group;
pub use joint::{Joint, JointKind, JointState, Motor, Rigid};
pub use keyframes::Keyframes;
pub use material::{Material, Materials};
pub use release::Release;
pub use rest_shape::{BlendShape, RestShape};
pub use rod::{BendTwist, Load, Orientations, Rod, Segment};
pub use shape::{MeshShape, Shape};
pub use state::{Multiplier, State};
pub use surroundings::{Collider, Drive, FrictionCombine, Groups, Spin, Turn};
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
    /// A name for reports; may be empty.
    pub name: String,
    /// How the model is solved: substeps, iterations, mode.
    pub settings: Settings,
    /// Gravity and the air.
    pub world: World,
    /// All particles, bodies one after another, then the spare ones of [`Tearing::spares`]. Every `u32` that names a
    /// particle is an index into these lists.
    pub particles: Particles,
    /// In the scene's order; their particles follow each other without gaps.
    pub bodies: Vec<Body>,
    /// The constraints, one group for each kind that occurs.
    pub groups: Vec<Group>,
    /// Rest shapes of theirs that change: by blending, or by yielding.
    pub rest_shapes: Vec<RestShape>,
    /// What turns.
    pub orientations: Orientations,
    /// Chains of segments with orientations.
    pub rods: Vec<Rod>,
    /// Bodies that never change their shape, and what of them joints hold.
    pub rigid: Vec<Rigid>,
    /// What holds rigid bodies together.
    pub joints: Vec<Joint>,
    /// Liquids; all of one spacing.
    pub fluids: Vec<Fluid>,
    /// What pours them.
    pub emitters: Vec<Emitter>,
    /// What takes them away.
    pub drains: Vec<Drain>,
    /// The table of compliance, damping, break force and so on; constraints with the same numbers share an entry.
    pub materials: Materials,
    /// Solids; each may touch every particle.
    pub colliders: Vec<Collider>,
    /// Motions of pins and forces on particles; entry 0 is "nothing".
    pub drives: Vec<Drive>,
    /// Motions of fixed particles, each with a way of its own; they come before what drives move.
    pub animations: Vec<Animation>,
    /// Pins that let go.
    pub releases: Vec<Release>,
    /// The bodies that come apart where their edges or inner faces break; `None` if there is none.
    pub tearing: Option<Tearing>,
    /// Curves that drive rest values over time; [`Material::curve`] names one.
    pub curves: Vec<Curve>,
    /// Where the origin of this model lies in the scene, m: not [0, 0, 0] if the scene lies far from its own origin.
    pub origin: [f64; 3],
}

/// An empty model with default settings and gravity.
impl Default for Model {
    fn default() -> Self {
        Self {
            name: String::new(),
            settings: Settings::default(),
            world: World::default(),
            particles: Particles::default(),
            bodies: Vec::new(),
            groups: Vec::new(),
            rest_shapes: Vec::new(),
            orientations: Orientations::default(),
            rods: Vec::new(),
            rigid: Vec::new(),
            joints: Vec::new(),
            fluids: Vec::new(),
            emitters: Vec::new(),
            drains: Vec::new(),
            materials: Materials::default(),
            colliders: Vec::new(),
            drives: vec![Drive::default()],
            animations: Vec::new(),
            releases: Vec::new(),
            tearing: None,
            curves: Vec::new(),
            origin: [0.0; 3],
        }
    }
}

impl Model {
    /// Its bodies but ballast, which comes last: those that are drawn, exported and listed.
    pub fn shown_bodies(&self) -> &[Body] {
        let shown = self.bodies.iter().position(|body| body.is_ballast).unwrap_or(self.bodies.len());
        &self.bodies[..shown]
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
    /// XPBD, with compliance in SI units, or PBD, with stiffness as a share of the error.
    pub mode: Mode,
    /// In which order constraints that share a particle are solved.
    pub method: Method,
    /// The integrator.
    pub integrator: Integrator,
    /// Frames per second, Hz, above 0. One step solves a frame, and exports hold one entry for each. Raising it also
    /// shortens the substeps.
    pub frame_rate: f64,
    /// Substeps per frame, at least 1. Raising it makes motion more accurate and stiff bodies stiffer; the cost grows
    /// linearly.
    pub substeps: u32,
    /// In which order a sweep goes through the constraints.
    pub sweep: Sweep,
    /// Sweeps over all constraints per substep, at least 1. Raising it solves each substep more exactly; the cost
    /// grows linearly. More substeps gain more for the same cost (Macklin et al. 2019).
    pub iterations: u32,
    /// Rounds in which each sweep solves the contacts of surfaces and those with colliders, at least 1. Raising it
    /// holds jammed folds apart better; the cost of contacts grows linearly. Without surfaces nothing reads it.
    pub contact_rounds: u32,
    /// Over-relaxation: every correction is multiplied by it. 0 < relaxation < 2; 1 is none. Raising it speeds up
    /// convergence; near 2 the solver no longer converges.
    pub relaxation: f64,
    /// PBD mode: use 1 - (1 - k)^(1/sweeps) in place of the stiffness k (Müller et al. 2007, section 3.3).
    pub corrected_stiffness: bool,
    /// The largest number of colours, 1 to 64. Constraints beyond it are solved in one Jacobi sweep, so that a
    /// particle with thousands of constraints does not cost a dispatch for each.
    pub max_colours: u32,
    /// Whether the multipliers of a frame are averaged over its substeps ([`Multiplier::mean`]), so that forces can be
    /// read without the noise of a single substep. It costs one more number read and written per constraint and sweep.
    /// Constraints that can break are averaged in any case.
    pub mean_forces: bool,
    /// Whether coarse levels carry the load of stiff sheets and long ropes, so that finer meshes need no more substeps
    /// ([`crate::plan::levels`]). `None` enables levels for bodies that would otherwise sag by more than 1 %, and by
    /// more than their material allows. XPBD mode only; three more dispatches a substep. Under levels a multiplier
    /// holds only the share of the force that levels leave to the constraint, a few per cent;
    /// [`crate::measure::balanced`] has the whole force. Bodies that can break or tear have no levels.
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
            contact_rounds: 8,
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

    /// How often a constraint is visited in a substep: twice in each sweep there and back.
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

/// What the stiffness of a constraint is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Compliance in SI units; stiffness independent of iterations and time step (Macklin et al. 2016).
    #[default]
    Xpbd,
    /// Stiffness k in 0..=1 applied at every iteration (Müller et al. 2007): depends on iterations and time step.
    Pbd,
}

/// In which order constraints that share a particle are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// One colour after another; each uses the corrections of the earlier ones.
    #[default]
    GaussSeidel,
    /// All constraints at once, with split masses: fewer dispatches, slower convergence.
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
    /// From the first to the last: half of the work a sweep. With three or more colours this has complex eigenvalues:
    /// slow modes gain energy from nothing, faster with shorter substeps. For comparison with solvers that sweep this
    /// way.
    OneWay,
}

impl Sweep {
    /// Its name in scenes and reports.
    pub fn name(self) -> &'static str {
        match self {
            Sweep::ThereAndBack => "there-and-back",
            Sweep::OneWay => "one-way",
        }
    }
}

/// The integrator: how a substep follows from those before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Implicit Euler, from the substep before (with Δx = h v + h² a: Macklin et al. 2016). Errors fall with h; it
    /// damps oscillations: e^(-ω² h t) of the energy is left after a time t.
    #[default]
    Euler,
    /// The backward differentiation formula of second order, from the two substeps before: x' = (4x - x₋₁)/3 + H v' and
    /// v' = (4v - v₋₁)/3 + H a with H = 2h/3. Errors fall with h², and oscillations keep their energy much better;
    /// jerks ring longer. The first substep, and the first after a change of its length, is implicit Euler. It damps
    /// so little that it needs sweeps there and back. It takes 32 more bytes a particle.
    Bdf2,
}

/// What acts on all particles.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Acceleration of gravity, m/s².
    pub gravity: [f64; 3],
    /// Velocity of the air, m/s. It acts on bodies with drag or lift.
    pub wind: [f64; 3],
    /// Density of the air, kg/m³, at least 0: drag and lift are proportional to it.
    pub air_density: f64,
    /// Speed limit of every particle, m/s, above 0; `None` for none. It keeps a simulation that blows up finite, but
    /// does not conserve momentum.
    pub max_speed: Option<f64>,
    /// Largest speed at which a collider pushes out a body that begins inside it, m/s, above 0. Raising it ends the
    /// overlap sooner and throws stiff bodies harder. It does not act on bodies that begin outside.
    pub push_out_speed: f64,
    /// How the friction coefficients of two bodies, or of a body and a collider, combine.
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
    /// Positions at the start, m, one per particle.
    pub positions: Vec<[f64; 3]>,
    /// Velocities at the start, m/s, one per particle.
    pub velocities: Vec<[f64; 3]>,
    /// 1/kg, one per particle; 0 for a fixed particle.
    pub inverse_masses: Vec<f64>,
    /// Index into [`Model::bodies`], one per particle.
    pub bodies: Vec<u32>,
    /// Index into [`Model::drives`], one per particle.
    pub drives: Vec<u32>,
}

impl Particles {
    /// Particles of the first body, at rest and without drives: one at each position, m, with its inverse mass, 1/kg.
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

/// A named range of particles with its surface and its contact properties. The default has no particles, no radius, no
/// friction and no drag.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Unique in the model.
    pub name: String,
    /// Indices of its particles, without gaps.
    pub particles: Range<u32>,
    /// Triangles over particle indices of the model, counter-clockwise seen from outside; empty where there is no
    /// surface.
    pub triangles: Vec<[u32; 3]>,
    /// The surface that is drawn and exported in place of the triangles and particles, if there is one.
    pub skin: Option<crate::mesh::Skin>,
    /// Distance from a particle at which it touches a collider, m, at least 0; particles touch each other at the sum of
    /// theirs, or less as [`Body::self_collision`] says, those without a radius never.
    pub radius: f64,
    /// Coefficient of static friction, at least 0; [`World::friction_combine`] combines those of a pair.
    pub friction: f64,
    /// Coefficient of dynamic friction, at least 0; combined in a pair as the static one is. Raising it stops sliding
    /// sooner.
    pub dynamic_friction: f64,
    /// Speed kept in a rebound, 0 to 1; that of a pair is the mean of the two.
    pub restitution: f64,
    /// Inverse stiffness of contacts between particles, m/N, at least 0: a pair has the sum of the two, and overlaps
    /// by that times the force. 0 is rigid.
    pub contact_compliance: f64,
    /// Whether its particles collide with each other. Particles that constraints connect, also through other bodies,
    /// never collide if they were placed closer than the sum of their radii. Unconnected ones that were placed closer
    /// collide at their initial distance.
    pub self_collision: bool,
    /// Whether it touches others with its faces and edges, which then never pass through each other, in place of balls
    /// at its particles. It needs a radius. Others without it are points, or the lines of their strands and segments,
    /// for those that have it.
    pub surface_contact: bool,
    /// Pairs of its particles, as indices of the model, between which other particles do not pass: they touch the line
    /// between the two as they touch a particle. Without a radius they pass.
    pub segments: Vec<[u32; 2]>,
    /// The groups with which it collides.
    pub groups: Groups,
    /// Coefficient of the air's drag: F = ½ ρ A C v², with A the area that a triangle turns to the wind. A segment of a
    /// strand is a cylinder of the body's radius: A = 2 r L sin α at the angle α to its axis, so that a strand has no
    /// drag along itself. A loose particle is a ball. About 1.1 for a plate or a cylinder, 0.5 for a ball.
    pub drag: f64,
    /// Coefficient of the air's lift on triangles: F = ½ ρ A C v² sin α cos α at the angle of attack α.
    pub lift: f64,
    /// How many consecutive particles each of its strands has; `None` if it is no rope, hair or strip.
    pub strand: Option<u32>,
    /// The range in the group of distances that resists stretch: in sheets with shear included, in strands from
    /// particle to particle. `None` for other bodies.
    pub stretch: Option<Range<u32>>,
    /// The range in the group of distances that resists the bending of a sheet, across two edges; these distances
    /// resist stretch as well. `None` if other constraints do, or none.
    pub bend: Option<Range<u32>>,
    /// Damping of motion other than translation and rotation of the body: its rate k, 1/s, at least 0. e^(-k t) of the
    /// motion is left after a time t, whatever the substeps (Müller et al. 2007, section 3.5). Translation and
    /// rotation are those of the free particles. Raising it calms wobbles sooner. It does not slow rotation; implicit
    /// Euler does, as exp(-ω² h t).
    pub damping: f64,
    /// Linear red, green, blue, 0 to 1; `None` for that of its look or one from the renderer's palette.
    pub colour: Option<[f32; 3]>,
    /// Whether it is there for its mass alone, inside a rigid body: nothing draws, exports or lists it. Such bodies
    /// come last.
    pub is_ballast: bool,
    /// What it looks as if it were made of; `None` for cloth where it has an open surface, plastic otherwise.
    pub look: Option<Finish>,
}
