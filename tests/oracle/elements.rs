//! Strain and stress of elements, against what the theory of elasticity says of a block that is deformed by hand.

use pliant::constraint::{Vec3, kind};
use pliant::measure::Measurement;
use pliant::measure::elements::{Element, Fields, elements};
use pliant::model::{Material, Mode, Model, Multiplier, Side, State};
use pliant::scene::{Body, Cuboid, Scene, Soft};

use crate::kinds::Film;
use crate::{models, proof};

type Matrix = [[f64; 3]; 3];

/// A few of the operations of rounding, relative.
const ROUNDING: f64 = 1e-12;

const BLOCK: Cuboid = Cuboid { cells: [2, 3, 2], size: [0.2, 0.4, 0.3] };

/// A block of Young's modulus, Pa, and Poisson's ratio, deformed by x ↦ F x.
fn deformed(young_modulus: f64, poisson_ratio: f64, f: Matrix) -> (Model, State) {
    let soft = Soft::new(BLOCK).young_modulus(young_modulus).poisson_ratio(poisson_ratio);
    let model = Scene::new("block").with(Body::soft(soft).density(1000.0)).build().unwrap().model;
    let apply = |x: &[f64; 3]| f.map(|row| row[0] * x[0] + row[1] * x[1] + row[2] * x[2]);
    let positions: Vec<[f64; 3]> = model.particles.positions.iter().map(apply).collect();
    let velocities = vec![[0.0; 3]; positions.len()];
    let multipliers = model.groups.iter().map(|group| vec![Multiplier::default(); 2 * group.len()]).collect();
    (model, State { positions, velocities, multipliers, ..State::default() })
}

/// The strain and the stress, Pa, of a block, which all of its elements and particles have to rounding, in full scales of `size`, Pa.
fn felt(model: &Model, state: &State, size: f64) -> [f64; 2] {
    let found = |element: Element| [element.strain(model, &state.positions), element.stress(model, state).unwrap()];
    let all: Vec<[f64; 2]> = elements(model, state).map(found).collect();
    assert_eq!(all.len(), 5 * 12);
    let fields = Fields::of(model, state);
    assert_eq!(fields.strain.len(), 3 * 4 * 3);
    let particles = fields.strain.iter().zip(&fields.stress).map(|(strain, stress)| [strain.unwrap(), stress.unwrap()]);
    for [strain, stress] in all.iter().copied().chain(particles) {
        assert!((strain - all[0][0]).abs() <= ROUNDING * (1.0 + all[0][0]), "{strain} and {}", all[0][0]);
        assert!((stress - all[0][1]).abs() <= ROUNDING * size, "{stress} Pa and {} Pa", all[0][1]);
    }
    let measured = Measurement::of(model, state);
    assert!((measured.max_strain.unwrap() - all[0][0]).abs() <= ROUNDING * (1.0 + all[0][0]));
    assert!((measured.max_stress.unwrap() - all[0][1]).abs() <= ROUNDING * size);
    all[0]
}

fn diagonal(a: f64, b: f64, c: f64) -> Matrix {
    [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]
}

/// Moduli and Poisson's ratios of the tests, of cork to rubber.
const MATERIALS: [(f64, f64); 4] = [(1e4, 0.0), (2e5, 0.3), (1e7, 0.45), (1e10, 0.49)];

/// A block that is stretched by ε on rollers and thins by ν ε has the stress E ε. At 0.1 % the material is linear to about as much.
#[test]
fn tension_is_youngs_modulus_times_strain() {
    let strain = 1e-3;
    let error = MATERIALS.map(|(young_modulus, ratio)| {
        let thin = 1.0 - ratio * strain;
        let (model, state) = deformed(young_modulus, ratio, diagonal(thin, 1.0 + strain, thin));
        let [found, stress] = felt(&model, &state, young_modulus);
        assert!((found - strain).abs() < ROUNDING, "{found}");
        100.0 * (stress / (young_modulus * strain) - 1.0)
    });
    let claim = "von Mises stress of blocks stretched by 0.1 % on rollers, E from 1e4 to 1e10 Pa and ν from 0 to 0.49";
    proof::row(claim, "E ε", proof::largest(error), 1.0, "%");
}

/// A block that is pressed flat has the stress of a millionth of its volume: a number, to which that of a thinner and
/// thinner block tends as if it had no less.
#[test]
fn what_is_flat_has_a_stress() {
    for (young_modulus, ratio) in MATERIALS {
        let pressed = |height: f64| {
            let (model, state) = deformed(young_modulus, ratio, diagonal(1.2, height, 0.9));
            felt(&model, &state, 1e6 * young_modulus)[1]
        };
        // The forces do not change with a height of 1e-5 by more than it; the volume does.
        let expected = pressed(1e-5) * (1.2 * 1e-5 * 0.9) / 1e-6;
        let error = pressed(0.0) / expected - 1.0;
        assert!(error.abs() < 1e-4, "{young_modulus} Pa, {ratio}: {error}");
    }
}

/// A block that is squeezed or blown up alike from all sides has no von Mises stress, whatever its strain.
#[test]
fn pressure_has_no_von_mises_stress() {
    for size in [0.5, 0.9, 0.999, 1.0, 1.3] {
        let error = MATERIALS.map(|(young_modulus, ratio)| {
            let (model, state) = deformed(young_modulus, ratio, diagonal(size, size, size));
            let [strain, stress] = felt(&model, &state, young_modulus);
            assert!((strain - (size - 1.0_f64).abs()).abs() < ROUNDING, "{strain}");
            stress / young_modulus
        });
        assert!(proof::largest(error) < ROUNDING, "{error:?} of E at {size}");
    }
}

/// Simple shear by γ has the stress √3 G γ, and in a neo-Hookean solid of any γ √3 G γ √(1 + γ²/3).
#[test]
fn shear_is_the_shear_modulus_times_shear() {
    let error = |shear: f64, factor: f64| {
        MATERIALS.map(|(young_modulus, ratio)| {
            let f = [[1.0, shear, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let (model, state) = deformed(young_modulus, ratio, f);
            let modulus = young_modulus / (2.0 * (1.0 + ratio));
            let [_, stress] = felt(&model, &state, young_modulus);
            100.0 * (stress / (3f64.sqrt() * modulus * shear * factor) - 1.0)
        })
    };
    let small = proof::largest(error(1e-3, 1.0));
    proof::row("von Mises stress of the same blocks sheared by 0.1 %", "√3 G γ", small, 1.0, "%");
    let large = proof::largest(error(1.0, (4.0f64 / 3.0).sqrt()));
    assert!(large < 100.0 * ROUNDING, "{large} %");
}

/// A deformation of every kind has Cauchy's stress of neo-Hookean material, of which what is not pressure is (μ/J) F Fᵀ; and turning it
/// changes neither strain nor stress.
#[test]
fn any_deformation_has_cauchys_stress() {
    let f = [[1.3, 0.2, -0.1], [-0.3, 0.8, 0.25], [0.05, -0.4, 1.1]];
    let (young_modulus, ratio) = (2e5, 0.3);
    let (model, state) = deformed(young_modulus, ratio, f);
    let [a, b, c] = f.map(Vec3::from);
    let rows = [a, b, c];
    let s: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| rows[i].dot(rows[j])));
    let third = (s[0][0] + s[1][1] + s[2][2]) / 3.0;
    let squares: f64 = (0..9).map(|k| (s[k / 3][k % 3] - if k / 3 == k % 3 { third } else { 0.0 }).powi(2)).sum();
    let expected = young_modulus / (2.0 * (1.0 + ratio)) / a.dot(b.cross(c)) * (1.5 * squares).sqrt();
    let [strain, stress] = felt(&model, &state, young_modulus);
    assert!((stress / expected - 1.0).abs() < ROUNDING, "{stress} Pa, not {expected} Pa");
    let (sin, cos) = 0.7_f64.sin_cos();
    let turned = [0, 1, 2].map(|j| cos * f[0][j] - sin * f[2][j]);
    let under = [0, 1, 2].map(|j| sin * f[0][j] + cos * f[2][j]);
    let (model, state) = deformed(young_modulus, ratio, [turned, f[1], under]);
    let again = felt(&model, &state, young_modulus);
    assert!((again[0] - strain).abs() < ROUNDING && (again[1] / stress - 1.0).abs() < ROUNDING, "{again:?}");
}

/// Strain is that of the principal stretch farthest from 1; one that has gone through zero is negative.
#[test]
fn strain_is_of_principal_stretches() {
    let (sin, cos) = 0.4_f64.sin_cos();
    for (stretches, strain) in
        [([1.2, 1.0, 0.9], 0.2), ([1.2, 0.7, 1.0], 0.3), ([1.0, 1.0, -1.0], 2.0), ([2.5, 1.0, -0.4], 1.5)]
    {
        let [a, b, c] = stretches;
        let f = [[cos * a, -sin * b, 0.0], [sin * a, cos * b, 0.0], [0.0, 0.0, c]];
        let (model, state) = deformed(1e5, 0.3, f);
        let found = felt(&model, &state, 1e7)[0];
        // Equal eigenvalues are known to the square root of rounding.
        assert!((found - strain).abs() < 1e-7, "{found}, not {strain}");
    }
}

/// A triangle is strained in its plane alone, wherever that lies; its stress is not told.
#[test]
fn triangles_are_strained_in_their_plane() {
    let mut model = models::particles(&[[0.0; 3], [0.3, 0.0, 0.0], [0.1, 0.2, 0.0]], &[1.0; 3]);
    models::connect(&mut model, kind::<Film>(), &[0, 1, 2], models::compliant(1e-3));
    for (f, strain) in [([1.0, 1.0], 0.0), ([1.1, 1.0], 0.1), ([1.1, 0.8], 0.2)] {
        let (sin, cos) = 0.6_f64.sin_cos();
        let place = |x: &[f64; 3]| [5.0 + f[0] * x[0], cos * f[1] * x[1], sin * f[1] * x[1]];
        let state = State { positions: model.particles.positions.iter().map(place).collect(), ..State::default() };
        let all: Vec<Element> = elements(&model, &state).collect();
        assert_eq!(all.len(), 1);
        assert!((all[0].size - 0.03).abs() < ROUNDING && all[0].stress(&model, &state).is_none());
        let found = all[0].strain(&model, &state.positions);
        assert!((found - strain).abs() < 1e-7, "{found}, not {strain}");
    }
}

/// What has broken counts nothing, and where all has, nothing is told; nor is a stress of what has none by its material.
#[test]
fn what_tells_nothing_is_left_out() {
    let (model, mut state) = deformed(1e5, 0.3, diagonal(1.0, 1.01, 1.0));
    // One element is stretched by much more: its corner that no other has.
    let before = Measurement::of(&model, &state);
    state.positions[0][1] -= 0.1;
    let corner = Measurement::of(&model, &state);
    assert!(corner.max_strain > before.max_strain && corner.max_stress > before.max_stress);
    let at_corner = elements(&model, &state).filter(|element| element.particles(&model).contains(&0));
    for element in at_corner.map(|element| element.constraint).collect::<Vec<_>>() {
        state.multipliers[0][2 * element..2 * element + 2].iter_mut().for_each(|multiplier| multiplier.broken = true);
    }
    let broken = Measurement::of(&model, &state);
    let close = |a: Option<f64>, b: Option<f64>| (a.unwrap() / b.unwrap() - 1.0).abs() < ROUNDING;
    assert!(close(broken.max_strain, before.max_strain) && close(broken.max_stress, before.max_stress), "{broken:?}");
    let fields = Fields::of(&model, &state);
    assert_eq!((fields.strain[0], fields.stress[0]), (None, None));
    assert!(fields.strain.iter().skip(1).all(Option::is_some));
    state.multipliers[0].iter_mut().for_each(|multiplier| multiplier.broken = true);
    let none = Measurement::of(&model, &state);
    assert_eq!((none.max_strain, none.max_stress), (None, None));

    let silent = Material { compliance: 1e-5, side: Side::Pull, ..Material::default() };
    for (mode, material) in [(Mode::Pbd, None), (Mode::Xpbd, Some(Material::default())), (Mode::Xpbd, Some(silent))] {
        let (mut model, state) = deformed(1e5, 0.3, diagonal(1.0, 1.01, 1.0));
        model.settings.mode = mode;
        if let Some(material) = material {
            let material = model.materials.insert(material);
            model.groups[0].materials.fill(material);
        }
        let measured = Measurement::of(&model, &state);
        assert!(measured.max_strain.is_some() && measured.max_stress.is_none(), "{mode:?} {material:?}");
    }
}

/// At a particle stands the mean over its elements, weighted by their size at rest.
#[test]
fn particles_have_the_mean_by_volume() {
    let (model, mut state) = deformed(1e5, 0.3, diagonal(1.0, 1.0, 1.0));
    for (k, x) in state.positions.iter_mut().enumerate() {
        x[k % 3] += 0.01 * (k as f64).sin();
    }
    let fields = Fields::of(&model, &state);
    for p in 0..state.positions.len() {
        let mine: Vec<Element> =
            elements(&model, &state).filter(|e| e.particles(&model).contains(&(p as u32))).collect();
        let weight: f64 = mine.iter().map(|element| element.size).sum();
        let mean = |value: &dyn Fn(&Element) -> f64| mine.iter().map(|e| e.size * value(e)).sum::<f64>() / weight;
        let strain = mean(&|element| element.strain(&model, &state.positions));
        let stress = mean(&|element| element.stress(&model, &state).unwrap());
        assert!((fields.strain[p].unwrap() / strain - 1.0).abs() < ROUNDING);
        assert!((fields.stress[p].unwrap() / stress - 1.0).abs() < ROUNDING);
    }
}
