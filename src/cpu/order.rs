//! The order in which the engine keeps particles. That of the plan lies along a curve in space, where neighbours are near but have no pattern: each
//! particle of a constraint is loaded by itself. Where the model numbers its particles in rows, as grids do, the engine has an order of its own:
//! constraints side by side then have particles side by side, and those of a whole register are loaded at once.
//!
//! It changes no bit of the result, only where things lie.

use crate::model::Model;
use crate::plan::Plan;

/// Colours along a row come again after so many particles: after two those of springs between neighbours, after four those across one.
/// Particles of a row are kept by the rest of their number by it, so that the constraints of a colour go on by one slot each (dimension-lifting
/// transposition: Henretty et al., Data Layout Transformation for Stencil Computations on Short-Vector SIMD Architectures, 2011).
const PERIOD: usize = 4;

/// Rows of fewer particles hardly fill a quarter of a register of sixteen for each rest.
const SHORTEST: usize = 8 * PERIOD;

/// Longer rows are cut, so that what is near in a row stays near in memory.
const LONGEST: usize = 1024;

/// Where particles are kept.
pub struct Order {
    /// The engine's slot of each particle of the model.
    pub slot_of: Vec<u32>,
    /// The model's particle at each slot.
    pub particle_of: Vec<u32>,
    /// Whether constraints side by side are worth looking for.
    pub in_rows: bool,
}

impl Order {
    /// That of the plan.
    pub fn of_plan(plan: &Plan) -> Self {
        Self { slot_of: plan.slot_of.clone(), particle_of: plan.particle_of.clone(), in_rows: false }
    }

    /// Row by row, if most particles are in long rows: if each hangs together with the next one. What may touch anything stays in the plan's order, by
    /// which contacts are found: what lies in a row is far apart.
    pub fn in_rows(model: &Model) -> Option<Self> {
        if model.touching_radii().is_some() || !model.colliders.is_empty() {
            return None;
        }
        let (placed, count) = (model.placed_particles(), model.particles.len());
        let rows = rows(model, placed);
        let in_long_rows: usize = rows.iter().map(|row| row.len()).filter(|&length| length >= SHORTEST).sum();
        if 2 * in_long_rows <= placed {
            return None;
        }
        let by_rest = |row: std::ops::Range<usize>| {
            (row.start..row.end.min(row.start + PERIOD)).flat_map(move |first| (first..row.end).step_by(PERIOD))
        };
        let particle_of: Vec<u32> =
            rows.into_iter().flat_map(by_rest).chain(placed..count).map(|particle| particle as u32).collect();
        let mut slot_of = vec![0; count];
        for (slot, &particle) in (0..).zip(&particle_of) {
            slot_of[particle as usize] = slot;
        }
        Some(Self { slot_of, particle_of, in_rows: true })
    }
}

/// The model's particles cut where two that follow one another have no constraint in common.
fn rows(model: &Model, placed: usize) -> Vec<std::ops::Range<usize>> {
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
    use super::super::{CpuSolver, Instructions};
    use super::*;
    use crate::model::Method;
    use crate::scene::{Body, Cloth, Grid, Scene};

    /// A damped cloth in air, in rows of a length that no register divides.
    fn cloth(columns: u32, rows: u32) -> Model {
        let grid = Grid { columns, rows, width: 1.0, height: 0.3 };
        let cloth = Cloth::new(grid).stretch(1e-7).shear(1e-6).bend(1e-3);
        let flat = [0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
        let body = Body::cloth(cloth).mass(0.2).rotation(flat).pin("top-left").damping(1.0).air(1.0, 0.5);
        Scene::new("rows").with(body).build().unwrap().model
    }

    /// The engine's order has each particle once, neighbours of a colour side by side, and changes no bit of anything that is told.
    #[test]
    fn rows_change_no_bit() {
        let model = cloth(75, 20);
        let plan = Plan::new(&model);
        let order = Order::in_rows(&model).expect("it is in rows");
        assert_eq!(&order.particle_of[..3], [0, 4, 8]);
        assert!((0..).zip(&order.particle_of).all(|(slot, &particle)| order.slot_of[particle as usize] == slot));
        let run = |order, threads, instructions| {
            let mut solver = CpuSolver::ordered(&model, &plan, threads, instructions, order).unwrap();
            (0..3).for_each(|_| solver.step());
            let rows: usize = solver.groups.iter().map(|group| group.blocks.side_by_side()).sum();
            (rows, solver.snapshot())
        };
        let (none, expected) = run(Order::of_plan(&plan), 1, Instructions::Baseline);
        assert_eq!(none, 0);
        for instructions in Instructions::available() {
            for threads in [1, 2, 3] {
                let (rows, snapshot) = run(Order::in_rows(&model).unwrap(), threads, instructions);
                assert!(rows > 1_000, "{rows} constraints side by side with {instructions:?}");
                assert!(snapshot == expected, "{threads} threads, {instructions:?}");
            }
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
                let mut solver = CpuSolver::ordered(&model, &plan, 2, Instructions::detected(), order).unwrap();
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
