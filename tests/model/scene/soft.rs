//! Solids: what their description becomes in the model, and what is refused.

use super::bad_input::check;
use super::build;
use pliant::constraint::{NeoHookean, kind};
use pliant::model::Model;
use pliant::scene::{Body, Cuboid, Filling, Scene, Soft, Sphere, TetrahedronMesh, Torus, TriangleMesh};

/// A scene of one solid with more lines for its body.
fn soft(lines: &str) -> String {
    let mesh = "mesh = { box = { cells = [2, 3, 1], size = [1, 3, 0.5] } }";
    format!("[[body]]\nkind = \"soft\"\n{mesh}\n{lines}\n")
}

/// A box of six cells becomes thirty tetrahedra of one material, at rest as placed, with their volumes and the compliance 1/μ; its mass
/// is shared by volume and its surface is closed and outward.
#[test]
fn a_box_becomes_tetrahedra() {
    let text = soft("young_modulus = 1e5\npoisson_ratio = 0.25\ndensity = 800\nscale = 2\nrotation = [0, 0, 1, 1]");
    let model = build(&text).model;
    assert_eq!(model.particles.len(), 3 * 4 * 2);
    let group = &model.groups[0];
    assert_eq!((model.groups.len(), group.kind), (1, kind::<NeoHookean>()));
    assert_eq!((group.len(), model.materials.len()), (30, 1));
    assert!((model.materials[0].compliance - 2.0 * 1.25 / 1e5).abs() < 1e-18);
    let (mut gradient, mut volume) = (Vec::new(), 0.0);
    for element in 0..group.len() {
        let rest = group.rest_of(element);
        assert_eq!(rest[10], 0.25);
        volume += rest[9] * rest[9];
        for component in 0..2 {
            let value = group.evaluate(element, component, rest, &model.particles.positions, &mut gradient);
            // The square root of a sum of squares of rounding errors.
            assert!(value.abs() < 1e-14, "{value}");
        }
    }
    assert!((volume - 12.0).abs() < 1e-11, "{volume}");
    let mass: f64 = model.particles.inverse_masses.iter().map(|w| 1.0 / w).sum();
    assert!((mass - 800.0 * 12.0).abs() < 1e-8, "{mass}");
    assert_eq!(model.bodies[0].triangles.len(), 4 * (2 * 3 + 3 + 2));
}

/// A material gives Young's modulus and the density, whether the body has a thickness or not.
#[test]
fn a_material_gives_modulus_and_density() {
    let model = build(&soft("material = \"rubber\"")).model;
    assert!((model.materials[0].compliance - 2.6e-6).abs() < 1e-18);
    let mass: f64 = model.particles.inverse_masses.iter().map(|w| 1.0 / w).sum();
    assert!((mass - 1100.0 * 1.5).abs() < 1e-9, "{mass}");
}

/// Held by its edges it has a distance for each, in PBD mode too.
#[test]
fn edges_are_distances() {
    let edges = Cuboid { cells: [2, 3, 1], size: [1.0, 3.0, 0.5] }.solid().edges().len();
    let xpbd = build(&soft("elasticity = \"edges\"\nstretch_compliance = 1e-5")).model;
    assert_eq!((xpbd.groups[0].kind.name(), xpbd.groups[0].len()), ("distance", edges));
    assert_eq!(xpbd.materials[0].compliance, 1e-5);
    let pbd = format!("[solver]\nmode = \"pbd\"\n{}", soft("elasticity = \"edges\"\nstretch_stiffness = 0.5"));
    assert_eq!(build(&pbd).model.materials[0].stiffness, 0.5);
}

/// Numbers out of range, keys of the other elasticity, and what is missing are told with place and remedy.
#[test]
fn bad_solids() {
    check("[[body]] #!\nkind = \"soft\"", &["body[0]: has no `mesh`"]);
    check(&soft("").replace("[[body]]", "[[body]] #!"), &["has no `young_modulus`", "or a `material`"]);
    check(&soft("young_modulus = 0 #!"), &["young_modulus: must be a finite number above 0", "rubber has 1e6"]);
    check(&soft("young_modulus = nan #!"), &["found NaN"]);
    check(&soft("young_modulus = \"stiff\" #!"), &["young_modulus: must be a number"]);
    check(
        &soft("young_modulus = 1e5\npoisson_ratio = 0.5 #!"),
        &["must be a finite number from 0 to 0.49", "0.3 is usual"],
    );
    check(&soft("young_modulus = 1e5\npoisson_ratio = -0.1 #!"), &["from 0 to 0.49"]);
    check(&soft("young_modulus = 1e5\ndensity = inf #!"), &["kg/m³", "water has 1000 kg/m³"]);
    check(&soft("young_modulus = 1e5 #!\nmaterial = \"rubber\""), &["cannot be combined with a material"]);
    check(
        &soft("elasticity = \"neohookean\" #!"),
        &["'neohookean' is not allowed here", "did you mean 'neo-hookean'?"],
    );
    check(&soft("young_modulus = 1e5\nstretch_compliance = 1 #!"), &["applies to elasticity = \"edges\""]);
    check(&soft("young_modulus = 1e5\nstretch_stiffness = 1 #!"), &["applies to elasticity = \"edges\""]);
    check(&soft("elasticity = \"edges\"\nyoung_modulus = 1e5 #!"), &["applies to elasticity = \"neo-hookean\""]);
    check(&soft("elasticity = \"edges\"\npoisson_ratio = 0.1 #!"), &["applies to elasticity = \"neo-hookean\""]);
    check(
        &soft("elasticity = \"edges\"\nstretch_compliance = -1 #!"),
        &["stretch_compliance: must be a finite number"],
    );
    check(&soft("elasticity = \"edges\"\nmaterial = \"fat\" #!"), &["held by its edges does not use"]);
    check(&soft("young_modulus = 1e5\npin = [\"top\"]\ntether = {} #!"), &["a solid needs none"]);
    check(&soft("young_modulus = 1e5\nmass = 0 #!"), &["nothing is pinned"]);
    check(&soft("young_modulus = 1e5\nyoung_modulos = 1 #!"), &["did you mean 'young_modulus'?"]);
    check(&soft("young_modulus = 1e5\ntear_stress = 0 #!"), &["tear_stress: must be", "above 0", "never tears"]);
    check(&soft("young_modulus = 1e5\ntear_stress = -1 #!"), &["tear_stress: must be", "found -1"]);
    check(&soft("young_modulus = 1e5\ntear_stress = nan #!"), &["tear_stress", "found NaN"]);
    check(&soft("young_modulus = 1e5\ntear_stress = \"weak\" #!"), &["tear_stress: must be a number"]);
    check(&soft("young_modulus = 1e5\nbreak_force = 1 #!"), &["break_force: unknown key", "tear_stress"]);
    check(
        &soft("elasticity = \"edges\"\ntear_stress = 1 #!"),
        &["tear_stress: applies to elasticity = \"neo-hookean\""],
    );
    check(&soft("elasticity = \"edges\"\nspare_particles = 9 #!"), &["spare_particles", "give it a tear_stress"]);
    check(&soft("young_modulus = 1e5\nspare_particles = 9 #!"), &["spare_particles", "give it a tear_stress"]);
    let tears = |line: &str| soft(&format!("young_modulus = 1e5\ntear_stress = 1e3\n{line}"));
    check(&tears("spare_particles = 0 #!"), &["spare_particles", "as many as the mesh has vertices"]);
    check(&tears("spare_particles = 200000000 #!"), &["spare_particles", "give fewer"]);
    check(&tears("damping = 1.0 #!"), &["damping: cannot follow a tear", "has a tear_stress"]);
    check(&tears("planar = true #!"), &["planar: cannot follow a tear"]);
    let jacobi = soft("young_modulus = 1e5\ntear_stress = 1e3 #!");
    check(&format!("[solver]\nmethod = \"jacobi\"\n{jacobi}"), &["tear_stress: needs", "set it, or remove this"]);
    let mode = "[solver]\nmode = \"pbd\"\n";
    check(&format!("{mode}{}", soft("young_modulus = 1e5\nelasticity = \"neo-hookean\" #!")), &["has no PBD mode"]);
}

/// A mesh must be one: cells above none, an extent, not too many of them, and only what makes tetrahedra.
#[test]
fn bad_solid_meshes() {
    let mesh = |mesh: &str| format!("[[body]]\nkind = \"soft\"\nyoung_modulus = 1e5\nmesh = {{ {mesh} }} #!");
    check(&mesh("box = { cells = [0, 1, 1], size = [1, 1, 1] }"), &["mesh.box.cells[0]: must be at least 1"]);
    check(&mesh("box = { cells = [1, 1], size = [1, 1, 1] }"), &["a list of 3 whole numbers"]);
    check(
        &mesh("box = { cells = [1, 1, 1], size = [1, 0, 1] }"),
        &["mesh.box.size[1]: must be a finite number above 0"],
    );
    check(&mesh("box = { cells = [4000, 4000, 4000], size = [1, 1, 1] }"), &["makes 64048012001 particles", "coarser"]);
    check(&mesh("box = { cells = [1, 1, 1], size = [1, 1, 1], radius = 1 }"), &["radius: unknown key"]);
    check(&mesh("grid = { columns = 2, rows = 2, width = 1, height = 1 }"), &["grid: unknown key", "box"]);
    check(
        &mesh("box = { cells = [1, 1, 1], size = [1, 1e-11, 1] }"),
        &["`neo_hookean` 0, of particles [", "is a tetrahedron placed flat", "correct the mesh"],
    );
    let tetrahedra = |tetrahedra: &[[u32; 4]]| {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
        let mesh = TetrahedronMesh { positions, tetrahedra: tetrahedra.to_vec() };
        let scene = Scene::new("").with(Body::soft(Soft::new(mesh).young_modulus(1e5)));
        scene.build().expect_err("a refusal").to_string()
    };
    for (list, words) in [
        (&[][..], "has no tetrahedron"),
        (&[[0, 1, 2, 9]][..], "tetrahedra[0]: names a vertex that does not exist: the mesh has 5"),
        (&[[0, 1, 2, 3], [0, 1, 1, 4]][..], "tetrahedra[1]: names one vertex twice"),
        (&[[0, 2, 1, 3]][..], "tetrahedra[0]: is flat or inside out"),
        (&[[0, 1, 2, 3]][..], "vertex 4 belongs to no tetrahedron"),
    ] {
        let message = tetrahedra(list);
        assert!(message.contains(words), "'{words}' is not in: {message}");
    }
}

/// A tetrahedron among the constraints takes Poisson's ratio as a rest value, in its range.
#[test]
fn a_single_tetrahedron() {
    let scene = |lines: &str| {
        let positions = "positions = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
        let constraint = "[[body.constraint]]\nkind = \"neo_hookean\"\nparticles = [[0, 1, 2, 3]]";
        format!("[[body]]\nkind = \"particles\"\n{positions}\n{constraint}\n{lines}\n")
    };
    let model = build(&scene("compliance = 1e-5\npoisson_ratio = 0.4")).model;
    assert_eq!(model.groups[0].rest_of(0)[9..], [(1.0_f64 / 6.0).sqrt(), 0.4]);
    check(&scene("poisson_ratio = 0.5 #!"), &["poisson_ratio: must be a finite number from 0 to 0.49"]);
    check(&scene("yield = 0.1 #!"), &["yield"]);
}

/// A solid from a file has its tetrahedra and is drawn by its surface; a file that is not there is told at its place in the scene.
#[test]
fn solids_come_from_files() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/model/mesh/files/data");
    let scene = |file: &str| {
        format!("[[body]]\nkind = \"soft\"\nyoung_modulus = 1e5\nmesh = {{ file = \"{folder}/{file}\" }} #!\n")
    };
    let model = build(&scene("gmsh_41.msh")).model;
    assert_eq!((model.particles.len(), model.groups[0].len()), (22, 42));
    assert!(!model.bodies[0].triangles.is_empty());
    check(&scene("missing.node"), &["body[0].mesh.file", "missing.node"]);
    check(&scene("../../mesh.rs"), &["body[0].mesh.file"]);
}

/// A solid that tears has a facet for each two tetrahedra that share a face, and the two sides of it; its corners are all faces of its
/// tetrahedra; and spares lie behind all bodies. A face of three tetrahedra is refused, and what tears nowhere has nothing to tear.
#[test]
fn a_solid_that_tears() {
    let text =
        soft("young_modulus = 1e5\ntear_stress = 2e3") + "[[body]]\nkind = \"particles\"\npositions = [[9, 9, 9]]\n";
    let model = build(&text).model;
    let tearing = model.tearing.as_ref().expect("it tears");
    let surface = model.bodies[0].triangles.len();
    assert_eq!(tearing.cells.len(), 30);
    assert_eq!(2 * tearing.facets.len() + surface, 4 * 30);
    assert_eq!((tearing.inside.len(), tearing.spares.clone()), (2 * tearing.facets.len(), 25..49));
    assert!(tearing.facets.iter().all(|facet| facet.strength == 2e3));
    let mut seen = [false; 4 * 30];
    for cell in &tearing.cells {
        let particles = model.groups[cell.group as usize].particles_of(cell.constraint as usize);
        for (opposite, face) in cell.faces.into_iter().enumerate() {
            let face = face as usize;
            assert!(!std::mem::replace(&mut seen[face], true), "face {face} belongs to two");
            let triangle =
                if face < surface { model.bodies[0].triangles[face] } else { tearing.inside[face - surface] };
            let mut all = [triangle[0], triangle[1], triangle[2], particles[opposite]];
            let mut expected = [particles[0], particles[1], particles[2], particles[3]];
            all.sort_unstable();
            expected.sort_unstable();
            assert_eq!(all, expected);
        }
    }
    assert!(build(&soft("young_modulus = 1e5")).model.tearing.is_none());

    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]];
    let mesh = TetrahedronMesh { positions, tetrahedra: vec![[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 2, 5]] };
    let scene = Scene::new("").with(Body::soft(Soft::new(mesh).young_modulus(1e5).tears_at(1e3)));
    let error = scene.build().expect_err("a refusal").to_string();
    assert!(error.contains("of the vertices 0, 1 and 2 belongs to 3 tetrahedra"), "{error}");
    assert!(error.contains("correct the mesh"), "{error}");
}

/// A scene of a surface filled with tetrahedra; the line of its mesh is marked for errors.
fn filled(mesh: &str, lines: &str) -> String {
    format!("[[body]]\nkind = \"soft\"\nyoung_modulus = 1e5\nmesh = {{ {mesh} }} #!\n{lines}\n")
}

const DOUGHNUT: &str =
    "surface = { torus = { radius = 1.0, tube_radius = 0.4, segments = 48, tube_segments = 24 } }, cell = 0.2";

/// The tetrahedra and positions of a model of one neo-Hookean body.
fn tetrahedra(model: &Model) -> TetrahedronMesh {
    let tetrahedra = model.groups[0].particles.as_chunks::<4>().0.to_vec();
    TetrahedronMesh { positions: model.particles.positions.clone(), tetrahedra }
}

/// A surface becomes one piece of tetrahedra, each with some height, that lies in it and fills it, and weighs what it encloses.
#[test]
fn a_surface_is_filled() {
    let model = build(&filled(DOUGHNUT, "density = 500\nscale = [1, 2, 1]")).model;
    let surface = Torus { radius: 1.0, tube_radius: 0.4, segments: 48, tube_segments: 24 }.mesh();
    let solid = tetrahedra(&model);
    let skin = model.bodies[0].skin.as_ref().expect("a skin");
    assert_eq!((skin.len(), &skin.triangles), (surface.positions.len(), &surface.triangles));
    // It is the surface itself, whose vertices are given exactly: weights are as good as f64 over heights of a tenth of a cell.
    for (found, &[x, y, z]) in skin.interpolate(&solid.positions).into_iter().zip(&surface.positions) {
        let expected = [x, 2.0 * y, z];
        assert!((0..3).all(|i| (found[i] - expected[i]).abs() < 1e-12), "{found:?} {expected:?}");
    }
    assert_eq!(solid.pieces(), 1);
    // A tenth of a cell, before the scale that makes it no less.
    let least = solid.tetrahedra.iter().map(|&t| solid.height_of(t)).fold(f64::INFINITY, f64::min);
    assert!(least > 0.0999 * 0.2, "{least} m");
    let volume = 2.0 * surface.signed_volume();
    // Chords of a tube of 0.4 m by cells of 0.2 m leave out (0.2/0.4)²/12 = 2 % of its cross-section.
    assert!((solid.signed_volume() / volume - 1.0).abs() < 0.03, "{} {volume}", solid.signed_volume());
    let mass: f64 = model.particles.inverse_masses.iter().map(|w| 1.0 / w).sum();
    assert!((mass / (500.0 * volume) - 1.0).abs() < 1e-12, "{mass}");
    assert!(solid.vertex_volumes().iter().all(|&volume| volume > 0.0));
}

/// How far the boundary's vertices are outside the surface, and the skin's vertices outside the boundary, in cells: of a sphere, of which
/// both are known. What the README says of it.
#[test]
fn the_particles_lie_at_the_surface() {
    for (cell, segments) in [(0.1, 60), (0.2, 60), (0.05, 60)] {
        let surface = format!("surface = {{ sphere = {{ radius = 0.5, segments = {segments} }} }}, cell = {cell}");
        let model = build(&filled(&surface, "")).model;
        let solid = tetrahedra(&model);
        let mut outer: Vec<u32> = solid.boundary().concat();
        outer.sort_unstable();
        outer.dedup();
        let length = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
        let mut gaps: Vec<f64> = outer.iter().map(|&p| (length(solid.positions[p as usize]) - 0.5) / cell).collect();
        gaps.sort_by(f64::total_cmp);
        let (lowest, most, highest) = (gaps[0], gaps[gaps.len() * 95 / 100], gaps[gaps.len() - 1]);
        println!(
            "cell {cell}: {} outer particles stand out by {lowest:.3} to {highest:.3} cells, 95 % below {most:.3}",
            gaps.len()
        );
        // None is inside by more than the facets of the surface are below the sphere; all but a few lie on it, and none is off by half of
        // what the lattice's are.
        let facet = 0.5 * (1.0 - (std::f64::consts::PI / f64::from(segments)).cos()) * 1.2 / cell;
        assert!(lowest > -2.0 * facet - 1e-3 && most < 0.05 && highest < 0.1, "{lowest} {most} {highest}");
        // A vertex outside has a weight below 0: by so many heights of its tetrahedron it is outside.
        let skin = model.bodies[0].skin.as_ref().expect("a skin");
        let out = skin.weights.iter().map(|weights| -weights.iter().copied().fold(1.0, f64::min)).fold(0.0, f64::max);
        println!("skin outside by {out:.3} of a height at most");
        // What an arc of a cell's length rises above its chord, (cell/0.5)²/8 of the radius, is 0.025 of a cell of 0.1 m, over
        // a height of 0.1 cells at least.
        assert!(out < 0.25, "{out}");
    }
}

/// What encloses nothing, is open, is too fine or too coarse, or has a size where there is nothing to fill is refused with the remedy; one
/// that is wound inwards is reversed, with a note.
#[test]
fn bad_surfaces() {
    let grid = "surface = { grid = { columns = 4, rows = 4, width = 1, height = 1 } }";
    check(&filled(grid, ""), &["body[0].mesh.surface: is not a closed surface", "belongs to one triangle only"]);
    check(&filled(&DOUGHNUT.replace("0.2", "0.0"), ""), &["mesh.cell: must be a finite number above 0"]);
    check(&filled(&DOUGHNUT.replace("0.2", "-1"), ""), &["mesh.cell: must be"]);
    check(&filled(&DOUGHNUT.replace("0.2", "nan"), ""), &["found NaN"]);
    check(&filled(&DOUGHNUT.replace("0.2", "3.0"), ""), &["mesh.cell: is 3 m, and the longest side", "smaller"]);
    check(&filled(&DOUGHNUT.replace("0.2", "0.001"), ""), &["mesh.cell: makes a lattice of", "larger than 0.001 m"]);
    check(&filled("surface = 3", ""), &["mesh.surface: must be a table"]);
    check(
        &filled("surface = { torus = { radius = 1, tube_radius = 2, segments = 9, tube_segments = 9 } }", ""),
        &["tube_radius"],
    );
    check(&filled("surface = \"none.obj\"", ""), &["mesh.surface", "there is no such file"]);
    check(&filled("surface = { ball = {} }", ""), &["mesh.surface.ball", "sphere"]);
    check(&filled("box = { cells = [1, 1, 1], size = [1, 1, 1] }, cell = 0.1", ""), &["mesh.cell: unknown key"]);
    check(&filled(&format!("{DOUGHNUT}, size = 1"), ""), &["mesh.size: unknown key"]);

    let filling = |mesh: TriangleMesh| {
        Scene::new("").with(Body::soft(Soft::new(Filling::new(mesh).cell(0.1)).young_modulus(1e5))).build()
    };
    let sphere = || Sphere { radius: 0.5, segments: 20 }.mesh();
    let mut turned = sphere();
    turned.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    let turned = filling(turned).expect("a solid");
    assert!(turned.notes.iter().any(|note| note.contains("reversed its triangles")), "{:?}", turned.notes);
    let volume = tetrahedra(&turned.model).signed_volume();
    assert!((volume / sphere().signed_volume() - 1.0).abs() < 0.05, "{volume}");
    let mut fin = sphere();
    fin.positions.push([0.0, 0.9, 0.0]);
    let [a, b, _] = fin.triangles[0];
    fin.triangles.push([a, b, fin.positions.len() as u32 - 1]);
    let error = filling(fin).expect_err("a refusal").to_string();
    assert!(error.contains("belongs to more than two triangles"), "{error}");
    // In files such vertices are welded.
    let mut pinched = sphere();
    let [a, b, _] = pinched.triangles[0];
    pinched.positions[a as usize] = pinched.positions[b as usize];
    let error = filling(pinched).expect_err("a refusal").to_string();
    assert!(error.contains("no two of its vertices are in one place"), "{error}");
    let mut flat = sphere();
    flat.positions.iter_mut().for_each(|position| position[2] = 0.0);
    let error = filling(flat).expect_err("a refusal").to_string();
    assert!(error.contains("it is flat"), "{error}");
}

/// A thin plate is thinner than its cells: what its tetrahedra have too much of is told, and it weighs what it should.
#[test]
fn a_plate_thinner_than_its_cells() {
    let plate = "surface = { box = { cells = [10, 1, 10], size = [1, 0.02, 1] } }, cell = 0.1";
    let built = build(&filled(plate, "density = 1000"));
    assert!(built.notes.iter().any(|note| note.contains("times the volume")), "{:?}", built.notes);
    let mass: f64 = built.model.particles.inverse_masses.iter().map(|w| 1.0 / w).sum();
    assert!((mass - 20.0).abs() < 1e-9, "{mass}");
    assert_eq!(tetrahedra(&built.model).pieces(), 1);
}

/// A tetrahedron by hand that is flat as placed would do nothing, and is refused; a volume may be blown up from nothing.
#[test]
fn flat_tetrahedra_by_hand() {
    let scene = |at: &str, kind: &str, lines: &str| {
        let positions = "positions = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]";
        let particles =
            if at == "constraint" { "[[\"b\", 0], [\"b\", 1], [\"b\", 2], [\"b\", 3]]" } else { "[0, 1, 2, 3]" };
        let list = format!("particles = [{particles}] #!");
        format!(
            "[[body]]\nname = \"b\"\nkind = \"particles\"\n{positions}\n[[{at}]]\nkind = \"{kind}\"\n{list}\n{lines}\n"
        )
    };
    for at in ["constraint", "body.constraint"] {
        check(
            &scene(at, "neo_hookean", "compliance = 1e-5"),
            &["constraint[0].particles[0]: is a tetrahedron placed flat", "move one"],
        );
        check(&scene(at, "volume", ""), &["is a tetrahedron placed flat", "`volume` needs its volume", "rest_volume"]);
        build(&scene(at, "volume", "rest_volume = 0.1").replace(" #!", ""));
    }
}
