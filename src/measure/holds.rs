//! What hangs by which fixed particles, and the impulse that these gave to it.

use super::mean_forces;
use crate::law::air;
use crate::math::Vec3;
use crate::model::touch::root;
use crate::model::{Against, Contact, Mode, Model, State};

/// Free particles that constraints hold together, with what holds them in the world.
#[derive(Clone, Debug, Default)]
pub struct Island {
    pub free: Vec<u32>,
    /// Fixed particles, each as often as a constraint names it.
    pub holds: Vec<u32>,
    /// Constraints by group and number.
    pub constraints: Vec<(usize, usize)>,
    /// Whether rods are among what holds it together.
    pub has_rods: bool,
}

/// All islands that hang by fixed particles, by the constraints that were whole in a state. Bodies that are damped are
/// one each.
pub fn islands(model: &Model, state: &State) -> Vec<Island> {
    let masses = &model.particles.inverse_masses;
    let is_free = |particle: &u32| masses[*particle as usize] > 0.0;
    let mut roots: Vec<u32> = (0..masses.len() as u32).collect();
    for body in model.bodies.iter().filter(|body| body.damping > 0.0) {
        join(&mut roots, body.particles.clone().filter(is_free));
    }
    let numbered = |(index, group): (usize, &crate::model::Group)| (0..group.len()).map(move |each| (index, each));
    let whole: Vec<(usize, usize)> = model.groups.iter().enumerate().flat_map(numbered).collect();
    let whole: Vec<_> = whole.into_iter().filter(|&(group, each)| state.is_whole(model, group, each)).collect();
    let particles = |(group, each): (usize, usize)| model.groups[group].particles_of(each).iter().copied();
    for &constraint in &whole {
        join(&mut roots, particles(constraint).filter(is_free));
    }
    for rod in &model.rods {
        join(&mut roots, rod.particles.clone().filter(is_free));
    }
    let mut islands = vec![Island::default(); masses.len()];
    for particle in (0..masses.len() as u32).filter(is_free) {
        islands[root(&mut roots, particle) as usize].free.push(particle);
    }
    for constraint in whole {
        let Some(first) = particles(constraint).find(is_free) else { continue };
        let island = &mut islands[root(&mut roots, first) as usize];
        island.constraints.push(constraint);
        island.holds.extend(particles(constraint).filter(|particle| !is_free(particle)));
    }
    for rod in &model.rods {
        let Some(first) = rod.particles.clone().find(is_free) else { continue };
        let island = &mut islands[root(&mut roots, first) as usize];
        island.has_rods = true;
        island.holds.extend(rod.particles.clone().filter(|particle| !is_free(particle)));
    }
    islands.retain(|island| !island.holds.is_empty());
    islands
}

fn join(roots: &mut [u32], mut particles: impl Iterator<Item = u32>) {
    let Some(first) = particles.next() else { return };
    for particle in particles {
        let (a, b) = (root(roots, first), root(roots, particle));
        roots[a.max(b) as usize] = a.min(b);
    }
}

impl Island {
    /// Whether a force of its constraints on a fixed particle cannot be read: a shape without compliance has its
    /// particles where they should be, and what is left is rounding. Nor is that of rods looked up.
    pub fn hides_forces(&self, model: &Model) -> bool {
        self.has_rods
            || self.constraints.iter().any(|&(group, each)| {
                let group = &model.groups[group];
                let rigid = || model.materials[group.material_of(each, 0) as usize].compliance == 0.0;
                group.kind.never_negative() && (model.settings.mode == Mode::Pbd || rigid())
            })
    }

    /// The impulse in a frame, N s, of what holds it: its momentum less what gravity, forces, the air, contacts and
    /// constraints with places in the world gave.
    pub fn impulse(&self, model: &Model, [before, after]: [&State; 2], contacts: &[Contact]) -> Vec3<f64> {
        let seconds = after.seconds - before.seconds;
        let gravity = Vec3::from(model.world.gravity);
        let air = air_of([before, after], model);
        let particles = &model.particles;
        let mut impulse = Vec3::zero();
        for &particle in &self.free {
            let i = particle as usize;
            let mass = particles.inverse_masses[i].recip();
            let gained = Vec3::from(after.velocities[i]) - before.velocities[i].into();
            let forces = [0.0, 0.5, 0.5, 1.0].map(|share| before.seconds + share * seconds);
            let forces = forces.map(|time| Vec3::from(model.drives[particles.drives[i] as usize].force(time)));
            let force = forces.into_iter().fold(Vec3::zero(), |sum, force| sum + force * 0.25) + air(i);
            impulse += (gained - gravity * seconds) * mass - force * seconds;
        }
        impulse - (self.of_contacts(model, contacts) + self.of_the_world(model, after)) * seconds
    }

    /// The mean force of all that presses, N.
    fn of_contacts(&self, model: &Model, contacts: &[Contact]) -> Vec3<f64> {
        let mut inside = vec![false; model.particles.len()];
        self.free.iter().for_each(|&particle| inside[particle as usize] = true);
        let mut sum = Vec3::zero();
        for contact in contacts {
            let force = Vec3::from(contact.normal) * contact.force + contact.friction.into();
            let other = match contact.against {
                Against::Trigger(_) => continue,
                Against::Collider(_) => false,
                Against::Particle(other) => inside[other as usize],
            };
            match (inside[contact.particle as usize], other) {
                (true, false) => sum += force,
                (false, true) => sum += force * -1.0,
                _ => {}
            }
        }
        sum
    }

    /// The mean force of constraints of one particle, which hold it in a place or a plane, N.
    fn of_the_world(&self, model: &Model, after: &State) -> Vec3<f64> {
        let h = model.settings.implicit_seconds();
        let mut sum = Vec3::zero();
        for &(index, each) in &self.constraints {
            let group = &model.groups[index];
            if group.particles_of(each).len() == 1 {
                let components = group.kind.components();
                let multipliers = &after.multipliers[index][each * components..][..components];
                let rest = after.rest_of(model, index, each);
                sum += mean_forces(group, each, rest, multipliers, &after.positions, h)[0];
            }
        }
        sum
    }
}

/// The mean force of the air on each particle, N.
fn air_of(states: [&State; 2], model: &Model) -> impl Fn(usize) -> Vec3<f64> {
    let at = |state: &State| {
        let vectors = |list: &[[f64; 3]]| list.iter().map(|&v| Vec3::from(v)).collect::<Vec<_>>();
        air::forces(model, &vectors(&state.positions), &vectors(&state.velocities))
    };
    let both = air::acts(model).then(|| states.map(at));
    move |particle| match &both {
        Some([before, after]) => (before[particle].0 + after[particle].0) * 0.5,
        None => Vec3::zero(),
    }
}
