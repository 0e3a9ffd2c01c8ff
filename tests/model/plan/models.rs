//! Models to be planned, of kinds that are there for that alone.

use pliant::constraint::{Arity, Constraint, Distance, Kind, Real, RestValue, Symmetry, Vec3, kind};
use pliant::model::{Group, Material, Materials, Method, Model, Particles, Settings};
use pliant::plan::{PlannedGroup, RANGE_ALIGNMENT};
use proptest::prelude::*;

pliant::gpu_record! {
    /// A kind over four particles, with two components.
    pub struct Four {
        particles: [u32; 4],
        first_rest: f32,
        second_rest: f32,
        material: u32,
        _padding: u32,
    }
}

pliant::gpu_record! {
    /// A kind over any number of particles.
    pub struct Loop {
        pub first: u32,
        pub count: u32,
        rest: f32,
        material: u32,
    }
}

/// Plans read a kind's arity, sizes and records only; C is constant here.
macro_rules! planned_kind {
    ($name:ident, $key:literal, $arity:expr, $components:literal, $rest:expr, $record:expr) => {
        impl Constraint for $name {
            const NAME: &'static str = $key;
            const WGSL: &'static str = "";
            const ARITY: Arity = $arity;
            const COMPONENTS: usize = $components;
            const REST: &'static [RestValue] = $rest;
            const SYMMETRIES: &'static [Symmetry] = &[];
            fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
                $record(particles, rest, material)
            }
            fn measure(_: &[Vec3<f64>]) -> Vec<f64> {
                vec![0.0; Self::REST.len()]
            }
            fn evaluate<R: Real>(_: &[R], _: usize, _: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
                gradient.fill(Vec3::zero());
                R::from_f64(0.0)
            }
        }
    };
}
const fn rest(name: &'static str) -> RestValue {
    RestValue { name, unit: "m", signed: true }
}
planned_kind!(
    Four,
    "four",
    Arity::Four,
    2,
    &[rest("first_rest"), rest("second_rest")],
    |p: &[u32], rest: &[f32], material| Four {
        particles: [p[0], p[1], p[2], p[3]],
        first_rest: rest[0],
        second_rest: rest[1],
        material,
        _padding: 0,
    }
);
planned_kind!(Loop, "loop", Arity::Many, 1, &[rest("rest")], |p: &[u32], rest: &[f32], material| Loop {
    first: p[0],
    count: p[1],
    rest: rest[0],
    material,
});

/// Bindings so small that a window holds 256 records of 16 bytes.
pub const SMALL_BINDING: usize = 16 * RANGE_ALIGNMENT as usize;

pub fn model(positions: Vec<[f64; 3]>, groups: Vec<Group>, settings: Settings) -> Model {
    let inverse_masses = vec![1.0; positions.len()];
    let mut materials = Materials::default();
    (0..3).for_each(|i| _ = materials.insert(Material { damping: f64::from(i), ..Material::default() }));
    Model { particles: Particles::at_rest(positions, inverse_masses), settings, groups, materials, ..Model::default() }
}

/// A group whose constraints have the given particles and differ in their rest values.
pub fn group<P: AsRef<[u32]>>(kind: &'static dyn Kind, constraints: impl IntoIterator<Item = P>) -> Group {
    let mut group = Group::new(kind);
    for (i, particles) in constraints.into_iter().enumerate() {
        let rest = match kind.has_member_rest() {
            true => vec![i as f64 + 1.0; kind.member_rest().len() * particles.as_ref().len()],
            false => vec![i as f64; kind.rest().len()],
        };
        group.push(particles.as_ref(), &rest, i as u32 % 3);
    }
    group
}

pub fn line_positions(count: usize) -> Vec<[f64; 3]> {
    (0..count).map(|i| [i as f64, 0.0, 0.0]).collect()
}

/// Particles and springs of the workload W1: an n x n grid with edges, diagonals and second neighbours.
pub fn w1(n: i64, settings: Settings) -> Model {
    let positions = (0..n * n).map(|i| [(i % n) as f64, -(i / n) as f64, 0.0]).collect();
    let mut springs = Vec::new();
    for (across, down) in [(1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2)] {
        for i in 0..n * n {
            let (column, row) = (i % n + across, i / n + down);
            if (0..n).contains(&column) && row < n {
                springs.push([i as u32, (row * n + column) as u32]);
            }
        }
    }
    model(positions, vec![group(kind::<Distance>(), springs)], settings)
}

pub fn jacobi() -> Settings {
    Settings { method: Method::Jacobi, ..Settings::default() }
}

/// The largest number of constraints at one particle.
pub fn degree(group: &Group, particles: usize) -> usize {
    let mut degrees = vec![0; particles];
    group.particles.iter().for_each(|&p| degrees[p as usize] += 1);
    degrees.into_iter().max().unwrap_or(0)
}

/// How many constraints are in Jacobi batches.
pub fn remainder(group: &PlannedGroup) -> usize {
    group.batches.iter().filter(|batch| batch.gather.is_some()).map(|batch| batch.range.len()).sum()
}

/// Constraints over `count` particles of which each is listed once a constraint.
pub fn constraints(
    particles: u32,
    members: std::ops::Range<usize>,
    most: usize,
) -> impl Strategy<Value = Vec<Vec<u32>>> {
    let one = proptest::collection::btree_set(0..particles, members).prop_map(|set| set.into_iter().collect());
    proptest::collection::vec(Strategy::prop_shuffle(one), 0..most)
}

/// Random models: points in clusters, springs, hubs that have springs to all, and kinds of four and of many particles.
pub fn random_model() -> impl Strategy<Value = Model> {
    (5u32..80).prop_flat_map(|n| {
        let near = [-1e3..1e3, -1.0..1.0, 0.0..1e-30];
        let position = prop_oneof![8 => near, 1 => Just([1e30, 0.0, 0.0]), 1 => Just([0.0; 3])];
        let positions = proptest::collection::vec(position, n as usize);
        let settings = (1u32..=64, any::<bool>()).prop_map(|(max_colours, jacobi)| Settings {
            max_colours,
            method: if jacobi { Method::Jacobi } else { Method::GaussSeidel },
            ..Settings::default()
        });
        let lists = (constraints(n, 2..3, 600), constraints(n, 4..5, 300), constraints(n, 1..5, 40));
        (positions, settings, lists, 0..3u32).prop_map(move |(positions, settings, (mut two, four, many), hubs)| {
            two.extend((0..hubs).flat_map(|hub| (0..n).filter(move |&p| p != hub).map(move |p| vec![hub, p])));
            let groups = vec![group(kind::<Distance>(), two), group(kind::<Four>(), four), group(kind::<Loop>(), many)];
            model(positions, groups, settings)
        })
    })
}
