//! Fluids: liquids that fill a box or a closed surface with particles.

use std::f64::consts::FRAC_PI_2;

use super::{Body, BodyKind, Content};
use crate::mesh::lattice::Lattice;
use crate::model::fluid::no_fluids;
use crate::model::{self, Finish};
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, Extent, Local, MAX_PARTICLES, PlacedBody, Reading};
use crate::scene::mesh::check_closed;
use crate::scene::{Mesh, check};

/// A liquid. Its particles begin on a cubic lattice, and each stands for a cube of the spacing's edge. They press
/// against colliders, against each other and against the particles of bodies that have a radius, and are free where
/// nothing is: pressure never pulls.
#[derive(Clone, Debug, PartialEq)]
pub struct Fluid {
    /// What it fills at the beginning.
    pub fill: Fill,
    /// Between neighbouring particles at rest, m, above 0: the same for all fluids of a scene. What is finer than twice
    /// as much is not resolved. Halving it makes eight times as many particles.
    pub spacing: f64,
    /// Pa s, at least 0: water has 0.001, honey 10. What the solver's own steps add is much more than water has.
    pub viscosity: f64,
    /// N/m, at least 0: water has 0.072. What substeps are too long for acts as less, which `check` tells. Default 0.
    pub surface_tension: f64,
    /// At which the surface meets colliders, inside the fluid, rad, 0 to π: water on clean glass has 0.3, mercury 2.4.
    /// It needs surface tension. Default π/2, a right angle.
    pub contact_angle: f64,
    /// Pa, at least 0: how the fluid yields to pressure. Default 0: as stiff as the sweeps make it, which `check`
    /// foretells.
    pub bulk_modulus: f64,
}

/// What a fluid fills at the beginning, before the body's transform.
#[derive(Clone, Debug, PartialEq)]
pub enum Fill {
    /// A box along the axes: as many spacings as it has, rounded, around its middle.
    Box {
        /// The least coordinates, m.
        min: [f64; 3],
        /// The largest, m.
        max: [f64; 3],
    },
    /// A closed surface.
    Mesh(Mesh),
    /// Nothing: emitters pour it ([`Emitter`](crate::scene::Emitter)).
    Nothing,
}

/// kg/m³, of a fluid without mass and density: water's.
const DENSITY: f64 = 1000.0;

impl Fluid {
    /// Water that fills a box along the axes, with a twentieth of its shortest side as the spacing.
    pub fn cuboid(min: [f64; 3], max: [f64; 3]) -> Self {
        let shortest = min.iter().zip(max).map(|(min, max)| max - min).fold(f64::INFINITY, f64::min);
        Self { fill: Fill::Box { min, max }, ..Self::poured(shortest / 20.0) }
    }
    /// Water that fills a closed surface.
    pub fn mesh(mesh: impl Into<Mesh>, spacing: f64) -> Self {
        Self { fill: Fill::Mesh(mesh.into()), ..Self::poured(spacing) }
    }
    /// Water that emitters pour.
    pub fn poured(spacing: f64) -> Self {
        let (viscosity, surface_tension, bulk_modulus) = (0.0, 0.0, 0.0);
        Self { fill: Fill::Nothing, spacing, viscosity, surface_tension, contact_angle: FRAC_PI_2, bulk_modulus }
    }
    /// Between neighbouring particles at rest, m.
    pub fn spacing(self, spacing: f64) -> Self {
        Self { spacing, ..self }
    }
    /// Pa s
    pub fn viscosity(self, viscosity: f64) -> Self {
        Self { viscosity, ..self }
    }
    /// N/m
    pub fn surface_tension(self, surface_tension: f64) -> Self {
        Self { surface_tension, ..self }
    }
    /// rad
    pub fn contact_angle(self, contact_angle: f64) -> Self {
        Self { contact_angle, ..self }
    }
    /// Pa
    pub fn bulk_modulus(self, bulk_modulus: f64) -> Self {
        Self { bulk_modulus, ..self }
    }
}

impl Body {
    /// A liquid. Without mass and density it has that of water.
    pub fn fluid(fluid: Fluid) -> Self {
        Self::new(Content::Fluid(fluid))
    }
}

impl BodyKind for Fluid {
    fn extent(&self) -> Extent {
        Extent::Liquid
    }

    fn local(&self, at: &Path, body: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        let spacing = check::number(&at.key("spacing"), self.spacing, &check::SPACING)?;
        if body.radius.is_some() || body.thickness.is_some() {
            let key = if body.radius.is_some() { "radius" } else { "thickness" };
            let message = "does not apply to fluids: the spacing is the size of their particles; remove it";
            return Err(SceneError::key(&at.key(key), message));
        }
        let scale = check::vector(&at.key("scale"), body.scale, &check::SCALE)?;
        let at_fill = at.key("fill");
        let mut places = match &self.fill {
            Fill::Box { min, max } => in_box(&at_fill.key("box"), [min, max], scale, spacing)?,
            Fill::Mesh(mesh) => in_mesh(&at_fill.key("mesh"), mesh, reading, scale, spacing)?,
            Fill::Nothing => Vec::new(),
        };
        places.iter_mut().for_each(|x| *x = std::array::from_fn(|axis| x[axis] / scale[axis]));
        Ok(Local { volume_share: spacing.powi(3), ..Local::loose(places) })
    }

    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, .. } = *placed;
        if let Some(problem) = no_fluids(&builder.scene.settings) {
            return Err(SceneError::new(at, problem));
        }
        if let Some(other) = builder.model.fluids.iter().find(|fluid| fluid.spacing != self.spacing) {
            let message = format!(
                "is {} m, and another fluid has {} m; give all fluids of a scene the same spacing",
                check::display(self.spacing),
                check::display(other.spacing)
            );
            return Err(SceneError::new(&at.key("spacing"), message));
        }
        let surface_tension = check::number(&at.key("surface_tension"), self.surface_tension, &check::SURFACE_TENSION)?;
        let contact_angle = check::number(&at.key("contact_angle"), self.contact_angle, &check::CONTACT_ANGLE)?;
        if contact_angle != FRAC_PI_2 && surface_tension == 0.0 {
            let message = "needs surface tension, which this fluid does not have: set surface_tension, or remove it";
            return Err(SceneError::key(&at.key("contact_angle"), message));
        }
        builder.model.fluids.push(model::Fluid {
            particles: first..first + local.mesh.positions.len() as u32,
            spacing: self.spacing,
            viscosity: check::number(&at.key("viscosity"), self.viscosity, &check::VISCOSITY)?,
            surface_tension,
            contact_angle,
            bulk_modulus: check::number(&at.key("bulk_modulus"), self.bulk_modulus, &check::BULK_MODULUS)?,
        });
        Ok(())
    }

    fn poured_by(&self) -> Option<f64> {
        Some(self.spacing)
    }

    fn default_density(&self) -> Option<f64> {
        Some(DENSITY)
    }

    fn look(&self) -> Finish {
        Finish::Water
    }
}

/// Of a lattice with so many points in all.
fn check_points(at: &Path, counts: [usize; 3]) -> Result<(), SceneError> {
    let points = counts.iter().fold(1_u128, |points, &count| points.saturating_mul(count as u128));
    if points <= MAX_PARTICLES.into() {
        return Ok(());
    }
    let message =
        format!("needs a lattice of {points} points, and at most {MAX_PARTICLES} are allowed; raise the spacing");
    Err(SceneError::new(at, message))
}

/// How far points lie from each other along each axis so that they fill a box from wall to wall along x and z, and each
/// has the room of a particle: where a side is no multiple of the spacing, a lattice of it would stand too near to the
/// walls, and burst. Along a side of one or two points it is the spacing.
fn pitches(size: [f64; 3], spacing: f64) -> [f64; 3] {
    let along = |size: f64| {
        let count = (size / spacing).round();
        if count > 2.0 { size / count } else { spacing }
    };
    let [x, z] = [along(size[0]), along(size[2])];
    [x, spacing.powi(3) / (x * z), z]
}

/// The lattice in a box, after it was scaled.
fn in_box(at: &Path, [min, max]: [&[f64; 3]; 2], scale: [f64; 3], spacing: f64) -> Result<Vec<[f64; 3]>, SceneError> {
    let scaled = |key: &'static str, corner: &[f64; 3]| {
        let corner = check::vector(&at.key(key), *corner, &check::COORDINATE)?;
        Ok::<[f64; 3], SceneError>(std::array::from_fn(|axis| corner[axis] * scale[axis]))
    };
    let (min, max) = (scaled("min", min)?, scaled("max", max)?);
    if let Some(axis) = (0..3).find(|&axis| max[axis] <= min[axis]) {
        let message = "must be above min along every axis; exchange the two, or give a larger box";
        return Err(SceneError::new(&at.key("max").index(axis), message));
    }
    let size: [f64; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
    let pitch = pitches(size, spacing);
    let counts: [usize; 3] = std::array::from_fn(|axis| (size[axis] / pitch[axis]).round().max(1.0) as usize);
    check_points(at, counts)?;
    // In the middle of where it has walls, and from the floor on.
    let first = |axis: usize| match axis {
        1 => min[1] + 0.5 * pitch[1].min(size[1]),
        _ => 0.5 * (min[axis] + max[axis]) - 0.5 * (counts[axis] as f64 - 1.0) * pitch[axis],
    };
    let place = |axis: usize, index: usize| first(axis) + index as f64 * pitch[axis];
    let [columns, rows, depth] = counts;
    let point = |index: usize| {
        let (layer, column) = (index / columns, index % columns);
        [place(0, column), place(1, layer / depth), place(2, layer % depth)]
    };
    Ok((0..columns * rows * depth).map(point).collect())
}

/// The lattice in a closed surface, after it was scaled.
fn in_mesh(
    at: &Path,
    mesh: &Mesh,
    reading: &mut Reading,
    scale: [f64; 3],
    spacing: f64,
) -> Result<Vec<[f64; 3]>, SceneError> {
    let mut surface = mesh.surface(at, reading)?;
    // Particles are no vertices.
    reading.renumbered.numbers.clear();
    check_closed(at, &surface.triangles, &surface.positions).map_err(|error| reading.explain(error))?;
    surface.positions.iter_mut().for_each(|x| *x = std::array::from_fn(|axis| x[axis] * scale[axis]));
    let lattice = Lattice::within(&surface, spacing, 0.5 * spacing);
    check_points(at, lattice.counts)?;
    let places = if lattice.counts.contains(&0) { Vec::new() } else { lattice.inside(&surface, 0.0) };
    match places.is_empty() {
        true => Err(SceneError::new(at, "has no room for a particle; make it larger, or lower the spacing")),
        false => Ok(places),
    }
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::toml::mesh::mesh;
    use crate::scene::toml::read::{Result, Table, Value, number, table, vector};

    impl Fluid {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let fill = body.optional("fill", |value| fill(value, folder))?.unwrap_or(Fill::Nothing);
            let spacing = body.required("spacing", "0.02", number)?;
            let mut fluid = Fluid { fill, ..Fluid::poured(spacing) };
            body.set("viscosity", &mut fluid.viscosity, number)?;
            body.set("bulk_modulus", &mut fluid.bulk_modulus, number)?;
            body.set("surface_tension", &mut fluid.surface_tension, number)?;
            body.set("contact_angle", &mut fluid.contact_angle, number)?;
            Ok(fluid)
        }
    }

    fn fill(value: Value, folder: &FilePath) -> Result<Fill> {
        let fill = table(value)?;
        let (name, value) = fill.variant(&["box", "mesh"])?;
        let read = match name {
            "mesh" => Fill::Mesh(mesh(value, folder)?),
            _ => corners(value)?,
        };
        fill.finish()?;
        Ok(read)
    }

    fn corners(value: Value) -> Result<Fill> {
        let corners = table(value)?;
        let min = corners.required("min", "[0.0, 0.0, 0.0]", vector)?;
        let max = corners.required("max", "[0.5, 0.5, 0.5]", vector)?;
        corners.finish()?;
        Ok(Fill::Box { min, max })
    }
}
