//! The mesh files of a body or a collider: read, welded, and told of what of them is not joined.

use std::path::Path as FilePath;

use super::super::check;
use super::super::error::{Path, SceneError};
use super::local::Samples;
use crate::mesh::{TetrahedronMesh, TriangleMesh};
use crate::model::Settings;

/// How files are read, and what there is to say of them.
pub(in crate::scene) struct Reading {
    /// Repairs, and what is not joined.
    pub notes: Vec<String>,
    /// What is not joined of the last file, in words.
    seam: Option<String>,
    /// Of the scene, Hz.
    pub frame_rate: f64,
    /// As placed, of the body on which this one grows.
    pub ground: TriangleMesh,
    /// Vertices this near each other as placed become one, m.
    weld: Option<f64>,
    /// By which a file's coordinates are multiplied.
    #[cfg_attr(not(feature = "mesh-files"), expect(dead_code, reason = "nothing is read"))]
    scale: [f64; 3],
    /// Of what was read.
    pub renumbered: Renumbered,
    was_read: bool,
    /// Of the last surface that was read.
    #[cfg(feature = "mesh-files")]
    numbering: Option<crate::mesh::Numbering>,
}

/// A file whose vertices repairs have renumbered.
#[derive(Default)]
pub(in crate::scene) struct Renumbered {
    pub file: String,
    /// The number in the file of each particle, counted from 0; empty if they are the same.
    pub numbers: Vec<u32>,
}

impl Reading {
    /// `at` is the body or the collider.
    pub fn new(at: &Path, weld: Option<f64>, scale: [f64; 3]) -> Result<Self, SceneError> {
        weld.map(|weld| check::number(&at.key("weld"), weld, &check::LENGTH)).transpose()?;
        Ok(Self {
            notes: Vec::new(),
            seam: None,
            frame_rate: Settings::default().frame_rate,
            ground: TriangleMesh::default(),
            weld,
            scale,
            renumbered: Renumbered::default(),
            was_read: false,
            #[cfg(feature = "mesh-files")]
            numbering: None,
        })
    }

    /// Adds to a fault of a surface what of it is not joined, which may be the cause.
    pub fn explain(&self, error: SceneError) -> SceneError {
        match &self.seam {
            Some(seam) => SceneError { message: format!("{}; {seam}", error.message), ..error },
            None => error,
        }
    }

    /// Refuses to weld what comes from no file: its vertices are where the scene says.
    pub fn check_weld(&self, at: &Path) -> Result<(), SceneError> {
        match self.weld.is_some() && !self.was_read {
            true => Err(SceneError::key(
                &at.key("weld"),
                "applies to meshes from files, and this body has none; remove \
                 it",
            )),
            false => Ok(()),
        }
    }
}

#[cfg(feature = "mesh-files")]
mod files {
    use super::*;
    use crate::mesh::seams::{self, Doubled, Hanging, Seams};
    use crate::mesh::{self, Loaded, MeshError};

    impl Reading {
        /// The surface of a file.
        pub fn surface(&mut self, at: &Path, path: &FilePath) -> Result<TriangleMesh, SceneError> {
            let (loaded, numbering) = mesh::read_welded(path, self.radii()).map_err(|error| refused(at, &error))?;
            self.numbering = Some(numbering);
            Ok(self.told(path, loaded))
        }

        /// The samples of a point cache for the vertices of the surface that was read last, or of so many vertices.
        /// `frame_rate`: of the cache, Hz.
        pub fn point_cache(
            &self,
            at: &Path,
            path: &FilePath,
            vertices: usize,
            frame_rate: f64,
        ) -> Result<Samples, SceneError> {
            let cache = mesh::read_point_cache(path).map_err(|error| refused(at, &error))?;
            let count = self.numbering.as_ref().map_or(vertices, |numbering| numbering.count);
            if cache.points != count {
                let message = format!(
                    "{}: the cache has {} points, and the mesh has {count} vertices; export both of the same mesh",
                    path.display(),
                    cache.points
                );
                return Err(SceneError::new(at, message));
            }
            let of_mesh = |sample: &[[f32; 3]]| match &self.numbering {
                Some(numbering) => numbering.of_mesh(sample),
                None => sample.to_vec(),
            };
            let positions = cache.positions.chunks_exact(count).flat_map(of_mesh).map(|point| point.map(f64::from));
            Ok(Samples { positions: positions.collect(), rate: frame_rate / cache.frames_per_sample })
        }

        /// The surface of a glTF file and a clip of it, in samples of at least that rate, Hz.
        pub fn clip(
            &mut self,
            at: &Path,
            (path, content): (&FilePath, Option<&[u8]>),
            clip: Option<&str>,
            rate: f64,
        ) -> Result<(TriangleMesh, Samples), SceneError> {
            let clip =
                mesh::read_clip((path, content), clip, rate, self.radii()).map_err(|error| refused(at, &error))?;
            Ok((self.told(path, clip.loaded), Samples { positions: clip.positions, rate: clip.rate }))
        }

        fn told(&mut self, path: &FilePath, loaded: Loaded) -> TriangleMesh {
            self.tell(path, (loaded.repairs, loaded.numbers), &loaded.mesh.positions, &seams::of_surface(&loaded.mesh));
            loaded.mesh
        }

        /// The tetrahedra of a file.
        pub fn tetrahedra(&mut self, at: &Path, path: &FilePath) -> Result<TetrahedronMesh, SceneError> {
            let loaded = mesh::read_tetrahedra_welded(path, self.radii()).map_err(|error| refused(at, &error))?;
            self.tell(path, (loaded.repairs, loaded.numbers), &loaded.mesh.positions, &seams::of_solid(&loaded.mesh));
            Ok(loaded.mesh)
        }

        /// In the file's units.
        fn radii(&self) -> Option<[f64; 3]> {
            self.weld.map(|weld| self.scale.map(|scale| weld / scale))
        }

        fn tell(
            &mut self,
            path: &FilePath,
            (repairs, numbers): (Vec<String>, Vec<u32>),
            positions: &[[f64; 3]],
            seams: &Seams,
        ) {
            self.was_read = true;
            self.notes.extend(repairs.iter().map(|repair| format!("{}: {repair}", path.display())));
            self.seam = self.warning(positions, seams);
            self.notes.extend(self.seam.iter().map(|seam| format!("{}: {seam}", path.display())));
            self.renumbered = Renumbered { file: path.display().to_string(), numbers };
        }

        /// What is not joined, in words.
        fn warning(&self, positions: &[[f64; 3]], seams: &Seams) -> Option<String> {
            let place = |vertex: u32| positions[vertex as usize].map(check::display).join(", ");
            let pieces = (seams.pieces > 1).then(|| format!("has {} separate pieces", seams.pieces));
            let doubled = seams.doubled.as_ref().map(|doubled| {
                let Doubled { count, first: [lower, vertex], .. } = *doubled;
                let lie = if count == 1 { "vertex lies" } else { "vertices lie" };
                format!(
                    "{count} {lie} on others without being joined to them (first: particle {vertex} on {lower}, at \
                     [{}]); weld = {} joins them",
                    place(vertex),
                    check::display(self.suggested(positions, doubled)),
                )
            });
            let hanging = seams.hanging.as_ref().map(|&Hanging { count, first, edge: [a, b] }| {
                let lie = if count == 1 { "vertex lies" } else { "vertices lie" };
                format!(
                    "{count} {lie} on edges without being their ends (first: particle {first} on the edge from {a} to \
                     {b}, at [{}]); split these edges where the mesh was made",
                    place(first)
                )
            });
            let all: Vec<String> = [pieces, doubled, hanging].into_iter().flatten().collect();
            (!all.is_empty()).then(|| all.join("; "))
        }

        /// A distance that joins what is doubled and little else, m as placed: a power of ten.
        fn suggested(&self, positions: &[[f64; 3]], doubled: &Doubled) -> f64 {
            let scale = self.scale.into_iter().fold(0.0, f64::max);
            let power = |length: f64, round: fn(f64) -> f64| 10f64.powi(round(length.log10()) as i32);
            let usual = power(seams::near(positions) * scale, f64::floor);
            if doubled.gap > 0.0 { usual.max(power(1.01 * doubled.gap * scale, f64::ceil)) } else { usual }
        }
    }

    fn refused(at: &Path, error: &MeshError) -> SceneError {
        SceneError::new(at, error.to_string())
    }
}

#[cfg(not(feature = "mesh-files"))]
impl Reading {
    pub fn surface(&mut self, at: &Path, _: &FilePath) -> Result<TriangleMesh, SceneError> {
        Err(refusal(at))
    }

    pub fn tetrahedra(&mut self, at: &Path, _: &FilePath) -> Result<TetrahedronMesh, SceneError> {
        Err(refusal(at))
    }

    pub fn point_cache(&self, at: &Path, _: &FilePath, _: usize, _: f64) -> Result<Samples, SceneError> {
        Err(refusal(at))
    }

    pub fn clip(
        &mut self,
        at: &Path,
        _: (&FilePath, Option<&[u8]>),
        _: Option<&str>,
        _: f64,
    ) -> Result<(TriangleMesh, Samples), SceneError> {
        Err(refusal(at))
    }
}

#[cfg(not(feature = "mesh-files"))]
fn refusal(at: &Path) -> SceneError {
    SceneError::new(at, "this build reads no mesh files; build Pliant with the feature `mesh-files`")
}
