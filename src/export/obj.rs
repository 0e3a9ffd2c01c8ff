//! Wavefront OBJ: a file per frame with an object for each body.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::bodies::{NamedBody, named_bodies};
use super::{ExportError, FrameExporter, atomic, frame_path, single};
use crate::model::{Model, State};

pub struct Obj<'m> {
    folder: PathBuf,
    bodies: Vec<NamedBody<'m>>,
}

impl<'m> Obj<'m> {
    pub fn new(folder: &Path, model: &'m Model) -> Result<Self, ExportError> {
        atomic::make_folder(folder)?;
        Ok(Self { folder: folder.to_path_buf(), bodies: named_bodies(model) })
    }
}

impl FrameExporter for Obj<'_> {
    fn frame(&mut self, state: &State) -> Result<(), ExportError> {
        let path = frame_path(&self.folder, state.frame, "obj");
        let write = |out: &mut dyn Write| {
            writeln!(out, "# frame {} at {} s, in m", state.frame, state.seconds)?;
            self.bodies.iter().try_for_each(|body| write_body(body, &state.positions, 0, out))
        };
        Ok(atomic::write(&path, write)?)
    }

    fn finish(self: Box<Self>) -> Result<(), ExportError> {
        Ok(())
    }
}

/// One object: its vertices, and its triangles, or without any its points. `first` is the particle of the model that is the
/// file's first vertex.
pub fn write_body(
    NamedBody { name, body }: &NamedBody,
    positions: &[[f64; 3]],
    first: u32,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Blender goes by objects, Houdini and ParaView by groups.
    writeln!(out, "o {name}\ng {name}")?;
    for &position in &positions[body.particles.start as usize..body.particles.end as usize] {
        let [x, y, z] = single(position);
        writeln!(out, "v {x} {y} {z}")?;
    }
    // Vertices are numbered from 1, through the whole file.
    let vertex = |particle: u32| particle - first + 1;
    for [a, b, c] in body.triangles.iter().map(|triangle| triangle.map(vertex)) {
        writeln!(out, "f {a} {b} {c}")?;
    }
    if body.triangles.is_empty() {
        // One a line, as some readers take several for a face.
        body.particles.clone().try_for_each(|particle| writeln!(out, "p {}", vertex(particle)))?;
    }
    Ok(())
}
