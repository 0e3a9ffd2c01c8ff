//! Greedy colouring: constraints of one colour share no particle, or only fixed ones.

use super::clusters::Home;
use super::sort::{resorted, sorted};
use crate::base::parallel;
use crate::model::{Group, Material};

/// A colour for each constraint of a group.
pub(super) struct Colouring {
    /// `0..colours`, or `colours` for a constraint of the remainder.
    pub colour_of: Vec<u16>,
    pub colours: u32,
    /// The first colour of each phase.
    pub phases: Vec<u32>,
    /// Whether constraints of one colour may share fixed particles.
    pub sharing: bool,
}

/// Gives each constraint the first colour that is free at all its particles. One that finds none of `max_colours` (at
/// most 64) falls to the remainder.
///
/// The order decides the outcome: constraints are ordered by their first particle, then by their last, in the model's
/// numbering, which for a grid means row by row. W1 then takes 12 colours, the largest number of constraints at a
/// particle, however its constraints were added (in the order as added: 12, 13 or, shuffled, 18; along the Hilbert
/// curve: 18). Springs along and across the edges of the bunny take 56 (degree bound 56) in any order, those of a torus
/// of 20 x 20 take 15 (bound 12; as added: 16), the edges of a tetrahedral grid 14 (bound 14; along the Hilbert curve:
/// 22). Misra and Gries would keep springs to the bound plus one always; there is little left to gain.
///
/// Each phase has colours of its own: `homes` holds those of the constraints, or is empty where there is one phase. And
/// within a phase constraints are ordered by the order of magnitude of their compliance, the stiffest first: at no
/// particle does a colour of softer ones come before one of stiffer ones. That is as if all of an order of magnitude
/// came before all of the next, since constraints without a common particle may change places. A sweep is a product of
/// contractions, and where stiff and soft ones take turns it has complex eigenvalues next to 1, by which small substeps
/// gain energy: W1 of 64 × 64 in 1,024 substeps flew apart within 0.3 s, in double precision, too, and of 256 × 256 in
/// 256 substeps within 3 s. In C all orders in which the springs of a compliance follow one another stayed calm,
/// whichever came first, and of others all but one flew apart; springs that are all alike stay calm in any order.
///
/// Fixed particles count as any other, unless more constraints meet at one of them than at any free particle: tethers,
/// all of which hang from a few pins, are then all of one colour, and their kernel writes no particle that it does not
/// move.
pub(super) fn colour(
    group: &Group,
    materials: &[Material],
    inverse_masses: &[f64],
    max_colours: u32,
    homes: &[Home],
    phases: u32,
) -> Colouring {
    let particles = inverse_masses.len();
    let sharing = is_shared(group, inverse_masses);
    let counts = |p: &&u32| !sharing || inverse_masses[**p as usize] > 0.0;
    let allowed = match max_colours {
        0 => 0,
        n => u64::MAX >> (64 - n.min(64)),
    };
    let class_of = classes(group, materials);
    let classes = class_of.iter().max().map_or(1, |&most| u32::from(most) + 1);
    let phase_of = |constraint: u32| homes.get(constraint as usize).map_or(0, |home| home.phase);
    let turn_of = |constraint: u32| {
        phase_of(constraint) * classes + u32::from(class_of[group.materials[constraint as usize] as usize])
    };
    let (order, turns) = resorted(&by_particles(group, particles), (phases * classes) as usize, turn_of);
    let mut used = vec![0u64; particles];
    let mut stiffer = used.clone();
    let mut colour_of = vec![u16::MAX; group.len()];
    let mut firsts = Vec::new();
    let mut colours = 0;
    for phase in 0..phases {
        let first = colours;
        firsts.push(first);
        used.fill(0);
        for turn in
            turns[(phase * classes) as usize..].windows(2).take(classes as usize).filter(|turn| turn[0] < turn[1])
        {
            stiffer.clone_from(&used);
            for &constraint in &order[turn[0] as usize..turn[1] as usize] {
                let members = || group.particles_of(constraint as usize).iter().filter(counts).map(|&p| p as usize);
                let after = members().map(|p| u64::BITS - stiffer[p].leading_zeros()).max().unwrap_or(0);
                let later = allowed & u64::MAX.checked_shl(after).unwrap_or(0);
                let free = members().fold(later, |free, p| free & !used[p]);
                if free == 0 {
                    continue;
                }
                let colour = free.trailing_zeros();
                members().for_each(|p| used[p] |= 1 << colour);
                colour_of[constraint as usize] = (first + colour) as u16;
                colours = colours.max(first + colour + 1);
            }
        }
    }
    // The remainder.
    colour_of.iter_mut().for_each(|colour| *colour = (*colour).min(colours as u16));
    Colouring { colour_of, colours, phases: firsts, sharing }
}

/// For each material the rank of its compliance's order of magnitude among those that the group has, 0 the stiffest.
fn classes(group: &Group, materials: &[Material]) -> Vec<u16> {
    let mut has = vec![false; materials.len()];
    group.materials.iter().for_each(|&material| has[material as usize] = true);
    let decade = |material: &Material| material.compliance.log10().floor().max(f64::from(i16::MIN)) as i16;
    let mut decades: Vec<i16> =
        materials.iter().zip(has).filter(|(_, has)| *has).map(|(material, _)| decade(material)).collect();
    decades.sort_unstable();
    decades.dedup();
    materials.iter().map(|material| decades.partition_point(|&other| other < decade(material)) as u16).collect()
}

/// Whether more constraints meet at a fixed particle than at any free one.
pub(super) fn is_shared(group: &Group, inverse_masses: &[f64]) -> bool {
    let mut degrees = vec![0_u32; inverse_masses.len()];
    for &p in &group.particles {
        degrees[p as usize] += 1;
    }
    let largest = |free: bool| {
        let mine = degrees.iter().zip(inverse_masses).filter(|(_, mass)| (**mass > 0.0) == free);
        mine.map(|(degree, _)| *degree).max().unwrap_or(0)
    };
    largest(false) > largest(true)
}

/// The constraints sorted by their smallest particle, then by their largest.
fn by_particles(group: &Group, particles: usize) -> Vec<u32> {
    let largest = |c: u32| group.particles_of(c as usize).iter().copied().max().unwrap_or(0);
    let smallest = |c: u32| group.particles_of(c as usize).iter().copied().min().unwrap_or(0);
    let (mut order, offsets) = sorted(group.len(), particles, smallest);
    parallel::fill_rows(&mut order, &offsets, |particles, mut order| {
        let mut keyed = Vec::new();
        for bounds in offsets[particles.start..=particles.end].windows(2) {
            let row = order.split_off_mut(..(bounds[1] - bounds[0]) as usize).unwrap_or_default();
            keyed.clear();
            keyed.extend(row.iter().map(|&constraint| (largest(constraint), constraint)));
            keyed.sort_unstable();
            row.iter_mut().zip(&keyed).for_each(|(constraint, keyed)| *constraint = keyed.1);
        }
    });
    order
}
