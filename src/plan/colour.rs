//! Greedy colouring: constraints of one colour share no particle.

use super::sort::{sort, sorted};
use crate::model::Group;

/// A colour for each constraint of a group.
pub(super) struct Colouring {
    /// `0..colours`, or `colours` for a constraint of the remainder.
    pub colour_of: Vec<u8>,
    pub colours: u32,
}

/// Gives each constraint the first colour that is free at all its particles. One that finds none of `max_colours` (at most
/// 64) falls to the remainder.
///
/// The order decides the outcome: constraints go by their first particle, then by their last, in the model's numbering,
/// which for a grid means row by row. W1 then takes 12 colours, the largest number of constraints at a particle, however
/// its constraints were added (in the order as added: 12, 13 or, shuffled, 18; along the Hilbert curve: 18). Springs along
/// and across the edges of the bunny take 56 (degree bound 56) in any order, those of a torus of 20 x 20 take 15 (bound 12;
/// as added: 16), the edges of a tetrahedral grid 14 (bound 14; along the Hilbert curve: 22). Misra and Gries would keep
/// springs to the bound plus one always; there is little left to gain.
///
/// Fixed particles count as any other: the solve kernels write them, too.
pub(super) fn colour(group: &Group, particles: usize, max_colours: u32) -> Colouring {
    let allowed = match max_colours {
        0 => 0,
        n => u64::MAX >> (64 - n.min(64)),
    };
    let mut used = vec![0u64; particles];
    let mut colour_of = vec![u8::MAX; group.len()];
    let mut colours = 0;
    let mut remainder = false;
    for constraint in by_particles(group, particles) {
        let members = group.particles_of(constraint as usize);
        let free = members.iter().fold(allowed, |free, &p| free & !used[p as usize]);
        if free == 0 {
            remainder = true;
            continue;
        }
        let colour = free.trailing_zeros();
        for &p in members {
            used[p as usize] |= 1 << colour;
        }
        colour_of[constraint as usize] = colour as u8;
        colours = colours.max(colour + 1);
    }
    if remainder {
        for colour in &mut colour_of {
            *colour = (*colour).min(colours as u8);
        }
    }
    Colouring { colour_of, colours }
}

/// The constraints sorted by their smallest particle, then by their largest.
fn by_particles(group: &Group, particles: usize) -> Vec<u32> {
    let largest = |c: u32| group.particles_of(c as usize).iter().copied().max().unwrap_or(0);
    let smallest = |c: u32| group.particles_of(c as usize).iter().copied().min().unwrap_or(0);
    sort(sorted(group.len(), particles, largest).into_iter(), particles, smallest)
}
