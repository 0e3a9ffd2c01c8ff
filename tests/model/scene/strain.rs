//! Strain in scenes: constraints, cloth and solids by it, muscles, and what is refused.

use super::bad_input::check;
use super::build;
use pliant::constraint::{Strain, SurfaceStrain, Vec3, kind};
use pliant::model::{Mode, Model, Side};
use pliant::scene::{Body, Cloth, Cuboid, Elasticity, Grid, Scene, Soft, TriangleMesh};

fn model(scene: Scene) -> Model {
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// A scene of a triangle and a fourth particle with strains of it.
fn strains(lines: &str) -> String {
    let positions = "positions = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    format!("[[body]]\nkind = \"particles\"\n{positions}\n[[body.constraint]]\nkind = \"strain\"\n{lines}\n")
}

/// One key is of three particles and of four; numbers are one for all components or one for each, and lists of equal ones share
/// their materials.
#[test]
fn components_of_constraints() {
    let lines =
        "particles = [[0, 1, 2], [1, 2, 3]]\ncompliance = [1, 2, 3]\ndamping = 5\nyield = [0.1, 0.2, 0.3]\ncreep = 2";
    let surface = build(&strains(lines)).model;
    let group = &surface.groups[0];
    assert_eq!((group.kind, group.len(), &group.materials[..]), (kind::<SurfaceStrain>(), 2, &[0, 0][..]));
    let of = |k: usize| &surface.materials[group.material_of(1, k) as usize];
    assert_eq!([0, 1, 2].map(|k| (of(k).compliance, of(k).yield_point)), [1.0, 2.0, 3.0].map(|k| (k, Some(k / 10.0))));
    assert!(surface.materials.iter().all(|material| material.damping == 5.0 && material.creep == Some(2.0)));

    let keyframes = "keyframes = [{ time = 0, value = [0.1, 0, 0] }]\nbreak_force = [7]";
    let solid = build(&strains(&format!("particles = [[0, 1, 2, 3]]\ncompliance = 1e-3\n{keyframes}"))).model;
    let group = &solid.groups[0];
    assert_eq!((group.kind, solid.materials.len(), group.used_materials()), (kind::<Strain>(), 6, (0..6).collect()));
    assert!(solid.materials.iter().all(|material| material.curve == Some(0) && material.break_force == Some(7.0)));
    assert!(group.rest_changes(&solid.materials));

    let limits = "particles = [[0, 1, 2]]\nmax_strain = [0.1, 0.2, 0.3]\nmin_strain = -0.05";
    let limited = build(&strains(limits)).model;
    let group = &limited.groups[0];
    assert_eq!((&group.rest_of(0)[5..], &group.rest_of(1)[5..]), (&[-0.05; 3][..], &[0.1, 0.2, 0.3][..]));
    let sides = group.materials.iter().map(|&first| limited.materials[first as usize].side);
    assert_eq!(sides.collect::<Vec<_>>(), [Side::Push, Side::Pull]);
}

/// A cloth by strain has one for each triangle, with the warp along its rows however it is turned, on a closed mesh laid along x, and
/// its moduli as given, or as a material and a thickness have them.
#[test]
fn woven_cloth() {
    let grid = Grid { columns: 3, rows: 4, width: 1.0, height: 1.0 };
    let turned = Body::cloth(Cloth::new(grid).woven([1e-3, 2e-3, 4e-3]).bend(1e-2)).scale(2.0);
    let woven = model(Scene::new("").with(Body { rotation: [0.3, 0.5, -0.2, 0.7], ..turned }));
    let strain = woven.groups.iter().position(|group| group.kind == kind::<SurfaceStrain>()).unwrap();
    assert_eq!((woven.groups.len(), woven.groups[strain].len()), (2, 12));
    let compliances: Vec<f64> =
        woven.groups[strain].used_materials().iter().map(|&k| woven.materials[k as usize].compliance).collect();
    assert_eq!(compliances, [1e-3, 2e-3, 4e-3]);
    // Stretched by a tenth along its rows, every triangle is strained along the warp, by (1.1² - 1)/2, and in nothing else.
    let x: Vec<Vec3<f64>> = woven.particles.positions.iter().map(|&x| x.into()).collect();
    let row = (x[1] - x[0]).direction_and_length().0;
    let stretched: Vec<Vec3<f64>> = x.iter().map(|&x| x + row * (0.1 * row.dot(x))).collect();
    let mut gradient = Vec::new();
    for triangle in 0..12 {
        let rest = woven.groups[strain].rest_of(triangle);
        for (component, expected) in [0.105, 0.0, 0.0].into_iter().enumerate() {
            let value = woven.groups[strain].evaluate(triangle, component, rest, &stretched, &mut gradient);
            assert!((value / rest[4] - expected).abs() < 1e-12, "component {component} is {value}");
        }
    }

    let sheet = Cloth { stretch: pliant::scene::Stretch::Strain, ..Cloth::new(grid) };
    let made = model(Scene::new("").with(Body::cloth(sheet).thickness(0.002).material("rubber")));
    let compliances: Vec<f64> = made.materials.iter().map(|material| material.compliance).collect();
    for (compliance, expected) in compliances.iter().zip([5e-4, 5e-4, 1e-3]) {
        assert!((compliance / expected - 1.0).abs() < 1e-12, "{compliances:?}");
    }

    let text = "
        [solver]
        mode = \"pbd\"
        [[body]]
        kind = \"balloon\"
        mesh = { box = { cells = [1, 1, 1], size = [1, 1, 1] } }
        stretch = \"strain\"
        stretch_stiffness = 0.5
        weft_stiffness = 0.25
        shear_stiffness = 0.125
        ";
    let closed = build(text).model;
    assert_eq!(closed.settings.mode, Mode::Pbd);
    let group = closed.groups.iter().find(|group| group.kind == kind::<SurfaceStrain>()).unwrap();
    let stiffness: Vec<f64> = group.used_materials().iter().map(|&k| closed.materials[k as usize].stiffness).collect();
    assert_eq!((group.len(), stiffness), (12, vec![0.5, 0.25, 0.125]));
    assert!((0..12).all(|triangle| group.rest_of(triangle)[4] == 0.5_f64.sqrt()));
}

/// A solid by strain has the six moduli of its Young's modulus, along its own axes, and a yield point in each; muscles are strains of the
/// tetrahedra that lie whole in their selection.
#[test]
fn solids_by_strain() {
    let cuboid = Cuboid { cells: [4, 1, 1], size: [0.4, 0.1, 0.1] };
    let soft = Soft::new(cuboid).elasticity(Elasticity::Strain).young_modulus(1e4).yields(0.05, Some(3.0));
    let body = Body { rotation: [0.0, 0.0, 1.0, 1.0], ..Body::soft(soft) };
    let turned = model(Scene::new("").with(body));
    let group = &turned.groups[0];
    assert_eq!((group.kind, group.len(), turned.materials.len()), (kind::<Strain>(), 20, 6));
    let compliances: Vec<f64> = turned.materials.iter().map(|material| material.compliance).collect();
    assert_eq!(compliances, [1e-4, 1e-4, 1e-4, 2e-4, 2e-4, 2e-4]);
    assert!(turned.materials.iter().all(|m| m.yield_point == Some(0.05) && m.creep == Some(3.0)));
    // Its x stands along the world's y.
    let stretched: Vec<[f64; 3]> = turned.particles.positions.iter().map(|x| [x[0], 1.1 * x[1], x[2]]).collect();
    let mut gradient = Vec::new();
    for (component, expected) in [0.105, 0.0, 0.0, 0.0, 0.0, 0.0].into_iter().enumerate() {
        let value = group.evaluate(7, component, group.rest_of(7), &stretched, &mut gradient);
        assert!((value / group.rest_of(7)[9] - expected).abs() < 1e-12, "component {component} is {value}");
    }

    let muscle = "
        [[body.muscle]]
        select = { box = [[-0.1, -1, -1], [0.1, 1, 1]] }
        keyframes = [{ time = 0, value = [0, 0, 0] }, { time = 1, value = [0.1, 0, 0] }]
        period = 1
        delay = 0.5
        young_modulus = 2e5
        [[body.muscle]]
        keyframes = [{ time = 0, value = [0.1, 0.1, 0.1] }]
        ";
    let body = "[[body]]\nkind = \"soft\"\nyoung_modulus = 1e5\nmesh = { box = { cells = [4, 1, 1], size = [0.4, 0.1, 0.1] } }";
    let driven = build(&format!("{body}\n{muscle}")).model;
    let strains = &driven.groups[1];
    assert_eq!((driven.groups[0].len(), strains.kind, strains.len()), (20, kind::<Strain>(), 10 + 20));
    let first = driven.materials[strains.materials[0] as usize];
    assert_eq!((first.compliance, driven.curves.len()), (5e-6, 2));
    assert_eq!((driven.curves[0].period, driven.curves[0].delay), (Some(1.0), 0.5));
}

/// What makes no sense is told with place and remedy.
#[test]
fn bad_strains() {
    let of = |lines: &str| strains(&format!("particles = [[0, 1, 2]]\n{lines}"));
    check(&of("compliance = [1, 2] #!"), &["compliance: has 2 entries for 3 components"]);
    check(&of("compliance = [1, 2, -1] #!"), &["compliance[2]: must be a finite number from 0"]);
    check(&of("compliance = [1, 2, 0]\nyield = 0.1 #!"), &["component 2 is rigid; give it a compliance above 0"]);
    check(&of("keyframes = [{ time = 0, value = 1 }] #!"), &["must be 3 for rest_strain_warp, rest_strain_weft"]);
    check(&of("max_strain = [0.1, 0.2] #!"), &["max_strain: has 2 entries for 3 components"]);
    check(
        &of("min_strain = 0.3\nmax_strain = 0.2 #!"),
        &["of component 0 is 0.2, below the min_strain of 0.3; raise it"],
    );
    check(&of("max_strain = 0.2\nrest_strain_warp = 0.1 #!"), &["cannot be combined with limits"]);
    check(&of("max_length = 0.2 #!"), &["max_length: unknown key", "max_strain"]);
    check(&strains("particles = [[0, 1]] #!"), &["'strain' connects 3, or 4 particles, found 2"]);

    let grid = "mesh = { grid = { columns = 3, rows = 3, width = 1, height = 1 } }";
    let cloth = |lines: &str| format!("[[body]]\nkind = \"cloth\"\n{grid}\n{lines}\n");
    check(&cloth("stretch = \"strains\" #!"), &["did you mean 'strain'?"]);
    check(&cloth("weft_compliance = 1 #!"), &["weft_compliance: applies to stretch = \"strain\""]);
    check(&cloth("weft_stiffness = 1 #!"), &["weft_stiffness: applies to stretch = \"strain\""]);
    check(&cloth("stretch = \"strain\"\nbreak_force = 1 #!"), &["breaks edges", "set stretch = \"edges\""]);
    check(&cloth("stretch = \"strain\"\nweft_compliance = -1 #!"), &["weft_compliance: must be a finite number"]);
    check(&cloth("stretch = \"strain\"\nshear_stiffness = 2 #!"), &["shear_stiffness: must be a finite number"]);
    let made = "stretch = \"strain\"\nthickness = 0.01\nmaterial = \"fat\"\nweft_compliance = 1 #!";
    check(&cloth(made), &["weft_compliance: cannot be combined with a material"]);
    let sliver = TriangleMesh {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, -1e-11, 0.0]],
        triangles: vec![[0, 1, 2], [0, 3, 1]],
    };
    let thin = Scene::new("").with(Body::cloth(Cloth::new(sliver).woven([0.0; 3]))).build().expect_err("a refusal");
    let what = "`surface_strain` 1, of particles [0, 3, 1], is a triangle placed without area";
    assert!(thin.to_string().contains(what) && thin.to_string().contains("stretch = \"edges\""), "{thin}");

    let mesh = "mesh = { box = { cells = [2, 1, 1], size = [1, 1, 1] } }";
    let soft = |lines: &str| format!("[[body]]\nkind = \"soft\"\n{mesh}\n{lines}\n");
    let strained = |lines: &str| soft(&format!("elasticity = \"strain\"\nyoung_modulus = 1e5\n{lines}"));
    check(
        &strained("poisson_ratio = 0.3 #!"),
        &["poisson_ratio: applies to elasticity = \"neo-hookean\"", "has \"strain\""],
    );
    check(&strained("stretch_compliance = 1 #!"), &["applies to elasticity = \"edges\""]);
    check(&soft("young_modulus = 1e5\nyield = 0.1 #!"), &["yield: applies to elasticity = \"strain\""]);
    check(&strained("creep = 1 #!"), &["creep: is the rate", "give `yield` too"]);
    check(&strained("yield = -1 #!"), &["yield: must be a finite number from 0"]);
    let muscle = |lines: &str| soft(&format!("young_modulus = 1e5\n[[body.muscle]]\n{lines}"));
    let still = "keyframes = [{ time = 0, value = [0, 0, 0] }]";
    check(&soft("young_modulus = 1e5\n[[body.muscle]] #!"), &["has no `keyframes`"]);
    check(&muscle("keyframes = [{ time = 0, value = 1 }] #!"), &["a list of 3 numbers"]);
    check(&muscle(&format!("{still}\nperiod = 0 #!")), &["period: must be a finite number above 0"]);
    check(&muscle(&format!("{still}\nyoung_modulus = 0 #!")), &["young_modulus: must be a finite number above 0"]);
    check(&muscle(&format!("{still}\nselect = {{ box = [[5, 5, 5], [6, 6, 6]] }} #!")), &["selects no particle"]);
    check(&muscle(&format!("{still}\nselect = {{ indices = [0] }} #!")), &["contains no whole tetrahedron"]);
    check(&muscle(&format!("{still}\nstrength = 3 #!")), &["strength: unknown key"]);
    let edges = format!("elasticity = \"edges\"\n[[body.muscle]] #!\n{still}");
    check(&soft(&edges), &["muscle[0]: has no `young_modulus`"]);
    check(&format!("{}\n[[body.muscle]] #!\n{still}", cloth("")), &["muscle: unknown key"]);
}
