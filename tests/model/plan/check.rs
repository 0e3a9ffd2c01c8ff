//! The check of a plan finds each fault.

use pliant::Plan;
use pliant::constraint::{SurfaceVolume, kind};
use pliant::model::Settings;
use pliant::plan::{Gather, PlanError};

use super::models::{Loop, SMALL_BINDING, group, jacobi, w1};
use super::packing::TETRAHEDRON;

/// The check finds what is wrong with clusters.
#[test]
fn check_finds_faults_of_clusters() {
    let model = w1(66, Settings::default());
    let good = Plan::clustered(&model);
    type Spoil = fn(&mut Plan);
    let rows: [(&str, Spoil); 7] = [
        ("a particle in two clusters", |p| p.phases[0].slots[300] = p.phases[0].slots[10]),
        ("a slot beyond all", |p| p.phases[1].slots[3] = 99_999),
        ("a cluster that is too large", |p| p.phases[0].offsets[1] += 1),
        ("clusters that end early", |p| *p.phases[1].offsets.last_mut().expect("an end") -= 1),
        ("phases in another order", |p| p.phases.swap(0, 1)),
        ("a batch of another phase", |p| p.groups[0].batches[0].phase = 1),
        ("a particle that is in no cluster", |p| {
            p.phases[1].slots.remove(0);
            p.phases[1].offsets.iter_mut().skip(1).for_each(|offset| *offset -= 1);
        }),
    ];
    for (what, spoil) in rows {
        let mut plan = good.clone();
        spoil(&mut plan);
        assert!(matches!(plan.check(&model), Err(PlanError::Clusters { .. })), "{what}: {:?}", plan.check(&model));
    }
    let mut coloured = good;
    coloured.phases.clear();
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
            |e| matches!(e, PlanError::Gather { fault: "a correction goes to a particle that is not its own", .. }),
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
