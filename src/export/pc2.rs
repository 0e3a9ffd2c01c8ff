//! PC2, Blender's point cache: for each body a mesh of the start, and one file with the positions of all frames.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::atomic::FileError;
use super::bodies::{NamedBody, cached_particles, named_bodies};
use super::obj::{Vertices, write_body};
use super::{ExportError, FrameExporter, atomic, check_origin, single};
use crate::base::input::{self, Unreadable};
use crate::mesh::Skin;
use crate::mesh::pc2::{HEADER_BYTES, MAGIC, POINT_BYTES, VERSION};
use crate::model::{Model, State};

/// The caches of all bodies. Sample N is frame N: sample 0 is the start.
pub struct Pc2<'m> {
    folder: PathBuf,
    model: &'m Model,
    caches: Vec<Cache<'m>>,
    /// How many samples each cache holds whole; what follows them in a file is the rest of a write that failed.
    samples: u64,
}

impl<'m> Pc2<'m> {
    pub fn create(folder: &Path, model: &'m Model) -> Result<Self, ExportError> {
        check_topology(folder, model)?;
        atomic::make_folder(folder)?;
        let caches = named_bodies(model).into_iter().map(|body| Cache::new(folder, body)).collect();
        let pc2 = Self { folder: folder.to_path_buf(), model, caches, samples: 0 };
        pc2.caches.iter().try_for_each(Cache::begin)?;
        Ok(pc2)
    }

    /// Goes on with the parts of a run that was cut, or with the caches of one that ended early. They are changed only
    /// if all of them reach to the state and hold its positions.
    pub fn resume(folder: &Path, model: &'m Model, state: &State) -> Result<Self, ExportError> {
        check_topology(folder, model)?;
        check_origin(folder, model, state)?;
        let caches: Vec<_> = named_bodies(model).into_iter().map(|body| Cache::new(folder, body)).collect();
        caches.iter().try_for_each(|cache| cache.check(state))?;
        caches.iter().try_for_each(|cache| cache.take_up(state.frame + 1))?;
        Ok(Self { folder: folder.to_path_buf(), model, caches, samples: state.frame + 1 })
    }

    /// The meshes that the caches move.
    fn write_meshes(&self) -> Result<(), ExportError> {
        for Cache { named, particles, .. } in &self.caches {
            let path = self.folder.join(format!("{}.obj", named.name));
            let (positions, body) = (&self.model.particles.positions, (named.body, particles.iter().copied()));
            atomic::write(&path, |out| {
                write_body(&named.name, body.clone(), positions, &mut Vertices::default(), out)
            })?;
        }
        Ok(())
    }
}

/// A cache moves the vertices of one mesh, which a tear would change.
fn check_topology(folder: &Path, model: &Model) -> Result<(), ExportError> {
    match model.tearing {
        None => Ok(()),
        Some(_) => Err(ExportError::Tears { path: folder.to_path_buf() }),
    }
}

impl FrameExporter for Pc2<'_> {
    fn frame(&mut self, state: &State) -> Result<(), ExportError> {
        check_origin(&self.folder, self.model, state)?;
        if state.frame != self.samples {
            let (given, expected) = (state.frame, self.samples);
            return Err(ExportError::Order { path: self.folder.clone(), given, expected });
        }
        if self.samples == 0 {
            self.write_meshes()?;
        }
        self.caches.iter().try_for_each(|cache| cache.append(self.samples, state))?;
        self.samples += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), ExportError> {
        if self.samples == 0 {
            return Ok(());
        }
        let finished = self.caches.iter().map(|cache| cache.finish(self.samples));
        Ok(finished.fold(Ok(()), Result::and)?)
    }
}

impl Drop for Pc2<'_> {
    fn drop(&mut self) {
        if self.samples == 0 {
            // Nothing to go on with is in them. An error is on its way already if one of them is not there.
            self.caches.iter().for_each(|cache| drop(fs::remove_file(&cache.part)));
        }
    }
}

/// The cache of one body. It opens its file anew for each frame, as a scene may have more bodies than a process may
/// have files.
struct Cache<'m> {
    named: NamedBody<'m>,
    /// Its vertices, without a skin.
    particles: Vec<u32>,
    path: PathBuf,
    /// What it is called until it is complete.
    part: PathBuf,
}

impl<'m> Cache<'m> {
    fn new(folder: &Path, named: NamedBody<'m>) -> Self {
        let path = folder.join(format!("{}.pc2", named.name));
        let particles = cached_particles(named.body);
        Self { part: folder.join(format!("{}.pc2.part", named.name)), path, named, particles }
    }

    fn begin(&self) -> Result<(), FileError> {
        if self.path.is_dir() {
            return Err(FileError { path: self.path.clone(), source: io::ErrorKind::IsADirectory.into() });
        }
        let write = || {
            // Removes what a killed run has left. A link in its place is removed, not followed.
            match fs::remove_file(&self.part) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            File::create_new(&self.part)?.write_all(&self.header(0))
        };
        write().map_err(|source| self.error(source))
    }

    fn append(&self, samples: u64, state: &State) -> Result<(), FileError> {
        let write = || {
            let mut file = File::options().write(true).open(&self.part)?;
            file.seek(SeekFrom::Start(self.bytes(samples)))?;
            file.write_all(&self.sample(state))
        };
        write().map_err(|source| self.error(source))
    }

    fn finish(&self, samples: u64) -> Result<(), FileError> {
        let complete = || {
            let mut file = File::options().write(true).open(&self.part)?;
            file.set_len(self.bytes(samples))?;
            file.write_all(&self.header(samples))?;
            file.sync_all()?;
            fs::rename(&self.part, &self.path)
        };
        complete().map_err(|source| self.error(source))
    }

    /// Whether what an earlier run left can be gone on with from this state.
    fn check(&self, state: &State) -> Result<(), ExportError> {
        let path = self.left();
        let fault = |fault| ExportError::Resume { path: path.to_path_buf(), fault };
        let unreadable = |error: io::Error| fault(format!("it cannot be read ({error})"));
        let mut file = input::open(path).map_err(|error| match error {
            Unreadable::Missing => fault("it does not exist".to_string()),
            other => fault(other.to_string()),
        })?;
        if file.metadata().map_err(unreadable)?.len() < self.bytes(state.frame + 1) {
            return Err(fault(format!("it does not reach to frame {}", state.frame)));
        }
        let mut header = [0; HEADER_BYTES];
        file.read_exact(&mut header).map_err(unreadable)?;
        // All but the number of samples, which is known only at the end.
        if header[..HEADER_BYTES - 4] != self.header(0)[..HEADER_BYTES - 4] {
            let points = self.points();
            return Err(fault(format!(
                "it is not a point cache of body '{}' with {points} vertices",
                self.named.body.name
            )));
        }
        let expected = self.sample(state);
        let mut found = vec![0; expected.len()];
        file.seek(SeekFrom::Start(self.bytes(state.frame))).map_err(unreadable)?;
        file.read_exact(&mut found).map_err(unreadable)?;
        match found == expected {
            true => Ok(()),
            false => Err(fault(format!("its frame {} has other positions: it belongs to another run", state.frame))),
        }
    }

    /// Makes what an earlier run left a part of so many samples again.
    fn take_up(&self, samples: u64) -> Result<(), FileError> {
        let cut = || {
            if self.left() != self.part {
                fs::rename(&self.path, &self.part)?;
            }
            File::options().write(true).open(&self.part)?.set_len(self.bytes(samples))
        };
        cut().map_err(|source| self.error(source))
    }

    /// The part of a run that was cut, or the whole cache of one that ended.
    fn left(&self) -> &Path {
        if self.part.exists() || !self.path.exists() { &self.part } else { &self.path }
    }

    fn header(&self, samples: u64) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..12].copy_from_slice(MAGIC);
        header[12..16].copy_from_slice(&VERSION.to_le_bytes());
        header[16..20].copy_from_slice(&self.points().to_le_bytes());
        header[20..24].copy_from_slice(&0.0f32.to_le_bytes());
        header[24..28].copy_from_slice(&1.0f32.to_le_bytes());
        header[28..].copy_from_slice(&i32::try_from(samples).unwrap_or(i32::MAX).to_le_bytes());
        header
    }

    fn sample(&self, state: &State) -> Vec<u8> {
        let vertices = match &self.named.body.skin {
            Some(skin) => skin.interpolate(&state.positions),
            None => self.particles.iter().map(|&particle| state.positions[particle as usize]).collect(),
        };
        vertices.into_iter().flat_map(single).flat_map(f32::to_le_bytes).collect()
    }

    fn points(&self) -> u32 {
        self.named.body.skin.as_ref().map_or(self.particles.len(), Skin::len) as u32
    }

    /// Length of a file with so many samples.
    fn bytes(&self, samples: u64) -> u64 {
        HEADER_BYTES as u64 + samples * u64::from(self.points()) * POINT_BYTES
    }

    fn error(&self, source: io::Error) -> FileError {
        FileError { path: self.part.clone(), source }
    }
}
