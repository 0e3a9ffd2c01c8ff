//! A body of the scene, made into particles of the model.

use std::f64::consts::PI;

use super::super::error::{Path, SceneError};
use super::super::{Body, Content, DEFAULT_MASS, Segments, StrandKind, check};
use super::balloon::refuse_tears;
use super::collision;
use super::place::Transform;
use super::preset::Made;
use super::reading::Reading;
use super::shape::{self, Local};
use super::{Builder, MAX_PARTICLES, segments};
use crate::constraint::Vec3;
use crate::mesh::{TetrahedronMesh, TriangleMesh};
use crate::model;

impl Builder<'_> {
    pub fn body(&mut self, at: &Path, index: usize, body: &Body) -> Result<(), SceneError> {
        let transform = Transform::new(at, body)?;
        let mut reading = Reading::new(at, body.weld, body.scale)?;
        let local = shape::local(at, body, &mut reading)?;
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
        let properties = surface_properties(at, index, body, first as u32..(first + count) as u32)?;
        let radius = properties.radius;
        let made = Made::new(at, body, properties.radius)?;
        let masses = masses(at, body, &local, &placed, (radius, made))?;
        let velocities = velocities(at, body, &transform, &placed.positions, &masses)?;
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
        particles.inverse_masses.extend(masses.iter().map(|&mass| if mass > 0.0 { 1.0 / mass } else { 0.0 }));
        particles.velocities.extend(velocities);
        particles.bodies.extend(std::iter::repeat_n(index as u32, count));
        particles.drives.extend(std::iter::repeat_n(0, count));
        particles.positions.extend_from_slice(&placed.positions);

        self.model.bodies[index].segments = segments::segments(at, first as u32, body, &local, radius)?;
        if let Segments::Between(listed) = &body.segments {
            let at = at.key("segments");
            for (i, end) in listed.iter().enumerate().flat_map(|(i, ends)| ends.map(|end| (i, end))) {
                self.note_moved(&at.index(i), index, end);
            }
        }
        self.pins(at, index, body, &local)?;
        let mut planar = body.planar;
        match &body.content {
            Content::Cloth(cloth) => {
                refuse_with_tears(at, body, "break_force", cloth.break_force)?;
                self.cloth(at, first as u32, cloth, &local, made, &transform)?;
            }
            Content::Balloon(balloon) => {
                refuse_tears(at, &balloon.surface)?;
                self.cloth(at, first as u32, &balloon.surface, &local, made, &transform)?;
                self.balloon(at, index, balloon).map_err(|error| reading.explain(error))?;
            }
            Content::Shape(matching) => self.matching(at, index, matching)?,
            Content::Strand(strand) => {
                self.root(first as u32, strand, &local);
                self.strand(at, first as u32, strand, &local, made)?;
                planar |= strand.kind == StrandKind::Strip;
            }
            Content::Soft(soft) => {
                refuse_with_tears(at, body, "tear_stress", soft.tear_stress)?;
                self.soft(at, index, soft, &local, made, &transform)?;
            }
            Content::Grains(_) | Content::Particles(_) => {}
        }
        if let Some(tethers) = &body.tether {
            self.tethers(at, index, tethers, &local)?;
        }
        if planar {
            self.keep_in_plane(at, body, first as u32..(first + count) as u32)?;
        }
        let at = at.key("constraint");
        for (i, constraint) in body.constraints.iter().enumerate() {
            self.constraint_inside(&at.index(i), index, constraint)?;
        }
        Ok(())
    }
}

/// What goes by a body's particles as the scene lists them would not hold, or damp, those that tears add.
fn refuse_with_tears(at: &Path, body: &Body, strength: &str, given: Option<f64>) -> Result<(), SceneError> {
    let asked = [("tether", body.tether.is_some()), ("planar", body.planar), ("damping", body.damping > 0.0)];
    match asked.into_iter().find(|(_, asked)| *asked) {
        Some((key, _)) if given.is_some() => {
            let message = format!("cannot follow a tear, and the body has a {strength}; leave out one of the two");
            Err(SceneError::key(&at.key(key), message))
        }
        _ => Ok(()),
    }
}

/// By its radius or its thickness; 0 without.
pub(super) fn contact_radius(at: &Path, body: &Body) -> Result<f64, SceneError> {
    match (body.radius, body.thickness) {
        (Some(_), Some(_)) => {
            let message = "is given beside the radius, which is half of it; give one of the two";
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
    let is_loose = matches!(body.content, Content::Strand(_) | Content::Grains(_) | Content::Particles(_));
    if is_loose && body.lift > 0.0 {
        let message = "acts on surfaces, and particles and strands have none; leave it out";
        return Err(SceneError::new(&at.key("lift"), message));
    }
    if is_loose && body.drag > 0.0 && radius == 0.0 {
        return Err(SceneError::new(&at.key("drag"), "needs the particles' size; give the body a radius"));
    }
    if body.self_collision && radius == 0.0 {
        return Err(SceneError::new(&at.key("self_collision"), "needs the particles' size; give the body a radius"));
    }
    let friction = check::number(&at.key("friction"), body.friction, &check::FRICTION)?;
    let dynamic_friction = body.dynamic_friction.unwrap_or(friction);
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
        self_collision: body.self_collision || matches!(body.content, Content::Grains(_)),
        segments: Vec::new(),
        groups: collision::groups(at, body.collision_group, &body.collides_with)?,
        drag: check::number(&at.key("drag"), body.drag, &check::AIR)?,
        lift: check::number(&at.key("lift"), body.lift, &check::AIR)?,
        strand: None,
        stretch: None,
        bend: None,
        damping: check::number(&at.key("damping"), body.damping, &check::DAMPING_RATE)?,
        colour: body.colour,
    })
}

/// The mass of each particle, kg; 0 where it is fixed.
fn masses(
    at: &Path,
    body: &Body,
    local: &Local,
    placed: &TriangleMesh,
    size: (f64, Option<Made>),
) -> Result<Vec<f64>, SceneError> {
    let masses = match given_masses(at, body)? {
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
fn given_masses(at: &Path, body: &Body) -> Result<Option<Vec<f64>>, SceneError> {
    let Content::Particles(particles) = &body.content else { return Ok(None) };
    let Some(masses) = &particles.masses else { return Ok(None) };
    if body.mass.is_some() || body.density.is_some() {
        let message = "are given beside the mass or density of the whole body; give one of the two";
        return Err(SceneError::new(&at.key("masses"), message));
    }
    for (index, mass) in masses.iter().enumerate() {
        check::number(&at.key("masses").index(index), *mass, &check::MASS)?;
    }
    Ok(Some(masses.clone()))
}

/// The mass of the whole body, shared equally, by area on a mesh that is no grid, by length along strands, or by volume
/// in a solid.
fn shared_masses(
    at: &Path,
    body: &Body,
    local: &Local,
    placed: &TriangleMesh,
    (radius, made): (f64, Option<Made>),
) -> Result<Vec<f64>, SceneError> {
    let count = placed.positions.len();
    let is_strand = local.strand.is_some();
    let shares = if is_strand {
        vertex_lengths(local, placed)
    } else if local.tetrahedra.is_empty() {
        placed.vertex_areas()
    } else {
        TetrahedronMesh { positions: placed.positions.clone(), tetrahedra: local.tetrahedra.clone() }.vertex_volumes()
    };
    let whole: f64 = shares.iter().sum();
    if matches!(body.content, Content::Cloth(_) | Content::Shape(_)) && !(whole > 0.0 && whole.is_finite()) {
        return Err(SceneError::new(&at.key("mesh"), "has no area; its triangles must not be points or lines"));
    }
    let (key, total) = match (body.mass, body.density) {
        (Some(_), Some(_)) => {
            return Err(SceneError::new(&at.key("density"), "is given beside the mass; give one of the two"));
        }
        (None, Some(density)) if matches!(body.content, Content::Grains(_)) => {
            let density = check::number(&at.key("density"), density, &check::SOLID_DENSITY)?;
            ("density", density * 4.0 / 3.0 * PI * radius.powi(3) * count as f64)
        }
        (None, Some(_)) if placed.triangles.is_empty() && !is_strand => {
            let message = "needs a surface, and loose particles have none; give `mass` or `masses`";
            return Err(SceneError::new(&at.key("density"), message));
        }
        (None, Some(density)) => {
            let range = if local.tetrahedra.is_empty() { &check::DENSITY } else { &check::SOLID_DENSITY };
            ("density", check::number(&at.key("density"), density, range)? * whole * local.volume_share)
        }
        (Some(mass), None) => ("mass", check::number(&at.key("mass"), mass, &check::MASS)?),
        (None, None) => {
            ("mass", made.map_or(DEFAULT_MASS, |made| made.density(&body.content) * whole * local.volume_share))
        }
    };
    if total == 0.0 && body.pins.is_empty() {
        let message =
            "is 0 and nothing is pinned: a body needs a mass or a fixed particle; give a mass above 0, or pin it";
        return Err(SceneError::new(&at.key(key), message));
    }
    if placed.triangles.is_empty() && !is_strand || local.grid.is_some() {
        return Ok(vec![total / count as f64; count]);
    }
    if let Some(index) = shares.iter().position(|&share| share == 0.0) {
        let message = format!("vertex {index} belongs to no triangle with area and would weigh nothing; remove it");
        return Err(SceneError::new(&at.key("mesh"), message));
    }
    Ok(shares.iter().map(|share| total * share / whole).collect())
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
    positions: &[[f64; 3]],
    masses: &[f64],
) -> Result<Vec<[f64; 3]>, SceneError> {
    let linear = Vec3::from(check::vector(&at.key("velocity"), body.velocity, &check::VELOCITY)?);
    let at_angular = at.key("angular_velocity");
    let angular = Vec3::from(check::vector(&at_angular, body.angular_velocity, &check::ANGULAR_VELOCITY)?);
    let own = own_velocities(at, body, positions.len())?;
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
fn own_velocities<'b>(at: &Path, body: &'b Body, count: usize) -> Result<&'b [[f64; 3]], SceneError> {
    let Content::Particles(particles) = &body.content else { return Ok(&[]) };
    let Some(velocities) = &particles.velocities else { return Ok(&[]) };
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
