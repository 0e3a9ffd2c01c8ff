//! Balloons: closed surfaces that hold the volume they enclose.

use super::{Bend, Body, BodyKind, Cloth, Content, Part};
use crate::constraint::{Constraint as _, SurfaceVolume};
use crate::math::Vec3;
use crate::model::{self, Finish, Mode};
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, Extent, Local, PlacedBody, Reading};
use crate::scene::mesh::check_closed;
use crate::scene::{Constraint, RestKeyframes, check};

/// A closed surface that holds the volume that it encloses. With V the volume as placed times the inflation and V(x)
/// what it encloses now, its pressure over that outside is p = (V - V(x))/α, linear in what is lacking; without
/// compliance it is whatever holds the volume. What it encloses weighs nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Balloon {
    /// Its skin: a closed mesh, wound counter-clockwise seen from outside. Parts that do not touch share one pressure.
    pub surface: Cloth,
    /// Inverse stiffness α of the volume, m⁵/N, at least 0: 0 is incompressible, raising it softens. A gas at the
    /// pressure p₀ has about V/p₀.
    pub volume_compliance: f64,
    /// PBD mode: share of the volume's error that an iteration removes, 0 to 1.
    pub volume_stiffness: f64,
    /// What the volume as placed is multiplied by to be the volume at rest, at least 0.
    pub inflation: f64,
    /// Multiplies the volume at rest over time: one number each, at least 0.
    pub keyframes: Option<RestKeyframes>,
    /// After which the keyframes repeat, s, above 0.
    pub period: Option<f64>,
    /// How much later than the keyframes' times it happens, s.
    pub delay: Option<f64>,
}

impl Balloon {
    /// An incompressible one, at rest as placed.
    pub fn new(surface: impl Into<Cloth>) -> Self {
        Self {
            surface: surface.into(),
            volume_compliance: 0.0,
            volume_stiffness: 1.0,
            inflation: 1.0,
            keyframes: None,
            period: None,
            delay: None,
        }
    }
    /// Inverse stiffness of the volume, m⁵/N, at least 0.
    pub fn compliance(self, compliance: f64) -> Self {
        Self { volume_compliance: compliance, ..self }
    }
    /// What the volume as placed is multiplied by, at least 0.
    pub fn inflation(self, factor: f64) -> Self {
        Self { inflation: factor, ..self }
    }
    /// Inflates and deflates: `(time in s, factor of the volume at rest)`.
    pub fn keyframes(self, keyframes: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let keyframes = keyframes.into_iter().map(|(time, factor)| (time, vec![factor]));
        Self { keyframes: Some(keyframes.collect()), ..self }
    }
}

impl<S: Into<Cloth>> From<S> for Balloon {
    fn from(surface: S) -> Self {
        Balloon::new(surface)
    }
}

impl Body {
    /// A closed surface, from a [`Mesh`](crate::scene::Mesh), a [`Cloth`] or a [`Balloon`].
    pub fn balloon(balloon: impl Into<Balloon>) -> Self {
        Self::new(Content::Balloon(balloon.into()))
    }
}

impl BodyKind for Balloon {
    fn extent(&self) -> Extent {
        Extent::Area
    }

    fn local(&self, at: &Path, body: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        self.surface.local(at, body, reading)
    }

    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        refuse_tears(placed.at, &self.surface)?;
        self.surface.lower(builder, placed)?;
        self.hold_volume(builder, placed).map_err(|error| placed.reading.explain(error))
    }

    fn material_keys(&self) -> Result<Vec<(&'static str, Option<f64>)>, &'static str> {
        self.surface.material_keys()
    }

    fn surface(&self) -> Option<&Cloth> {
        Some(&self.surface)
    }

    fn bend(&self) -> Option<&Bend> {
        self.surface.bend.as_ref()
    }

    fn parts(&self, mode: Mode) -> Vec<Part> {
        let mut parts = self.surface.parts(mode);
        parts.push(Part { name: "volume", compliance: self.volume_compliance, stiffness: self.volume_stiffness });
        parts
    }

    fn look(&self) -> Finish {
        Finish::Latex
    }
}

impl Balloon {
    fn hold_volume(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        let at = placed.at;
        let model::Body { particles, triangles, .. } = &builder.model.bodies[placed.index];
        check_closed(&at.key("mesh"), triangles, &builder.model.particles.positions)?;
        let corners = || triangles.iter().flatten();
        let x: Vec<Vec3<f64>> = corners().map(|&p| builder.model.particles.positions[p as usize].into()).collect();
        let volume = SurfaceVolume::measure(&x)[0];
        if volume <= 0.0 {
            let message = format!(
                "encloses {} m³: its triangles are wound inwards, or it is flat; wind them counter-clockwise seen from \
                 outside",
                check::display(volume)
            );
            return Err(SceneError::new(&at.key("mesh"), message));
        }
        let compliance = check::number(&at.key("volume_compliance"), self.volume_compliance, &check::COMPLIANCE)?;
        let stiffness = check::number(&at.key("volume_stiffness"), self.volume_stiffness, &check::SHARE)?;
        let inflation = check::number(&at.key("inflation"), self.inflation, &check::FACTOR)?;
        let listed: Vec<u32> = corners().map(|p| p - particles.start).collect();
        let constraint = Constraint {
            keyframes: self.keyframes.clone(),
            period: self.period,
            delay: self.delay.map(Into::into),
            ..Constraint::new(SurfaceVolume::NAME, [listed])
        };
        let constraint = constraint.compliance(compliance).stiffness(stiffness).rest("rest_volume", inflation * volume);
        builder.constraint_inside(at, placed.index, &constraint)
    }
}

/// A balloon with a hole would enclose nothing.
fn refuse_tears(at: &Path, surface: &Cloth) -> Result<(), SceneError> {
    let asked =
        [("break_force", surface.break_force.is_some()), ("spare_particles", surface.spare_particles.is_some())];
    match asked.into_iter().find(|(_, asked)| *asked) {
        Some((key, _)) => {
            let message = "does not apply to balloons: a torn balloon encloses nothing; remove it, or make the body a \
                 cloth";
            Err(SceneError::key(&at.key(key), message))
        }
        None => Ok(()),
    }
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::toml::parts;
    use crate::scene::toml::read::{Result, Table, number};

    impl Balloon {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let mut balloon = Balloon::new(Cloth::read(body, folder)?);
            body.set("volume_compliance", &mut balloon.volume_compliance, number)?;
            body.set("volume_stiffness", &mut balloon.volume_stiffness, number)?;
            body.set("inflation", &mut balloon.inflation, number)?;
            balloon.keyframes = body.optional("keyframes", parts::rest_keyframes)?;
            balloon.period = body.optional("period", number)?;
            balloon.delay = body.optional("delay", number)?;
            Ok(balloon)
        }
    }
}
