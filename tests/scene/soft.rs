//! Solids: what their description becomes in the model, and what is refused.

use super::bad_input::check;
use super::build;
use pliant::constraint::{NeoHookean, kind};
use pliant::scene::{Body, Cuboid, Scene, Soft, TetrahedronMesh};

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
    check(&soft("young_modulus = 1e5 #!\nmaterial = \"rubber\""), &["is given beside a material"]);
    check(
        &soft("elasticity = \"neohookean\" #!"),
        &["'neohookean' is not one of its values", "did you mean 'neo-hookean'?"],
    );
    check(&soft("young_modulus = 1e5\nstretch_compliance = 1 #!"), &["is of elasticity = \"edges\""]);
    check(&soft("young_modulus = 1e5\nstretch_stiffness = 1 #!"), &["is of elasticity = \"edges\""]);
    check(&soft("elasticity = \"edges\"\nyoung_modulus = 1e5 #!"), &["is of elasticity = \"neo-hookean\""]);
    check(&soft("elasticity = \"edges\"\npoisson_ratio = 0.1 #!"), &["is of elasticity = \"neo-hookean\""]);
    check(
        &soft("elasticity = \"edges\"\nstretch_compliance = -1 #!"),
        &["stretch_compliance: must be a finite number"],
    );
    check(&soft("elasticity = \"edges\"\nmaterial = \"fat\" #!"), &["held by its edges cannot use"]);
    check(&soft("young_modulus = 1e5\npin = [\"top\"]\ntether = {} #!"), &["a solid holds by itself"]);
    check(&soft("young_modulus = 1e5\nmass = 0 #!"), &["nothing is pinned"]);
    check(&soft("young_modulus = 1e5\nyoung_modulos = 1 #!"), &["did you mean 'young_modulus'?"]);
    check(&soft("young_modulus = 1e5\ntear_stress = 0 #!"), &["tear_stress: must be", "above 0", "never tears"]);
    check(&soft("young_modulus = 1e5\ntear_stress = -1 #!"), &["tear_stress: must be", "found -1"]);
    check(&soft("young_modulus = 1e5\ntear_stress = nan #!"), &["tear_stress", "found NaN"]);
    check(&soft("young_modulus = 1e5\ntear_stress = \"weak\" #!"), &["tear_stress: must be a number"]);
    check(&soft("young_modulus = 1e5\nbreak_force = 1 #!"), &["break_force: unknown key", "tear_stress"]);
    check(&soft("elasticity = \"edges\"\ntear_stress = 1 #!"), &["tear_stress: is of elasticity = \"neo-hookean\""]);
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
    check(&mesh("box = { cells = [1, 1, 1], size = [1, 1e-11, 1] }"), &["tetrahedron 0 is flat", "1e-10 m high"]);
    let tetrahedra = |tetrahedra: &[[u32; 4]]| {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
        let mesh = TetrahedronMesh { positions, tetrahedra: tetrahedra.to_vec() };
        let scene = Scene::new("").with(Body::soft(Soft::new(mesh).young_modulus(1e5)));
        scene.build().expect_err("a refusal").to_string()
    };
    for (list, words) in [
        (&[][..], "has no tetrahedron"),
        (&[[0, 1, 2, 9]][..], "tetrahedra[0]: names a vertex beyond the 5"),
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
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mesh/data");
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
