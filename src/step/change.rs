//! Changes of a running simulation: which ones an engine refuses, and why.

use std::collections::BTreeSet;
use std::ops::Range;

use thiserror::Error;

use crate::math::rotation::{self, Rotations, Turning};
use crate::model::fluid::no_fluids;
use crate::model::joint::no_joints;
use crate::model::rod::no_rods;
use crate::model::touch::no_surface_contact;
use crate::model::{Collider, Drive, Keyframes, Material, Materials, Mode, Model, Settings, Tearing};
use crate::plan::{Plan, TearingError};
use crate::step::{MOST_PULLS, Needs, Pull, Tears, Used, needs};

/// Why a change was refused. The solver goes on as it was.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// A number that no simulation can have.
    #[error("{what} is {value}: {remedy}")]
    Value {
        /// What the number is for, with its article: `a compliance`.
        what: &'static str,
        /// The number as it was given.
        value: f64,
        /// Which numbers are allowed.
        remedy: &'static str,
    },
    /// What is to be changed is not there.
    #[error("there is no {what} {index}: there are {count}")]
    Missing {
        /// `material`, `body`, `particle`, `collider`, `drive` or `curve`.
        what: &'static str,
        /// What was asked for.
        index: usize,
        /// How many there are; indices are below it.
        count: usize,
    },
    /// Constraints that are solved at the same time share the particle, and none of them may move it.
    #[error("the plan treats particle {particle} as fixed: make a model in which it is free, and a new solver")]
    Shared {
        /// Index in the model.
        particle: usize,
    },
    /// [`MOST_PULLS`] other particles are pulled. Release one of them with `pull(particle, None)`.
    #[error("{MOST_PULLS} particles are being pulled, which is the limit: end one of the pulls first")]
    TooManyPulls,
    /// A material that a curve drives or that yields, for constraints whose rest values never change. Only a solver of
    /// a model in which some material of the kind does so from the beginning keeps what that takes.
    #[error(
        "material {index} belongs to constraints whose rest values never change: give it its curve or yield point in \
         the model, and make a new solver"
    )]
    FixedRest {
        /// The material that was to be changed.
        index: usize,
    },
    /// Settings that a running simulation cannot take.
    #[error("{0}")]
    Settings(String),
    /// An engine that does not take such a change at all: the reference.
    #[error("the reference solver cannot change its {0} while it runs: change the model and make a new solver")]
    Unsupported(&'static str),
    /// With these settings, what can be torn is held in a way that cannot follow a tear.
    #[error(transparent)]
    Tearing(#[from] TearingError),
    /// The engine cannot take the change: it needs more of the device than that has, or a kernel that does not compile.
    #[error(transparent)]
    Engine(Box<dyn std::error::Error + Send + Sync>),
}

/// What an engine keeps of a model that it solves, by which it judges changes.
pub(crate) struct Running<'a> {
    pub model: &'a Model,
    /// Of each group.
    pub used: &'a [Used],
    /// What the levels of its plan are over.
    pub levels: &'a Over,
}

/// When a frame begins and ends, s.
pub(crate) fn frame_times(frame: u64, settings: &Settings) -> [f64; 2] {
    [frame, frame + 1].map(|frame| frame as f64 / settings.frame_rate)
}

/// What levels are over: they hold it as it was when they were made.
#[derive(Default)]
pub(crate) struct Over {
    /// Their masses are in the levels.
    particles: Vec<Range<u32>>,
    /// What the edges of the sheets are of, ascending: nothing of it may begin to break or to change its rest lengths.
    materials: Vec<u32>,
}

impl Over {
    pub fn new(plan: &Plan) -> Self {
        let mut materials: Vec<u32> = plan.sheets.iter().flat_map(|sheet| sheet.materials.iter().copied()).collect();
        materials.sort_unstable();
        Self { materials, particles: plan.sheets.iter().map(|sheet| sheet.particles.clone()).collect() }
    }

    fn particle(&self, particle: u32) -> bool {
        self.particles.iter().any(|range| range.contains(&particle))
    }
}

impl Running<'_> {
    /// The table of materials with another one in it.
    pub fn with_material(&self, index: usize, material: Material) -> Result<Materials, ChangeError> {
        check_material(&material)?;
        let mut materials = self.model.materials.clone();
        let count = materials.len();
        let before = materials.get_mut(index).ok_or(ChangeError::Missing { what: "material", index, count })?;
        self.check_rest(index, before, &material)?;
        self.check_levels(index, before, &material)?;
        *before = material;
        Ok(materials)
    }

    /// What the constraints of each group need with these materials.
    pub fn needs(&self, materials: &[Material]) -> Vec<Needs> {
        let tears = |group| Tears::of(self.model, group);
        let of_group = |(group, used)| needs(&self.model.settings, materials, used, tears(group));
        self.used.iter().enumerate().map(of_group).collect()
    }

    fn check_rest(&self, index: usize, before: &Material, after: &Material) -> Result<(), ChangeError> {
        let count = self.model.curves.len();
        if let Some(curve) = after.curve.map(|curve| curve as usize).filter(|&curve| curve >= count) {
            return Err(ChangeError::Missing { what: "curve", index: curve, count });
        }
        let gains = !before.changes_rest() && after.changes_rest();
        let refers = |used: &Used| used.materials.contains(&(index as u32));
        match gains && self.used.iter().any(|used| refers(used) && !used.rest_changes) {
            true => Err(ChangeError::FixedRest { index }),
            false => Ok(()),
        }
    }

    fn check_levels(&self, index: usize, before: &Material, after: &Material) -> Result<(), ChangeError> {
        let gain = match before.break_force.is_none() && after.break_force.is_some() {
            true => "be made breakable",
            false if !before.changes_rest() && after.changes_rest() => "be given a curve or a yield point",
            false => return Ok(()),
        };
        match self.levels.materials.binary_search(&(index as u32)) {
            Ok(_) => Err(ChangeError::Settings(format!(
                "this material cannot {gain} while levels are active on it; set nested = false in the model and make a \
                 new solver"
            ))),
            Err(_) => Ok(()),
        }
    }

    /// Whether a body can be damped so.
    pub fn check_damping(&self, body: usize, rate: f64) -> Result<(), ChangeError> {
        not_negative("a damping", rate, SOFTEST)?;
        let bodies = &self.model.bodies;
        let missing = ChangeError::Missing { what: "body", index: body, count: bodies.len() };
        let particles = &bodies.get(body).ok_or(missing)?.particles;
        let mut vertices = self.model.tearing.iter().flat_map(Tearing::vertices);
        if rate > 0.0 && vertices.any(|vertex| particles.contains(&vertex)) {
            let message = "damping does not act on bodies that can tear: make a model without a break_force or \
                 tear_stress, and a new solver";
            return Err(ChangeError::Settings(message.into()));
        }
        Ok(())
    }

    /// Whether a particle can have that mass. `shared` are those that the plan has constraints share since they are
    /// fixed.
    pub fn check_inverse_mass(&self, particle: usize, inverse_mass: f64, shared: &[u32]) -> Result<(), ChangeError> {
        // As the engines keep it.
        not_negative("an inverse mass", inverse_mass, LIGHTEST)?;
        // What a tear splits off a fixed particle may be shared as that one is.
        let placed = self.model.tearing.as_ref().map_or(usize::MAX, |tearing| tearing.spares.start as usize);
        let split = particle >= placed && !shared.is_empty();
        if inverse_mass > 0.0 && (split || shared.contains(&(particle as u32))) {
            return Err(ChangeError::Shared { particle });
        }
        if self.levels.particle(particle as u32) {
            let message = "levels depend on the mass of this particle: change it in the model and make a new solver, \
                 or first turn levels off with `reconfigure` (nested = false)";
            return Err(ChangeError::Settings(message.into()));
        }
        Ok(())
    }

    /// A collider that goes from where it is at a time to another place by a later one, s, straight and the shorter way
    /// round, and stays there.
    pub fn moved_collider(
        &self,
        index: usize,
        [from, to]: [f64; 2],
        position: [f64; 3],
        rotation: [f64; 4],
    ) -> Result<Collider, ChangeError> {
        let colliders = &self.model.colliders;
        let missing = ChangeError::Missing { what: "collider", index, count: colliders.len() };
        let collider = colliders.get(index).ok_or(missing)?;
        finite("a collider's place", &position)?;
        let length = rotation.iter().map(|value| value * value).sum::<f64>().sqrt();
        if !(1e-9..1e9).contains(&length) {
            let remedy = "it must be finite and above 0";
            return Err(ChangeError::Value { what: "the length of a collider's rotation", value: length, remedy });
        }
        let (place, turned) = (collider.position_at(from), collider.rotation_at(from));
        let rotation = rotation.map(|value| value / length);
        let moved = |place: [f64; 3]| std::array::from_fn(|i| place[i] - collider.position[i]);
        let motion = Keyframes::new(vec![(from, moved(place)), (to, moved(position))]);
        let alike = (0..4).map(|i| turned[i] * rotation[i]).sum::<f64>().abs() > 1.0 - 1e-15;
        if alike {
            return Ok(Collider { motion, rotation: turned, turning: None, ..collider.clone() });
        }
        let beyond = |turned| rotation::product(turned, rotation::inverse(collider.rotation));
        let rotations = Rotations::new(vec![(from, beyond(turned)), (to, beyond(rotation))]);
        let turning = Some(Turning { spin: [0.0; 3], rotations });
        Ok(Collider { motion, turning, ..collider.clone() })
    }

    /// A drive that takes what is fixed from where it is at a time to another displacement by a later one, s, and holds
    /// it there.
    pub fn moved_drive(
        &self,
        index: usize,
        [from, to]: [f64; 2],
        displacement: [f64; 3],
    ) -> Result<Drive, ChangeError> {
        let drives = &self.model.drives;
        let drive = drives.get(index).ok_or(ChangeError::Missing { what: "drive", index, count: drives.len() })?;
        if index == 0 {
            let message = "drive 0 belongs to all particles without a drive: give the particles a drive with \
                 Model::lead, and make a new solver";
            return Err(ChangeError::Settings(message.into()));
        }
        finite("a displacement", &displacement)?;
        let before = drive.way(from).unwrap_or_default();
        let motion = Keyframes::new(vec![(from, before), (to, displacement)]);
        Ok(Drive { motion, spin: None, turn: None, ..drive.clone() })
    }

    /// Whether it can go on with these settings by this plan, which is one of the same model.
    pub fn check_settings(
        &self,
        settings: &Settings,
        plan: &Plan,
        changed_masses: &BTreeSet<u32>,
    ) -> Result<(), ChangeError> {
        let before = &self.model.settings;
        if settings.frame_rate != before.frame_rate {
            return Err(ChangeError::Settings(format!(
                "a running simulation cannot change its frame rate of {} Hz; change the substeps, or make a new solver",
                before.frame_rate
            )));
        }
        settings.check().map_err(ChangeError::Settings)?;
        if let Some(problem) =
            no_surface_contact(settings, self.model.tearing.is_some()).filter(|_| self.model.has_surface_contact())
        {
            return Err(ChangeError::Settings(format!("surfaces touch, {problem}")));
        }
        let rods = no_rods(settings).filter(|_| !self.model.rods.is_empty());
        let joints = no_joints(settings).filter(|_| !self.model.joints.is_empty());
        let fluids = no_fluids(settings).filter(|_| !self.model.fluids.is_empty());
        if let Some(problem) = rods.or(joints).or(fluids) {
            return Err(ChangeError::Settings(problem.into()));
        }
        if !plan.sheets.is_empty() && (settings.nested == Some(false) || settings.mode == Mode::Pbd) {
            let message = "the plan has levels, and these settings turn them off: make a plan of the model with these \
                 settings";
            return Err(ChangeError::Settings(message.into()));
        }
        let over = Over::new(plan);
        let breaks = |&index: &u32| {
            self.model.materials.get(index as usize).is_some_and(|material| material.break_force.is_some())
        };
        if over.materials.iter().any(breaks) {
            let message = "the plan has levels over a material that can break now: make a plan of the model with its \
                 break force, or with nested = false";
            return Err(ChangeError::Settings(message.into()));
        }
        if let Some(particle) = changed_masses.iter().find(|particle| over.particle(**particle)) {
            return Err(ChangeError::Settings(format!(
                "the plan's levels use the old mass of particle {particle}: make a solver of the model with the new \
                 mass, or set nested = false"
            )));
        }
        Ok(plan.check_tearing(self.model.tearing.as_ref())?)
    }
}

/// As scenes allow.
pub(crate) const MOST_SWEEPS: u32 = 100_000;
pub(crate) const MOST_COLOURS: u32 = 64;
/// The largest compliance and damping.
const SOFTEST: f64 = 1e12;
/// The largest force, yield point and rate.
const STRONGEST: f64 = 1e15;
/// The inverse of the least mass.
const LIGHTEST: f64 = 1e20;

/// A plan for a solver of another model.
pub(crate) fn other_plan() -> ChangeError {
    ChangeError::Settings("the plan belongs to another model than the solver".into())
}

/// The slot of a particle.
pub(crate) fn slot(slots: &[u32], particle: usize) -> Result<u32, ChangeError> {
    let missing = ChangeError::Missing { what: "particle", index: particle, count: slots.len() };
    slots.get(particle).copied().ok_or(missing)
}

/// Whether single precision has room for all of these.
pub(crate) fn finite(what: &'static str, values: &[f64]) -> Result<(), ChangeError> {
    let wrong = values.iter().find(|&&value| !(value as f32).is_finite());
    wrong.map_or(Ok(()), |&value| Err(ChangeError::Value { what, value, remedy: "it must be finite" }))
}

/// Whether a pull's numbers are some.
pub(crate) fn check_pull(pull: Option<Pull>) -> Result<(), ChangeError> {
    let Some(Pull { target, compliance, damping }) = pull else { return Ok(()) };
    finite("a pull's target", &target)?;
    not_negative("a pull's compliance", compliance, SOFTEST)?;
    not_negative("a pull's damping", damping, SOFTEST)
}

pub(crate) fn check_material(material: &Material) -> Result<(), ChangeError> {
    not_negative("a compliance", material.compliance, SOFTEST)?;
    not_negative("a damping", material.damping, SOFTEST)?;
    not_negative("a stiffness", material.stiffness, SOFTEST)?;
    if material.stiffness > 1.0 {
        let remedy = "a PBD stiffness is at most 1";
        return Err(ChangeError::Value { what: "a stiffness", value: material.stiffness, remedy });
    }
    for (what, value) in [
        ("a break force", material.break_force),
        ("a yield point", material.yield_point),
        ("a rate of creep", material.creep),
    ] {
        value.map_or(Ok(()), |value| not_negative(what, value, STRONGEST))?;
    }
    Ok(())
}

/// Beyond `most` products with steps and masses leave single precision.
fn not_negative(what: &'static str, value: f64, most: f64) -> Result<(), ChangeError> {
    match (0.0..=most).contains(&value) {
        true => Ok(()),
        false if value > most && value.is_finite() => {
            Err(ChangeError::Value { what, value, remedy: "it is too large for single precision" })
        }
        false => Err(ChangeError::Value { what, value, remedy: "it must be a finite number of at least 0" }),
    }
}
