//! A scene made of a mesh alone: an open surface falls as a cloth, a closed one as a soft solid, onto level ground.
//! What is made is the text of a scene, to save beside the mesh and to change.

use std::fmt::Write;
use std::path::Path as FilePath;

use super::error::{Path, SceneError};
use super::{Scene, check, toml};
use crate::mesh::{self, MeshError, TriangleMesh, bounds, unclosed};

/// What a mesh becomes in a scene of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshUse {
    /// A surface, open or closed.
    Cloth,
    /// A solid of its tetrahedra, or of those that fill a closed surface.
    Soft,
    /// A closed surface that holds its volume.
    Balloon,
    /// A surface that is rigid.
    Shape,
    /// A solid that stands on the ground, with a cloth that falls on it.
    Collider,
}

impl MeshUse {
    /// All there are.
    pub const ALL: [Self; 5] = [Self::Cloth, Self::Soft, Self::Balloon, Self::Shape, Self::Collider];

    /// As the command calls it: `cloth`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cloth => "cloth",
            Self::Soft => "soft",
            Self::Balloon => "balloon",
            Self::Shape => "shape",
            Self::Collider => "collider",
        }
    }
}

/// How the names of files end that have a surface, and of those that have tetrahedra.
const SURFACES: [&str; 5] = ["obj", "ply", "stl", "gltf", "glb"];
const TETRAHEDRA: [&str; 4] = ["node", "ele", "msh", "vtk"];

/// Meshes between these sizes are taken as they are, m; others are in other units.
const USUAL: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// How high above the ground something begins, in its own sizes.
const HEIGHT: f64 = 0.3;
/// Of a solid that lies on the ground: Young's modulus over the pressure of its weight, so that it gives way visibly
/// and keeps its shape.
const FIRMNESS: f64 = 30.0;
const SOLID_DENSITY: f64 = 1000.0;
const STANDARD_GRAVITY: f64 = 9.81;
/// Cells of a closed surface that is filled, along its longest side.
const CELLS: f64 = 16.0;
/// Elements that a wave may cross in a substep: with more the solid is softer than its material.
const MOST_CROSSED: f64 = 0.3;
const FRAME_RATE: f64 = 60.0;
/// Most substeps: what is too fine for them is made softer.
const MOST_SUBSTEPS: f64 = 100.0;

impl Scene {
    /// Whether [`Scene::open`] makes a scene of what has this name, as it ends like a mesh.
    pub fn is_mesh(path: &FilePath) -> bool {
        ends_in(path, &SURFACES) || ends_in(path, &TETRAHEDRA)
    }

    /// A scene of a mesh alone, on level ground. `as_what`: what the mesh becomes; left out, an open surface is a
    /// cloth, and a closed one or tetrahedra a soft solid. A mesh in other units than metres, by its size, is scaled by
    /// a power of ten. [`Scene::notes`] says what was chosen.
    ///
    /// # Errors
    /// If the file cannot be read, or cannot become what is asked for; with the place in the mesh.
    pub fn of_mesh(path: &FilePath, as_what: Option<MeshUse>) -> Result<Scene, SceneError> {
        let file = path.display().to_string();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| SceneError::file(&file, "its name is no text; rename it"))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let mesh = Subject::read(path)?;
        let what = mesh.becomes(as_what).map_err(|message| SceneError::file(&file, message))?;
        let text = mesh.scene(name, &stem, what);
        let mut scene = toml::parse(&text, &file, path.parent().unwrap_or(FilePath::new("")), &stem)?;
        let made = if what == MeshUse::Collider { "a cloth falls on it" } else { "it falls to the ground" };
        let what = if what == MeshUse::Soft { "soft solid" } else { what.name() };
        let remedy = format!("--as makes it something else, and `pliant scenes {file}` prints this scene");
        scene.notes.push(format!("{file}: {made}, as a {what}; {remedy}"));
        scene.notes.extend(mesh.scaling().map(|note| format!("{file}: {note}")));
        Ok(scene)
    }
}

fn ends_in(path: &FilePath, names: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| names.iter().any(|name| extension.eq_ignore_ascii_case(name)))
}

/// A mesh, measured. Lengths are the file's.
struct Subject {
    low: [f64; 3],
    high: [f64; 3],
    /// Mean length of its edges.
    edge: f64,
    /// Where a surface is open; `None` of closed ones.
    hole: Option<String>,
    is_solid: bool,
}

impl Subject {
    fn read(path: &FilePath) -> Result<Self, SceneError> {
        let refused = |error: MeshError| SceneError::new(&Path::ROOT, error.to_string());
        if ends_in(path, &TETRAHEDRA) {
            let mesh = mesh::read_tetrahedra(path).map_err(refused)?.mesh;
            return Ok(Self::measured(&mesh.positions, &mesh.edges(), None, true));
        }
        let mesh = mesh::read(path).map_err(refused)?.mesh;
        Ok(Self::measured(&mesh.positions, &mesh.edges(), hole(&mesh), false))
    }

    fn measured(positions: &[[f64; 3]], edges: &[[u32; 2]], hole: Option<String>, is_solid: bool) -> Self {
        let (low, high) = bounds(positions);
        let square = |a: [f64; 3], b: [f64; 3]| (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>();
        let length = |&[a, b]: &[u32; 2]| square(positions[a as usize], positions[b as usize]).sqrt();
        let edge = edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64;
        Self { low, high, edge, hole, is_solid }
    }

    /// What it can become, or why not what is asked for.
    fn becomes(&self, asked: Option<MeshUse>) -> Result<MeshUse, String> {
        match (asked, &self.hole) {
            (None, Some(_)) => Ok(MeshUse::Cloth),
            (None, None) => Ok(MeshUse::Soft),
            (Some(MeshUse::Soft), None) => Ok(MeshUse::Soft),
            (Some(asked), _) if self.is_solid => Err(format!(
                "tetrahedra become a soft solid, and no {}; give the surface as a file of its own (.obj, .ply, .stl, \
                 .glb)",
                asked.name()
            )),
            (Some(asked @ (MeshUse::Soft | MeshUse::Balloon | MeshUse::Collider)), Some(hole)) => Err(format!(
                "this is not a closed surface, as a {} must be: {hole}; close it, or use it as a cloth or a shape",
                if asked == MeshUse::Soft { "soft solid" } else { asked.name() }
            )),
            (Some(asked), _) => Ok(asked),
        }
    }

    /// Along the axes.
    fn size(&self) -> [f64; 3] {
        std::array::from_fn(|axis| self.high[axis] - self.low[axis])
    }

    /// The longest side; 1 of what has none.
    fn longest(&self) -> f64 {
        let longest = self.size().into_iter().fold(0.0, f64::max);
        if longest > 0.0 { longest } else { 1.0 }
    }

    /// What makes metres of the file's lengths.
    fn scale(&self) -> f64 {
        let longest = self.longest();
        if USUAL.contains(&longest) { 1.0 } else { 10f64.powi(-longest.log10().round() as i32) }
    }

    fn scaling(&self) -> Option<String> {
        let (longest, scale) = (self.longest(), self.scale());
        let [was, is, scale_shown] = [longest, scale * longest, scale].map(|value| check::display(rounded(value)));
        (scale != 1.0).then(|| {
            format!(
                "it is {was} m long by the numbers in the file, and was scaled by {scale_shown} to {is} m; for \
                     another size give scale in a scene"
            )
        })
    }

    /// The text of its scene.
    fn scene(&self, file: &str, name: &str, what: MeshUse) -> String {
        let scale = self.scale();
        let (longest, edge) = (scale * self.longest(), scale * self.edge);
        let rises = if what == MeshUse::Collider { 0.0 } else { HEIGHT * longest };
        let middle = |axis: usize| -0.5 * scale * (self.low[axis] + self.high[axis]);
        let place = [middle(0), rises - scale * self.low[1], middle(2)];
        let (file, name) = (quoted(file), quoted(name));
        let (substeps, body) = match what {
            MeshUse::Cloth => (20, cloth(&file, longest, edge)),
            MeshUse::Balloon => (30, balloon(&file, longest, edge)),
            MeshUse::Shape => (20, format!("mesh = {{ file = {file} }}\ndensity = 5.0 # kg/m²\nfriction = 0.5\n")),
            MeshUse::Soft => {
                let element = if self.is_solid { edge } else { longest / CELLS };
                let (substeps, young_modulus) = firmness(longest, element);
                let key = if self.is_solid { "file" } else { "surface" };
                (substeps, soft(&file, key, young_modulus))
            }
            MeshUse::Collider => (30, String::new()),
        };
        let mut text = format!("# {name}, as pliant takes it: save this beside the mesh to change it. y is up.\n");
        // Writing to a text does not fail.
        let _ = write!(text, "name = {name}\n\n[solver]\nsubsteps = {substeps}\n\n");
        let (position, factor) = (list(place, longest), number(scale));
        let _ = match what {
            MeshUse::Collider => {
                let top = scale * (self.high[1] - self.low[1]);
                write!(
                    text,
                    "[[collider]]\nshape = {{ mesh = {{ file = {file}, scale = {factor} }} }}\nposition = {position}\n\
                     friction = 0.4\n\n{}",
                    falling_cloth(longest, top)
                )
            }
            _ => write!(
                text,
                "[[body]]\nname = {name}\nkind = \"{}\"\n{body}scale = {factor}\nposition = {position}\n",
                what.name()
            ),
        };
        text + "\n[[collider]]\nshape = { plane = { normal = [0, 1, 0], offset = 0 } }\nfriction = 0.5\n"
    }
}

/// Where a surface is open, in words.
fn hole(mesh: &TriangleMesh) -> Option<String> {
    let (ends, fault) = unclosed(&mesh.triangles)?;
    let [from, to] = ends.map(|end| mesh.positions[end as usize].map(check::display).join(", "));
    Some(format!("the edge from [{from}] to [{to}] {fault}"))
}

/// So thick that it does not pass through itself, where its mesh is fine enough.
fn thickness(longest: f64, edge: f64) -> String {
    number((0.9 * edge).min(0.015 * longest))
}

fn cloth(file: &str, longest: f64, edge: f64) -> String {
    let thickness = thickness(longest, edge);
    format!(
        "mesh = {{ file = {file} }}\ndensity = 0.2 # kg/m²\nthickness = {thickness} # m\nself_collision = true\n\
         friction = 0.5\nstretch_compliance = 1e-6 # m/N\n\
         bend = {{ kind = \"dihedral\", compliance = 1e3 }} # 1/(N m)\n"
    )
}

fn balloon(file: &str, longest: f64, edge: f64) -> String {
    let thickness = thickness(longest, edge);
    format!(
        "mesh = {{ file = {file} }}\ndensity = 0.3 # kg/m²\nthickness = {thickness} # m\nfriction = 0.5\n\
         stretch_compliance = 1e-3 # m/N\n\
         bend = {{ kind = \"dihedral\", compliance = 20.0 }} # 1/(N m)\ndamping = 2.0\n"
    )
}

fn soft(file: &str, key: &str, young_modulus: f64) -> String {
    let young_modulus = number(young_modulus);
    format!(
        "mesh = {{ {key} = {file} }}\ndensity = {} # kg/m³\nyoung_modulus = {young_modulus} # Pa\npoisson_ratio = 0.4\n\
         friction = 0.5\ndamping = 2.0\n",
        number(SOLID_DENSITY)
    )
}

/// A square of cloth above what is so long and so high.
fn falling_cloth(longest: f64, height: f64) -> String {
    const CELLS: u32 = 96;
    let side = 1.6 * longest;
    let position = list([0.0, height + 0.1 * longest, -0.5 * side], longest);
    format!(
        "[[body]]\nname = \"cloth\"\nkind = \"cloth\"\n\
         mesh = {{ grid = {{ columns = {CELLS}, rows = {CELLS}, width = {side}, height = {side} }} }}\n\
         rotation = [-0.70710678, 0.0, 0.0, 0.70710678]\nposition = {position}\ndensity = 0.2 # kg/m²\n\
         thickness = {thickness} # m\nself_collision = true\nfriction = 0.4\nstretch_compliance = 1e-7 # m/N\n\
         shear_compliance = 1e-5\nbend = {{ kind = \"distance\", compliance = 5e-4 }}\n",
        thickness = number(0.9 * side / f64::from(CELLS - 1)),
        side = number(side),
    )
}

/// Substeps and Young's modulus, Pa, of a solid this long with elements of this size, m: it keeps its shape under its
/// weight, and no wave crosses more than a part of an element in a substep.
fn firmness(longest: f64, element: f64) -> (u32, f64) {
    let wanted = FIRMNESS * SOLID_DENSITY * STANDARD_GRAVITY * longest;
    let substeps = |modulus: f64| (modulus / SOLID_DENSITY).sqrt() / (MOST_CROSSED * element * FRAME_RATE);
    let softer = (MOST_SUBSTEPS / substeps(wanted)).min(1.0).powi(2);
    let modulus = rounded(wanted * softer);
    (substeps(modulus).ceil().clamp(10.0, MOST_SUBSTEPS) as u32, modulus)
}

/// To three digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

fn number(value: f64) -> String {
    check::display(rounded(value))
}

/// A place in a scene of this size, m.
fn list(place: [f64; 3], longest: f64) -> String {
    let digits = (4.0 - longest.log10().floor()).max(0.0) as usize;
    let number = |value: f64| format!("{value:.digits$}").trim_end_matches('0').trim_end_matches('.').to_string();
    format!("[{}]", place.map(number).join(", "))
}

/// As a text in TOML.
fn quoted(text: &str) -> String {
    let escape = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        letter if letter.is_control() => format!("\\u{:04X}", u32::from(letter)),
        letter => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

#[cfg(test)]
mod tests;
