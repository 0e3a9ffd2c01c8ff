//! A solid that can be torn: its tetrahedra, the faces between them, and the corners that its constraints go with.

use std::collections::HashMap;
use std::ops::Range;

use super::Soft;
use crate::mesh::{ascending, face_opposite};
use crate::model::{Seam, TearableCell, TearableFacet};
use crate::scene::check;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, PlacedBody, Strength};

/// A solid whose inner faces may break.
pub(in crate::scene) struct TornSolid {
    body: usize,
    group: usize,
    /// Its tetrahedra among the constraints of the group.
    constraints: Range<u32>,
    /// Pa.
    strength: f64,
}

/// The face of a cell opposite to one of its corners.
struct Side {
    /// Its vertices in ascending order, by which two sides find each other.
    vertices: [u32; 3],
    cell: usize,
    opposite: usize,
}

impl Builder<'_> {
    /// The stress at which the inner faces of a solid break, if they do.
    pub(super) fn tear_stress(&self, at: &Path, soft: &Soft) -> Result<Option<f64>, SceneError> {
        let of = Strength { key: "tear_stress", given: soft.tear_stress, range: &check::TEAR_STRESS, what: "a solid" };
        self.strength(at, of, soft.spare_particles)
    }

    /// Makes the body that was added last one that can be torn, if its scene says so; its constraints are these of a
    /// group.
    pub(super) fn tearable_solid(
        &mut self,
        placed: &PlacedBody,
        soft: &Soft,
        group: usize,
        constraints: Range<u32>,
    ) -> Result<(), SceneError> {
        let PlacedBody { at, index: body, local, .. } = *placed;
        let Some(strength) = self.tear_stress(at, soft)? else { return Ok(()) };
        let sides = sides(&local.tetrahedra);
        if let Some(same) = sides.chunk_by(|a, b| a.vertices == b.vertices).find(|same| same.len() > 2) {
            let [a, b, c] = same[0].vertices;
            let message = format!(
                "the face of the vertices {a}, {b} and {c} belongs to {} tetrahedra; in a solid that tears a face \
                 belongs to two at most; correct the mesh, or remove the tear_stress",
                same.len()
            );
            return Err(SceneError::new(&at.key("mesh"), message));
        }
        self.spares += self.spares(at, soft.spare_particles, local)?;
        self.torn_solids.push(TornSolid { body, group, constraints, strength });
        Ok(())
    }

    /// Gives the solids that can be torn their facets, once the triangles of all bodies are there.
    pub fn tear_solids(&mut self) {
        let mut next: u32 = self.model.bodies.iter().map(|body| body.triangles.len() as u32).sum();
        for solid in std::mem::take(&mut self.torn_solids) {
            let of_constraint = |c: u32| {
                let particles = self.model.groups[solid.group].particles_of(c as usize);
                [particles[0], particles[1], particles[2], particles[3]]
            };
            let tetrahedra: Vec<[u32; 4]> = solid.constraints.clone().map(of_constraint).collect();
            let before = self.model.bodies[..solid.body].iter().map(|body| body.triangles.len() as u32).sum();
            let surface = self.model.bodies[solid.body].triangles.iter().map(|&triangle| ascending(triangle));
            let surface: HashMap<[u32; 3], u32> = surface.zip(before..).collect();

            let tearing = self.model.tearing.get_or_insert_default();
            let first = tearing.cells.len();
            let cell = |constraint| TearableCell { group: solid.group as u32, constraint, faces: [0; 4] };
            tearing.cells.extend(solid.constraints.map(cell));
            let mut corners = vec![[0; 4]; tetrahedra.len()];
            for same in sides(&tetrahedra).chunk_by(|a, b| a.vertices == b.vertices) {
                if let [a, b] = same {
                    let cells = [a, b].map(|side| (first + side.cell) as u32);
                    let opposite = [a, b].map(|side| side.opposite as u32);
                    tearing.facets.push(TearableFacet { cells, opposite, strength: solid.strength });
                }
                for side in same {
                    let places = face_opposite(side.opposite);
                    let face = match same {
                        [_] => surface[&side.vertices],
                        _ => {
                            tearing.inside.push(places.map(|k| tetrahedra[side.cell][k]));
                            next += 1;
                            next - 1
                        }
                    };
                    tearing.cells[first + side.cell].faces[side.opposite] = face;
                    // Whichever of the three faces at a particle comes last: they are never parted.
                    (3 * face..).zip(places).for_each(|(corner, k)| corners[side.cell][k] = corner);
                }
            }
            let cells = tearing.cells[first..].iter().zip(corners);
            let seam = |(cell, corners): (&TearableCell, [u32; 4])| Seam {
                group: cell.group,
                constraint: cell.constraint,
                edge: None,
                corners,
            };
            let seams: Vec<Seam> = cells.map(seam).collect();
            tearing.seams.extend(seams);
        }
    }
}

/// The sides of all faces of tetrahedra, those of the same face one after the other.
fn sides(tetrahedra: &[[u32; 4]]) -> Vec<Side> {
    let of_cell = |(cell, corners): (usize, &[u32; 4])| {
        [0, 1, 2, 3].map(|opposite| Side {
            vertices: ascending(face_opposite(opposite).map(|k| corners[k])),
            cell,
            opposite,
        })
    };
    let mut sides: Vec<Side> = tetrahedra.iter().enumerate().flat_map(of_cell).collect();
    sides.sort_unstable_by_key(|side| (side.vertices, side.cell));
    sides
}
