//! Joints that hang together, as the reference and the CPU engine solve them.

use super::Together;
use crate::law::articulation::{Articulation, Motion, Pose, Seat, Weight, moved};
use crate::law::joint::{ROWS, Terms, is_force};
use crate::math::turn::Quaternion;
use crate::math::{Real, Vec3};
use crate::model::{Joint, Model, Settings};

/// Substeps of a frame from which on one step of Newton's method in each is enough.
const ENOUGH: u32 = 5;

/// Steps of Newton's method in each sweep.
pub fn steps(settings: &Settings) -> u32 {
    if settings.substeps.saturating_mul(settings.iterations) < ENOUGH { 2 } else { 1 }
}

/// Where particles are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// As the substep began.
    Begun,
    Now,
}

/// What an engine knows of particles.
pub trait Particles<R> {
    /// From one particle to another, m, now or as the substep began.
    fn between(&self, from: u32, to: u32, when: When) -> Vec3<R>;
    /// Where a particle is, as an origin from which others are counted, m.
    fn origin(&self, particle: u32, when: When) -> Vec3<R>;
    /// From that origin to where it is now, m.
    fn offset(&self, particle: u32, when: When) -> Vec3<R>;
    /// Moves a particle, m.
    fn shift(&mut self, particle: u32, by: Vec3<R>);
}

/// Joints that hang together, with their state.
pub struct Solver<R> {
    articulation: Articulation<R>,
    /// Of each body its particles, as the engine numbers them, with their places at rest and shares of the mass.
    bodies: Vec<Vec<(u32, Vec3<R>, R)>>,
    weights: Vec<Weight<R>>,
    seats: Vec<Seat<R>>,
    joints: Vec<Joint>,
    /// Index of each among the model's.
    indices: Vec<u32>,
    terms: Vec<Terms<R>>,
    poses: Vec<Pose<R>>,
    motions: Vec<Motion<R>>,
    lambdas: Vec<[R; ROWS]>,
    sums: Vec<[R; ROWS]>,
    broken: Vec<bool>,
}

fn single<R: Real>(v: Vec3<f64>) -> Vec3<R> {
    Vec3::new(R::from_f64(v.x), R::from_f64(v.y), R::from_f64(v.z))
}

impl<R: Real<Mask = bool> + Into<f64>> Solver<R> {
    /// `number_of`: how the engine numbers a particle of the model.
    pub fn new(model: &Model, together: Together, number_of: impl Fn(u32) -> u32) -> Self {
        let joint = |index: &u32| model.joints[*index as usize].clone();
        let joints: Vec<Joint> = together.joints.iter().map(joint).collect();
        let seat = |(place, joint): (usize, &Joint)| Seat {
            arms: together.arms(place, joint).map(single),
            axes: Quaternion::from(joint.axes).axes().map(single),
        };
        let members = |body: &super::Held| {
            let members = body.particles.iter().zip(&body.members);
            members.map(|(&p, &(rest, share))| (number_of(p), single(rest), R::from_f64(share))).collect()
        };
        let weight = |body: &super::Held| Weight {
            inverse_mass: R::from_f64(body.inverse_mass),
            inverse_inertia: body.inverse_inertia.map(single),
            most: R::from_f64(body.most()),
        };
        let nothing = vec![[R::from_f64(0.0); ROWS]; joints.len()];
        Self {
            seats: joints.iter().enumerate().map(seat).collect(),
            bodies: together.bodies.iter().map(members).collect(),
            weights: together.bodies.iter().map(weight).collect(),
            indices: together.joints,
            terms: Vec::with_capacity(joints.len()),
            poses: Vec::with_capacity(together.bodies.len()),
            motions: vec![[Vec3::zero(); 2]; together.bodies.len()],
            lambdas: nothing.clone(),
            sums: nothing,
            broken: vec![false; joints.len()],
            articulation: Articulation::new(together.structure),
            joints,
        }
    }

    /// Begins a substep; `per_square`: 1/H², `target`: that of a curve now.
    pub fn open(&mut self, per_square: R, target: impl Fn(u32) -> R, first_of_frame: bool) {
        let zero = R::from_f64(0.0);
        self.lambdas.fill([zero; ROWS]);
        if first_of_frame {
            self.sums.fill([zero; ROWS]);
        }
        let compliance = |alpha: f64| R::from_f64(alpha) * per_square;
        // α̃ of the stiffness c/h.
        let damping = |damping: f64| [zero, per_square.sqrt() / R::from_f64(damping)];
        let terms = |(joint, &broken): (&Joint, &bool)| Terms {
            kind: joint.kind,
            compliance: compliance(joint.compliance),
            limits: joint.coordinate_limits().map(|limits| limits.map(R::from_f64)),
            motor: joint.motor.map(|motor| [target(motor.curve), compliance(motor.compliance)]),
            damping: (joint.damping > 0.0).then(|| damping(joint.damping)),
            is_whole: !broken,
        };
        self.terms.clear();
        self.terms.extend(self.joints.iter().zip(&self.broken).map(terms));
    }

    /// Finds where what is damped was as the substep began, and corrects some of what rings were off then.
    pub fn settle(&mut self, particles: &mut impl Particles<R>) {
        let damped = self.terms.iter().any(|terms| terms.damping.is_some());
        if damped || self.articulation.is_closed() {
            self.fit(particles, When::Begun);
        }
        if damped {
            let begun: Vec<R> = self.articulation.coordinates(&self.poses, &self.seats, &self.terms).collect();
            let dampings = self.terms.iter_mut().map(|terms| &mut terms.damping);
            dampings.zip(begun).for_each(|(damping, begun)| *damping = damping.map(|[_, soft]| [begun, soft]));
        }
        if self.articulation.is_closed() {
            let (bodies, joints) = ((&*self.poses, &*self.weights), (&*self.seats, &*self.terms));
            self.articulation.settle(bodies, joints, &mut self.motions);
            self.fit(particles, When::Now);
            self.shift(particles);
        }
    }

    /// One step of Newton's method.
    pub fn step(&mut self, particles: &mut impl Particles<R>) {
        self.fit(particles, When::Now);
        let (bodies, joints) = ((&*self.poses, &*self.weights), (&*self.seats, &*self.terms));
        self.articulation.solve(bodies, joints, &mut self.lambdas, &mut self.motions);
        self.shift(particles);
    }

    /// Where bodies are.
    fn fit(&mut self, particles: &impl Particles<R>, when: When) {
        self.poses.clear();
        for members in &self.bodies {
            let first = members[0].0;
            let offset = particles.offset(first, when);
            let placed = members.iter().map(|&(p, rest, share)| (particles.between(first, p, when), rest, share));
            let pose = Pose::fit(particles.origin(first, when), placed);
            self.poses.push(Pose { offset: pose.offset + offset, ..pose });
        }
    }

    /// Moves particles with their bodies.
    fn shift(&mut self, particles: &mut impl Particles<R>) {
        for ((members, pose), (weight, motion)) in
            self.bodies.iter().zip(&self.poses).zip(self.weights.iter().zip(&self.motions))
        {
            if !weight.inverse_mass.greater(R::from_f64(0.0)) {
                continue;
            }
            let first = members[0].0;
            // From the centre, before any of them is moved.
            let to_first = particles.offset(first, When::Now) - pose.offset;
            let lever = |p: u32| to_first + particles.between(first, p, When::Now);
            let shifts: Vec<Vec3<R>> = members.iter().map(|&(p, ..)| moved(*motion, lever(p))).collect();
            members.iter().zip(shifts).for_each(|(&(p, ..), by)| particles.shift(p, by));
        }
    }

    /// Ends a substep of H s; the last of so many in its frame breaks what bore too much.
    pub fn close(&mut self, last_of: Option<u32>, implicit: f64) {
        for (sums, lambdas) in self.sums.iter_mut().zip(&self.lambdas) {
            sums.iter_mut().zip(lambdas).for_each(|(sum, &lambda)| *sum = *sum + lambda);
        }
        let Some(substeps) = last_of else { return };
        for (joint, place) in self.joints.iter().zip(0..) {
            let per_sum = 1.0 / (implicit * implicit * f64::from(substeps));
            let [force, moment] = loads(joint, &self.sums[place].map(Into::into)).map(|sum| sum * per_sum);
            if force > joint.break_force || moment > joint.break_moment {
                self.broken[place] = true;
            }
        }
    }

    /// The state of each joint: its index in the model, its sums, whether it is broken.
    pub fn told(&self) -> impl Iterator<Item = (usize, [f64; ROWS], bool)> + '_ {
        let all = self.indices.iter().zip(&self.sums).zip(&self.broken);
        all.map(|((&index, sums), &broken)| (index as usize, sums.map(Into::into), broken))
    }

    /// Sets the state of each by what is known of a joint of the model.
    pub fn restore(&mut self, of: impl Fn(usize) -> ([f64; ROWS], bool)) {
        for (place, &index) in self.indices.iter().enumerate() {
            let (sums, broken) = of(index as usize);
            (self.sums[place], self.broken[place]) = (sums.map(R::from_f64), broken);
        }
    }

    /// Its memory, bytes.
    #[cfg(feature = "cpu")]
    pub fn bytes(&self) -> usize {
        let each = size_of::<Joint>() + size_of::<Seat<R>>() + size_of::<Terms<R>>() + 2 * size_of::<[R; ROWS]>();
        let members: usize = self.bodies.iter().map(Vec::len).sum();
        self.articulation.bytes() + self.joints.len() * each + members * size_of::<(u32, Vec3<R>, R)>()
    }
}

/// The sizes of its force and of its moment, by multipliers.
fn loads(joint: &Joint, multipliers: &[f64; ROWS]) -> [f64; 2] {
    [true, false].map(|force| {
        let squares = (0..ROWS).filter(|&row| is_force(joint.kind, row) == force).map(|row| multipliers[row].powi(2));
        squares.sum::<f64>().sqrt()
    })
}
