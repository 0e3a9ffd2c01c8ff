//! What a scene says of ropes, hair and strips.

use super::Bend;
use crate::mesh::curve::Curve;
use crate::mesh::generate::Line;

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
    /// As listed, m: at least 2.
    Points(Vec<[f64; 3]>),
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
impl From<Vec<[f64; 3]>> for StrandPath {
    fn from(points: Vec<[f64; 3]>) -> Self {
        StrandPath::Points(points)
    }
}

/// One-sided attachments of each particle to the pins that are nearest along the mesh: they keep what hangs from
/// stretching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tethers {
    /// Inverse stiffness of each, m/N, at least 0.
    pub compliance: f64,
    /// The way along the mesh is multiplied by it: at least 1; 1.05 allows a stretch of 5 %.
    pub slack: f64,
    /// How many pins each particle is tied to, 1 to 8.
    pub nearest: u32,
}

impl Default for Tethers {
    fn default() -> Self {
        Self { compliance: 0.0, slack: 1.0, nearest: 1 }
    }
}
