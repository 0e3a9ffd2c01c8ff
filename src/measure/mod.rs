//! What a [`State`] amounts to: momentum, energy, stretch, strain, stress, forces.
//!
//! [`Measurement::of`] has what a report says of one frame. [`constraint_force`] reads the force of one constraint, and
//! [`balanced`] that of constraints that coarse levels help to carry. [`EnergyBudget`] accounts for the energy of a run
//! and finds energy from nowhere. [`elements`] has the strain and stress of single elements.
//!
//! ```
//! use pliant::measure::Measurement;
//! use pliant::scene::{Body, Scene};
//! use pliant::{Plan, Reference};
//!
//! let model = Scene::new("a stone").with(Body::particles([[0.0, 0.0, 0.0]]).mass(2.0)).build()?.model;
//! let mut solver = Reference::new(&model, &Plan::new(&model));
//! (0..60).for_each(|_| solver.step()); // falls for 1 s
//! let measured = Measurement::of(&model, &solver.state());
//! assert!((measured.momentum[1] + 2.0 * 9.81).abs() < 1e-9); // kg m/s
//! # Ok::<(), pliant::scene::SceneError>(())
//! ```

mod balance;
mod budget;
pub(crate) mod cords;
pub mod elements;
mod fluids;
mod holds;
mod motion;
mod rods;
pub(crate) mod smoother;
mod strain;
mod work;

use motion::Motion;
use strain::{Strain, larger};

pub use balance::balanced;
pub use budget::EnergyBudget;
pub use fluids::Filling;

use crate::constraint::{Distance, SurfaceVolume, kind};
use crate::math::Vec3;
use crate::mesh::face_opposite;
use crate::model::{Group, Model, Multiplier, State, TearableCell, TearableFacet};

/// The numbers of one frame in a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Smallest coordinates of all positions, m.
    pub min: [f64; 3],
    /// Largest coordinates of all positions, m.
    pub max: [f64; 3],
    /// Centre of mass of the free particles, m. Where all are fixed, the mean of their positions.
    pub centroid: [f64; 3],
    /// Momentum of the free particles, kg m/s.
    pub momentum: [f64; 3],
    /// Angular momentum of the free particles about the centroid, with the spin of what turns, kg m²/s.
    pub angular_momentum: [f64; 3],
    /// Of the free particles, and of what turns, J.
    pub kinetic_energy_j: f64,
    /// Potential energy of the free particles, J: -Σ m g·x, zero at the world's origin.
    pub gravity_energy_j: f64,
    /// What constraints and rods bear, J: Σ α f²/2 over their components with the compliance α and the force f = λ/H²
    /// of the last substep. What is broken or slack bears nothing, and PBD mode knows no compliance. Under levels it is
    /// that of the forces that these leave to the constraints. What is not solved is in [`Measurement::residual`]:
    /// [`strain_energy`] counts it too.
    pub elastic_energy_j: f64,
    /// At most what constraints could still turn into motion, J: Σ C²/2(α + W H²/8n) with W = Σ w|∇C|² and n
    /// iterations, of what is neither broken nor slack. One sweep leaves of a constraint as if its compliance were α +
    /// W H²/2, there and back and further sweeps leave less.
    pub recoverable_energy_j: f64,
    /// Largest speed of a free particle, m/s.
    pub max_speed: f64,
    /// For each closed surface, in the order of the model, the index of its body and its pressure over that outside,
    /// Pa: λ/H² of the last substep.
    pub pressures: Vec<(usize, f64)>,
    /// Each fluid, in the order of the model.
    pub fillings: Vec<Filling>,
    /// Largest |length/rest - 1| of the distance constraints that are not broken and have a rest length.
    pub max_stretch: f64,
    /// Largest strain of an element, as a share: see [`crate::measure::elements`]. `None` where no element is whole.
    pub max_strain: Option<f64>,
    /// Largest von Mises stress of an element, Pa. `None` where no element has one.
    pub max_stress: Option<f64>,
    /// For each group of the model the kind's name and the root mean square of |C + α̃ λ| over the components of its
    /// constraints at the end of the last substep, in the unit of C. Broken constraints are left out, slack ones count
    /// as solved.
    pub residual: Vec<(&'static str, f64)>,
}

impl Measurement {
    /// Measures a state of a model.
    ///
    /// # Panics
    /// If the state is one of another model.
    pub fn of(model: &Model, state: &State) -> Self {
        let model = &*model.as_in(state);
        let motion = Motion::of(model, state);
        let (spin_energy, spin) = rods::spin(model, state);
        let [borne, recoverable] = [rods::elastic_energy(model, state), rods::recoverable_energy(model, state)];
        let mut measurement = Self {
            min: motion.min,
            max: motion.max,
            centroid: motion.centroid.into(),
            momentum: motion.momentum.into(),
            angular_momentum: (motion.angular_momentum + spin).into(),
            kinetic_energy_j: motion.kinetic_energy + spin_energy,
            gravity_energy_j: motion.gravity_energy,
            elastic_energy_j: borne,
            recoverable_energy_j: recoverable + fluids::recoverable_energy(model, state),
            max_speed: motion.max_speed,
            pressures: pressures(model, state),
            fillings: fluids::fillings(model, state),
            max_stretch: 0.0,
            max_strain: None,
            max_stress: None,
            residual: Vec::with_capacity(model.groups.len()),
        };
        for (index, group) in model.groups.iter().enumerate() {
            let strain = Strain::of(model, state, index);
            measurement.elastic_energy_j += strain.elastic_energy;
            measurement.recoverable_energy_j += strain.recoverable_energy;
            measurement.residual.push((group.kind.name(), strain.residual()));
            if group.kind == kind::<Distance>() {
                measurement.max_stretch = measurement.max_stretch.max(strain.max_stretch);
            }
            measurement.max_strain = larger(measurement.max_strain, strain.max_strain);
            measurement.max_stress = larger(measurement.max_stress, strain.max_stress);
        }
        measurement
    }
}

/// Σ C²/2α over the components of all constraints with compliance α > 0 that are neither broken nor slack, J: what they
/// would bear at these places if each were solved. What is not solved, as stiff constraints with few substeps are, has
/// a C far beyond what it bears.
///
/// # Panics
/// If the state is one of another model.
pub fn strain_energy(model: &Model, state: &State) -> f64 {
    strain::violations(&model.as_in(state), state).map(|violation| violation.strain_energy()).sum()
}

/// The mean force over the last frame of one constraint of one group: the largest over its particles, N. 0 once broken.
/// Where surfaces tear, `model` is that of [`Model::torn`].
///
/// # Panics
/// If there is no such group or constraint, or the state is one of another model.
pub fn constraint_force(model: &Model, state: &State, group: usize, constraint: usize) -> f64 {
    let components = model.groups[group].kind.components();
    let multipliers = &state.multipliers[group][constraint * components..][..components];
    let rest = state.rest_of(model, group, constraint);
    largest_force(
        &model.groups[group],
        constraint,
        rest,
        multipliers,
        &state.positions,
        model.settings.implicit_seconds(),
    )
}

/// The largest of [`mean_forces`].
pub(crate) fn largest_force<P: Copy + Into<Vec3<f64>>>(
    group: &Group,
    constraint: usize,
    rest: &[f64],
    multipliers: &[Multiplier],
    positions: &[P],
    h: f64,
) -> f64 {
    let forces = mean_forces(group, constraint, rest, multipliers, positions, h);
    forces.iter().map(|force| force.length()).fold(0.0, f64::max)
}

/// Σ λ ∇C/H² at each particle of a constraint, summed over its components, with the mean multipliers λ, N.
fn mean_forces<P: Copy + Into<Vec3<f64>>>(
    group: &Group,
    constraint: usize,
    rest: &[f64],
    multipliers: &[Multiplier],
    positions: &[P],
    h: f64,
) -> Vec<Vec3<f64>> {
    let mut gradient = Vec::new();
    let mut sums = vec![Vec3::zero(); group.particles_of(constraint).len()];
    for (component, multiplier) in multipliers.iter().enumerate().filter(|(_, multiplier)| !multiplier.broken) {
        group.evaluate(constraint, component, rest, positions, &mut gradient);
        for (sum, &gradient) in sums.iter_mut().zip(&gradient) {
            *sum += gradient * (multiplier.mean / (h * h));
        }
    }
    sums
}

/// The tensile stress on each inner face of the solids that can be torn, Pa, in the order of
/// [`Tearing::facets`](crate::model::Tearing::facets): n·σn, the mean of its two tetrahedra, by the mean forces of the
/// last frame; that of broken faces too. Negative where they are pressed together.
///
/// A tetrahedron of uniform stress σ pulls each of its corners with a third of what acts on the face opposite, f = σA/3
/// with A the area vector that points away from the corner (Teran et al., Finite Volume Methods for the Simulation of
/// Skeletal Muscle, 2003). So n·σn = 3 f·A/|A|², whatever the material.
///
/// # Panics
/// If the state is one of another model.
pub fn facet_stresses(model: &Model, state: &State) -> Vec<f64> {
    let Some(tearing) = &model.tearing else { return Vec::new() };
    let torn = &*model.torn(state);
    let side = |cell: u32, opposite: u32| normal_stress(torn, state, &tearing.cells[cell as usize], opposite as usize);
    let of_facet = |facet: &TearableFacet| {
        let [a, b] = [0, 1].map(|k| side(facet.cells[k], facet.opposite[k]));
        0.5 * (a + b)
    };
    tearing.facets.iter().map(of_facet).collect()
}

/// That of one tetrahedron on its face opposite to one of its corners, Pa.
fn normal_stress(model: &Model, state: &State, cell: &TearableCell, opposite: usize) -> f64 {
    let (group, constraint) = (&model.groups[cell.group as usize], cell.constraint as usize);
    let components = group.kind.components();
    let multipliers = &state.multipliers[cell.group as usize][constraint * components..][..components];
    let rest = state.rest_of(model, cell.group as usize, constraint);
    let h = model.settings.implicit_seconds();
    let forces = mean_forces(group, constraint, rest, multipliers, &state.positions, h);
    let particles = group.particles_of(constraint);
    let [a, b, c] = face_opposite(opposite).map(|k| Vec3::from(state.positions[particles[k] as usize]));
    let area = (b - a).cross(c - a) * 0.5;
    let squared = area.dot(area);
    if squared > 0.0 { 3.0 * forces[opposite].dot(area) / squared } else { 0.0 }
}

fn pressures(model: &Model, state: &State) -> Vec<(usize, f64)> {
    let h = model.settings.implicit_seconds();
    let surface = kind::<SurfaceVolume>();
    let Some(index) = model.groups.iter().position(|group| group.kind == surface) else { return Vec::new() };
    let (group, multipliers) = (&model.groups[index], &state.multipliers[index]);
    let pressure = |(constraint, multiplier): (usize, &Multiplier)| {
        let body = model.particles.bodies[group.particles_of(constraint)[0] as usize];
        (body as usize, if multiplier.broken { 0.0 } else { multiplier.last / (h * h) })
    };
    multipliers.iter().enumerate().map(pressure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::parallel::with_threads;
    use crate::scene::{Body, Cloth, Cuboid, Grid, Scene, Soft};
    use crate::solver::reference::Reference;

    /// The same bits by any number of threads, of particles and constraints in several blocks.
    #[test]
    fn threads_measure_alike() {
        let grid = Grid { columns: 80, rows: 70, width: 1.0, height: 1.0 };
        let block = Soft::new(Cuboid { cells: [10, 10, 10], size: [0.3; 3] }).young_modulus(1e4).poisson_ratio(0.3);
        let scene = Scene::new("both").with(Body::cloth(Cloth::new(grid).stretch(1e-6)).pin("top-left"));
        let model = scene.with(Body::soft(block).density(1000.0)).build().unwrap().model;
        let mut reference = Reference::new(&model, &crate::Plan::new(&model));
        (0..3).for_each(|_| reference.step());
        let state = reference.state();
        let alone = with_threads(1, || Measurement::of(&model, &state));
        assert!(alone.max_strain > Some(0.0) && alone.max_stress > Some(0.0) && alone.max_stretch > 0.0);
        for threads in [2, 3, 7] {
            assert_eq!(with_threads(threads, || Measurement::of(&model, &state)), alone, "{threads} threads");
        }
    }
}
