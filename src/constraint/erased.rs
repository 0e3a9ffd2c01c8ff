//! Kinds with their types erased: what models hold side by side.

use std::marker::PhantomData;
use std::ops::Range;

use super::{
    Arity, Constraint, Dual, Listed, Members, OnCpu, Placed, RestChange, RestValue, Side, Symmetry, Vec3, Weight,
    Whole, rules,
};
use crate::base::layout::Field;

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
    /// How a constraint lists its particles; see [`Constraint::LISTED`].
    fn listed(&self) -> Listed;
    /// Rest values of each particle; see [`Constraint::MEMBER_REST`].
    fn member_rest(&self) -> &'static [RestValue];
    /// What its kernel does with all particles of a constraint at once; see [`Constraint::WHOLE`].
    fn whole(&self) -> Whole;
    /// Scalar equations per constraint, each with a multiplier of its own; at least 1.
    fn components(&self) -> usize;
    /// Whether each component has a material of its own; see [`Constraint::OWN_MATERIALS`].
    fn own_materials(&self) -> bool;
    /// Rest values of a constraint, in the order of every list named `rest`.
    fn rest(&self) -> &'static [RestValue];
    /// How curves and yielding may change the rest values; see [`Constraint::REST_CHANGE`].
    fn rest_change(&self) -> Option<RestChange>;
    /// Whether blend shapes and yielding may change the rest values of its particles; see [`Constraint::RESHAPES`].
    fn reshapes(&self) -> bool;
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
    /// Whether C is never below zero; see [`Constraint::NEVER_NEGATIVE`].
    fn never_negative(&self) -> bool;
    /// What it needs of the places of its particles; see [`Constraint::PLACED`].
    fn placed(&self) -> Placed;
    /// Appends the bytes of one record; see [`Constraint::record`].
    fn pack(&self, particles: &[u32], rest: &[f32], material: u32, bytes: &mut Vec<u8>);
    /// The rest values of a constraint with its particles at `x`, m: one for each of [`Kind::rest`], or of
    /// [`Kind::member_rest`] for each particle.
    fn measure(&self, x: &[Vec3<f64>]) -> Vec<f64>;
    /// Gives measured rest values what they owe to the particles' inverse masses, 1/kg; see [`Constraint::weigh`].
    fn weigh(&self, rest: &mut [f64], inverse_mass: &dyn Fn(usize) -> f64);
    /// Appends what the list of members has for the particles of a constraint; see [`Constraint::push_data`].
    fn push_data(&self, members: &Members, list: &mut Vec<u32>);
    /// C of one component with the particles at `x`, m; its gradient is written to `gradient`. Both lists are as long
    /// as the constraint has particles, `rest` as what [`Kind::measure`] returns. The unit of C is the kind's: m for a
    /// distance.
    ///
    /// # Panics
    /// If a list is shorter.
    fn evaluate(&self, rest: &[f64], component: usize, x: &[Vec3<f64>], gradient: &mut [Vec3<f64>]) -> f64;
    /// What the multiplier divides by beside α̃; see [`Constraint::weight`].
    fn weight(
        &self,
        rest: &[f64],
        x: &[Vec3<f64>],
        value: f64,
        gradient: &[Vec3<f64>],
        inverse_mass: &dyn Fn(usize) -> f64,
    ) -> Weight;
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

pub(super) struct Erased<C>(PhantomData<C>);

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
    fn listed(&self) -> Listed {
        C::LISTED
    }
    fn member_rest(&self) -> &'static [RestValue] {
        C::MEMBER_REST
    }
    fn whole(&self) -> Whole {
        C::WHOLE
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
    fn reshapes(&self) -> bool {
        C::RESHAPES
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
    fn never_negative(&self) -> bool {
        C::NEVER_NEGATIVE
    }
    fn placed(&self) -> Placed {
        C::PLACED
    }
    fn pack(&self, particles: &[u32], rest: &[f32], material: u32, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(bytemuck::bytes_of(&C::record(particles, rest, material)));
    }
    fn measure(&self, x: &[Vec3<f64>]) -> Vec<f64> {
        C::measure(x)
    }
    fn weigh(&self, rest: &mut [f64], inverse_mass: &dyn Fn(usize) -> f64) {
        C::weigh(rest, inverse_mass);
    }
    fn push_data(&self, members: &Members, list: &mut Vec<u32>) {
        C::push_data(members, list);
    }
    fn evaluate(&self, rest: &[f64], component: usize, x: &[Vec3<f64>], gradient: &mut [Vec3<f64>]) -> f64 {
        C::evaluate(rest, component, x, gradient)
    }
    fn weight(
        &self,
        rest: &[f64],
        x: &[Vec3<f64>],
        value: f64,
        gradient: &[Vec3<f64>],
        inverse_mass: &dyn Fn(usize) -> f64,
    ) -> Weight {
        C::weight(rest, x, value, gradient, inverse_mass)
    }
    fn evaluate_dual(&self, rest: &[Dual], component: usize, x: &[Vec3<Dual>], gradient: &mut [Vec3<Dual>]) -> Dual {
        C::evaluate(rest, component, x, gradient)
    }
}
