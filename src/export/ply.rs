//! PLY, binary and little endian: a file per frame with all particles and triangles.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::bodies::{file_names_of, vertex_count, vertices_of};
use super::{ExportError, FrameExporter, atomic, check_origin, frame_path, single};
use crate::measure::elements::{Fields, elements};
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
        let mut end = 0;
        for (name, body) in self.names.iter().zip(model.shown_bodies()) {
            let first = end;
            end += vertex_count(body);
            writeln!(out, "comment body {name}: vertices from {first} up to {end}")?;
        }
        if state.torn.is_some() {
            writeln!(out, "comment split by tears: vertices from {end} on")?;
        }
        let split = state.positions.len() - self.model.placed_particles();
        writeln!(out, "element vertex {}", end + split)?;
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
        // Strain and stress of each particle, and no third.
        let elastic: Vec<[f64; 3]> = match self.elastic.then(|| Fields::of(model, state)) {
            Some(Fields { strain, stress }) => {
                let pairs = strain.iter().zip(&stress);
                pairs.map(|(strain, stress)| [strain.unwrap_or(0.0), stress.unwrap_or(0.0), 0.0]).collect()
            }
            None => vec![[0.0; 3]; state.positions.len()],
        };
        let shown = if self.elastic { ELASTIC.len() } else { 0 };
        let mut write = |[positions, velocities, elastic]: [&[[f64; 3]]; 3]| {
            // A vertex of a skin that is outside of its tetrahedron has weights below 0; a strain or stress is not.
            let elastic = elastic.iter().map(|values| values.map(|value| value.max(0.0)));
            let mut values = positions.iter().zip(velocities).zip(elastic).flat_map(|((&x, &v), elastic)| {
                single(x).into_iter().chain(single(v)).chain(single(elastic).into_iter().take(shown))
            });
            values.try_for_each(|value| out.write_all(&value.to_le_bytes()))
        };
        let all: [&[[f64; 3]]; 3] = [&state.positions, &state.velocities, &elastic];
        for body in model.shown_bodies() {
            let [positions, velocities, elastic] = all.map(|values| vertices_of(body, values));
            write([&positions, &velocities, &elastic])?;
        }
        let placed = self.model.placed_particles();
        write(all.map(|values| &values[placed..]))?;
        for triangle in triangles(model) {
            out.write_all(&[3])?;
            for corner in triangle {
                out.write_all(&corner.to_le_bytes())?;
            }
        }
        Ok(())
    }
}

/// Triangles over the file's vertices: those of the bodies one after another, then those that tears have made.
fn triangles(model: &Model) -> impl Iterator<Item = [u32; 3]> {
    let placed = model.placed_particles() as u32;
    let count: u32 = model.shown_bodies().iter().map(|body| vertex_count(body) as u32).sum();
    let mut end = 0;
    model.shown_bodies().iter().flat_map(move |body| {
        let first = end;
        end += vertex_count(body) as u32;
        let own = body.particles.start;
        let vertex = move |p: u32| if p < placed { p - own + first } else { p - placed + count };
        let (skin, corners) = match &body.skin {
            Some(skin) => (true, &skin.triangles),
            None => (false, &body.triangles),
        };
        corners.iter().map(move |corners| corners.map(|v| if skin { first + v } else { vertex(v) }))
    })
}

impl FrameExporter for Ply<'_> {
    fn frame(&mut self, state: &State) -> Result<(), ExportError> {
        check_origin(&self.folder, self.model, state)?;
        let path = frame_path(&self.folder, state.frame, "ply");
        Ok(atomic::write(&path, |out| self.write(state, out))?)
    }

    fn finish(self: Box<Self>) -> Result<(), ExportError> {
        Ok(())
    }
}
