//! Kinds' functions over lanes against double precision.

use pliant::constraint::{ALL, Kind, Listed, Vec3};
use pliant::cpu::Instructions;

use crate::kernels::Random;
use crate::kinds;

/// Constraints for each kind, in lanes side by side.
const CASES: u64 = 60;

/// A constraint by itself: places within a size, m, and rest values off by up to 10 %.
struct Case {
    rest: Vec<f64>,
    x: Vec<Vec3<f64>>,
}

impl Case {
    /// In numbers that single precision has.
    fn new(kind: &dyn Kind, size: f64, random: &mut Random) -> Self {
        let least = if kind.listed() == Listed::Triangles { 6 } else { 5 };
        let count = kind.arity().count().unwrap_or(least);
        let places: Vec<Vec3<f64>> = (0..count).map(|_| random.vector(-size, size).map(rounded).into()).collect();
        let listed = kinds::listed(kind, &(0..count as u32).collect::<Vec<_>>());
        let x: Vec<Vec3<f64>> = listed.iter().map(|&corner| places[corner as usize]).collect();
        let rest =
            kind.measure(&x).iter().map(|value| rounded(value * random.number(0.9, 1.1) + 0.01 * size)).collect();
        Self { rest, x }
    }

    /// C and its gradient.
    fn evaluate(&self, kind: &dyn Kind, component: usize) -> (f64, Vec<Vec3<f64>>) {
        let mut gradient = vec![Vec3::from([0.0; 3]); self.x.len()];
        (kind.evaluate(&self.rest, component, &self.x, &mut gradient), gradient)
    }

    /// The same with every number moved by less than a rounding of single precision.
    fn moved(&self, random: &mut Random) -> Self {
        let mut moved = |value: f64| value * (1.0 + random.number(-6e-8, 6e-8));
        let rest = self.rest.iter().map(|&value| moved(value)).collect();
        Self { rest, x: self.x.iter().map(|v| Vec3 { x: moved(v.x), y: moved(v.y), z: moved(v.z) }).collect() }
    }
}

fn rounded(value: f64) -> f64 {
    f64::from(value as f32)
}

/// How far apart two results are: of C, and the most of its gradient.
fn apart(a: &(f64, Vec<Vec3<f64>>), b: &(f64, Vec<Vec3<f64>>)) -> [f64; 2] {
    let gradients = a.1.iter().zip(&b.1).map(|(&a, &b)| (a - b).length());
    [(a.0 - b.0).abs(), gradients.fold(0.0, f64::max)]
}

fn all() -> impl Iterator<Item = &'static dyn Kind> {
    ALL.iter().chain(kinds::ALL).copied()
}

/// So many cases at once in lanes, by the last again where there are fewer.
fn in_lanes(kind: &dyn Kind, with: Instructions, cases: &[Case], component: usize) -> Vec<(f64, Vec<Vec3<f64>>)> {
    let lanes = |number: &dyn Fn(&Case) -> f64| {
        (0..with.lanes()).map(|lane| number(&cases[lane.min(cases.len() - 1)]) as f32).collect::<Vec<f32>>()
    };
    let x: Vec<f32> = (0..cases[0].x.len())
        .flat_map(|k| [lanes(&|case| case.x[k].x), lanes(&|case| case.x[k].y), lanes(&|case| case.x[k].z)])
        .flatten()
        .collect();
    let rest: Vec<f32> = (0..cases[0].rest.len()).flat_map(|k| lanes(&|case| case.rest[k])).collect();
    let found = kind.evaluate_on_cpu(with, component, &rest, &x);
    let number = |index: usize, lane: usize| f64::from(found[index * with.lanes() + lane]);
    let vector = |k: usize, lane: usize| [0, 1, 2].map(|axis| number(1 + 3 * k + axis, lane)).into();
    (0..cases.len()).map(|lane| (number(0, lane), (0..cases[0].x.len()).map(|k| vector(k, lane)).collect())).collect()
}

/// Every kind's function over lanes is its function in double precision, to what forty roundings of what it reads make of it: each step
/// of a function rounds no worse than that; over metres, and over hundredths of a millimetre, whose powers single precision hardly has. And what is in one lane does not depend on the others, nor on how many there are, to the bit.
#[test]
fn every_kind_over_lanes_is_its_twin() {
    let mut failures = Vec::new();
    for (kind, size) in all().flat_map(|kind| [(kind, 1.0), (kind, 1e-5)]) {
        let mut random = Random::new(11);
        let cases: Vec<Case> = (0..CASES).map(|_| Case::new(kind, size, &mut random)).collect();
        for component in 0..kind.components() {
            for with in Instructions::available() {
                for cases in cases.chunks(with.lanes()) {
                    let found = in_lanes(kind, with, cases, component);
                    for (case, found) in cases.iter().zip(&found) {
                        let bounds = bounds(kind, case, component, &mut random);
                        let errors = apart(found, &case.evaluate(kind, component));
                        if !(errors[0] <= bounds[0] && errors[1] <= bounds[1]) {
                            let what = format!("{} {component}, {size} m", kind.name());
                            failures.push(format!("{what}: off by {errors:?}, not {bounds:?}"));
                        }
                        let alone = in_lanes(kind, Instructions::Baseline, std::slice::from_ref(case), component);
                        assert_eq!(&alone[0], found, "{}: a lane knows of the others", kind.name());
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What forty roundings make of C, and of its gradient.
fn bounds(kind: &dyn Kind, case: &Case, component: usize, random: &mut Random) -> [f64; 2] {
    let true_one = case.evaluate(kind, component);
    let spread = (0..16).map(|_| apart(&case.moved(random).evaluate(kind, component), &true_one));
    let [value, gradient] = spread.fold([0.0; 2], |most, one| [0, 1].map(|i| one[i].max(most[i])));
    let size = true_one.1.iter().map(|g| g.length()).fold(0.0, f64::max);
    // Nothing of what is read may matter to a gradient: then it rounds by itself.
    [40.0 * value + 1e-7 * size, 40.0 * gradient + 1e-6 * size]
}
