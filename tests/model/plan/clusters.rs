//! Plans in phases of clusters.

use pliant::Plan;
use pliant::constraint::{Arity, Distance, Tether, kind};
use pliant::model::{Integrator, Model, Settings, Sweep};
use pliant::plan::{CLUSTER_PARTICLES, LARGEST_CLUSTER, Leg, Way};

use super::models::{Four, Loop, group, jacobi, line_positions, model, w1};

/// A grid, a long cloud of tetrahedra with loops, springs with too few colours, and a hub: what clusters hold, and what they do not.
pub fn large_models() -> Vec<Model> {
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
        assert!(!plan.phases.is_empty());
        assert!(plan.phases.iter().all(|phase| (0..phase.len()).all(|i| phase.cluster(i).len() <= LARGEST_CLUSTER)));
        check_sweeps(&plan);
        // Held by no cluster: kinds over any number of particles, with shared pins, and what found no colour.
        for group in plan.groups.iter().filter(|group| group.kind.arity() == Arity::Many || !group.shared.is_empty()) {
            assert!(group.batches.iter().all(|batch| batch.phase as usize == plan.phases.len()));
        }
        // Plans without are as they were.
        let plain = Plan::new(&model);
        assert_eq!((plain.phase_count(), plain.phases.len(), &plain.particle_of), (1, 0, &plan.particle_of));
    }
    let plan = Plan::clustered(&w1(257, Settings::default()));
    assert!(plan.phases.iter().all(|phase| (0..phase.len()).all(|i| phase.cluster(i).len() <= CLUSTER_PARTICLES)));
    let of_phase = |phase| plan.groups[0].batches[plan.groups[0].phase(phase)].iter();
    let counts: Vec<usize> =
        (0..plan.phase_count()).map(|phase| of_phase(phase).map(|batch| batch.range.len()).sum()).collect();
    assert_eq!((plan.phases.len(), counts.len()), (3, 3), "{counts:?}");
    // Of 16 x 16 particles, (15 + 15)/32 of the edges, (15/16)^2 of the diagonals and 14/16 of the second neighbours lie inside.
    let share = counts[0] as f64 / plan.groups[0].len() as f64;
    assert!((0.85..0.91).contains(&share), "{share}");
}

/// One way each batch comes once, phase by phase. There and back each half is a palindrome, and each batch opens and closes once.
fn check_sweeps(plan: &Plan) {
    let one_way = plan.sweep(Sweep::OneWay).concat();
    let batches: usize = one_way.iter().map(|leg| leg.batches.len()).sum();
    assert_eq!(batches, plan.groups.iter().map(|group| group.batches.len()).sum::<usize>());
    assert!(one_way.is_sorted_by_key(|leg| leg.phase));
    assert!(one_way.iter().all(|leg| leg.way == Way::Forth && leg.opens && leg.closes));
    let halves = plan.sweep(Sweep::ThereAndBack);
    let besides = plan.colliders > 0 || plan.touches || !plan.sheets.is_empty();
    assert_eq!(halves.len(), if besides || plan.phase_count() == 1 { 1 } else { 2 });
    for half in &halves {
        let places = half.iter().map(|leg| (leg.phase, leg.group)).collect::<Vec<_>>();
        assert!(places.iter().eq(places.iter().rev()), "{half:?}");
        let middle = &half[half.len() / 2];
        assert_eq!((middle.way, middle.opens, middle.closes), (Way::BackAndForth, true, true));
    }
    let of = |is: fn(&Leg) -> bool| {
        let mut legs: Vec<_> =
            halves.iter().flatten().filter(|leg| is(leg)).map(|leg| (leg.phase, leg.group)).collect();
        legs.sort_unstable();
        legs
    };
    let all: Vec<_> = one_way.iter().map(|leg| (leg.phase, leg.group)).collect();
    assert_eq!((of(|leg| leg.opens), of(|leg| leg.closes)), (all.clone(), all));
}

/// Of small bodies, and where colours are not what is solved by, a plan with clusters is one without.
#[test]
fn small_bodies_have_no_clusters() {
    let cloth = |settings| w1(66, settings);
    let bdf2 = Settings { integrator: Integrator::Bdf2, ..Settings::default() };
    for model in [w1(16, Settings::default()), cloth(jacobi()), cloth(bdf2)] {
        assert_eq!(format!("{:?}", Plan::clustered(&model)), format!("{:?}", Plan::new(&model)));
    }
    // Springs between any two: there is nothing near.
    let far = (0..20_000_u32).map(|i| [i % 5_000, (i * 2_654 + 17 * (i / 5_000)) % 4_999]).filter(|[a, b]| a != b);
    let model = model(line_positions(5_000), vec![group(kind::<Distance>(), far)], Settings::default());
    assert!(Plan::clustered(&model).phases.is_empty());
}

/// Where in some order no constraint reaches farther than half a cluster, two phases hold all: of 64 x 64 as numbered, by rows; of the same with other numbers from top to
/// bottom; of a beam, numbered along itself, across. Wider cloths take larger clusters, and three phases where the largest do not suffice.
#[test]
fn narrow_bodies_take_two_phases() {
    let mut renumbered = w1(64, Settings::default());
    let to = |particle: u32| particle * 1_021 % 4_096;
    renumbered.groups[0].particles.iter_mut().for_each(|particle| *particle = to(*particle));
    let positions = renumbered.particles.positions.clone();
    (0..4_096).for_each(|p| renumbered.particles.positions[to(p) as usize] = positions[p as usize]);
    let (length, width) = (50, 9);
    let at = |i: u32| [i % length, i / length % width, i / length / width];
    let particles = length * width * width;
    let has_cell = |i: &u32| at(*i).into_iter().zip([length, width, width]).all(|(k, count)| k + 1 < count);
    let cell = |i: u32| [i, i + 1, i + length, i + length * width];
    let cells = (0..particles).filter(has_cell).map(cell);
    let positions = (0..particles).map(|i| at(i).map(f64::from)).collect();
    let beam = model(positions, vec![group(kind::<Four>(), cells)], Settings::default());
    let narrow = [(w1(64, Settings::default()), 256), (renumbered, 256), (beam, 243)];
    let wider = [(65, 390), (128, 512), (129, 774)].map(|(n, size)| (w1(n, Settings::default()), size));
    let of_size = narrow.into_iter().chain(wider).map(|(model, size)| (model, size, 2));
    for (model, size, phases) in of_size.chain([(w1(257, Settings::default()), 256, 3)]) {
        let plan = Plan::clustered(&model);
        assert_eq!((plan.check(&model), plan.phases.len()), (Ok(()), phases));
        let largest = plan.phases.iter().flat_map(|phase| (0..phase.len()).map(|index| phase.range(index).len()));
        assert_eq!(largest.max(), Some(size));
        let batches = plan.groups.iter().flat_map(|group| &group.batches);
        assert!(batches.into_iter().all(|batch| (batch.phase as usize) < phases), "something is in no cluster");
        assert_eq!(plan.phases[0].slots.len(), model.particles.len());
    }
}
