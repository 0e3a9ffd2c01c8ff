//! Models of the tests, put together by hand, and what runs them in double precision.

#![allow(dead_code, reason = "each test file uses its own part")]

use pliant::Reference;
use pliant::constraint::{Distance, Kind, Vec3, kind};
use pliant::model::{Body, Collider, Contact, Drive, Group, Keyframes, Particles};
use pliant::model::{Material, Model, State};
use pliant::plan::Plan;

/// m/s², the default.
pub const GRAVITY: f64 = 9.81;

/// One body of particles at rest, with default settings and gravity. A mass of 0 kg is fixed.
pub fn particles(positions: &[[f64; 3]], masses: &[f64]) -> Model {
    let inverse = |&mass: &f64| if mass > 0.0 { 1.0 / mass } else { 0.0 };
    Model {
        particles: Particles::at_rest(positions.to_vec(), masses.iter().map(inverse).collect()),
        bodies: vec![Body { name: "body".into(), particles: 0..positions.len() as u32, ..Body::default() }],
        ..Model::default()
    }
}

/// Adds a constraint that is satisfied as placed.
pub fn connect(model: &mut Model, kind: &'static dyn Kind, particles: &[u32], material: Material) {
    let x: Vec<Vec3<f64>> = particles.iter().map(|&p| model.particles.positions[p as usize].into()).collect();
    connect_with_rest(model, kind, particles, &kind.measure(&x), material);
}

/// Adds a constraint with the rest values given. Of kinds whose components have materials of their own each is softer than the one
/// before.
pub fn connect_with_rest(
    model: &mut Model,
    kind: &'static dyn Kind,
    particles: &[u32],
    rest: &[f64],
    material: Material,
) {
    let each = if kind.own_materials() { kind.components() } else { 1 };
    let softer = |k: usize| Material { compliance: material.compliance * (1.0 + 0.5 * k as f64), ..material };
    let material = model.materials.insert_run(&(0..each).map(softer).collect::<Vec<_>>());
    let group = match model.groups.iter().position(|group| group.kind == kind) {
        Some(group) => group,
        None => {
            model.groups.push(Group::new(kind));
            model.groups.len() - 1
        }
    };
    model.groups[group].push(particles, rest, material);
}

/// Adds a distance constraint that is satisfied as placed.
pub fn spring(model: &mut Model, a: u32, b: u32, material: Material) {
    connect(model, kind::<Distance>(), &[a, b], material);
}

/// A material of this compliance, m/N for a distance.
pub fn compliant(compliance: f64) -> Material {
    Material { compliance, ..Material::default() }
}

/// Moves fixed particles along, or pushes free ones.
pub fn drive(model: &mut Model, particle: usize, drive: Drive) {
    model.particles.drives[particle] = model.drives.len() as u32;
    model.drives.push(drive);
}

/// A straight motion from nothing at 0 s.
pub fn linear(seconds: f64, value: [f64; 3]) -> Keyframes {
    Keyframes::new(vec![(0.0, [0.0; 3]), (seconds, value)]).unwrap()
}

/// A solid half-space below the origin that is as rough and bouncy as the body itself.
pub fn ground(model: &mut Model, normal: [f64; 3]) {
    let body = &model.bodies[0];
    model.colliders.push(Collider {
        friction: body.friction,
        dynamic_friction: body.dynamic_friction,
        restitution: body.restitution,
        ..Collider::plane([0.0; 3], normal)
    });
}

/// A chain of `links` springs, 0.1 m each, hanging from a fixed particle at the origin, `mass` kg in each other one.
pub fn chain(links: u32, mass: f64, material: Material) -> Model {
    let positions: Vec<[f64; 3]> = (0..=links).map(|i| [0.0, -0.1 * f64::from(i), 0.0]).collect();
    let masses: Vec<f64> = (0..=links).map(|i| if i == 0 { 0.0 } else { mass }).collect();
    let mut model = particles(&positions, &masses);
    for i in 0..links {
        spring(&mut model, i, i + 1, material);
    }
    model
}

/// A horizontal square cloth of n × n particles, 1 m and 1 kg, without pins: springs along rows and columns (1e-8 m/N),
/// diagonals (1e-6) and second neighbours (1e-4).
pub fn cloth(n: u32) -> Model {
    let place = |i: u32| f64::from(i) / f64::from(n - 1);
    let positions: Vec<[f64; 3]> = (0..n * n).map(|i| [place(i % n), 0.0, place(i / n)]).collect();
    let mut model = particles(&positions, &vec![1.0 / f64::from(n * n); (n * n) as usize]);
    let neighbours = [((1, 0), 1e-8), ((0, 1), 1e-8), ((1, 1), 1e-6), ((-1, 1), 1e-6), ((2, 0), 1e-4), ((0, 2), 1e-4)];
    for ((right, down), compliance) in neighbours {
        for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let other_column = column.checked_add_signed(right).filter(|&column| column < n);
            let other_row = Some(row + down).filter(|&row| row < n);
            if let Some((other_column, other_row)) = other_column.zip(other_row) {
                spring(&mut model, row * n + column, other_row * n + other_column, compliant(compliance));
            }
        }
    }
    model
}

/// A cloth as [`cloth`] with compliances so many times as large, held by its first row, a quarter of a second after it was let go
/// from the horizontal: deformed, and swinging at up to 3 m/s.
pub fn swinging_cloth(n: u32, softer: f64) -> Model {
    let mut model = cloth(n);
    for material in 0..model.materials.len() {
        model.materials.get_mut(material).unwrap().compliance *= softer;
    }
    model.particles.inverse_masses[..n as usize].fill(0.0);
    model.settings.iterations = 20;
    let state = run(&model, 15);
    (model.particles.positions, model.particles.velocities) = (state.positions, state.velocities);
    model
}

/// A reference solver at the beginning.
pub fn reference(model: &Model) -> Reference {
    Reference::new(model, &Plan::new(model))
}

/// The state after some frames in double precision.
pub fn run(model: &Model, frames: u32) -> State {
    let mut reference = reference(model);
    for _ in 0..frames {
        reference.step();
    }
    reference.state()
}

/// The momentum that contacts have given the first particle by what was told of them after each frame, kg m/s.
pub fn told(frames: u32, mut step: impl FnMut() -> Vec<Contact>) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for contact in (0..frames).flat_map(|_| step()).filter(|contact| contact.particle == 0) {
        (0..3).for_each(|i| sum[i] += (contact.force * contact.normal[i] + contact.friction[i]) / 60.0);
    }
    sum
}

/// By how much that is off what the first particle has got since the beginning, without gravity, kg m/s.
pub fn untold(model: &Model, state: &State, told: [f64; 3]) -> f64 {
    let mass = 1.0 / model.particles.inverse_masses[0];
    let given = |i: usize| mass * (state.velocities[0][i] - model.particles.velocities[0][i]);
    (0..3).map(|i| (told[i] - given(i)).abs()).fold(0.0, f64::max)
}
