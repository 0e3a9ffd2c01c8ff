//! PLY, binary and little endian: a file per frame with all particles and triangles.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::bodies::file_names_of;
use super::{ExportError, FrameExporter, atomic, frame_path, single};
use crate::elements::{Fields, elements};
use crate::model::{Model, State};

pub struct Ply<'m> {
    folder: PathBuf,
    model: &'m Model,
    names: Vec<String>,
    /// Whether vertices have a strain and a stress.
    elastic: bool,
}

/// What vertices have in scenes with elements; 0 where they are of none.
const ELASTIC: [&str; 2] = ["strain", "stress"];

impl<'m> Ply<'m> {
    pub fn new(folder: &Path, model: &'m Model) -> Result<Self, ExportError> {
        atomic::make_folder(folder)?;
        let elastic = elements(model, &State::default()).next().is_some();
        Ok(Self { folder: folder.to_path_buf(), model, names: file_names_of(model), elastic })
    }

    fn header(&self, model: &Model, state: &State, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "ply\nformat binary_little_endian 1.0")?;
        writeln!(out, "comment frame {} at {} s, in m and m/s", state.frame, state.seconds)?;
        for (name, body) in self.names.iter().zip(&model.bodies) {
            writeln!(out, "comment body {name}: vertices from {} up to {}", body.particles.start, body.particles.end)?;
        }
        if state.torn.is_some() {
            writeln!(out, "comment split by tears: vertices from {} on", self.model.placed_particles())?;
        }
        writeln!(out, "element vertex {}", state.positions.len())?;
        for property in
            ["x", "y", "z", "vx", "vy", "vz"].iter().chain(self.elastic.then_some(&ELASTIC).into_iter().flatten())
        {
            writeln!(out, "property float {property}")?;
        }
        // Without triangles too: ParaView asks for both elements.
        writeln!(out, "element face {}\nproperty list uchar int vertex_indices", triangles(model).count())?;
        writeln!(out, "end_header")
    }

    fn write(&self, state: &State, out: &mut dyn Write) -> io::Result<()> {
        let model = &*self.model.torn(state);
        self.header(model, state, out)?;
        let fields = self.elastic.then(|| Fields::of(model, state));
        for (p, (&position, &velocity)) in state.positions.iter().zip(&state.velocities).enumerate() {
            let elastic = fields.iter().flat_map(|fields| [fields.strain[p], fields.stress[p]]);
            let elastic = elastic.map(|value| value.unwrap_or(0.0) as f32);
            for value in single(position).into_iter().chain(single(velocity)).chain(elastic) {
                out.write_all(&value.to_le_bytes())?;
            }
        }
        for triangle in triangles(model) {
            out.write_all(&[3])?;
            for corner in triangle {
                out.write_all(&corner.to_le_bytes())?;
            }
        }
        Ok(())
    }
}

fn triangles(model: &Model) -> impl Iterator<Item = &[u32; 3]> {
    model.bodies.iter().flat_map(|body| &body.triangles)
}

impl FrameExporter for Ply<'_> {
    fn frame(&mut self, state: &State) -> Result<(), ExportError> {
        let path = frame_path(&self.folder, state.frame, "ply");
        Ok(atomic::write(&path, |out| self.write(state, out))?)
    }

    fn finish(self: Box<Self>) -> Result<(), ExportError> {
        Ok(())
    }
}
