//! The conditions on a model: lists of equal length, indices in range, and meaningful numbers. Models made from scenes
//! meet them; models made by hand are checked here before an engine relies on them.

mod animations;
mod bodies;
mod fluids;
mod joints;
mod rods;
mod shapes;
mod surroundings;
mod tearing;

use thiserror::Error;

use crate::constraint::Listed;
use crate::model::{Curve, Group, Model, Particles, Settings, World};
use crate::step::change::{MOST_COLOURS, MOST_SWEEPS, check_material};

/// What is wrong with a model, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the model's {place}: {problem}")]
pub struct ModelError {
    /// Which field: `particles.velocities[3]`.
    pub place: String,
    /// What of it cannot be.
    pub problem: String,
}

type Checked = Result<(), ModelError>;

/// The error unless a condition holds; texts are made only where they are needed.
fn demand(holds: bool, place: impl FnOnce() -> String, problem: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(ModelError { place: place(), problem: problem() }) }
}

fn as_many(place: &str, found: usize, wanted: usize, of: &str) -> Checked {
    demand(found == wanted, || place.into(), || format!("has {found} entries, and there are {wanted} {of}"))
}

/// Whether an index is one of `count` things.
fn below(place: impl FnOnce() -> String, index: u32, count: usize, of: &str) -> Checked {
    demand((index as usize) < count, place, || format!("names {of} {index}, and there are {count}"))
}

fn all_below(place: impl Fn() -> String, indices: &[u32], count: usize, of: &str) -> Checked {
    let wrong = indices.iter().position(|&index| index as usize >= count);
    wrong.map_or(Ok(()), |i| below(|| format!("{}[{i}]", place()), indices[i], count, of))
}

/// Vectors that single precision has room for.
fn all_finite(place: &str, vectors: &[[f64; 3]]) -> Checked {
    let finite = |vector: &[f64; 3]| vector.iter().all(|&value| (value as f32).is_finite());
    let wrong = vectors.iter().position(|vector| !finite(vector));
    wrong.map_or(Ok(()), |i| {
        demand(false, || format!("{place}[{i}]"), || format!("is {:?}, which is not finite", vectors[i]))
    })
}

/// Numbers that are at least 0 and finite.
fn not_negative(place: impl Fn() -> String, numbers: &[(&str, f64)]) -> Checked {
    let wrong = numbers.iter().find(|(_, value)| !(*value >= 0.0 && (*value as f32).is_finite()));
    wrong.map_or(Ok(()), |(name, value)| {
        demand(false, || format!("{}.{name}", place()), || format!("is {value}; it must be finite and at least 0"))
    })
}

impl Settings {
    /// Whether a simulation can have these settings; else what to change.
    pub(crate) fn check(&self) -> Result<(), String> {
        if !(self.frame_rate > 0.0 && (self.frame_rate as f32).is_finite()) {
            return Err(format!("the frame rate is {} Hz; it must be finite and above 0", self.frame_rate));
        }
        if self.substeps == 0 || self.iterations == 0 || self.contact_rounds == 0 {
            return Err("a step needs at least one substep, one iteration and one round of contact".into());
        }
        for (what, value, most) in [
            ("the number of substeps", self.substeps, MOST_SWEEPS),
            ("the number of iterations", self.iterations, MOST_SWEEPS),
            ("the number of rounds of contact", self.contact_rounds, MOST_SWEEPS),
            ("the bound of colours", self.max_colours, MOST_COLOURS),
        ] {
            if value > most {
                return Err(format!("{what} is {value}; it must be at most {most}"));
            }
        }
        if self.max_colours == 0 {
            return Err("max_colours is 0; it must be at least 1".into());
        }
        if !(self.relaxation > 0.0 && self.relaxation < 2.0) {
            return Err(format!("the relaxation is {}: it must lie between 0 and 2", self.relaxation));
        }
        Ok(())
    }
}

fn world(world: &World) -> Checked {
    all_finite("world.gravity", &[world.gravity])?;
    all_finite("world.wind", &[world.wind])?;
    not_negative(|| "world".into(), &[("air_density", world.air_density)])?;
    let speed = world.max_speed.unwrap_or(1.0);
    let problem = || format!("is {speed} m/s; it must be finite and above 0");
    demand(speed > 0.0 && (speed as f32).is_finite(), || "world.max_speed".into(), problem)?;
    let speed = world.push_out_speed;
    let problem = || format!("is {speed} m/s; it must be finite and above 0");
    demand(speed > 0.0 && (speed as f32).is_finite(), || "world.push_out_speed".into(), problem)
}

fn curve(place: impl Fn() -> String, curve: &Curve) -> Checked {
    let period = curve.period.unwrap_or(1.0);
    let problem = || format!("is {period} s; it must be finite and above 0");
    demand(period > 0.0 && period.is_finite(), || format!("{}.period", place()), problem)?;
    let problem = || format!("is {} s, which is not finite", curve.delay);
    demand(curve.delay.is_finite(), || format!("{}.delay", place()), problem)?;
    surroundings::keyframes(|| format!("{}.keyframes", place()), &curve.keyframes)
}

fn particles(particles: &Particles, bodies: usize, drives: usize) -> Checked {
    let count = particles.len();
    for (place, length) in [
        ("particles.velocities", particles.velocities.len()),
        ("particles.inverse_masses", particles.inverse_masses.len()),
        ("particles.bodies", particles.bodies.len()),
        ("particles.drives", particles.drives.len()),
    ] {
        as_many(place, length, count, "positions")?;
    }
    let is_mass = |value: f64| value >= 0.0 && (value as f32).is_finite();
    let wrong = particles.inverse_masses.iter().position(|&value| !is_mass(value));
    if let Some(i) = wrong {
        let value = particles.inverse_masses[i];
        let problem = || format!("is {value} 1/kg; it must be finite and at least 0 (0 is fixed)");
        demand(false, || format!("particles.inverse_masses[{i}]"), problem)?;
    }
    all_below(|| "particles.bodies".into(), &particles.bodies, bodies, "body")?;
    all_below(|| "particles.drives".into(), &particles.drives, drives, "drive")
}

fn group(place: impl Fn() -> String, group: &Group, model: &Model) -> Checked {
    let (count, kind) = (group.materials.len(), group.kind);
    as_many(&format!("{}.offsets", place()), group.offsets.len(), count + 1, "constraints and an end")?;
    as_many(
        &format!("{}.rest", place()),
        group.rest.len(),
        count * kind.rest().len(),
        "rest values of its constraints",
    )?;
    let (first, end) = (group.offsets[0] as usize, group.offsets[count] as usize);
    let in_turn = group.offsets.is_sorted() && first == 0 && end == group.particles.len();
    let problem = || "must ascend from 0 to how many particles are listed".into();
    demand(in_turn, || format!("{}.offsets", place()), problem)?;
    if let Some(arity) = kind.arity().count() {
        let odd = (0..count).find(|&constraint| group.particles_of(constraint).len() != arity);
        let problem = || format!("a {} has {arity} particles", kind.name());
        demand(odd.is_none(), || format!("{}, constraint {}", place(), odd.unwrap_or(0)), problem)?;
    }
    if kind.listed() == Listed::Triangles {
        as_many(
            &format!("{}.corner_offsets", place()),
            group.corner_offsets.len(),
            count + 1,
            "constraints and an end",
        )?;
        let corners = group.corner_offsets.is_sorted() && group.corner_offsets[count] as usize == group.corners.len();
        let problem = || "must ascend to how many corners are listed".into();
        demand(corners, || format!("{}.corner_offsets", place()), problem)?;
        for constraint in 0..count {
            let most = group.particles_of(constraint).len();
            all_below(
                || format!("{}, corners of constraint {constraint}", place()),
                group.corners_of(constraint),
                most,
                "particle",
            )?;
        }
    }
    members(|| format!("{}.member_rest", place()), group)?;
    all_below(|| format!("{}.particles", place()), &group.particles, model.particles.len(), "particle")?;
    let materials = (model.materials.len() + 1).saturating_sub(group.materials_each());
    all_below(|| format!("{}.materials", place()), &group.materials, materials, "material")?;
    let wrong = group.rest.iter().position(|&value| !(value as f32).is_finite());
    let problem = || format!("is {}, which is not finite", group.rest[wrong.unwrap_or(0)]);
    demand(wrong.is_none(), || format!("{}.rest[{}]", place(), wrong.unwrap_or(0)), problem)
}

/// Rest values of particles: finite, and above 0 what has no sign.
fn members(place: impl Fn() -> String, group: &Group) -> Checked {
    let each = group.kind.member_rest();
    as_many(&place(), group.member_rest.len(), group.particles.len() * each.len(), "rest values of its particles")?;
    let values = || group.member_rest.iter().zip(each.iter().cycle());
    let is_wrong = |value: f64, signed: bool| !(value as f32).is_finite() || !signed && value <= 0.0;
    let Some(at) = values().position(|(&value, of)| is_wrong(value, of.signed)) else { return Ok(()) };
    let of = &each[at % each.len()];
    let problem = || {
        let above = if of.signed { "" } else { " and above 0" };
        format!("is {}, the {} of a particle; it must be finite{above}", group.member_rest[at], of.name)
    };
    demand(false, || format!("{}[{at}]", place()), problem)
}

/// What is let go is fixed before, and has a mass then.
fn releases(model: &Model) -> Checked {
    for (i, release) in model.releases.iter().enumerate() {
        let place = || format!("releases[{i}]");
        demand(release.seconds.is_finite(), place, || format!("is at {} s", release.seconds))?;
        let (particles, masses) = (&release.particles, &release.inverse_masses);
        as_many(&format!("{}.inverse_masses", place()), masses.len(), particles.len(), "particles")?;
        all_below(|| format!("{}.particles", place()), particles, model.particles.len(), "particle")?;
        let light = masses.iter().find(|&&mass| !(mass > 0.0 && (mass as f32).is_finite()));
        demand(light.is_none(), place, || format!("gives an inverse mass of {}", light.unwrap_or(&0.0)))?;
        let free = particles.iter().find(|&&particle| model.particles.inverse_masses[particle as usize] != 0.0);
        demand(free.is_none(), place, || format!("lets go particle {}, which is free", free.unwrap_or(&0)))?;
    }
    Ok(())
}

impl Model {
    /// Whether it can be solved. Both engines ask; [`Plan::new`](crate::Plan::new) wants particles of constraints that
    /// are there. W1 at n = 1024, 1,048,576 particles and 6,281,218 constraints, takes 24 ms. Places and velocities
    /// that are not finite are left to the run, whose [`Status`](crate::step::Status) tells of them: it must bear them
    /// in any case.
    ///
    /// # Errors
    /// What is wrong first, and where: lists that are not as long as each other, indices of what is not there, numbers
    /// that are not finite or below 0 where that means nothing.
    pub fn check(&self) -> Result<(), ModelError> {
        self.settings.check().map_err(|problem| ModelError { place: "settings".into(), problem })?;
        world(&self.world)?;
        particles(&self.particles, self.bodies.len(), self.drives.len())?;
        for (i, each) in self.bodies.iter().enumerate() {
            bodies::body(|| format!("bodies[{i}]"), each, self)?;
        }
        for (i, each) in self.groups.iter().enumerate() {
            group(|| format!("groups[{i}]"), each, self)?;
        }
        for (i, each) in self.materials.iter().enumerate() {
            let place = || format!("materials[{i}]");
            check_material(each).map_err(|error| ModelError { place: place(), problem: error.to_string() })?;
            each.curve.map_or(Ok(()), |curve| below(place, curve, self.curves.len(), "curve"))?;
        }
        for (i, each) in self.curves.iter().enumerate() {
            curve(|| format!("curves[{i}]"), each)?;
        }
        self.tearing.as_ref().map_or(Ok(()), |tearing| tearing::tearing(tearing, self))?;
        for (i, each) in self.drives.iter().enumerate() {
            surroundings::drive(|| format!("drives[{i}]"), each)?;
        }
        animations::animations(self)?;
        releases(self)?;
        shapes::shapes(self)?;
        rods::rods(self)?;
        joints::joints(self)?;
        fluids::fluids(self)?;
        fluids::flows(self)?;
        let collider = |(i, each)| surroundings::collider(|| format!("colliders[{i}]"), each, &self.settings);
        self.colliders.iter().enumerate().try_for_each(collider)
    }
}

#[cfg(test)]
mod tests {
    use crate::constraint::{Distance, kind};
    use crate::model::{Body, Collider, Drive, Keyframes, Material, Shape};
    use crate::step::check::*;

    /// Two particles, a spring between them, a triangle's worth of a body and a ball to fall on.
    fn model() -> Model {
        let mut model = Model {
            particles: Particles::at_rest(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], vec![0.0, 1.0, 1.0]),
            bodies: vec![Body { particles: 0..3, triangles: vec![[0, 1, 2]], ..Body::default() }],
            colliders: vec![Collider::new(Shape::Sphere { radius: 1.0 })],
            ..Model::default()
        };
        let material = model.materials.insert(Material::default());
        let mut group = Group::new(kind::<Distance>());
        group.push(&[0, 1], &[1.0], material);
        model.groups.push(group);
        model
    }

    /// Sound models pass; each fault is reported with its place.
    #[test]
    fn faults_are_told_by_their_place() {
        assert_eq!(model().check(), Ok(()));
        type Change = fn(&mut Model);
        let faults: [(&str, Change); 28] = [
            ("bodies[0].surface_contact", |m| {
                m.bodies[0].surface_contact = true;
                m.settings.integrator = crate::model::Integrator::Bdf2;
            }),
            ("settings", |m| m.settings.frame_rate = 0.0),
            ("settings", |m| m.settings.substeps = 0),
            ("settings", |m| m.settings.relaxation = 2.0),
            ("world.gravity[0]", |m| m.world.gravity[1] = f64::NAN),
            ("world.air_density", |m| m.world.air_density = -1.0),
            ("world.max_speed", |m| m.world.max_speed = Some(0.0)),
            ("world.push_out_speed", |m| m.world.push_out_speed = f64::NAN),
            ("curves[0].period", |m| {
                let keyframes = Keyframes::constant([1.0; 3]);
                m.curves.push(Curve { keyframes, period: Some(0.0), delay: 0.0 });
            }),
            ("particles.velocities", |m| m.particles.velocities.truncate(2)),
            ("particles.inverse_masses[2]", |m| m.particles.inverse_masses[2] = -1.0),
            ("particles.bodies[1]", |m| m.particles.bodies[1] = 1),
            ("particles.drives[0]", |m| m.particles.drives[0] = 1),
            ("bodies[0].particles", |m| m.bodies[0].particles = 0..4),
            ("bodies[0].triangles[2]", |m| m.bodies[0].triangles[0][2] = 3),
            ("bodies[0].segments[1]", |m| m.bodies[0].segments.push([0, 3])),
            ("bodies[0].radius", |m| m.bodies[0].radius = f64::INFINITY),
            ("groups[0].particles[1]", |m| m.groups[0].particles[1] = 3),
            ("groups[0].offsets", |m| m.groups[0].offsets[1] = 3),
            ("groups[0].offsets", |m| m.groups[0].offsets.clear()),
            ("groups[0], constraint 0", |m| {
                m.groups[0].particles.push(2);
                m.groups[0].offsets[1] = 3;
            }),
            ("groups[0].rest", |m| m.groups[0].rest.clear()),
            ("groups[0].rest[0]", |m| m.groups[0].rest[0] = f64::NAN),
            ("groups[0].materials[0]", |m| m.groups[0].materials[0] = 1),
            ("materials[0]", |m| m.materials.get_mut(0).expect("one").compliance = -1.0),
            ("materials[0]", |m| m.materials.get_mut(0).expect("one").curve = Some(0)),
            ("colliders[0].shape", |m| m.colliders[0].shape = Shape::Box { size: [1.0, 0.0, 1.0] }),
            ("colliders[0].rotation", |m| m.colliders[0].rotation = [0.0; 4]),
        ];
        for (place, change) in faults {
            let mut model = model();
            change(&mut model);
            let error = model.check().expect_err(place);
            assert_eq!(error.place, place, "{error}");
        }
        let mut driven = model();
        driven.drives.push(Drive::default());
        driven.particles.drives[0] = 1;
        assert_eq!(driven.check(), Ok(()));
    }
}
