//! Plans: orders, colourings, batches and their check.

use std::ops::Range;

use pliant::Plan;
use pliant::constraint::{
    Arity, Constraint, Distance, Kind, Real, RestValue, SurfaceVolume, Symmetry, Tether, Vec3, kind,
};
use pliant::model::{Group, Integrator, Material, Materials, Method, Model, Particles, Settings};
use pliant::plan::{
    CLUSTER_PARTICLES, Gather, LARGEST_ISLAND, MAX_BINDING_BYTES, PlanError, PlannedGroup, RANGE_ALIGNMENT,
};
use proptest::prelude::*;

pliant::gpu_record! {
    /// A kind over four particles, with two components.
    struct Four {
        particles: [u32; 4],
        first_rest: f32,
        second_rest: f32,
        material: u32,
        _padding: u32,
    }
}

pliant::gpu_record! {
    /// A kind over any number of particles.
    struct Loop {
        first: u32,
        count: u32,
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
const SMALL_BINDING: usize = 16 * RANGE_ALIGNMENT as usize;

fn model(positions: Vec<[f64; 3]>, groups: Vec<Group>, settings: Settings) -> Model {
    let inverse_masses = vec![1.0; positions.len()];
    let mut materials = Materials::default();
    (0..3).for_each(|i| _ = materials.insert(Material { damping: f64::from(i), ..Material::default() }));
    Model { particles: Particles::at_rest(positions, inverse_masses), settings, groups, materials, ..Model::default() }
}

/// A group whose constraints have the given particles and differ in their rest values.
fn group<P: AsRef<[u32]>>(kind: &'static dyn Kind, constraints: impl IntoIterator<Item = P>) -> Group {
    let mut group = Group::new(kind);
    for (i, particles) in constraints.into_iter().enumerate() {
        group.push(particles.as_ref(), &vec![i as f64; kind.rest().len()], i as u32 % 3);
    }
    group
}

fn line_positions(count: usize) -> Vec<[f64; 3]> {
    (0..count).map(|i| [i as f64, 0.0, 0.0]).collect()
}

/// Particles and springs of the workload W1: an n x n grid with edges, diagonals and second neighbours.
fn w1(n: i64, settings: Settings) -> Model {
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

fn jacobi() -> Settings {
    Settings { method: Method::Jacobi, ..Settings::default() }
}

/// The largest number of constraints at one particle.
fn degree(group: &Group, particles: usize) -> usize {
    let mut degrees = vec![0; particles];
    group.particles.iter().for_each(|&p| degrees[p as usize] += 1);
    degrees.into_iter().max().unwrap_or(0)
}

/// How many constraints are in Jacobi batches.
fn remainder(group: &PlannedGroup) -> usize {
    group.batches.iter().filter(|batch| batch.gather.is_some()).map(|batch| batch.range.len()).sum()
}

/// Constraints over `count` particles of which each is listed once a constraint.
fn constraints(particles: u32, members: std::ops::Range<usize>, most: usize) -> impl Strategy<Value = Vec<Vec<u32>>> {
    let one = proptest::collection::btree_set(0..particles, members).prop_map(|set| set.into_iter().collect());
    proptest::collection::vec(Strategy::prop_shuffle(one), 0..most)
}

/// Random models: points in clusters, springs, hubs that have springs to all, and kinds of four and of many particles.
fn random_model() -> impl Strategy<Value = Model> {
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

proptest! {
    // Failures are printed, not kept in files.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Plans of random models pass their check, with large and with small bindings, and stay within the greedy bound: a
    /// constraint of k particles with at most d constraints each meets at most k (d - 1) others, so it finds a colour
    /// among k (d - 1) + 1.
    #[test]
    fn random_models_are_planned(model in random_model()) {
        for binding in [MAX_BINDING_BYTES, SMALL_BINDING] {
            let plan = Plan::with_binding_bytes(&model, binding);
            prop_assert_eq!(plan.check_with_binding_bytes(&model, binding), Ok(()));
            for (planned, group) in plan.groups.iter().zip(&model.groups) {
                prop_assert!(planned.colours <= model.settings.max_colours);
                if let Some(arity) = group.kind.arity().count() {
                    let others = arity * degree(group, model.particles.len()).saturating_sub(1);
                    prop_assert!(planned.colours as usize <= others + 1);
                    let settings = &model.settings;
                    let fits = settings.method == Method::GaussSeidel && others < settings.max_colours as usize;
                    prop_assert!(!fits || remainder(planned) == 0);
                }
            }
        }
    }
}

/// The workload W1 takes no more colours than its largest degree, 12, and one.
#[test]
fn grid_is_coloured_near_the_degree_bound() {
    let model = w1(64, Settings::default());
    let plan = Plan::new(&model);
    assert_eq!(plan.check(&model), Ok(()));
    assert_eq!(degree(&model.groups[0], model.particles.len()), 12);
    assert!((12..=13).contains(&plan.groups[0].colours), "{} colours", plan.groups[0].colours);
    assert_eq!(plan.dispatches_per_sweep(), plan.groups[0].colours as usize);
    assert_eq!(plan.groups[0].len(), 23_938);
    // One tile, by its first slot and its end.
    assert_eq!(plan.bytes(), 2 * 4 * 4096 + 23_938 * (4 + 16) + 8);
}

/// Stiff and soft springs do not take turns: at each particle those of an order of magnitude come before all that are softer. The bound of colours is
/// one for all of them, and bodies apart share colours.
#[test]
fn stiff_springs_come_before_soft_ones() {
    let mut mixed = w1(32, Settings::default());
    let compliances = [1e-4, 0.0, 1e-8, 2e-8];
    let materials =
        compliances.map(|compliance| mixed.materials.insert(Material { compliance, ..Material::default() }));
    let of_mixed = mixed.groups[0].materials.iter_mut().enumerate();
    of_mixed.for_each(|(index, material)| *material = materials[index * 7919 % 4]);
    let plan = Plan::new(&mixed);
    assert_eq!(plan.check(&mixed), Ok(()));
    let (springs, planned) = (&mixed.groups[0], &plan.groups[0]);
    let mut last = vec![f64::NEG_INFINITY; mixed.particles.len()];
    for batch in planned.batches.iter().filter(|batch| batch.gather.is_none()) {
        for &constraint in &planned.constraint_of[batch.range.start as usize..batch.range.end as usize] {
            let material = springs.materials[constraint as usize];
            let decade = mixed.materials[material as usize].compliance.log10().floor();
            for &particle in springs.particles_of(constraint as usize) {
                assert!(last[particle as usize] <= decade, "particle {particle}: {decade} after a softer one");
                last[particle as usize] = decade;
            }
        }
    }

    mixed.settings.max_colours = 9;
    let plan = Plan::new(&mixed);
    assert_eq!(plan.check(&mixed), Ok(()));
    assert!(plan.groups[0].colours <= 9, "{} colours", plan.groups[0].colours);
    assert!(plan.groups[0].batches.iter().any(|batch| batch.gather.is_some()), "what finds no colour is the remainder");

    let positions = |x: f64| (0..256).map(move |i| [f64::from(i % 16) + x, -f64::from(i / 16), 0.0]);
    let one = w1(16, Settings::default()).groups[0].particles.clone();
    let both: Vec<[u32; 2]> =
        [0, 256].iter().flat_map(|first| one.chunks(2).map(move |ends| [ends[0] + first, ends[1] + first])).collect();
    let springs = group(kind::<Distance>(), both);
    let mut two = model(positions(0.0).chain(positions(100.0)).collect(), vec![springs], Settings::default());
    let materials = [1e-8, 1e-2].map(|compliance| two.materials.insert(Material { compliance, ..Material::default() }));
    let half = two.groups[0].len() / 2;
    two.groups[0]
        .materials
        .iter_mut()
        .enumerate()
        .for_each(|(i, material)| *material = materials[usize::from(i >= half)]);
    assert_eq!(Plan::new(&two).groups[0].colours, 12);
}

/// The colouring of a grid does not depend on the order in which a scene adds its springs.
#[test]
fn colours_do_not_depend_on_the_order_of_constraints() {
    let mut model = w1(32, Settings::default());
    let sorted = Plan::new(&model).groups[0].colours;
    let mut pairs: Vec<[u32; 2]> = model.groups[0].particles.chunks(2).map(|p| [p[1], p[0]]).collect();
    // A fixed shuffle: 7919 is a prime that does not divide the number of springs.
    pairs = (0..pairs.len()).map(|i| pairs[i * 7919 % pairs.len()]).collect();
    model.groups = vec![group(kind::<Distance>(), pairs)];
    assert_eq!(Plan::new(&model).groups[0].colours, sorted);
}

/// Particle order is local: a spring of a shuffled cube of points spans few slots, most often within a few cache lines.
#[test]
fn particles_lie_along_a_curve() {
    let side = 16u32;
    let count = side.pow(3);
    let cell = |i: u32| [i % side, i / side % side, i / side / side].map(f64::from);
    // A fixed shuffle: an odd factor is a permutation modulo a power of two.
    let positions: Vec<_> = (0..count).map(|i| cell(i.wrapping_mul(7919) % count)).collect();
    let plan = Plan::new(&model(positions.clone(), Vec::new(), Settings::default()));
    // Along a Hilbert curve of a power-of-two cube, consecutive cells touch.
    for pair in plan.particle_of.windows(2) {
        let [a, b] = [positions[pair[0] as usize], positions[pair[1] as usize]];
        assert_eq!((0..3).map(|axis| (a[axis] - b[axis]).abs()).sum::<f64>(), 1.0, "{a:?} to {b:?}");
    }
}

/// Boxes without extent, a far outlier and an empty model are ordered, and equal places keep the model's order.
#[test]
fn degenerate_positions_are_ordered() {
    for positions in [vec![], vec![[0.0; 3]], vec![[3.0, 4.0, 5.0]; 100], vec![[f64::from(f32::MAX); 3]; 7]] {
        let plan = Plan::new(&model(positions.clone(), Vec::new(), Settings::default()));
        assert_eq!(plan.particle_of, (0..positions.len() as u32).collect::<Vec<_>>());
    }
    let mut positions = line_positions(100);
    positions[50] = [f64::from(f32::MAX), -f64::from(f32::MAX), 0.0];
    let model = model(positions, vec![group(kind::<Distance>(), [[0, 50], [50, 99]])], Settings::default());
    assert_eq!(Plan::new(&model).check(&model), Ok(()));
}

/// A particle with 10,000 springs takes as many colours as are allowed, of one spring each and so in one dispatch, and two for the rest.
#[test]
fn hub_with_ten_thousand_springs_falls_to_the_remainder() {
    let spokes = (1..=10_000).map(|p| [0, p]);
    let model = model(line_positions(10_001), vec![group(kind::<Distance>(), spokes)], Settings::default());
    let plan = Plan::new(&model);
    assert_eq!(plan.check(&model), Ok(()));
    assert_eq!(plan.groups[0].colours, 64);
    assert_eq!(remainder(&plan.groups[0]), 10_000 - 64);
    assert_eq!(plan.dispatches_per_sweep(), 1 + 2);
    let gather = plan.groups[0].batches[64].gather.as_ref().expect("the last batch is the remainder");
    let hub = gather.particles.binary_search(&plan.slot_of[0]).expect("the hub is in the remainder");
    assert_eq!(gather.offsets[hub + 1] - gather.offsets[hub], 10_000 - 64);
}

/// Bodies of 100, 300, 100 and 1 particles, a loop of 3 and a line of more than a workgroup may have: tiles hold the first four, small
/// ones together and what has no constraint last; everything else comes behind them. Other settings change nothing of that order.
#[test]
fn small_bodies_are_tiles() {
    let sizes = [100, 300, 3, LARGEST_ISLAND + 1, 1, 100];
    let first: Vec<u32> = sizes.iter().scan(0, |end, size| Some(std::mem::replace(end, *end + size))).collect();
    let chain = |body: usize| (first[body] + 1..first[body] + sizes[body]).map(|i| [i - 1, i]);
    let chains = [0, 1, 3, 5].into_iter().flat_map(chain);
    let mut groups = vec![group(kind::<Distance>(), chains)];
    groups.push(group(kind::<Loop>(), [[first[2], first[2] + 1, first[2] + 2]]));
    let mut model = model(line_positions(sizes.iter().sum::<u32>() as usize), groups, Settings::default());
    let plan = Plan::new(&model);
    assert_eq!(plan.check(&model), Ok(()));
    assert_eq!(plan.tiles, [0..100, 100..400, 400..500, 500..501]);
    let bodies = |slots: &Range<u32>| -> Vec<usize> {
        let body = |slot: u32| first.partition_point(|&first| first <= plan.particle_of[slot as usize]) - 1;
        let mut bodies: Vec<usize> = slots.clone().map(body).collect();
        bodies.dedup();
        bodies
    };
    assert_eq!(plan.tiles.iter().map(bodies).collect::<Vec<_>>(), [[0], [1], [5], [4]]);

    // Without the body of 300 between them the small ones go together.
    model.groups[0] = group(kind::<Distance>(), [0, 3, 5].into_iter().flat_map(chain));
    assert_eq!(Plan::new(&model).tiles, [0..200, 200..456, 456..501]);

    model.settings.method = Method::Jacobi;
    let by_jacobi = Plan::new(&model);
    assert_eq!((by_jacobi.check(&model), by_jacobi.tiles.len()), (Ok(()), 0));
    model.settings.method = Method::GaussSeidel;
    assert_eq!(Plan::new(&model).particle_of, by_jacobi.particle_of);

    let spoils: [fn(&mut Plan); 4] = [
        |plan| plan.tiles[0].start = 1,
        |plan| _ = plan.tiles.remove(0),
        |plan| (plan.tiles[0].end, plan.tiles[1].start) = (150, 150),
        |plan| plan.tiles[2].end = u32::MAX,
    ];
    let good = Plan::new(&model);
    for (row, spoil) in spoils.iter().enumerate() {
        let mut plan = good.clone();
        spoil(&mut plan);
        let found = plan.check(&model);
        assert!(matches!(found, Err(PlanError::Tiles { .. })), "row {row}: {found:?}");
    }
}

/// A chain and the tethers of its particles to one pin: those share no free particle, and are of one colour; a plan that shares a particle
/// that is free, or does not say that it shares one, is found out.
#[test]
fn tethers_to_one_pin_take_one_colour() {
    let distances = group(kind::<Distance>(), (1..100_u32).map(|i| [i - 1, i]));
    let tethers = group(kind::<Tether>(), (1..100_u32).map(|i| [i, 0]));
    let mut model = model(line_positions(100), vec![distances, tethers], Settings::default());
    model.particles.inverse_masses[0] = 0.0;
    let mut plan = Plan::new(&model);
    assert_eq!(plan.check(&model), Ok(()));
    assert_eq!(plan.groups.iter().map(|group| group.colours).collect::<Vec<_>>(), [2, 1]);
    // At the pin no more springs meet than elsewhere.
    assert_eq!((plan.groups[0].shared.as_slice(), plan.groups[1].shared.as_slice()), (&[][..], &[0][..]));
    model.particles.inverse_masses[0] = 1.0;
    let fault = PlanError::Shared { kind: "tether", batch: 0, particle: 0 };
    assert_eq!(plan.check(&model), Err(fault.clone()));
    plan.groups[1].shared.clear();
    assert_eq!(plan.check(&model), Err(fault));
}

/// The Jacobi method puts every constraint into batches that are gathered.
#[test]
fn jacobi_has_no_colours() {
    let model = w1(32, jacobi());
    let plan = Plan::new(&model);
    assert_eq!(plan.check(&model), Ok(()));
    assert_eq!((plan.groups[0].colours, plan.groups[0].batches.len()), (0, 1));
    assert_eq!(remainder(&plan.groups[0]), plan.groups[0].len());
}

/// Constraints of a colour are sorted by their smallest slot, those of the remainder as well.
#[test]
fn constraints_are_sorted_within_a_batch() {
    for settings in [Settings::default(), Settings { max_colours: 5, ..Settings::default() }] {
        let model = w1(20, settings);
        let plan = Plan::new(&model);
        let smallest = |&c: &u32| {
            let particles = model.groups[0].particles_of(c as usize);
            particles.iter().map(|&p| plan.slot_of[p as usize]).min()
        };
        for batch in &plan.groups[0].batches {
            let range = batch.range.start as usize..batch.range.end as usize;
            assert!(plan.groups[0].constraint_of[range].is_sorted_by_key(smallest));
        }
    }
}

/// Records hold slots, rest values in single precision and materials; those of many particles point to the members.
#[test]
fn records_hold_slots() {
    let groups =
        vec![group(kind::<Distance>(), [[0, 1], [4, 2]]), group(kind::<Loop>(), [vec![0, 3, 1], vec![], vec![2]])];
    let model = model(line_positions(5), groups, Settings::default());
    let plan = Plan::new(&model);
    let distances: &[Distance] = pliant::bytemuck::cast_slice(&plan.groups[0].records);
    for (record, &constraint) in distances.iter().zip(&plan.groups[0].constraint_of) {
        let slots: Vec<u32> =
            model.groups[0].particles_of(constraint as usize).iter().map(|&p| plan.slot_of[p as usize]).collect();
        assert_eq!(record.particles[..], slots);
        assert_eq!((record.rest_length, record.material), (constraint as f32, constraint));
    }
    let loops: &[Loop] = pliant::bytemuck::cast_slice(&plan.groups[1].records);
    for (record, &constraint) in loops.iter().zip(&plan.groups[1].constraint_of) {
        let members = &plan.groups[1].members[record.first as usize..][..record.count as usize];
        let particles: Vec<u32> = members.iter().map(|&slot| plan.particle_of[slot as usize]).collect();
        assert_eq!(particles, model.groups[1].particles_of(constraint as usize));
    }
}

/// With small bindings, colours are cut at the borders of windows that they share, and the remainder into several batches
/// whose corrections fit.
#[test]
fn batches_are_cut_to_the_binding() {
    let coloured = w1(32, Settings { max_colours: 6, ..Settings::default() });
    let plan = Plan::with_binding_bytes(&coloured, SMALL_BINDING);
    assert_eq!(plan.check_with_binding_bytes(&coloured, SMALL_BINDING), Ok(()));
    let [group] = &plan.groups[..] else { panic!("one group") };
    assert!(group.batches.iter().filter(|b| b.gather.is_none()).count() > group.colours as usize);
    for batch in &group.batches {
        assert!(batch.window.len() * size_of::<Distance>() <= SMALL_BINDING);
        match &batch.gather {
            None => {
                assert_eq!(batch.window.start as usize * size_of::<Distance>() % SMALL_BINDING, 0);
                assert_eq!(batch.window.end as usize, group.len().min(batch.window.start as usize + 256));
            }
            // 16 bytes a correction.
            Some(gather) => assert!(gather.corrections.len() * 16 <= SMALL_BINDING),
        }
    }
    assert!(group.batches.iter().filter(|b| b.gather.is_some()).count() > 2);
    assert_eq!(group.batches.last().map(|b| b.window.end as usize), Some(group.len()));
    assert_eq!(plan.check(&coloured), Ok(()), "what fits a small binding fits a large one");
    let large = Plan::new(&coloured);
    assert!(matches!(
        large.check_with_binding_bytes(&coloured, SMALL_BINDING),
        Err(PlanError::Window { fault: "is larger than a binding may be", .. })
    ));
}

/// A Jacobi batch is cut by its corrections where constraints have many particles; one that alone exceeds goes alone.
#[test]
fn long_constraints_are_cut_by_their_corrections() {
    let loops: Vec<Vec<u32>> = (0..10).map(|i| (0..if i == 3 { 300 } else { 100 }).collect()).collect();
    let model = model(line_positions(300), vec![group(kind::<Loop>(), loops)], jacobi());
    let plan = Plan::with_binding_bytes(&model, SMALL_BINDING);
    assert_eq!(plan.check_with_binding_bytes(&model, SMALL_BINDING), Ok(()));
    let counts: Vec<_> = plan.groups[0].batches.iter().map(|batch| batch.range.len()).collect();
    assert_eq!(counts.iter().sum::<usize>(), 10);
    assert!(counts.iter().all(|&count| (1..=2).contains(&count)), "{counts:?}");
}

/// Corners of a tetrahedron's triangles.
const TETRAHEDRON: [u32; 12] = [9, 4, 7, 9, 7, 2, 4, 2, 7, 9, 2, 4];

/// Behind the members of closed surfaces stand, for each member, the other two corners of each of its triangles, as they are wound.
#[test]
fn surfaces_know_their_neighbours() {
    let second: Vec<u32> = TETRAHEDRON.iter().map(|p| p + 10).collect();
    let listed = [TETRAHEDRON.to_vec(), second];
    let model = model(line_positions(20), vec![group(kind::<SurfaceVolume>(), &listed)], Settings::default());
    let plan = Plan::new(&model);
    let (members, records) = (&plan.groups[0].members, &plan.groups[0].records);
    for (place, record) in records.chunks_exact(size_of::<SurfaceVolume>()).enumerate() {
        let record: SurfaceVolume = pliant::bytemuck::pod_read_unaligned(record);
        assert_eq!(record.count, 4);
        let mut found = Vec::new();
        for k in 0..record.count {
            let [from, to] = [0, 1].map(|next| members[(record.corners + k + next) as usize] as usize);
            let here = members[(record.first + k) as usize];
            found.extend(members[from..to].chunks_exact(2).map(|pair| [here, pair[0], pair[1]]));
        }
        let triangles = listed[plan.groups[0].constraint_of[place] as usize].chunks_exact(3);
        let slots = triangles.map(|t| [0, 1, 2].map(|k| plan.slot_of[t[k] as usize]));
        let mut expected: Vec<[u32; 3]> = slots.flat_map(|[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]]).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}

/// The same model gives the same plan.
#[test]
fn plans_are_reproducible() {
    let model = w1(40, Settings { max_colours: 9, ..Settings::default() });
    assert_eq!(format!("{:?}", Plan::new(&model)), format!("{:?}", Plan::new(&model)));
}

/// A grid, a long cloud of tetrahedra with loops, springs with too few colours, and a hub: what clusters hold, and what they do not.
fn large_models() -> Vec<Model> {
    let mut solid = w1(66, Settings::default());
    let near = |i: u32| [i, i + 1, i + 66, i + 67];
    solid.groups.push(group(kind::<Four>(), (0..4_000).map(near)));
    solid.groups.push(group(kind::<Loop>(), [vec![0, 1, 2], vec![2, 3, 4_000]]));
    let few = w1(66, Settings { max_colours: 5, ..Settings::default() });
    let mut hub = w1(66, Settings::default());
    hub.groups[0].push(&[7, 4_000], &[1.0], 0);
    let star: Vec<[u32; 2]> = (8..3_000).map(|other| [7, other]).collect();
    hub.groups.push(group(kind::<Four>(), (0..4_000).step_by(4).map(near)));
    hub.groups.push(group(kind::<Tether>(), star));
    hub.particles.inverse_masses[7] = 0.0;
    let mut with_rope = w1(66, Settings::default());
    let count = with_rope.particles.len() as u32;
    let rope = model(line_positions(40), Vec::new(), Settings::default()).particles;
    with_rope.particles.positions.extend(rope.positions.iter().map(|[x, y, z]| [*x, *y + 100.0, *z]));
    with_rope.particles.velocities.extend(rope.velocities);
    with_rope.particles.inverse_masses.extend(rope.inverse_masses);
    with_rope.particles.bodies.extend(rope.bodies);
    with_rope.particles.drives.extend(rope.drives);
    (count..count + 39).for_each(|i| with_rope.groups[0].push(&[i, i + 1], &[1.0], 0));
    vec![w1(66, Settings::default()), solid, few, hub, with_rope]
}

/// Plans with clusters pass their check: each constraint comes once, and a sweep takes all batches, phase by phase. Most of a grid is inside
/// of the first clusters, nothing of it is left after three phases, and other kinds have the last word.
#[test]
fn clusters_hold_what_is_near() {
    for model in large_models() {
        let plan = Plan::clustered(&model);
        assert_eq!(plan.check(&model), Ok(()));
        assert!(!plan.tilings.is_empty());
        assert!(
            plan.tilings.iter().all(|tiling| (0..tiling.len()).all(|i| tiling.cluster(i).len() <= CLUSTER_PARTICLES))
        );
        let sweep = plan.sweep();
        let batches: usize = sweep.iter().map(|(_, batches)| batches.len()).sum();
        assert_eq!(batches, plan.groups.iter().map(|group| group.batches.len()).sum::<usize>());
        let phase = |(group, batches): &(usize, Range<usize>)| plan.groups[*group].batches[batches.start].phase;
        assert!(sweep.is_sorted_by_key(phase));
        // Held by no cluster: kinds over any number of particles, with shared pins, and what found no colour.
        for group in plan.groups.iter().filter(|group| group.kind.arity() == Arity::Many || !group.shared.is_empty()) {
            assert!(group.batches.iter().all(|batch| batch.phase as usize == plan.tilings.len()));
        }
        // Plans without are as they were.
        let plain = Plan::new(&model);
        assert_eq!((plain.phases(), plain.tilings.len(), &plain.particle_of), (1, 0, &plan.particle_of));
    }
    let plan = Plan::clustered(&w1(96, Settings::default()));
    let of_phase = |phase| plan.groups[0].batches[plan.groups[0].phase(phase)].iter();
    let counts: Vec<usize> =
        (0..plan.phases()).map(|phase| of_phase(phase).map(|batch| batch.range.len()).sum()).collect();
    assert_eq!((plan.tilings.len(), counts.len()), (3, 3), "{counts:?}");
    // Of 16 x 16 particles, (15 + 15)/32 of the edges, (15/16)^2 of the diagonals and 14/16 of the second neighbours lie inside.
    let share = counts[0] as f64 / plan.groups[0].len() as f64;
    assert!((0.85..0.91).contains(&share), "{share}");
}

/// Of small bodies, and where colours are not what is solved by, a plan with clusters is one without.
#[test]
fn small_bodies_have_no_clusters() {
    let cloth = |settings| w1(66, settings);
    let bdf2 = Settings { integrator: Integrator::Bdf2, ..Settings::default() };
    for model in [w1(64, Settings::default()), cloth(jacobi()), cloth(bdf2)] {
        assert_eq!(format!("{:?}", Plan::clustered(&model)), format!("{:?}", Plan::new(&model)));
    }
    // Springs between any two: there is nothing near.
    let far = (0..20_000_u32).map(|i| [i % 5_000, (i * 2_654 + 17 * (i / 5_000)) % 4_999]).filter(|[a, b]| a != b);
    let model = model(line_positions(5_000), vec![group(kind::<Distance>(), far)], Settings::default());
    assert!(Plan::clustered(&model).tilings.is_empty());
}

/// The check finds what is wrong with clusters.
#[test]
fn check_finds_faults_of_clusters() {
    let model = w1(66, Settings::default());
    let good = Plan::clustered(&model);
    type Spoil = fn(&mut Plan);
    let rows: [(&str, Spoil); 7] = [
        ("a particle in two clusters", |p| p.tilings[0].slots[300] = p.tilings[0].slots[10]),
        ("a slot beyond all", |p| p.tilings[1].slots[3] = 99_999),
        ("a cluster that is too large", |p| p.tilings[0].offsets[1] += 1),
        ("clusters that end early", |p| *p.tilings[1].offsets.last_mut().expect("an end") -= 1),
        ("tilings in another order", |p| p.tilings.swap(0, 1)),
        ("a batch of another phase", |p| p.groups[0].batches[0].phase = 1),
        ("a particle that is in no cluster", |p| {
            p.tilings[1].slots.remove(0);
            p.tilings[1].offsets.iter_mut().skip(1).for_each(|offset| *offset -= 1);
        }),
    ];
    for (what, spoil) in rows {
        let mut plan = good.clone();
        spoil(&mut plan);
        assert!(matches!(plan.check(&model), Err(PlanError::Clusters { .. })), "{what}: {:?}", plan.check(&model));
    }
    let mut coloured = good;
    coloured.tilings.clear();
    assert_eq!(coloured.check(&model), Ok(()), "phases by colours are good");
}

/// The check finds every way in which a plan can be wrong; each row spoils a good plan and names the error.
#[test]
fn check_finds_each_fault() {
    type Spoil = fn(&mut Plan);
    type Expected = fn(&PlanError) -> bool;
    // Springs with a remainder of several batches, and loops.
    let mut model = w1(16, Settings { max_colours: 6, ..Settings::default() });
    model.groups.push(group(kind::<Loop>(), [vec![0, 1, 2], vec![2, 3], vec![7]]));
    model.groups.push(group(kind::<SurfaceVolume>(), [TETRAHEDRON]));
    let good = Plan::with_binding_bytes(&model, SMALL_BINDING);
    let check = |plan: &Plan| plan.check_with_binding_bytes(&model, SMALL_BINDING);
    assert_eq!(check(&good), Ok(()));

    fn gather(plan: &mut Plan) -> &mut Gather {
        plan.groups[0].batches.iter_mut().find_map(|batch| batch.gather.as_mut()).expect("there is a remainder")
    }
    fn shorten<T>(list: &mut Vec<T>) {
        list.truncate(list.len() - 1);
    }
    let rows: &[(&str, Spoil, Expected)] = &[
        (
            "two particles in a slot",
            |p| p.particle_of[3] = p.particle_of[4],
            |e| matches!(e, PlanError::ParticleOrder { .. }),
        ),
        ("a slot too many", |p| p.slot_of.push(0), |e| matches!(e, PlanError::ParticleOrder { .. })),
        (
            "a particle beyond the model",
            |p| p.particle_of[0] = 9999,
            |e| matches!(e, PlanError::ParticleOrder { slot: 0, .. }),
        ),
        ("a missing particle", |p| shorten(&mut p.particle_of), |e| matches!(e, PlanError::ParticleOrder { .. })),
        ("a missing group", |p| shorten(&mut p.groups), |e| matches!(e, PlanError::Groups { group: 2, .. })),
        ("swapped groups", |p| p.groups.swap(0, 1), |e| matches!(e, PlanError::Groups { group: 0, .. })),
        (
            "a missing constraint",
            |p| shorten(&mut p.groups[0].constraint_of),
            |e| matches!(e, PlanError::Length { what: "constraint_of", .. }),
        ),
        (
            "a constraint twice",
            |p| p.groups[0].constraint_of[1] = p.groups[0].constraint_of[0],
            |e| matches!(e, PlanError::Constraint { place: 1, .. }),
        ),
        (
            "a constraint beyond the group",
            |p| p.groups[0].constraint_of[2] = 123_456,
            |e| matches!(e, PlanError::Constraint { constraint: 123_456, place: 2, .. }),
        ),
        (
            "swapped constraints",
            |p| p.groups[0].constraint_of.swap(0, 5),
            |e| matches!(e, PlanError::Record { place: 0, .. }),
        ),
        ("a wrong record", |p| p.groups[0].records[16 * 7] ^= 1, |e| matches!(e, PlanError::Record { place: 7, .. })),
        (
            "a truncated record",
            |p| shorten(&mut p.groups[0].records),
            |e| matches!(e, PlanError::Length { what: "records", .. }),
        ),
        ("a wrong member", |p| p.groups[1].members[0] += 1, |e| matches!(e, PlanError::Record { kind: "loop", .. })),
        (
            "a wrong neighbour",
            |p| *p.groups[2].members.last_mut().expect("neighbours") += 1,
            |e| matches!(e, PlanError::Record { kind: "surface_volume", .. }),
        ),
        (
            "a missing member",
            |p| shorten(&mut p.groups[1].members),
            |e| matches!(e, PlanError::Length { what: "members", .. }),
        ),
        (
            "a missing batch",
            |p| _ = p.groups[0].batches.remove(1),
            |e| matches!(e, PlanError::Batches { batch: 1, .. }),
        ),
        ("no last batch", |p| shorten(&mut p.groups[0].batches), |e| matches!(e, PlanError::Batches { .. })),
        (
            "an empty batch",
            |p| p.groups[0].batches[0].range.end = 0,
            |e| matches!(e, PlanError::Batches { batch: 0, .. }),
        ),
        (
            "a window off the alignment",
            |p| p.groups[0].batches.last_mut().expect("batches").window.start += 1,
            |e| matches!(e, PlanError::Window { fault: "does not begin at a multiple of the alignment", .. }),
        ),
        (
            "a window before its batch",
            |p| p.groups[0].batches[0].window.end = 1,
            |e| matches!(e, PlanError::Window { fault: "does not hold the batch", .. }),
        ),
        (
            "a window beyond the end",
            |p| p.groups[0].batches.last_mut().expect("batches").window.end += 1,
            |e| matches!(e, PlanError::Window { fault: "ends beyond the last place", .. }),
        ),
        (
            "a window larger than the binding",
            |p| p.groups[0].batches[0].window.end += 1,
            |e| matches!(e, PlanError::Window { fault: "is larger than a binding may be", .. }),
        ),
        ("a wrong number of colours", |p| p.groups[0].colours = 1, |e| matches!(e, PlanError::Colours { .. })),
        (
            "two colours in one batch",
            |p| {
                let second = p.groups[0].batches.remove(1);
                p.groups[0].batches[0].range.end = second.range.end;
                p.groups[0].colours -= 1;
            },
            |e| matches!(e, PlanError::Shared { batch: 0, .. }),
        ),
        (
            "a remainder without its gather",
            |p| {
                for batch in &mut p.groups[0].batches {
                    batch.gather = None;
                }
                p.groups[0].colours = p.groups[0].batches.len() as u32;
            },
            |e| matches!(e, PlanError::Shared { .. }),
        ),
        (
            "a correction missing",
            |p| shorten(&mut gather(p).corrections),
            |e| matches!(e, PlanError::Gather { fault: "the lists have the wrong lengths", .. }),
        ),
        (
            "particles out of order",
            |p| gather(p).particles.swap(0, 1),
            |e| matches!(e, PlanError::Gather { fault: "particles are not ascending", .. }),
        ),
        (
            "offsets that end early",
            |p| *gather(p).offsets.last_mut().expect("offsets") -= 1,
            |e| {
                matches!(
                    e,
                    PlanError::Gather { fault: "the offsets do not cut the corrections among the particles", .. }
                )
            },
        ),
        (
            "a correction twice",
            |p| {
                let gather = gather(p);
                let shared =
                    gather.offsets.windows(2).find(|o| o[1] - o[0] > 1).expect("a shared particle")[0] as usize;
                gather.corrections[shared + 1] = gather.corrections[shared];
            },
            |e| matches!(e, PlanError::Gather { fault: "the corrections of a particle are not ascending", .. }),
        ),
        (
            "a correction at another particle",
            |p| {
                let last = gather(p).particles.len() - 1;
                gather(p).particles[last] += 1;
            },
            |e| matches!(e, PlanError::Gather { fault: "a correction comes to a particle that is not its own", .. }),
        ),
        (
            "a wrong valence",
            |p| gather(p).valences[0] += 1.0,
            |e| {
                matches!(
                    e,
                    PlanError::Gather { fault: "a valence is not the number of corrections at the particle", .. }
                )
            },
        ),
    ];
    for (what, spoil, expected) in rows {
        let mut plan = good.clone();
        spoil(&mut plan);
        match check(&plan) {
            Err(error) => assert!(expected(&error), "{what}: {error:?}, {error}"),
            Ok(()) => panic!("{what} was not found"),
        }
    }
    let other = w1(17, Settings::default());
    assert!(good.check(&other).is_err(), "the plan of another model");
    let mut corrections = Plan::with_binding_bytes(&w1(16, jacobi()), 2 * SMALL_BINDING);
    corrections.groups.truncate(1);
    assert!(matches!(
        corrections.check_with_binding_bytes(&w1(16, jacobi()), SMALL_BINDING),
        Err(PlanError::Window { .. })
    ));
}
