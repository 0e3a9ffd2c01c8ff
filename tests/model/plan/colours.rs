//! Colourings: that they are right, and near the fewest that there can be.

use pliant::Plan;
use pliant::constraint::{Distance, Tether, kind};
use pliant::model::{Material, Method, Settings};
use pliant::plan::{MAX_BINDING_BYTES, PlanError};
use proptest::prelude::*;

use super::models::{SMALL_BINDING, degree, group, jacobi, line_positions, model, random_model, remainder, w1};

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
    assert_eq!(plan.bytes(), 2 * 4 * 4096 + 23_938 * (4 + 16));
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
