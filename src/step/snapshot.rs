//! The whole state of an engine, bit for bit: to return to, or to continue from in another process.

use std::borrow::Cow;

use thiserror::Error;

use crate::model::Settings;
use crate::step::{BROKEN, Jointed, Reshaped, Turned};

/// A state from which a solver continues with the same bits. It is in the model's order, so it fits every plan of the
/// model. Settings, materials, pulls and the world are not part of it.
///
/// ```
/// use pliant::scene::{Body, Scene};
/// use pliant::{CpuSolver, Plan};
///
/// let model = Scene::new("a stone").with(Body::particles([[0.0, 0.0, 0.0]])).build()?.model;
/// let mut solver = CpuSolver::new(&model, &Plan::new(&model))?;
/// let start = solver.snapshot();
/// solver.step();
/// let once = solver.state();
/// solver.restore(&start)?;
/// solver.step();
/// assert_eq!(solver.state(), once); // the same bits
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot {
    /// Frames done.
    pub frame: u64,
    /// Length of a substep, s: velocities are stored by it.
    pub substep_seconds: f64,
    /// [`Settings::implicit_seconds`](crate::model::Settings::implicit_seconds): multipliers are stored by it.
    pub implicit_seconds: f64,
    /// Substeps in a frame: sums of multipliers are stored by it.
    pub substeps: u32,
    /// The lattice's step, m, of this frame and the next or the last.
    pub lattice: [f32; 2],
    /// Flags, particle, extent, contacts and spares, as in `shaders/lib/status.wgsl`.
    pub status: [u32; 5],
    /// x, e and u of each particle.
    pub particles: [Vec<[f32; 4]>; 3],
    /// With BDF2 what `shaders/step/past.wgsl` keeps of each particle, lags and changes; empty where the next substep
    /// has no past, and with other integrators.
    pub past: [Vec<[f32; 4]>; 2],
    /// One for each of [`Model::orientations`](crate::Model::orientations).
    pub turned: Vec<Turned>,
    /// One for each of [`Model::joints`](crate::Model::joints).
    pub jointed: Vec<Jointed>,
    /// One for each of [`Model::rest_shapes`](crate::Model::rest_shapes).
    pub reshaped: Vec<Reshaped>,
    /// For each group λ and its sum over the frame, `components` for each constraint.
    pub multipliers: Vec<Vec<[f32; 2]>>,
    /// Where surfaces can be torn, the particle of each corner of all triangles; else empty.
    pub corners: Vec<u32>,
    /// Which of these corners no edge holds any more, ascending.
    pub loose: Vec<u32>,
    /// Which faces inside solids are broken, ascending.
    pub broken_facets: Vec<u32>,
    /// For each group the rest values without what curves do, and as they are in effect; empty where they never change.
    pub rests: Vec<Vec<[f32; 2]>>,
}

/// Why a solver could not continue from a snapshot. The solver is then as it was before.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SnapshotError {
    /// The snapshot has other particles or constraints than the model.
    #[error("the snapshot has {found} {what} and the model {expected}: it belongs to another scene")]
    OtherModel {
        /// What differs in number: `particles`, for one.
        what: &'static str,
        /// How many the snapshot has.
        found: usize,
        /// How many the model has.
        expected: usize,
    },
    /// Its bodies are joined in a way that no tear of the model leaves: the snapshot was altered.
    #[error("the snapshot has tears that are impossible in this model: it was altered")]
    Torn,
    /// It has a number that no simulation has: the snapshot was altered.
    #[error("the snapshot's {what} is {value}, which is impossible: it was altered")]
    Value {
        /// What the number is.
        what: &'static str,
        /// The number.
        value: f32,
    },
}

/// The sizes of the lists of a snapshot.
pub(crate) struct Shape {
    pub particles: usize,
    pub orientations: usize,
    pub joints: usize,
    pub rest_shapes: usize,
    /// Of each group multipliers, and rest values that change.
    pub kinds: Vec<[usize; 2]>,
    /// Of all triangles that can be torn.
    pub corners: usize,
    /// Inside solids.
    pub facets: usize,
    /// Particles that constraints share since they are fixed.
    pub shared: Vec<u32>,
}

impl Snapshot {
    /// Whether it is one of a solver with so much.
    pub(crate) fn check(&self, shape: &Shape) -> Result<(), SnapshotError> {
        let same = |what, found, expected| match found == expected {
            true => Ok(()),
            false => Err(SnapshotError::OtherModel { what, found, expected }),
        };
        let below = |what, indices: &[u32], count: usize| {
            let beyond = indices.iter().find(|&&index| index as usize >= count);
            same(what, beyond.map_or(count, |&index| index as usize), count)
        };
        for values in &self.particles {
            same("particles", values.len(), shape.particles)?;
        }
        for values in self.past.iter().filter(|_| self.past.iter().any(|values| !values.is_empty())) {
            same("pasts of particles", values.len(), shape.particles)?;
        }
        same("orientations", self.turned.len(), shape.orientations)?;
        same("joints", self.jointed.len(), shape.joints)?;
        same("rest shapes", self.reshaped.len(), shape.rest_shapes)?;
        same("kinds of constraints", self.multipliers.len(), shape.kinds.len())?;
        same("lists of rest values", self.rests.len(), shape.kinds.len())?;
        for ((multipliers, rests), kind) in self.multipliers.iter().zip(&self.rests).zip(&shape.kinds) {
            same("multipliers of one kind", multipliers.len(), kind[0])?;
            same("changing rest values of one kind", rests.len(), kind[1])?;
        }
        same("corners", self.corners.len(), shape.corners)?;
        below("particles", &self.corners, shape.particles)?;
        below("corners", &self.loose, shape.corners)?;
        below("faces", &self.broken_facets, shape.facets)?;
        let free = shape.shared.iter().filter(|&&particle| self.particles[0][particle as usize][3] != 0.0).count();
        same("free particles that are fixed", free, 0)?;
        let extent = f32::from_bits(self.status[2]);
        if let Some(&lattice) = self.lattice.iter().find(|q| !(**q > 0.0 && q.is_finite())) {
            return Err(SnapshotError::Value { what: "step of the lattice", value: lattice });
        }
        if !extent.is_finite() {
            return Err(SnapshotError::Value { what: "extent", value: extent });
        }
        let masses = self.particles[0].iter().map(|x| x[3]);
        let seconds = [self.substep_seconds, self.implicit_seconds].map(|seconds| seconds as f32);
        let positive = |value: &f32| value.is_finite() && *value > 0.0;
        let none_has = [
            ("inverse mass", masses.filter(|&mass| mass != 0.0).find(|mass| !positive(mass))),
            ("length of a substep", seconds.into_iter().find(|seconds| !positive(seconds))),
            ("number of substeps", (self.substeps == 0).then_some(0.0)),
        ];
        match none_has.into_iter().find_map(|(what, value)| Some((what, value?))) {
            Some((what, value)) => Err(SnapshotError::Value { what, value }),
            None => Ok(()),
        }
    }
}

impl Snapshot {
    /// The same state as settings store it: velocities by their length of a substep, sums of multipliers by their
    /// number of substeps. Two steps of different lengths are no past.
    pub(crate) fn in_terms_of(&self, settings: &Settings) -> Cow<'_, Self> {
        let (seconds, substeps) = (settings.substep_seconds(), settings.substeps);
        if (seconds, substeps) == (self.substep_seconds, self.substeps) {
            return Cow::Borrowed(self);
        }
        let mut other = self.clone();
        let ratio = seconds / self.substep_seconds;
        if ratio != 1.0 {
            other.past = Default::default();
        }
        for [x, y, z, _] in &mut other.particles[2] {
            [x, y, z].into_iter().for_each(|way| *way *= ratio as f32);
        }
        let count = f64::from(substeps) / f64::from(self.substeps);
        for Turned { way, sums, .. } in &mut other.turned {
            way.iter_mut().for_each(|way| *way *= ratio as f32);
            sums.iter_mut().for_each(|sum| *sum = (f64::from(*sum) * count) as f32);
        }
        for sum in other.jointed.iter_mut().flat_map(|joint| &mut joint.sums) {
            *sum = (f64::from(*sum) * count) as f32;
        }
        for [_, sum] in other.multipliers.iter_mut().flatten().filter(|multiplier| multiplier[0] != BROKEN) {
            *sum = (f64::from(*sum) * count) as f32;
        }
        (other.substep_seconds, other.substeps) = (seconds, substeps);
        Cow::Owned(other)
    }
}

/// Multipliers for another H, f = λ/H²; what is broken stays so. Sums that are not kept from now on become zero, so
/// that a later request does not find stale ones.
pub(crate) fn rescaled(mut multipliers: Vec<[f32; 2]>, ratio: f64, summing: bool) -> Vec<[f32; 2]> {
    if !summing {
        multipliers.iter_mut().for_each(|[_, sum]| *sum = 0.0);
    }
    if ratio != 1.0 {
        let scaled = |value: f32| (f64::from(value) * ratio * ratio) as f32;
        for multiplier in multipliers.iter_mut().filter(|multiplier| multiplier[0] != BROKEN) {
            *multiplier = multiplier.map(scaled);
        }
    }
    multipliers
}
