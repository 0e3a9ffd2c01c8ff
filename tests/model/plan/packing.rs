//! Orders, batches, records, islands.

use pliant::Plan;
use pliant::constraint::{Distance, ShapeMatching, SurfaceVolume, kind};
use pliant::model::{Group, Method, Settings};
use pliant::plan::{CLUSTER_PARTICLES, PlanError};
use std::ops::Range;

use super::models::{Loop, SMALL_BINDING, group, jacobi, line_positions, model, w1};

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

/// Bodies of 100, 200, 100 and 1 particles, a loop of 3 and a line of more than a workgroup may have: clusters of islands hold the first four,
/// those that fit together and what has no constraint last; everything else comes behind them. Other settings change nothing of that order.
#[test]
fn small_bodies_are_islands() {
    let sizes = [100, 200, 3, CLUSTER_PARTICLES as u32 + 1, 1, 100];
    let first: Vec<u32> = sizes.iter().scan(0, |end, size| Some(std::mem::replace(end, *end + size))).collect();
    let chain = |body: usize| (first[body] + 1..first[body] + sizes[body]).map(|i| [i - 1, i]);
    let chains = [0, 1, 3, 5].into_iter().flat_map(chain);
    let mut groups = vec![group(kind::<Distance>(), chains)];
    groups.push(group(kind::<Loop>(), [[first[2], first[2] + 1, first[2] + 2]]));
    let mut model = model(line_positions(sizes.iter().sum::<u32>() as usize), groups, Settings::default());
    let plan = Plan::new(&model);
    assert_eq!(plan.check(&model), Ok(()));
    assert_eq!(plan.islands, [0..100, 100..300, 300..400, 400..401]);
    let bodies = |slots: &Range<u32>| -> Vec<usize> {
        let body = |slot: u32| first.partition_point(|&first| first <= plan.particle_of[slot as usize]) - 1;
        let mut bodies: Vec<usize> = slots.clone().map(body).collect();
        bodies.dedup();
        bodies
    };
    assert_eq!(plan.islands.iter().map(bodies).collect::<Vec<_>>(), [[0], [1], [5], [4]]);

    // Without the body of 200 between them the small ones go together.
    model.groups[0] = group(kind::<Distance>(), [0, 3, 5].into_iter().flat_map(chain));
    assert_eq!(Plan::new(&model).islands, [0..200, 200..401]);

    model.settings.method = Method::Jacobi;
    let by_jacobi = Plan::new(&model);
    assert_eq!((by_jacobi.check(&model), by_jacobi.islands.len()), (Ok(()), 0));
    model.settings.method = Method::GaussSeidel;
    assert_eq!(Plan::new(&model).particle_of, by_jacobi.particle_of);

    let spoils: [fn(&mut Plan); 4] = [
        |plan| plan.islands[0].start = 1,
        |plan| _ = plan.islands.remove(0),
        |plan| (plan.islands[0].end, plan.islands[1].start) = (150, 150),
        |plan| plan.islands[1].end = u32::MAX,
    ];
    let good = Plan::new(&model);
    for (row, spoil) in spoils.iter().enumerate() {
        let mut plan = good.clone();
        spoil(&mut plan);
        let found = plan.check(&model);
        assert!(matches!(found, Err(PlanError::Islands { .. })), "row {row}: {found:?}");
    }
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
pub const TETRAHEDRON: [u32; 12] = [9, 4, 7, 9, 7, 2, 4, 2, 7, 9, 2, 4];

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
            let [from, to] = [0, 1].map(|next| members[(record.data + k + next) as usize] as usize);
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

/// Behind the members of shapes stand the inverse of their inertia and their places, both about the mean by weight, with shares of the weight.
#[test]
fn shapes_lie_behind_their_members() {
    let mut shapes = Group::new(kind::<ShapeMatching>());
    let members = [[1.0, 0.0, 0.0, 2.0], [0.0, 3.0, 0.0, 1.0], [0.0, 0.0, 2.0, 4.0], [5.0, 5.0, 5.0, 1.0]];
    shapes.push(&[2, 4], &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0], 0);
    shapes.push(&[3, 0, 1, 2], members.as_flattened(), 1);
    let model = model(line_positions(5), vec![shapes], Settings::default());
    let plan = Plan::new(&model);
    let planned = &plan.groups[0];
    let place = planned.constraint_of.iter().position(|&constraint| constraint == 1).unwrap();
    let records: &[ShapeMatching] = pliant::bytemuck::cast_slice(&planned.records);
    let words = &planned.members[records[place].data as usize..][..9 + 4 * 4];
    let found: Vec<f64> = words.iter().map(|&bits| f64::from(f32::from_bits(bits))).collect();
    let (inverse, places) = (found[..9].as_chunks::<3>().0, found[9..].as_chunks::<4>().0);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} is not {b}");
    for (found, given) in places.iter().zip(members) {
        near(found[3], given[3] / 8.0);
        // The mean by weight is (7, 8, 13)/8.
        (0..3).for_each(|axis| near(found[axis], given[axis] - [7.0, 8.0, 13.0][axis] / 8.0));
    }
    let inertia = |i: usize, j: usize| -> f64 {
        let of = |[x, y, z, m]: &[f64; 4]| {
            let squared = if i == j { x * x + y * y + z * z } else { 0.0 };
            m * (squared - [x, y, z][i] * [x, y, z][j])
        };
        places.iter().map(of).sum()
    };
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let product: f64 = (0..3).map(|k| inverse[i][k] * inertia(k, j)).sum();
        // To what the inertia is given more, a millionth of its trace.
        assert!((product - f64::from(u8::from(i == j))).abs() < 1e-5, "{i} {j}: {product}");
    }
}

/// Particles in one place have no inertia, whatever rounding makes of their mean: what is packed are numbers.
#[test]
fn shapes_in_one_place_have_numbers() {
    for (count, at) in [(2, 0.05), (3, 0.05), (6, 0.05), (7, 0.05), (3, 0.1), (5, 1e9)] {
        let mut shapes = Group::new(kind::<ShapeMatching>());
        let members: Vec<u32> = (0..count).collect();
        shapes.push(&members, &[at, at, at, 1.0].repeat(count as usize), 0);
        let plan = Plan::new(&model(line_positions(8), vec![shapes], Settings::default()));
        let numbers = plan.groups[0].members[count as usize..].iter().map(|&bits| f32::from_bits(bits));
        assert!(numbers.into_iter().all(f32::is_finite), "{count} at {at}");
    }
}

/// The same model gives the same plan.
#[test]
fn plans_are_reproducible() {
    let model = w1(40, Settings { max_colours: 9, ..Settings::default() });
    assert_eq!(format!("{:?}", Plan::new(&model)), format!("{:?}", Plan::new(&model)));
}
