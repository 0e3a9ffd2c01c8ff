//! `pliant check`: validates a scene and says what it holds and what it wants.

use std::io::Write;

use clap::Args;

use super::clusters::Clusters;
use super::engine::Device;
use super::failure::Failure;
use super::loading::{Given, Loaded, load};
use super::report::{Collider, Levels, binary};
use crate::check::{advice, memory_bytes};
use crate::model::{Body, Model};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    subject: Given,
}

pub fn check(options: &Options) -> Result<(), Failure> {
    let Loaded { model, plan, plan_s, notes, .. } = load(&options.subject, &Device::Cpu, Clusters::Off)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}: valid", options.subject.scene)?;
    let placed = model.placed_particles();
    let waiting: usize = model.emitters.iter().map(|emitter| emitter.particles.len()).sum();
    let fixed = model.particles.inverse_masses[..placed].iter().filter(|&&w| w == 0.0).count() - waiting;
    let poured = if waiting > 0 { format!(" and {waiting} to be poured") } else { String::new() };
    writeln!(out, "particles: {placed}, {fixed} of them fixed{poured}, in {} bodies", model.shown_bodies().len())?;
    if let Some(tearing) = &model.tearing {
        let (edges, facets) = (tearing.edges.len(), tearing.facets.len());
        writeln!(
            out,
            "tears along {edges} edges and {facets} inner faces, with {} spare particles",
            tearing.spares.len()
        )?;
    }
    for body in model.shown_bodies() {
        let counts = format!("{} particles, {} triangles", body.particles.len(), body.triangles.len());
        writeln!(out, "  {}: {counts}, {}", body.name, extent(&model, body))?;
    }
    for group in &plan.groups {
        let rest = group.batches.iter().any(|batch| batch.gather.is_some());
        writeln!(
            out,
            "constraints: {} {} in {} colours{}",
            group.constraint_of.len(),
            group.kind.name(),
            group.colours,
            if rest { " and Jacobi sweeps" } else { "" }
        )?;
    }
    if let Some(levels) = Levels::of(&plan) {
        writeln!(out, "{levels}")?;
    }
    writeln!(out, "colliders: {}", model.colliders.len())?;
    for (index, collider) in model.colliders.iter().enumerate().filter(|(_, one)| !one.shape.samples().is_empty()) {
        writeln!(out, "  collider[{index}], {}", Collider::of(collider))?;
    }
    writeln!(out, "memory: about {} on the device", binary(memory_bytes(&model, &plan)))?;
    writeln!(out, "planned in {plan_s:.2} s")?;
    for note in &notes {
        writeln!(out, "note: {note}")?;
    }
    for note in advice(&model) {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

/// How large a body is, and how heavy what moves of it: wrong units show.
fn extent(model: &Model, body: &Body) -> String {
    let particles = body.particles.start as usize..body.particles.end as usize;
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for place in &model.particles.positions[particles.clone()] {
        (0..3).for_each(|k| (low[k], high[k]) = (low[k].min(place[k]), high[k].max(place[k])));
    }
    let free = model.particles.inverse_masses[particles].iter().filter(|&&w| w > 0.0);
    let mass: f64 = free.map(|w| 1.0 / w).sum();
    let [x, y, z] = [0, 1, 2].map(|k| short((high[k] - low[k]).max(0.0)));
    format!("{x} x {y} x {z} m, {} kg free", short(mass))
}

/// Three digits of a number.
fn short(value: f64) -> String {
    match value {
        0.0 => "0".to_string(),
        0.001..1e5 => {
            let digits = (2 - value.log10().floor() as i32).max(0) as usize;
            let text = format!("{value:.digits$}");
            if digits > 0 { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
        }
        _ => format!("{value:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cli::bench::w1;
    use crate::cli::engine::{self, Device};
    use crate::mesh::{DistanceGrid, TriangleMesh};
    use crate::model::{self, MeshShape, Method, Shape};
    use crate::plan::Plan;
    use crate::scene::{Body, Cloth, Cuboid, Grid, Scene, Soft};
    use crate::solver::gpu::level_bytes;

    fn assert_told(model: &Model, what: &str) {
        let plan = Plan::new(model);
        let engine = engine::open(&Device::Gpu, model, &plan).unwrap();
        let (told, taken) = (memory_bytes(model, &plan), engine.memory_bytes());
        // Parameters of each substep and each dispatch take 256 bytes at least.
        assert!(told.abs_diff(taken) < 64 << 10, "{what}: told {told}, taken {taken}");
    }

    /// What is told without a device is what the solver takes of one, but for a few fixed kilobytes.
    #[test]
    fn memory_is_what_the_solver_takes() {
        for method in [Method::GaussSeidel, Method::Jacobi] {
            let mut model = w1::model(64);
            model.settings.method = method;
            model.colliders.push(model::Collider::plane([0.0; 3], [0.0, 1.0, 0.0]));
            assert_told(&model, &format!("{method:?}"));
        }
        let grid = DistanceGrid { low: [9.0; 3], cell: 0.1, nodes: [64; 3], distances: vec![1.0; 64 * 64 * 64] };
        let shape = Shape::Mesh(Arc::new(MeshShape { surface: TriangleMesh::default(), grid }));
        let mut model = w1::model(64);
        model.colliders = vec![model::Collider::new(shape); 2];
        assert_told(&model, "two colliders of one grid");
    }

    /// So it is for levels over a cloth.
    #[test]
    fn memory_of_levels() {
        let mut model = w1::model(96);
        model.settings.nested = Some(true);
        assert!(level_bytes(&Plan::new(&model)) > 256 << 10);
        assert_told(&model, "levels");
    }

    /// So it is for a cloth and a solid that can be torn.
    #[test]
    fn memory_of_tears() {
        let grid = Grid { columns: 64, rows: 64, width: 1.0, height: 1.0 };
        let scene = Scene::new("tear").with(Body::cloth(Cloth::new(grid).bend(1.0).tears_at(1.0)));
        assert_told(&scene.build().unwrap().model, "tears");
        let cuboid = Cuboid { cells: [20; 3], size: [1.0; 3] };
        let scene = Scene::new("tear").with(Body::soft(Soft::new(cuboid).young_modulus(1e5).tears_at(1e4)));
        assert_told(&scene.build().unwrap().model, "a solid tears");
    }
}
