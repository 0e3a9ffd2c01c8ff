//! What a body's description becomes in the model.

use super::{build, close};
use pliant::model::{Mode, Model};
use pliant::scene::{Body, Cloth, Grid, Line, Scene, Sphere, Strand, StrandKind, Tethers, TriangleMesh};

const GRID: Grid = Grid { columns: 64, rows: 64, width: 1.0, height: 1.0 };
const QUARTER_ABOUT_Z: [f64; 4] = [0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2];

fn model(scene: Scene) -> Model {
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Constraints of a model by their compliance, in steps of it.
fn count(model: &Model, compliance: f64) -> usize {
    let group = &model.groups[0];
    group.materials.iter().filter(|&&material| model.materials[material as usize].compliance == compliance).count()
}

/// A 64 by 64 cloth has the 23,938 constraints of the standard workload: rows and columns, both diagonals, and second
/// neighbours, each at rest as placed.
#[test]
fn constraints_of_a_grid() {
    let model = model(Scene::new("").with(Body::cloth(Cloth::new(GRID).stretch(1e-8).shear(1e-6).bend(1e-4))));
    assert_eq!(model.groups.len(), 1);
    assert_eq!(model.groups[0].len(), 23_938);
    assert_eq!([1e-8, 1e-6, 1e-4].map(|compliance| count(&model, compliance)), [8_064, 7_938, 7_936]);
    assert_eq!(model.materials.len(), 3);
    let group = &model.groups[0];
    let mut gradient = Vec::new();
    for constraint in 0..group.len() {
        // The rest length is the very same difference of the very same positions.
        assert_eq!(
            group.evaluate(constraint, 0, group.rest_of(constraint), &model.particles.positions, &mut gradient),
            0.0
        );
    }
    let mut pairs: Vec<[u32; 2]> = group.particles.chunks(2).map(|p| [p[0].min(p[1]), p[0].max(p[1])]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs.len(), 23_938, "a pair is constrained twice");
}

/// Row 0 is the top, the grid faces +z, hangs from y = 0 and is centred on x; its triangles face +z.
#[test]
fn places_a_grid() {
    let grid = Grid { columns: 3, rows: 2, width: 2.0, height: 0.5 };
    let model = model(Scene::new("").with(Body::cloth(grid)));
    let expected =
        [[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, -0.5, 0.0], [0.0, -0.5, 0.0], [1.0, -0.5, 0.0]];
    assert_eq!(model.particles.positions, expected);
    assert_eq!(model.bodies[0].triangles.len(), 4);
    for corners in &model.bodies[0].triangles {
        let [a, b, c] = corners.map(|p| model.particles.positions[p as usize]);
        assert!((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0, "faces -z");
    }
}

/// A mesh that is no grid has an edge constraint per edge and one across each inner edge, and only these.
#[test]
fn constraints_of_a_mesh() {
    let mesh = TriangleMesh {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    let model = model(Scene::new("").with(Body::cloth(Cloth::new(mesh).stretch(1e-8).bend(1e-4)).mass(3.0)));
    assert_eq!([1e-8, 1e-4].map(|compliance| count(&model, compliance)), [5, 1]);
    let bend = model.groups[0].len() - 1;
    let mut ends = model.groups[0].particles_of(bend).to_vec();
    ends.sort_unstable();
    assert_eq!(ends, [1, 3]);
    let masses: Vec<f64> = model.particles.inverse_masses.iter().map(|w| 1.0 / w).collect();
    // A third of each triangle's area to each corner: the corners of the diagonal have both triangles.
    assert!(masses.iter().zip([1.0, 0.5, 1.0, 0.5]).all(|(mass, expected)| (mass - expected).abs() < 1e-12));
}

/// The mass of a body is shared equally on grids, by area on meshes; density multiplies the area as placed; particles
/// take theirs; one kilogram is the default.
#[test]
fn masses() {
    let total = |model: &Model| model.particles.inverse_masses.iter().map(|w| 1.0 / w).sum::<f64>();
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b;
    let grid = |change: &dyn Fn(Body) -> Body| model(Scene::new("").with(change(Body::cloth(GRID))));
    let given = grid(&|body| body.mass(2.0));
    assert!(given.particles.inverse_masses.iter().all(|&w| w == 2048.0));
    assert!(near(total(&grid(&|body| body)), 1.0));
    assert!(near(total(&grid(&|body| body.density(0.3).scale(2.0))), 1.2));
    let sphere = Sphere { radius: 1.0, segments: 32 };
    assert!(near(total(&model(Scene::new("").with(Body::cloth(sphere).mass(5.0)))), 5.0));

    let line = "[[body]]\nkind = \"particles\"\npositions = [[0, 0, 0], [1, 0, 0]]\n";
    assert_eq!(build(&format!("{line}masses = [0, 4]")).model.particles.inverse_masses, [0.0, 0.25]);
    assert_eq!(build(&format!("{line}mass = 4")).model.particles.inverse_masses, [0.5, 0.5]);
    assert_eq!(build(line).model.particles.inverse_masses, [2.0, 2.0]);
}

/// Scale comes first, then rotation, then position; rest lengths are those of the body as placed.
#[test]
fn transforms() {
    let text = "[[body]]\nkind = \"particles\"\npositions = [[0, 0, 0], [1, 2, 3]]\nscale = [2, 3, 4]\n\
                rotation = [0, 0, 5, 5]\nposition = [10, 20, 30]\n\
                [[body.constraint]]\nkind = \"distance\"\nparticles = [[0, 1]]";
    let model = build(text).model;
    // Scaled to (2, 6, 12), a quarter turn about z takes x to y: (-6, 2, 12).
    assert!(close(model.particles.positions[0], [10.0, 20.0, 30.0]));
    assert!(close(model.particles.positions[1], [4.0, 22.0, 42.0]));
    assert!((model.groups[0].rest[0] - 184f64.sqrt()).abs() < 1e-12);
}

/// The velocity of the body, its turn about the centre of mass, and the particles' own, which turn with the body, add up;
/// fixed particles have none.
#[test]
fn velocities() {
    let body = Body::particles(
        pliant::scene::Particles::from([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
            .masses([3.0, 1.0, 0.0])
            .velocities([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [9.0, 9.0, 9.0]]),
    );
    let turned = body.rotation(QUARTER_ABOUT_Z).velocity([0.0, 0.0, 7.0]).angular_velocity([0.0, 0.0, 2.0]);
    let model = model(Scene::new("").with(turned));
    // As placed at (0, 0, 0) and (0, 4, 0); the centre of mass is at (0, 1, 0); ω × r = 2 (-y, x, 0).
    assert!(close(model.particles.velocities[0], [2.0, 0.0, 7.0]));
    assert!(close(model.particles.velocities[1], [-6.0, 1.0, 7.0]));
    assert_eq!(model.particles.velocities[2], [0.0; 3]);
}

/// Bodies lie one after another, with their own names, contact properties and triangles.
#[test]
fn several_bodies() {
    let small = Grid { columns: 2, rows: 2, width: 1.0, height: 1.0 };
    let first = Body::particles([[0.0; 3]]).radius(0.25).friction(0.5).restitution(0.75);
    let second = Body::cloth(small).name("flag").thickness(0.5).friction(0.5).dynamic_friction(0.25).damping(3.0);
    let model = model(Scene::new("").with(first).with(second.colour([0.0, 0.5, 1.0])));
    let [first, second] = &model.bodies[..] else { panic!("two bodies") };
    assert_eq!((first.name.as_str(), first.particles.clone(), first.radius), ("body0", 0..1, 0.25));
    assert_eq!((first.friction, first.dynamic_friction, first.restitution), (0.5, 0.5, 0.75));
    assert_eq!((first.triangles.len(), first.colour), (0, None));
    assert_eq!((second.name.as_str(), second.particles.clone(), second.radius), ("flag", 1..5, 0.25));
    assert_eq!((second.friction, second.dynamic_friction), (0.5, 0.25));
    assert_eq!((first.damping, second.damping), (0.0, 3.0));
    assert_eq!(second.colour, Some([0.0, 0.5, 1.0]));
    assert!(second.triangles.iter().flatten().all(|p| (1..5).contains(p)));
    assert_eq!(model.particles.bodies, [0, 1, 1, 1, 1]);
    assert!(model.groups[0].particles.iter().all(|p| (1..5).contains(p)));
}

/// Both sets of stiffness may be given, and the mode decides which counts: bending by stiffness alone exists in PBD only.
#[test]
fn stiffness_in_both_modes() {
    let small = Grid { columns: 3, rows: 3, width: 1.0, height: 1.0 };
    let cloth = Cloth { stretch_stiffness: 0.5, bend_stiffness: Some(0.25), ..Cloth::new(small).stretch(1e-3) };
    let mut scene = Scene::new("").with(Body::cloth(cloth));
    let xpbd = model(scene.clone());
    scene.settings.mode = Mode::Pbd;
    let pbd = model(scene);
    assert_eq!((xpbd.groups[0].len(), pbd.groups[0].len()), (20, 26));
    assert_eq!((pbd.materials[0].compliance, pbd.materials[0].stiffness), (1e-3, 0.5));
    assert_eq!((pbd.materials[1].stiffness, pbd.materials[2].stiffness), (1.0, 0.25));
}

/// The kinds of a model and how many constraints each has.
fn kinds(model: &Model) -> Vec<(&'static str, usize)> {
    model.groups.iter().map(|group| (group.kind.name(), group.len())).collect()
}

/// Two strands of hair: rooted by two particles each, tied to the nearer of those, heavy by length; its bends follow one another within
/// a strand only.
#[test]
fn hair_is_rooted() {
    let line = Line { from: [0.0; 3], to: [0.0, -1.0, 0.0], segments: 4 };
    let hair = Strand::new(StrandKind::Hair, line).strands(2, [0.1, 0.0, 0.0]).bend("spatial_angle", 2.0).stretch(1e-6);
    let model = model(Scene::new("").with(Body::strand(hair).density(0.4).tether(Tethers::default())));
    assert!(close(model.particles.positions[9], [0.1, -1.0, 0.0]));
    let inverse = [0.0, 0.0, 10.0, 10.0, 20.0];
    assert_eq!(model.particles.inverse_masses, [inverse, inverse].concat());
    assert_eq!(kinds(&model), [("distance", 8), ("spatial_angle", 6), ("tether", 6)]);
    assert_eq!(model.groups[1].particles[6..12], [2, 3, 4, 5, 6, 7]);
    assert_eq!((model.groups[2].particles_of(5), model.groups[2].rest_of(5)), (&[9, 6][..], &[0.75][..]));
}

/// A rope's ends have names; a strip keeps to its plane wherever the body is turned.
#[test]
fn ropes_have_ends_and_strips_a_plane() {
    let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    let rope = Body::strand(Strand::new(StrandKind::Rope, points.clone()).bend("distance", 1e-3)).pin("last").mass(1.0);
    let strip = Strand::new(StrandKind::Strip, points).bend("spatial_angle", 1.0);
    let strip = Body::strand(strip).rotation([1.0, 0.0, 0.0, 1.0]);
    let model = model(Scene::new("").with(rope).with(strip));
    assert_eq!(kinds(&model), [("distance", 5), ("spatial_angle", 1), ("plane", 3)]);
    assert_eq!(model.particles.inverse_masses[..3], [4.0, 2.0, 0.0]);
    let rest = model.groups[2].rest_of(2);
    assert!(
        close([rest[0], rest[1], rest[2]], [1.0, 0.0, 1.0]) && close([rest[3], rest[4], rest[5]], [0.0, -1.0, 0.0])
    );
}

/// Tethers go to the nearest pins by the way along the mesh: on a grid held by its left column, to that of the same row, and with two to a
/// particle to the next nearest too.
#[test]
fn tethers_go_to_the_nearest_pins() {
    let grid = Grid { columns: 4, rows: 3, width: 3.0, height: 2.0 };
    let tethered = |tethers| model(Scene::new("").with(Body::cloth(grid).pin("left").tether(tethers)));
    let one = tethered(Tethers { slack: 1.05, ..Tethers::default() });
    let group = &one.groups[1];
    assert_eq!((group.kind.name(), group.len()), ("tether", 9));
    for constraint in 0..9 {
        let &[particle, pin] = group.particles_of(constraint) else { panic!("two ends") };
        assert_eq!((pin % 4, pin / 4), (0, particle / 4));
        assert!((group.rest_of(constraint)[0] - 1.05 * f64::from(particle % 4)).abs() < 1e-12);
    }
    let two = tethered(Tethers { nearest: 2, ..Tethers::default() });
    assert_eq!(two.groups[1].len(), 18);
    // Particle 1, beside the pin above: 1 m to that, and √2 m across the cell to the one below.
    let lengths: Vec<f64> = (0..2).map(|constraint| two.groups[1].rest_of(constraint)[0]).collect();
    assert!((lengths[0] - 1.0).abs() < 1e-12 && (lengths[1] - 2_f64.sqrt()).abs() < 1e-12, "{lengths:?}");
}

/// A rope of rubber weighs and yields as its length and cross-section say, and so does a sheet of it, whose springs store the energy of
/// a sheet with Young's modulus E and Poisson's ratio 1/3 at any uniform strain, in cells that are not square too.
#[test]
fn materials_by_name() {
    let (young, density, radius) = (1e6, 1100.0, 0.01_f64);
    let line = Line { from: [0.0; 3], to: [0.0, -1.0, 0.0], segments: 4 };
    let rope =
        model(Scene::new("").with(Body::strand(Strand::new(StrandKind::Rope, line)).radius(radius).material("rubber")));
    let section = std::f64::consts::PI * radius * radius;
    let mass: f64 = rope.particles.inverse_masses.iter().map(|w| 1.0 / w).sum();
    assert!((mass / (density * section) - 1.0).abs() < 1e-12);
    assert!((rope.materials[0].compliance / (0.25 / (young * section)) - 1.0).abs() < 1e-12);

    let grid = Grid { columns: 5, rows: 6, width: 1.0, height: 1.0 };
    let mut sheet = model(Scene::new("").with(Body::cloth(grid).thickness(0.002).material("rubber")));
    for [xx, yy, xy] in [[1e-6, 0.0, 0.0], [0.0, 1e-6, 0.0], [0.0, 0.0, 1e-6], [1e-6, -3e-7, 5e-7]] {
        let placed = sheet.particles.positions.clone();
        for x in &mut sheet.particles.positions {
            *x = [x[0] + xx * x[0] + xy * x[1], x[1] + yy * x[1] + xy * x[0], 0.0];
        }
        let springs = elastic_energy(&sheet);
        sheet.particles.positions = placed;
        // Plane stress: E t/(2 (1 - ν²)) (εxx² + εyy² + 2ν εxx εyy + 2 (1 - ν) εxy²), on a square metre.
        let poisson = 1.0 / 3.0;
        let strains = xx * xx + yy * yy + 2.0 * poisson * xx * yy + 2.0 * (1.0 - poisson) * xy * xy;
        let theory = young * 0.002 / (2.0 * (1.0 - poisson * poisson)) * strains;
        // Of the second order in strains of 1e-6.
        assert!((springs / theory - 1.0).abs() < 1e-5, "{springs} J in place of {theory} J at {xx} {yy} {xy}");
    }
}

/// Σ C²/2α of a model as its particles lie.
fn elastic_energy(model: &Model) -> f64 {
    let mut gradient = Vec::new();
    let group = &model.groups[0];
    let energy = |constraint: usize| {
        let compliance = model.materials[group.materials[constraint] as usize].compliance;
        let mut value =
            |positions: &[[f64; 3]]| group.evaluate(constraint, 0, group.rest_of(constraint), positions, &mut gradient);
        value(&model.particles.positions).powi(2) / (2.0 * compliance)
    };
    (0..group.len()).map(energy).sum()
}

/// A grid that tears has the springs of one that does not, by hand or of a material. The edges of its mesh bear the force, the
/// other diagonals break with them. It has a spare particle for each vertex if it says nothing else, behind all bodies.
#[test]
fn tearable_grids_have_the_springs_of_others() {
    let grid = Grid { columns: 5, rows: 6, width: 1.0, height: 1.0 };
    let of_material = |cloth: Cloth| Body::cloth(cloth).thickness(0.002).material("leather");
    let by_hand = |cloth: Cloth| Body::cloth(cloth.stretch(1e-6).shear(1e-4));
    let makers: [&dyn Fn(Cloth) -> Body; 2] = [&of_material, &by_hand];
    for body in makers {
        let whole = model(Scene::new("").with(body(Cloth::new(grid))).with(Body::particles([[0.0; 3]])));
        let torn = model(Scene::new("").with(body(Cloth::new(grid).tears_at(3.0))).with(Body::particles([[0.0; 3]])));
        let springs = |model: &Model| {
            let group = &model.groups[0];
            let spring = |c: usize| {
                let ends = group.particles_of(c);
                let compliance = model.materials[group.materials[c] as usize].compliance;
                (ends[0].min(ends[1]), ends[0].max(ends[1]), compliance.to_bits(), group.rest_of(c)[0].to_bits())
            };
            let mut springs: Vec<_> = (0..group.len()).map(spring).collect();
            springs.sort_unstable();
            springs
        };
        assert_eq!(springs(&torn), springs(&whole));

        let tearing = torn.tearing.as_ref().expect("a cloth that tears");
        let bears = |c: u32| torn.materials[torn.groups[0].materials[c as usize] as usize].break_force;
        assert!(tearing.edges.iter().all(|edge| bears(edge.constraint) == Some(3.0)));
        // 4 in each of 6 rows, 5 in each of 5 columns, and a diagonal in each of 20 cells.
        assert_eq!((tearing.edges.len(), tearing.seams.len()), (24 + 25 + 20, 24 + 25 + 20 + 20));
        assert_eq!((torn.placed_particles(), torn.particles.len()), (31, 61));
        assert!(torn.particles.inverse_masses[31..].iter().all(|w| *w == 0.0));
        assert_eq!(whole.tearing, None);
    }
}

/// Segments lie along each strand, or where they are told, and those of the builder are those of a file.
#[test]
fn places_segments() {
    let line = Line { from: [0.0; 3], to: [1.0, 0.0, 0.0], segments: 2 };
    let strands = Strand { strands: 2, ..Strand::new(StrandKind::Rope, line) };
    let points = Body::particles([[0.0, 5.0, 0.0], [1.0, 5.0, 0.0]]).radius(0.1);
    let rope = Body::strand(Strand { spacing: [0.0, 1.0, 0.0], ..strands }).radius(0.01).segments_along_strands();
    let built = model(Scene::new("").with(points.segments([[1, 0]])).with(rope));
    assert_eq!(built.bodies[0].segments, [[1, 0]]);
    assert_eq!(built.bodies[1].segments, [[2, 3], [3, 4], [5, 6], [6, 7]]);
    let read = build(
        "[[body]]
        kind = \"particles\"
        positions = [[0, 5, 0], [1, 5, 0]]
        radius = 0.1
        segments = [[1, 0]]
        [[body]]
        kind = \"rope\"
        mesh = { line = { from = [0, 0, 0], to = [1, 0, 0], segments = 2 } }
        strands = 2
        spacing = [0, 1, 0]
        radius = 0.01
        segments = true
        ",
    );
    assert_eq!(read.model.bodies[0].segments, built.bodies[0].segments);
    assert_eq!(read.model.bodies[1].segments, built.bodies[1].segments);
}
