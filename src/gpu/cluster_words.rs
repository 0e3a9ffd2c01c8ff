//! How clusters ([`Plan::phases`]) are packed: the words of a phase's dispatches, as `shaders/cluster/phase.wgsl` reads
//! them.

use std::collections::HashMap;
use std::ops::Range;

use crate::constraint::Kind;
use crate::gpu::cluster_kernel::{Apart, Program, Size, cluster_kernel, tail_words};
use crate::gpu::constraints::VECTOR_BYTES;
use crate::gpu::stages::{STAGE_WORDS, Stage, cluster_words, tell_cluster, visited};
use crate::gpu::stores::multiplier_bytes;
use crate::gpu::visit::{KernelLeg, Visit};
use crate::model::{Integrator, Model, Settings};
use crate::plan::{Leg, Plan};
use crate::step::{Needs, Used};

/// The legs of a sweep, one behind the other, that lie in the clusters of a phase: one dispatch does them.
pub struct Turn {
    pub phase: usize,
    legs: Vec<Leg>,
    pub program: Program,
    settings: Settings,
}

/// A stage of a cluster and what is done to it, of what has nothing to do none.
type Visited<'a> = Option<(&'a Stage, Visit)>;

/// What of a plan is solved in clusters.
pub struct Layout<'a> {
    pub plan: &'a Plan,
    /// Groups of the plan, of each its records and the words of a packed one.
    groups: Vec<(usize, Apart<'a>, usize)>,
    /// Of each phase, by cluster; in a cluster in the order of a sweep. Groups are indices of `groups`.
    stages: Vec<Vec<Stage>>,
    /// One after the other in a sweep.
    pub turns: Vec<Turn>,
    /// Of all clusters.
    pub size: Size,
    /// The first slot that is in a cluster of the first phase: what lies below is solved in islands or colour
    /// after colour.
    pub first: u32,
}

impl<'a> Layout<'a> {
    /// `None` where nothing can be solved in clusters: the plan has none, they are larger than the device's workgroups,
    /// a rest value may change, which then stands in the records, multipliers take more than the bytes that can be
    /// bound, records more tails than can be numbered, a stage has more constraints than a workgroup has threads, or
    /// two kinds from outside have functions of the same name.
    pub fn new(limits: &wgpu::Limits, model: &Model, used: &[Used], plan: &'a Plan) -> Option<Self> {
        let clusters = plan.phases.iter().flat_map(|phase| (0..phase.len()).map(|index| phase.range(index).len()));
        let size = Size::least(clusters.max()? as u32).filter(|size| size.is_within(limits))?;
        let first = plan.phases.first()?.slots.iter().copied().min()?;
        let inside = |batch: &crate::plan::Batch| (batch.phase as usize) < plan.phases.len();
        let holds = |&index: &usize| {
            let group = &plan.groups[index];
            group.batches.iter().filter(|batch| inside(batch)).any(|batch| {
                let from = if batch.phase == 0 { group.first_from(&batch.range, first) } else { batch.range.start };
                from < batch.range.end
            })
        };
        let indices: Vec<usize> = (0..plan.groups.len()).filter(holds).collect();
        let multipliers: u64 = plan.groups.iter().map(|group| multiplier_bytes(group) + 256).sum();
        let fits = multipliers <= limits.max_storage_buffer_binding_size;
        let one_way = model.settings.integrator == Integrator::Euler;
        if !fits || !one_way || indices.iter().any(|&index| used[index].rest_changes) {
            return None;
        }
        let mut layout = Self { plan, groups: Vec::new(), stages: Vec::new(), turns: Vec::new(), size, first };
        for &index in &indices {
            layout.groups.push((index, Apart::new(&plan.groups[index])?, 2));
        }
        for phase in 0..plan.phases.len() {
            let stages = layout.stages_of(phase);
            layout.stages.push(stages);
        }
        // A constraint that names one particle twice, as no scene may, leaves room in its colour for more than there
        // are threads.
        if layout.stages.iter().flatten().any(|stage| stage.count > size.threads()) {
            return None;
        }
        for index in 0..layout.groups.len() {
            let mine = layout.stages.iter().flatten().filter(|stage| stage.group == index);
            let places = mine.flat_map(|stage| stage.place..stage.place + stage.count);
            let words = layout.groups[index].1.words(size, places)?;
            layout.groups[index].2 = words;
        }
        let halves = plan.sweep(model.settings.sweep);
        let turns = halves.iter().flat_map(|half| half.chunk_by(|a, b| a.phase == b.phase)).map(<[Leg]>::to_vec);
        let turns = turns.filter(|legs| (legs[0].phase as usize) < layout.phases());
        layout.turns = turns.map(|legs| layout.turn(&model.settings, legs)).collect();
        layout.has_kernels().then_some(layout)
    }

    /// Whether all kernels compile: turns have other ones, and so has the first where it ends a substep.
    fn has_kernels(&self) -> bool {
        let kernel = |(turn, next): (&Turn, bool)| cluster_kernel(&self.kinds(), &turn.program, self.size, true, next);
        let mut turns = self.turns.iter().map(|turn| (turn, false)).chain(self.turns.first().map(|turn| (turn, true)));
        !self.turns.is_empty() && turns.all(|turn| kernel(turn).is_some_and(|kernel| kernel.validate().is_ok()))
    }

    fn turn(&self, settings: &Settings, legs: Vec<Leg>) -> Turn {
        let phase = legs[0].phase as usize;
        let held = |leg: &Leg| self.groups.iter().any(|(index, ..)| *index == leg.group);
        let legs: Vec<Leg> = legs.into_iter().filter(held).collect();
        let kernel = KernelLeg::of(&legs, &self.indices());
        // λ of a substep is then all in one dispatch.
        let whole = settings.iterations == 1
            && legs.iter().all(|leg| {
                let opens = legs.iter().any(|other| other.group == leg.group && other.opens);
                opens && legs.iter().any(|other| other.group == leg.group && other.closes)
            });
        let kinds: Vec<&dyn Kind> = self.kinds().into_iter().map(|(kind, _)| kind as &dyn Kind).collect();
        let none = Program { stages: vec![0; kernel.len()], legs: kernel, carries: false };
        let mut turn = Turn { phase, legs, program: none, settings: settings.clone() };
        let mut most = turn.program.stages.clone();
        for stages in self.stages[phase].chunk_by(|a, b| a.cluster == b.cluster) {
            let counts = self.visited(&turn, stages).iter().map(|leg| leg.len() as u32).collect::<Vec<_>>();
            most.iter_mut().zip(counts).for_each(|(most, count)| *most = count.max(*most));
        }
        turn.program = Program::new(&kinds, turn.program.legs, most, whole);
        turn
    }

    /// Of each leg of a turn's kernel the visits to the stages of one cluster.
    fn visited<'s>(&self, turn: &Turn, stages: &'s [Stage]) -> Vec<Vec<Visited<'s>>> {
        visited(self.plan, &turn.settings, &turn.legs, stages, |group| self.groups[group].0)
            .into_iter()
            .zip(turn.program.legs.iter().zip(&turn.program.stages))
            .map(|(visits, (leg, &most))| {
                if !turn.program.carries {
                    return visits.into_iter().map(|((_, stage), visit)| Some((stage, visit))).collect();
                }
                // Each stage has the place of its register.
                let mut all = vec![None; most as usize];
                for ((k, stage), visit) in visits {
                    all[if leg.back { most as usize - 1 - k } else { k }] = Some((stage, visit));
                }
                all
            })
            .collect()
    }

    pub fn phases(&self) -> usize {
        self.stages.len()
    }

    /// The groups that have clusters, in the plan.
    pub fn indices(&self) -> Vec<usize> {
        self.groups.iter().map(|(index, ..)| *index).collect()
    }

    pub fn kinds(&self) -> Vec<(&'static dyn Kind, usize)> {
        self.groups.iter().map(|(index, _, words)| (self.plan.groups[*index].kind, *words)).collect()
    }

    fn stages_of(&self, phase: usize) -> Vec<Stage> {
        let cluster_of = self.plan.phases[phase].cluster_of(self.plan.particle_of.len());
        let mut stages: Vec<Stage> = Vec::new();
        for (group, (index, apart, _)) in self.groups.iter().enumerate() {
            let planned = &self.plan.groups[*index];
            for batch in &planned.batches[planned.phase(phase as u32)] {
                let from = if phase == 0 { planned.first_from(&batch.range, self.first) } else { batch.range.start };
                let mut begins = true;
                for place in from..batch.range.end {
                    let cluster = apart.slots(place).next().map_or(u32::MAX, |slot| cluster_of[slot as usize]);
                    match stages.last_mut() {
                        Some(stage) if !begins && stage.cluster == cluster => stage.count += 1,
                        _ => stages.push(Stage { cluster, group, place, count: 1 }),
                    }
                    begins = false;
                }
            }
        }
        stages.sort_by_key(|stage| stage.cluster);
        stages
    }

    /// Which clusters of a turn, each with its stages, a buffer of so many bytes holds at least.
    pub fn windows(&self, turn: usize, bytes: usize) -> Vec<Window<'_>> {
        let turn = &self.turns[turn];
        let phase = turn.phase;
        let (clusters, stages) = (&self.plan.phases[phase], &self.stages[phase][..]);
        let mut windows: Vec<Window> = Vec::new();
        let (mut first, mut begin, mut at, mut size) = (0, 0, 0, self.groups.len());
        for cluster in 0..clusters.len() {
            let count = stages[at..].iter().take_while(|stage| stage.cluster as usize == cluster).count();
            let of_stage = |stage: &Stage| {
                let (index, _, words) = &self.groups[stage.group];
                let tail = tail_words(self.plan.groups[*index].kind).unwrap_or(0);
                // There and back.
                2 * STAGE_WORDS + stage.count as usize * (words + tail)
            };
            let Program { legs, stages: most, carries } = &turn.program;
            let empty = if *carries { STAGE_WORDS * most.iter().sum::<u32>() as usize } else { 0 };
            let mine = cluster_words(legs.len()) + clusters.cluster(cluster).len() + empty;
            let mine = mine + stages[at..at + count].iter().map(of_stage).sum::<usize>();
            if cluster > first && (size + mine) * 4 > bytes {
                windows.push(Window { turn, clusters: first..cluster, stages: &stages[begin..at] });
                (first, begin, size) = (cluster, at, self.groups.len());
            }
            size += mine;
            at += count;
        }
        windows.push(Window { turn, clusters: first..clusters.len(), stages: &stages[begin..at] });
        windows
    }

    /// The words of a window, as `shaders/cluster/phase.wgsl` has them; `multipliers`: where those of each group of the
    /// plan begin.
    pub fn words(&self, window: &Window, multipliers: &[u64], places: &mut [u16]) -> Vec<u32> {
        let phase = &self.plan.phases[window.turn.phase];
        let (kinds, legs) = (self.groups.len(), window.turn.program.legs.len());
        let slots = phase.range(window.clusters.start).start..phase.range(window.clusters.end - 1).end;
        let first_slot = kinds + window.clusters.len() * cluster_words(legs);
        let first_stage = first_slot + slots.len();
        let mut next = first_stage;
        let mut words = vec![0; kinds];
        let mut visits = Vec::new();
        let mut stages = window.stages;
        for cluster in window.clusters.clone() {
            let range = phase.range(cluster);
            let particles = [range.start, range.end].map(|at| (first_slot + at - slots.start) as u32);
            let mine = stages.iter().take_while(|stage| stage.cluster as usize == cluster).count();
            let (mine, others) = stages.split_at(mine);
            stages = others;
            let visited = self.visited(window.turn, mine);
            tell_cluster(&mut words, particles, &visited, &mut next);
            visits.extend(visited.into_iter().flatten());
            phase.cluster(cluster).iter().enumerate().for_each(|(at, &slot)| places[slot as usize] = at as u16);
        }
        words.extend(&phase.slots[slots]);
        let mut record = next;
        let mut records = HashMap::new();
        for stage in window.stages {
            records.insert((stage.group, stage.place), record as u32);
            record += stage.count as usize * self.groups[stage.group].2;
        }
        for visited in visits {
            let Some((stage, visit)) = visited else {
                words.extend([0; STAGE_WORDS]);
                continue;
            };
            let index = self.groups[stage.group].0;
            let record = records[&(stage.group, stage.place)];
            words.extend(stage.words(visit, record, self.plan.groups[index].kind, multipliers[index]));
        }
        let mut tails = vec![Tails::default(); kinds];
        for stage in window.stages {
            let (_, apart, length) = &self.groups[stage.group];
            for place in stage.place..stage.place + stage.count {
                let mut packed = [0; 2];
                for (k, slot) in (0..).zip(apart.slots(place)) {
                    let (word, up) = self.size.place(k);
                    packed[word] |= u32::from(places[slot as usize]) << up;
                }
                let (last, up) = self.size.tail(apart.slots(place).count() as u32, *length);
                packed[last] |= tails[stage.group].number(apart, place) << up;
                words.extend(&packed[..*length]);
            }
        }
        for (kind, tails) in tails.into_iter().enumerate() {
            words[kind] = words.len() as u32;
            words.extend(tails.words);
        }
        words
    }

    /// Bytes that a window moves besides its particles' slots, stages, records and tails, all of which it reads once at
    /// first. A visit more reads records again.
    pub fn bytes(&self, window: &Window, needs: &[Needs]) -> u64 {
        let phase = &self.plan.phases[window.turn.phase];
        let particles = phase.range(window.clusters.end - 1).end - phase.range(window.clusters.start).start;
        let damped = self.groups.iter().any(|(index, ..)| needs[*index].damping);
        let of_visit = |(stage, visit): (&Stage, Visit)| {
            let closes = visit.closes;
            let (index, _, words) = &self.groups[stage.group];
            let kind = self.plan.groups[*index].kind;
            let again = if visit.opens { 0 } else { 4 * *words as u64 };
            let mut needs = needs[*index];
            let mut visit = visit;
            if window.turn.program.carries {
                // λ is neither read nor, but at the end, written.
                (needs.iterating, visit.closes) = (false, true);
                needs.summing &= closes;
            }
            let multipliers = needs.constraint_bytes(kind, visit) - kind.record_size() as u64;
            u64::from(stage.count) * (multipliers + again)
        };
        let clusters = window.stages.chunk_by(|a, b| a.cluster == b.cluster);
        let visited = clusters.flat_map(|stages| self.visited(window.turn, stages)).flatten().flatten();
        particles as u64 * VECTOR_BYTES * (3 + u64::from(damped)) + visited.map(of_visit).sum::<u64>()
    }

    /// Whether all particles are in clusters of the first phase.
    pub fn holds_all(&self) -> bool {
        self.plan.phases[0].slots.len() == self.plan.particle_of.len()
    }
}

/// What of a turn one buffer holds.
pub struct Window<'a> {
    pub turn: &'a Turn,
    pub clusters: Range<usize>,
    stages: &'a [Stage],
}

/// The tails of a kind in a window, each once.
#[derive(Clone, Default)]
struct Tails {
    numbers: HashMap<Vec<u32>, u32>,
    words: Vec<u32>,
    scratch: Vec<u32>,
}

impl Tails {
    /// That of the constraint at a place.
    fn number(&mut self, apart: &Apart, place: u32) -> u32 {
        apart.tail(place, &mut self.scratch);
        if let Some(&number) = self.numbers.get(&self.scratch) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.words.extend(&self.scratch);
        self.numbers.insert(self.scratch.clone(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use crate::constraint::{Arity, Constraint, Distance, RestValue, Symmetry, kind};
    use crate::gpu::cluster_words::*;
    use crate::gpu::constraints::MULTIPLIER_BYTES;
    use crate::gpu::stages::VISIT_SHIFT;
    use crate::math::{Real, Vec3};
    use crate::model::{Group, Material, Materials, Particles};
    use crate::plan::MAX_BINDING_BYTES;

    fn limits(max_storage_buffer_binding_size: u64) -> wgpu::Limits {
        wgpu::Limits {
            max_storage_buffer_binding_size,
            max_compute_workgroup_storage_size: 32 << 10,
            max_compute_invocations_per_workgroup: 512,
            max_compute_workgroup_size_x: 512,
            ..wgpu::Limits::default()
        }
    }

    /// A strip of 24,000 particles, so many across, with springs along, across and of as many rest lengths as given.
    fn strip(width: u32, lengths: usize) -> Model {
        let count = 24_000;
        let mut group = Group::new(kind::<Distance>());
        for i in 0..count - width - 1 {
            for step in [1, width, width + 1] {
                group.push(&[i, i + step], &[1.0 + (group.len() % lengths) as f64 * 1e-3], 0);
            }
        }
        let mut materials = Materials::default();
        materials.insert(Material::default());
        let positions = (0..count).map(|i| [f64::from(i / width), f64::from(i % width), 0.0]).collect();
        let particles = Particles::at_rest(positions, vec![1.0; count as usize]);
        Model { particles, groups: vec![group], materials, ..Model::default() }
    }

    /// Read as the kernel does, the words of all windows have each clustered constraint once, with the record and the
    /// multiplier that it has in the plan; and no window is larger than given.
    #[test]
    fn words_hold_the_records() {
        for (width, lengths, length) in
            [(4, 7, 1), (4, 70_000, 2), (200, 7, 1), (200, 70_000, 2), (400, 7, 1), (400, 70_000, 2)]
        {
            let model = strip(width, lengths);
            let plan = Plan::clustered(&model);
            let used: Vec<Used> = model.groups.iter().map(|group| Used::of(group, &model.materials)).collect();
            let layout = Layout::new(&limits(1 << 20), &model, &used, &plan).unwrap();
            let size = 256.max((2 * width + 2).next_power_of_two());
            assert_eq!((layout.size, layout.groups[0].2), (Size::least(size).unwrap(), length));
            let mut places = vec![0; plan.particle_of.len()];
            for bytes in [80_000, MAX_BINDING_BYTES] {
                let mut seen = vec![false; plan.groups[0].len()];
                for window in (0..layout.turns.len()).flat_map(|turn| layout.windows(turn, bytes)) {
                    let words = layout.words(&window, &[512], &mut places);
                    assert!(words.len() * 4 <= bytes, "{} bytes", words.len() * 4);
                    check(&layout, &words, window.clusters.len(), &mut seen);
                }
                let inside = |batch: &crate::plan::Batch| (batch.phase as usize) < plan.phases.len();
                for batch in &plan.groups[0].batches {
                    assert!(
                        seen[batch.range.start as usize..batch.range.end as usize]
                            .iter()
                            .all(|&seen| seen == inside(batch))
                    );
                }
            }
            assert!(Layout::new(&limits(1 << 16), &model, &used, &plan).is_none(), "multipliers that cannot be bound");
        }
    }

    /// Clusters that need more memory or threads than a device lets a workgroup have are none there.
    #[test]
    fn what_is_too_large_for_a_device_has_no_clusters() {
        let least = wgpu::Limits::default();
        let small = wgpu::Limits { max_compute_workgroup_storage_size: 24 << 10, ..least.clone() };
        for width in [4, 200, 400] {
            let model = strip(width, 7);
            let used: Vec<Used> = model.groups.iter().map(|group| Used::of(group, &model.materials)).collect();
            let plan = Plan::clustered(&model);
            let on = |limits: &wgpu::Limits| Layout::new(limits, &model, &used, &plan).is_some();
            assert_eq!([on(&least), on(&small), on(&limits(1 << 27))], [width < 5, width < 300, true], "{width}");
        }
    }

    /// Springs from particles to themselves, which all are of one colour, are more in a cluster than it has threads:
    /// then none are solved in clusters.
    #[test]
    fn what_takes_two_turns_has_no_clusters() {
        let mut model = strip(4, 7);
        for i in 0..24_000 {
            model.groups[0].push(&[i, i], &[0.0], 0);
        }
        let plan = Plan::clustered(&model);
        assert!(!plan.phases.is_empty());
        let used: Vec<Used> = model.groups.iter().map(|group| Used::of(group, &model.materials)).collect();
        assert!(Layout::new(&limits(1 << 20), &model, &used, &plan).is_none());
    }

    crate::gpu_record! {
        /// A spring from outside that has a function of its own, `watch`, as the kernel has that ends a substep, and no
        /// other.
        pub struct Watched {
            pub particles: [u32; 2],
            pub rest_length: f32,
            pub material: u32,
        }
    }

    impl Constraint for Watched {
        const NAME: &'static str = "watched";
        const WGSL: &'static str = "struct Watched { particles: vec2u, rest_length: f32, material: u32 }
fn watch(v: vec3f, less: f32) -> vec4f { return direction_and_length(v, less); }
fn watched(c: Watched, x0: vec3f, x1: vec3f) -> Evaluation2 {
    let apart = watch(x0 - x1, c.rest_length);
    return Evaluation2(apart.w, apart.xyz, -apart.xyz);
}
";
        const ARITY: Arity = Arity::Two;
        const REST: &'static [RestValue] = Distance::REST;
        const SYMMETRIES: &'static [Symmetry] = Distance::SYMMETRIES;

        fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
            Self { particles: [particles[0], particles[1]], rest_length: rest[0], material }
        }

        fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
            Distance::measure(x)
        }

        fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
            Distance::evaluate(rest, component, x, gradient)
        }
    }

    /// A kind whose functions bear the names of one of the kernels', be it a single phase's, is solved by colours: no
    /// kernel of it fails to compile.
    #[test]
    fn what_no_kernel_can_hold_has_no_clusters() {
        let mut model = strip(4, 7);
        model.groups[0].kind = kind::<Watched>();
        let used: Vec<Used> = model.groups.iter().map(|group| Used::of(group, &model.materials)).collect();
        let plan = Plan::clustered(&model);
        assert!(!plan.phases.is_empty());
        assert!(Layout::new(&limits(1 << 20), &model, &used, &plan).is_none());
    }

    /// As `shaders/cluster/phase.wgsl` reads them.
    fn check(layout: &Layout, words: &[u32], clusters: usize, seen: &mut [bool]) {
        let (planned, length) = (&layout.plan.groups[0], layout.groups[0].2);
        for cluster in 0..clusters {
            // There and back.
            let [first, _, begin, end] = [0, 1, 2, 3].map(|k| words[1 + cluster * 5 + k] as usize);
            for stage in words[begin..end].chunks(STAGE_WORDS) {
                let [count, record, multiplier] = [0, 1, 2].map(|k| stage[k] as usize);
                let count = count & ((1 << VISIT_SHIFT) - 1);
                for k in 0..count {
                    let place = multiplier - 512 / MULTIPLIER_BYTES as usize + k;
                    assert!(!std::mem::replace(&mut seen[place], true));
                    let packed = &words[record + k * length..];
                    let bits = 8 + Size::ALL.iter().position(|size| *size == layout.size).unwrap();
                    let slots = [0, 1].map(|k| words[first + (packed[0] >> (bits * k) & ((1 << bits) - 1)) as usize]);
                    let tail = if length == 1 { packed[0] >> (2 * bits) } else { packed[1] };
                    let tail = &words[words[0] as usize + tail as usize * 2..][..2];
                    let expected: &[u32] = bytemuck::cast_slice(&planned.records[place * 16..][..16]);
                    assert_eq!([slots[0], slots[1], tail[0], tail[1]], expected);
                }
            }
        }
    }
}
