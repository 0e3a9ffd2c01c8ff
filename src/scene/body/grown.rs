//! Strands that grow out of a surface.

use std::f64::consts::TAU;

use crate::math::Vec3;
use crate::math::random::Random;
use crate::math::rotation::{between, rotate};
use crate::mesh::TriangleMesh;
use crate::mesh::scatter::{Root, scatter};
use crate::plan::order::along_curve;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::Reading;
use crate::scene::mesh::{check_cells, check_size};
use crate::scene::{Mesh, Select, check};

/// Strands whose roots lie evenly on a surface. Each leaves it along its normal and then lies down the way it is
/// combed. As placed, they are as they grow.
///
/// ```
/// use pliant::scene::{Body, Curl, Ground, Grown, Rod, Scene, Sphere};
///
/// let head = Sphere { radius: 0.1, segments: 24 };
/// let curls = Grown { curl: Some(Curl { radius: 0.004, pitch: 0.02 }), ..Grown::new(head, 0.12, 24) };
/// let hair = Rod::new(curls, 1e9).as_placed().clamp(false).strands(200, [0.0; 3]);
/// let model = Scene::new("curls").with(Body::rod(hair).radius(5e-4)).build()?.model;
/// assert_eq!((model.rods.len(), model.particles.len()), (200, 200 * 25));
/// # Ok::<(), pliant::scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grown {
    /// The surface.
    pub on: Ground,
    /// The least and the largest length of a strand's middle line, m, above 0.
    pub lengths: [f64; 2],
    /// Of each strand, at least 1.
    pub segments: u32,
    /// Where roots may lie: in a box or a ball, in the coordinates of the surface, which are those before the body's
    /// transform, or of a body as it is placed. Left out: everywhere.
    pub within: Option<Select>,
    /// Where they are combed to, before the body's transform: at its end a strand goes along the normal and so much of
    /// the surface's plane. 0 lets them stand.
    pub comb: [f64; 3],
    /// How they curl about their middle lines.
    pub curl: Option<Curl>,
    /// Another one lets other roots grow.
    pub seed: u64,
}

/// Where strands grow.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    /// On a surface of their own, which nobody sees, before the body's transform.
    Mesh(Mesh),
    /// On the surface of a body that comes before, as it is placed.
    Body(String),
}

/// A screw about the middle line of a strand, which begins there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curl {
    /// m, at least 0.
    pub radius: f64,
    /// Length of the middle line for one turn, m, above 0.
    pub pitch: f64,
}

impl<M: Into<Mesh>> From<M> for Ground {
    fn from(mesh: M) -> Self {
        Ground::Mesh(mesh.into())
    }
}

impl Grown {
    /// Straight ones that stand, all of one length, m.
    pub fn new(on: impl Into<Ground>, length: f64, segments: u32) -> Self {
        let on = on.into();
        Self { on, lengths: [length; 2], segments, within: None, comb: [0.0; 3], curl: None, seed: 0 }
    }

    /// The body on which they grow.
    pub(super) fn body(&self) -> Option<&str> {
        if let Ground::Body(name) = &self.on { Some(name) } else { None }
    }

    /// The points of so many strands, one after another. `at` is the place of the strands' path.
    pub(super) fn points(&self, at: &Path, strands: u32, reading: &mut Reading) -> Result<Vec<[f64; 3]>, SceneError> {
        let at = at.key("grown");
        check_cells(&at.key("segments"), self.segments, 1)?;
        check_size(&at, &[(self.segments, strands)])?;
        let [least, most] = self.lengths.map(|length| check::number(&at.key("length"), length, &check::LENGTH));
        let [least, most] = [least?, most?];
        if most < least {
            let message = "has the larger number first; give the least length, then the largest";
            return Err(SceneError::key(&at.key("length"), message));
        }
        let comb = check::vector(&at.key("comb"), self.comb, &check::COORDINATE)?;
        let curl = self.curl.map(|curl| check_curl(&at.key("curl"), curl)).transpose()?;
        let surface = match &self.on {
            Ground::Mesh(mesh) => mesh.surface(&at.key("on"), reading)?,
            Ground::Body(_) => std::mem::take(&mut reading.ground),
        };
        let roots = self.roots(&at, &surface, strands as usize)?;
        let mut random = Random(self.seed ^ 0x5f5f_5f5f);
        let grow = |root: &Root| {
            let length = least + (most - least) * random.share();
            let middle = middle_line(root, comb.into(), length / f64::from(self.segments), self.segments);
            let phase = TAU * random.share();
            curl.map_or(middle.clone(), |curl| curled(&middle, root, curl, phase))
        };
        Ok(roots.iter().flat_map(grow).map(<[f64; 3]>::from).collect())
    }

    /// Neighbours follow one another, so that the hairs drawn between two lie where hair is.
    fn roots(&self, at: &Path, surface: &TriangleMesh, strands: usize) -> Result<Vec<Root>, SceneError> {
        let at_within = at.key("within");
        self.within.as_ref().map_or(Ok(()), |within| check_within(&at_within, within))?;
        let inside = |x: [f64; 3]| match &self.within {
            Some(Select::Sphere { centre, radius }) => (Vec3::from(x) - Vec3::from(*centre)).length() <= *radius,
            Some(Select::Box { min, max }) => (0..3).all(|axis| (min[axis]..=max[axis]).contains(&x[axis])),
            Some(Select::Names(_) | Select::Indices(_)) => false,
            None => true,
        };
        let roots = scatter(surface, strands, self.seed, inside).ok_or_else(|| {
            let message = "holds nothing of the surface, or too little to find; move it, or make it larger";
            SceneError::key(if self.within.is_some() { &at_within } else { at }, message)
        })?;
        let positions: Vec<[f64; 3]> = roots.iter().map(|root| root.position).collect();
        Ok(along_curve(&positions).into_iter().map(|root| roots[root as usize]).collect())
    }
}

fn check_within(at: &Path, within: &Select) -> Result<(), SceneError> {
    match within {
        Select::Sphere { centre, radius } => {
            check::vector(&at.key("sphere").index(0), *centre, &check::COORDINATE)?;
            check::number(&at.key("sphere").index(1), *radius, &check::LENGTH)?;
        }
        Select::Box { min, max } => {
            check::vector(&at.key("box").index(0), *min, &check::COORDINATE)?;
            check::vector(&at.key("box").index(1), *max, &check::COORDINATE)?;
        }
        Select::Names(_) | Select::Indices(_) => {
            let message = "must be a box or a ball: { box = [min, max] } or { sphere = [centre, radius] }";
            return Err(SceneError::key(at, message));
        }
    }
    Ok(())
}

fn check_curl(at: &Path, curl: Curl) -> Result<Curl, SceneError> {
    check::number(&at.key("radius"), curl.radius, &check::RADIUS)?;
    check::number(&at.key("pitch"), curl.pitch, &check::LENGTH)?;
    Ok(curl)
}

/// Points so far apart from the root on, which turn from its normal towards where it is combed.
fn middle_line(root: &Root, comb: Vec3<f64>, step: f64, segments: u32) -> Vec<Vec3<f64>> {
    let normal = Vec3::from(root.normal);
    let combed = comb - normal * normal.dot(comb);
    let mut points = vec![Vec3::from(root.position)];
    for i in 0..segments {
        let share = (f64::from(i) + 0.5) / f64::from(segments);
        let (direction, _) = (normal + combed * share).direction_and_length();
        points.push(points[points.len() - 1] + direction * step);
    }
    points
}

/// A screw about a middle line, which leaves it in the course of its first turn.
fn curled(middle: &[Vec3<f64>], root: &Root, curl: Curl, phase: f64) -> Vec<Vec3<f64>> {
    let mut along = Vec3::from(root.normal);
    let aside = if along.x.abs() < 0.7 { Vec3::axis(0) } else { Vec3::axis(1) };
    let (mut across, _) = along.cross(aside).direction_and_length();
    let mut points = vec![middle[0]];
    let mut way = 0.0;
    for ends in middle.windows(2) {
        let (direction, length) = (ends[1] - ends[0]).direction_and_length();
        across = rotate(between(along.into(), direction.into()), across.into()).into();
        (along, way) = (direction, way + length);
        let turns = way / curl.pitch;
        let (sin, cos) = (phase + TAU * turns).sin_cos();
        points.push(ends[1] + (across * cos + along.cross(across) * sin) * (curl.radius * turns.min(1.0)));
    }
    points
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::toml::mesh::mesh;
    use crate::scene::toml::parts::selection;
    use crate::scene::toml::read::{Result, Table, Value, list, number, table, text, vector, whole};

    impl Grown {
        /// Reads `{ on = "head", length = 0.1, segments = 16 }`.
        pub(in crate::scene::body) fn read(grown: &Table, folder: &FilePath) -> Result<Self> {
            let on =
                grown.required("on", "{ sphere = { radius = 0.1, segments = 24 } }", |value| ground(value, folder))?;
            let lengths = grown.required("length", "0.1", lengths)?;
            let mut read = Grown { lengths, ..Grown::new(on, 0.0, grown.required("segments", "16", whole)?) };
            read.within = grown.optional("within", |value| selection(&table(value)?))?;
            grown.set("comb", &mut read.comb, vector)?;
            read.curl = grown.optional("curl", curl)?;
            read.seed = grown.optional("seed", whole)?.unwrap_or(0).into();
            Ok(read)
        }
    }

    fn ground(value: Value, folder: &FilePath) -> Result<Ground> {
        if value.is_text() { text(value).map(Ground::Body) } else { mesh(value, folder).map(Ground::Mesh) }
    }

    /// `0.1`, or `[0.08, 0.12]`.
    fn lengths(value: Value) -> Result<[f64; 2]> {
        if value.is_number() {
            return Ok([number(value)?; 2]);
        }
        list(value, number)?
            .try_into()
            .map_err(|_| value.wrong("a length, or the least and the largest, as in [0.1, 0.12]"))
    }

    fn curl(value: Value) -> Result<Curl> {
        let read = table(value)?;
        let curl =
            Curl { radius: read.required("radius", "0.004", number)?, pitch: read.required("pitch", "0.02", number)? };
        read.finish()?;
        Ok(curl)
    }
}
