//! What presses against what, in a frame.

use crate::math::Vec3;

/// What a particle presses against, by its index in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Against {
    /// A collider of [`Model::colliders`](super::Model::colliders).
    Collider(u32),
    /// A collider that is a trigger: it does not press, and all forces are zero. The particle was in it, or went
    /// through it.
    Trigger(u32),
    /// Another particle: the pair is told once, with the smaller of the two as [`Contact::particle`]. Or a segment of a
    /// body, of which this is the end nearer to the particle.
    Particle(u32),
}

/// A contact that pressed, or held by adhesion: what solvers give on request. Either of a frame's last substep alone,
/// or of any of its substeps, with the mean of its forces over all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Index of the particle in the model.
    pub particle: u32,
    /// What it presses against.
    pub against: Against,
    /// Where they touch as the frame ends, m: on the particle's ball, its radius below its centre.
    pub point: [f64; 3],
    /// From the other to the particle, of length 1.
    pub normal: [f64; 3],
    /// With which it is pushed along the normal, N, or held, below 0. That of a single substep trembles, and comes in
    /// pulses while it rebounds.
    pub force: f64,
    /// With which it is held back across the normal, N.
    pub friction: [f64; 3],
}

/// A contact in one substep.
#[derive(Clone, Copy, Debug)]
pub struct Press {
    particle: u32,
    against: Against,
    substep: u32,
    normal: Vec3<f64>,
    /// N
    force: f64,
    friction: Vec3<f64>,
}

impl Press {
    /// The forces are the normal, out of the other, the force along it and that of friction, N.
    pub fn new(
        particle: u32,
        against: Against,
        (normal, force, friction): ([f64; 3], f64, [f64; 3]),
        substep: u32,
    ) -> Self {
        Self { particle, against, substep, normal: normal.into(), force, friction: friction.into() }
    }

    /// Of two particles, of which the first is pushed along the normal.
    pub fn between([a, b]: [u32; 2], (normal, force, friction): ([f64; 3], f64, [f64; 3]), substep: u32) -> Self {
        let sign = if a < b { 1.0 } else { -1.0 };
        let signed = |v: [f64; 3]| v.map(|value| sign * value);
        Self::new(a.min(b), Against::Particle(a.max(b)), (signed(normal), force, signed(friction)), substep)
    }

    /// Index of the substep in its frame.
    pub fn substep(&self) -> u32 {
        self.substep
    }

    fn is_trigger(&self) -> bool {
        matches!(self.against, Against::Trigger(_))
    }
}

/// The means of what presses over so many substeps, by particle and then what it presses against. `ball` gives a
/// particle's centre and radius, m. The normal is the mean direction of the push; the sum of all forces is kept,
/// whatever way normals turn within the frame.
pub(crate) fn mean_contacts(
    mut presses: Vec<Press>,
    substeps: u32,
    ball: impl Fn(u32) -> ([f64; 3], f64),
) -> Vec<Contact> {
    // All differ in these, so that sums do not depend on who noted what first.
    let key = |press: &Press| (press.particle, press.against, press.substep);
    // But two segments that meet in the end that is told.
    presses.sort_unstable_by(|a, b| key(a).cmp(&key(b)).then(a.force.total_cmp(&b.force)));
    let same = |a: &Press, b: &Press| (a.particle, a.against) == (b.particle, b.against);
    let share = 1.0 / f64::from(substeps);
    let mean = |run: &[Press]| {
        let Press { particle, against, normal, force, friction, .. } = sum(run);
        let (centre, radius) = ball(particle);
        Contact {
            particle,
            against,
            point: (Vec3::from(centre) - normal * radius).into(),
            normal: normal.into(),
            force: force * share,
            friction: (friction * share).into(),
        }
    };
    presses.chunk_by(same).map(mean).collect()
}

/// Substeps of one contact together.
fn sum(run: &[Press]) -> Press {
    let last = run[run.len() - 1];
    if run.len() == 1 {
        return last;
    }
    let weight = |press: &Press| if press.is_trigger() { 1.0 } else { press.force.abs() };
    let pushes = run.iter().fold(Vec3::zero(), |sum, press| sum + press.normal * weight(press));
    let (direction, length) = pushes.direction_and_length();
    let normal = if length > 0.0 { direction } else { last.normal };
    let all = run.iter().fold(Vec3::zero(), |sum, press| sum + press.normal * press.force + press.friction);
    let force = all.dot(normal);
    Press { normal, force, friction: all - normal * force, ..last }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball that rolls within the frame, lifts off for one of four substeps and passes through a trigger: forces are
    /// means over all four, their sum stays, and what was in the trigger once is told.
    #[test]
    fn means_keep_the_sum_of_forces() {
        let press = |substep: u32, angle: f64, force: f64| {
            let (sine, cosine) = angle.sin_cos();
            let friction = [0.1 * cosine, -0.1 * sine, 0.0];
            Press::new(3, Against::Collider(0), ([sine, cosine, 0.0], force, friction), substep)
        };
        let through = Press::new(3, Against::Trigger(1), ([0.0, 0.0, 1.0], 0.0, [0.0; 3]), 2);
        let other = Press::between([3, 1], ([1.0, 0.0, 0.0], 4.0, [0.0, 2.0, 0.0]), 1);
        let presses = vec![press(3, 0.2, 4.0), through, press(0, -0.2, 4.0), other, press(1, 0.0, 2.0)];
        let told = mean_contacts(presses, 4, |_| ([0.0, 1.0, 0.0], 0.5));
        let [pair, ground, trigger] = told.as_slice() else { panic!("{told:?}") };

        // From the side of the first: pushed away from the third.
        assert_eq!((pair.particle, pair.against), (1, Against::Particle(3)));
        assert_eq!((pair.normal, pair.force, pair.friction), ([-1.0, 0.0, 0.0], 1.0, [0.0, -0.5, 0.0]));

        assert_eq!((ground.particle, ground.against), (3, Against::Collider(0)));
        let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
        assert!(near(ground.normal, [0.0, 1.0, 0.0]) && near(ground.point, [0.0, 0.5, 0.0]), "{ground:?}");
        assert!((ground.force - (8.0 * 0.2_f64.cos() + 2.0) / 4.0).abs() < 1e-14, "{ground:?}");
        assert!(near(ground.friction, [0.1 * (2.0 * 0.2_f64.cos() + 1.0) / 4.0, 0.0, 0.0]), "{ground:?}");

        assert_eq!((trigger.against, trigger.force, trigger.friction), (Against::Trigger(1), 0.0, [0.0; 3]));
        assert_eq!(trigger.normal, [0.0, 0.0, 1.0]);
    }
}
