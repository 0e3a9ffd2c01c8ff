//! Planar angles of what can leave the plane of x and y. They see x and y only: where an arm turns towards z its
//! gradient grows without bound, and the substeps add energy.

use crate::constraint::{Angle, Plane};
use crate::model::{Model, Shape, Side};

/// A direction is in the plane if its part along z is at most this share of it: rotations round.
const ROUNDING: f64 = 1e-9;

/// A note for each body of whose planar angles something moves a particle along z that no plane holds.
pub(super) fn notes(model: &Model) -> Vec<String> {
    let mut loose = particles_of_angles(model);
    loose.iter_mut().zip(&model.particles.inverse_masses).for_each(|(loose, &w)| *loose &= w > 0.0);
    held(model).for_each(|particle| loose[particle as usize] = false);
    let note = |(index, body): (usize, &crate::model::Body)| {
        let free: Vec<u32> = body.particles.clone().filter(|&particle| loose[particle as usize]).collect();
        let cause = free.first().and_then(|_| cause(model, index, &free))?;
        Some(format!(
            "body '{}': {cause} moves its planar angles out of the xy plane, which gives them energy; set planar = \
             true, or use spatial_angle",
            body.name
        ))
    };
    model.bodies.iter().enumerate().filter_map(note).collect()
}

fn particles_of_angles(model: &Model) -> Vec<bool> {
    let mut of_angles = vec![false; model.particles.len()];
    let groups = model.groups.iter().filter(|group| group.kind.is::<Angle>());
    groups.flat_map(|group| &group.particles).for_each(|&particle| of_angles[particle as usize] = true);
    of_angles
}

/// Particles that a plane of x and y holds from both sides.
fn held(model: &Model) -> impl Iterator<Item = u32> + '_ {
    let groups = model.groups.iter().filter(|group| group.kind.is::<Plane>());
    groups.flat_map(|group| {
        (0..group.len()).filter_map(|index| {
            let &[_, _, _, x, y, z, _] = group.rest_of(index) else { return None };
            let both = model.materials[group.materials[index] as usize].side == Side::Both;
            (both && is_along_z([x, y, z])).then(|| group.particles_of(index)[0])
        })
    })
}

fn is_along_z([x, y, z]: [f64; 3]) -> bool {
    x.hypot(y) <= ROUNDING * z.abs()
}

fn leaves(vector: [f64; 3]) -> bool {
    let [x, y, z] = vector;
    z.abs() > ROUNDING * x.hypot(y)
}

/// What moves particles of a body along z, if anything that the scene says does.
fn cause(model: &Model, body: usize, particles: &[u32]) -> Option<&'static str> {
    let drives = |particles: &[u32]| -> Vec<usize> {
        let mut drives: Vec<usize> = particles.iter().map(|&p| model.particles.drives[p as usize] as usize).collect();
        drives.sort_unstable();
        drives.dedup();
        drives
    };
    let whole: Vec<u32> = model.bodies[body].particles.clone().collect();
    let is_forced = |drive: usize| model.drives[drive].forces.iter().flat_map(|force| force.values()).any(leaves);
    let is_moved = |drive: usize| {
        let drive = &model.drives[drive];
        let by_keyframes = drive.turn.iter().flat_map(|turn| turn.rotations.times().map(|time| turn.at(time)));
        let turned = drive.spin.iter().flat_map(|spin| [spin.at(0.1 / spin.rate), spin.at(1.0 / spin.rate)]);
        drive.motion.iter().flat_map(|motion| motion.values()).chain(turned).chain(by_keyframes).any(leaves)
    };
    let blown = model.bodies[body].drag != 0.0 || model.bodies[body].lift != 0.0;
    let sloping = model.colliders.iter().any(|collider| {
        let normal = crate::math::rotation::rotate(collider.rotation, [0.0, 1.0, 0.0]);
        matches!(collider.shape, Shape::Plane) && !collider.trigger && leaves(normal)
    });
    let causes = [
        ("gravity", leaves(model.world.gravity)),
        ("its velocity", particles.iter().any(|&p| leaves(model.particles.velocities[p as usize]))),
        ("a force", drives(particles).into_iter().any(is_forced)),
        ("a pin", drives(&whole).into_iter().any(is_moved)),
        ("the wind", blown && leaves(model.world.wind)),
        ("a collider", sloping),
    ];
    causes.into_iter().find(|(_, acts)| *acts).map(|(cause, _)| cause)
}
