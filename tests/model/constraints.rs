//! What every constraint kind promises, on random input with fixed seeds: the kinds that ship and those of the tests.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use pliant::constraint::{self, Dual, Kind, Listed, Symmetry, Vec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::kinds;

type Points = Vec<Vec3<f64>>;

/// Particles of a constraint over any number of them, and corners of one over a surface: of any four triangles, which need not be
/// closed for what is tested here.
const MANY: usize = 7;
const CORNERS: usize = 12;

fn all() -> impl Iterator<Item = &'static dyn Kind> {
    constraint::ALL.iter().chain(kinds::ALL).copied()
}

/// C of one component and its gradient.
fn evaluate(kind: &dyn Kind, rest: &[f64], component: usize, x: &[Vec3<f64>]) -> (f64, Points) {
    let mut gradient = vec![Vec3::zero(); x.len()];
    (kind.evaluate(rest, component, x, &mut gradient), gradient)
}

/// Particles as placed and moved away from there.
#[derive(Debug)]
struct Case {
    placed: Points,
    moved: Points,
    /// Size of the whole, m.
    size: f64,
    /// Size of its smallest feature, m.
    smallest: f64,
}

impl Case {
    /// Rest values as placed.
    fn rest(&self, kind: &dyn Kind) -> Vec<f64> {
        kind.measure(&self.placed)
    }
}

fn points(count: usize, size: f64) -> impl Strategy<Value = Points> {
    prop::collection::vec(prop::array::uniform3(-size..size).prop_map(Vec3::from), count)
}

/// Particles of a kind from a millimetre to a kilometre apart, some of them squashed by a thousand: almost coincident,
/// almost collinear, almost flat.
fn cases(kind: &dyn Kind) -> impl Strategy<Value = Case> {
    let count = kind.arity().count().unwrap_or(if kind.listed() == Listed::Triangles {
        CORNERS
    } else {
        MANY.max(kind.least() + 3)
    });
    let squash = prop_oneof![Just([1.0, 1.0, 1.0]), Just([1.0, 1.0, 1e-3]), Just([1.0, 1e-3, 1e-3]), Just([1e-3; 3])];
    (points(count, 1.0), points(count, 1.0), -3.0..3.0, squash).prop_map(|(placed, moved, exponent, squash)| {
        let size = 10_f64.powf(exponent);
        let squashed = |x: Vec3<f64>| Vec3::new(x.x * squash[0], x.y * squash[1], x.z * squash[2]) * size;
        let placed = placed.into_iter().map(|x| x * size).collect();
        let moved = moved.into_iter().map(squashed).collect();
        Case { placed, moved, size, smallest: size * squash[2] }
    })
}

/// The same cases each time: a failure is a failure for all.
fn for_cases(kind: &dyn Kind, check: impl Fn(Case) -> Result<(), TestCaseError>) {
    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner.run(&cases(kind), check).unwrap_or_else(|error| panic!("{}: {error}", kind.name()));
}

fn largest(vectors: &[Vec3<f64>]) -> f64 {
    vectors.iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// What rounding may change in C when its particles move by their size: some hundred ulp of its terms.
fn rounding(kind: &dyn Kind, rest: &[f64], component: usize, case: &Case) -> f64 {
    let (value, gradient) = evaluate(kind, rest, component, &case.moved);
    let (_, gradient_placed) = evaluate(kind, rest, component, &case.placed);
    1e-13 * (value.abs() + (largest(&gradient) + largest(&gradient_placed)) * case.size)
}

/// The gradient is the derivative of C, by dual numbers: to rounding.
#[test]
fn gradients_are_derivatives_by_dual_numbers() {
    for kind in all() {
        for_cases(kind, |case| {
            let rest = case.rest(kind);
            for component in 0..kind.components() {
                let (_, gradient) = evaluate(kind, &rest, component, &case.moved);
                for i in 0..case.moved.len() {
                    let derivative = derivative_by_dual_numbers(kind, &rest, component, &case.moved, i);
                    // Cancellation in what is squashed by a thousand costs three digits and more of sixteen.
                    let tolerance = 1e-10 * largest(&gradient);
                    prop_assert!(
                        (derivative - gradient[i]).length() <= tolerance,
                        "component {component}, particle {i}: {derivative:?} is not {:?}",
                        gradient[i]
                    );
                }
            }
            Ok(())
        });
    }
}

fn derivative_by_dual_numbers(kind: &dyn Kind, rest: &[f64], component: usize, x: &[Vec3<f64>], i: usize) -> Vec3<f64> {
    let constant = |value: f64| Dual::new(value, 0.0);
    let rest: Vec<Dual> = rest.iter().map(|&value| constant(value)).collect();
    let along = |axis: usize| {
        let mut x: Vec<Vec3<Dual>> = x.iter().map(|x| Vec3::new(constant(x.x), constant(x.y), constant(x.z))).collect();
        let Vec3 { x: a, y: b, z: c } = &mut x[i];
        [a, b, c][axis].derivative = 1.0;
        let mut gradient = vec![Vec3::zero(); x.len()];
        kind.evaluate_dual(&rest, component, &x, &mut gradient).derivative
    };
    Vec3::new(along(0), along(1), along(2))
}

/// The gradient is the derivative of C, by central finite differences.
#[test]
fn gradients_are_derivatives_by_finite_differences() {
    for kind in all() {
        for_cases(kind, |case| {
            let rest = case.rest(kind);
            let step = 1e-5 * case.smallest;
            for component in 0..kind.components() {
                let (_, gradient) = evaluate(kind, &rest, component, &case.moved);
                // Truncation is (step / feature)², with room for random features of a thirtieth of the smallest; and C itself
                // is rounded, by a few ulp, a hundredth of what a motion adds, over the step that it is divided by.
                let tolerance = 1e-7 * largest(&gradient) + 1e-2 * rounding(kind, &rest, component, &case) / step;
                for i in 0..case.moved.len() {
                    let difference = |axis: Vec3<f64>| {
                        let moved = |by: f64| {
                            let mut x = case.moved.clone();
                            x[i] += axis * by;
                            evaluate(kind, &rest, component, &x).0
                        };
                        (moved(step) - moved(-step)) / (2.0 * step)
                    };
                    let [x, y, z] =
                        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| difference(axis.into()));
                    let derivative = Vec3::new(x, y, z);
                    prop_assert!(
                        (derivative - gradient[i]).length() <= tolerance,
                        "component {component}, particle {i}: {derivative:?} is not {:?}, tolerance {tolerance}",
                        gradient[i]
                    );
                }
            }
            Ok(())
        });
    }
}

/// A motion of each symmetry, about as large as the particles lie apart.
fn moved(symmetry: Symmetry, case: &Case) -> Points {
    // A unit quaternion (1, 2, 3, 4)/√30 without any symmetry of its own.
    let axis = Vec3::new(1.0, 2.0, 3.0) * (1.0 / 30_f64.sqrt());
    let scalar = 4.0 / 30_f64.sqrt();
    let turned = |x: Vec3<f64>| x + axis.cross(axis.cross(x) + x * scalar) * 2.0;
    case.moved
        .iter()
        .map(|&x| match symmetry {
            Symmetry::Translation => x + Vec3::new(0.3, -0.7, 1.1) * case.size,
            Symmetry::Rotation => turned(x),
            // Across a plane that is none of the coordinate planes.
            Symmetry::Reflection => x + axis * (-2.0 * axis.dot(x) / axis.dot(axis)),
        })
        .collect()
}

/// The largest change of C over all components when its particles move by a symmetry, over what rounding allows.
fn change(kind: &dyn Kind, symmetry: Symmetry, case: &Case) -> f64 {
    let rest = case.rest(kind);
    let one = |component| {
        let (before, _) = evaluate(kind, &rest, component, &case.moved);
        let (after, _) = evaluate(kind, &rest, component, &moved(symmetry, case));
        (after - before).abs() / rounding(kind, &rest, component, case)
    };
    (0..kind.components()).map(one).fold(0.0, f64::max)
}

/// C does not change under the motions that a kind declares.
#[test]
fn declared_symmetries_leave_values_unchanged() {
    for kind in all() {
        for &symmetry in kind.symmetries() {
            for_cases(kind, |case| {
                let change = change(kind, symmetry, &case);
                prop_assert!(change <= 1.0, "{symmetry:?} changes C by {change} of what rounding allows");
                Ok(())
            });
        }
    }
}

/// C does change under the motions that a kind does not declare: none is forgotten.
#[test]
fn undeclared_symmetries_change_values() {
    for kind in all() {
        for symmetry in [Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection] {
            if !kind.symmetries().contains(&symmetry) {
                for_cases(kind, |case| {
                    prop_assert!(change(kind, symmetry, &case) > 1.0, "{symmetry:?} does not change C");
                    Ok(())
                });
            }
        }
    }
}

/// A kind that translation leaves alone conserves momentum, one that rotation leaves alone angular momentum: forces and
/// torques along the gradient add up to zero.
#[test]
fn gradients_of_symmetric_kinds_conserve_momentum() {
    for kind in all() {
        for_cases(kind, |case| {
            let rest = case.rest(kind);
            for component in 0..kind.components() {
                let (_, gradient) = evaluate(kind, &rest, component, &case.moved);
                let force = gradient.iter().fold(Vec3::zero(), |sum, &g| sum + g);
                let torque = case.moved.iter().zip(&gradient).fold(Vec3::zero(), |sum, (&x, &g)| sum + x.cross(g));
                // Sums of a few terms that cancel: rounding, and of unit normals of what is squashed by a thousand.
                let tolerance = 1e-10 * largest(&gradient);
                if kind.symmetries().contains(&Symmetry::Translation) {
                    prop_assert!(force.length() <= tolerance, "force {force:?}");
                }
                if kind.symmetries().contains(&Symmetry::Rotation) {
                    prop_assert!(torque.length() <= tolerance * case.size, "torque {torque:?}");
                }
            }
            Ok(())
        });
    }
}

/// The particles as placed, the first of them brought to where kinds that pull it to the others would have it: what measures no
/// place of its own cannot be at rest elsewhere.
fn at_rest(kind: &dyn Kind, case: &Case) -> Points {
    let mut placed = case.placed.clone();
    match kind.name() {
        "weld" => placed[0] = placed[1],
        "attach_triangle" => {
            let weights = kind.measure(&placed);
            placed[0] = placed[1] + (placed[2] - placed[1]) * weights[0] + (placed[3] - placed[1]) * weights[1];
        }
        _ => {}
    }
    placed
}

/// With the rest values measured on the particles as placed, a constraint is satisfied, and the values are permitted ones.
#[test]
fn measured_rest_values_satisfy_the_constraint() {
    for kind in all().filter(|kind| kind.pbd()) {
        for_cases(kind, |case| {
            let rest = case.rest(kind);
            prop_assert_eq!(rest.len(), kind.rest().len() + kind.member_rest().len() * case.placed.len());
            for (value, declared) in rest.iter().zip(kind.rest()) {
                prop_assert!(declared.signed || *value >= 0.0, "{} is {value}", declared.name);
            }
            for component in 0..kind.components() {
                let (value, _) = evaluate(kind, &rest, component, &at_rest(kind, &case));
                prop_assert!(value.abs() <= rounding(kind, &rest, component, &case), "C{component} is {value}");
            }
            Ok(())
        });
    }
}

/// C of a kind that says so is never below zero.
#[test]
fn distances_are_not_negative() {
    for kind in all().filter(|kind| kind.never_negative()) {
        for_cases(kind, |case| {
            let rest = case.rest(kind);
            for component in 0..kind.components() {
                let (value, _) = evaluate(kind, &rest, component, &case.moved);
                prop_assert!(value >= 0.0, "C{component} is {value}");
            }
            Ok(())
        });
    }
}

/// Coincident particles, all of them or any two, yield finite values and gradients, of duals too.
#[test]
fn coincident_particles_give_finite_values() {
    for kind in all() {
        for_cases(kind, |case| {
            let rest = case.rest(kind);
            let count = case.moved.len();
            let coincident = |i: usize, j: usize| {
                let mut x = case.moved.clone();
                x[j] = x[i];
                x
            };
            let pairs = (0..count).flat_map(|i| (0..count).map(move |j| (i, j))).map(|(i, j)| coincident(i, j));
            for x in pairs.chain([vec![case.moved[0]; count], case.placed.clone()]) {
                for component in 0..kind.components() {
                    let (value, gradient) = evaluate(kind, &rest, component, &x);
                    let derivatives = (0..count).map(|i| derivative_by_dual_numbers(kind, &rest, component, &x, i));
                    let vectors_finite = gradient.iter().copied().chain(derivatives).all(|v| v.length().is_finite());
                    prop_assert!(value.is_finite() && vectors_finite, "C{component} at {x:?}");
                }
            }
            Ok(())
        });
    }
}

fn snake_case(camel: &str) -> String {
    let mut snake = String::new();
    for (i, letter) in camel.char_indices() {
        if letter.is_uppercase() && i > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// One name in all layers: scene key and WGSL function in snake case, Rust and WGSL struct in camel case, each once.
#[test]
fn names_follow_the_conventions() {
    let mut names = HashSet::new();
    for kind in all() {
        assert_eq!(kind.name(), snake_case(kind.record_name()));
        assert!(names.insert(kind.name()), "two kinds are named {}", kind.name());
        assert!(kind.wgsl().contains(&format!("struct {} {{", kind.record_name())), "{}", kind.name());
        assert!(kind.wgsl().contains(&format!("fn {}(c: {}, ", kind.name(), kind.record_name())), "{}", kind.name());
    }
}

/// What a kind that lets its rest values change declares of them is so: each is what one component is measured against,
/// ∂C_k/∂rest_j = -δ_jk times the scale of C, at the value measured and beside it.
#[test]
fn changing_rest_values_are_what_components_are_measured_against() {
    for kind in all().filter(|kind| kind.rest_change().is_some()) {
        assert_eq!(kind.changing_rest().len(), kind.components(), "{}", kind.name());
        for_cases(kind, |case| {
            let constant = |x: f64| Dual::new(x, 0.0);
            let x: Vec<_> = case.moved.iter().map(|x| Vec3::new(constant(x.x), constant(x.y), constant(x.z))).collect();
            for (component, varied) in (0..kind.components()).flat_map(|k| (0..kind.components()).map(move |j| (k, j)))
            {
                let measured = case.rest(kind);
                let scale = kind.rest_scale().map_or(1.0, |scale| measured[scale]);
                let mut rest: Vec<Dual> = measured.into_iter().map(constant).collect();
                rest[kind.changing_rest().start + varied].derivative = 1.0;
                let mut gradient = vec![Vec3::zero(); x.len()];
                let derivative = kind.evaluate_dual(&rest, component, &x, &mut gradient).derivative;
                let expected = if component == varied { -scale } else { 0.0 };
                // Of angles a quotient of sums of products of cosines and sines.
                prop_assert!(
                    (derivative - expected).abs() < 1e-12 * scale,
                    "C{component} by rest {varied}: {derivative}"
                );
            }
            Ok(())
        });
    }
}

/// Rest values have names of their own, which are fields of the record and no other keys of a scene's constraint.
#[test]
fn rest_values_are_fields_of_the_record() {
    const TAKEN: &[&str] = &[
        "kind",
        "particles",
        "compliance",
        "damping",
        "stiffness",
        "side",
        "break_force",
        "keyframes",
        "period",
        "delay",
        "yield",
        "creep",
    ];
    for kind in all() {
        let mut names = HashSet::new();
        for rest in kind.rest() {
            assert!(names.insert(rest.name), "{}: two rest values are named {}", kind.name(), rest.name);
            assert!(!TAKEN.contains(&rest.name), "{}: {} means something else", kind.name(), rest.name);
            assert!(kind.record_fields().iter().any(|field| field.name == rest.name), "{}: {}", kind.name(), rest.name);
        }
    }
}

/// A record holds particles, rest values and material where its fields say, and is as large as its kind says.
#[test]
fn records_are_packed_by_their_fields() {
    for kind in all() {
        let has_data = kind.record_fields().iter().any(|field| field.name == "data");
        let slots: Vec<u32> = (10..).take(kind.arity().count().unwrap_or(3)).collect();
        let rest: Vec<f32> = (0..kind.rest().len()).map(|i| 0.5 + i as f32).collect();
        let mut bytes = vec![0; 4];
        kind.pack(&slots, &rest, 77, &mut bytes);
        let record = bytes.split_off(4);
        assert_eq!(record.len(), kind.record_size(), "{}", kind.name());

        let word = |offset: usize| record[offset..][..4].try_into().unwrap();
        let offset = |name: &str| {
            let field = kind.record_fields().iter().find(|field| field.name == name);
            field.unwrap_or_else(|| panic!("{} has no field {name}", kind.name())).offset
        };
        let first = if kind.joins_many() { "first" } else { "particles" };
        assert_eq!(offset(first), 0, "{}", kind.name());
        let written = if kind.joins_many() && !has_data { 2 } else { slots.len() };
        for (i, &slot) in slots[..written].iter().enumerate() {
            assert_eq!(u32::from_le_bytes(word(4 * i)), slot, "{}", kind.name());
        }
        for (declared, &value) in kind.rest().iter().zip(&rest) {
            assert_eq!(f32::from_le_bytes(word(offset(declared.name))), value, "{}: {}", kind.name(), declared.name);
        }
        assert_eq!(u32::from_le_bytes(word(offset("material"))), 77, "{}", kind.name());
    }
}

/// Where kinds are told apart by their names, or by how many particles they connect: the kinds themselves, the glue of kernels, and the
/// functions that solve on processors.
const TELL_KINDS_APART: [&str; 4] =
    ["src/constraint/", "src/gpu/constraint_kernel.rs", "src/cpu/single.rs", "src/cpu/solve.rs"];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.chain(folders.iter().flat_map(|folder| rust_files(folder))).collect()
}

/// How a text tells kinds apart: compares the name, or asks for the arity and not only for how many particles that is.
fn tells_kinds_apart(text: &str) -> bool {
    let text: String = text.split_whitespace().collect();
    let by_name = ["kind.name()==", "kind.name()!=", "==kind.name()", "==group.kind.name()", "kind.name(){"];
    let mut asked = text.split("arity()").skip(1);
    by_name.iter().any(|pattern| text.contains(pattern)) || asked.any(|after| !after.starts_with(".count()"))
}

/// A room asks a kind for what it needs to know, by a method that says it: a new kind is known everywhere.
#[test]
fn kinds_are_asked_and_not_told_apart() {
    for text in [
        "if kind.name() == X {",
        "match group.kind\n    .name() {",
        "a.arity() == Arity::Two",
        "matches!(k.arity(), A)",
    ] {
        assert!(tells_kinds_apart(text), "{text}");
    }
    assert!(!tells_kinds_apart("kind.arity().count() == Some(2) && kind.is_named(name)"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = rust_files(&root.join("src"));
    assert!(files.len() > 100, "no sources in {}", root.display());
    for path in files {
        let place = path.strip_prefix(root).expect("a file of the crate").to_string_lossy().replace('\\', "/");
        let may = TELL_KINDS_APART.iter().any(|room| place.starts_with(room));
        let text = std::fs::read_to_string(&path).expect("a text");
        assert!(
            may || !tells_kinds_apart(&text),
            "{place} tells kinds apart; ask the kind (src/constraint/questions.rs)"
        );
    }
}
