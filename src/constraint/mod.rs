//! Constraint kinds. A kind is a function from positions to values and their gradients, and nothing else: compliance,
//! damping, multipliers, one-sidedness, breaking, forces, Gauss-Seidel and Jacobi are written once, in `shaders/solve/`
//! and in [`crate::reference`], and serve every kind.
//!
//! Adding a kind: one WGSL file in `shaders/constraint/`, one Rust file here, one entry in [`ALL`]. An embedder does
//! the same from outside the crate and hands `kind::<Theirs>()` to the scene or the model.

mod angle;
mod area;
mod attach;
mod attach_triangle;
mod corotated;
mod dihedral;
mod distance;
mod edge_edge;
mod energy;
mod isometric_bend;
mod loop_area;
mod neo_hookean;
mod on_cpu;
mod plane;
mod point_segment;
mod point_triangle;
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
mod weld;

pub use angle::Angle;
pub use area::Area;
pub use attach::Attach;
pub use attach_triangle::AttachTriangle;
pub use corotated::Corotated;
pub use dihedral::Dihedral;
pub use distance::Distance;
pub use edge_edge::EdgeEdge;
pub use isometric_bend::IsometricBend;
pub use loop_area::LoopArea;
pub use neo_hookean::NeoHookean;
#[doc(hidden)]
pub use on_cpu::OnCpu;
pub use plane::Plane;
pub use point_segment::PointSegment;
pub use point_triangle::PointTriangle;
pub use shape_matching::ShapeMatching;
pub(crate) use shape_matching::{OF_MEMBER, effective_weight, inverse_inertia};
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
pub use weld::Weld;

use std::marker::PhantomData;
use std::ops::Range;

use crate::base::layout::{Field, Record};
pub use crate::math::{Dual, Real, Vec3};

/// ε of `shaders/lib/xpbd.wgsl`: of what a constraint would weigh with all its particles free, the share that its
/// multiplier is divided by at least. It is 16 roundings of single precision. Below its square the gradient itself is
/// rounding.
pub(crate) const LEAST_WEIGHT: f64 = 1e-6;

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
/// with [`gpu_record!`](crate::gpu_record) that equals the WGSL struct of the same name field by field, beginning with
/// `particles` (for [`Arity::Many`]: `first` and `count` into the list of members, of a [`Constraint::SURFACE`] then
/// `corners`, of a [`Constraint::FITTED`] one `places`)
/// and holding `material`.
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
    /// The fewest particles of a constraint of [`Arity::Many`]; of a [`Constraint::SURFACE`] the fewest corners.
    const LEAST: usize = 1;
    /// Whether a constraint of [`Arity::Many`] is over a closed surface. Its particles are then listed as the corners
    /// of the triangles, three each, and it is measured and evaluated at these: `x` and `gradient` have an entry for
    /// each corner, and the frame sums those of a particle. The WGSL function finds in `members` the triangles at each
    /// particle.
    const SURFACE: bool = false;
    /// Whether a constraint of [`Arity::Many`] keeps the shape of all its particles: its rest values are a place, m,
    /// and a weight above 0 for each of them, and [`Constraint::REST`] is empty. The frame lays the rest shape onto the
    /// particles as a rigid body; in its WGSL function `offset(c.first, c.places, k)` is how far each is off its place
    /// in that, and C is the root of the sum of what it returns, the gradient over C the gradient.
    const FITTED: bool = false;
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
    /// and stress follow: see [`crate::measure::elements`]. Elements balance each other at the particles between them: what one
    /// sweep leaves of them is taken off their compliance (`shaders/lib/xpbd.wgsl`).
    const SHAPE: Option<usize> = None;
    /// Whether PBD mode makes sense: C must be zero at rest.
    const PBD: bool = true;
    /// In which direction it acts where a scene does not say.
    const SIDE: Side = Side::Both;

    /// The record of one constraint. `particles` are slots of the plan's order ([`Arity::Many`]: first and count, and
    /// of a [`Constraint::SURFACE`] where in the list of members its corners are found, of a [`Constraint::FITTED`] one
    /// where its rest shape is).
    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self;

    /// The rest values of a constraint left out of a scene: what the particles as placed (m) measure, one for each of
    /// [`Constraint::REST`], or of a [`Constraint::FITTED`] one place and weight of each particle.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64>;

    /// The twin of the WGSL function: returns C of one component and writes its gradient, one vector per particle.
    /// `rest` is as long as what [`Constraint::measure`] returns, `x` (m) and `gradient` as the constraint has
    /// particles, and `component` is below [`Constraint::COMPONENTS`].
    ///
    /// Write `#[inline(always)]` at it and at what it calls, and loops in place of closures: for the CPU engine it is
    /// compiled once for each width of registers, and an operation outside of the function that is compiled for them is
    /// a call of its own.
    fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R;
}

/// A [`Constraint`] with its type erased: what scenes, models, plans and reports hold. Made by [`kind`].
pub trait Kind: OnCpu + Send + Sync {
    /// Key in scenes and reports; two kinds of one scene bear different names. See [`Constraint::NAME`].
    fn name(&self) -> &'static str;
    /// Another key, shared with kinds of other numbers of particles; see [`Constraint::FAMILY`].
    fn family(&self) -> &'static str;
    /// Name of the record struct in Rust and WGSL.
    fn record_name(&self) -> &'static str;
    /// Fields of the record, padding included, by ascending offset.
    fn record_fields(&self) -> &'static [Field];
    /// Bytes of one record.
    fn record_size(&self) -> usize;
    /// Text of the WGSL file: the record and the function; see [`Constraint::WGSL`].
    fn wgsl(&self) -> &'static str;
    /// How many particles a constraint connects.
    fn arity(&self) -> Arity;
    /// The fewest particles of a constraint: of [`Arity::Many`] what the kind says, else as many as it connects.
    fn least(&self) -> usize;
    /// Whether its particles are listed as the corners of a closed surface's triangles; see [`Constraint::SURFACE`].
    fn surface(&self) -> bool;
    /// Whether it keeps the shape of all its particles; see [`Constraint::FITTED`].
    fn fitted(&self) -> bool;
    /// Scalar equations per constraint, each with a multiplier of its own; at least 1.
    fn components(&self) -> usize;
    /// Whether each component has a material of its own; see [`Constraint::OWN_MATERIALS`].
    fn own_materials(&self) -> bool;
    /// Rest values of a constraint, in the order of every list named `rest`.
    fn rest(&self) -> &'static [RestValue];
    /// How curves and yielding may change the rest values; see [`Constraint::REST_CHANGE`].
    fn rest_change(&self) -> Option<RestChange>;
    /// Which of the rest values may change, one for each component; none where nothing may change them.
    fn changing_rest(&self) -> Range<usize>;
    /// Which of the rest values C is multiplied by; see [`Constraint::REST_SCALE`].
    fn rest_scale(&self) -> Option<usize>;
    /// Motions that leave C unchanged; see [`Constraint::SYMMETRIES`].
    fn symmetries(&self) -> &'static [Symmetry];
    /// Where in the rest values the inverse of an element's rest shape begins; see [`Constraint::SHAPE`].
    fn shape(&self) -> Option<usize>;
    /// Whether PBD mode makes sense; a scene in that mode refuses other kinds.
    fn pbd(&self) -> bool;
    /// In which direction it acts where a scene does not say.
    fn side(&self) -> Side;
    /// Appends the bytes of one record; see [`Constraint::record`].
    fn pack(&self, particles: &[u32], rest: &[f32], material: u32, bytes: &mut Vec<u8>);
    /// The rest values of a constraint with its particles at `x`, m: one for each of [`Kind::rest`], or a place and
    /// weight for each particle ([`Kind::fitted`]).
    fn measure(&self, x: &[Vec3<f64>]) -> Vec<f64>;
    /// C of one component with the particles at `x`, m; its gradient is written to `gradient`. Both lists are as long
    /// as the constraint has particles, `rest` as what [`Kind::measure`] returns. The unit of C is the kind's: m for a
    /// distance.
    ///
    /// # Panics
    /// If a list is shorter.
    fn evaluate(&self, rest: &[f64], component: usize, x: &[Vec3<f64>], gradient: &mut [Vec3<f64>]) -> f64;
    /// As [`Kind::evaluate`] with dual numbers, for the gradient tests.
    fn evaluate_dual(&self, rest: &[Dual], component: usize, x: &[Vec3<Dual>], gradient: &mut [Vec3<Dual>]) -> Dual;
}

impl std::fmt::Debug for dyn Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kind({})", self.name())
    }
}

/// Two kinds are the same when they bear the same name; a scene refuses two different kinds of one name.
impl PartialEq for dyn Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// The type-erased form of a constraint kind. A kind that contradicts itself does not compile.
pub const fn kind<C: Constraint>() -> &'static dyn Kind {
    const {
        rules::check::<C>();
        &Erased::<C>(PhantomData)
    }
}

struct Erased<C>(PhantomData<C>);

impl<C: Constraint> Kind for Erased<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }
    fn family(&self) -> &'static str {
        C::FAMILY
    }
    fn record_name(&self) -> &'static str {
        C::STRUCT
    }
    fn record_fields(&self) -> &'static [Field] {
        C::FIELDS
    }
    fn record_size(&self) -> usize {
        size_of::<C>()
    }
    fn wgsl(&self) -> &'static str {
        C::WGSL
    }
    fn arity(&self) -> Arity {
        C::ARITY
    }
    fn least(&self) -> usize {
        C::ARITY.count().unwrap_or(C::LEAST)
    }
    fn surface(&self) -> bool {
        C::SURFACE
    }
    fn fitted(&self) -> bool {
        C::FITTED
    }
    fn components(&self) -> usize {
        C::COMPONENTS
    }
    fn own_materials(&self) -> bool {
        C::OWN_MATERIALS
    }
    fn rest(&self) -> &'static [RestValue] {
        C::REST
    }
    fn rest_change(&self) -> Option<RestChange> {
        C::REST_CHANGE
    }
    fn changing_rest(&self) -> Range<usize> {
        let count = if C::REST_CHANGE.is_some() { C::COMPONENTS } else { 0 };
        C::FIRST_CHANGING..C::FIRST_CHANGING + count
    }
    fn rest_scale(&self) -> Option<usize> {
        C::REST_SCALE
    }
    fn symmetries(&self) -> &'static [Symmetry] {
        C::SYMMETRIES
    }
    fn shape(&self) -> Option<usize> {
        C::SHAPE
    }
    fn pbd(&self) -> bool {
        C::PBD
    }
    fn side(&self) -> Side {
        C::SIDE
    }
    fn pack(&self, particles: &[u32], rest: &[f32], material: u32, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(bytemuck::bytes_of(&C::record(particles, rest, material)));
    }
    fn measure(&self, x: &[Vec3<f64>]) -> Vec<f64> {
        C::measure(x)
    }
    fn evaluate(&self, rest: &[f64], component: usize, x: &[Vec3<f64>], gradient: &mut [Vec3<f64>]) -> f64 {
        C::evaluate(rest, component, x, gradient)
    }
    fn evaluate_dual(&self, rest: &[Dual], component: usize, x: &[Vec3<Dual>], gradient: &mut [Vec3<Dual>]) -> Dual {
        C::evaluate(rest, component, x, gradient)
    }
}
