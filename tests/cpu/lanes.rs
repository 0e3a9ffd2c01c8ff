//! Kinds' functions over lanes against double precision.

use pliant::constraint::{ALL, Kind, Vec3};
use pliant::cpu::Lanes;

use crate::kernels::Random;
use crate::kinds;

/// Constraints for each kind, in lanes side by side.
const CASES: u64 = 60;

/// A constraint by itself: places of 1 m, and rest values off by up to 10 %.
struct Case {
    rest: Vec<f64>,
    x: Vec<Vec3<f64>>,
}

impl Case {
    /// In numbers that single precision has.
    fn new(kind: &dyn Kind, random: &mut Random) -> Self {
        let least = if kind.surface() { 6 } else { 5 };
        let count = kind.arity().count().unwrap_or(least);
        let places: Vec<Vec3<f64>> = (0..count).map(|_| random.vector(-1.0, 1.0).map(rounded).into()).collect();
        let listed = kinds::listed(kind, &(0..count as u32).collect::<Vec<_>>());
        let x: Vec<Vec3<f64>> = listed.iter().map(|&corner| places[corner as usize]).collect();
        let rest = kind.measure(&x).iter().map(|value| rounded(value * random.number(0.9, 1.1) + 0.01)).collect();
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
fn in_lanes(kind: &dyn Kind, cases: &[Case], component: usize) -> Vec<(f64, Vec<Vec3<f64>>)> {
    let lanes = |number: &dyn Fn(&Case) -> f64| {
        let mut values = Lanes::splat(0.0).to_array();
        for (lane, value) in values.iter_mut().enumerate() {
            *value = number(&cases[lane.min(cases.len() - 1)]) as f32;
        }
        Lanes::new(values)
    };
    let x: Vec<Vec3<Lanes>> = (0..cases[0].x.len())
        .map(|k| Vec3 { x: lanes(&|case| case.x[k].x), y: lanes(&|case| case.x[k].y), z: lanes(&|case| case.x[k].z) })
        .collect();
    let rest: Vec<Lanes> = (0..cases[0].rest.len()).map(|k| lanes(&|case| case.rest[k])).collect();
    let mut gradient = vec![Vec3::zero(); x.len()];
    let value = kind.evaluate_lanes(&rest, component, &x, &mut gradient);
    let number = |lanes: Lanes, lane: usize| f64::from(lanes.to_array()[lane]);
    (0..cases.len())
        .map(|lane| {
            let vector = |v: &Vec3<Lanes>| Vec3 { x: number(v.x, lane), y: number(v.y, lane), z: number(v.z, lane) };
            (number(value, lane), gradient.iter().map(vector).collect())
        })
        .collect()
}

/// Every kind's function over lanes is its function in double precision, to what forty roundings of what it reads make of it: each step
/// of a function rounds no worse than that. And what is in one lane does not depend on the others, to the bit.
#[test]
fn every_kind_over_lanes_is_its_twin() {
    let width = Lanes::splat(0.0).to_array().len();
    let mut failures = Vec::new();
    for kind in all() {
        let mut random = Random::new(11);
        let cases: Vec<Case> = (0..CASES).map(|_| Case::new(kind, &mut random)).collect();
        for component in 0..kind.components() {
            for cases in cases.chunks(width) {
                let found = in_lanes(kind, cases, component);
                for (case, found) in cases.iter().zip(&found) {
                    let true_one = case.evaluate(kind, component);
                    let spread = (0..16).map(|_| apart(&case.moved(&mut random).evaluate(kind, component), &true_one));
                    let [value, gradient] = spread.fold([0.0; 2], |most, one| [0, 1].map(|i| one[i].max(most[i])));
                    let size = true_one.1.iter().map(|g| g.length()).fold(0.0, f64::max);
                    // Nothing of what is read may matter to a gradient: then it rounds by itself.
                    let bounds = [40.0 * value + 1e-7 * size, 40.0 * gradient + 1e-6 * size];
                    let errors = apart(found, &true_one);
                    if !(errors[0] <= bounds[0] && errors[1] <= bounds[1]) {
                        failures.push(format!("{} {component}: off by {errors:?}, not {bounds:?}", kind.name()));
                    }
                    let alone = in_lanes(kind, std::slice::from_ref(case), component);
                    assert_eq!(&alone[0], found, "{}: a lane knows of the others", kind.name());
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
