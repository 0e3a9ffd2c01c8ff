//! Contacts of particles with colliders: detected each substep, solved in positions one-sidedly with friction, then
//! corrected in velocities by restitution. Müller et al., Detailed Rigid Body Simulation with Extended Position Based
//! Dynamics, 2020, sections 3.5 and 3.6. What presses in all, by positions and by velocities, bounds friction and is
//! told ([`Impact`]).

use crate::law::contact::{Impulse, Skin, Touch, Wall};
use crate::law::impact::{Impact, calm_way};
use crate::math::Vec3;
use crate::model::inside::bodies_inside;
use crate::model::pose::Pose;
use crate::model::{Against, Collider, Model, Press};
use crate::reference::pass::{Pass, Substep};
use crate::reference::points::Points;

/// A free particle against a collider, touching or not. Multipliers are such that w λ is a displacement and λ/H² a
/// force.
struct Contact {
    particle: usize,
    collider: usize,
    /// Out of the collider, at the place where it was detected.
    normal: Vec3<f64>,
    detected: Vec3<f64>,
    /// C where it was detected: the distance to the surface less the particle's radius, m.
    gap: f64,
    /// How far the collider's surface moves in the substep, m.
    carried: Vec3<f64>,
    /// Normal velocity relative to the collider before the substep, m/s; negative when approaching.
    approach: f64,
    touch: Touch<f64>,
    /// The largest force of adhesion times H², if it touched as the substep began.
    hold: f64,
    impulse: Impulse<f64>,
    /// The collider is a trigger; whether the particle is in it.
    trigger: bool,
    within: bool,
}

/// The contacts of a substep, particle after particle, colliders in order.
pub(crate) struct Contacts {
    list: Vec<Contact>,
    /// For each body whether any of its particles began inside a collider.
    inside: Vec<bool>,
}

impl Contacts {
    /// `None` without colliders.
    pub fn new(model: &Model) -> Option<Self> {
        (!model.colliders.is_empty()).then(|| Self { list: Vec::new(), inside: bodies_inside(model) })
    }

    /// What presses, is held or is in a trigger, with H of this substep, s.
    fn pressed(&self, substep: u32, seconds: f64) -> impl Iterator<Item = Press> {
        let per_square = seconds.powi(-2);
        let felt = self.list.iter().filter(|contact| contact.is_active());
        felt.map(move |contact| {
            let collider = contact.collider as u32;
            let against = if contact.trigger { Against::Trigger(collider) } else { Against::Collider(collider) };
            let Impulse { normal, tangential } = contact.impulse;
            let forces = (contact.normal.into(), normal * per_square, (tangential * per_square).into());
            Press::new(contact.particle as u32, against, forces, substep)
        })
    }

    /// Every free particle against every collider, at the predicted positions.
    fn find(&mut self, model: &Model, points: &Points, h: f64, implicit: f64, [start, end]: [f64; 2]) {
        self.list.clear();
        let calm = calm_way(model.world.gravity.into(), h);
        let (most, rule) = (model.world.push_out_speed * h, model.world.friction_combine);
        let placed: Vec<(Vec3<f64>, Pose<f64>)> = (model.colliders.iter())
            .map(|collider| (collider.position_at(end).into(), Pose::new(collider, start, end)))
            .collect();
        for particle in (0..points.positions.len()).filter(|&i| points.inverse_masses[i] > 0.0) {
            let body = &model.bodies[model.particles.bodies[particle] as usize];
            let (begin, position) = (points.beginnings()[particle], points.positions[particle]);
            let meets = |collider: &Collider| collider.groups.meet(body.groups);
            let near = model.colliders.iter().zip(&placed).enumerate().filter(|(_, (collider, _))| meets(collider));
            for (index, (collider, (place, pose))) in near {
                let start = begin - (*place - pose.displacement);
                let radius = model.collider_radius(body) + collider.thickness;
                let mut touch = pose.touch(start, position - *place, radius, calm);
                if self.inside[model.particles.bodies[particle] as usize] && !collider.trigger {
                    touch = touch.limited(begin - position, most);
                }
                let began = touch.value + touch.normal.dot(begin + touch.carried - position);
                let touched = began < 1e-6 + 1e-3 * radius;
                self.list.push(Contact {
                    particle,
                    collider: index,
                    normal: touch.normal,
                    detected: position,
                    gap: touch.value,
                    carried: touch.carried,
                    approach: touch.normal.dot(points.velocities[particle] - touch.carried * (1.0 / h)),
                    touch: Touch::mixed(rule, &Skin::of_body(body), &Skin::of_collider(collider)),
                    hold: if touched { collider.adhesion * implicit * implicit } else { 0.0 },
                    impulse: Impulse::none(),
                    trigger: collider.trigger,
                    within: false,
                });
            }
        }
    }

    /// One iteration: out of the colliders, and held back by friction. `share` is H/h: velocities are (x - start)/H.
    fn push(&mut self, model: &Model, points: &mut Points, h: f64, share: f64) {
        let calm = calm_way(model.world.gravity.into(), h);
        for contact in &mut self.list {
            let w = points.inverse_masses[contact.particle];
            let start = points.starts[contact.particle];
            let impact = Impact::new(contact.approach * h, contact.touch.restitution, calm, share);
            contact.solve(w, start, share, &impact, &mut points.positions[contact.particle]);
        }
    }

    /// Sets the normal velocity of what presses: a rebound where it came in fast, else none. Below 2gh it is gravity's
    /// own doing within the substep and would never come to rest. A contact then reports its whole force.
    fn rebound(&mut self, model: &Model, points: &mut Points, h: f64, share: f64) {
        let calm = calm_way(model.world.gravity.into(), h);
        for contact in self.list.iter_mut().filter(|contact| contact.impulse.normal > 0.0) {
            let w = points.inverse_masses[contact.particle];
            let velocity = points.velocities[contact.particle];
            let impact = Impact::new(contact.approach * h, contact.touch.restitution, calm, share);
            let now = contact.normal.dot(velocity * h - contact.carried);
            let (change, told) = contact.impulse.parted(&impact, w, now);
            let leaving = velocity + contact.normal * (change / h);
            let fall = Vec3::from(model.world.gravity) * (h * h);
            points.strike(contact.particle, leaving, (!impact.is_one).then_some(contact.normal), fall, h);
            contact.impulse = told;
        }
    }
}

impl Pass for Contacts {
    fn detect(&mut self, substep: &mut Substep) {
        let Substep { model, points, h, implicit, times, .. } = substep;
        self.find(model, points, *h, *implicit, *times);
    }

    fn solve(&mut self, substep: &mut Substep, _opening: bool) {
        let Substep { model, points, h, implicit, .. } = substep;
        self.push(model, points, *h, *implicit / *h);
    }

    fn solve_round(&mut self, substep: &mut Substep, opening: bool) {
        self.solve(substep, opening);
    }

    fn correct_velocities(&mut self, substep: &mut Substep) {
        let Substep { model, points, h, implicit, .. } = substep;
        self.rebound(model, points, *h, *implicit / *h);
    }

    fn presses(&self, index: u32, implicit: f64) -> Vec<Press> {
        self.pressed(index, implicit).collect()
    }

    fn pressing(&self) -> u64 {
        self.list.iter().filter(|contact| contact.impulse.normal > 0.0).count() as u64
    }
}

impl Contact {
    /// What others tore off again may have rubbed and not pressed.
    fn is_active(&self) -> bool {
        self.impulse.normal != 0.0 || self.impulse.tangential.length() > 0.0 || self.within
    }

    fn solve(&mut self, w: f64, start: Vec3<f64>, share: f64, impact: &Impact<f64>, position: &mut Vec3<f64>) {
        let value = self.gap + self.normal.dot(*position - self.detected);
        if self.trigger {
            self.within = value < 0.0;
            return;
        }
        let (normal, hold, carried) = (self.normal, self.hold, self.carried * share);
        let wall = Wall { normal, value, weight: w, hold, start, carried, share };
        self.impulse = self.impulse.held(&self.touch, impact, &wall, position);
    }
}
