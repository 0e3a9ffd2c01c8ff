//! Solids held by strain, and muscles that drive their strain.

use super::{MEND, Soft};
use crate::constraint::{self, Constraint as _};
use crate::math::Vec3;
use crate::model::Mode;
use crate::scene::error::SceneError;
use crate::scene::lower::{Builder, PlacedBody};
use crate::scene::{Constraint, Keyframes, Select, Values, check};

/// What drives the shape of a solid from inside: strains over some of its tetrahedra whose rest values follow a curve,
/// beside what keeps the solid's shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// The tetrahedra with all corners selected; left out: all.
    pub select: Option<Select>,
    /// Strain without stress along the body's x, y and z before its rotation, `(time in s, [ε_x, ε_y, ε_z])`: Green's,
    /// (f² - 1)/2 of what becomes f times as long. Three equal numbers drive the volume.
    pub keyframes: Keyframes,
    /// After which the keyframes repeat, s, above 0.
    pub period: Option<f64>,
    /// How much later than the keyframes' times it happens, s.
    pub delay: Option<f64>,
    /// How stiffly it follows, Pa, above 0; the solid's own if left out.
    pub young_modulus: Option<f64>,
}

impl Muscle {
    /// A muscle of a whole solid, as stiff as that.
    pub fn new(keyframes: impl Into<Keyframes>) -> Self {
        Self { select: None, keyframes: keyframes.into(), period: None, delay: None, young_modulus: None }
    }
    /// Of the tetrahedra with all corners among these particles.
    pub fn of(self, select: Select) -> Self {
        Self { select: Some(select), ..self }
    }
    /// Repeats the keyframes after so many seconds.
    pub fn period(self, period: f64) -> Self {
        Self { period: Some(period), ..self }
    }
    /// Lets them happen so many seconds later.
    pub fn delay(self, delay: f64) -> Self {
        Self { delay: Some(delay), ..self }
    }
}

impl Builder<'_> {
    /// What keeps the shape of a solid by strain.
    pub(super) fn strained(&mut self, placed: &PlacedBody, soft: &Soft) -> Result<(), SceneError> {
        let PlacedBody { at, index, local, preset, .. } = *placed;
        let given = soft.young_modulus.is_some() || preset.is_some();
        let young_modulus = match self.scene.settings.mode {
            Mode::Pbd if !given => f64::INFINITY,
            _ => soft.young_modulus_at(at, preset)?,
        };
        let stiffness = soft.stretch_stiffness.unwrap_or(1.0);
        let stiffness = check::number(&at.key("stretch_stiffness"), stiffness, &check::SHARE)?;
        let strain = self.strain(placed, &local.tetrahedra, young_modulus)?;
        let strain = Constraint {
            yield_point: soft.yield_point.map(Values::All),
            creep: soft.creep.map(Values::All),
            ..strain.stiffness(stiffness)
        };
        self.constraint_inside(at, index, &strain)
    }

    /// The tetrahedra that a muscle drives.
    pub(super) fn muscle(
        &mut self,
        placed: &PlacedBody,
        muscle: &Muscle,
        young_modulus: Option<f64>,
    ) -> Result<(), SceneError> {
        let PlacedBody { at, index, first, local, .. } = *placed;
        let Some(young_modulus) = young_modulus else {
            let message = "has no `young_modulus`, its stiffness; add for instance young_modulus = 1e5 (Pa)";
            return Err(SceneError::new(at, message));
        };
        let young_modulus = check::number(&at.key("young_modulus"), young_modulus, &check::YOUNG_MODULUS)?;
        let mut tetrahedra = local.tetrahedra.clone();
        if let Some(select) = &muscle.select {
            let at = at.key("select");
            let particles = self.select(&at, index, select, local)?;
            tetrahedra.retain(|corners| corners.iter().all(|p| particles.binary_search(&(first + p)).is_ok()));
            if tetrahedra.is_empty() {
                let message = "contains no whole tetrahedron, only parts of some; make it larger";
                return Err(SceneError::new(&at, message));
            }
        }
        let strain = self.strain(placed, &tetrahedra, young_modulus)?;
        let keyframes = muscle.keyframes.iter().map(|(time, value)| (*time, value.to_vec())).collect();
        let strain = Constraint {
            keyframes: Some(keyframes),
            period: muscle.period,
            delay: muscle.delay.map(Values::All),
            ..strain
        };
        self.constraint_inside(at, index, &strain)
    }

    /// Strains of tetrahedra of a body, along the body's axes before its rotation, of this modulus, Pa.
    fn strain(
        &self,
        placed: &PlacedBody,
        tetrahedra: &[[u32; 4]],
        young_modulus: f64,
    ) -> Result<Constraint<u32>, SceneError> {
        let PlacedBody { at, first, transform, .. } = *placed;
        let kind = constraint::kind::<constraint::Strain>();
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

#[cfg(feature = "scene-files")]
mod keys {
    use super::*;
    use crate::scene::toml::parts::{keyframes, selection};
    use crate::scene::toml::read::{Result, Table, number, table};

    /// `[[body.muscle]]`
    pub(in crate::scene) fn muscle(muscle: &Table) -> Result<Muscle> {
        let mut read = Muscle::new(muscle.required("keyframes", "[{ time = 0.0, value = [0, 0, 0] }]", keyframes)?);
        read.select = muscle.optional("select", |value| selection(&table(value)?))?;
        read.period = muscle.optional("period", number)?;
        read.delay = muscle.optional("delay", number)?;
        read.young_modulus = muscle.optional("young_modulus", number)?;
        Ok(read)
    }
}

#[cfg(feature = "scene-files")]
pub(super) use keys::muscle;
