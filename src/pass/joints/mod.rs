//! Rigid bodies: they turn freely, and joints hold them, those that hang together solved at once.

#[cfg(feature = "cpu")]
pub(crate) mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
pub(crate) mod reference;
mod solver;
mod turning;

use super::Pass;
use crate::constraint::inverse_inertia;
#[cfg(feature = "cpu")]
use crate::cpu::pass as on_cpu;
#[cfg(feature = "gpu")]
use crate::gpu::{SolverError, pass as on_gpu};
use crate::law::articulation::Structure;
use crate::math::Vec3;
use crate::model::{Joint, Model};
use crate::reference::pass as in_reference;

/// Joints. [docs/design/joints.md](../../../docs/design/joints.md) has the reasons and the measurements.
pub struct Joints;

impl Pass for Joints {
    fn name(&self) -> &'static str {
        "joints"
    }

    fn reference(&'static self, setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        reference::Joints::new(setup.model).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        cpu::Joints::new(setup).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Joints::new(setup)?.map(|pass| Box::new(pass) as _))
    }
}

/// A rigid body that joints hold.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    /// Indices into the model's particles.
    pub particles: Vec<u32>,
    /// Of each its place from the centre as placed, m, and its share of the mass.
    pub members: Vec<(Vec3<f64>, f64)>,
    /// Its centre as placed, m.
    pub centre: Vec3<f64>,
    /// 1/kg; 0 of one that is fixed.
    pub inverse_mass: f64,
    /// 1/(kg m²), as placed, by columns.
    pub inverse_inertia: [Vec3<f64>; 3],
}

/// Joints that hang together, and their bodies.
#[derive(Clone, Debug)]
pub(crate) struct Together {
    /// Its bodies by which `structure` knows them.
    pub bodies: Vec<Held>,
    /// How its joints are solved.
    pub structure: Structure,
    /// Index into [`Model::joints`] of each, in the order of elimination.
    pub joints: Vec<u32>,
}

/// All joints of a model, those together that share free bodies.
pub(crate) fn groups(model: &Model) -> Vec<Together> {
    let held: Vec<Held> = model.rigid.iter().map(|rigid| Held::new(model, &rigid.particles)).collect();
    let is_free = |body: u32| held[body as usize].inverse_mass > 0.0;
    // The root of each joint's group.
    let mut roots: Vec<usize> = (0..model.joints.len()).collect();
    let mut at_body: Vec<Option<usize>> = vec![None; held.len()];
    for (index, joint) in model.joints.iter().enumerate() {
        for &body in joint.bodies.iter().flatten().filter(|&&body| is_free(body)) {
            match at_body[body as usize] {
                None => at_body[body as usize] = Some(index),
                Some(other) => {
                    let [a, b] = [index, other].map(|joint| root(&roots, joint));
                    roots[a.max(b)] = a.min(b);
                }
            }
        }
    }
    let mut groups: Vec<Vec<u32>> = vec![Vec::new(); roots.len()];
    (0..roots.len()).for_each(|joint| groups[root(&roots, joint)].push(joint as u32));
    groups.retain(|joints| !joints.is_empty());
    groups.into_iter().map(|joints| Together::new(model, &held, &joints)).collect()
}

fn root(roots: &[usize], mut of: usize) -> usize {
    while roots[of] != of {
        of = roots[of];
    }
    of
}

impl Together {
    fn new(model: &Model, held: &[Held], joints: &[u32]) -> Self {
        let pairs = || joints.iter().map(|&joint| model.joints[joint as usize].bodies);
        let mut used: Vec<u32> = pairs().flatten().flatten().collect();
        used.sort_unstable();
        used.dedup();
        let local = |body: u32| used.partition_point(|&other| other < body) as u32;
        let pairs: Vec<_> = pairs().map(|bodies| bodies.map(|body| body.map(local))).collect();
        let bodies: Vec<Held> = used.iter().map(|&body| held[body as usize].clone()).collect();
        let structure = Structure::new(&pairs, |body| bodies[body as usize].inverse_mass > 0.0);
        let joints = structure.joints.iter().map(|&joint| joints[joint as usize]).collect();
        Self { bodies, structure, joints }
    }

    /// The joint at a place in the order of elimination: from the centre of each of its bodies as placed, or the
    /// world's origin, to it, m.
    pub fn arms(&self, place: usize, joint: &Joint) -> [Vec3<f64>; 2] {
        std::array::from_fn(|side| {
            let body = self.structure.bodies[place][side];
            let centre = body.map_or(Vec3::zero(), |body| self.bodies[body as usize].centre);
            Vec3::from(joint.positions[side]) - centre
        })
    }
}

impl Held {
    fn new(model: &Model, particles: &[u32]) -> Self {
        let all = &model.particles;
        let masses: Vec<f64> = particles.iter().map(|&p| all.inverse_masses[p as usize]).collect();
        let is_free = masses.iter().all(|&w| w > 0.0);
        let masses: Vec<f64> = masses.into_iter().map(|w| if is_free { 1.0 / w } else { 1.0 }).collect();
        let whole: f64 = masses.iter().sum();
        let place = |i: usize| Vec3::from(all.positions[particles[i] as usize]);
        let sum = (0..particles.len()).fold(Vec3::zero(), |sum, i| sum + (place(i) - place(0)) * masses[i]);
        let centre = place(0) + sum * (1.0 / whole);
        let members: Vec<_> = (0..particles.len()).map(|i| (place(i) - centre, masses[i] / whole)).collect();
        let inverse_mass = if is_free { 1.0 / whole } else { 0.0 };
        let inverse_inertia = inverse_inertia(members.iter().copied()).map(|column| Vec3::from(column) * inverse_mass);
        Self { particles: particles.to_vec(), members, centre, inverse_mass, inverse_inertia }
    }
}

impl Held {
    /// At least the largest inverse inertia about any axis, 1/(kg m²): the trace would be three times that of a ball.
    pub fn most(&self) -> f64 {
        let sizes = self.inverse_inertia.map(|column| [column.x, column.y, column.z].map(f64::abs).iter().sum::<f64>());
        sizes.iter().fold(0.0, |most: f64, &size| most.max(size))
    }
}
