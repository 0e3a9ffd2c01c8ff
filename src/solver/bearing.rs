//! Levels over what can break ([`crate::reference`], `bearing.rs`): what constraints bear, and what must not be held
//! together: `shaders/nested/open.wgsl` before a frame and `shaders/nested/bear.wgsl` after it, a workgroup for each
//! sheet.

use std::sync::Arc;

use super::SolverError;
use super::buffers::{BufferRange, Buffers, upload};
use super::constraint_kernel::evaluation_pieces;
use super::constraints::Constraints;
use super::kernel::{Kernel, Piece};
use super::pipelines::Pipelines;
use super::recorder::{Dispatches, Recorder, Work};
use crate::constraint::{Constraint, Distance, Kind};
use crate::engine::records::{Cord, Knot};
use crate::measure::cords::Cords;
use crate::measure::smoother::Smoother;
use crate::model::Model;
use crate::plan::levels::Sheet;
use crate::plan::{Plan, PlannedGroup};
use crate::reference::BEARING_ITERATIONS;
use crate::shader_piece;

/// The two kernels, in the order in which a frame runs them, of distances as a kind; `tears`: whether particles can
/// split.
pub fn kernels(kind: &dyn Kind, tears: bool) -> [Kernel; 2] {
    let kernel = |label: &str, own: &[Piece]| {
        let mut pieces = vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl")];
        pieces.extend([shader_piece!("lib/broken.wgsl"), shader_piece!("nested/cord.wgsl")]);
        pieces.extend_from_slice(own);
        Kernel::new(label, pieces)
    };
    let mut open = match tears {
        true => evaluation_pieces(kind).into_iter().chain([shader_piece!("nested/away.wgsl")]).collect(),
        false => vec![shader_piece!("nested/never_away.wgsl")],
    };
    open.extend([shader_piece!("nested/node.wgsl"), shader_piece!("nested/open.wgsl")]);
    [
        kernel(if tears { "nested open torn" } else { "nested open" }, &open),
        kernel("nested bear", &[shader_piece!("nested/smooth.wgsl"), shader_piece!("nested/bear.wgsl")]),
    ]
}

/// The sheets that can break as the kernels read them.
#[derive(Default)]
struct Lists {
    cords: Vec<Cord>,
    knots: Vec<Knot>,
    /// Where each knot's two rows begin in `words`.
    offsets: Vec<u32>,
    words: Vec<u32>,
    /// Of each sheet its cords, its particles, and the nodes of each level.
    ranges: Vec<Vec<[u32; 2]>>,
}

impl Lists {
    /// `node_of`: of each sheet and level where the nodes begin in the list of all.
    fn new(model: &Model, plan: &Plan, group: usize, node_of: &[Vec<u32>]) -> Self {
        let mut place_of = vec![0; plan.groups[group].len()];
        for (place, &constraint) in (0..).zip(&plan.groups[group].constraint_of) {
            place_of[constraint as usize] = place;
        }
        let mut lists = Self::default();
        for (sheet, firsts) in plan.sheets.iter().zip(node_of).filter(|(sheet, _)| sheet.can_break()) {
            let cords = Cords::of(model, group, sheet.particles.clone(), &sheet.bearing);
            lists.add(sheet, &cords, &place_of, &plan.slot_of, firsts);
        }
        lists
    }

    fn add(&mut self, sheet: &Sheet, cords: &Cords, place_of: &[u32], slot_of: &[u32], node_of: &[u32]) {
        let Smoother { firsts, softness, below, above } = Smoother::new(cords, &sheet.levels);
        let (first_cord, first) = (self.cords.len() as u32, self.knots.len() as u32);
        self.cords.extend(cords.cords.iter().map(|cord| Cord {
            root: cord.root as f32,
            ends: cord.ends.map(|end| first + end),
            place: place_of[cord.constraint as usize],
            ..Cord::default()
        }));
        for (depth, knots) in firsts.windows(2).enumerate() {
            for (node, knot) in (knots[0]..knots[1]).enumerate() {
                self.offsets.push(self.words.len() as u32);
                match depth {
                    0 => self.words.extend(cords.at.row(node).iter().map(|entry| 2 * first_cord + entry)),
                    _ => push(&mut self.words, below.row(knot), first),
                }
                self.offsets.push(self.words.len() as u32);
                push(&mut self.words, above.row(knot), first);
                let (index, inverse_mass) = match depth {
                    0 => (slot_of[sheet.particles.start as usize + node], 0.0),
                    _ => (node_of[depth - 1] + node as u32, sheet.levels[depth - 1].net.inverse_masses[node]),
                };
                let (softness, inverse_mass) = (softness[knot] as f32, inverse_mass as f32);
                self.knots.push(Knot { softness, inverse_mass, index, ..Knot::default() });
            }
        }
        let of_knots = firsts.windows(2).map(|ends| [0, 1].map(|end| first + ends[end] as u32));
        self.ranges.push(std::iter::once([first_cord, self.cords.len() as u32]).chain(of_knots).collect());
    }

    fn rows(&self) -> Vec<u32> {
        let begin = self.offsets.len() as u32 + 1;
        let ends = self.offsets.iter().copied().chain([self.words.len() as u32]);
        ends.map(|offset| begin + offset).chain(self.words.iter().copied()).collect()
    }

    fn ranges(&self) -> Vec<[u32; 2]> {
        let mut begin = self.ranges.len() as u32;
        let mut list = Vec::new();
        for ranges in &self.ranges {
            list.push([begin, begin + ranges.len() as u32]);
            begin += ranges.len() as u32;
        }
        list.extend(self.ranges.iter().flatten());
        list
    }
}

fn push(words: &mut Vec<u32>, row: &[(u32, f32)], first: u32) {
    words.extend(row.iter().flat_map(|&(index, share)| [first + index, share.to_bits()]));
}

/// Bytes of the lists that what can break takes beside the levels: its cords, its knots and their rows.
pub fn list_bytes(sheets: &[Sheet]) -> [u64; 3] {
    let of = |sheet: &Sheet| {
        let knots = sheet.particles.len() + sheet.node_count();
        let shares: usize = sheet.levels.iter().map(|level| level.prolong.entries.len()).sum();
        let rows = 2 * knots + 1 + 2 * sheet.bearing.len() + 4 * shares;
        [sheet.bearing.len() * size_of::<Cord>(), knots * size_of::<Knot>(), rows * 4]
    };
    let add = |sum: [u64; 3], bytes: [usize; 3]| std::array::from_fn(|i| sum[i] + bytes[i] as u64);
    sheets.iter().filter(|sheet| sheet.can_break()).map(of).fold([0; 3], add)
}

/// The group of distances, in which the multipliers of what can break are.
pub fn group_of(groups: &[PlannedGroup]) -> Option<usize> {
    groups.iter().position(|group| group.kind.name() == Distance::NAME)
}

/// What the sheets that can break ask of each frame.
pub struct Bearing {
    open: Work,
    bear: Work,
    pub memory: u64,
}

impl Bearing {
    /// `None` where no sheet can break. `nodes` are those of all levels, `node_of` as in [`Lists::new`].
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        (model, plan): (&Model, &Plan),
        constraints: &[Constraints],
        (nodes, node_of): (&wgpu::Buffer, &[Vec<u32>]),
        level_forces: &wgpu::Buffer,
    ) -> Result<Option<Self>, SolverError> {
        let group = group_of(&plan.groups).filter(|_| plan.sheets.iter().any(Sheet::can_break));
        let Some(group) = group else { return Ok(None) };
        let device = pipelines.device.clone();
        let lists = Lists::new(model, plan, group, node_of);
        let own = [
            ("cord_rows", upload(&device, "cord_rows", &lists.rows())),
            ("cord_ranges", upload(&device, "cord_ranges", &lists.ranges())),
            ("cords", upload(&device, "cords", &lists.cords)),
            ("knots", upload(&device, "knots", &lists.knots)),
        ];
        let sheets = lists.ranges.len() as u32;
        let memory: u64 = own.iter().map(|(_, buffer)| buffer.size()).sum();
        let mut dispatches = Dispatches::default();
        let each = memory / u64::from(sheets);
        let open = dispatches.workgroups(0..sheets, each);
        // An iteration goes through all lists about twice.
        let bear = dispatches.workgroups(0..sheets, 2 * (BEARING_ITERATIONS as u64 + 1) * each);
        let batches = dispatches.upload(&device);
        let mut all = vec![("batch", BufferRange::slot(&batches)), ("nodes", BufferRange::all(nodes))];
        all.push(("level_forces", BufferRange::all(level_forces)));
        all.push(("multipliers", constraints[group].multipliers.range()));
        all.push(("records", constraints[group].records.range()));
        all.extend(own.iter().map(|(name, buffer)| (*name, BufferRange::all(buffer))));
        let work = |kernel, dispatch| -> Result<Work, SolverError> {
            let pipeline = pipelines.get(kernel, &[])?;
            let bind_group = Arc::new(pipeline.bind(&device, shared, &all)?);
            Ok(Work { pipeline, bind_group, dispatch })
        };
        let [first, last] = kernels(constraints[group].kind, model.tearing.is_some());
        Ok(Some(Self { open: work(first, open)?, bear: work(last, bear)?, memory }))
    }

    /// Before a frame.
    pub fn open(&self, recorder: &mut Recorder) {
        recorder.run(&self.open);
    }

    /// After its last substep.
    pub fn close(&self, recorder: &mut Recorder) {
        recorder.run(&self.bear);
    }
}
