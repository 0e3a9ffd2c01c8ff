//! Wavefront OBJ: a file per frame with an object for each body.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::bodies::file_names_of;
use super::{ExportError, FrameExporter, atomic, frame_path, single};
use crate::model::{Body, Model, State};

pub struct Obj<'m> {
    folder: PathBuf,
    model: &'m Model,
    names: Vec<String>,
}

impl<'m> Obj<'m> {
    pub fn new(folder: &Path, model: &'m Model) -> Result<Self, ExportError> {
        atomic::make_folder(folder)?;
        Ok(Self { folder: folder.to_path_buf(), model, names: file_names_of(model) })
    }
}

impl FrameExporter for Obj<'_> {
    fn frame(&mut self, state: &State) -> Result<(), ExportError> {
        let path = frame_path(&self.folder, state.frame, "obj");
        let model = self.model.torn(state);
        let write = |out: &mut dyn Write| {
            writeln!(out, "# frame {} at {} s, in m", state.frame, state.seconds)?;
            let mut vertices = HashMap::new();
            let bodies = self.names.iter().zip(&model.bodies);
            bodies.into_iter().try_for_each(|(name, body)| write_body(name, body, &state.positions, &mut vertices, out))
        };
        Ok(atomic::write(&path, write)?)
    }

    fn finish(self: Box<Self>) -> Result<(), ExportError> {
        Ok(())
    }
}

/// One object: its vertices, those that tears have made last, and its triangles, or without any its points. `vertices` are the
/// numbers of the vertices in the file by their particles, those of the bodies before it at first.
pub fn write_body(
    name: &str,
    body: &Body,
    positions: &[[f64; 3]],
    vertices: &mut HashMap<u32, usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Blender goes by objects, Houdini and ParaView by groups.
    writeln!(out, "o {name}\ng {name}")?;
    for particle in body.particles.clone().chain(body.split_particles()) {
        let [x, y, z] = single(positions[particle as usize]);
        writeln!(out, "v {x} {y} {z}")?;
        // Vertices are numbered from 1, through the whole file.
        vertices.insert(particle, vertices.len() + 1);
    }
    let vertex = |particle: u32| vertices[&particle];
    for [a, b, c] in body.triangles.iter().map(|triangle| triangle.map(vertex)) {
        writeln!(out, "f {a} {b} {c}")?;
    }
    if body.triangles.is_empty() {
        // One a line, as some readers take several for a face.
        body.particles.clone().try_for_each(|particle| writeln!(out, "p {}", vertex(particle)))?;
    }
    Ok(())
}
