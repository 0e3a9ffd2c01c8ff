//! Constraints that have no shape as placed: elements without area or volume, and angles whose arms have no direction.
//! Their kinds divide by what is zero there, or by the rounding of it.

use crate::constraint::{Kind, Placed};
use crate::math::Vec3;

/// The least height of an element, m, that single precision can work with: the cube of its inverse must stay in range.
pub(super) const LEAST_HEIGHT: f64 = 1e-10;
/// The least height of an element as a share of its longest edge, and the least sine of an angle: single precision
/// tells corners apart by 6e-8 of their distance, which is a sixteenth of such a height.
pub(super) const LEAST_SHARE: f64 = 1e-6;

/// What is wrong with a constraint as placed: a verb with what follows it, and what to do.
#[derive(Debug, PartialEq)]
pub(super) struct Fault {
    pub what: String,
    pub remedy: String,
}

type Point = Vec3<f64>;

/// Refuses what has no shape at `x`. `is_given` says whether the scene gives a rest value, which then need not be
/// measured.
pub(super) fn check(kind: &dyn Kind, x: &[Point], given: impl Fn(usize) -> Option<f64>) -> Result<(), Fault> {
    let measured = |index: usize| given(index).is_none();
    let name = kind.name();
    let fault = |what: String, remedy: String| Err(Fault { what, remedy });
    match (kind.placed(), x) {
        (Placed::PlanarArms, &[a, vertex, b]) => planar_angle([a - vertex, b - vertex]),
        (Placed::Arms, &[a, vertex, b]) => spatial_angle([a - vertex, b - vertex], given(0)),
        (Placed::Hinge, &[a, b, c, d]) => {
            let flat = [("c", [a, b, c]), ("d", [b, a, d])].into_iter().find(|(_, x)| is_flat_triangle(*x));
            flat.map_or(Ok(()), |(corner, _)| {
                let what = format!(
                    "is a hinge with a triangle without area: its corner {corner} is placed in a line with the edge \
                     from a to b, and `{name}` has no angle there"
                );
                fault(what, format!("move {corner} off that line"))
            })
        }
        (Placed::WeightedTriangle, &[_, a, b, c]) if (measured(0) || measured(1)) && is_flat_triangle([a, b, c]) => {
            let what = "holds a particle at a triangle placed without area, where its weights are undefined".to_owned();
            fault(what, "move a corner of the triangle, or give `weight_b` and `weight_c`".to_owned())
        }
        (Placed::Triangle, &[_, a, b, c]) if is_flat_triangle([a, b, c]) => {
            let what = format!("holds a particle off a triangle placed without area, where `{name}` has no side");
            fault(what, "move a corner of the triangle".to_owned())
        }
        (Placed::Edges, &[a, b, c, d]) => edges_apart([b - a, d - c]),
        (_, &[a, b, c]) if is_element(kind, measured) && is_flat_triangle([a, b, c]) => {
            fault(format!("is a triangle placed without area, which `{name}` needs"), remedy_of(kind))
        }
        (_, &[a, b, c, d]) if is_element(kind, measured) && is_flat_tetrahedron([a, b, c, d]) => {
            let what = format!("is a tetrahedron placed flat, and `{name}` needs its volume");
            fault(what, remedy_of(kind))
        }
        _ => Ok(()),
    }
}

/// Whether a kind measures the shape of its particles as placed: by its edges, or area or volume alone.
fn is_element(kind: &dyn Kind, measured: impl Fn(usize) -> bool) -> bool {
    (kind.shape().is_some() || kind.placed() == Placed::Extent) && measured(kind.shape().unwrap_or(0))
}

fn remedy_of(kind: &dyn Kind) -> String {
    match kind.shape() {
        Some(_) => "move one of its particles".to_owned(),
        None => format!("move one of its particles, or give its `{}`", kind.rest()[0].name),
    }
}

/// Edges are held apart along the direction at right angles to both, which parallel ones do not have.
fn edges_apart([a, b]: [Point; 2]) -> Result<(), Fault> {
    let [longer, shorter] = [a.length().max(b.length()), a.length().min(b.length())];
    let sine = a.cross(b).length() / (longer * shorter);
    // Not a number is none.
    match shorter > LEAST_HEIGHT && sine > LEAST_SHARE {
        true => Ok(()),
        false => Err(Fault {
            what: "holds two edges apart that are placed parallel or without length, and `edge_edge` has no direction \
                 there"
                .to_owned(),
            remedy: "turn one of the edges, or hold their ends apart by `point_triangle` or `distance`".to_owned(),
        }),
    }
}

/// A planar angle sees x and y only.
fn planar_angle([a, b]: [Point; 2]) -> Result<(), Fault> {
    let longest = a.length().max(b.length());
    let off = a.z.abs().max(b.z.abs());
    if off > LEAST_SHARE * longest {
        let what = format!(
            "is a planar angle, and its particles lie up to {off:.3e} m apart along z: `angle` measures in x and y \
             only, and motion along z gives it energy"
        );
        let remedy = "use `spatial_angle` (`planar = false` of a constraint), or place them in a plane of x and y";
        return Err(Fault { what, remedy: remedy.to_owned() });
    }
    has_length([a, b])
}

fn has_length(arms: [Point; 2]) -> Result<(), Fault> {
    match arms.into_iter().all(|arm| arm.length() >= LEAST_HEIGHT) {
        true => Ok(()),
        false => Err(Fault {
            what: "is an angle with an arm placed without length".to_owned(),
            remedy: "move the particle off its vertex".to_owned(),
        }),
    }
}

/// Arms in one line have no plane in which they could open or close to another angle than theirs.
fn spatial_angle([a, b]: [Point; 2], rest: Option<f64>) -> Result<(), Fault> {
    has_length([a, b])?;
    let sine = a.cross(b).length() / (a.length() * b.length());
    let placed = a.cross(b).length().atan2(a.dot(b));
    match rest.filter(|rest| sine < LEAST_SHARE && (rest - placed).abs() > LEAST_SHARE) {
        None => Ok(()),
        Some(rest) => Err(Fault {
            what: format!(
                "is an angle whose arms are placed in one line, so that the side to which it should bend to {rest} rad \
                 is undefined"
            ),
            remedy: "bend it a little as placed, or leave out `rest_angle`".to_owned(),
        }),
    }
}

/// Whether a triangle has no area, or so little that single precision does not see its height.
pub(super) fn is_flat_triangle(x: [Point; 3]) -> bool {
    let longest = [x[1] - x[0], x[2] - x[1], x[0] - x[2]].into_iter().map(Vec3::length).fold(0.0, f64::max);
    let doubled_area = (x[1] - x[0]).cross(x[2] - x[0]).length();
    // Not finite is flat, too.
    let least = longest * LEAST_HEIGHT.max(LEAST_SHARE * longest);
    // Not a number is no area.
    doubled_area.is_nan() || doubled_area <= least
}

/// Whether a tetrahedron has no volume, or so little that single precision does not see its height.
pub(super) fn is_flat_tetrahedron(x: [Point; 4]) -> bool {
    let [a, b, c] = [1, 2, 3].map(|i| x[i] - x[0]);
    let six_volumes = a.cross(b).dot(c).abs();
    let edges = [a, b, c, b - a, c - b, a - c];
    let longest = edges.into_iter().map(Vec3::length).fold(0.0, f64::max);
    let faces = [a.cross(b), b.cross(c), c.cross(a), (b - a).cross(c - a)];
    let largest = faces.into_iter().map(Vec3::length).fold(0.0, f64::max);
    let least = largest * LEAST_HEIGHT.max(LEAST_SHARE * longest);
    six_volumes.is_nan() || six_volumes <= least
}
