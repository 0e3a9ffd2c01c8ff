//! What workgroups do in a substep for the levels of sheets, as lists of [`Stage`]s for `shaders/nested/solve.wgsl`.
//!
//! The levels of a small sheet are for one workgroup, which meets after each stage: hundreds of sheets take one dispatch. On a large sheet a card would wait for
//! that one (a million particles: some 115,000 edges, four times a substep), so a stage of many items is cut into pieces for a workgroup each, and has a dispatch to itself, a turn.

use std::ops::Range;

use crate::engine::records::Stage;
use crate::plan::levels::{SWEEPS, Sheet};

/// What a [`Stage`] does, as in `shaders/nested/solve.wgsl`.
const RESTRICT: u32 = 0;
const PROLONG: u32 = 1;
const OPEN: u32 = 2;
const SWEEP: u32 = 3;
const CLOSE: u32 = 4;

/// The most items of a stage for which one workgroup goes round and round. An estimate, to be made again on a card: four rounds of some waits for memory each
/// should take about as long as a dispatch.
const FEW: u32 = 1024;
/// Items for each workgroup of a longer one: one for each thread.
const PIECE: u32 = 256;

/// The stages of all sheets.
#[derive(Default)]
pub struct Stages {
    /// First the range of each list's stages, `first` to `count` of an entry of its own; then the stages.
    pub list: Vec<Stage>,
    /// The lists of each turn, all for a workgroup each; turn follows turn.
    pub turns: Vec<Range<u32>>,
}

impl Stages {
    /// `nodes` and `edges`: where those of each level of each sheet begin.
    pub fn new(sheets: &[Sheet], nodes: &[Vec<u32>], edges: &[Vec<u32>]) -> Self {
        let mut turns: Vec<Vec<Vec<Stage>>> = Vec::new();
        for ((sheet, nodes), edges) in sheets.iter().zip(nodes).zip(edges) {
            for (turn, lists) in in_turns(&of_sheet(sheet, nodes, edges)).enumerate() {
                if turn == turns.len() {
                    turns.push(Vec::new());
                }
                turns[turn].extend(lists);
            }
        }
        let mut stages = Self::default();
        let mut end = turns.iter().map(Vec::len).sum::<usize>() as u32;
        for list in turns.iter().flatten() {
            let first = end;
            end += list.len() as u32;
            stages.list.push(Stage { what: 0, first, count: end });
        }
        let mut end = 0;
        for lists in &turns {
            let first = end;
            end += lists.len() as u32;
            stages.turns.push(first..end);
            stages.list.extend(lists.iter().flatten());
        }
        stages
    }

    /// Whether a list of a turn has several stages, after each of which its threads meet.
    pub fn meet(&self, turn: &Range<u32>) -> bool {
        self.list[turn.start as usize..turn.end as usize].iter().any(|range| range.count - range.first > 1)
    }

    /// How many edges the lists of a turn go over, again and again where they do.
    pub fn edges(&self, turn: &Range<u32>) -> u64 {
        let ranges = &self.list[turn.start as usize..turn.end as usize];
        let stages = ranges.iter().flat_map(|range| &self.list[range.first as usize..range.count as usize]);
        stages.filter(|stage| [OPEN, SWEEP, CLOSE].contains(&stage.what)).map(|stage| u64::from(stage.count)).sum()
    }
}

/// What is done for a sheet, one stage after another: its places up to the coarsest level, and from that down what came from above and sweeps.
fn of_sheet(sheet: &Sheet, nodes: &[u32], edges: &[u32]) -> Vec<Stage> {
    let all = |what, depth: usize| Stage { what, first: nodes[depth], count: sheet.levels[depth].net.len() as u32 };
    let mut stages: Vec<Stage> = (1..sheet.levels.len()).map(|depth| all(RESTRICT, depth)).collect();
    for (depth, level) in sheet.levels.iter().enumerate().rev() {
        stages.push(all(PROLONG, depth));
        for sweep in 0..SWEEPS {
            let what = match sweep {
                0 => OPEN,
                _ if sweep + 1 == SWEEPS => CLOSE,
                _ => SWEEP,
            };
            let of_colour = |colour: &Range<u32>| {
                let count = colour.end - colour.start;
                Stage { what, first: edges[depth] + colour.start, count }
            };
            stages.extend(level.colours.iter().map(of_colour));
        }
    }
    stages
}

/// The lists of each turn: one of all stages of few items that follow each other, or as many as a longer one has pieces.
fn in_turns(stages: &[Stage]) -> impl Iterator<Item = Vec<Vec<Stage>>> {
    stages.chunk_by(|a, b| a.count.max(b.count) <= FEW).map(|stages| match stages {
        [long] if long.count > FEW => pieces(*long).map(|piece| vec![piece]).collect(),
        few => vec![few.to_vec()],
    })
}

fn pieces(Stage { what, first, count }: Stage) -> impl Iterator<Item = Stage> {
    let begins = (0..count).step_by(PIECE as usize);
    begins.map(move |begin| Stage { what, first: first + begin, count: PIECE.min(count - begin) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::scene::{Body, Cloth, Grid, Scene};

    /// Two small sheets share a turn; a large one has turns of its own, in which each item of each stage comes once, in order.
    #[test]
    fn long_stages_are_for_many_workgroups() {
        let sheet = |n| {
            let grid = Grid { columns: n, rows: n, width: 1.0, height: 1.0 };
            Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-8)).pin("top-left").pin("top-right")
        };
        let sizes = [24, 24, 400];
        let scene = sizes.into_iter().fold(Scene::new("sheets"), |scene, n| scene.with(sheet(n)));
        let mut model = scene.build().unwrap().model;
        model.settings.nested = Some(true);
        let sheets = Plan::new(&model).sheets;
        assert_eq!(sheets.len(), 3);
        // Numbers that tell whose they are.
        let begin = |of: u32| {
            move |(index, sheet): (usize, &Sheet)| {
                let levels = 0..sheet.levels.len() as u32;
                levels.map(|depth| of + 10_000_000 * index as u32 + 1_000_000 * depth).collect::<Vec<u32>>()
            }
        };
        let nodes: Vec<_> = sheets.iter().enumerate().map(begin(0)).collect();
        let edges: Vec<_> = sheets.iter().enumerate().map(begin(100_000_000)).collect();
        let stages = Stages::new(&sheets, &nodes, &edges);
        assert!(stages.turns.len() > 20, "{} turns", stages.turns.len());
        assert_eq!(stages.turns[0], 0..3);
        let items = |Stage { what, first, count }: Stage| (first..first + count).map(move |item| (what, item));
        let done = stages.turns.iter().flat_map(|turn| {
            let ranges = &stages.list[turn.start as usize..turn.end as usize];
            let lists = ranges.iter().map(|range| &stages.list[range.first as usize..range.count as usize]);
            assert!(turn.len() == 1 || lists.clone().all(|list| turn.start == 0 || list.len() == 1));
            lists.flatten().copied().flat_map(items)
        });
        let done: Vec<(u32, u32)> = done.collect();
        for ((sheet, nodes), edges) in sheets.iter().zip(&nodes).zip(&edges) {
            let wanted: Vec<_> = of_sheet(sheet, nodes, edges).into_iter().flat_map(items).collect();
            let own = |&&(_, item): &&(u32, u32)| {
                let index = nodes[0] / 10_000_000;
                item % 100_000_000 / 10_000_000 == index
            };
            assert!(done.iter().filter(own).eq(&wanted));
        }
        let swept: usize = sheets.iter().map(|sheet| sheet.edge_count() * SWEEPS as usize).sum();
        assert_eq!(stages.turns.iter().map(|turn| stages.edges(turn)).sum::<u64>(), swept as u64);
    }
}
