//! The nets over a sheet, in single precision from where each node's centre is, by the formulas of
//! `pass/levels/reference.rs`: places go up from the finest to the coarsest, corrections down, and at each level sweeps
//! go over its edges ([`crate::pass::levels::cpu::edges`]). What has many edges is divided among all threads, in the
//! order of [`crate::cpu::schedule`]; the rest one does by itself, since a sweep over a thousand edges takes a
//! microsecond and a meeting half of that.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use wide::f32x4;

use crate::cpu::lanes::{Instructions, MOST};
use crate::cpu::schedule::{Colours, Members, Stage};
use crate::cpu::single;
use crate::cpu::team::Member;
use crate::model::Material;
use crate::pass::levels::cpu::edges::{Nodes, Ties, is_back};
use crate::plan::levels::{Edge, Level, Rows, SWEEPS, Sheet};

/// So many edges of a net are worth that all threads meet a dozen times.
const WIDE: usize = 4096;

/// Indices of nodes, with shares.
type Shares = Rows<(u32, f32)>;

/// Those of a sheet.
pub struct Nets {
    levels: Vec<Net>,
    /// How many, the finest, all threads go through together.
    wide: usize,
}

/// A level.
struct Net {
    /// Among those of all nets.
    nodes: Range<usize>,
    /// Of the finer nodes: each one's centre, and what it stands for; of the finest level nothing.
    centres: Vec<u32>,
    restrict: Shares,
    /// Of the coarser nodes, for each of its own; of the coarsest level nothing.
    prolong: Shares,
    /// For each thread its edges between two meetings; where one goes through them, of that.
    stages: Vec<Vec<Mutex<Ties>>>,
}

/// What nets are solved by, in substeps of `h` s.
pub struct Solving<'a> {
    pub nodes: &'a Nodes<'a>,
    pub materials: &'a [Material],
    pub h: f64,
    pub instructions: Instructions,
}

impl Nets {
    /// Over a sheet whose finest nodes begin at `finest` and all others at `others`, for so many threads; from `none`
    /// on there is a node for each of these that is none.
    pub fn new(sheet: &Sheet, finest: usize, others: usize, none: usize, threads: usize) -> Self {
        let is_wide = |level: &&Level| threads > 1 && level.net.edges.len() >= WIDE;
        let wide = sheet.levels.iter().take_while(is_wide).count();
        let mut levels: Vec<Net> = Vec::new();
        let mut begin = finest;
        for (depth, level) in sheet.levels.iter().enumerate() {
            let finer = levels.last().map_or(0, |finer| finer.nodes.start);
            let nodes = begin..begin + level.net.len();
            begin = if depth == 0 { others } else { nodes.end };
            let centres = level.centres.iter().map(|centre| finer as u32 + centre);
            let (centres, restrict) = match depth {
                0 => Default::default(),
                _ => (centres.collect(), shares(&level.restrict, finer)),
            };
            let coarser = sheet.levels.get(depth + 1);
            let prolong = coarser.map_or(Shares::default(), |coarser| shares(&coarser.prolong, begin));
            let stages = stages(level, if depth < wide { threads } else { 1 }, nodes.start, none);
            levels.push(Net { nodes, centres, restrict, prolong, stages });
        }
        Self { levels, wide }
    }

    /// The nodes of each level.
    pub fn nodes(&self) -> impl Iterator<Item = Range<usize>> {
        self.levels.iter().map(|net| net.nodes.clone())
    }

    /// Whether all threads go through it together.
    pub fn is_wide(&self) -> bool {
        self.wide > 0
    }

    /// Before a frame: nothing has pulled. `stale`: edges are others now.
    pub fn open(&self, stale: bool) {
        self.ties().for_each(|ties| locked(ties).open(stale));
    }

    /// Leaves in the steps of the finest nodes what these move by, from their places. Ends with a meeting.
    pub fn correct(&self, member: &Member, sheet: &Sheet, solving: &Solving) {
        let Solving { nodes, .. } = solving;
        let nets = || self.levels.iter().zip(&sheet.levels);
        for net in self.levels[..self.wide].iter().skip(1) {
            net.lift(member.share(net.nodes.len()), nodes);
            member.meet();
        }
        if member.index == 0 {
            let finest = self.wide.max(1);
            self.levels[finest..].iter().for_each(|net| net.lift(0..net.nodes.len(), nodes));
            for (net, level) in nets().skip(self.wide).rev() {
                net.lower(0..net.nodes.len(), nodes);
                (0..SWEEPS).for_each(|sweep| net.pull(0, 0, level, sweep, solving));
            }
        }
        member.meet();
        for (net, level) in nets().take(self.wide).rev() {
            net.lower(member.share(net.nodes.len()), nodes);
            member.meet();
            for sweep in 0..SWEEPS {
                for stage in 0..net.stages.len() {
                    let stage = if is_back(sweep) { net.stages.len() - 1 - stage } else { stage };
                    net.pull(stage, member.index, level, sweep, solving);
                    member.meet();
                }
            }
        }
    }

    /// Bytes of them.
    pub fn bytes(&self) -> usize {
        let of = |Net { centres, restrict, prolong, .. }: &Net| {
            size_of::<Net>() + size_of_val(&**centres) + restrict.bytes() + prolong.bytes()
        };
        self.levels.iter().map(of).sum::<usize>() + self.ties().map(|ties| locked(ties).bytes()).sum::<usize>()
    }

    fn ties(&self) -> impl Iterator<Item = &Mutex<Ties>> {
        self.levels.iter().flat_map(|net| net.stages.iter().flatten())
    }
}

fn locked(ties: &Mutex<Ties>) -> MutexGuard<'_, Ties> {
    ties.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Rows in single precision, by indices from `first` on.
fn shares(rows: &Rows, first: usize) -> Shares {
    let entries = rows.entries.iter().map(|&(index, share)| (first as u32 + index, share as f32));
    Rows { offsets: rows.offsets.clone(), entries: entries.collect() }
}

/// The nodes of edges.
struct Ends<'a>(&'a [Edge]);

impl Members for Ends<'_> {
    fn of(&self, place: u32) -> impl Iterator<Item = u32> + Clone {
        self.0[place as usize].ends.into_iter()
    }
}

/// A level's edges for so many threads.
fn stages(Level { net, colours, .. }: &Level, threads: usize, first: usize, none: usize) -> Vec<Vec<Mutex<Ties>>> {
    let slots = net.len() as u32;
    // Nodes along the curve of the plan are near enough to each other: all are one neighbourhood.
    let ordered = Colours { colours, members: Ends(&net.edges), slots, neighbourhood: slots.max(1) };
    let ties = |(thread, runs): (usize, Vec<Vec<u32>>)| {
        Mutex::new(Ties::new(net, &runs, first as u32, (none + thread) as u32))
    };
    let parts = |stage| match stage {
        Stage::Parts(parts) => parts.into_iter().map(|pieces| pieces.into_iter().flatten().collect()).collect(),
        Stage::Run(run) => {
            let each = run.len().div_ceil(threads).next_multiple_of(MOST);
            let mut parts: Vec<_> = run.chunks(each).map(|part| vec![part.to_vec()]).collect();
            parts.resize(threads, Vec::new());
            parts
        }
    };
    ordered.stages(threads).into_iter().map(|stage| parts(stage).into_iter().enumerate().map(ties).collect()).collect()
}

impl Net {
    /// Places of some nodes by those of the finer ones.
    fn lift(&self, some: Range<usize>, Nodes { at, place, .. }: &Nodes) {
        for index in some {
            let node = self.nodes.start + index;
            let centre = at.read(self.centres[index] as usize);
            at.write(node, centre);
            let from_here = |&(finer, share): &(u32, f32)| {
                let finer = finer as usize;
                ((at.read(finer) - centre) + place.read(finer)) * f32x4::splat(share)
            };
            place.write(node, single::sum(self.restrict.row(index), from_here));
        }
    }

    /// Moves some nodes by what the coarser ones do.
    fn lower(&self, some: Range<usize>, Nodes { moved, step, .. }: &Nodes) {
        for index in some {
            let node = self.nodes.start + index;
            let [.., weight] = moved.read(node).to_array();
            let mut by = f32x4::ZERO;
            if weight > 0.0 && !self.prolong.offsets.is_empty() {
                let coarser = |&(coarser, share): &(u32, f32)| step.read(coarser as usize) * f32x4::splat(share);
                by = single::sum(self.prolong.row(index), coarser);
            }
            step.write(node, by);
            moved.write(node, by + f32x4::new([0.0, 0.0, 0.0, weight]));
        }
    }

    /// A sweep over what a thread has of a stage.
    fn pull(&self, stage: usize, thread: usize, level: &Level, sweep: u32, solving: &Solving) {
        let Solving { nodes, materials, h, instructions } = solving;
        // Nobody else has it.
        let mut ties = locked(&self.stages[stage][thread]);
        ties.fit(&level.net, materials, *h);
        ties.pull(nodes, sweep, *instructions);
    }
}

#[cfg(test)]
mod tests {
    use crate::cpu::shared::Shared;
    use crate::cpu::single::double;
    use crate::cpu::team::Team;
    use crate::math::Vec3;
    use crate::pass::levels::cpu::nets::*;
    use crate::pass::levels::reference::{corrections, slack};
    use crate::plan::Plan;
    use crate::scene::{Body, Cloth, Grid, Scene};

    /// Nets hand on what their twin in double precision does, substep after substep; and the same bits by all
    /// instructions and numbers of threads, whether these go through the finest net together or not.
    #[test]
    fn nets_are_their_twin() {
        for columns in [40, 256] {
            let grid = Grid { columns, rows: columns, width: 1.0, height: 1.0 };
            let cloth = Body::cloth(Cloth::new(grid).stretch(1e-6).shear(1e-6)).pin("top-left").pin("top-right");
            let mut model = Scene::new("sheet").with(cloth).build().unwrap().model;
            model.settings.nested = Some(true);
            let sheet = Plan::new(&model).sheets.remove(0);
            let finest = sheet.levels[0].net.len();
            let stretched = |place: &Vec3<f64>| *place * 1.1 + Vec3 { x: place.y * place.y, y: 0.0, z: 0.1 * place.x };
            let places: Vec<Vec3<f64>> = sheet.levels[0].net.positions.iter().map(stretched).collect();
            let mut first: Option<Vec<f32x4>> = None;
            for (instructions, threads) in
                Instructions::available().into_iter().map(|one| (one, 1)).chain([(Instructions::detected(), 3)])
            {
                let nets = Nets::new(&sheet, 0, finest, sheet.node_count(), threads);
                assert_eq!(nets.is_wide(), columns == 256 && threads > 1);
                let [mut at, mut place, mut moved, mut step] =
                    [(); 4].map(|()| vec![f32x4::ZERO; sheet.node_count() + threads]);
                for (node, whole) in places.iter().enumerate() {
                    let lattice = |x: f64| (x * 64.0).round() / 64.0;
                    let on = Vec3 { x: lattice(whole.x), y: lattice(whole.y), z: lattice(whole.z) };
                    (at[node], place[node]) = (single::single(on), single::single(*whole - on));
                }
                let weights = sheet.levels.iter().flat_map(|level| &level.net.inverse_masses);
                for (moved, weight) in moved.iter_mut().zip(weights) {
                    *moved = f32x4::new([0.0, 0.0, 0.0, *weight as f32]);
                }
                let team = Team::new(threads);
                assert_eq!(team.threads(), threads);
                let mut ties = slack(&sheet);
                nets.open(true);
                for h in [0.01, 0.01, 0.02] {
                    // SAFETY: threads share them as in a frame.
                    let [at, place, moved, step] =
                        [&mut at, &mut place, &mut moved, &mut step].map(|list| unsafe { Shared::new(list) });
                    let nodes = &Nodes { at, place, moved, step };
                    let solving = Solving { nodes, materials: &model.materials, h, instructions };
                    team.run(|member| nets.correct(member, &sheet, &solving));
                    let twin = corrections(&sheet.levels, &model.materials, places.clone(), &mut ties, h);
                    let largest = twin.iter().map(|step| step.length()).fold(0.0, f64::max);
                    assert!(largest > 1e-2, "{largest} m");
                    for (node, twin) in twin.iter().enumerate() {
                        let error = (double(step.read(node)) - *twin).length();
                        assert!(error < 2e-6 * largest, "{columns}: node {node} is {error} m off, of {largest}");
                    }
                }
                let bits = step[..finest].to_vec();
                assert!(
                    first.get_or_insert_with(|| bits.clone()) == &bits,
                    "{columns}, {instructions:?}, {threads} threads"
                );
            }
        }
    }
}
