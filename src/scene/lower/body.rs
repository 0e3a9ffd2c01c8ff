//! A body of the scene, made into particles of the model.

use std::f64::consts::PI;

use super::super::error::{Path, SceneError};
use super::super::{Body, ContactBy, DEFAULT_MASS, Segments, check};
use super::collision;
use super::flow::Spout;
use super::local::{Extent, Local};
use super::place::Transform;
use super::preset::SizedPreset;
use super::reading::Reading;
use super::{Builder, MAX_PARTICLES, segments};
use crate::math::Vec3;
use crate::mesh::TriangleMesh;
use crate::model::{self, Finish};

/// A body whose particles are in the model, and whose constraints are not.
#[derive(Clone, Copy)]
pub(in crate::scene) struct PlacedBody<'a> {
    /// Its place in the scene.
    pub at: &'a Path<'a>,
    /// Its index in the scene, and in the model.
    pub index: usize,
    /// Its first particle in the model.
    pub first: u32,
    /// Its particles and its mesh before the transform.
    pub local: &'a Local,
    pub transform: &'a Transform,
    /// The material that the scene names, with the body's cross-section.
    pub preset: Option<SizedPreset>,
    /// What there is to say of the files of its mesh.
    pub reading: &'a Reading,
}

impl Builder<'_> {
    pub fn body(&mut self, at: &Path, index: usize, body: &Body) -> Result<(), SceneError> {
        let transform = Transform::new(at, body)?;
        let mut reading = Reading::new(at, body.weld, body.scale)?;
        reading.frame_rate = self.scene.settings.frame_rate;
        let kind = body.content.kind();
        if let Some(name) = kind.grows_on() {
            reading.ground = self.ground(at, (index, body), name)?;
        }
        let mut local = kind.local(at, body, &mut reading)?;
        let filled = local.mesh.positions.len();
        let spouts = self.spouts(index, body, filled)?;
        let spare: usize = spouts.iter().map(Spout::particles).sum();
        local.mesh.positions.resize(filled + spare, [0.0; 3]);
        reading.check_weld(at)?;
        self.renumbered.push(std::mem::take(&mut reading.renumbered));
        self.notes.append(&mut reading.notes);
        let (first, count) = (self.model.particles.len(), local.mesh.positions.len());
        if (first + count) as u64 > MAX_PARTICLES {
            let message = format!("the scene has more than {MAX_PARTICLES} particles; make it coarser");
            return Err(SceneError::new(at, message));
        }
        let mut placed = local.mesh.clone();
        transform.apply(at, &mut placed.positions)?;
        let waiting = spouts.iter().flat_map(Spout::places);
        placed.positions[filled..].iter_mut().zip(waiting).for_each(|(place, waits)| *place = waits);
        let properties = surface_properties(at, index, body, first as u32..(first + count) as u32)?;
        let radius = properties.radius;
        let preset = SizedPreset::new(at, body, radius)?;
        let masses = masses(at, body, &local, &placed, (radius, preset))?;
        let there = (&placed.positions[..filled], &masses[..filled]);
        let mut velocities = velocities(at, body, &transform, there, local.velocities.as_deref())?;
        velocities.resize(filled + spare, [0.0; 3]);
        let triangles = placed.triangles.iter().map(|corners| corners.map(|p| first as u32 + p));

        let skin = local.skin.clone().map(|mut skin| {
            skin.anchors.as_flattened_mut().iter_mut().for_each(|particle| *particle += first as u32);
            skin
        });

        let particles = &mut self.model.particles;
        self.model.bodies.push(model::Body {
            triangles: triangles.collect(),
            strand: local.strand,
            skin,
            ..properties
        });
        let weights = masses[..filled].iter().map(|&mass| if mass > 0.0 { 1.0 / mass } else { 0.0 });
        particles.inverse_masses.extend(weights.chain(std::iter::repeat_n(0.0, spare)));
        particles.velocities.extend(velocities);
        particles.bodies.extend(std::iter::repeat_n(index as u32, count));
        particles.drives.extend(std::iter::repeat_n(0, count));
        particles.positions.extend_from_slice(&placed.positions);
        let mut next = first + filled;
        for spout in spouts {
            let emitter = spout.with_particles(next as u32, masses[next - first]);
            next = emitter.particles.end as usize;
            self.model.emitters.push(emitter);
        }

        self.model.bodies[index].segments = segments::segments(at, first as u32, body, &local, radius)?;
        if let Segments::Between(listed) = &body.segments {
            let at = at.key("segments");
            for (i, end) in listed.iter().enumerate().flat_map(|(i, ends)| ends.map(|end| (i, end))) {
                self.note_moved(&at.index(i), index, end);
            }
        }
        self.pins(at, index, body, &local)?;
        if let Some(strength) = kind.tears_by() {
            refuse_with_tears(at, body, strength)?;
        }
        let (first, reading) = (first as u32, &reading);
        kind.lower(self, &PlacedBody { at, index, first, local: &local, transform: &transform, preset, reading })?;
        if let Some(tethers) = &body.tether {
            self.tethers(at, index, tethers, &local)?;
        }
        if body.planar || kind.is_planar() {
            self.keep_in_plane(at, body, first..first + count as u32)?;
        }
        let at = at.key("constraint");
        for (i, constraint) in body.constraints.iter().enumerate() {
            self.constraint_inside(&at.index(i), index, constraint)?;
        }
        Ok(())
    }
}

impl Builder<'_> {
    /// The surface of a body on which another grows, as it is placed.
    fn ground(&self, at: &Path, (index, body): (usize, &Body), name: &str) -> Result<TriangleMesh, SceneError> {
        let (at_mesh, none) = (at.key("mesh"), Body::new(body.content.clone()));
        let at_grown = at_mesh.key("grown");
        let at_on = at_grown.key("on");
        let ground = self.body_named(&at_on, name)?;
        let Some(ground) = self.model.bodies.get(ground).filter(|_| ground < index) else {
            let message = format!("'{name}' comes later in the scene; put it before what grows on it");
            return Err(SceneError::new(&at_on, message));
        };
        if (body.position, body.rotation, body.scale) != (none.position, none.rotation, none.scale) {
            let message = format!("grows on '{name}' where that is placed; remove position, rotation and scale");
            return Err(SceneError::new(at, message));
        }
        if ground.triangles.is_empty() {
            let message = format!("'{name}' has no surface to grow on; name a body with triangles");
            return Err(SceneError::new(&at_on, message));
        }
        let range = ground.particles.clone();
        let positions = self.model.particles.positions[range.start as usize..range.end as usize].to_vec();
        let triangles = ground.triangles.iter().map(|corners| corners.map(|p| p - range.start)).collect();
        Ok(TriangleMesh { positions, triangles })
    }
}

/// Refuses what acts on the particles that the scene lists: it would not hold, or damp, those that tears add.
fn refuse_with_tears(at: &Path, body: &Body, strength: &str) -> Result<(), SceneError> {
    let lets_go = body.pins.iter().any(|pin| pin.until.is_some());
    let asked =
        [("tether", body.tether.is_some()), ("planar", body.planar), ("damping", body.damping > 0.0), ("pin", lets_go)];
    match asked.into_iter().find(|(_, asked)| *asked) {
        Some((key, _)) => {
            let what = if key == "pin" { "lets go (`until`), and " } else { "" };
            let message = format!("{what}cannot follow a tear, and the body has a {strength}; remove one of the two");
            Err(SceneError::key(&at.key(key), message))
        }
        None => Ok(()),
    }
}

/// By its radius or its thickness; 0 without.
pub(in crate::scene) fn contact_radius(at: &Path, body: &Body) -> Result<f64, SceneError> {
    match (body.radius, body.thickness) {
        (Some(_), Some(_)) => {
            let message = "cannot be combined with the radius, which is half of it; give one of the two";
            Err(SceneError::new(&at.key("thickness"), message))
        }
        (Some(radius), None) => check::number(&at.key("radius"), radius, &check::RADIUS),
        (None, Some(thickness)) => Ok(check::number(&at.key("thickness"), thickness, &check::RADIUS)? / 2.0),
        (None, None) => Ok(0.0),
    }
}

/// Name, particles, contact properties, air, damping and colour; no triangles yet.
fn surface_properties(
    at: &Path,
    index: usize,
    body: &Body,
    particles: std::ops::Range<u32>,
) -> Result<model::Body, SceneError> {
    let radius = contact_radius(at, body)?;
    if let Some(colour) = body.colour {
        check::vector(&at.key("colour"), colour.map(f64::from), &check::SHARE)?;
    }
    let kind = body.content.kind();
    let has_surface = kind.extent().has_surface();
    if !has_surface && body.lift > 0.0 {
        let message = "acts on surfaces, and particles and strands have none; remove it";
        return Err(SceneError::new(&at.key("lift"), message));
    }
    if !has_surface && body.drag > 0.0 && radius == 0.0 {
        return Err(SceneError::new(&at.key("drag"), "needs the particles' size; give the body a radius"));
    }
    let surface_contact = body.contact == ContactBy::Surface;
    if surface_contact && radius == 0.0 {
        return Err(SceneError::new(&at.key("contact"), "needs the surface's thickness; give the body a thickness"));
    }
    if body.self_collision && radius == 0.0 {
        return Err(SceneError::new(&at.key("self_collision"), "needs the particles' size; give the body a radius"));
    }
    let friction = check::number(&at.key("friction"), body.friction, &check::FRICTION)?;
    let dynamic_friction = body.dynamic_friction.unwrap_or(friction);
    let named_look = body.material.as_deref().and_then(Finish::of_material);
    Ok(model::Body {
        name: body.name_at(index),
        particles,
        triangles: Vec::new(),
        skin: None,
        radius,
        friction,
        dynamic_friction: check::number(&at.key("dynamic_friction"), dynamic_friction, &check::FRICTION)?,
        restitution: check::number(&at.key("restitution"), body.restitution, &check::SHARE)?,
        contact_compliance: check::number(&at.key("contact_compliance"), body.contact_compliance, &check::COMPLIANCE)?,
        self_collision: body.self_collision || kind.touches_itself(),
        surface_contact,
        segments: Vec::new(),
        groups: collision::groups(at, body.collision_group, &body.collides_with)?,
        drag: check::number(&at.key("drag"), body.drag, &check::AIR)?,
        lift: check::number(&at.key("lift"), body.lift, &check::AIR)?,
        strand: None,
        stretch: None,
        bend: None,
        damping: check::number(&at.key("damping"), body.damping, &check::DAMPING_RATE)?,
        colour: body.colour,
        is_ballast: false,
        look: Some(body.look.or(named_look).unwrap_or_else(|| kind.look())),
    })
}

/// The mass of each particle, kg; 0 where it is fixed.
fn masses(
    at: &Path,
    body: &Body,
    local: &Local,
    placed: &TriangleMesh,
    size: (f64, Option<SizedPreset>),
) -> Result<Vec<f64>, SceneError> {
    let masses = match given_masses(at, body, local)? {
        Some(masses) => {
            check::length(&at.key("masses"), masses.len(), placed.positions.len(), "particles")?;
            masses
        }
        None => shared_masses(at, body, local, placed, size)?,
    };
    if let Some(index) = masses.iter().position(|&mass| mass > 0.0 && mass < check::LEAST_MASS) {
        let message = format!(
            "particle {index} gets {} kg, too little for single precision; make it at least {} kg",
            check::display(masses[index]),
            check::display(check::LEAST_MASS)
        );
        return Err(SceneError::new(at, message));
    }
    Ok(masses)
}

/// The masses that a body lists particle by particle.
fn given_masses(at: &Path, body: &Body, local: &Local) -> Result<Option<Vec<f64>>, SceneError> {
    let Some(masses) = &local.masses else { return Ok(None) };
    if body.mass.is_some() || body.density.is_some() {
        let message = "cannot be combined with the mass or density of the whole body; give one of the two";
        return Err(SceneError::new(&at.key("masses"), message));
    }
    for (index, mass) in masses.iter().enumerate() {
        check::number(&at.key("masses").index(index), *mass, &check::MASS)?;
    }
    Ok(Some(masses.clone()))
}

/// The mass of the whole body, shared by length, area or volume, or equally.
fn shared_masses(
    at: &Path,
    body: &Body,
    local: &Local,
    placed: &TriangleMesh,
    size: (f64, Option<SizedPreset>),
) -> Result<Vec<f64>, SceneError> {
    let (extent, count) = (body.content.kind().extent(), placed.positions.len());
    let shares = match extent {
        Extent::Length => vertex_lengths(local, placed),
        Extent::Area | Extent::Enclosed => local.shares.clone().unwrap_or_else(|| placed.vertex_areas()),
        Extent::Volume => local.solid_at(&placed.positions).vertex_volumes(),
        Extent::Liquid | Extent::Balls | Extent::Points => vec![1.0; count],
    };
    let whole: f64 = shares.iter().sum();
    if matches!(extent, Extent::Area | Extent::Enclosed) && !(whole > 0.0 && whole.is_finite()) {
        return Err(SceneError::new(&at.key("mesh"), "has no area; its triangles must not be points or lines"));
    }
    let of_density = if extent == Extent::Enclosed { placed.signed_volume().abs() } else { whole };
    let (key, total) = total_mass(at, body, local, of_density, size)?;
    if total == 0.0 && body.pins.is_empty() {
        let message =
            "is 0 and nothing is pinned: a body needs a mass or a fixed particle; give a mass above 0, or pin it";
        return Err(SceneError::new(&at.key(key), message));
    }
    if matches!(extent, Extent::Liquid | Extent::Balls | Extent::Points) || local.grid.is_some() {
        return Ok(vec![total / count as f64; count]);
    }
    if let Some(index) = shares.iter().position(|&share| share == 0.0) {
        let message = format!("vertex {index} belongs to no triangle with area and would weigh nothing; remove it");
        return Err(SceneError::new(&at.key("mesh"), message));
    }
    Ok(shares.iter().map(|share| total * share / whole).collect())
}

/// The mass of the whole body, kg, of what its density multiplies; and the key that says it.
fn total_mass(
    at: &Path,
    body: &Body,
    local: &Local,
    whole: f64,
    (radius, preset): (f64, Option<SizedPreset>),
) -> Result<(&'static str, f64), SceneError> {
    // A rod has the volume of its section along its length.
    let extent = if local.section.is_some() { Extent::Volume } else { body.content.kind().extent() };
    let of_density = |density: f64| density * whole * local.volume_share * local.section.unwrap_or(1.0);
    let density = body.density.or(body.content.kind().default_density().filter(|_| body.mass.is_none()));
    let Some(density) = density else {
        return Ok(match body.mass {
            Some(mass) => ("mass", check::number(&at.key("mass"), mass, &check::MASS)?),
            None => ("mass", preset.map_or(DEFAULT_MASS, |preset| of_density(preset.density(extent)))),
        });
    };
    let at = at.key("density");
    if body.mass.is_some() {
        return Err(SceneError::new(&at, "cannot be combined with the mass; give one of the two"));
    }
    let mass = match extent {
        Extent::Length | Extent::Area => of_density(check::number(&at, density, &check::DENSITY)?),
        Extent::Volume | Extent::Enclosed | Extent::Liquid => {
            of_density(check::number(&at, density, &check::SOLID_DENSITY)?)
        }
        Extent::Balls => {
            let density = check::number(&at, density, &check::SOLID_DENSITY)?;
            density * 4.0 / 3.0 * PI * radius.powi(3) * local.mesh.positions.len() as f64
        }
        Extent::Points => {
            let message = "needs a surface, and loose particles have none; give `mass` or `masses`";
            return Err(SceneError::new(&at, message));
        }
    };
    Ok(("density", mass))
}

/// Half the length of the segments at each particle of a strand, m.
fn vertex_lengths(local: &Local, placed: &TriangleMesh) -> Vec<f64> {
    let mut lengths = vec![0.0; placed.positions.len()];
    for ends in local.runs::<2>() {
        let [a, b] = ends.map(|p| Vec3::from(placed.positions[p as usize]));
        ends.into_iter().for_each(|p| lengths[p as usize] += (b - a).length() / 2.0);
    }
    lengths
}

/// The velocity of each particle, m/s: that of the body, its rotation about the centre of mass, and the particle's own.
fn velocities(
    at: &Path,
    body: &Body,
    transform: &Transform,
    (positions, masses): (&[[f64; 3]], &[f64]),
    own: Option<&[[f64; 3]]>,
) -> Result<Vec<[f64; 3]>, SceneError> {
    let linear = Vec3::from(check::vector(&at.key("velocity"), body.velocity, &check::VELOCITY)?);
    let at_angular = at.key("angular_velocity");
    let angular = Vec3::from(check::vector(&at_angular, body.angular_velocity, &check::ANGULAR_VELOCITY)?);
    let own = own_velocities(at, own, positions.len())?;
    let centre = centre_of_mass(positions, masses);
    let velocity = |(index, &position): (usize, &[f64; 3])| {
        if masses[index] == 0.0 {
            return Ok([0.0; 3]);
        }
        let own = Vec3::from(transform.rotate(own.get(index).copied().unwrap_or_default()));
        let velocity = <[f64; 3]>::from(linear + angular.cross(Vec3::from(position) - centre) + own);
        check::vector(at, velocity, &check::VELOCITY)
            .map_err(|error| SceneError::new(at, format!("velocity of particle {index}: {}", error.message)))
    };
    positions.iter().enumerate().map(velocity).collect()
}

/// The velocities that a body lists particle by particle; empty if it lists none.
fn own_velocities<'v>(
    at: &Path,
    velocities: Option<&'v [[f64; 3]]>,
    count: usize,
) -> Result<&'v [[f64; 3]], SceneError> {
    let Some(velocities) = velocities else { return Ok(&[]) };
    let at = at.key("velocities");
    for (index, velocity) in velocities.iter().enumerate() {
        check::vector(&at.index(index), *velocity, &check::VELOCITY)?;
    }
    check::length(&at, velocities.len(), count, "particles")?;
    Ok(velocities)
}

/// Of the particles with mass; of all if none has any.
fn centre_of_mass(positions: &[[f64; 3]], masses: &[f64]) -> Vec3<f64> {
    let total: f64 = masses.iter().sum();
    let weight = |index: usize| if total > 0.0 { masses[index] / total } else { 1.0 / masses.len() as f64 };
    let weighted = positions.iter().enumerate().map(|(index, &x)| Vec3::from(x) * weight(index));
    weighted.fold(Vec3::zero(), |sum, x| sum + x)
}
