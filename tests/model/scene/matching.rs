//! Bodies that keep their shape: what their description becomes in the model, and what is refused.

use super::bad_input::check;
use super::build;
use pliant::constraint::{ShapeMatching, kind};
use pliant::scene::{Body, Cuboid, Matching, Scene, Sphere};

/// A scene of one body with more lines.
fn shape(lines: &str) -> String {
    let mesh = "mesh = { box = { cells = [4, 2, 2], size = [0.4, 0.2, 0.2] } }";
    format!("[[body]]\nkind = \"shape\"\n{mesh}\n{lines}\n")
}

/// It is one constraint of all its particles, at rest as placed, that weighs them by their masses; what is pinned weighs as much as the others
/// on the mean.
#[test]
fn a_shape_is_one_constraint_as_placed() {
    let model = build(&shape("mass = 3\nshape_compliance = 1e-4\nrotation = [1, 2, 3, 4]\npin = [0]")).model;
    let group = &model.groups[0];
    assert_eq!((model.groups.len(), group.kind, group.len()), (1, kind::<ShapeMatching>(), 1));
    assert_eq!(group.particles_of(0).len(), model.particles.len());
    assert_eq!(model.materials[group.materials[0] as usize].compliance, 1e-4);
    let value = group.evaluate(0, 0, &[], &model.particles.positions, &mut Vec::new());
    assert!(value < 1e-15, "{value} m off as placed");
    let weights: Vec<f64> = group.member_rest_of(0).iter().skip(3).step_by(4).copied().collect();
    let masses: Vec<f64> = model.particles.inverse_masses[1..].iter().map(|w| 1.0 / w).collect();
    assert_eq!(weights[1..], masses);
    let mean = masses.iter().sum::<f64>() / masses.len() as f64;
    assert!((weights[0] / mean - 1.0).abs() < 1e-12, "the pin weighs {}, the others {mean}", weights[0]);
}

/// Each particle is in a region whose middle is no farther than the spacing, nobody in one farther than the radius, and the ends of each
/// edge have one in common.
#[test]
fn regions_cover_a_body() {
    let (radius, spacing) = (0.15, 0.1);
    let body = Body::shape(Matching::new(Sphere { radius: 0.5, segments: 60 }).compliance(1e-3).regions(radius));
    let model = Scene::new("").with(body).build().unwrap().model;
    let group = &model.groups[0];
    let x = &model.particles.positions;
    let mut of = vec![Vec::new(); x.len()];
    for region in 0..group.len() {
        let particles = group.particles_of(region);
        particles.iter().for_each(|&p| of[p as usize].push(region));
        let distance =
            |a: u32, b: u32| (0..3).map(|k| (x[a as usize][k] - x[b as usize][k]).powi(2)).sum::<f64>().sqrt();
        let reach = |&middle: &u32| particles.iter().map(|&p| distance(middle, p)).fold(0.0, f64::max);
        let middle = particles.iter().map(reach).fold(f64::INFINITY, f64::min);
        assert!(middle <= radius, "region {region} has nobody from whom all are within {radius} m, but {middle}");
    }
    let mean = of.iter().map(Vec::len).sum::<usize>() as f64 / x.len() as f64;
    assert!(
        of.iter().all(|regions| !regions.is_empty()) && (3.0..8.0).contains(&mean),
        "in {mean} regions on the mean"
    );
    for &[a, b, c] in &model.bodies[0].triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            assert!(of[from as usize].iter().any(|region| of[to as usize].contains(region)), "{from} and {to} part");
        }
    }
    // As many as fit this far apart: within it all is covered, by caps of half of it then a quarter at least, and a honeycomb would be 0.91.
    let share = group.len() as f64 * (spacing / 4.0_f64).powi(2) / 0.25;
    assert!((0.25..0.91).contains(&share), "{} regions cover {share}", group.len());
}

/// By the builder it is what it is by a file; a group by hand is a constraint like others.
#[test]
fn the_builder_says_what_files_say() {
    let cuboid = Cuboid { cells: [4, 2, 2], size: [0.4, 0.2, 0.2] };
    let body = Body::shape(Matching::new(cuboid).compliance(1e-4).regions(0.2)).mass(2.0);
    let by_builder = Scene::new("").with(body).build().unwrap().model.groups.remove(0);
    let lines = "mass = 2\nshape_compliance = 1e-4\nregion_radius = 0.2";
    let by_file = build(&shape(lines)).model.groups.remove(0);
    assert_eq!((&by_builder.particles, &by_builder.member_rest), (&by_file.particles, &by_file.member_rest));
    let by_hand = "[[body]]\nkind = \"particles\"\npositions = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\nmasses = [1, 2, 3, 4]\n\
                   [[body.constraint]]\nkind = \"shape_matching\"\nparticles = [[0, 1, 2, 3]]\ncompliance = 0.1\nbreak_force = 5\n";
    let group = build(by_hand).model.groups.remove(0);
    assert_eq!(
        group.member_rest_of(0),
        [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 0.0, 3.0], [0.0, 0.0, 1.0, 4.0]].as_flattened()
    );
}

/// Stiffnesses of what resists a deformation add up to that which the scene asks for.
#[test]
fn modes_are_layers() {
    let group = |text: &str| build(&shape(text)).model;
    let of = |model: &pliant::model::Model| -> Vec<(&str, f64)> {
        let compliance = |group: &pliant::model::Group| model.materials[group.materials[0] as usize].compliance;
        model.groups.iter().map(|group| (group.kind.name(), compliance(group))).collect()
    };
    let rigid = of(&group("linear_compliance = 1e-3"));
    assert_eq!(rigid, [("shape_matching", 1e-3), ("linear_matching", 0.0)]);
    let all = of(&group("shape_compliance = 1e-4\nquadratic_compliance = 2e-4\nlinear_compliance = 1e-3"));
    let [(_, shape), (linear, second), (quadratic, third)] = all[..] else { panic!("{all:?}") };
    assert_eq!((shape, linear, quadratic), (1e-3, "linear_matching", "quadratic_matching"));
    assert!(
        (1.0 / shape + 1.0 / second - 5e3).abs() < 1e-6
            && (1.0 / shape + 1.0 / second + 1.0 / third - 1e4).abs() < 1e-6
    );
    let bends = of(&group("quadratic_compliance = 1e-4"));
    assert_eq!(bends, [("shape_matching", 1e-4), ("quadratic_matching", 0.0)]);
    let same = of(&group("shape_compliance = 1e-4\nquadratic_compliance = 1e-4"));
    assert_eq!(same, [("shape_matching", 1e-4)]);
}

#[test]
fn what_cannot_be_is_refused() {
    check(&shape("shape_complance = 1 #!"), &["shape_complance", "did you mean 'shape_compliance'?"]);
    check(&shape("shape_compliance = -1 #!"), &["body[0].shape_compliance", "0 is rigid"]);
    check(&shape("linear_compliance = -1 #!"), &["body[0].linear_compliance"]);
    check(&shape("shape_compliance = 1e-3\nlinear_compliance = 1e-4 #!"), &["is 0.0001 m/N", "raise it to 0.001"]);
    check(
        &shape("quadratic_compliance = 1e-3\nlinear_compliance = 1e-4 #!"),
        &["linear_compliance", "lower the quadratic"],
    );
    let pbd = format!("solver.mode = \"pbd\"\n{}", shape("quadratic_compliance = 1 #!"));
    check(&pbd, &["body[0].quadratic_compliance", "applies to XPBD mode"]);
    check(&shape("region_radius = 0 #!"), &["body[0].region_radius", "give a length above 0"]);
    check(
        &shape("region_spacing = 0.1 #!"),
        &["applies to regions, and this shape has none; give a region_radius too"],
    );
    check(&shape("region_radius = 0.1\nregion_spacing = 0.2 #!"), &["leaves gaps between regions", "lower it"]);
    check(&shape("region_radius = 0.05 #!"), &["too small for the mesh", " m long", "refine the mesh"]);
    let many = "[[body]]\nkind = \"shape\"\nmesh = { sphere = { radius = 1, segments = 60 } }\nregion_radius = 1.6\nregion_spacing = 0.1 #!";
    check(&shape("region_radius = 1\nregion_spacing = 0.01 #!"), &["at least a sixteenth of the region_radius"]);
    check(many, &["more than 64 regions on average", "raise it"]);
    check(&shape("material = \"rubber\" #!"), &["for other bodies give a compliance instead"]);
    let rest = "[[body]]\nkind = \"particles\"\npositions = [[0, 0, 0], [1, 0, 0]]\n[[body.constraint]]\nkind = \"shape_matching\"\n";
    check(&format!("{rest}particles = [[0, 1]]\nrest_x = 1 #!"), &["rest_x", "unknown key"]);
    check(&format!("{rest}particles = [[0, 1]]\nside = \"push\" #!"), &["does not apply to shapes"]);
    check(&format!("{rest}particles = [[0, 1]]\nbreak_force = 1 #!"), &["needs a compliance above 0"]);
    check(&shape("region_radius = 1e-20 #!"), &["too small for the mesh"]);
    check(&format!("{rest}particles = [[0]] #!"), &["connects 2 or more particles, found 1"]);
    check(&format!("{rest}particles = [[0, 1]]\nyield = 0.1 #!"), &["yield"]);
}
