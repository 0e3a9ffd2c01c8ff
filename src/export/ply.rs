//! PLY, binary and little endian: a file per frame with all particles and triangles.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::bodies::{NamedBody, named_bodies};
use super::{ExportError, FrameExporter, atomic, frame_path, single};
use crate::model::{Model, State};

pub struct Ply<'m> {
    folder: PathBuf,
    bodies: Vec<NamedBody<'m>>,
}

impl<'m> Ply<'m> {
    pub fn new(folder: &Path, model: &'m Model) -> Result<Self, ExportError> {
        atomic::make_folder(folder)?;
        Ok(Self { folder: folder.to_path_buf(), bodies: named_bodies(model) })
    }

    fn triangles(&self) -> impl Iterator<Item = &[u32; 3]> {
        self.bodies.iter().flat_map(|NamedBody { body, .. }| &body.triangles)
    }

    fn header(&self, state: &State, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "ply\nformat binary_little_endian 1.0")?;
        writeln!(out, "comment frame {} at {} s, in m and m/s", state.frame, state.seconds)?;
        for NamedBody { name, body } in &self.bodies {
            writeln!(out, "comment body {name}: vertices from {} up to {}", body.particles.start, body.particles.end)?;
        }
        writeln!(out, "element vertex {}", state.positions.len())?;
        for property in ["x", "y", "z", "vx", "vy", "vz"] {
            writeln!(out, "property float {property}")?;
        }
        // Without triangles too: ParaView asks for both elements.
        writeln!(out, "element face {}\nproperty list uchar int vertex_indices", self.triangles().count())?;
        writeln!(out, "end_header")
    }

    fn write(&self, state: &State, out: &mut dyn Write) -> io::Result<()> {
        self.header(state, out)?;
        for (&position, &velocity) in state.positions.iter().zip(&state.velocities) {
            for value in single(position).into_iter().chain(single(velocity)) {
                out.write_all(&value.to_le_bytes())?;
            }
        }
        for triangle in self.triangles() {
            out.write_all(&[3])?;
            for corner in triangle {
                out.write_all(&corner.to_le_bytes())?;
            }
        }
        Ok(())
    }
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
