//! What acts on particles from outside: solids, motions of pins, forces.

use super::shape::{Shape, Solid};
use super::{Finish, Keyframes, Model};
use crate::math::Vec3;
use crate::math::rotation::{self, IDENTITY, Rotations, Turning};

/// A solid that particles collide with, as the scene placed it.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// What of it is solid, in its own frame.
    pub shape: Shape,
    /// Whether it is a container: solid outside. Not for a plane.
    pub inside: bool,
    /// Of the origin of its frame, m.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w that turns its frame's axes.
    pub rotation: [f64; 4],
    /// Added to the position over time, m.
    pub motion: Option<Keyframes>,
    /// How it turns about its position.
    pub turning: Option<Turning>,
    /// Velocity with which its surface runs although it stands, as that of a conveyor's belt does, along axes of its
    /// own, m/s.
    pub belt: [f64; 3],
    /// Coefficient of static friction, at least 0; [`World::friction_combine`](super::World::friction_combine) makes
    /// that of a pair of the two.
    pub friction: f64,
    /// Coefficient of dynamic friction, at least 0; combined in a pair as the static one is.
    pub dynamic_friction: f64,
    /// Speed kept in a rebound, 0 to 1; that of a pair is the mean of the two.
    pub restitution: f64,
    /// Added to the particles' radii, m, at least 0.
    pub thickness: f64,
    /// Force with which it holds each particle that touches it, N, at least 0.
    pub adhesion: f64,
    /// Lets everything through and reports the particles in it ([`Against::Trigger`](super::Against::Trigger)).
    pub trigger: bool,
    /// What it collides with.
    pub groups: Groups,
    /// Linear red, green, blue, 0 to 1; `None` for that of its look.
    pub colour: Option<[f32; 3]>,
    /// What it looks as if it were made of; `None` for plaster.
    pub look: Option<Finish>,
}

impl Collider {
    /// At rest at the origin, smooth, without rebound, thickness or adhesion, in the usual group.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            inside: false,
            position: [0.0; 3],
            rotation: IDENTITY,
            motion: None,
            turning: None,
            belt: [0.0; 3],
            friction: 0.0,
            dynamic_friction: 0.0,
            restitution: 0.0,
            thickness: 0.0,
            adhesion: 0.0,
            trigger: false,
            groups: Groups::default(),
            colour: None,
            look: None,
        }
    }

    /// The half-space below the plane through a point, m, with a unit normal towards the free side.
    pub fn plane(point: [f64; 3], normal: [f64; 3]) -> Self {
        Self { position: point, rotation: rotation::between([0.0, 1.0, 0.0], normal), ..Self::new(Shape::Plane) }
    }

    /// A ball about a centre; both in m.
    pub fn sphere(centre: [f64; 3], radius: f64) -> Self {
        Self { position: centre, ..Self::new(Shape::Sphere { radius }) }
    }

    /// Whether neither it nor its surface ever moves.
    pub(crate) fn stands(&self) -> bool {
        self.motion.is_none() && self.turning.is_none() && self.belt == [0.0; 3]
    }

    /// Where its frame's origin is at a time in s, m.
    pub fn position_at(&self, seconds: f64) -> [f64; 3] {
        let moved = self.motion.as_ref().map_or([0.0; 3], |motion| motion.at(seconds));
        std::array::from_fn(|i| self.position[i] + moved[i])
    }

    /// How its frame is turned at a time in s: a unit quaternion x, y, z, w.
    pub fn rotation_at(&self, seconds: f64) -> [f64; 4] {
        let Some(Turning { spin, rotations }) = &self.turning else { return self.rotation };
        let spun = rotation::product(self.rotation, rotation::about(spin.map(|rate| rate * seconds)));
        rotations.as_ref().map_or(spun, |rotations| rotation::product(rotations.at(seconds), spun))
    }

    /// The outward normal at the surface point nearest to a point, at a time in s, and the distance from it, m:
    /// negative in the solid.
    pub fn distance(&self, seconds: f64, point: [f64; 3]) -> ([f64; 3], f64) {
        let (position, rotation) = (self.position_at(seconds), self.rotation_at(seconds));
        let local = rotation::rotate(rotation::inverse(rotation), std::array::from_fn(|i| point[i] - position[i]));
        let (normal, distance) = Solid::new(&self.shape, self.inside).distance(Vec3::from(local));
        (rotation::rotate(rotation, normal.into()), distance)
    }
}

/// How the friction coefficients of two bodies, or of a body and a collider, make that of their contact. Static and
/// dynamic friction are combined in the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionCombine {
    /// (a + b)/2: half as rough as the rough one where the other is smooth.
    #[default]
    Mean,
    /// The smaller one: smooth bodies slide on everything.
    Min,
    /// The larger one: rough bodies hold everything.
    Max,
    /// The product a b: a coefficient of 1 leaves the friction to the other body.
    Product,
}

impl FrictionCombine {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Mean, Self::Min, Self::Max, Self::Product];

    /// As scenes call it: `mean`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
            Self::Product => "product",
        }
    }
}

/// The group something is in for collisions, and those it collides with, as masks of 32 groups. Two collide where each
/// is in a group with which the other collides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// One bit: bit 0 for group 0.
    pub of: u32,
    /// A bit for each group with which it collides.
    pub with: u32,
}

impl Default for Groups {
    /// In group 0, collides with all.
    fn default() -> Self {
        Self { of: 1, with: u32::MAX }
    }
}

impl Groups {
    /// Whether the two collide.
    pub fn meet(self, other: Self) -> bool {
        self.of & other.with != 0 && other.of & self.with != 0
    }
}

impl Model {
    /// Gives particles (indices) a drive of their own, which no other particle has, and returns its index: what is
    /// fixed of them can then be led by `move_drive` of a solver of this model, all by the same way, and what is free
    /// pushed by `drives_mut`. What drove the first of them drives all now. Of each vertex that follows a bone one
    /// makes a drive. Every drive costs 32 bytes a substep, which are uploaded with each frame, and the first one a
    /// look at its drive for each particle.
    ///
    /// `None`, and nothing changes, if one of them is not in the model or there are none.
    pub fn lead(&mut self, particles: &[u32]) -> Option<usize> {
        let of = |particle: u32| self.particles.drives.get(particle as usize).copied();
        let drives: Option<Vec<u32>> = particles.iter().map(|&particle| of(particle)).collect();
        let drive = self.drives.get(*drives?.first()? as usize)?.clone();
        let index = self.drives.len();
        self.drives.push(drive);
        particles.iter().for_each(|&particle| self.particles.drives[particle as usize] = index as u32);
        Some(index)
    }
}

/// What acts on a particle from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// Displacement of a fixed particle from where the scene placed it, m.
    pub motion: Option<Keyframes>,
    /// Turning of a fixed particle about an axis, added to that.
    pub spin: Option<Spin>,
    /// Turning of a fixed particle by keyframes, added to that.
    pub turn: Option<Turn>,
    /// Forces on a free particle, N, which add up.
    pub forces: Vec<Keyframes>,
}

/// A particle that goes round an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin {
    /// Of length 1.
    pub axis: [f64; 3],
    /// From a point of the axis to where the scene placed the particle, m.
    pub arm: [f64; 3],
    /// Counter-clockwise seen against the axis, rad/s.
    pub rate: f64,
    /// When it stops, s.
    pub until: f64,
}

impl Spin {
    /// How far the particle is at a time from where it was placed, m (Rodrigues' formula).
    pub fn at(&self, seconds: f64) -> [f64; 3] {
        let (axis, arm) = (Vec3::from(self.axis), Vec3::from(self.arm));
        let (sin, cos) = (self.rate * seconds.min(self.until)).sin_cos();
        (axis.cross(arm) * sin + (arm - axis * axis.dot(arm)) * (cos - 1.0)).into()
    }
}

/// A particle that turns about a point by keyframes, between them by the shortest way.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// How far it has turned over time.
    pub rotations: Rotations,
    /// From the point to where the scene placed the particle, m.
    pub arm: [f64; 3],
}

impl Turn {
    /// How far the particle is at a time from where it was placed, m.
    pub fn at(&self, seconds: f64) -> [f64; 3] {
        let turned = rotation::rotate(self.rotations.at(seconds), self.arm);
        std::array::from_fn(|i| turned[i] - self.arm[i])
    }
}

impl Drive {
    /// How far a fixed particle is at a time from where the scene placed it, m; `None` of one that never moves.
    pub fn way(&self, seconds: f64) -> Option<[f64; 3]> {
        let moved = self.motion.as_ref().map_or([0.0; 3], |motion| motion.at(seconds));
        let spun = self.spin.map_or([0.0; 3], |spin| spin.at(seconds));
        let turned = self.turn.as_ref().map_or([0.0; 3], |turn| turn.at(seconds));
        self.moves().then(|| std::array::from_fn(|i| moved[i] + spun[i] + turned[i]))
    }

    /// Whether it moves fixed particles.
    pub fn moves(&self) -> bool {
        self.motion.is_some() || self.spin.is_some() || self.turn.is_some()
    }

    /// By how much it turns from one time to another, or to that from where all was placed: the vector part of a
    /// quaternion.
    pub(crate) fn turn(&self, from: Option<f64>, to: f64) -> [f64; 3] {
        if self.spin.is_none() && self.turn.is_none() {
            return [0.0; 3];
        }
        let before = from.map_or(IDENTITY, |from| self.rotation(from));
        let [x, y, z, w] = rotation::product(self.rotation(to), rotation::inverse(before));
        [x, y, z].map(|value| if w < 0.0 { -value } else { value })
    }

    /// How far it has turned what it moves at a time, as a unit quaternion x, y, z, w.
    pub fn rotation(&self, seconds: f64) -> [f64; 4] {
        let spun = self.spin.map_or(IDENTITY, |spin| {
            let angle = spin.rate * seconds.min(spin.until);
            rotation::about(spin.axis.map(|component| component * angle))
        });
        self.turn.as_ref().map_or(spun, |turn| rotation::product(turn.rotations.at(seconds), spun))
    }

    /// The sum of the forces at a time, N.
    pub fn force(&self, seconds: f64) -> [f64; 3] {
        self.forces.iter().fold([0.0; 3], |sum, force| {
            let f = force.at(seconds);
            std::array::from_fn(|i| sum[i] + f[i])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::FrictionCombine;

    /// The mean is what scenes that say nothing get.
    #[test]
    fn mean_is_the_default() {
        assert_eq!(FrictionCombine::default(), FrictionCombine::Mean);
    }

    /// Engines know a rule by its number, which is its place in the list.
    #[test]
    fn rules_are_numbered_as_listed() {
        assert_eq!(FrictionCombine::ALL.map(|rule| rule as u32), [0, 1, 2, 3]);
    }
}
