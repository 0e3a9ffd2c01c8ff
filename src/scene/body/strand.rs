//! Strands: ropes, hair and strips.

use super::{Bend, Body, BodyKind, Content, Grown, Part};
use crate::math::Vec3;
use crate::mesh::curve::{Curve, Helix};
use crate::mesh::generate::Line;
use crate::model::{Finish, Material, Mode};
use crate::scene::check;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, DISTANCE, Extent, Local, PlacedBody, Reading, push};
use crate::scene::mesh::{check_cells, check_size};

/// The kinds that resist the bending of a strand.
const BENDS: [&str; 3] = [DISTANCE, "angle", "spatial_angle"];

/// Particles one after another, held together by distances, and by angles or distances across where they bend.
#[derive(Clone, Debug, PartialEq)]
pub struct Strand {
    /// What it is for.
    pub kind: StrandKind,
    /// Where its particles lie.
    pub path: StrandPath,
    /// How many such strands there are, one after another in the body's particles; at least 1.
    pub strands: u32,
    /// From each strand to the next, m, before the body's transform.
    pub spacing: [f64; 3],
    /// Inverse stiffness of each segment, m/N, at least 0; left out: by the body's material, or rigid.
    pub stretch_compliance: Option<f64>,
    /// Left out: it bends freely.
    pub bend: Option<Bend>,
    /// PBD mode: share of the error of each segment that an iteration removes, 0 to 1.
    pub stretch_stiffness: f64,
    /// The same of each bend.
    pub bend_stiffness: f64,
}

/// What a strand is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrandKind {
    /// Free.
    Rope,
    /// The first two particles of each strand are fixed: its root, and the direction in which it grows.
    Hair,
    /// Kept in its plane, that of x and y before the body's transform.
    Strip,
}

/// Where the particles of a strand lie.
#[derive(Clone, Debug, PartialEq)]
pub enum StrandPath {
    /// Along a straight line.
    Line(Line),
    /// Along a smooth curve through points.
    Curve(Curve),
    /// Along a screw.
    Helix(Helix),
    /// As listed, m: at least 2.
    Points(Vec<[f64; 3]>),
    /// Out of a surface, each strand somewhere else.
    Grown(Box<Grown>),
}

impl Strand {
    /// One strand of rigid segments that bends freely.
    pub fn new(kind: StrandKind, path: impl Into<StrandPath>) -> Self {
        Self {
            kind,
            path: path.into(),
            strands: 1,
            spacing: [0.0; 3],
            stretch_compliance: None,
            bend: None,
            stretch_stiffness: 1.0,
            bend_stiffness: 1.0,
        }
    }
    /// Inverse stiffness of each segment, m/N, at least 0; 0 is rigid, raising it softens.
    pub fn stretch(self, compliance: f64) -> Self {
        Self { stretch_compliance: Some(compliance), ..self }
    }
    /// Resists bending by a kind of constraint: `distance` (m/N), `angle` in its plane or `spatial_angle` (1/(N m)).
    pub fn bend(self, kind: impl Into<String>, compliance: f64) -> Self {
        Self { bend: Some(Bend { kind: kind.into(), compliance }), ..self }
    }
    /// So many strands, each moved by this from the one before, m.
    pub fn strands(self, strands: u32, spacing: [f64; 3]) -> Self {
        Self { strands, spacing, ..self }
    }
}

impl From<Line> for StrandPath {
    fn from(line: Line) -> Self {
        StrandPath::Line(line)
    }
}
impl From<Curve> for StrandPath {
    fn from(curve: Curve) -> Self {
        StrandPath::Curve(curve)
    }
}
impl From<Helix> for StrandPath {
    fn from(helix: Helix) -> Self {
        StrandPath::Helix(helix)
    }
}
impl From<Grown> for StrandPath {
    fn from(grown: Grown) -> Self {
        StrandPath::Grown(Box::new(grown))
    }
}
impl From<Vec<[f64; 3]>> for StrandPath {
    fn from(points: Vec<[f64; 3]>) -> Self {
        StrandPath::Points(points)
    }
}

impl Body {
    /// Rope, hair or a strip.
    pub fn strand(strand: Strand) -> Self {
        Self::new(Content::Strand(strand))
    }
}

impl BodyKind for Strand {
    fn extent(&self) -> Extent {
        Extent::Length
    }

    fn local(&self, at: &Path, _: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        self.path.local(at, self.strands, self.spacing, reading)
    }

    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        self.fix_roots(builder, placed);
        self.resist_stretch(builder, placed)?;
        self.resist_bending(builder, placed)
    }

    fn material_keys(&self) -> Result<Vec<(&'static str, Option<f64>)>, &'static str> {
        Ok(vec![("stretch_compliance", self.stretch_compliance)])
    }

    fn bend(&self) -> Option<&Bend> {
        self.bend.as_ref()
    }

    fn grows_on(&self) -> Option<&str> {
        self.path.grows_on()
    }

    fn parts(&self, _: Mode) -> Vec<Part> {
        let compliance = self.stretch_compliance.unwrap_or(0.0);
        let stretch = Part { name: "stretch", compliance, stiffness: self.stretch_stiffness };
        let bend = |bend: &Bend| Part { name: "bend", compliance: bend.compliance, stiffness: self.bend_stiffness };
        [stretch].into_iter().chain(self.bend.as_ref().map(bend)).collect()
    }

    fn is_planar(&self) -> bool {
        self.kind == StrandKind::Strip
    }

    fn look(&self) -> Finish {
        match self.kind {
            StrandKind::Hair => Finish::Hair,
            StrandKind::Strip => Finish::Paper,
            StrandKind::Rope => Finish::Cloth,
        }
    }
}

impl Strand {
    /// Fixes the first two particles of each hair.
    fn fix_roots(&self, builder: &mut Builder, placed: &PlacedBody) {
        let PlacedBody { first, local, .. } = *placed;
        let each = local.strand.unwrap_or(0);
        if self.kind == StrandKind::Hair && each > 0 {
            for p in (0..local.mesh.positions.len() as u32).filter(|p| p % each < 2) {
                builder.model.particles.inverse_masses[(first + p) as usize] = 0.0;
                builder.model.particles.velocities[(first + p) as usize] = [0.0; 3];
            }
        }
    }

    fn resist_stretch(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, preset, .. } = *placed;
        let compliance = self.stretch_compliance.unwrap_or(0.0);
        let compliance = check::number(&at.key("stretch_compliance"), compliance, &check::COMPLIANCE)?;
        let stiffness = check::number(&at.key("stretch_stiffness"), self.stretch_stiffness, &check::SHARE)?;
        let group = builder.kind(at, DISTANCE, 2)?;
        let begin = builder.distance_count();
        for ends in local.runs::<2>().map(|ends| ends.map(|p| first + p)) {
            let [a, b] = ends.map(|p| Vec3::from(builder.model.particles.positions[p as usize]));
            let compliance = preset.map_or(compliance, |preset| preset.segment((b - a).length()));
            let material = builder.model.materials.insert(Material { compliance, stiffness, ..Material::default() });
            push(&mut builder.model.groups[group], &builder.model.particles, &ends, material, |_| None);
        }
        builder.stretches(begin);
        Ok(())
    }

    fn resist_bending(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, .. } = *placed;
        let stiffness = check::number(&at.key("bend_stiffness"), self.bend_stiffness, &check::SHARE)?;
        let Some(bend) = &self.bend else { return Ok(()) };
        let at = at.key("bend");
        let (kind, compliance) = bend.check(&at, BENDS)?;
        let material = Material { compliance, stiffness, ..Material::default() };
        let runs = local.runs::<3>();
        match kind {
            DISTANCE => builder.constraints(&at, (kind, first, material), runs.map(|[a, _, c]| [a, c])),
            _ => builder.constraints(&at, (kind, first, material), runs),
        }
    }
}

impl StrandPath {
    /// The body on which strands grow, if they do on one.
    pub(super) fn grows_on(&self) -> Option<&str> {
        if let StrandPath::Grown(grown) = self { grown.body() } else { None }
    }

    /// The particles of so many strands, each moved by the spacing from the one before, m. `at` is the body.
    pub(super) fn local(
        &self,
        at: &Path,
        strands: u32,
        spacing: [f64; 3],
        reading: &mut Reading,
    ) -> Result<Local, SceneError> {
        check_cells(&at.key("strands"), strands, 1)?;
        let (at_mesh, at_spacing) = (at.key("mesh"), at.key("spacing"));
        let spacing = check::vector(&at_spacing, spacing, &check::COORDINATE)?;
        if let StrandPath::Grown(grown) = self {
            if spacing != [0.0; 3] {
                let message = "moves strands from one to the next, and these grow each by itself; remove it";
                return Err(SceneError::key(&at_spacing, message));
            }
            return Ok(Local::strands(grown.points(&at_mesh, strands, reading)?, grown.segments + 1));
        }
        let path = self.points(&at_mesh)?;
        check_size(at, &[(path.len() as u32, strands)])?;
        let moved = |i: u32| path.iter().map(move |x| std::array::from_fn(|k| x[k] + spacing[k] * f64::from(i)));
        Ok(Local::strands((0..strands).flat_map(moved).collect(), path.len() as u32))
    }

    /// Those of one strand. `at` is the path.
    fn points(&self, at: &Path) -> Result<Vec<[f64; 3]>, SceneError> {
        let (key, points) = match self {
            StrandPath::Line(line) => ("line", check_line(&at.key("line"), line).map(|()| line.positions())?),
            StrandPath::Curve(curve) => ("curve", check_curve(&at.key("curve"), curve).map(|()| curve.points())?),
            StrandPath::Helix(helix) => ("helix", check_helix(&at.key("helix"), helix).map(|()| helix.points())?),
            StrandPath::Points(points) => ("points", points.clone()),
            StrandPath::Grown(_) => ("grown", Vec::new()),
        };
        check_points(&at.key(key), &points)?;
        Ok(points)
    }
}

fn check_line(at: &Path, line: &Line) -> Result<(), SceneError> {
    check::vector(&at.key("from"), line.from, &check::COORDINATE)?;
    check::vector(&at.key("to"), line.to, &check::COORDINATE)?;
    check_cells(&at.key("segments"), line.segments, 1)?;
    check_size(at, &[(line.segments, 1)])
}

fn check_curve(at: &Path, curve: &Curve) -> Result<(), SceneError> {
    check_points(&at.key("through"), &curve.through)?;
    check_cells(&at.key("segments"), curve.segments, 1)?;
    check_size(at, &[(curve.segments, 1)])
}

fn check_helix(at: &Path, helix: &Helix) -> Result<(), SceneError> {
    check::number(&at.key("radius"), helix.radius, &check::LENGTH)?;
    check::number(&at.key("pitch"), helix.pitch, &check::COORDINATE)?;
    check::number(&at.key("turns"), helix.turns, &check::LENGTH)?;
    check_cells(&at.key("segments"), helix.segments, 1)?;
    check_size(at, &[(helix.segments, 1)])
}

/// Refuses fewer than two points, and two neighbours in one place: a segment needs a length.
fn check_points(at: &Path, points: &[[f64; 3]]) -> Result<(), SceneError> {
    for (index, point) in points.iter().enumerate() {
        check::vector(&at.index(index), *point, &check::COORDINATE)?;
    }
    if points.len() < 2 {
        return Err(SceneError::new(at, format!("has {} points; a strand needs at least two", points.len())));
    }
    match points.windows(2).position(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(index) => {
            let message = format!("points {index} and {} are in one place; a segment needs a length", index + 1);
            Err(SceneError::new(at, message))
        }
    }
}

#[cfg(feature = "scene-files")]
pub(super) mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::body::bend;
    use crate::scene::toml::read::{Result, Table, Value, list, number, table, vector, whole};

    impl Strand {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(kind: StrandKind, body: &Table, folder: &FilePath) -> Result<Self> {
            let example = "{ line = { from = [0, 0, 0], to = [0, -1, 0], segments = 20 } }";
            let mut strand = Strand::new(kind, body.required("mesh", example, |value| path(value, folder))?);
            body.set("strands", &mut strand.strands, whole)?;
            body.set("spacing", &mut strand.spacing, vector)?;
            strand.stretch_compliance = body.optional("stretch_compliance", number)?;
            strand.bend = body.optional("bend", bend::read)?;
            body.set("stretch_stiffness", &mut strand.stretch_stiffness, number)?;
            body.set("bend_stiffness", &mut strand.bend_stiffness, number)?;
            Ok(strand)
        }
    }

    pub(in crate::scene::body) fn path(value: Value, folder: &FilePath) -> Result<StrandPath> {
        let mesh = table(value)?;
        let (name, value) = mesh.variant(&["line", "curve", "helix", "points", "grown"])?;
        mesh.finish()?;
        if name == "points" {
            return list(value, vector).map(StrandPath::Points);
        }
        let shape = table(value)?;
        let path = match name {
            "line" => StrandPath::Line(Line {
                from: shape.required("from", "[0, 0, 0]", vector)?,
                to: shape.required("to", "[0, -1, 0]", vector)?,
                segments: shape.required("segments", "20", whole)?,
            }),
            "helix" => StrandPath::Helix(Helix {
                radius: shape.required("radius", "0.1", number)?,
                pitch: shape.required("pitch", "0.05", number)?,
                turns: shape.required("turns", "5", number)?,
                segments: shape.required("segments", "100", whole)?,
            }),
            "grown" => Grown::read(&shape, folder)?.into(),
            _ => StrandPath::Curve(Curve {
                through: shape.required("through", "[[0, 0, 0], [1, 0, 0], [1, 1, 0]]", |value| list(value, vector))?,
                segments: shape.required("segments", "20", whole)?,
            }),
        };
        shape.finish()?;
        Ok(path)
    }
}
