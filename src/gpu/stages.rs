//! Stages of clusters, and how kernels receive them: what islands and phases have in common of
//! `shaders/cluster/stages.wgsl`.

use crate::constraint::Kind;
use crate::gpu::constraints::MULTIPLIER_BYTES;
use crate::gpu::visit::{Visit, is_done_at_once, visits};
use crate::model::Settings;
use crate::plan::{Leg, Plan};

/// Words of a stage.
pub const STAGE_WORDS: usize = 3;
/// Where in the first of them its visit is.
pub const VISIT_SHIFT: u32 = 28;

/// Constraints of one group and colour that a workgroup solves at once.
#[derive(Clone, Copy)]
pub struct Stage {
    pub cluster: u32,
    pub group: usize,
    pub place: u32,
    pub count: u32,
}

impl Stage {
    /// What is done to how many constraints, where their records begin, and the first one's multiplier. `multipliers`:
    /// where those of its kind begin, bytes.
    pub fn words(&self, visit: Visit, record: u32, kind: &dyn Kind, multipliers: u64) -> [u32; STAGE_WORDS] {
        let first = u64::from(self.place) * kind.components() as u64;
        let multiplier = multipliers / MULTIPLIER_BYTES + first;
        [self.count | visit.bits() << VISIT_SHIFT, record, multiplier as u32]
    }
}

/// A stage with its number among those of a leg, and what is done to it.
pub type Visited<'a> = ((usize, &'a Stage), Visit);

/// Of each leg of a kernel the visits to the stages of one cluster. `group`: that of the plan, by a stage's.
pub fn visited<'a>(
    plan: &Plan,
    settings: &Settings,
    legs: &[Leg],
    stages: &'a [Stage],
    group: impl Fn(usize) -> usize,
) -> Vec<Vec<Visited<'a>>> {
    let of_leg = |leg: &Leg| {
        let planned = &plan.groups[leg.group];
        let first = planned.innermost(leg.phase);
        let mine = stages.iter().filter(|stage| group(stage.group) == leg.group);
        let items: Vec<_> = mine.enumerate().map(|(k, stage)| ((k, stage), stage.place < first)).collect();
        visits(leg, &items, is_done_at_once(settings, planned.kind))
    };
    legs.iter().flat_map(of_leg).collect()
}

/// How many words describe a cluster in a kernel of so many legs.
pub fn cluster_words(legs: usize) -> usize {
    legs + 3
}

/// Appends the words of a cluster: where its particles begin and end, where the stages of each leg begin, and the end.
/// `next`: where the first do; from then on where those of the next cluster do.
pub fn tell_cluster<T>(words: &mut Vec<u32>, particles: [u32; 2], legs: &[Vec<T>], next: &mut usize) {
    words.extend(particles);
    for stages in legs {
        words.push(*next as u32);
        *next += STAGE_WORDS * stages.len();
    }
    words.push(*next as u32);
}
