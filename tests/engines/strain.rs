//! Cloth and solids by strain: what they are stretched and sheared by, limits of strain, driven strain, and flow.

use pliant::constraint::{Attach, Kind, Plane, Strain, SurfaceStrain, Vec3, kind};
use pliant::model::{Material, Mode, Model};
use pliant::scene::{Body, Cloth, Grid, Scene};

use crate::device::run;
use crate::kernels::{Random, difference};
use crate::models::{self, GRAVITY};
use crate::proof;

fn model(scene: &Scene) -> Model {
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// A sheet of 0.4 m by 0.2 m.
const SHEET: Grid = Grid { columns: 5, rows: 3, width: 0.4, height: 0.2 };
/// Moduli along warp and weft and in shear, N/m.
const MODULI: [f64; 3] = [4000.0, 1000.0, 250.0];
/// What the weight of a sheet strains it by where it is held.
const STRAIN: f64 = 0.004;

/// How far the free side of a sheet sinks that is held by its opposite side, m, and how far it should: Σ i m g s/(k w) =
/// n (n + 1)/2 m g s/(k w), m the mass of a line of particles, s the way from each to the next and w its length. On the mean over the
/// side that is exact by Betti's theorem with uniform tension or shear, however the weight is shared along a line.
fn sinking(component: usize) -> [f64; 2] {
    let (along_rows, fall) = (component != 1, [0, 1, 1][component]);
    let (steps, step, width) = if along_rows { (4, 0.1, 0.2) } else { (2, 0.1, 0.4) };
    let mass = STRAIN * MODULI[component] * width / GRAVITY;
    let cloth = Cloth::new(SHEET).woven(MODULI.map(|modulus| 1.0 / modulus));
    // The first mode swings at 120/s and more, and four fifths of it are translation, which is not damped.
    let body = Body::cloth(cloth).mass(mass).damping(150.0).pin(if along_rows { "left" } else { "top" });
    let mut scene = Scene::new("sheet").with(body);
    scene.world.gravity = if component == 0 { [GRAVITY, 0.0, 0.0] } else { [0.0, -GRAVITY, 0.0] };
    // One sweep a substep leaves a share of about (c h/cell)²/2 of a load to be carried, c = √(k/σ): 1.3 % in shear.
    scene.settings.substeps = 60;
    let mut model = model(&scene);
    // In shear nothing moves along the rows; the other ways nothing moves across.
    for particle in 0..model.particles.len() {
        let place = model.particles.positions[particle];
        let mut rest = [place[0], place[1], place[2], 0.0, 0.0, 0.0, 0.0];
        rest[3 + 1 - fall] = 1.0;
        let both = Material { side: pliant::model::Side::Both, ..Material::default() };
        models::connect_with_rest(&mut model, kind::<Plane>(), &[particle as u32], &rest, both);
    }
    let state = run(&model, 80);
    // The mean over the side: its ends stand for half as much of it.
    let side: Vec<usize> =
        (0..model.particles.len()).filter(|&p| if along_rows { p % 5 == 4 } else { p / 5 == 2 }).collect();
    let way = |p: usize| (state.positions[p][fall] - model.particles.positions[p][fall]).abs();
    let means: Vec<f64> = side.windows(2).map(|pair| 0.5 * (way(pair[0]) + way(pair[1]))).collect();
    let sunk = means.iter().sum::<f64>() / means.len() as f64;
    let of_line = mass / f64::from(steps + 1);
    let lines = f64::from(steps * (steps + 1)) / 2.0;
    [sunk, lines * of_line * GRAVITY * step / (MODULI[component] * width)]
}

/// Warp, weft and shear each yield by their own modulus: a sheet that hangs by a side along its rows, along its columns, and one that is
/// sheared by its weight. What is left is the strain itself, 0.4 %, and what one sweep a substep leaves.
#[test]
fn sheets_stretch_and_shear_by_their_moduli() {
    for (component, name) in ["the warp", "the weft", "shear"].into_iter().enumerate() {
        let [sunk, expected] = sinking(component);
        let claim = format!("a woven sheet under its own weight, {name}");
        proof::relative(&claim, "its modulus: n (n + 1)/2 m g s/(k w)", sunk, expected, 0.02);
    }
}

/// A triangle with two fixed corners 1 m apart on x, and its third 1 m above them, which is pulled along y.
fn pulled(force: f64, material: Material) -> Model {
    let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0.0, 0.0, 1.0]);
    model.world.gravity = [0.0, force, 0.0];
    models::connect(&mut model, kind::<SurfaceStrain>(), &[0, 1, 2], material);
    model
}

/// Stress goes by Green's strain also where that is large: a triangle of area A whose weft is stretched by f bears the force
/// A k f (f² - 1)/2.
#[test]
fn large_strains_follow_greens_law() {
    let (stretch, modulus) = (1.5_f64, 1000.0);
    let force = 0.5 * modulus * stretch * (stretch * stretch - 1.0) / 2.0;
    // The weft is the second component, whose compliance is 1.5 times the first's.
    let mut model = pulled(force, Material { compliance: 1.0 / (1.5 * modulus), ..Material::default() });
    for k in 0..3 {
        let material = model.materials.get_mut(k).unwrap();
        material.damping = 20.0;
    }
    model.settings.substeps = 40;
    let state = run(&model, 120);
    // γ = αβ/h of 30 leaves a share of that over the 40 substeps and more in which it comes to rest.
    proof::relative("a triangle stretched by half", "A k f (f² - 1)/2", state.positions[2][1], stretch, 1e-3);
}

/// Limits of strain hold what would stretch on: with a compliance of 0 the corner goes to √(1 + 2 max_strain) and no farther; between
/// the limits it is free, and in compression it stops at the other.
#[test]
fn strains_keep_to_their_limits() {
    for (mode, gravity, expected) in [
        ("xpbd", 9.81, 1.2_f64.sqrt()),
        ("xpbd", -9.81, 0.9_f64.sqrt()),
        ("pbd", 9.81, 1.2_f64.sqrt()),
        ("pbd", -9.81, 0.9_f64.sqrt()),
    ] {
        let text = format!(
            "
            [solver]
            mode = \"{mode}\"
            substeps = 20
            [world]
            gravity = [0, {gravity}, 0]
            [[body]]
            kind = \"particles\"
            positions = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
            masses = [0, 0, 1]
            [[body.constraint]]
            kind = \"strain\"
            particles = [[0, 1, 2]]
            max_strain = [0.5, 0.1, 0.0]
            min_strain = [-0.1, -0.05, 0.0]
            "
        );
        let model = model(&Scene::parse(&text, "limits.toml", "").unwrap());
        assert_eq!((model.groups[0].len(), model.materials.len()), (2, 6));
        // Within the limits it falls as if nothing held it.
        let free = run(&model, 4);
        let fallen = 0.5 * gravity * (4.0_f64 / 60.0).powi(2) * (1.0 + 1.0 / 80.0);
        assert!((free.positions[2][1] - 1.0 - fallen).abs() < 1e-5, "{} m", free.positions[2][1]);
        let state = run(&model, 60);
        // A rigid limit gives by g h² in each substep, 7e-6 m.
        let claim = format!("limits of strain, {mode}, gravity {gravity} m/s²");
        proof::row(&claim, "√(1 + 2 limit)", (state.positions[2][1] - expected).abs(), 2e-5, "m");
    }
}

/// Kinds with a rest shape.
fn elements() -> impl Iterator<Item = &'static dyn Kind> {
    let shaped = |kind: &&dyn Kind| kind.rest().iter().any(|rest| rest.name == "inverse00");
    pliant::constraint::ALL.iter().copied().filter(shaped)
}

/// Elements whose corners lie anywhere, inside out or not, flattened to a plane or a line, and slivers a thousandth as high as long,
/// are solved as in their twins.
#[test]
fn mangled_elements_equal_their_twins() {
    for kind in elements() {
        for (case, squash) in
            [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 1e-3]].into_iter().enumerate()
        {
            let corners = kind.arity().count().unwrap();
            let mut random = Random::new(31 + case as u64);
            let (mut placed, mut moved) = (Vec::new(), Vec::new());
            while placed.len() < 64 * corners {
                let mut shape = || (0..corners).map(|_| random.vector(-1.0, 1.0)).collect::<Vec<_>>();
                let (rest, now) = (shape(), shape());
                let x: Vec<_> = rest.iter().map(|&x| x.into()).collect();
                // Rest shapes are no slivers.
                if kind.measure(&x)[..3].iter().all(|element| element.abs() < 5.0) {
                    placed.extend(rest);
                    moved.extend(now.into_iter().map(|x| std::array::from_fn(|i| x[i] * squash[i])));
                }
            }
            let masses = vec![1.0; placed.len()];
            let mut built = models::particles(&placed, &masses);
            for first in (0..placed.len() as u32).step_by(corners) {
                let particles: Vec<u32> = (first..first + corners as u32).collect();
                let soft = Material { compliance: 1e-2, ..Material::default() };
                models::connect(&mut built, kind, &particles, soft);
            }
            built.particles.positions = moved;
            built.settings.substeps = 1;
            built.settings.frame_rate = 600.0;
            let (positions, multipliers) = difference(&run(&built, 1), &models::run(&built, 1));
            let name = kind.name();
            if name == "corotated" && case == 2 {
                // About the line that everything lies on any rotation is as near as any other: C is one, its gradient is not.
                assert!(multipliers < 2e-4, "{name} {squash:?}: λ {multipliers:.2e}");
                continue;
            }
            assert!(
                positions < 2e-5 && multipliers < 2e-4,
                "{name} {squash:?}: {positions:.2e} m, λ {multipliers:.2e}"
            );
        }
    }
}

/// Each component of a tetrahedron has a material of its own, in PBD mode as in XPBD: where only γ_yz is rigid and the
/// others yield to anything, it alone is brought to rest.
#[test]
fn components_have_materials_of_their_own() {
    for mode in [Mode::Xpbd, Mode::Pbd] {
        let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut model = models::particles(&positions, &[1.0; 4]);
        model.world.gravity = [0.0; 3];
        models::connect(
            &mut model,
            kind::<Strain>(),
            &[0, 1, 2, 3],
            Material { compliance: 1e6, ..Material::default() },
        );
        for k in 0..6 {
            let material = model.materials.get_mut(k).unwrap();
            (material.compliance, material.stiffness) = if k == 3 { (0.0, 1.0) } else { (1e6, 0.0) };
        }
        model.settings.mode = mode;
        (model.settings.substeps, model.settings.iterations) = (1, 20);
        model.particles.positions[3] = [0.3, 0.5, 1.0];
        let state = run(&model, 1);
        let x: Vec<_> = state.positions.iter().map(|&x| Vec3::from(x)).collect();
        let shear = (x[2] - x[0]).dot(x[3] - x[0]);
        assert!(shear.abs() < 1e-6, "{mode:?}: γ_yz is {shear}, and was 0.5");
        for (k, multiplier) in state.multipliers[0].iter().enumerate().filter(|(k, _)| *k != 3) {
            assert!(multiplier.last.abs() < 1e-9, "{mode:?}: component {k} acts by {multiplier:?}");
        }
    }
}

/// A tetrahedron whose last corner is drawn up and to the side relaxes by the law of flow, component by component: from each strain ε
/// what is beyond the yield point y falls as e^(-creep t), at once without a rate; what is below stays.
#[test]
fn held_strains_relax_by_the_law_of_flow() {
    let (limit, frames) = (0.03, 30);
    for creep in [Some(4.0), None] {
        let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut model = models::particles(&positions, &[0.0, 0.0, 0.0, 1.0]);
        model.world.gravity = [0.0; 3];
        let material = Material { yield_point: Some(limit), creep, ..models::compliant(1e-3) };
        models::connect(&mut model, kind::<Strain>(), &[0, 1, 2, 3], material);
        model.particles.positions[3] = [-0.02, 0.1, 1.1];
        models::connect(&mut model, kind::<Attach>(), &[3], Material::default());
        // One after the other, strain and hold come to λ = -C/α̃ the nearer the more often they take turns.
        model.settings.iterations = 3;
        let state = run(&model, frames);
        // Before the first substep has ended there is no force from which it could flow.
        let seconds = f64::from(frames) / 60.0 - model.settings.substep_seconds();
        let share = creep.map_or(0.0, |creep: f64| (-creep * seconds).exp());
        let [x, y, z] = model.particles.positions[3];
        let strains = [0.0, 0.0, (x * x + y * y + z * z - 1.0) / 2.0, y, x, 0.0];
        let off = strains.iter().zip(&state.rest[0][10..]).map(|(strain, rest): (&f64, &f64)| {
            let beyond = (strain.abs() - limit).max(0.0);
            rest - strain.signum() * beyond * (1.0 - share)
        });
        // A rest value of 0.1 is rounded at 7e-9 in each of 300 substeps, strains of positions of 1 m at 1e-7.
        let claim = format!("flow of a tetrahedron held strained, creep {creep:?}");
        proof::row(&claim, "y + (ε - y) e^(-creep t)", proof::largest(off), 4e-5, "");
    }
}
