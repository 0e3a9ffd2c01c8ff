//! Constraint kinds, and the theory of how they are solved.
//!
//! # What a constraint is
//!
//! A constraint is a number C that depends on the positions of some particles and is zero when they are as they should
//! be. For a distance it is C = |x₀ - x₁| - L: how much too long the distance is, m. Its gradient ∇C says in which
//! direction to move each particle to raise C fastest; for a distance that is the unit vector from one end to the
//! other.
//!
//! ```
//! use pliant::constraint::{Constraint, Distance, Vec3};
//!
//! let ends = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];
//! let mut gradient = [Vec3::zero(); 2];
//! let c = Distance::evaluate(&[1.5], 0, &ends, &mut gradient); // a rest length of 1.5 m
//! assert_eq!(c, 0.5); // 0.5 m too long
//! assert_eq!(gradient[1], Vec3::new(0.0, 1.0, 0.0)); // moving the upper end up lengthens it
//! ```
//!
//! # What a substep does
//!
//! A substep of length h first moves each particle freely, by its velocity and by gravity. Then it visits the
//! constraints one after another. Each visit moves the particles of one constraint along its gradient, each in
//! proportion to its inverse mass w, until C is as small as the constraint's stiffness asks. At the end of the substep
//! the velocities follow from how far the particles have come.
//!
//! # The multiplier, compliance and damping
//!
//! XPBD (Macklin, Müller and Chentanez, 2016) gives each constraint an energy C²/2α. The **compliance** α is the
//! inverse of a stiffness, in m/N for a distance; 0 is rigid. The constraint's force is λ∇C/h², where λ is its
//! **multiplier**. A visit changes λ by
//!
//! ```text
//! Δλ = (-C - α̃ λ - γ ∇C·(x - xⁿ)) / ((1 + γ) Σ w|∇C|² + α̃),    α̃ = α/h²,    γ = α̃ β h
//! ```
//!
//! and moves each of its particles by w ∇C Δλ. xⁿ is the position at the beginning of the substep. The **damping** β
//! adds a force -β dC/dt, in N s/m for a distance. It needs a compliance above 0: a rigid constraint has nothing to
//! damp.
//!
//! λ starts at zero in each substep and is kept between visits. The term α̃ λ makes the visits stop where C = -α̃ λ,
//! which is Hooke's law: force = -C/α. More **iterations** come closer to this point but do not move it, and the
//! **length of the substep** cancels in the force. So stiffness depends on neither, as long as the visits suffice to
//! come near. Where they do not, as for a long rope of rigid segments with few substeps, the body is softer than its
//! compliance says. `pliant check` predicts by how much; more substeps help most (Macklin et al., Small Steps in
//! Physics Simulation, 2019).
//!
//! ```
//! use pliant::scene::{Body, Constraint, Scene};
//! use pliant::{Plan, Reference};
//!
//! // A weight of 2 kg hangs by a damped spring of 100 N/m from a fixed particle, and comes to rest m g α lower.
//! for (substeps, iterations) in [(5, 1), (10, 1), (5, 4)] {
//!     let spring = Constraint::new("distance", [[0, 1]]).compliance(1e-2).damping(30.0).rest("rest_length", 1.0);
//!     let weight = Body::particles([[0.0, 0.0, 0.0], [0.0, -1.0, 0.0]]).mass(4.0).pin(0).constrain(spring);
//!     let mut scene = Scene::new("a weight on a spring").with(weight);
//!     (scene.settings.substeps, scene.settings.iterations) = (substeps, iterations);
//!     let model = scene.build()?.model;
//!     let mut solver = Reference::new(&model, &Plan::new(&model));
//!     (0..240).for_each(|_| solver.step());
//!     let lower = -1.0 - solver.state().positions[1][1];
//!     assert!((lower - 2.0 * 9.81 * 1e-2).abs() < 1e-3, "{lower} m");
//! }
//! # Ok::<(), pliant::scene::SceneError>(())
//! ```
//!
//! # Sweeps there and back
//!
//! One visit of all constraints is a **sweep**. By default it goes from the last constraint to the first and back to
//! the last ([`Sweep`](crate::model::Sweep)), so it visits each of them twice. What a substep does to a small
//! displacement is then symmetric, and no motion gains energy, at any number of substeps. A sweep in one direction
//! costs half as much, but slow motions gain energy from nothing.
//!
//! # PBD mode
//!
//! In PBD mode ([`Mode::Pbd`](crate::model::Mode::Pbd); Müller et al., 2007) there is no compliance. Each visit removes
//! a share of C, the **stiffness**, 0 to 1. A body is then the stiffer the more iterations and substeps there are. It
//! is there for comparison, and for assets that were made for it.
//!
//! # A kind of your own
//!
//! A kind is a function from positions to C and ∇C, and nothing else. Compliance, damping, multipliers, sides,
//! breaking, forces, Gauss-Seidel and Jacobi are written once for all kinds, in `shaders/solve/`, [`crate::reference`]
//! and [`crate::cpu`]. The author of a kind writes a record, a WGSL function and its twin in Rust: see [`Constraint`]
//! for an example. From outside of the crate, hand `kind::<Yours>()` to
//! [`Scene::register`](crate::scene::Scene::register) or to a [`Group`](crate::model::Group) of the model. To add a
//! kind to Pliant: one WGSL file in `shaders/constraint/`, one Rust file here, one entry in [`ALL`].

mod angle;
mod area;
mod attach;
mod attach_triangle;
mod corotated;
mod dihedral;
mod distance;
mod edge_edge;
mod energy;
mod erased;
mod isometric_bend;
mod linear_matching;
mod loop_area;
mod many;
mod modes;
mod neo_hookean;
mod on_cpu;
mod placed;
mod plane;
mod point_segment;
mod point_triangle;
mod quadratic_matching;
mod questions;
pub(crate) mod reshape;
mod rest_shape;
mod rules;
mod shape_matching;
mod side;
mod spatial_angle;
mod strain;
mod stvk;
mod surface_corotated;
mod surface_strain;
mod surface_stvk;
mod surface_volume;
mod tether;
mod volume;
mod weight;
mod weld;

pub use angle::Angle;
pub use area::Area;
pub use attach::Attach;
pub use attach_triangle::AttachTriangle;
pub use corotated::Corotated;
pub use dihedral::Dihedral;
pub use distance::Distance;
pub use edge_edge::EdgeEdge;
pub use erased::{Kind, kind};
pub use isometric_bend::IsometricBend;
pub use linear_matching::LinearMatching;
pub use loop_area::LoopArea;
pub use many::{Listed, Members, Whole};
pub use neo_hookean::NeoHookean;
#[doc(hidden)]
pub use on_cpu::OnCpu;
pub use placed::Placed;
pub use plane::Plane;
pub use point_segment::PointSegment;
pub use point_triangle::PointTriangle;
pub use quadratic_matching::QuadraticMatching;
pub use shape_matching::ShapeMatching;
pub(crate) use shape_matching::inverse_inertia;
pub use side::Side;
pub use spatial_angle::SpatialAngle;
pub use strain::Strain;
pub use stvk::Stvk;
pub use surface_corotated::SurfaceCorotated;
pub use surface_strain::SurfaceStrain;
pub use surface_stvk::SurfaceStvk;
pub use surface_volume::SurfaceVolume;
pub use tether::Tether;
pub use volume::Volume;
#[cfg(feature = "cpu")]
pub(crate) use weight::LEAST_WEIGHT;
pub use weight::Weight;
pub use weld::Weld;

use crate::base::layout::Record;
pub use crate::math::{Dual, Real, Vec3};

/// Every kind that ships with Pliant, in the order in which a substep solves them: what must not be passed comes last.
pub static ALL: &[&dyn Kind] = &[
    kind::<Distance>(),
    kind::<Angle>(),
    kind::<SpatialAngle>(),
    kind::<Dihedral>(),
    kind::<IsometricBend>(),
    kind::<Area>(),
    kind::<LoopArea>(),
    kind::<Volume>(),
    kind::<SurfaceVolume>(),
    kind::<NeoHookean>(),
    kind::<SurfaceStvk>(),
    kind::<Stvk>(),
    kind::<SurfaceCorotated>(),
    kind::<Corotated>(),
    kind::<SurfaceStrain>(),
    kind::<Strain>(),
    kind::<ShapeMatching>(),
    kind::<LinearMatching>(),
    kind::<QuadraticMatching>(),
    kind::<Tether>(),
    kind::<Attach>(),
    kind::<Weld>(),
    kind::<AttachTriangle>(),
    kind::<PointSegment>(),
    kind::<PointTriangle>(),
    kind::<EdgeEdge>(),
    kind::<Plane>(),
];

/// How many particles one constraint of a kind connects; each has its own glue in `shaders/solve/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arity {
    /// One particle against the world: an attachment to a point.
    One,
    /// Two ends: a distance.
    Two,
    /// Three corners: the area of a triangle.
    Three,
    /// Four corners: the angle between two triangles, the volume of a tetrahedron.
    Four,
    /// Any number, listed beside the record; solved by one workgroup with a reduction in fixed order.
    Many,
}

impl Arity {
    /// Particles per constraint; `None` for [`Arity::Many`].
    pub fn count(self) -> Option<usize> {
        match self {
            Arity::One => Some(1),
            Arity::Two => Some(2),
            Arity::Three => Some(3),
            Arity::Four => Some(4),
            Arity::Many => None,
        }
    }
}

/// A motion of all particles of a constraint that leaves its C unchanged. The generic tests apply what a kind declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// A shift of all particles by one vector.
    Translation,
    /// A turn of all particles about one axis.
    Rotation,
    /// Mirror image.
    Reflection,
}

/// A rest value of a kind, as a scene names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestValue {
    /// Key in a scene and field in the record: `rest_length`.
    pub name: &'static str,
    /// SI unit: `m`.
    pub unit: &'static str,
    /// Whether values below zero make sense (an angle, a signed volume).
    pub signed: bool,
}

/// How a running simulation may change rest values of a kind each of which is what its component of C is measured
/// against, C_k = measured_k - rest_k, or a multiple of that ([`Constraint::REST_SCALE`]). The generic tests hold the
/// kind to that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestChange {
    /// A curve multiplies them, and a yield point is a share of them: lengths, areas, volumes. What flows does not take
    /// them through zero.
    Factor,
    /// A curve adds to them, and a yield point is in their unit: angles, coordinates.
    Offset,
}

/// What the author of a kind writes. The implementing type is the kind's record on the GPU: a `#[repr(C)]` struct made
/// with [`gpu_record!`](crate::gpu_record) that equals the WGSL struct of the same name field by field. It begins with
/// `particles` and holds every rest value by name, and `material`. (A kind of [`Arity::Many`] has `first` and `count`
/// into the list of members in place of `particles`, and `data` where the list holds more for each particle.)
///
/// ```
/// use pliant::constraint::{Arity, Constraint, Real, RestValue, Symmetry, Vec3, kind};
/// use pliant::scene::{self, Body, Scene};
/// use pliant::{Plan, Reference};
///
/// pliant::gpu_record! {
///     /// Holds a particle at a height above the origin.
///     struct Buoy {
///         particles: u32,
///         height: f32,
///         material: u32,
///     }
/// }
///
/// impl Constraint for Buoy {
///     const NAME: &'static str = "buoy";
///     // x + d is where the particle is: its position when the substep began, and its displacement since then.
///     const WGSL: &'static str = "
///         struct Buoy { particles: u32, height: f32, material: u32 }
///
///         fn buoy(c: Buoy, x: vec3f, d: vec3f) -> Evaluation1 {
///             return Evaluation1((x.y - c.height) + d.y, vec3f(0.0, 1.0, 0.0));
///         }";
///     const ARITY: Arity = Arity::One;
///     const REST: &'static [RestValue] = &[RestValue { name: "height", unit: "m", signed: true }];
///     const SYMMETRIES: &'static [Symmetry] = &[];
///
///     fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
///         Self { particles: particles[0], height: rest[0], material }
///     }
///     fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
///         vec![x[0].y]
///     }
///     #[inline(always)]
///     fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
///         gradient[0] = Vec3::axis(1);
///         x[0].y - rest[0]
///     }
/// }
///
/// // Rigid, and without a height in the scene: it holds the particle where it is placed.
/// let buoy = scene::Constraint::new("buoy", [[0]]);
/// let mut scene = Scene::new("a buoy").with(Body::particles([[0.0, 3.0, 0.0]]).constrain(buoy));
/// scene.register(kind::<Buoy>());
///
/// let model = scene.build()?.model;
/// let mut solver = Reference::new(&model, &Plan::new(&model));
/// solver.step();
/// assert!((solver.state().positions[0][1] - 3.0).abs() < 1e-9);
/// # Ok::<(), pliant::scene::SceneError>(())
/// ```
///
/// `examples/custom_constraint.rs` runs a kind on a GPU.
pub trait Constraint: Record + Send + Sync {
    /// Key in scenes and reports, and name of the WGSL function: `distance`. The WGSL struct bears the Rust type's
    /// name.
    const NAME: &'static str;
    /// Another key by which scenes may call it, shared with kinds that connect other numbers of particles: `attach` is
    /// of one particle to a point, of two to each other, of four to a triangle.
    const FAMILY: &'static str = Self::NAME;
    /// Text of the WGSL file: the struct and the function.
    ///
    /// The same bits whichever kernel does the work need sums without products or quotients for operands, which drivers
    /// contract as they like: `fma(a, b, c)`, and `dot3`, `cross3`, `length3` and the others of
    /// `shaders/lib/products.wgsl` in place of WGSL's `dot`, `cross`, `length` and products with matrices.
    const WGSL: &'static str;
    /// How many particles a constraint connects.
    const ARITY: Arity;
    /// The fewest particles of a constraint of [`Arity::Many`]; of [`Listed::Triangles`] the fewest corners.
    const LEAST: usize = 1;
    /// How a constraint of [`Arity::Many`] lists its particles.
    const LISTED: Listed = Listed::InOrder;
    /// Rest values that a constraint of [`Arity::Many`] has for each of its particles, in place of those in
    /// [`Constraint::REST`]. Every list named `rest` has them particle by particle, in this order. They are no fields
    /// of the record: the WGSL function reads what [`Constraint::push_data`] makes of them. Those that are not signed
    /// are above 0.
    const MEMBER_REST: &'static [RestValue] = &[];
    /// What the kernel of a kind of [`Arity::Many`] does with all particles of a constraint at once. Who makes C
    /// something else than a sum over the particles, or has a [`Constraint::weight`] of its own, says it here.
    const WHOLE: Whole = Whole::SUM;
    /// Scalar equations per constraint, each with a multiplier of its own, solved one after the other. One only for
    /// [`Arity::Many`].
    const COMPONENTS: usize = 1;
    /// Whether each component has a material of its own, with a compliance, damping, stiffness, yield point and so on:
    /// those that follow one another in the table from the record's `material` on. Else all components have that one.
    const OWN_MATERIALS: bool = false;
    /// Rest values of a constraint, in the order of every list named `rest`; empty if it needs none.
    const REST: &'static [RestValue];
    /// How curves and yielding may change rest values, as many as there are components: all of them, or those from
    /// [`Constraint::FIRST_CHANGING`] on. `None` if nothing may, as C is not measured against them.
    const REST_CHANGE: Option<RestChange> = None;
    /// Whether blend shapes and yielding may change the rest values of its particles, which are then x, y, z and a
    /// weight of each ([`RestShape`](crate::model::RestShape)).
    const RESHAPES: bool = false;
    /// Which of the rest values is the first that may change. They follow one another in the record, too.
    const FIRST_CHANGING: usize = 0;
    /// Which of the other rest values C is multiplied by, C_k = scale (measured_k - rest_k), so that C²/2 is an energy
    /// density over the whole of an element; `None`: by none.
    const REST_SCALE: Option<usize> = None;
    /// Motions that leave C unchanged; empty if none does. The generic tests hold the kind to them; the solver does not
    /// ask.
    const SYMMETRIES: &'static [Symmetry];
    /// Of an element of a solid (four particles) or a sheet (three) where in [`Constraint::REST`] the inverse of its
    /// rest shape begins, 1/m: nine numbers row by row, of [x₁ - x₀, x₂ - x₀, x₃ - x₀], or four of a triangle. C is
    /// then a function of what the element's edges times that inverse are, and Σ C²/2α its energy, from which strain
    /// and stress follow: see [`crate::measure::elements`]. Elements balance each other at the particles between them:
    /// what one sweep leaves of them is taken off their compliance (`shaders/lib/xpbd.wgsl`).
    const SHAPE: Option<usize> = None;
    /// Whether PBD mode makes sense: C must be zero at rest.
    const PBD: bool = true;
    /// In which direction it acts where a scene does not say.
    const SIDE: Side = Side::Both;
    /// Whether C is a distance, never below zero, which it need not reach. A side then has no sense; and a rigid
    /// constraint tells no force, since what the sweeps leave of C is rounding.
    const NEVER_NEGATIVE: bool = false;
    /// What it needs of the places of its particles in a scene.
    const PLACED: Placed = Placed::Anyhow;

    /// The record of one constraint. `particles` are slots of the plan's order. [`Arity::Many`]: in the list of members
    /// where its slots begin, how many they are, and where its data begin ([`Constraint::push_data`]).
    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self;

    /// The rest values of a constraint left out of a scene: what the particles as placed (m) measure, one for each of
    /// [`Constraint::REST`], or of [`Constraint::MEMBER_REST`] for each particle.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64>;

    /// Gives measured rest values what they owe to the inverse masses of the particles, 1/kg. Most owe them nothing.
    fn weigh(_rest: &mut [f64], _inverse_mass: &dyn Fn(usize) -> f64) {}

    /// Appends to the list of members what the WGSL function of a kind of [`Arity::Many`] finds there for the particles
    /// of a constraint: as many words for each as the kind likes, and whatever tells where they are. Most need nothing.
    fn push_data(_members: &Members, _list: &mut Vec<u32>) {}

    /// The twin of the WGSL function: returns C of one component and writes its gradient, one vector per particle.
    /// `rest` is as long as what [`Constraint::measure`] returns, `x` (m) and `gradient` as the constraint lists
    /// particles ([`Constraint::LISTED`]), and `component` is below [`Constraint::COMPONENTS`].
    ///
    /// Write `#[inline(always)]` at it and at what it calls, and loops in place of closures: for the CPU engine it is
    /// compiled once for each width of registers, and an operation outside of the function that is compiled for them is
    /// a call of its own.
    fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R;

    /// What the multiplier divides by beside α̃, of a constraint whose C and gradient with the particles at `x`, m,
    /// these are. Only a kind of [`Arity::Many`] may have another than Σ w|∇C|², and its [`Constraint::WHOLE`] is then
    /// the twin of this. Particles are each once here, also of [`Listed::Triangles`]; `inverse_mass` (1/kg) is by
    /// particle of the constraint.
    fn weight(
        _rest: &[f64],
        _x: &[Vec3<f64>],
        _value: f64,
        gradient: &[Vec3<f64>],
        inverse_mass: &dyn Fn(usize) -> f64,
    ) -> Weight {
        Weight::sum(gradient, inverse_mass)
    }
}
