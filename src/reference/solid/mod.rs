//! Solids by the finite element method in double precision: linear tetrahedra, implicit Euler by Newton's method, and
//! what is at rest. Nothing of it is shared with the constraints that it is held against.

mod elements;
mod law;
mod matrix;

pub use law::{Elastic, Law};

use super::newton::{NotConverged, Potential, Product, Step, Vectors, add};
use crate::math::Vec3;
use crate::mesh::TetrahedronMesh;

use elements::Elements;

/// A solid with what acts on it.
pub struct FiniteElements {
    /// m, one per vertex.
    pub positions: Vec<[f64; 3]>,
    /// m/s, one per vertex. What is fixed keeps its own.
    pub velocities: Vec<[f64; 3]>,
    /// 1/kg, one per vertex; 0 for what is fixed, which no force moves.
    pub inverse_masses: Vec<f64>,
    /// What pulls at each vertex beside gravity, N.
    pub forces: Vec<[f64; 3]>,
    /// m/s²
    pub gravity: [f64; 3],
    elements: Elements,
}

impl FiniteElements {
    /// At rest in the shape of a mesh, nothing fixed, nothing acting; the mass of each tetrahedron, by its density in
    /// kg/m³, is shared by its corners.
    ///
    /// # Panics
    /// If a tetrahedron names a vertex that is not there. Where one is flat, or a vertex belongs to none, nothing
    /// converges.
    pub fn new(mesh: &TetrahedronMesh, elastic: Elastic, density: f64) -> Self {
        let zeros = vec![[0.0; 3]; mesh.positions.len()];
        Self {
            positions: mesh.positions.clone(),
            velocities: zeros.clone(),
            inverse_masses: mesh.vertex_volumes().into_iter().map(|volume| 1.0 / (density * volume)).collect(),
            forces: zeros,
            gravity: [0.0; 3],
            elements: Elements::new(mesh, elastic),
        }
    }

    /// Fixes the vertices in some places.
    pub fn fix(&mut self, is_fixed: impl Fn([f64; 3]) -> bool) {
        let fixed = self.positions.iter().zip(&mut self.inverse_masses).filter(|(x, _)| is_fixed(**x));
        fixed.for_each(|(_, inverse_mass)| *inverse_mass = 0.0);
    }

    /// The energy of its deformation, J.
    pub fn elastic_energy(&self) -> f64 {
        self.elements.energy(&vectors(&self.positions))
    }

    /// The forces of its deformation, N.
    pub fn elastic_forces(&self) -> Vec<[f64; 3]> {
        self.elements.gradient(&vectors(&self.positions)).into_iter().map(|slope| (-slope).into()).collect()
    }

    /// A step of implicit Euler, `h` s.
    ///
    /// # Errors
    /// If Newton's method does not converge. The solid is as it was, then.
    pub fn step(&mut self, h: f64) -> Result<(), NotConverged> {
        let (start, mut target) = (vectors(&self.positions), vectors(&self.positions));
        add(&mut target, &vectors(&self.velocities), h);
        let pushes = self.load().into_iter().zip(&self.inverse_masses).map(|(load, &w)| load * w);
        add(&mut target, &pushes.collect::<Vectors>(), h * h);
        let end = self.minimum(&self.elements, target, 1.0 / (h * h)).solve(&start)?;
        let moved = end.iter().zip(&start).map(|(&end, &start)| (end - start) * (1.0 / h));
        self.velocities = moved.map(Into::into).collect();
        self.positions = end.into_iter().map(Into::into).collect();
        Ok(())
    }

    /// Brings it to where elastic forces bear what acts, found by Newton's method from where it is, without any speed.
    ///
    /// # Errors
    /// If Newton's method does not converge, as where nothing holds the solid. It is as it was, then.
    pub fn settle(&mut self) -> Result<(), NotConverged> {
        let start = vectors(&self.positions);
        let potential = Loaded { elements: &self.elements, load: self.load() };
        let end = self.minimum(&potential, start.clone(), 0.0).solve(&start)?;
        self.positions = end.into_iter().map(Into::into).collect();
        self.velocities.fill([0.0; 3]);
        Ok(())
    }

    /// The displacements u, m, with which linear elasticity bears what acts: K u = f, K the second derivative of the
    /// energy at the present places, by preconditioned conjugate gradients.
    ///
    /// # Errors
    /// If they do not converge, as where nothing holds the solid.
    pub fn linear_displacements(&self) -> Result<Vec<[f64; 3]>, NotConverged> {
        let potential = Loaded { elements: &self.elements, load: self.load() };
        let displacements = self.minimum(&potential, vectors(&self.positions), 0.0).linear()?;
        Ok(displacements.into_iter().map(Into::into).collect())
    }

    /// What acts beside elastic forces on what is free, N.
    fn load(&self) -> Vectors {
        let gravity = Vec3::from(self.gravity);
        let all = self.forces.iter().zip(&self.inverse_masses);
        all.map(|(&force, &w)| if w > 0.0 { Vec3::from(force) + gravity * (1.0 / w) } else { Vec3::zero() }).collect()
    }

    fn minimum<'a>(&'a self, potential: &'a dyn Potential, target: Vectors, rate: f64) -> Step<'a> {
        Step { potential, inverse_masses: &self.inverse_masses, target, rate }
    }
}

fn vectors(numbers: &[[f64; 3]]) -> Vectors {
    numbers.iter().map(|&v| v.into()).collect()
}

/// U(x) - fᵀ(x - X) with constant forces f, X at rest.
struct Loaded<'a> {
    elements: &'a Elements,
    load: Vectors,
}

impl Potential for Loaded<'_> {
    fn energy(&self, x: &[Vec3<f64>]) -> f64 {
        let work = self.elements.displacements(x).zip(&self.load).map(|(moved, &load)| moved.dot(load));
        self.elements.energy(x) - work.sum::<f64>()
    }

    fn gradient(&self, x: &[Vec3<f64>]) -> Vectors {
        let mut sum = self.elements.gradient(x);
        add(&mut sum, &self.load, -1.0);
        sum
    }

    fn tangent<'a>(&'a self, x: &'a [Vec3<f64>]) -> Product<'a> {
        self.elements.tangent(x)
    }

    fn stiffness(&self, x: &[Vec3<f64>]) -> Vec<f64> {
        self.elements.stiffness(x)
    }
}
