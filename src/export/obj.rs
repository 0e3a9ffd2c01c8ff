//! Wavefront OBJ: a file per frame with an object for each body.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::bodies::file_names_of;
use super::{ExportError, FrameExporter, atomic, check_origin, frame_path, single};
use crate::mesh::liquid::surface;
use crate::model::{Body, Fluid, Model, State};

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
        check_origin(&self.folder, self.model, state)?;
        let path = frame_path(&self.folder, state.frame, "obj");
        let model = self.model.torn(state);
        let write = |out: &mut dyn Write| {
            writeln!(out, "# frame {} at {} s, in m", state.frame, state.seconds)?;
            let mut vertices = Vertices::default();
            let bodies = self.names.iter().zip(model.shown_bodies());
            // Those that tears have made last.
            let particles = |body: &Body| body.particles.clone().chain(body.split_particles());
            bodies.into_iter().try_for_each(|(name, body)| {
                if let Some(fluid) = model.fluids.iter().find(|fluid| fluid.particles == body.particles) {
                    return write_fluid(name, fluid, state, &mut vertices, out);
                }
                write_body(name, (body, particles(body)), &state.positions, &mut vertices, out)
            })
        };
        Ok(atomic::write(&path, write)?)
    }

    fn finish(self: Box<Self>) -> Result<(), ExportError> {
        Ok(())
    }
}

/// The surface of what is there of a liquid.
fn write_fluid(
    name: &str,
    fluid: &Fluid,
    state: &State,
    vertices: &mut Vertices,
    out: &mut dyn Write,
) -> io::Result<()> {
    let there = fluid.particles.clone().filter(|particle| state.absent.binary_search(particle).is_err());
    let mesh = surface(there.map(|particle| state.positions[particle as usize]), fluid.spacing);
    writeln!(out, "o {name}\ng {name}")?;
    mesh.positions.iter().try_for_each(|&position| {
        let [x, y, z] = single(position);
        writeln!(out, "v {x} {y} {z}")
    })?;
    let first = vertices.count + 1;
    vertices.count += mesh.positions.len();
    mesh.triangles.iter().try_for_each(|corners| {
        let [a, b, c] = corners.map(|vertex| first + vertex as usize);
        writeln!(out, "f {a} {b} {c}")
    })
}

/// The vertices of a file so far.
#[derive(Default)]
pub struct Vertices {
    count: usize,
    /// Their numbers, from 1, by their particles.
    numbers: HashMap<u32, usize>,
}

/// One object: some particles as its vertices, and its triangles, or the lines of its strands, or without any its
/// points; in place of both its skin. `vertices` are those of the bodies before it at first.
pub fn write_body(
    name: &str,
    (body, particles): (&Body, impl Iterator<Item = u32>),
    positions: &[[f64; 3]],
    vertices: &mut Vertices,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Blender goes by objects, Houdini and ParaView by groups.
    writeln!(out, "o {name}\ng {name}")?;
    let write_vertex = |out: &mut dyn Write, position: [f64; 3]| {
        let [x, y, z] = single(position);
        writeln!(out, "v {x} {y} {z}")
    };
    if let Some(skin) = &body.skin {
        let first = vertices.count + 1;
        vertices.count += skin.len();
        skin.interpolate(positions).into_iter().try_for_each(|position| write_vertex(out, position))?;
        return skin.triangles.iter().try_for_each(|corners| {
            let [a, b, c] = corners.map(|v| first + v as usize);
            writeln!(out, "f {a} {b} {c}")
        });
    }
    for particle in particles {
        write_vertex(out, positions[particle as usize])?;
        vertices.count += 1;
        vertices.numbers.insert(particle, vertices.count);
    }
    let vertex = |particle: u32| vertices.numbers[&particle];
    for [a, b, c] in body.triangles.iter().map(|triangle| triangle.map(vertex)) {
        writeln!(out, "f {a} {b} {c}")?;
    }
    if let Some(each) = body.strand {
        let strands = body.particles.clone().step_by(each as usize).map(|first| first..first + each);
        for strand in strands {
            write!(out, "l")?;
            strand.into_iter().try_for_each(|particle| write!(out, " {}", vertex(particle)))?;
            writeln!(out)?;
        }
    } else if body.triangles.is_empty() {
        // One a line, as some readers take several for a face.
        body.particles.clone().try_for_each(|particle| writeln!(out, "p {}", vertex(particle)))?;
    }
    Ok(())
}
