//! Who does what in a substep for the levels of sheets, as ranges of nodes and edges for `shaders/levels/whole.wgsl`
//! and `shaders/levels/piece.wgsl`.
//!
//! Levels of few nodes are for one workgroup a sheet, which keeps where these are in its memory and meets after each
//! stage: hundreds of sheets take one dispatch. On a large sheet a card would wait for that one (a million particles:
//! some 115,000 edges, four times a substep), so a level of many nodes is cut into pieces for a workgroup each, and
//! each of its stages has a dispatch to itself, a turn.

use std::ops::Range;

use crate::plan::levels::{Level, SWEEPS, Sheet, sweeps};

/// Threads of a piece.
const PIECE: u32 = 256;

/// What the workgroups of a turn do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// All that there is to do for the levels of few nodes of a sheet.
    Whole,
    /// A piece of that for a level of many; see `shaders/levels/net.wgsl`.
    Piece(&'static str),
}

/// Nodes of the finest level are placed where particles are.
pub const RESTRICT: &str = "RESTRICT";
/// All others, where the finer ones are.
pub const LIFT: &str = "LIFT";
/// What edges read in a substep.
pub const OPEN: &str = "OPEN";
/// Nodes are moved from above.
pub const LOWER: &str = "LOWER";
/// A sweep over edges.
pub const PULL: &str = "PULL";
/// What nodes hand on.
pub const HAND: &str = "HAND";

/// Workgroups of one dispatch.
#[derive(Debug)]
pub struct Turn {
    /// What they do.
    pub job: Job,
    /// Where their ranges begin: one for each workgroup, or three.
    pub first: u32,
    /// How many workgroups there are.
    pub count: u32,
    /// How many nodes or edges each thing is done to.
    pub items: Vec<(&'static str, u64)>,
}

/// Where the nodes and the edges of each level of a sheet begin in the lists of all.
#[derive(Clone, Debug, Default)]
pub struct Firsts {
    /// Finest level first.
    pub nodes: Vec<u32>,
    /// Those of the coarsest level begin first.
    pub edges: Vec<u32>,
}

/// What workgroups there are for the levels of few nodes.
#[derive(Clone, Copy, Debug)]
pub struct Workgroup {
    /// So many nodes its memory holds.
    pub nodes: usize,
    /// How many threads it has.
    pub threads: u32,
    /// How many of them place a node.
    pub lanes: u32,
}

/// The turns of a substep.
#[derive(Default)]
pub struct Stages {
    /// As the kernels read them.
    pub ranges: Vec<[u32; 2]>,
    /// In their order.
    pub turns: Vec<Turn>,
}

/// Ranges of a sheet and of a level, as in `shaders/levels/whole.wgsl`.
const OF_SHEET: usize = 3;
const OF_LEVEL: usize = 2;

impl Stages {
    /// Of all sheets.
    pub fn new(sheets: &[Sheet], firsts: &[Firsts], workgroup: Workgroup) -> Self {
        let nets = |(sheet, firsts)| Nets::new(sheet, firsts, workgroup);
        let all: Vec<Nets> = sheets.iter().zip(firsts).map(nets).collect();
        let deepest = all.iter().map(|nets| nets.large).max().unwrap_or(0);
        let mut stages = Self::default();
        let large = |depth: usize| all.iter().filter(move |nets| depth < nets.large);
        let placed = PIECE / workgroup.lanes;
        stages.in_pieces(RESTRICT, placed, all.iter().map(|nets| nets.nodes(0)));
        (1..deepest).for_each(|depth| stages.in_pieces(LIFT, placed, large(depth).map(|nets| nets.nodes(depth))));
        stages.in_pieces(OPEN, PIECE, all.iter().map(|nets| nets.edges(0..nets.large)));
        stages.whole(&all, workgroup.threads);
        for depth in (0..deepest).rev() {
            stages.in_pieces(LOWER, PIECE, large(depth).map(|nets| nets.nodes(depth)));
            let colours = large(depth).map(|nets| nets.colours(depth).count()).max().unwrap_or(0);
            for colour in sweeps(colours) {
                stages.in_pieces(PULL, PIECE, large(depth).filter_map(|nets| nets.colours(depth).nth(colour)));
            }
            stages.in_pieces(HAND, PIECE, large(depth).map(|nets| nets.nodes(depth)));
        }
        stages
    }

    /// A turn for pieces of these nodes or edges, if there are any, of so many each.
    fn in_pieces(&mut self, what: &'static str, piece: u32, all: impl Iterator<Item = Range<u32>>) {
        let (first, mut items) = (self.ranges.len(), 0);
        for some in all {
            items += some.len() as u64;
            self.ranges.extend(cut(some, piece).map(pair));
        }
        self.turn(Job::Piece(what), first, self.ranges.len() - first, vec![(what, items)]);
    }

    /// The turn in which the levels of few nodes are done: of each sheet three ranges, then of each of its levels two,
    /// and the stages of these.
    fn whole(&mut self, all: &[Nets], threads: u32) {
        let (first, count) = (self.ranges.len(), all.len());
        let mut lists: Vec<[u32; 2]> = Vec::new();
        let mut items = [(LIFT, 0), (OPEN, 0), (LOWER, 0), (PULL, 0), (HAND, 0)];
        for nets in all {
            let small = nets.large..nets.sheet.levels.len();
            let begin = first + OF_SHEET * count + lists.len();
            let end = begin + OF_LEVEL * small.len();
            // What is finest of all is placed by a kernel of its own.
            let placed = usize::from(nets.large == 0);
            let edges = nets.edges(small.clone());
            self.ranges.extend(
                [begin as u32..end as u32, (begin + OF_LEVEL * placed) as u32..end as u32, edges.clone()].map(pair),
            );
            let mut stages: Vec<[u32; 2]> = Vec::new();
            for depth in small.clone() {
                let first = end + stages.len();
                stages.extend(nets.stages(depth, threads).map(pair));
                lists.extend([nets.nodes(depth), first as u32..(end + stages.len()) as u32].map(pair));
            }
            lists.extend(stages);
            let swept = SWEEPS as usize * edges.len();
            let nodes = |depths: Range<usize>| depths.map(|depth| nets.nodes(depth).len()).sum::<usize>();
            let done = [nodes(nets.large + placed..small.end), edges.len(), nodes(small.clone()), swept, nodes(small)];
            items.iter_mut().zip(done).for_each(|((_, sum), done)| *sum += done as u64);
        }
        self.ranges.extend(lists);
        self.turn(Job::Whole, first, count, items.to_vec());
    }

    fn turn(&mut self, job: Job, first: usize, count: usize, items: Vec<(&'static str, u64)>) {
        if count > 0 {
            self.turns.push(Turn { job, first: first as u32, count: count as u32, items });
        }
    }
}

/// The levels of a sheet.
struct Nets<'a> {
    sheet: &'a Sheet,
    firsts: &'a Firsts,
    /// So many of them, the finest, have more nodes than a workgroup's memory holds.
    large: usize,
}

impl<'a> Nets<'a> {
    fn new(sheet: &'a Sheet, firsts: &'a Firsts, workgroup: Workgroup) -> Self {
        let is_large = |level: &&Level| level.net.len() > workgroup.nodes;
        Self { sheet, firsts, large: sheet.levels.iter().take_while(is_large).count() }
    }

    fn nodes(&self, depth: usize) -> Range<u32> {
        let first = self.firsts.nodes[depth];
        first..first + self.sheet.levels[depth].net.len() as u32
    }

    /// Those of some levels, which follow each other.
    fn edges(&self, depths: Range<usize>) -> Range<u32> {
        let counts = self.sheet.levels[depths.clone()].iter().map(|level| level.net.edges.len() as u32);
        let first = depths.last().map_or(0, |depth| self.firsts.edges[depth]);
        first..first + counts.sum::<u32>()
    }

    fn colours(&self, depth: usize) -> impl Iterator<Item = Range<u32>> {
        let first = self.firsts.edges[depth];
        self.sheet.levels[depth].colours.iter().map(move |colour| first + colour.start..first + colour.end)
    }

    /// Edges of a colour, at most one for each of so many threads; two stages at least, since what one leaves is asked
    /// for one ahead.
    fn stages(&self, depth: usize, threads: u32) -> impl Iterator<Item = Range<u32>> {
        let stages: Vec<Range<u32>> = self.colours(depth).flat_map(|colour| cut(colour, threads)).collect();
        let none = 2_usize.saturating_sub(stages.len());
        stages.into_iter().chain(std::iter::repeat_n(0..0, none))
    }
}

/// Pieces of a range of so many items at most.
fn cut(Range { start, end }: Range<u32>, most: u32) -> impl Iterator<Item = Range<u32>> {
    (start..end).step_by(most as usize).map(move |begin| begin..end.min(begin + most))
}

fn pair(range: Range<u32>) -> [u32; 2] {
    [range.start, range.end]
}

#[cfg(test)]
mod tests {
    use crate::pass::levels::gpu::firsts;
    use crate::pass::levels::gpu::stages::*;
    use crate::plan::Plan;
    use crate::scene::{Body, Cloth, Grid, Scene};

    /// What is done, one after the other, as the kernels read it.
    fn done(stages: &Stages) -> Vec<(&'static str, u32)> {
        let range = |index: u32| stages.ranges[index as usize][0]..stages.ranges[index as usize][1];
        let mut done = Vec::new();
        for Turn { job, first, count, .. } in &stages.turns {
            let add = |done: &mut Vec<_>, what, index| done.extend(range(index).map(|item| (what, item)));
            for workgroup in 0..*count {
                let Job::Whole = job else {
                    let Job::Piece(what) = job else { unreachable!() };
                    assert!(range(first + workgroup).len() <= PIECE as usize);
                    add(&mut done, *what, first + workgroup);
                    continue;
                };
                let of_sheet = first + OF_SHEET as u32 * workgroup;
                range(of_sheet + 1).step_by(OF_LEVEL).for_each(|level| add(&mut done, LIFT, level));
                add(&mut done, OPEN, of_sheet + 2);
                for level in range(of_sheet).step_by(OF_LEVEL).collect::<Vec<u32>>().into_iter().rev() {
                    add(&mut done, LOWER, level);
                    let stages = || range(level + 1);
                    assert!(stages().len() > 1 && stages().all(|stage| range(stage).len() <= 64));
                    let all: Vec<u32> = stages().collect();
                    sweeps(all.len()).for_each(|stage| add(&mut done, PULL, all[stage]));
                    add(&mut done, HAND, level);
                }
            }
        }
        done
    }

    /// Whether levels are for one workgroup or in pieces, each thing is done to each node and edge of each sheet once
    /// (sweeps go over edges by colours, there and back), after everything that it reads.
    #[test]
    fn each_thing_is_done_once_and_in_order() {
        let sheet = |n| {
            let grid = Grid { columns: n, rows: n, width: 1.0, height: 1.0 };
            Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-8)).pin("top-left").pin("top-right")
        };
        let scene = [24, 24, 150].into_iter().fold(Scene::new("sheets"), |scene, n| scene.with(sheet(n)));
        let mut model = scene.build().unwrap().model;
        model.settings.nested = Some(true);
        let sheets = Plan::new(&model).sheets;
        assert_eq!(sheets.len(), 3);
        let firsts = firsts(&sheets);
        for (nodes, large) in [(2000, 0), (300, 1), (50, 2)] {
            let workgroup = Workgroup { nodes, threads: 64, lanes: 8 };
            let stages = Stages::new(&sheets, &firsts, workgroup);
            let jobs = stages.turns.iter().filter(|turn| turn.job == Job::Whole);
            assert_eq!(jobs.map(|turn| turn.count).collect::<Vec<_>>(), [3]);
            assert_eq!(stages.turns.iter().any(|turn| turn.job == Job::Piece(PULL)), large > 0, "{nodes}");
            let done = done(&stages);
            let mut all = 0;
            for (sheet, firsts) in sheets.iter().zip(&firsts) {
                let nets = Nets::new(sheet, firsts, workgroup);
                let mut handed = 0;
                for depth in (0..sheet.levels.len()).rev() {
                    let (nodes, edges) = (nets.nodes(depth), nets.edges(depth..depth + 1));
                    let at = |what: &str, items: &Range<u32>| {
                        let is_one =
                            |&(_, &(done, item)): &(usize, &(&str, u32))| done == what && items.contains(&item);
                        done.iter().enumerate().filter(is_one).map(|(at, &(_, item))| (at, item)).collect::<Vec<_>>()
                    };
                    let placed = at(if depth == 0 { RESTRICT } else { LIFT }, &nodes);
                    let [lowered, shared] = [LOWER, HAND].map(|what| at(what, &nodes));
                    let [opened, pulled] = [OPEN, PULL].map(|what| at(what, &edges));
                    for some in [&placed, &lowered, &shared] {
                        assert!(some.iter().map(|&(_, item)| item).eq(nodes.clone()), "{depth}");
                    }
                    assert!(opened.iter().map(|&(_, item)| item).eq(edges.clone()));
                    let colours: Vec<Range<u32>> = nets.colours(depth).collect();
                    let colour_of = |edge: u32| colours.iter().position(|colour| colour.contains(&edge)).unwrap();
                    let visited = pulled.iter().map(|&(_, edge)| colour_of(edge));
                    let visits = |colour: usize| std::iter::repeat_n(colour, colours[colour].len());
                    assert!(visited.eq(sweeps(colours.len()).flat_map(visits)), "{depth}");
                    for edge in edges.clone() {
                        assert_eq!(pulled.iter().filter(|&&(_, pulled)| pulled == edge).count(), SWEEPS as usize);
                    }
                    let last = |some: &[(usize, u32)]| some.last().unwrap().0;
                    assert!(last(&placed) < opened[0].0 && last(&opened) < pulled[0].0);
                    assert!(handed <= lowered[0].0 && last(&lowered) < pulled[0].0 && last(&pulled) < shared[0].0);
                    handed = last(&shared);
                    all += placed.len() + lowered.len() + shared.len() + opened.len() + pulled.len();
                }
            }
            assert_eq!(done.len(), all);
            let items = stages.turns.iter().flat_map(|turn| &turn.items).map(|(_, count)| count).sum::<u64>();
            assert_eq!(items, all as u64);
        }
    }
}
