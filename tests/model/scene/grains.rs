//! Grains: what fills a surface, and what is refused.

use super::bad_input::check;
use super::build;
use pliant::model::Model;
use pliant::scene::{Body, Cuboid, Grains, Scene, Sphere};

const RADIUS: f64 = 0.02;

fn grains(lines: &str) -> String {
    let mesh = "mesh = { box = { cells = [1, 1, 1], size = [0.4, 0.6, 0.2] } }";
    format!("[[body]]\nkind = \"grains\"\n{mesh}\n{lines}\n")
}

/// The distance between the nearest two, m.
fn nearest(model: &Model) -> f64 {
    let x = &model.particles.positions;
    let distance = |i: usize, j: usize| (0..3).map(|k| (x[i][k] - x[j][k]).powi(2)).sum::<f64>().sqrt();
    let pairs = (0..x.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs.map(|(i, j)| distance(i, j)).fold(f64::INFINITY, f64::min)
}

/// A box has as many as fit in rows, none in another or through a wall, none in row; they touch each other, weigh what balls of their stuff
/// do, and lie alike each time.
#[test]
fn a_box_is_filled() {
    let text = grains("radius = 0.02\ndensity = 2600\nfriction = 0.5");
    let model = build(&text).model;
    // At 0.044 m, no nearer to a wall than a radius and √3 times 2 mm.
    assert_eq!(model.particles.len(), 9 * 13 * 4);
    assert!(model.bodies[0].self_collision && model.bodies[0].triangles.is_empty() && model.groups.is_empty());
    let near = nearest(&model);
    assert!((2.0 * RADIUS..2.1 * RADIUS).contains(&near), "two are {near} m apart");
    let size = [0.4, 0.6, 0.2];
    let inside = |x: &[f64; 3]| (0..3).all(|axis| x[axis].abs() <= size[axis] / 2.0 - RADIUS);
    assert!(model.particles.positions.iter().all(inside), "one is in a wall");
    let heights = model.particles.positions.iter().map(|x| x[1].to_bits()).collect::<std::collections::HashSet<_>>();
    assert!(heights.len() > 400, "they lie in layers");
    let mass = 2600.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    assert!(model.particles.inverse_masses.iter().all(|w| (w * mass - 1.0).abs() < 1e-12));
    assert_eq!(build(&text).model.particles.positions, model.particles.positions);
}

/// Spacing is that of what is placed: the scale makes the surface larger, not what is between grains. The builder says it, too.
#[test]
fn a_scale_is_of_the_surface() {
    let half = "[[body]]\nkind = \"grains\"\nscale = [2, 1, 0.5]\nradius = 0.02\nspacing = 0.04\nrotation = [1, 2, 3, 4]\n\
                mesh = { box = { cells = [1, 1, 1], size = [0.2, 0.6, 0.4] } }";
    let scaled = build(half).model;
    let body = Body::grains(Grains::new(Cuboid { cells: [1; 3], size: [0.4, 0.6, 0.2] }).spacing(0.04)).radius(RADIUS);
    let model = Scene::new("").with(body).build().unwrap().model;
    // In rows that touch: 10 × 15 × 5 of them fill it from wall to wall.
    assert_eq!((scaled.particles.len(), model.particles.len()), (750, 750));
    for model in [scaled, model] {
        let near = nearest(&model);
        assert!((near - 0.04).abs() < 1e-12, "two are {near} m apart");
    }
}

/// A ball holds what its volume does, less a shell as thick as what the outer ones stand away from it.
#[test]
fn a_ball_is_filled() {
    let body = Body::grains(Sphere { radius: 0.4, segments: 60 }).radius(RADIUS);
    let model = Scene::new("").with(body).build().unwrap().model;
    let away = RADIUS * (1.0 + 3_f64.sqrt() * 0.1);
    let expected = 4.0 / 3.0 * std::f64::consts::PI * (0.4 - away).powi(3) / 0.044_f64.powi(3);
    let share = model.particles.len() as f64 / expected;
    assert!((0.95..1.05).contains(&share), "{} are {share} of what fits", model.particles.len());
    let farthest =
        model.particles.positions.iter().map(|x| x.iter().map(|x| x * x).sum::<f64>().sqrt()).fold(0.0, f64::max);
    assert!(farthest <= 0.4 - RADIUS, "one is {farthest} m from the middle");
}

#[test]
fn what_cannot_be_is_refused() {
    let no_radius = grains("").replace("kind = \"grains\"", "kind = \"grains\" #!");
    let refused = super::refusal(&no_radius);
    assert!(refused.contains("give the body a radius above 0"), "{refused}");
    check(&grains("radius = 0.02\nspacing = 0.03 #!"), &["body[0].spacing", "raise it to 0.04 m, twice the radius"]);
    check(&grains("radius = -1 #!"), &["body[0].radius"]);
    let open = "[[body]]\nkind = \"grains\"\nradius = 0.01\nmesh = { grid = { columns = 4, rows = 4, width = 1, height = 1 } } #!";
    check(open, &["is not a closed surface"]);
    let small =
        "[[body]]\nkind = \"grains\"\nradius = 0.3\nmesh = { box = { cells = [1, 1, 1], size = [1, 1, 0.5] } } #!";
    check(small, &["has no room for a grain of radius 0.3 m"]);
    let wide = |size: &str, radius: &str| {
        let mesh = format!("mesh = {{ box = {{ cells = [1, 1, 1], size = {size} }} }} #!");
        format!("[[body]]\nkind = \"grains\"\nradius = {radius}\n{mesh}")
    };
    check(&wide("[1, 1, 1]", "1e-6"), &["needs a lattice of", "make the grains larger"]);
    check(&wide("[1e9, 1e9, 1e9]", "1e-12"), &["needs a lattice of"]);
    check(&wide("[1e6, 1e-3, 1e6]", "1e-3"), &["has no room for a grain of radius 0.001 m"]);
    check(&grains("thickness = -0.1 #!"), &["body[0].thickness"]);
    check(&grains("radius = 0.02\nmaterial = \"rubber\" #!"), &["material"]);
    check(&grains("radius = 0.02\nlift = 1 #!"), &["acts on surfaces"]);
    check(&grains("radius = 0.02\nspacin = 1 #!"), &["did you mean 'spacing'?"]);
}
