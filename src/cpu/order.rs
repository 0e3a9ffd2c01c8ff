//! The order in which the engine keeps particles. That of the plan lies along a curve in space, where neighbours are
//! near but have no pattern: each particle of a constraint is loaded by itself. Where the model numbers its particles
//! in rows, as grids do, the engine has an order of its own: constraints side by side then have particles side by side,
//! and those of a whole register are loaded at once.
//!
//! It changes no bit of the result, only where things lie.

use std::ops::Range;

use crate::model::Model;
use crate::plan::Plan;

/// Colours along a row come again after so many particles: after two those of springs between neighbours, after four
/// those across one. Particles of a row are kept by the rest of their number by it, so that the constraints of a colour
/// go on by one slot each (dimension-lifting transposition: Henretty et al., Data Layout Transformation for Stencil
/// Computations on Short-Vector SIMD Architectures, 2011).
const PERIOD: usize = 4;

/// Rows of fewer particles hardly fill a quarter of a register of sixteen for each rest.
const SHORTEST: usize = 8 * PERIOD;

/// Longer rows are cut, so that what is near in a row stays near in memory.
const LONGEST: usize = 1024;

/// Particles of a piece, or more where rows are longer: few enough for the caches of a core, with what is read and
/// written of them and their contacts.
const PIECE: usize = 256;

/// Columns and rows that are gone through under levels, one such block after another: 4,096 particles, as
/// [`crate::pass::levels::cpu::cover`] takes at once.
const BLOCK: [usize; 2] = [256, 16];

/// Where particles are kept.
pub struct Order {
    /// The engine's slot of each particle of the model.
    pub slot_of: Vec<u32>,
    /// The model's particle at each slot.
    pub particle_of: Vec<u32>,
    /// Whether constraints side by side are worth looking for.
    pub in_rows: bool,
    /// The slots cut so that in rows those of a piece hold the model's particles of the same numbers: what goes by
    /// single particles may take them in either order, and does one thing after another to a piece.
    pub pieces: Vec<Range<usize>>,
    /// The model's particles of each row; none in the plan's order.
    rows: Vec<Range<usize>>,
}

impl Order {
    /// That of the plan.
    pub fn of_plan(plan: &Plan) -> Self {
        let (slot_of, particle_of) = (plan.slot_of.clone(), plan.particle_of.clone());
        Self { pieces: pieces(0..=slot_of.len()), slot_of, particle_of, in_rows: false, rows: Vec::new() }
    }

    /// Row by row, if most particles are in long rows: if each hangs together with the next one. What may touch others
    /// stays in the plan's order, by which pairs are found: what lies in a row is far apart.
    pub fn in_rows(model: &Model) -> Option<Self> {
        if model.touching_radii().is_some() {
            return None;
        }
        let (placed, count) = (model.placed_particles(), model.particles.len());
        let rows = rows(model, placed);
        let in_long_rows: usize = rows.iter().map(|row| row.len()).filter(|&length| length >= SHORTEST).sum();
        if 2 * in_long_rows <= placed {
            return None;
        }
        let pieces = pieces(rows.iter().map(|row| row.end).chain(placed..=count));
        let by_rest = |row: Range<usize>| {
            (row.start..row.end.min(row.start + PERIOD)).flat_map(move |first| (first..row.end).step_by(PERIOD))
        };
        let particle_of: Vec<u32> =
            rows.iter().cloned().flat_map(by_rest).chain(placed..count).map(|particle| particle as u32).collect();
        let mut slot_of = vec![0; count];
        for (slot, &particle) in (0..).zip(&particle_of) {
            slot_of[particle as usize] = slot;
        }
        Some(Self { slot_of, particle_of, in_rows: true, pieces, rows })
    }

    /// Where each of the model's particles is in an order of tiles of 8 particles in each of two rows, which share most
    /// of their nodes, within blocks of rows that have few nodes together.
    pub fn in_tiles(&self) -> Vec<u32> {
        let of_row = |(index, row): (usize, &Range<usize>)| {
            let start = row.start;
            row.clone().map(move |particle| {
                let column = particle - start;
                ((index / BLOCK[1], column / BLOCK[0], index / 2, column / 8, index), particle)
            })
        };
        let mut order: Vec<_> = self.rows.iter().enumerate().flat_map(of_row).collect();
        order.sort_unstable();
        let mut places: Vec<u32> = (0..self.slot_of.len() as u32).collect();
        (0..).zip(order).for_each(|(place, (_, particle))| places[particle] = place);
        places
    }
}

/// All up to the last end, cut at some of the ends, which ascend.
fn pieces(ends: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut last) = (Vec::new(), 0, 0);
    for end in ends {
        if end - start >= PIECE {
            pieces.push(start..end);
            start = end;
        }
        last = end;
    }
    if start < last {
        pieces.push(start..last);
    }
    pieces
}

/// The model's particles cut where two that follow one another have no constraint in common.
fn rows(model: &Model, placed: usize) -> Vec<Range<usize>> {
    let mut linked = vec![false; placed];
    for group in model.groups.iter().filter(|group| group.kind.arity().count().is_some()) {
        for members in (0..group.len()).map(|constraint| group.particles_of(constraint)) {
            for (i, &a) in members.iter().enumerate() {
                for &b in members[..i].iter().filter(|&&b| a.abs_diff(b) == 1) {
                    if let Some(linked) = linked.get_mut(a.min(b) as usize) {
                        *linked = true;
                    }
                }
            }
        }
    }
    let mut rows = Vec::new();
    let mut start = 0;
    for (end, linked) in (1..).zip(linked) {
        if !linked || end - start == LONGEST || end == placed {
            rows.push(start..end);
            start = end;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::Instructions;
    use super::*;
    use crate::model::{Collider, Integrator, Method};
    use crate::scene::{Body, Cloth, Grid, Scene};
    use crate::solver::cpu::CpuSolver;

    /// A damped cloth in air, in rows of a length that no register divides.
    fn cloth(columns: u32, rows: u32) -> Model {
        let grid = Grid { columns, rows, width: 1.0, height: 0.3 };
        let cloth = Cloth::new(grid).stretch(1e-7).shear(1e-6).bend(1e-3);
        let flat = [0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
        let body = Body::cloth(cloth).mass(0.2).rotation(flat).pin("top-left").damping(1.0).air(1.0, 0.5);
        Scene::new("rows").with(body).build().unwrap().model
    }

    /// Frames of a model in rows, by all registers and some threads, have the bits of the plan's order with the
    /// plainest, contacts included. Returns how many of these there are.
    fn assert_same_bits(model: &Model, frames: u32) -> usize {
        let plan = Plan::new(model);
        let run = |order, threads, instructions| {
            let mut solver = CpuSolver::ordered(
                model,
                &plan,
                threads,
                instructions,
                order,
                &crate::solver::cpu::uses(model),
                crate::solver::PASSES,
            )
            .unwrap();
            (0..frames).for_each(|_| solver.step());
            let rows: usize = solver.groups.iter().map(|group| group.blocks.side_by_side()).sum();
            (rows, solver.snapshot(), solver.contacts())
        };
        let (none, expected, pressing) = run(Order::of_plan(&plan), 1, Instructions::Baseline);
        assert_eq!(none, 0);
        for instructions in Instructions::available() {
            for threads in [1, 2, 3] {
                let (rows, snapshot, contacts) = run(Order::in_rows(model).unwrap(), threads, instructions);
                assert!(rows > 1_000, "{rows} constraints side by side with {instructions:?}");
                assert!(snapshot == expected, "{threads} threads, {instructions:?}");
                assert!(contacts == pressing, "contacts by {threads} threads, {instructions:?}");
            }
        }
        pressing.len()
    }

    /// The engine's order has each particle once, neighbours of a colour side by side, and changes no bit of anything
    /// that is told.
    #[test]
    fn rows_change_no_bit() {
        let model = cloth(75, 20);
        let order = Order::in_rows(&model).expect("it is in rows");
        assert_eq!(&order.particle_of[..3], [0, 4, 8]);
        assert!((0..).zip(&order.particle_of).all(|(slot, &particle)| order.slot_of[particle as usize] == slot));
        let tiles = order.in_tiles();
        let mut first: Vec<usize> = (0..1_500).collect();
        first.sort_by_key(|&particle| tiles[particle]);
        assert_eq!(first[..18], [0, 1, 2, 3, 4, 5, 6, 7, 75, 76, 77, 78, 79, 80, 81, 82, 8, 9]);
        let ends: Vec<usize> = order.pieces.iter().map(|piece| piece.end).collect();
        assert_eq!(ends, [300, 600, 900, 1_200, 1_500], "four rows each");
        let inside =
            |piece: &Range<usize>| order.particle_of[piece.clone()].iter().all(|&i| piece.contains(&(i as usize)));
        assert!(order.pieces.iter().all(inside));
        assert_eq!(assert_same_bits(&model, 3), 0);
    }

    /// Nor where cloth lies on something: damped in air, or with nothing but its own contacts to each particle, by
    /// Euler and BDF2.
    #[test]
    fn rows_on_a_ball_change_no_bit() {
        let euler = Integrator::Euler;
        for (in_air, integrator, iterations) in
            [(true, euler, 1), (false, euler, 1), (false, euler, 2), (false, Integrator::Bdf2, 1)]
        {
            let mut model = cloth(75, 20);
            (model.settings.integrator, model.settings.iterations) = (integrator, iterations);
            if !in_air {
                (model.bodies[0].damping, model.bodies[0].drag, model.bodies[0].lift) = (0.0, 0.0, 0.0);
            }
            let ball = Collider::sphere([0.0, -0.12, 0.0], 0.1);
            let ground = Collider::plane([0.0, -0.06, 0.0], [0.0, 1.0, 0.0]);
            model.colliders = vec![Collider { friction: 0.3, ..ball }, Collider { restitution: 0.5, ..ground }];
            let pressing = assert_same_bits(&model, 10);
            assert!(pressing > 30, "{pressing} contacts: the test shows nothing");
        }
    }

    /// Corrections of a Jacobi sweep go where they should: of all constraints, and of those that found no colour.
    #[test]
    fn jacobi_sweeps_in_rows_change_no_bit() {
        for (method, max_colours) in [(Method::Jacobi, 64), (Method::GaussSeidel, 8)] {
            let mut model = cloth(75, 20);
            (model.settings.method, model.settings.max_colours) = (method, max_colours);
            model.settings.iterations = 3;
            let plan = Plan::new(&model);
            assert!(plan.groups[0].batches.iter().any(|batch| batch.gather.is_some()));
            let run = |order| {
                let mut solver = CpuSolver::ordered(
                    &model,
                    &plan,
                    2,
                    Instructions::detected(),
                    order,
                    &crate::solver::cpu::uses(&model),
                    crate::solver::PASSES,
                )
                .unwrap();
                (0..3).for_each(|_| solver.step());
                solver.snapshot()
            };
            let in_rows = run(Order::in_rows(&model).unwrap());
            assert!(in_rows == run(Order::of_plan(&plan)), "{method:?}");
        }
    }

    /// What is not in rows stays in the plan's order.
    #[test]
    fn short_rows_are_left_alone() {
        assert!(Order::in_rows(&cloth(20, 40)).is_none());
    }
}
