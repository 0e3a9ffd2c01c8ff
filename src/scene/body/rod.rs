//! Rods: strands that keep their bend and their twist.

use std::f64::consts::PI;

use super::curvature::Curves;
use super::{Body, BodyKind, Content, Curvature, StrandPath};
use crate::math::Vec3;
use crate::math::rotation::{self, Quaternion};
use crate::model::rod::no_rods;
use crate::model::{self, BendTwist, Finish, Segment};
use crate::scene::check;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, Extent, Local, PlacedBody, Reading, SizedPreset};
use crate::scene::{Pin, Select};

/// The least inertia of a segment over its mass and the square of its length, six times less than that of a stick about
/// an axis across it: a stiff rod that is very thin for its segments has equations that differ too much for single
/// precision. Waves of twist in it are slower.
const LEAST_INERTIA: f64 = 1.0 / 80.0;

/// Segments one after another that resist stretch, shear, bending and twist by their material. All segments of one
/// strand are solved at once, so that its stiffness is right with any number of substeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    /// Where its particles lie.
    pub path: StrandPath,
    /// How many such rods there are, one after another in the body's particles; at least 1.
    pub strands: u32,
    /// From each rod to the next, m, before the body's transform.
    pub spacing: [f64; 3],
    /// Half axes of an elliptic section, m, the first one towards the body's y axis as far as that is across the rod,
    /// or else towards x. Left out: a disc of the body's radius.
    pub radii: Option<[f64; 2]>,
    /// Pa, above 0; left out: by the body's material.
    pub young_modulus: Option<f64>,
    /// 0 to 0.49: the shear modulus is E/2(1 + ν).
    pub poisson_ratio: f64,
    /// Pa, above 0, in place of what comes of Poisson's ratio.
    pub shear_modulus: Option<f64>,
    /// Twist at rest, rad/m.
    pub twist: f64,
    /// How it bends at rest.
    pub rest: RodRest,
    /// What is added to its rest over time.
    pub curvature: Option<Curvature>,
    /// The ends that are held in place and in their direction.
    pub clamps: Vec<Clamp>,
    /// Damping of the material, s: a force C/α is joined by -β/α dC/dt.
    pub viscosity: f64,
}

/// How a rod bends at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RodRest {
    /// Not at all.
    #[default]
    Straight,
    /// As it is placed.
    AsPlaced,
}

/// An end of a rod that is held in place and direction, or led.
#[derive(Clone, Debug, PartialEq)]
pub struct Clamp {
    /// The last end, not the first.
    pub last: bool,
    /// What moves and turns it: keyframes, a spin. It selects nothing.
    pub motion: Pin,
}

impl Clamp {
    /// One that stays as it is placed.
    pub fn at(last: bool) -> Self {
        Self { last, motion: Pin::from(if last { "last" } else { "first" }) }
    }
}

impl Rod {
    /// One rod that is straight at rest, of a Poisson's ratio of 0.3.
    pub fn new(path: impl Into<StrandPath>, young_modulus: f64) -> Self {
        Self {
            path: path.into(),
            strands: 1,
            spacing: [0.0; 3],
            radii: None,
            young_modulus: Some(young_modulus),
            poisson_ratio: 0.3,
            shear_modulus: None,
            twist: 0.0,
            rest: RodRest::Straight,
            curvature: None,
            clamps: Vec::new(),
            viscosity: 0.0,
        }
    }
    /// Clamps its first end, or the last.
    pub fn clamp(mut self, last: bool) -> Self {
        self.clamps.push(Clamp::at(last));
        self
    }
    /// Bends at rest as it is placed.
    pub fn as_placed(self) -> Self {
        Self { rest: RodRest::AsPlaced, ..self }
    }
    /// Twist at rest, rad/m.
    pub fn twist(self, twist: f64) -> Self {
        Self { twist, ..self }
    }
    /// What is added to its rest over time.
    pub fn curvature(self, curvature: Curvature) -> Self {
        Self { curvature: Some(curvature), ..self }
    }
    /// Half axes of an elliptic section, m.
    pub fn radii(self, radii: [f64; 2]) -> Self {
        Self { radii: Some(radii), ..self }
    }
    /// Damping of the material, s.
    pub fn viscosity(self, viscosity: f64) -> Self {
        Self { viscosity, ..self }
    }
    /// So many rods, each moved by this from the one before, m.
    pub fn strands(self, strands: u32, spacing: [f64; 3]) -> Self {
        Self { strands, spacing, ..self }
    }

    /// Half axes of the section, m.
    fn section(&self, at: &Path, body: &Body) -> Result<[f64; 2], SceneError> {
        if let Some(radii) = self.radii {
            let at = at.key("radii");
            return Ok([check::number(&at, radii[0], &check::LENGTH)?, check::number(&at, radii[1], &check::LENGTH)?]);
        }
        match body.radius.or(body.thickness.map(|thickness| 0.5 * thickness)) {
            Some(radius) => {
                let key = if body.radius.is_some() { "radius" } else { "thickness" };
                Ok([check::number(&at.key(key), radius, &check::LENGTH)?; 2])
            }
            None => Err(SceneError::new(at, "a rod needs a `radius`, m, by which it resists bending")),
        }
    }

    /// Stiffness of the section: κGA of shear and EA of stretch, N; EI₁, EI₂ and GJ, N m².
    fn stiffness(
        &self,
        at: &Path,
        preset: Option<SizedPreset>,
        [a, b]: [f64; 2],
    ) -> Result<([f64; 3], [f64; 3]), SceneError> {
        let Some(young) = self.young_modulus.or(preset.map(|preset| preset.young_modulus())) else {
            return Err(SceneError::new(at, "a rod needs a `young_modulus`, Pa, or a `material` by name"));
        };
        let young = check::number(&at.key("young_modulus"), young, &check::YOUNG_MODULUS)?;
        let poisson = check::number(&at.key("poisson_ratio"), self.poisson_ratio, &check::POISSON_RATIO)?;
        let shear = match self.shear_modulus {
            Some(shear) => check::number(&at.key("shear_modulus"), shear, &check::YOUNG_MODULUS)?,
            None => young / (2.0 * (1.0 + poisson)),
        };
        let area = PI * a * b;
        // Of a disc, Cowper 1966.
        let share = 6.0 * (1.0 + poisson) / (7.0 + 6.0 * poisson);
        let (first, second) = (PI * a * b.powi(3) / 4.0, PI * a.powi(3) * b / 4.0);
        let torsion = PI * (a * b).powi(3) / (a * a + b * b);
        let shearing = share * shear * area;
        Ok(([shearing, shearing, young * area], [young * first, young * second, shear * torsion]))
    }
}

impl Body {
    /// A rod, or several.
    pub fn rod(rod: Rod) -> Self {
        Self::new(Content::Rod(rod))
    }
}

impl BodyKind for Rod {
    fn extent(&self) -> Extent {
        Extent::Length
    }

    fn local(&self, at: &Path, body: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        let local = self.path.local(at, self.strands, self.spacing, reading)?;
        let [a, b] = self.section(at, body)?;
        Ok(Local { section: Some(PI * a * b), ..local })
    }

    fn grows_on(&self) -> Option<&str> {
        self.path.grows_on()
    }

    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, preset, .. } = *placed;
        self.check_solver(at, builder)?;
        check::number(&at.key("twist"), self.twist, &check::OFFSET)?;
        check::number(&at.key("viscosity"), self.viscosity, &check::DAMPING)?;
        let body = &builder.scene.bodies[placed.index];
        let section = self.section(at, body)?;
        let stiffness = self.stiffness(at, preset, section)?;
        let each = local.strand.unwrap_or(0);
        let mut curvature = self.curvature.as_ref().map(|one| one.check(&at.key("curvature"))).transpose()?;
        for strand in 0..self.strands {
            self.strand(builder, placed, first + strand * each..first + (strand + 1) * each, (section, stiffness));
            if let Some(curves) = &mut curvature {
                actuate(builder, curves, strand);
            }
        }
        Ok(())
    }

    fn pins(&self) -> Vec<Pin> {
        self.clamps.iter().map(Clamp::pin).collect()
    }

    fn material_keys(&self) -> Result<Vec<(&'static str, Option<f64>)>, &'static str> {
        Ok(vec![("young_modulus", self.young_modulus)])
    }

    fn look(&self) -> Finish {
        Finish::Plastic
    }
}

impl Clamp {
    /// What holds and leads its particle.
    fn pin(&self) -> Pin {
        let select = Select::Names(vec![if self.last { "last" } else { "first" }.into()]);
        Pin { select, ..self.motion.clone() }
    }
}

impl Rod {
    fn check_solver(&self, at: &Path, builder: &Builder) -> Result<(), SceneError> {
        no_rods(&builder.scene.settings).map_or(Ok(()), |problem| Err(SceneError::new(at, problem)))
    }

    /// Adds one of the rods, over these particles.
    fn strand(
        &self,
        builder: &mut Builder,
        placed: &PlacedBody,
        particles: std::ops::Range<u32>,
        (section, (stretch, bend)): ([f64; 2], ([f64; 3], [f64; 3])),
    ) {
        let model = &mut builder.model;
        let range = particles.start as usize..particles.end as usize;
        let points: Vec<Vec3<f64>> = model.particles.positions[range.clone()].iter().map(|&x| x.into()).collect();
        let lengths: Vec<f64> = points.windows(2).map(|ends| (ends[1] - ends[0]).length()).collect();
        let hint = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]].map(|axis| placed.transform.rotate(axis));
        let orientations = transported(&points, hint);

        // ρJl of each segment, or more, with the mass as it was shared out.
        let masses = model.planned_masses();
        let weights = &masses[range];
        let share = |i: usize| 0.5 * (lengths.get(i).unwrap_or(&0.0) + i.checked_sub(1).map_or(0.0, |i| lengths[i]));
        let free = weights.iter().enumerate().find(|(_, w)| **w > 0.0);
        let per_length = free.map_or(0.0, |(i, w)| 1.0 / (w * share(i)));
        let [a, b] = section;
        let inverse_inertia = |length: f64| {
            let inertia = per_length * length * ((a * a + b * b) / 4.0).max(LEAST_INERTIA * length * length);
            if inertia > 0.0 { 1.0 / inertia } else { 0.0 }
        };

        let clamped = [false, true].map(|last| self.clamps.iter().any(|clamp| clamp.last == last));
        let start = model.orientations.len() as u32;
        let spin = builder.scene.bodies[placed.index].angular_velocity;
        let all = &mut model.orientations;
        let mut push = |q: Quaternion, inverse_inertia: f64| {
            all.placed.push(q);
            all.angular_velocities.push(if inverse_inertia > 0.0 { spin } else { [0.0; 3] });
            all.inverse_inertias.push(inverse_inertia);
            all.bodies.push(placed.index as u32);
        };
        if clamped[0] {
            push(orientations[0], 0.0);
        }
        orientations.iter().zip(&lengths).for_each(|(&q, &length)| push(q, inverse_inertia(length)));
        if clamped[1] {
            push(orientations[orientations.len() - 1], 0.0);
        }

        let joint = |length: f64, rest: [f64; 3]| {
            let compliances = bend.map(|stiffness| length / stiffness);
            BendTwist { rest, compliances, length, curve: None }
        };
        let twisted = |[x, y, z]: [f64; 3], length: f64| match self.rest {
            RodRest::Straight => [0.0, 0.0, self.twist * length],
            RodRest::AsPlaced => [x, y, z + self.twist * length],
        };
        let wall = |length: f64| joint(0.5 * length, [0.0, 0.0, self.twist * 0.5 * length]);
        let inner = orientations.windows(2).zip(lengths.windows(2)).map(|(pair, lengths)| {
            let length = 0.5 * (lengths[0] + lengths[1]);
            let bending = rotation::vector(rotation::product(rotation::inverse(pair[0]), pair[1]));
            joint(length, twisted(bending, length))
        });
        let first = clamped[0].then(|| wall(lengths[0]));
        let last = clamped[1].then(|| wall(lengths[lengths.len() - 1]));
        let rod = model::Rod {
            particles,
            orientations: start..model.orientations.len() as u32,
            clamped,
            segments: lengths
                .iter()
                .map(|&length| Segment { length, compliances: stretch.map(|stiffness| length / stiffness) })
                .collect(),
            bends: first.into_iter().chain(inner).chain(last).collect(),
            damping: self.viscosity,
        };
        model.rods.push(rod);
    }
}

/// Gives the joints of the last rod their curves.
fn actuate(builder: &mut Builder, curves: &mut Curves, strand: u32) {
    let mut bends = builder.model.rods.last_mut().map(|rod| std::mem::take(&mut rod.bends)).unwrap_or_default();
    let mut along = 0.0;
    for joint in &mut bends {
        along += 0.5 * joint.length;
        joint.curve = Some(curves.at(builder, strand, along));
        along += 0.5 * joint.length;
    }
    if let Some(rod) = builder.model.rods.last_mut() {
        rod.bends = bends;
    }
}

/// An orientation for each segment, its third axis along it, turned from each to the next by the shortest way (Bishop,
/// There is More than One Way to Frame a Curve, 1975). The first axis of the first one is the first of the hints, as
/// far as it is across, or else the second.
fn transported(points: &[Vec3<f64>], hints: [[f64; 3]; 2]) -> Vec<Quaternion> {
    let tangent = |ends: &[Vec3<f64>]| (ends[1] - ends[0]).direction_and_length().0;
    let along = tangent(points);
    let across = |hint: [f64; 3]| {
        let hint = Vec3::from(hint);
        (hint - along * hint.dot(along)).direction_and_length()
    };
    let [(first, length), (second, _)] = hints.map(across);
    let axis = if length > 0.05 { first } else { second };
    let upright = rotation::between([0.0, 0.0, 1.0], along.into());
    let turned = Vec3::from(rotation::rotate(upright, [1.0, 0.0, 0.0]));
    let angle = turned.cross(axis).dot(along).atan2(turned.dot(axis));
    let start = rotation::product(rotation::about((along * angle).into()), upright);
    let mut all = vec![start];
    for corner in points.windows(3) {
        let turn = rotation::between(tangent(&corner[..2]).into(), tangent(&corner[1..]).into());
        all.push(rotation::product(turn, all[all.len() - 1]));
    }
    all
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::body::strand::keys::path;
    use crate::scene::toml::parts;
    use crate::scene::toml::read::{Result, Table, Value, choice, list, number, table, vector, whole};

    const ENDS: [(&str, bool); 2] = [("first", false), ("last", true)];

    impl Rod {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let example = "{ line = { from = [0, 0, 0], to = [0, -1, 0], segments = 20 } }";
            let mut rod = Rod::new(body.required("mesh", example, |value| path(value, folder))?, 0.0);
            rod.young_modulus = body.optional("young_modulus", number)?;
            body.set("strands", &mut rod.strands, whole)?;
            body.set("spacing", &mut rod.spacing, vector)?;
            rod.radii = body.optional("radii", radii)?;
            body.set("poisson_ratio", &mut rod.poisson_ratio, number)?;
            rod.shear_modulus = body.optional("shear_modulus", number)?;
            body.set("twist", &mut rod.twist, number)?;
            let rests = [("straight", RodRest::Straight), ("as placed", RodRest::AsPlaced)];
            body.set("rest", &mut rod.rest, |value| choice(value, &rests))?;
            rod.curvature = body.optional("curvature", Curvature::read)?;
            body.set("clamp", &mut rod.clamps, |value| list(value, clamp))?;
            body.set("viscosity", &mut rod.viscosity, number)?;
            Ok(rod)
        }
    }

    fn radii(value: Value) -> Result<[f64; 2]> {
        list(value, number)?.try_into().map_err(|_| value.wrong("two half axes, as in [0.01, 0.002]"))
    }

    /// `"first"`, or a table with what moves it.
    fn clamp(value: Value) -> Result<Clamp> {
        if !value.is_table() {
            return choice(value, &ENDS).map(Clamp::at);
        }
        let read = table(value)?;
        let last = read.required("end", "\"first\"", |value| choice(value, &ENDS))?;
        let motion = parts::led(&read, "position", Clamp::at(last).motion)?;
        read.finish()?;
        Ok(Clamp { last, motion })
    }
}
