//! The kernel of clusters, and how their records are packed for it: the place of each particle, and which of the tails,
//! what is left of records without their particles.

use std::collections::HashSet;

use crate::constraint::Kind;
use crate::gpu::joined_kernel::{kernel, sizes};
use crate::gpu::kernel::{Kernel, Piece};
use crate::gpu::sweep_text::{Reading, Sweep, is_written_out};
use crate::gpu::unpack::fields;
use crate::gpu::visit::KernelLeg;
use crate::plan::{CLUSTER_PARTICLES, LARGEST_CLUSTER, PlannedGroup};
use crate::shader_piece;

/// How a workgroup solves clusters of up to so many particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u32);

impl Size {
    /// All that there are, each a kernel of its own.
    pub const ALL: [Self; 3] =
        [Self(CLUSTER_PARTICLES as u32), Self(2 * CLUSTER_PARTICLES as u32), Self(LARGEST_CLUSTER as u32)];

    /// The least for clusters of so many particles.
    pub fn least(particles: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|size| particles <= size.0)
    }

    /// Threads of a workgroup, as many as a cluster has constraints of a colour at most, which share no particle; W1
    /// has 115 of 128.
    pub fn threads(self) -> u32 {
        self.0 / 2
    }

    /// Whether what lies below the lattice may wait in the workgroup's memory, too: of the largest it stays where it is
    /// stored, so that 32 KiB are enough, which is all that some devices have.
    fn holds_all(self) -> bool {
        self.0 < LARGEST_CLUSTER as u32
    }

    /// Whether a device allows it.
    pub fn is_within(self, limits: &wgpu::Limits) -> bool {
        let vectors = if self.holds_all() { 3 } else { 2 };
        let most_threads = limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        self.0 * 16 * vectors <= limits.max_compute_workgroup_storage_size && self.threads() <= most_threads
    }

    fn bits(self) -> u32 {
        self.0.ilog2()
    }

    /// In which of a record's two words the place of its k-th particle is, and how far up.
    pub fn place(self, k: u32) -> (usize, u32) {
        let each = u32::BITS / self.bits();
        ((k / each) as usize, k % each * self.bits())
    }

    /// The same of the number of its tail, if it has so many particles and words.
    pub fn tail(self, particles: u32, words: usize) -> (usize, u32) {
        let (word, up) = self.place(particles);
        let last = words - 1;
        (last, if word == last { up } else { 0 })
    }
}

/// What the kernel of a turn does.
#[derive(Clone, Debug)]
pub struct Program {
    pub legs: Vec<KernelLeg>,
    /// How many stages a cluster has at most in each of these.
    pub stages: Vec<u32>,
    /// Whether λ waits in registers from one visit to the next. Then a cluster has so many stages in each leg of a
    /// kind, some of them empty.
    pub carries: bool,
}

impl Program {
    /// Of these kinds; `whole`: whether the first and the last visits of a substep are all in the turn.
    pub fn new(kinds: &[&dyn Kind], legs: Vec<KernelLeg>, mut stages: Vec<u32>, whole: bool) -> Self {
        let most = |stages: &[u32], kind: usize| {
            let of_kind = legs.iter().zip(stages).filter(|(leg, _)| leg.kind == kind);
            of_kind.map(|(_, &stages)| stages).max().unwrap_or(0)
        };
        let alike: Vec<u32> = legs.iter().map(|leg| most(&stages, leg.kind)).collect();
        let of_legs = legs.iter().map(|leg| kinds[leg.kind]).zip(alike.iter().copied());
        let returns = legs.iter().any(|leg| leg.back) && kinds.iter().all(|kind| kind.components() == 1);
        let carries = whole && returns && is_written_out(of_legs);
        if carries {
            stages = alike;
        }
        Self { legs, stages, carries }
    }
}

/// Solves the clusters of a phase, for kinds with records of so many words each; `damped`: whether any is, else what
/// lies below the lattice takes no room; `next`: after it has ended the substep before. `None` if a kind's records hold
/// what is not a number or a vector of numbers, or no particles.
pub fn cluster_kernel(
    kinds: &[(&dyn Kind, usize)],
    Program { legs, stages, carries }: &Program,
    size: Size,
    damped: bool,
    next: bool,
) -> Option<Kernel> {
    let reading = |index: usize, kind: &dyn Kind| {
        let words = kinds[index].1;
        let particles = particle_words(kind)?;
        let tail = tail_words(kind)?;
        let (fetched, asked, parts) = match words {
            1 => ("u32", "words[at]", ["packed"; 2]),
            _ => ("vec2u", "vec2u(words[at], words[at + 1u])", ["packed.x", "packed.y"]),
        };
        let mask = (1 << size.bits()) - 1;
        let place = |k: u32| {
            let (word, up) = size.place(k);
            format!("({} >> {up}u & {mask}u)", parts[word])
        };
        let word = |k: u32| match particles.contains(&k) {
            true => place(k - particles.start),
            false if k < particles.start => format!("words[tail + {k}u]"),
            false => format!("words[tail + {}u]", k + particles.start - particles.end),
        };
        let (last, up) = size.tail(particles.end - particles.start, words);
        let which = format!("{} >> {up}u", parts[last]);
        let (name, record, fields) = (kind.name(), kind.record_name(), fields(kind, word, "")?);
        let text = format!(
            "fn fetch_{name}(at: u32) -> {fetched} {{\n    return {asked};\n}}\n\n\
             fn unpack_{name}(packed: {fetched}) -> {record} {{\n    \
             let tail = words[{index}u] + ({which}) * {tail}u;\n    return {record}(\n{fields}    );\n}}\n"
        );
        Some(Reading { text, fetched: fetched.to_string(), words })
    };
    let any: Vec<String> = kinds.iter().map(|(kind, _)| format!("DAMPED_{}", kind.name())).collect();
    let any_damped = format!("fn any_damped() -> bool {{\n    return {};\n}}\n", any.join(" || "));
    let label = kinds.iter().map(|(kind, words)| format!(" {} {words}", kind.name())).collect::<String>();
    let label = format!(" {}{}{label}", size.0, if damped { " damped" } else { "" });
    let kinds: Vec<&dyn Kind> = kinds.iter().map(|(kind, _)| *kind).collect();
    let any_damped = Piece { path: "the lines that tell of damping".into(), text: any_damped.into() };
    let below = match damped && size.holds_all() {
        true => shader_piece!("cluster/below.wgsl"),
        false => shader_piece!("cluster/below_stored.wgsl"),
    };
    let threads = size.threads();
    let of_legs = legs.iter().map(|leg| kinds[leg.kind]).zip(stages.iter().copied());
    let (sweep, particles) = match is_written_out(of_legs) {
        true => (Sweep::WrittenOut { threads, stages, carries: *carries }, shader_piece!("cluster/at_once.wgsl")),
        false => (Sweep::OneTurn { threads }, shader_piece!("cluster/in_turns.wgsl")),
    };
    let mut last = vec![
        sizes(kinds.len(), size.0),
        any_damped,
        shader_piece!("cluster/local.wgsl"),
        shader_piece!("cluster/phase.wgsl"),
        below,
        particles,
    ];
    match next {
        false => last.push(shader_piece!("cluster/bring.wgsl")),
        true => last.extend([
            shader_piece!("lib/status.wgsl"),
            shader_piece!("step/fall.wgsl"),
            shader_piece!("step/settle.wgsl"),
            shader_piece!("cluster/bring_next.wgsl"),
        ]),
    }
    kernel(
        &format!("cluster {}{label}", if next { "step" } else { "solve" }),
        sweep,
        (&kinds, legs),
        reading,
        Vec::new(),
        last,
    )
}

/// Those of these kinds that have clusters, with records of either length: for tests that need no device.
pub fn kernels(kinds: &[&dyn Kind]) -> Vec<Kernel> {
    let few = kinds.iter().copied().filter(|kind| kind.joins_few());
    let shortest: Vec<(&dyn Kind, usize)> = few.map(|kind| (kind, if kind.joins_two() { 1 } else { 2 })).collect();
    let longest: Vec<(&dyn Kind, usize)> = shortest.iter().map(|&(kind, _)| (kind, 2)).collect();
    let springs: Vec<(&dyn Kind, usize)> =
        shortest.iter().copied().filter(|(kind, _)| kind.joins_two()).take(1).collect();
    let of = |kinds: &[(&dyn Kind, usize)]| {
        let of =
            |program: &Program, size: Size| [false, true].map(|next| cluster_kernel(kinds, program, size, true, next));
        let own: Vec<&dyn Kind> = kinds.iter().map(|(kind, _)| *kind).collect();
        let program = |legs: Vec<KernelLeg>| {
            [false, true].map(|whole| {
                let stages = vec![12; legs.len()];
                Program::new(&own, legs.clone(), stages, whole)
            })
        };
        let programs = KernelLeg::either_way(kinds.len()).into_iter().flat_map(program);
        programs.flat_map(|program| Size::ALL.map(|size| of(&program, size))).flatten().flatten().collect::<Vec<_>>()
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

    /// Words of a packed record: one where what its particles leave of it suffices to tell which tail it has, `None` if
    /// that of two does not.
    pub fn words(&self, size: Size, places: impl Iterator<Item = u32>) -> Option<usize> {
        let particles = self.particles.len() as u32 / 4;
        let most_tails = |words: usize| 1_u64 << (u32::BITS - size.tail(particles, words).1);
        let few = |tails: &HashSet<Vec<u32>>| particles <= 2 && tails.len() as u64 <= most_tails(1);
        let mut tails: HashSet<Vec<u32>> = HashSet::new();
        let (mut tail, mut count) = (Vec::new(), 0);
        for place in places {
            count += 1;
            if few(&tails) {
                self.tail(place, &mut tail);
                if !tails.contains(&tail) {
                    tails.insert(tail.clone());
                }
            }
        }
        match few(&tails) {
            true => Some(1),
            // At most one each.
            false => (count <= most_tails(2)).then_some(2),
        }
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + use<'_> {
    bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>)
}
