//! Surfaces that cross as they are placed. Contact of particles holds each part on the side on which it is;
//! that of surfaces parts them, slowly.

use std::collections::BTreeMap;

use crate::math::Vec3;
use crate::mesh::{Crossing, crossings};
use crate::model::{Body, Model};

/// The surfaces of two bodies, or of one, that cross.
#[derive(Debug, PartialEq)]
pub struct Crossed {
    /// Ascending; twice the same of one that crosses itself.
    pub bodies: [u32; 2],
    /// How many edges of the two pierce faces.
    pub edges: usize,
    /// One of the faces: its body, and its index in the body's triangles.
    pub face: (u32, usize),
    /// Where it is pierced, m, to about a hundredth of the edge.
    pub place: [String; 3],
}

/// All surfaces that cross, in the order of their bodies. Left out are pairs of bodies that constraints join, because
/// they are parts of one thing, pairs whose groups do not collide, pairs that are fixed, and rigid bodies that cross
/// themselves, as links of several shapes do: they never touch themselves.
pub fn find(model: &Model) -> Vec<Crossed> {
    let own = |body: usize| model.bodies[body].triangles.iter().map(move |corners| (body as u32, *corners));
    let (bodies, triangles): (Vec<u32>, Vec<[u32; 3]>) = (0..model.bodies.len()).flat_map(own).unzip();
    if triangles.is_empty() {
        return Vec::new();
    }
    let kin = model.kin().of_body;
    let free: Vec<bool> = model.bodies.iter().map(|body| is_free(model, body)).collect();
    let rigid: Vec<bool> = (0..model.bodies.len() as u32).map(|body| is_rigid(model, body)).collect();
    let meet = |edge: usize, face: usize| {
        let [one, other] = [edge, face].map(|triangle| bodies[triangle] as usize);
        let strange = || kin[one] != kin[other] && model.bodies[one].groups.meet(model.bodies[other].groups);
        (free[one] || free[other]) && (if one == other { !rigid[one] } else { strange() })
    };
    let mut pairs: BTreeMap<[u32; 2], Vec<Crossing>> = BTreeMap::new();
    for crossing in crossings(&model.particles.positions, &triangles, meet) {
        let [edge, face] = [model.particles.bodies[crossing.edge[0] as usize], bodies[crossing.triangle as usize]];
        pairs.entry([edge.min(face), edge.max(face)]).or_default().push(crossing);
    }
    let crossed = |(pair, found): ([u32; 2], Vec<Crossing>)| {
        let first = found[0];
        let body = bodies[first.triangle as usize];
        let before = bodies.partition_point(|&other| other < body);
        Crossed {
            bodies: pair,
            // Those of an edge follow each other.
            edges: found.chunk_by(|a, b| a.edge == b.edge).count(),
            face: (body, first.triangle as usize - before),
            place: place(model, first, triangles[first.triangle as usize]),
        }
    };
    pairs.into_iter().map(crossed).collect()
}

/// What contact does with two bodies that cross, or with one that crosses itself.
pub fn what_contact_does(model: &Model, [one, other]: [u32; 2]) -> &'static str {
    let [first, second] = [one, other].map(|body| &model.bodies[body as usize]);
    let touch = (one != other || first.self_collision) && first.radius > 0.0 && second.radius > 0.0;
    if touch && (first.surface_contact || second.surface_contact) {
        "parts them slowly, on the CPU"
    } else {
        "will not part them"
    }
}

fn is_rigid(model: &Model, body: u32) -> bool {
    model.rigid.iter().any(|rigid| rigid.body == body)
}

fn is_free(model: &Model, body: &Body) -> bool {
    let particles = body.particles.start as usize..body.particles.end as usize;
    model.particles.inverse_masses[particles].iter().any(|&w| w > 0.0)
}

/// Where an edge passes the plane of a face; the middle of one that lies in it.
fn place(model: &Model, crossing: Crossing, corners: [u32; 3]) -> [String; 3] {
    let at = |particle: u32| Vec3::from(model.particles.positions[particle as usize]);
    let ([p, q], [a, b, c]) = (crossing.edge.map(at), corners.map(at));
    let normal = (b - a).cross(c - a);
    let [below, above] = [p, q].map(|end| normal.dot(end - a));
    let share = below / (below - above);
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
    let found = <[f64; 3]>::from(p + (q - p) * share);
    let digits = (2.0 - (q - p).length().log10().floor()).clamp(0.0, 12.0) as usize;
    std::array::from_fn(|axis| format!("{:.digits$}", found[axis] + model.origin[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::TriangleMesh;
    use crate::mesh::generate::{Grid, Sphere};
    use crate::scene::{Balloon, Body, Cloth, Constraint, Scene};

    fn find_in(scene: &Scene) -> Vec<Crossed> {
        find(&scene.build().unwrap_or_else(|error| panic!("{error}")).model)
    }

    fn of(bodies: impl IntoIterator<Item = Body>) -> Vec<Crossed> {
        find_in(&bodies.into_iter().fold(Scene::new("surfaces"), Scene::with))
    }

    /// Of 10 x 10 cells of a decimetre, upright in z = 0.
    fn sheet() -> Body {
        Body::cloth(Cloth::new(Grid { columns: 11, rows: 11, width: 1.0, height: 1.0 })).name("sheet")
    }

    /// In x = 0.23, from a third of the height of the sheet downwards.
    fn across() -> Body {
        sheet().name("across").rotation([0.0, 0.5f64.sqrt(), 0.0, 0.5f64.sqrt()]).position([0.23, -0.36, 0.03])
    }

    fn ball(radius: f64) -> TriangleMesh {
        Sphere { radius, segments: 20 }.mesh()
    }

    /// Of each sheet the cut meets rows of edges and the diagonals between: in the first of 11 rows those from -0.4 to
    /// -1 m, in the second those from -0.36 to -0.96 m.
    #[test]
    fn edges_of_sheets_that_cross_are_counted() {
        let found = of([sheet().position([0.0; 3]), across()]);
        let [Crossed { bodies, edges, face: (body, _), place }] = &found[..] else { panic!("{found:?}") };
        assert_eq!((*bodies, *edges, *body), ([0, 1], (7 + 6) + (7 + 6), 1));
        assert!(place[0].starts_with("0.230") && place[1].starts_with("-0.400") && place[2].starts_with("0.000"));
        // So they are far from the origin, at their place in the scene.
        let far = [1e5, 0.0, 0.0];
        let found = of([sheet().position(far), across().position([1e5 + 0.23, -0.36, 0.03])]);
        assert!(found[0].edges == 26 && found[0].place[0].starts_with("100000.23"), "{found:?}");
        // A third one crosses both.
        let pairs: Vec<[u32; 2]> = of([sheet(), across(), across().name("third").rotation([1.0, 0.0, 0.0, 1.0])])
            .iter()
            .map(|one| one.bodies)
            .collect();
        assert_eq!(pairs, [[0, 1], [0, 2], [1, 2]]);
    }

    /// What is apart, or whole within a closed surface, does not cross.
    #[test]
    fn surfaces_apart_do_not_cross() {
        let balloon = |radius: f64| Body::balloon(Balloon::new(ball(radius))).name("balloon");
        assert_eq!(of([sheet(), balloon(0.3).position([0.0, -0.5, 0.4])]), []);
        assert_eq!(of([balloon(0.3), balloon(0.2).name("within")]), []);
        assert_eq!(of([Body::particles([[0.0; 3]]).name("loose")]), []);
        let touched = of([balloon(0.3), sheet().position([0.0, 0.5, 0.1])]);
        assert_eq!(touched.iter().map(|one| one.bodies).collect::<Vec<_>>(), [[0, 1]]);
    }

    /// A surface of two balls, one of which is half in the other, crosses itself.
    #[test]
    fn a_surface_crosses_itself() {
        let two = |apart: f64| {
            let (mut both, other) = (ball(0.3), ball(0.3));
            let count = both.positions.len() as u32;
            both.positions.extend(other.positions.iter().map(|&[x, y, z]| [x + apart, y, z + 0.01]));
            both.triangles.extend(other.triangles.iter().map(|corners| corners.map(|vertex| vertex + count)));
            Body::cloth(Cloth::new(both)).name("two")
        };
        assert_eq!(of([sheet().position([5.0; 3]), two(0.7)]), []);
        let found = of([sheet().position([5.0; 3]), two(0.3)]);
        let [Crossed { bodies: [1, 1], face: (1, face), .. }] = found[..] else { panic!("{found:?}") };
        assert!(face < 2 * ball(0.3).triangles.len(), "{face}");
    }

    /// Parts that constraints join, what never meets, and what is fixed may cross.
    #[test]
    fn what_may_cross_is_left_out() {
        assert_eq!(of([sheet(), across().collides_with([7])]), []);
        let fixed = |body: Body| body.mass(0.0).pin("top");
        assert_eq!(of([fixed(sheet()), fixed(across())]), []);
        assert_eq!(of([fixed(sheet()), across()]).len(), 1);
        let ends = [[("sheet".to_string(), 0), ("across".to_string(), 0)]];
        let joined = Scene::new("parts").with(sheet()).with(across()).constrain(Constraint::new("distance", ends));
        assert_eq!(find_in(&joined), []);
    }
}
