//! The report of a run: one JSON object, whose keys are part of the command line's contract. No number in it is NaN or
//! infinite; where a simulation blew up, such a number is `null`.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::engine::Adapter;
use crate::base::hash::Fnv;
use crate::base::input;
use crate::export::growing::Content;
use crate::measure::{Filling, Measurement};
use crate::model::{Integrator, Method, Mode, Model, Shape, State};
use crate::plan::Plan;
use crate::plan::levels::Sheet;
use crate::solver::gpu::level_bytes;

/// The JSON object has the keys of the header, `frames`, and the keys of the outcome.
pub struct Report {
    pub header: Header,
    pub frames: Frames,
    pub outcome: Outcome,
}

/// What is known before the first frame.
#[derive(Serialize)]
pub struct Header {
    pub scene: String,
    pub adapter: String,
    pub driver: String,
    pub backend: String,
    pub version: &'static str,
    pub particles: usize,
    /// By kind.
    pub constraints: BTreeMap<&'static str, usize>,
    pub colours: BTreeMap<&'static str, u32>,
    pub substeps: u32,
    pub iterations: u32,
    pub sweep: &'static str,
    pub method: &'static str,
    pub mode: &'static str,
    pub integrator: &'static str,
    /// What pictures and exports are relative to; left out where that is the scene's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin_m: Option<[f64; 3]>,
    pub bodies: Vec<Body>,
    pub colliders: Vec<Collider>,
    /// Left out where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
    /// Time that planning took.
    pub plan_s: f64,
}

/// What is known at the end.
#[derive(Default, Serialize)]
pub struct Outcome {
    pub timing: Timing,
    /// Of the last good frame.
    pub state_hash: String,
    /// The frame from which a checkpoint was taken up: `frames` begins with the one after it, but where the file held
    /// those before, which it keeps.
    pub resumed_from: Option<u64>,
    /// Ended by Ctrl-C, or by SIGTERM.
    pub interrupted: bool,
    /// Why the simulation failed.
    pub failure: Option<String>,
}

/// The frames of a run.
#[derive(Default)]
pub struct Frames {
    /// Frames before the checkpoint, byte for byte as the earlier report has them.
    earlier: Vec<Box<RawValue>>,
    pub own: Vec<Frame>,
}

#[derive(Serialize)]
pub struct Body {
    pub name: String,
    pub first: u32,
    pub count: u32,
}

/// A collider.
#[derive(Serialize)]
pub struct Collider {
    pub shape: &'static str,
    /// Nodes along its axes of what goes by samples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u32>,
    /// Of the samples on the device, which colliders of the same mesh share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Width of a grid's cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell_m: Option<f64>,
    /// How far the surface that particles meet is from the mesh at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_m: Option<f64>,
}

impl Collider {
    pub fn of(collider: &crate::model::Collider) -> Self {
        let plain = Self { shape: collider.shape.name(), nodes: Vec::new(), bytes: None, cell_m: None, error_m: None };
        match &collider.shape {
            Shape::Mesh(mesh) => Self {
                nodes: mesh.grid.nodes.to_vec(),
                bytes: Some(mesh.grid.bytes()),
                cell_m: Some(mesh.grid.cell),
                error_m: Some(mesh.grid.error(&mesh.surface)),
                ..plain
            },
            Shape::Heights(field) => Self { nodes: field.nodes.to_vec(), bytes: Some(field.bytes()), ..plain },
            _ => plain,
        }
    }
}

impl fmt::Display for Collider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape)?;
        let nodes: Vec<String> = self.nodes.iter().map(u32::to_string).collect();
        if let Some(bytes) = self.bytes {
            write!(f, ": {} nodes, {}", nodes.join(" x "), binary(bytes))?;
        }
        if let (Some(cell), Some(error)) = (self.cell_m, self.error_m) {
            write!(f, ", cells of {cell:.2e} m, within {error:.1e} m of the mesh")?;
        }
        Ok(())
    }
}

/// What the levels over sheets take.
#[derive(Serialize)]
pub struct Levels {
    pub sheets: usize,
    pub nodes: usize,
    pub edges: usize,
    /// On the device.
    pub bytes: u64,
}

impl Levels {
    pub fn of(plan: &Plan) -> Option<Self> {
        let nodes = plan.sheets.iter().map(Sheet::node_count).sum();
        let edges = plan.sheets.iter().map(Sheet::edge_count).sum();
        let levels = Self { sheets: plan.sheets.len(), nodes, edges, bytes: level_bytes(plan) };
        (levels.sheets > 0).then_some(levels)
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sheets, nodes, edges, bytes } = self;
        let plural = if *sheets == 1 { "" } else { "s" };
        write!(f, "levels: over {sheets} sheet{plural}, {nodes} nodes and {edges} edges in {}", binary(*bytes))
    }
}

/// A number of bytes as people read it.
pub fn binary(bytes: u64) -> String {
    match bytes.div_ceil(1 << 10) {
        kibibytes @ 0..1024 => format!("{kibibytes} KiB"),
        kibibytes => format!("{:.1} MiB", kibibytes as f64 / 1024.0),
    }
}

#[derive(Serialize)]
pub struct Frame {
    pub frame: u64,
    pub time_s: f64,
    pub step_ms: f64,
    pub min: [f64; 3],
    pub max: [f64; 3],
    pub centroid: [f64; 3],
    pub momentum: [f64; 3],
    pub angular_momentum: [f64; 3],
    pub kinetic_energy_j: f64,
    pub gravity_energy_j: f64,
    pub elastic_energy_j: f64,
    pub max_speed: f64,
    pub max_stretch: f64,
    /// Of elements; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_strain: Option<f64>,
    /// Von Mises', of elements; left out where none tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_stress_pa: Option<f64>,
    /// By fluid; left out where there is none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub density_error_mean: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub density_error_max: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub volume_m3: BTreeMap<String, f64>,
    /// By body; left out where there is no closed surface.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pressure_pa: BTreeMap<String, f64>,
    pub residual: BTreeMap<&'static str, f64>,
    pub contacts: u64,
    /// Pairs of features of surfaces that are nearer than the sum of their radii; left out where no surfaces touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface_pairs: Option<u64>,
    /// The least distance of such a pair; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_distance_m: Option<f64>,
    pub flags: Vec<&'static str>,
}

impl Frame {
    pub fn new(
        model: &Model,
        state: &State,
        (measured, proximity): (Measurement, Option<(u64, Option<f64>)>),
        step_ms: f64,
        flags: Vec<&'static str>,
    ) -> Self {
        let of_fluids = |value: fn(&Filling) -> f64| {
            let named = measured.fillings.iter().map(|one| (model.bodies[one.body].name.clone(), value(one)));
            named.collect::<BTreeMap<_, _>>()
        };
        Self {
            density_error_mean: of_fluids(|one| one.density_error_mean),
            density_error_max: of_fluids(|one| one.density_error_max),
            volume_m3: of_fluids(|one| one.volume),
            frame: state.frame,
            time_s: state.seconds,
            step_ms,
            min: placed(model, measured.min),
            max: placed(model, measured.max),
            centroid: placed(model, measured.centroid),
            momentum: measured.momentum,
            angular_momentum: measured.angular_momentum,
            kinetic_energy_j: measured.kinetic_energy_j,
            gravity_energy_j: measured.gravity_energy_j,
            elastic_energy_j: measured.elastic_energy_j,
            max_speed: measured.max_speed,
            max_stretch: measured.max_stretch,
            max_strain: measured.max_strain,
            max_stress_pa: measured.max_stress,
            pressure_pa: measured.pressures.into_iter().map(|(body, p)| (model.bodies[body].name.clone(), p)).collect(),
            residual: measured.residual.into_iter().collect(),
            contacts: state.contacts,
            surface_pairs: proximity.map(|(pairs, _)| pairs),
            least_distance_m: proximity.and_then(|(_, least)| least),
            flags,
        }
    }
}

#[derive(Clone, Copy, Default, Serialize)]
pub struct Timing {
    pub step_ms_median: f64,
    pub wall_s: f64,
}

/// What is known before the first frame.
pub fn begin(scene: &str, model: &Model, plan: &Plan, plan_s: f64, adapter: Adapter) -> Report {
    let header = Header {
        scene: scene.to_string(),
        adapter: adapter.name,
        driver: adapter.driver,
        backend: adapter.backend,
        version: env!("CARGO_PKG_VERSION"),
        particles: model.placed_particles(),
        constraints: model.groups.iter().map(|group| (group.kind.name(), group.len())).collect(),
        colours: plan.groups.iter().map(|group| (group.kind.name(), group.colours)).collect(),
        substeps: model.settings.substeps,
        iterations: model.settings.iterations,
        sweep: model.settings.sweep.name(),
        method: match model.settings.method {
            Method::GaussSeidel => "gauss-seidel",
            Method::Jacobi => "jacobi",
        },
        mode: match model.settings.mode {
            Mode::Xpbd => "xpbd",
            Mode::Pbd => "pbd",
        },
        integrator: match model.settings.integrator {
            Integrator::Euler => "euler",
            Integrator::Bdf2 => "bdf2",
        },
        origin_m: (model.origin != [0.0; 3]).then_some(model.origin),
        bodies: model.shown_bodies().iter().map(body).collect(),
        colliders: model.colliders.iter().map(Collider::of).collect(),
        levels: Levels::of(plan),
        plan_s,
    };
    Report { header, frames: Frames::default(), outcome: Outcome::default() }
}

fn body(body: &crate::model::Body) -> Body {
    Body { name: body.name.clone(), first: body.particles.start, count: body.particles.len() as u32 }
}

impl Report {
    /// Goes on from a checkpoint; keeps the frames up to it where `file` is the report of this scene with all of them.
    pub fn resume(&mut self, frame: u64, file: Option<&Path>) {
        self.outcome.resumed_from = Some(frame);
        let read = |file| serde_json::from_slice::<Before>(&input::read(file).ok()?).ok();
        let Some(Before { scene, particles, mut frames }) = file.and_then(read) else { return };
        let number = |frame: &RawValue| serde_json::from_str::<Numbered>(frame.get()).ok().map(|frame| frame.frame);
        frames.truncate(frame as usize);
        let all = frames.len() as u64 == frame && (1..).zip(&frames).all(|(n, frame)| number(frame) == Some(n));
        if all && scene == self.header.scene && particles == self.header.particles {
            self.frames.earlier = frames;
        }
    }
}

/// The part of an earlier report that a resumed run reads.
#[derive(Deserialize)]
struct Before {
    scene: String,
    particles: usize,
    frames: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Numbered {
    frame: u64,
}

impl Content for Report {
    fn items(&self) -> usize {
        self.frames.earlier.len() + self.frames.own.len()
    }

    fn write_beginning(&self, out: &mut dyn Write) -> io::Result<()> {
        let header = serde_json::to_vec(&self.header)?;
        out.write_all(&header[..header.len() - 1])?;
        out.write_all(b",\"frames\":[")
    }

    fn write_items(&self, which: Range<usize>, out: &mut dyn Write) -> io::Result<()> {
        let Frames { earlier, own } = &self.frames;
        for item in which {
            if item > 0 {
                out.write_all(b",")?;
            }
            match earlier.get(item) {
                Some(frame) => out.write_all(frame.get().as_bytes())?,
                None => serde_json::to_writer(&mut *out, &own[item - earlier.len()])?,
            }
        }
        Ok(())
    }

    fn write_end(&self, out: &mut dyn Write) -> io::Result<()> {
        let outcome = serde_json::to_vec(&self.outcome)?;
        out.write_all(b"],")?;
        out.write_all(&outcome[1..])?;
        writeln!(out)
    }
}

/// The number below which a share of some numbers lie, between two of them where it falls there; the median for a half;
/// 0 of none.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// A place in the scene's coordinates.
fn placed(model: &Model, place: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| place[axis] + model.origin[axis])
}

/// FNV-1a (64 bit) of all positions and velocities, bit for bit, in the scene's order.
pub fn state_hash(state: &State) -> String {
    let mut hash = Fnv::default();
    hash.bytes(bytemuck::cast_slice(&state.positions));
    hash.bytes(bytemuck::cast_slice(&state.velocities));
    format!("{:016x}", hash.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash of nothing is FNV's offset basis, and one bit of a velocity changes it.
    #[test]
    fn hash_sees_every_bit() {
        assert_eq!(state_hash(&State::default()), "cbf29ce484222325");
        let state = |v: f64| State { positions: vec![[0.0; 3]], velocities: vec![[0.0, 0.0, v]], ..State::default() };
        assert_ne!(state_hash(&state(1.0)), state_hash(&state(1.0_f64.next_up())));
        assert_ne!(state_hash(&state(0.0)), state_hash(&state(-0.0)));
    }

    /// The median of an odd and an even count, quartiles on a number and between two, the ends, and those of none.
    #[test]
    fn quantiles() {
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(quantile(&[4.0, 1.0, 2.0, 3.0], 0.5), 2.5);
        assert_eq!(quantile(&[5.0, 1.0, 2.0, 4.0, 3.0], 0.25), 2.0);
        assert_eq!(quantile(&[4.0, 1.0, 2.0, 3.0], 0.75), 3.25);
        assert_eq!([0.0, 1.0].map(|share| quantile(&[2.0, 7.0, 3.0], share)), [2.0, 7.0]);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}
