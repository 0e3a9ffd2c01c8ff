//! Shapes whose rest shape changes over time: what is blended into it.

use crate::math::Vec3;
use crate::model::{self, Curve, RestShape};
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, Local, PlacedBody, Reading, check_period, keyframes};
use crate::scene::{Body, Mesh, check};

/// Another shape of a body's particles, which is blended into its rest shape over time: how a body crawls, breathes or
/// opens.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendShape {
    /// Where its particles are.
    pub places: BlendPlaces,
    /// Times, s, and how much of it there is then: 0 for nothing, 1 for all; below 0 and above 1 go on. In between it
    /// goes straight from one to the next.
    pub keyframes: Vec<(f64, f64)>,
    /// Time after which the keyframes repeat, s; their times are from 0 to it. `None`: they do not repeat.
    pub period: Option<f64>,
    /// How much later than the keyframes' times it happens, s.
    pub delay: f64,
}

/// Where the particles of a [`BlendShape`] are.
#[derive(Clone, Debug, PartialEq)]
pub enum BlendPlaces {
    /// The same vertices as the body's mesh, in the same order, elsewhere.
    Mesh(Mesh),
    /// As in the body's mesh, but for what is near a point, in the same coordinates, m: that is pulled there by `way`,
    /// m, what is at the distance d by (1 - d²/r²)² of it, up to the radius r, m, above 0.
    Pull {
        /// The point, m.
        at: [f64; 3],
        /// m
        radius: f64,
        /// m
        way: [f64; 3],
    },
}

impl BlendShape {
    /// One that does not repeat.
    pub fn new(places: BlendPlaces, keyframes: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { places, keyframes: keyframes.into(), period: None, delay: 0.0 }
    }
    /// Repeats the keyframes after so many seconds.
    pub fn period(self, period: f64) -> Self {
        Self { period: Some(period), ..self }
    }
    /// Lets them happen so many seconds later.
    pub fn delay(self, delay: f64) -> Self {
        Self { delay, ..self }
    }

    /// What drives it, in the model.
    fn curve(&self, at: &Path, builder: &mut Builder) -> Result<u32, SceneError> {
        let at_frames = at.key("keyframes");
        let padded = self.keyframes.iter().map(|&(time, share)| (time, [share, 0.0, 0.0])).collect();
        let keyframes = keyframes(&at_frames, &padded, &check::BLEND)?;
        let period = self.period.map(|period| check::number(&at.key("period"), period, &check::PERIOD)).transpose()?;
        check_period(&at_frames, self.keyframes.iter().map(|(time, _)| *time), period)?;
        let delay = check::number(&at.key("delay"), self.delay, &check::TIME)?;
        builder.model.curves.push(Curve { keyframes, period, delay });
        Ok(builder.model.curves.len() as u32 - 1)
    }
}

/// Lists the blend shapes of a body at all its rest shapes: the constraints of a group from `first` on.
pub(super) fn lower(
    builder: &mut Builder,
    placed: &PlacedBody,
    blends: &[BlendShape],
    (group, first): (usize, usize),
) -> Result<(), SceneError> {
    let start = placed.first;
    for (index, blend) in blends.iter().enumerate() {
        let at_blends = placed.at.key("blend_shape");
        let at = at_blends.index(index);
        let ways = ways(&at, placed, &builder.scene.bodies[placed.index], blend)?;
        let curve = blend.curve(&at, builder)?;
        let constraints = builder.model.groups[group].len();
        for constraint in first..constraints {
            let particles = builder.model.groups[group].particles_of(constraint);
            let ways = particles.iter().map(|particle| ways[(particle - start) as usize]).collect();
            let blend = model::BlendShape { curve, ways };
            let shapes = &mut builder.model.rest_shapes;
            let own = |shape: &&mut RestShape| (shape.group, shape.constraint) == (group as u32, constraint as u32);
            match shapes.iter_mut().rev().take(constraints - first).find(own) {
                Some(shape) => shape.blends.push(blend),
                None => {
                    shapes.push(RestShape { group: group as u32, constraint: constraint as u32, blends: vec![blend] })
                }
            }
        }
    }
    Ok(())
}

/// From the particles of a body as placed to their places in a blend shape, m.
fn ways(at: &Path, placed: &PlacedBody, body: &Body, blend: &BlendShape) -> Result<Vec<[f64; 3]>, SceneError> {
    match &blend.places {
        BlendPlaces::Mesh(mesh) => ways_to(at, placed, body, mesh),
        BlendPlaces::Pull { at: point, radius, way } => {
            let at_pull = at.key("pull");
            let point = Vec3::from(check::vector(&at_pull.key("at"), *point, &check::COORDINATE)?);
            let radius = check::number(&at_pull.key("radius"), *radius, &check::LENGTH)?;
            let way = Vec3::from(check::vector(&at_pull.key("way"), *way, &check::COORDINATE)?);
            let share = |place: [f64; 3]| {
                let distance = (Vec3::from(place) - point).length() / radius;
                (1.0 - distance * distance).max(0.0).powi(2)
            };
            let places = &placed.local.mesh.positions;
            if !places.iter().any(|&place| share(place) > 0.0) {
                return Err(SceneError::new(&at_pull, "reaches no particle; raise its radius, or move it"));
            }
            let moved = |&place: &[f64; 3]| {
                let to = <[f64; 3]>::from(Vec3::from(place) + way * share(place));
                <[f64; 3]>::from(Vec3::from(placed.transform.at(to)) - placed.transform.at(place).into())
            };
            Ok(places.iter().map(moved).collect())
        }
    }
}

/// The same, of a mesh.
fn ways_to(at: &Path, placed: &PlacedBody, body: &Body, mesh: &Mesh) -> Result<Vec<[f64; 3]>, SceneError> {
    let of = &placed.local.mesh;
    let mut reading = Reading::new(at, body.weld, body.scale)?;
    let mesh = Local::of_mesh(at, mesh, &mut reading)?.mesh;
    // Particles that fill the mesh come behind its vertices.
    let filled = if placed.local.shares.is_some() { of.triangles.iter().flatten().max() } else { None };
    let (found, wanted) = (mesh.positions.len(), filled.map_or(of.positions.len(), |&last| last as usize + 1));
    if found != wanted || mesh.triangles != of.triangles {
        let difference = match found == wanted {
            true => "joins its vertices to other triangles than the body's mesh".to_string(),
            false => format!("has {found} vertices, and the body's mesh has {wanted}"),
        };
        let message = format!("{difference}; give the same mesh with its vertices elsewhere");
        return Err(SceneError::new(&at.key("mesh"), message));
    }
    let at = |place: [f64; 3]| Vec3::from(placed.transform.at(place));
    let (vertices, inside) = of.positions.split_at(wanted);
    let vertices: Vec<Vec3<f64>> = vertices.iter().map(|&place| at(place)).collect();
    let ways: Vec<Vec3<f64>> = mesh.positions.iter().zip(&vertices).map(|(&to, &from)| at(to) - from).collect();
    let inside = inside.iter().map(|&place| way_inside(at(place), &vertices, &ways));
    Ok(ways.iter().copied().chain(inside).map(<[f64; 3]>::from).collect())
}

/// What is inside goes with the vertices around, by the fourth power of how near they are (Shepard, A Two-dimensional
/// Interpolation Function for Irregularly-spaced Data, 1968).
fn way_inside(place: Vec3<f64>, vertices: &[Vec3<f64>], ways: &[Vec3<f64>]) -> Vec3<f64> {
    let (mut sum, mut whole) = (Vec3::zero(), 0.0);
    for (&vertex, &way) in vertices.iter().zip(ways) {
        let distance = (vertex - place).dot(vertex - place).max(f64::MIN_POSITIVE);
        let share = 1.0 / (distance * distance).max(f64::MIN_POSITIVE);
        sum += way * share;
        whole += share;
    }
    sum * (1.0 / whole)
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::{BlendPlaces, BlendShape};
    use crate::scene::toml::mesh::mesh;
    use crate::scene::toml::parts::share_keyframes;
    use crate::scene::toml::read::{Result, Table, Value, number, table, vector};

    /// `{ at = [0, 0, 1], radius = 0.5, way = [0, 0.1, 0] }`
    fn pull(value: Value) -> Result<BlendPlaces> {
        let read = table(value)?;
        let at = read.required("at", "[0, 0, 1]", vector)?;
        let radius = read.required("radius", "0.5", number)?;
        let way = read.required("way", "[0, 0.1, 0]", vector)?;
        read.finish()?;
        Ok(BlendPlaces::Pull { at, radius, way })
    }

    impl BlendShape {
        /// `[[body.blend_shape]]`
        pub(in crate::scene) fn read(read: &Table, folder: &FilePath) -> Result<Self> {
            let example = "[{ time = 0.0, value = 0.0 }, { time = 1.0, value = 1.0 }]";
            let keyframes = read.required("keyframes", example, share_keyframes)?;
            let period = read.optional("period", number)?;
            let delay = read.optional("delay", number)?.unwrap_or(0.0);
            let places = match read.variant(&["mesh", "pull"])? {
                ("mesh", value) => BlendPlaces::Mesh(mesh(value, folder)?),
                (_, value) => pull(value)?,
            };
            Ok(Self { places, keyframes, period, delay })
        }
    }
}
