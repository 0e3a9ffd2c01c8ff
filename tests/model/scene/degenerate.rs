//! Constraints that have no shape as placed: refused, with the body, the number and the remedy.

use pliant::scene::{Body, Cloth, Scene, TriangleMesh};

use super::bad_input::check;
use super::{build, try_build};

/// Particles at these places with one constraint and more lines for it.
fn one(kind: &str, positions: &str, lines: &str) -> String {
    let particles: Vec<usize> = (0..positions.matches('[').count()).collect();
    format!(
        "[[body]]\nkind = \"particles\"\npositions = [{positions}]\n[[body.constraint]]\nkind = \"{kind}\"\n\
         particles = [{particles:?}] #!\n{lines}\n"
    )
}

/// Builds what `one` says, without the mark.
fn accepted(kind: &str, positions: &str, lines: &str) {
    build(&one(kind, positions, lines).replace(" #!", ""));
}

const FLAT: &str = "[0, 0, 0], [1, 0, 0], [0.3, 0.9, 0], [0.7, 0.2, 0]";
const IN_LINE: &str = "[0, 0, 0], [1, 0, 0], [3, 0, 0]";

/// Every kind of element refuses corners in one plane or line, also where a rotation has put them there up to rounding, or where they are
/// so near to it that single precision cannot tell.
#[test]
fn elements_need_volume_or_area() {
    for kind in ["strain", "stvk", "corotated", "neo_hookean", "volume"] {
        let words = &["body[0].constraint[0].particles[0]: is a tetrahedron placed flat", "move one"][..];
        check(&one(kind, FLAT, "compliance = 1e-5"), words);
        let turned = one(kind, FLAT, "").replacen("[[body.con", "rotation = [1, 0, 0, 1]\n[[body.con", 1);
        check(&turned, words);
        check(&one(kind, &FLAT.replace("0.2, 0]", "0.2, 1e-7]"), ""), words);
        accepted(kind, &FLAT.replace("0.2, 0]", "0.2, 1e-5]"), "");
    }
    for kind in ["strain", "stvk", "corotated", "area"] {
        let words = &["body[0].constraint[0].particles[0]: is a triangle placed without area", "move one"];
        check(&one(kind, IN_LINE, ""), words);
        accepted(kind, &IN_LINE.replace("[3, 0", "[3, 1e-4"), "");
    }
    accepted("area", IN_LINE, "rest_area = 0.5");
}

/// What keeps features apart needs a direction for it: a triangle with a normal, edges that are not parallel.
#[test]
fn features_that_are_kept_apart_need_a_direction() {
    let words = &["off a triangle placed without area", "move a corner"];
    check(&one("point_triangle", "[0.2, 0.2, 0.1], [0, 0, 0], [1, 0, 0], [2, 0, 0]", ""), words);
    accepted("point_triangle", "[0.2, 0.2, 0.1], [0, 0, 0], [1, 0, 0], [0, 1, 0]", "");
    let words = &["placed parallel", "turn one of the edges"];
    check(&one("edge_edge", "[0, 0, 0], [1, 0, 0], [0, 0.1, 0], [2, 0.1, 0]", ""), words);
    check(&one("edge_edge", "[0, 0, 0], [0, 0, 0], [0, 0.1, 0], [2, 0.1, 0]", ""), words);
    accepted("edge_edge", "[0, 0, 0], [1, 0, 0], [0.5, 0.1, -1], [0.5, 0.1, 1]", "");
}

/// Angles need arms and hinges triangles; a bend in space that starts straight stays so.
#[test]
fn angles_need_directions() {
    for kind in ["dihedral", "isometric_bend"] {
        let words = &["is a hinge with a triangle without area", "corner d", "move d off that line"];
        check(&one(kind, "[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0]", ""), words);
        accepted(kind, "[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, -1, 0]", "");
    }
    for kind in ["angle", "spatial_angle"] {
        check(&one(kind, "[0, 0, 0], [0, 0, 0], [1, 1, 0]", ""), &["an arm placed without length", "off its vertex"]);
        accepted(kind, IN_LINE, "");
    }
    check(
        &one("spatial_angle", IN_LINE, "rest_angle = 1.5"),
        &["are placed in one line", "1.5 rad", "bend it a little"],
    );
    accepted("spatial_angle", "[1, 0, 0], [0, 0, 0], [-1, 0, 0]", "rest_angle = 3.141592653589793");
    accepted("spatial_angle", "[1, 0, 0], [0, 0, 0], [-1, 0.001, 0]", "rest_angle = 1.5");
    let at_line = "[0, 1, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0]";
    check(&one("attach_triangle", at_line, ""), &["holds a particle at a triangle placed without area", "weight_b"]);
    accepted("attach_triangle", at_line, "weight_b = 0.5\nweight_c = 0.0");
}

/// A mesh with a triangle without area has no hinge there; the message says which.
#[test]
fn hinges_of_meshes() {
    let mesh = TriangleMesh {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.0], [0.5, -1.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 3, 1], [0, 4, 3]],
    };
    let of = |bend: &str| {
        let cloth = Cloth {
            bend: Some(pliant::scene::Bend { kind: bend.into(), compliance: 1.0 }),
            ..Cloth::new(mesh.clone())
        };
        Scene::new("").with(Body::cloth(cloth)).build()
    };
    let error = of("dihedral").expect_err("a refusal").to_string();
    let words =
        ["body[0]: `dihedral` 0, of particles [0, 1, 2, 3], is a hinge with a triangle without area", "corner d"];
    assert!(words.iter().all(|word| error.contains(word)), "{error}");
    of("distance").expect("distances need no angle");
}

/// A planar angle is of what lies in a plane of x and y, and of what stays there: what moves it out is told.
#[test]
fn planar_angles_stay_in_their_plane() {
    let rope = |lines: &str| {
        format!(
            "[[body]]\nkind = \"rope\"\nbend = {{ kind = \"angle\", compliance = 1e-9 }} #!\nmass = 3.0\npin = [1]\n{lines}\n"
        )
    };
    let line =
        |z: &str| format!("mesh = {{ line = {{ from = [0, 0, 0], to = [-0.222, -0.0947, {z}], segments = 12 }} }}");
    check(
        &rope(&line("0.385")),
        &["body[0].bend: `angle` 0, of particles [0, 1, 2], is a planar angle", "spatial_angle"],
    );
    check(
        &one("angle", "[0, 0, 0], [1, 0, 0], [1, 0.5, 0.5]", ""),
        &["up to 5.000e-1 m apart along z", "planar = false"],
    );
    let notes = |lines: &str| {
        let text = rope(&line("0")).replace(" #!", "") + lines;
        try_build(&text).unwrap_or_else(|error| panic!("{error}")).notes
    };
    assert_eq!(notes(""), [""; 0]);
    for (lines, cause) in [
        ("[world]\ngravity = [0, -9, -1]", "gravity"),
        ("velocity = [0, 0, 1]", "its velocity"),
        ("angular_velocity = [0, 1, 0]", "its velocity"),
        ("drag = 1\nradius = 0.01\n[world]\nwind = [0, 0, 1]", "the wind"),
        ("[[force]]\nvalue = [0, 0, 1]", "a force"),
        ("[[collider]]\nshape = { plane = { normal = [0, 1, 1], offset = -1 } }", "a collider"),
    ] {
        let told = notes(lines);
        let says = |note: &String| {
            note.contains(&format!("body 'body0': {cause} moves its planar angles out of the xy plane"))
        };
        assert!(told.len() == 1 && told.iter().all(says), "{lines}: {told:?}");
        assert_eq!(notes(&format!("planar = true\n{lines}")), [""; 0], "{lines}");
    }
}
