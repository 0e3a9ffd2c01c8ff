//! Where the corrections of a Jacobi batch come together.

use super::Gather;
use super::sort::sorted;

/// The gather of a batch whose k-th correction goes to the particle at `slots[k]`.
pub(super) fn gather(slots: &[u32], particle_count: usize) -> Gather {
    let (corrections, _) = sorted(slots.len(), particle_count, |correction| slots[correction as usize]);
    let mut gather = Gather { valences: vec![0.0; slots.len()], offsets: vec![0], ..Gather::default() };
    for of_particle in corrections.chunk_by(|&a, &b| slots[a as usize] == slots[b as usize]) {
        gather.particles.push(slots[of_particle[0] as usize]);
        gather.offsets.push(gather.offsets[gather.offsets.len() - 1] + of_particle.len() as u32);
        for &correction in of_particle {
            gather.valences[correction as usize] = of_particle.len() as f32;
        }
    }
    gather.corrections = corrections;
    gather
}
