//! Rigid bodies: closed surfaces with the mass, the centre and the inertia of what they enclose.

use super::{Body, BodyKind, Content};
use crate::math::Vec3;
use crate::mesh::TriangleMesh;
use crate::mesh::moments::Moments;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Ballast, Builder, Extent, Local, PlacedBody, Reading};
use crate::scene::mesh::check_closed;
use crate::scene::{Mesh, check};

/// A solid that never changes its shape, made of one material throughout. Its particles are the vertices of its
/// surface, and four that nothing touches and nobody sees, which give it the solid's inertia. It is held together by
/// shape matching without compliance.
#[derive(Clone, Debug, PartialEq)]
pub struct Rigid {
    /// Its surface: a closed mesh, wound counter-clockwise seen from outside.
    pub mesh: Mesh,
}

impl<M: Into<Mesh>> From<M> for Rigid {
    fn from(mesh: M) -> Self {
        Self { mesh: mesh.into() }
    }
}

impl Body {
    /// A rigid solid, from the [`Mesh`] of its surface.
    pub fn rigid(rigid: impl Into<Rigid>) -> Self {
        Self::new(Content::Rigid(rigid.into()))
    }
}

impl BodyKind for Rigid {
    fn extent(&self) -> Extent {
        Extent::Enclosed
    }

    fn local(&self, at: &Path, body: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        if body.damping > 0.0 {
            let message = "damps what is not rigid, and this body is; remove it";
            return Err(SceneError::key(&at.key("damping"), message));
        }
        let local = Local::of_mesh(at, &self.mesh, reading)?;
        let closed = check_closed(&at.key("mesh"), &local.mesh.triangles, &local.mesh.positions);
        closed.map_err(|error| reading.explain(error))?;
        Ok(local)
    }

    /// Shares its mass out between surface and ballast. What is pinned stays fixed.
    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        let at = placed.at;
        let model = &builder.model.bodies[placed.index];
        let range = model.particles.start as usize..model.particles.end as usize;
        let first = model.particles.start;
        let triangles = model.triangles.iter().map(|corners| corners.map(|p| p - first)).collect();
        let surface = TriangleMesh { positions: builder.model.particles.positions[range.clone()].to_vec(), triangles };
        let areas = surface.vertex_areas();
        let (solid, shell) = (Moments::of_solid(&surface), Moments::of_points(&surface.positions, &areas));
        let too_thin =
            || SceneError::new(&at.key("mesh"), "encloses next to nothing: it must be a solid with a volume");
        let (share, points) = solid.ballast(&shell).ok_or_else(too_thin)?;

        let particles = &mut builder.model.particles;
        let free = areas.iter().zip(&particles.inverse_masses[range.clone()]).find(|(_, w)| **w > 0.0);
        let Some(mass) = free.map(|(area, w)| shell.whole / (area * w)) else {
            builder.rigid.push(Ballast { body: placed.index, ..Ballast::default() });
            return Ok(());
        };
        let body = &builder.scene.bodies[placed.index];
        let (linear, angular) = (Vec3::from(body.velocity), Vec3::from(body.angular_velocity));
        let velocity = |x: [f64; 3]| (linear + angular.cross(Vec3::from(x) - solid.centre)).into();
        for (i, index) in range.enumerate() {
            if particles.inverse_masses[index] > 0.0 {
                particles.inverse_masses[index] = shell.whole / (mass * share * areas[i]);
                particles.velocities[index] = velocity(particles.positions[index]);
            }
        }
        let each = 0.25 * mass * (1.0 - share);
        check::number(&at.key("mass"), each, &check::MASS)?;
        let velocities = points.map(velocity).to_vec();
        builder.rigid.push(Ballast { body: placed.index, points: points.to_vec(), velocities, mass: each });
        Ok(())
    }
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::toml::mesh::mesh;
    use crate::scene::toml::read::{Result, Table};

    impl Rigid {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let example = "{ box = { cells = [1, 1, 1], size = [1.0, 1.0, 1.0] } }";
            Ok(Self { mesh: body.required("mesh", example, |value| mesh(value, folder))? })
        }
    }
}
