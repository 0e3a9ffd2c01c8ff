//! Rigid bodies: closed surfaces with the mass, the centre and the inertia of what they enclose.

use super::{Body, BodyKind, Content};
use crate::math::Vec3;
use crate::mesh::TriangleMesh;
use crate::mesh::moments::Moments;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Ballast, Builder, Extent, Local, PlacedBody, Reading, Transform};
use crate::scene::mesh::check_closed;
use crate::scene::{Mesh, check};

/// A solid that never changes its shape, made of one material throughout. Its particles are the vertices of its
/// surface, and four that nothing touches and nobody sees, which give it the solid's inertia. It is held together by
/// shape matching without compliance.
#[derive(Clone, Debug, PartialEq)]
pub struct Rigid {
    /// Its surface: a closed mesh, wound counter-clockwise seen from outside.
    pub mesh: Mesh,
    /// Its mass, centre and inertia; `None` for those of what the surface encloses, filled evenly.
    pub inertial: Option<Inertial>,
}

/// Mass, centre and inertia of a rigid body, in place of those of what its surface encloses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertial {
    /// kg, above 0.
    pub mass: f64,
    /// The centre of mass, m, before the body's rotation and position and after its scale.
    pub centre: [f64; 3],
    /// Its inertia about the centre, kg m²: xx, yy, zz, xy, xz, yz of the matrix along the same axes. It must be that of
    /// some solid: positive definite, and no principal moment as large as the sum of the other two.
    pub inertia: [f64; 6],
}

impl Inertial {
    /// By rows.
    pub(in crate::scene) fn matrix(&self) -> [[f64; 3]; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.inertia;
        [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    }

    fn moments(&self, at: &Path, transform: &Transform) -> Result<Moments, SceneError> {
        let mass = check::number(&at.key("mass"), self.mass, &check::MASS)?;
        if mass < check::LEAST_MASS {
            let message = format!("must be at least {} kg; make it larger", check::display(check::LEAST_MASS));
            return Err(SceneError::new(&at.key("mass"), message));
        }
        let centre = transform.placed(check::vector(&at.key("centre"), self.centre, &check::COORDINATE)?);
        let at_inertia = at.key("inertia");
        check::vector(&at_inertia, self.inertia, &check::INERTIA)?;
        // R I Rᵀ: the rows turned, and then the columns.
        let half = transposed(self.matrix().map(|row| transform.rotate(row)));
        let moments = Moments::of_inertia(mass, centre.into(), &half.map(|row| transform.rotate(row)));
        match moments.fault() {
            Some(fault) => Err(SceneError::new(&at_inertia, fault)),
            None => Ok(moments),
        }
    }
}

fn transposed(m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

impl Rigid {
    /// Mass, centre and inertia in place of those of what its surface encloses.
    pub fn inertial(self, inertial: Inertial) -> Self {
        Self { inertial: Some(inertial), ..self }
    }

    /// Refuses a weight that is said twice.
    fn check_weight(&self, at: &Path, body: &Body) -> Result<(), SceneError> {
        let given = [("mass", body.mass.is_some()), ("density", body.density.is_some())];
        let Some((key, _)) = given.iter().find(|(_, given)| *given && self.inertial.is_some()) else { return Ok(()) };
        Err(SceneError::key(
            &at.key(key),
            "cannot be combined with `inertial`, which has a mass; remove one of the two",
        ))
    }

    /// Its moments as placed.
    fn moments(&self, at: &Path, body: &Body, surface: &TriangleMesh) -> Result<Moments, SceneError> {
        match &self.inertial {
            Some(inertial) => inertial.moments(&at.key("inertial"), &Transform::new(at, body)?),
            None => Ok(Moments::of_solid(surface)),
        }
    }
}

impl<M: Into<Mesh>> From<M> for Rigid {
    fn from(mesh: M) -> Self {
        Self { mesh: mesh.into(), inertial: None }
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
        self.check_weight(at, body)?;
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
        let lets_go = |&particle: &u32| model.particles.contains(&particle);
        if builder.model.releases.iter().flat_map(|release| &release.particles).any(lets_go) {
            let message = "does not let go of rigid bodies; leave `until` out, and hold the body by a `[[joint]]` with \
                           a break_force";
            return Err(SceneError::key(&at.key("pin"), message));
        }
        let triangles = model.triangles.iter().map(|corners| corners.map(|p| p - first)).collect();
        let surface = TriangleMesh { positions: builder.model.particles.positions[range.clone()].to_vec(), triangles };
        let areas = surface.vertex_areas();
        let body = &builder.scene.bodies[placed.index];
        let (solid, shell) = (self.moments(at, body, &surface)?, Moments::of_points(&surface.positions, &areas));
        let too_thin =
            || SceneError::new(&at.key("mesh"), "encloses next to nothing: it must be a solid with a volume");
        let (share, points) = solid.ballast(&shell).ok_or_else(too_thin)?;

        let particles = &mut builder.model.particles;
        let free = areas.iter().zip(&particles.inverse_masses[range.clone()]).find(|(_, w)| **w > 0.0);
        let Some(mass) = free.map(|(area, w)| shell.whole / (area * w)) else {
            builder.rigid.push(Ballast { body: placed.index, ..Ballast::default() });
            return Ok(());
        };
        let mass = self.inertial.map_or(mass, |inertial| inertial.mass);
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
        check_lightest(at, mass * share * areas.iter().copied().fold(f64::INFINITY, f64::min) / shell.whole)?;
        let velocities = points.map(velocity).to_vec();
        builder.rigid.push(Ballast { body: placed.index, points: points.to_vec(), velocities, mass: each });
        Ok(())
    }
}

/// Refuses a surface that can take next to nothing of the mass.
fn check_lightest(at: &Path, mass: f64) -> Result<(), SceneError> {
    if mass >= check::LEAST_MASS {
        return Ok(());
    }
    let message = "its inertia is too small for its surface, whose particles would weigh next to nothing; raise the \
                   inertia, or make the mesh smaller";
    Err(SceneError::new(at, message))
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::toml::mesh::mesh;
    use crate::scene::toml::read::{Result, Table, Value, number, table, vector};

    impl Rigid {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let example = "{ box = { cells = [1, 1, 1], size = [1.0, 1.0, 1.0] } }";
            let mesh = body.required("mesh", example, |value| mesh(value, folder))?;
            Ok(Self { mesh, inertial: body.optional("inertial", inertial)? })
        }
    }

    fn inertial(value: Value) -> Result<Inertial> {
        let read = table(value)?;
        let mut inertial = Inertial {
            mass: read.required("mass", "1.0", number)?,
            centre: [0.0; 3],
            inertia: read.required("inertia", "[0.1, 0.1, 0.1, 0, 0, 0]", vector)?,
        };
        read.set("centre", &mut inertial.centre, vector)?;
        read.finish()?;
        Ok(inertial)
    }
}
