//! A cloth that can be torn: every constraint belongs to an edge of its mesh and goes with corners of its triangles.
//! The keys of cloth and solids that tear, and their spare particles.

use super::super::error::{Path, SceneError};
use super::super::{Cloth, Grid, Soft, check};
use super::cloth::at_border;
use super::constraint::push;
use super::preset::GridSprings;
use super::shape::Local;
use super::{Builder, DISTANCE, MAX_PARTICLES};
use crate::mesh::{HalfEdge, half_edges};
use crate::model::{Material, Method, Seam, TearableEdge};

/// The key that says how strong a body is, and what it says.
struct Strength<'a> {
    key: &'static str,
    given: Option<f64>,
    range: &'a check::Range,
    what: &'static str,
}

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
    pub fn break_force(&self, at: &Path, cloth: &Cloth) -> Result<Option<f64>, SceneError> {
        let of = Strength { key: "break_force", given: cloth.break_force, range: &check::BREAK_FORCE, what: "cloth" };
        self.strength(at, of, cloth.spare_particles)
    }

    /// The stress at which the inner faces of a solid break, if they do.
    pub fn tear_stress(&self, at: &Path, soft: &Soft) -> Result<Option<f64>, SceneError> {
        let of = Strength { key: "tear_stress", given: soft.tear_stress, range: &check::TEAR_STRESS, what: "a solid" };
        self.strength(at, of, soft.spare_particles)
    }

    fn strength(&self, at: &Path, of: Strength, spares: Option<u32>) -> Result<Option<f64>, SceneError> {
        let Strength { key, given, range, what } = of;
        let Some(given) = given else {
            return match spares {
                None => Ok(None),
                Some(_) => {
                    let message = format!("are for {what} that tears; give it a {key}, or remove them");
                    Err(SceneError::key(&at.key("spare_particles"), message))
                }
            };
        };
        let at = at.key(key);
        if self.scene.settings.method == Method::Jacobi {
            let message =
                "needs solver.method = \"gauss-seidel\": Jacobi's lists cannot follow a tear; set it, or remove this";
            return Err(SceneError::new(&at, message));
        }
        check::number(&at, given, range).map(Some)
    }

    /// How many particles to reserve for the tears of a body.
    pub fn spares(&self, at: &Path, given: Option<u32>, local: &Local) -> Result<u32, SceneError> {
        let spares = given.unwrap_or(local.mesh.positions.len() as u32);
        let at = at.key("spare_particles");
        check::number(&at, spares.into(), &check::SPARES)?;
        let particles = self.model.particles.len() as u64 + u64::from(self.spares) + u64::from(spares);
        match particles > MAX_PARTICLES {
            false => Ok(spares),
            true => {
                let message = format!("make {particles} particles, and a scene can have {MAX_PARTICLES}; give fewer");
                Err(SceneError::new(&at, message))
            }
        }
    }

    /// Holds the body that was added last by the edges of its mesh and by what bends and shears across them.
    pub fn tearable(
        &mut self,
        at: &Path,
        first: u32,
        local: &Local,
        laws: &Laws,
        spares: u32,
    ) -> Result<(), SceneError> {
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

    /// Adds the spare particles behind those of all bodies: fixed, and where they are in nobody's way.
    pub fn reserve_spares(&mut self) {
        let Some(tearing) = &mut self.model.tearing else { return };
        let particles = &mut self.model.particles;
        let (first, count) = (particles.len() as u32, self.spares as usize);
        tearing.spares = first..first + self.spares;
        // Within the bounds of what is there, and of a body, as every particle must be; a tear overwrites both.
        let vertex = tearing.vertices().first().map_or(0, |&vertex| vertex as usize);
        particles.positions.extend(std::iter::repeat_n(particles.positions[vertex], count));
        particles.bodies.extend(std::iter::repeat_n(particles.bodies[vertex], count));
        particles.velocities.extend(std::iter::repeat_n([0.0; 3], count));
        particles.inverse_masses.extend(std::iter::repeat_n(0.0, count));
        particles.drives.extend(std::iter::repeat_n(0, count));
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
