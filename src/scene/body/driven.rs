//! Driven bodies: surfaces that follow an animation, and that nothing else moves.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use super::{Body, BodyKind, Content};
use crate::math::Vec3;
use crate::mesh::{TriangleMesh, bounds};
use crate::model;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, Extent, Local, PlacedBody, Reading, Samples};
use crate::scene::{Mesh, check};

/// The first and the last sample of what repeats differ by at most this share of its size.
const CLOSED: f64 = 1e-3;

/// A surface whose vertices follow an animation. They are fixed: they push what they touch and drag it along, and
/// nothing moves them. Between two samples each vertex goes straight, at the speed that this takes. Before its start
/// the body stands in its first pose, and after its end in the last one.
///
/// ```
/// use pliant::scene::{Animation, Body, Driven, Grid, Scene};
///
/// // A plate of 1 m that slides by 2 m in a second.
/// let plate = Grid { columns: 2, rows: 2, width: 1.0, height: 1.0 };
/// let corners = [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [-0.5, -1.0, 0.0], [0.5, -1.0, 0.0]];
/// let samples = [0.0, 2.0].map(|way| corners.map(|[x, y, z]| [x + way, y, z]).to_vec()).to_vec();
/// let driven = Driven::new(Animation::Samples { positions: samples, rate: 1.0 }).mesh(plate);
/// let model = Scene::new("a sliding plate").with(Body::driven(driven)).build()?.model;
/// assert_eq!(model.animations[0].at(0.5).next(), Some([1.0, 0.0, 0.0]));
/// # Ok::<(), pliant::scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Driven {
    /// Where its triangles come from. Left out: from the glTF file of the animation.
    pub mesh: Option<Mesh>,
    /// Where its vertices are over time.
    pub animation: Animation,
    /// Whether the animation begins anew at its end.
    pub repeats: bool,
    /// How many times faster than recorded it goes, above 0.
    pub speed: f64,
    /// When it begins, s, at least 0.
    pub start: f64,
}

/// Where the vertices of a driven body are over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Animation {
    /// A PC2 point cache, or a glTF or GLB file with bones, moved nodes or morph targets; read by
    /// [`Scene::build`](crate::scene::Scene::build). Needs the feature `mesh-files`.
    File {
        /// Its name ends in `.pc2`, `.gltf` or `.glb`.
        path: PathBuf,
        /// What is in a glTF file that is not to be read; `None` to read it.
        content: Option<Arc<[u8]>>,
        /// The name of the animation in a glTF file; left out: the only one.
        clip: Option<String>,
        /// Frames per second of a point cache, Hz, above 0; left out: those of the scene. A glTF file has times of its
        /// own.
        frame_rate: Option<f64>,
    },
    /// Samples as they are.
    Samples {
        /// Of each sample the position of each vertex of the mesh before the body's transform, m.
        positions: Vec<Vec<[f64; 3]>>,
        /// Samples per second, Hz, above 0.
        rate: f64,
    },
}

impl Driven {
    /// Begins at once, goes as fast as recorded, and ends.
    pub fn new(animation: Animation) -> Self {
        Self { mesh: None, animation, repeats: false, speed: 1.0, start: 0.0 }
    }
    /// Where its triangles come from.
    pub fn mesh(self, mesh: impl Into<Mesh>) -> Self {
        Self { mesh: Some(mesh.into()), ..self }
    }
    /// Begins anew at its end.
    pub fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }
    /// So many times faster than recorded.
    pub fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }
    /// Begins at this time, s.
    pub fn start(self, start: f64) -> Self {
        Self { start, ..self }
    }

    /// Its triangles and where its vertices are. `at` is the body; `frame_rate` that of the scene, Hz.
    fn sampled(
        &self,
        at: &Path,
        frame_rate: f64,
        reading: &mut Reading,
    ) -> Result<(TriangleMesh, Samples), SceneError> {
        let at_animation = at.key("animation");
        match &self.animation {
            Animation::Samples { positions, rate } => {
                let mesh = self.surface(at, reading)?;
                Ok((mesh.clone(), given(&at_animation, positions, *rate, mesh.positions.len())?))
            }
            Animation::File { path, clip, frame_rate: own, .. } if is_cache(path) => {
                if clip.is_some() {
                    let message = "applies to glTF files, and a point cache has no clips; remove it";
                    return Err(SceneError::key(&at_animation.key("clip"), message));
                }
                let rate =
                    check::number(&at_animation.key("frame_rate"), own.unwrap_or(frame_rate), &check::FRAME_RATE)?;
                let mesh = self.surface(at, reading)?;
                let samples = reading.point_cache(&at_animation.key("file"), path, mesh.positions.len(), rate)?;
                Ok((mesh, samples))
            }
            Animation::File { path, content, clip, frame_rate: own } => {
                if own.is_some() {
                    let message = "applies to point caches, and a glTF file has times of its own; remove it";
                    return Err(SceneError::key(&at_animation.key("frame_rate"), message));
                }
                if self.mesh.as_ref().is_some_and(|mesh| *mesh != Mesh::File(path.clone())) {
                    let message = "is another one than that of the glTF file of the animation; remove it";
                    return Err(SceneError::key(&at.key("mesh"), message));
                }
                let file = (path.as_path(), content.as_deref());
                reading.clip(&at_animation.key("file"), file, clip.as_deref(), frame_rate / self.speed)
            }
        }
    }

    /// Gives the animation the content of its file, if it is one of these.
    #[cfg(feature = "scene-files")]
    pub(super) fn embed(&mut self, files: &[(&str, &[u8])]) {
        if let Animation::File { path, content, .. } = &mut self.animation {
            let known = files.iter().find(|(name, _)| path.as_path() == FilePath::new(name));
            *content = known.map(|(_, bytes)| Arc::from(*bytes));
        }
    }

    fn surface(&self, at: &Path, reading: &mut Reading) -> Result<TriangleMesh, SceneError> {
        let at = at.key("mesh");
        let Some(mesh) = &self.mesh else {
            let message = "is missing: only a glTF file has the mesh beside its animation; add mesh = { file = \
                 \"dancer.obj\" }";
            return Err(SceneError::new(&at, message));
        };
        mesh.surface(&at, reading)
    }
}

impl Body {
    /// A surface that follows an animation.
    pub fn driven(driven: Driven) -> Self {
        Self::new(Content::Driven(driven))
    }
}

impl BodyKind for Driven {
    fn extent(&self) -> Extent {
        Extent::Area
    }

    fn local(&self, at: &Path, body: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        refuse_what_moves(at, body)?;
        check::number(&at.key("speed"), self.speed, &check::PLAYBACK)?;
        check::number(&at.key("start"), self.start, &check::START)?;
        let (mesh, samples) = self.sampled(at, reading.frame_rate, reading)?;
        if mesh.triangles.is_empty() {
            return Err(SceneError::new(&at.key("mesh"), "has no triangles; give it some"));
        }
        Ok(Local::driven(mesh, samples))
    }

    /// The animation of its particles, which touch nothing of their own body.
    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        let body = &mut builder.model.bodies[placed.index];
        body.self_collision = false;
        let (range, at) = (body.particles.clone(), placed.at.key("animation"));
        let Some(samples) = &placed.local.samples else { return Ok(()) };
        let count = range.len();
        let mut positions = samples.positions.clone();
        for (index, sample) in positions.chunks_exact_mut(count).enumerate() {
            let in_sample = |error: SceneError| SceneError::new(&at, format!("sample {index}: {}", error.message));
            placed.transform.apply(&at, sample).map_err(in_sample)?;
        }
        if self.repeats {
            builder.notes.extend(note_on_jump(&at, &positions, count));
        }
        let first = positions[..count].to_vec();
        let way = |(place, from): (&[f64; 3], &[f64; 3])| std::array::from_fn(|i| place[i] - from[i]);
        builder.model.animations.push(model::Animation {
            particles: range.collect(),
            displacements: positions.iter().zip(first.iter().cycle()).map(way).collect(),
            turns: [].into(),
            rate: samples.rate * self.speed,
            start: self.start,
            repeats: self.repeats,
        });
        Ok(())
    }
}

fn is_cache(path: &FilePath) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pc2"))
}

/// Samples that the scene lists.
fn given(at: &Path, positions: &[Vec<[f64; 3]>], rate: f64, vertices: usize) -> Result<Samples, SceneError> {
    let rate = check::number(&at.key("rate"), rate, &check::FRAME_RATE)?;
    let at = at.key("positions");
    if positions.is_empty() {
        return Err(SceneError::new(&at, "is empty; list at least one sample"));
    }
    for (index, sample) in positions.iter().enumerate() {
        check::length(&at.index(index), sample.len(), vertices, "vertices")?;
    }
    Ok(Samples { positions: positions.concat(), rate })
}

/// Refuses what is meant for bodies that move by themselves.
fn refuse_what_moves(at: &Path, body: &Body) -> Result<(), SceneError> {
    let given = [
        ("mass", body.mass.is_some()),
        ("density", body.density.is_some()),
        ("material", body.material.is_some()),
        ("velocity", body.velocity != [0.0; 3]),
        ("angular_velocity", body.angular_velocity != [0.0; 3]),
        ("damping", body.damping > 0.0),
        ("drag", body.drag > 0.0),
        ("lift", body.lift > 0.0),
        ("pin", !body.pins.is_empty()),
        ("tether", body.tether.is_some()),
        ("planar", body.planar),
        ("constraint", !body.constraints.is_empty()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((key, _)) => {
            let message = "does not apply to a driven body, which only its animation moves; remove it";
            Err(SceneError::key(&at.key(key), message))
        }
        None => Ok(()),
    }
}

/// Notes that an animation that begins anew does not end where it begins.
fn note_on_jump(at: &Path, positions: &[[f64; 3]], count: usize) -> Option<String> {
    let (first, last) = (&positions[..count], &positions[positions.len() - count..]);
    let gap = |(a, b): (&[f64; 3], &[f64; 3])| (Vec3::from(*a) - Vec3::from(*b)).length();
    let jump = first.iter().zip(last).map(gap).fold(0.0, f64::max);
    let (low, high) = bounds(first);
    let size = (Vec3::from(high) - Vec3::from(low)).length();
    (jump > CLOSED * size).then(|| {
        let note = format!(
            "begins anew with a jump of {} m, because its last pose is not its first; end it in its first pose, or \
             remove `loop`",
            check::display(jump)
        );
        SceneError::new(at, note).to_string()
    })
}

#[cfg(feature = "scene-files")]
mod keys {
    use super::*;
    use crate::scene::toml::mesh::mesh;
    use crate::scene::toml::read::{Result, Table, Value, number, table, text, truth};

    impl Driven {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let example = "{ file = \"walk.pc2\" }";
            let mut driven = Driven::new(body.required("animation", example, |value| animation(value, folder))?);
            let file = |value: Value| match value.is_text() {
                true => Ok(Mesh::File(folder.join(text(value)?))),
                false => mesh(value, folder),
            };
            driven.mesh = body.optional("mesh", file)?;
            body.set("loop", &mut driven.repeats, truth)?;
            body.set("speed", &mut driven.speed, number)?;
            body.set("start", &mut driven.start, number)?;
            Ok(driven)
        }
    }

    /// `{ file = "dancer.glb", clip = "Walk" }`
    fn animation(value: Value, folder: &FilePath) -> Result<Animation> {
        let read = table(value)?;
        let animation = Animation::File {
            path: folder.join(read.required("file", "\"walk.pc2\"", text)?),
            content: None,
            clip: read.optional("clip", text)?,
            frame_rate: read.optional("frame_rate", number)?,
        };
        read.finish()?;
        Ok(animation)
    }
}
