//! A cloth that can be torn: every constraint belongs to an edge of its mesh and goes with corners of its triangles.

use super::Cloth;
use super::springs::at_border;
use crate::mesh::{HalfEdge, half_edges};
use crate::model::{Material, Seam, TearableEdge};
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, DISTANCE, GridSprings, PlacedBody, Strength, push};
use crate::scene::{Grid, check};

/// How the edges of a tearable cloth yield and break, and how it bends.
pub(super) struct Laws {
    pub stretch: Material,
    pub shear: Material,
    /// In place of their compliances, where a grid is made of a material by name.
    pub springs: Option<GridSprings>,
    pub bend: Option<(&'static str, Material)>,
}

impl Laws {
    /// That of an edge, and whether it is the diagonal of a grid's cell.
    fn of(&self, grid: Option<Grid>, ends: [u32; 2]) -> (Material, bool) {
        let Some(grid) = grid else { return (self.stretch, false) };
        let [a, b] = ends;
        let (along_row, along_column) = (a / grid.columns == b / grid.columns, a % grid.columns == b % grid.columns);
        let diagonal = !along_row && !along_column;
        let law = if diagonal { self.shear } else { self.stretch };
        let Some(springs) = &self.springs else { return (law, diagonal) };
        let compliance = match (along_row, along_column) {
            (true, _) => springs.row,
            (_, true) => springs.column,
            _ => springs.diagonal,
        };
        let halves = if at_border(grid, ends) { 2.0 } else { 1.0 };
        (Material { compliance: halves * compliance, ..law }, diagonal)
    }
}

impl Builder<'_> {
    /// The force at which the edges of a cloth break, if they do.
    pub(super) fn break_force(&self, at: &Path, cloth: &Cloth) -> Result<Option<f64>, SceneError> {
        let of = Strength { key: "break_force", given: cloth.break_force, range: &check::BREAK_FORCE, what: "cloth" };
        self.strength(at, of, cloth.spare_particles)
    }

    /// Holds the body that was added last by the edges of its mesh and by what bends and shears across them.
    pub(super) fn tearable(&mut self, placed: &PlacedBody, laws: &Laws, spares: u32) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, .. } = *placed;
        self.spares += spares;
        let triangles = &local.mesh.triangles;
        let all = self.model.bodies.iter().map(|body| body.triangles.len()).sum::<usize>();
        let first_corner = 3 * (all - triangles.len()) as u32;
        let mesh = Mesh { at, first, first_corner, corners: triangles.as_flattened() };
        let group = self.kind(at, DISTANCE, 2)?;
        self.model.tearing.get_or_insert_default().group = group as u32;
        let begin = self.distance_count();
        let half_edges = half_edges(triangles);
        let mut hinges = Vec::new();
        for sides in half_edges.chunk_by(HalfEdge::same_edge) {
            let [from, to, opposite] = sides[0].corners();
            let (law, diagonal) = laws.of(local.grid, sides[0].ends);
            let constraint = self.model.groups[group].len() as u32;
            let edge = TearableEdge { ends: sides[0].ends.map(|vertex| first + vertex), constraint };
            let tearing = self.model.tearing.get_or_insert_default();
            let joint = tearing.edges.len() as u32;
            tearing.edges.push(edge);
            self.seam(&mesh, (DISTANCE, law), joint, &[from, to])?;
            let [_, other] = sides else { continue };
            let across = other.corners()[2];
            if mesh.corners[opposite as usize] == mesh.corners[across as usize] {
                // Two triangles over the same three corners.
                continue;
            }
            if diagonal {
                // What resists the cell's shear beside its diagonal, and breaks only with it.
                self.seam(&mesh, (DISTANCE, Material { break_force: None, ..law }), joint, &[opposite, across])?;
            }
            hinges.push((joint, diagonal, [from, to, opposite, across]));
        }
        self.stretches(begin);
        let Some((kind, bend)) = laws.bend else { return Ok(()) };
        let begin = self.distance_count();
        for (joint, diagonal, corners) in hinges {
            match kind {
                DISTANCE if diagonal => {}
                DISTANCE => self.seam(&mesh, (kind, bend), joint, &corners[2..])?,
                _ => self.seam(&mesh, (kind, bend), joint, &corners)?,
            }
        }
        let range = begin..self.distance_count();
        self.model
            .bodies
            .last_mut()
            .filter(|_| kind == DISTANCE)
            .into_iter()
            .for_each(|body| body.bend = Some(range.clone()));
        Ok(())
    }

    /// A constraint of an edge that can break, between the particles of these corners, at rest as placed.
    fn seam(
        &mut self,
        mesh: &Mesh,
        (kind, law): (&str, Material),
        joint: u32,
        corners: &[u32],
    ) -> Result<(), SceneError> {
        let group = self.kind(mesh.at, kind, corners.len())?;
        let material = self.model.materials.insert(law);
        let ends: Vec<u32> = corners.iter().map(|&corner| mesh.first + mesh.corners[corner as usize]).collect();
        let mut all = [u32::MAX; 4];
        for (to, corner) in all.iter_mut().zip(corners) {
            *to = mesh.first_corner + corner;
        }
        let constraint = self.model.groups[group].len() as u32;
        self.check_shape(mesh.at, self.model.groups[group].kind, &ends, (constraint as usize, None))?;
        push(&mut self.model.groups[group], &self.model.particles, &ends, material, |_| None);
        let tearing = self.model.tearing.get_or_insert_default();
        tearing.seams.push(Seam { group: group as u32, constraint, edge: Some(joint), corners: all });
        Ok(())
    }
}

/// The mesh that constraints are made for.
struct Mesh<'a> {
    at: &'a Path<'a>,
    /// The particle of its vertex 0.
    first: u32,
    /// Where its corners begin among those of all bodies.
    first_corner: u32,
    /// The vertex of each of its corners.
    corners: &'a [u32],
}
