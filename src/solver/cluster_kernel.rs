//! The kernel of clusters, and how their records are packed for it: a byte for each particle, and which of the tails, what is left of
//! records without their particles.

use std::collections::HashSet;

use super::kernel::Kernel;
use super::sweep_text::{Reading, Sweep, is_written_out};
use super::tile_kernel::kernel;
use super::unpack::fields;
use crate::constraint::{Arity, Kind};
use crate::plan::{CLUSTER_PARTICLES, PlannedGroup};
use crate::shader_piece;

/// Threads of a workgroup, as many as a cluster has constraints of a colour at most, which share no particle; W1 has 115.
pub const THREADS: u32 = CLUSTER_PARTICLES as u32 / 2;
/// Tails that the upper half of a record's word can number.
const FEW_TAILS: usize = 1 << 16;

/// Solves the clusters of a phase, for kinds with records of so many words each, of which a cluster has so many stages at most; `next`: after it has ended the
/// substep before. `None` if a kind's records hold what is not a number or a vector of numbers, or no particles.
pub fn cluster_kernel(kinds: &[(&dyn Kind, usize)], stages: &[u32], next: bool) -> Option<Kernel> {
    let reading = |index: usize, kind: &dyn Kind| {
        let words = kinds[index].1;
        let particles = particle_words(kind)?;
        let tail = tail_words(kind)?;
        let (fetched, asked, places, which) = match words {
            1 => ("u32", "words[at]", "packed", "packed >> 16u"),
            _ => ("vec2u", "vec2u(words[at], words[at + 1u])", "packed.x", "packed.y"),
        };
        let word = |k: u32| match particles.contains(&k) {
            true => format!("({places} >> {}u & 255u)", 8 * (k - particles.start)),
            false if k < particles.start => format!("words[tail + {k}u]"),
            false => format!("words[tail + {}u]", k + particles.start - particles.end),
        };
        let (name, record, fields) = (kind.name(), kind.record_name(), fields(kind, word, "")?);
        let text = format!(
            "fn fetch_{name}(at: u32) -> {fetched} {{\n    return {asked};\n}}\n\n\
             fn unpack_{name}(packed: {fetched}) -> {record} {{\n    \
             let tail = words[{index}u] + ({which}) * {tail}u;\n    return {record}(\n{fields}    );\n}}\n"
        );
        Some(Reading { text, fetched: fetched.to_string(), words })
    };
    let damped: Vec<String> = kinds.iter().map(|(kind, _)| format!("DAMPED_{}", kind.name())).collect();
    let any_damped = format!("fn any_damped() -> bool {{\n    return {};\n}}\n", damped.join(" || "));
    let label = kinds.iter().map(|(kind, words)| format!(" {} {words}", kind.name())).collect::<String>();
    let kinds: Vec<&dyn Kind> = kinds.iter().map(|(kind, _)| *kind).collect();
    let any_damped = super::kernel::Piece { path: "the line that tells of damping".into(), text: any_damped.into() };
    let of_kinds = kinds.iter().copied().zip(stages.iter().copied());
    let (sweep, particles) = match is_written_out(of_kinds) {
        true => (Sweep::WrittenOut { threads: THREADS, stages }, shader_piece!("tile/at_once.wgsl")),
        false => (Sweep::OneTurn { threads: THREADS }, shader_piece!("tile/in_turns.wgsl")),
    };
    let mut last = vec![any_damped, shader_piece!("tile/cluster.wgsl"), particles];
    match next {
        false => last.push(shader_piece!("tile/bring.wgsl")),
        true => last.extend([
            shader_piece!("lib/status.wgsl"),
            shader_piece!("step/fall.wgsl"),
            shader_piece!("step/settle.wgsl"),
            shader_piece!("tile/bring_next.wgsl"),
        ]),
    }
    kernel(&format!("cluster {}{label}", if next { "step" } else { "solve" }), sweep, &kinds, reading, Vec::new(), last)
}

/// Those of these kinds that have clusters, with records of either length: for tests that need no device.
pub fn kernels(kinds: &[&dyn Kind]) -> Vec<Kernel> {
    let few = kinds.iter().copied().filter(|kind| !matches!(kind.arity(), Arity::One | Arity::Many));
    let shortest: Vec<(&dyn Kind, usize)> =
        few.map(|kind| (kind, if kind.arity() == Arity::Two { 1 } else { 2 })).collect();
    let longest: Vec<(&dyn Kind, usize)> = shortest.iter().map(|&(kind, _)| (kind, 2)).collect();
    let springs: Vec<(&dyn Kind, usize)> =
        shortest.iter().copied().filter(|(kind, _)| kind.arity() == Arity::Two).take(1).collect();
    let of = |kinds: &[(&dyn Kind, usize)]| {
        let of = |next: bool| cluster_kernel(kinds, &vec![12; kinds.len()], next);
        [false, true].into_iter().filter_map(of).collect::<Vec<_>>()
    };
    [&shortest, &longest, &springs].into_iter().flat_map(|kinds| of(kinds)).collect()
}

/// Which words of a kind's record are its particles.
fn particle_words(kind: &dyn Kind) -> Option<std::ops::Range<u32>> {
    let field = kind.record_fields().iter().find(|field| field.name == "particles")?;
    let first = field.offset as u32 / 4;
    Some(first..first + kind.arity().count()? as u32)
}

/// Words of a kind's tail.
pub fn tail_words(kind: &dyn Kind) -> Option<usize> {
    Some(kind.record_size() / 4 - kind.arity().count()?)
}

/// The records of a group, taken apart.
#[derive(Clone)]
pub struct Apart<'a> {
    records: &'a [u8],
    size: usize,
    particles: std::ops::Range<usize>,
}

impl<'a> Apart<'a> {
    /// `None` if its records hold no particles.
    pub fn new(group: &'a PlannedGroup) -> Option<Self> {
        let words = particle_words(group.kind)?;
        let particles = words.start as usize * 4..words.end as usize * 4;
        Some(Self { records: &group.records, size: group.kind.record_size(), particles })
    }

    fn record(&self, place: u32) -> &'a [u8] {
        &self.records[place as usize * self.size..][..self.size]
    }

    /// The slots of a constraint's particles.
    pub fn slots(&self, place: u32) -> impl Iterator<Item = u32> + use<'a> {
        words(&self.record(place)[self.particles.clone()])
    }

    /// Brings what a record holds but particles to `tail`.
    pub fn tail(&self, place: u32, tail: &mut Vec<u32>) {
        let record = self.record(place);
        tail.clear();
        tail.extend(words(&record[..self.particles.start]).chain(words(&record[self.particles.end..])));
    }

    /// Words of a packed record: one where two bytes suffice to tell which tail it has.
    pub fn words(&self, places: impl Iterator<Item = u32>) -> usize {
        if self.particles.len() > 8 {
            return 2;
        }
        let mut tails: HashSet<Vec<u32>> = HashSet::new();
        let mut tail = Vec::new();
        for place in places {
            self.tail(place, &mut tail);
            if !tails.contains(&tail) {
                tails.insert(tail.clone());
            }
            if tails.len() > FEW_TAILS {
                return 2;
            }
        }
        1
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + use<'_> {
    bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>)
}
