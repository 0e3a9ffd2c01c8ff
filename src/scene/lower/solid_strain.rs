//! Solids held or driven by strain.

use super::super::error::{Path, SceneError};
use super::super::{Constraint, Muscle, Soft, Values, check};
use super::Builder;
use super::place::Transform;
use super::preset::Made;
use super::shape::Local;
use super::soft::{MEND, young_modulus};
use crate::constraint::{self, Constraint as _, Vec3};
use crate::model::Mode;

impl Builder<'_> {
    /// What keeps the shape of a solid by strain; `body` is the one that was added last.
    pub fn strained(
        &mut self,
        at: &Path,
        body: usize,
        soft: &Soft,
        local: &Local,
        made: Option<Made>,
        transform: &Transform,
    ) -> Result<(), SceneError> {
        let given = soft.young_modulus.is_some() || made.is_some();
        let young_modulus = match self.scene.settings.mode {
            Mode::Pbd if !given => f64::INFINITY,
            _ => young_modulus(at, soft, made)?,
        };
        let stiffness = soft.stretch_stiffness.unwrap_or(1.0);
        let stiffness = check::number(&at.key("stretch_stiffness"), stiffness, &check::SHARE)?;
        let strain = self.strain(at, body, &local.tetrahedra, young_modulus, transform)?;
        let strain = Constraint {
            yield_point: soft.yield_point.map(Values::All),
            creep: soft.creep.map(Values::All),
            ..strain.stiffness(stiffness)
        };
        self.constraint_inside(at, body, &strain)
    }

    /// The tetrahedra that a muscle drives.
    pub fn muscle(
        &mut self,
        at: &Path,
        body: usize,
        (muscle, young_modulus): (&Muscle, Option<f64>),
        local: &Local,
        transform: &Transform,
    ) -> Result<(), SceneError> {
        let Some(young_modulus) = young_modulus else {
            let message =
                "has no `young_modulus` that says how stiffly it follows; add for instance young_modulus = 1e5 (Pa)";
            return Err(SceneError::new(at, message));
        };
        let young_modulus = check::number(&at.key("young_modulus"), young_modulus, &check::YOUNG_MODULUS)?;
        let mut tetrahedra = local.tetrahedra.clone();
        if let Some(select) = &muscle.select {
            let (at, first) = (at.key("select"), self.model.bodies[body].particles.start);
            let particles = self.select(&at, body, select, local)?;
            tetrahedra.retain(|corners| corners.iter().all(|p| particles.binary_search(&(first + p)).is_ok()));
            if tetrahedra.is_empty() {
                let message = "holds no tetrahedron with all of its corners, only parts of some; make it larger";
                return Err(SceneError::new(&at, message));
            }
        }
        let strain = self.strain(at, body, &tetrahedra, young_modulus, transform)?;
        let keyframes = muscle.keyframes.iter().map(|(time, value)| (*time, value.to_vec())).collect();
        let strain = Constraint {
            keyframes: Some(keyframes),
            period: muscle.period,
            delay: muscle.delay.map(Values::All),
            ..strain
        };
        self.constraint_inside(at, body, &strain)
    }

    /// Strains of tetrahedra of a body, along the body's axes before its rotation, of this modulus, Pa.
    fn strain(
        &self,
        at: &Path,
        body: usize,
        tetrahedra: &[[u32; 4]],
        young_modulus: f64,
        transform: &Transform,
    ) -> Result<Constraint<u32>, SceneError> {
        let kind = constraint::kind::<constraint::Strain>();
        let first = self.model.bodies[body].particles.start;
        let place = |p: &u32| Vec3::from(self.model.particles.positions[(first + p) as usize]);
        let shape = constraint::Strain::REST.iter().take(constraint::Strain::FIRST_CHANGING);
        let mut rest: Vec<Vec<f64>> = shape.clone().map(|_| Vec::with_capacity(tetrahedra.len())).collect();
        for (index, corners) in tetrahedra.iter().enumerate() {
            let x = [0, 1, 2, 3].map(|k| place(&corners[k]));
            self.check_shape(&at.key("mesh"), kind, &corners.map(|p| first + p), (index, Some(MEND)))?;
            let own = x.map(|x| Vec3::from(transform.turn_back((x - place(&corners[0])).into())));
            let measured = constraint::Strain::measure(&own);
            rest.iter_mut().zip(measured).for_each(|(list, value)| list.push(value));
        }
        let compliances = constraint::Strain::compliances(young_modulus).to_vec();
        let strain = Constraint::new(constraint::Strain::NAME, tetrahedra.iter().copied());
        Ok(shape.zip(rest).fold(strain.compliance(compliances), |strain, (value, list)| strain.rest(value.name, list)))
    }
}
