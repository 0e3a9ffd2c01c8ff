//! The rotation of a body by its angular momentum.

use std::array::from_fn;

use crate::math::{Vec3, turn};

/// Moments of inertia below this share of the trace are taken for none. A body of particles in a line has none about
/// it, and sums in single precision leave some 1e-7 of the others in its place: dividing by that would be spin out of
/// nothing.
const NEGLIGIBLE: f64 = 1e-6;

/// The solution of I ω = L, along axes that are conjugate to each other by I (an LDLᵀ factorisation). An axis about
/// which nothing has inertia is left out; the axis that starts with the least comes last, so that it is the one.
/// `rounding`: what of the inertia may be rounding, kg m²; of a single particle it may be all, and below 0.
pub fn angular_velocity(inertia: [Vec3<f64>; 3], momentum: Vec3<f64>, rounding: f64) -> Vec3<f64> {
    let diagonal: [f64; 3] = from_fn(|axis| inertia[axis].dot(Vec3::axis(axis)));
    let least = (0..3).fold(0, |least, axis| if diagonal[axis] < diagonal[least] { axis } else { least });
    let negligible = (NEGLIGIBLE * diagonal.iter().sum::<f64>()).max(rounding);
    let mut axes: [Vec3<f64>; 3] = from_fn(|k| Vec3::axis((least + 1 + k) % 3));
    let mut turn = Vec3::zero();
    for k in 0..3 {
        let axis = axes[k];
        let column = inertia[0] * axis.x + inertia[1] * axis.y + inertia[2] * axis.z;
        let moment = axis.dot(column);
        if moment > negligible {
            turn += axis * (axis.dot(momentum) / moment);
            for other in &mut axes[k + 1..] {
                *other += axis * (-other.dot(column) / moment);
            }
        }
    }
    turn
}

/// The turn of a free body in a substep, by the momentum L about its centre that it goes with, times the substep: the
/// one after which Σ m r × (R r) = L, with r from the centre before it, the matrix Σ m r rᵀ and I its inertia, both
/// before it. With v the vector part of R's quaternion and w its scalar part that is
///
/// ```text
/// 2w I v + 2 v × (I v) = L
/// ```
///
/// The next substep finds L again, so that angular momentum is kept to rounding, and energy is neither gained nor lost
/// in the mean (Moser and Veselov, Discrete Versions of some Classical Integrable Systems, 1991).
pub fn free_turn(inertia: [Vec3<f64>; 3], momentum: Vec3<f64>) -> Vec3<f64> {
    let mut v = Vec3::zero();
    for _ in 0..TURN_STEPS {
        let bent = v.cross(inertia[0] * v.x + inertia[1] * v.y + inertia[2] * v.z) * 2.0;
        let next = angular_velocity(inertia, momentum - bent, 0.0) * (0.5 / turn::scalar(v).max(0.5));
        v = turn::shortened(next, MOST_TURN);
    }
    v
}

/// Each takes the error to that times the turn.
const TURN_STEPS: usize = 8;
/// More in a substep is no motion that it could show: 106°.
const MOST_TURN: f64 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;

    /// The inertia of particles of 1 kg about their centre, which must be the origin.
    fn inertia(arms: &[Vec3<f64>]) -> [Vec3<f64>; 3] {
        from_fn(|axis| {
            let of = |arm: &Vec3<f64>| Vec3::axis(axis) * arm.dot(*arm) - *arm * arm.dot(Vec3::axis(axis));
            arms.iter().fold(Vec3::zero(), |sum, arm| sum + of(arm))
        })
    }

    /// What a body turns by has the momentum that it was given.
    #[test]
    fn free_turns_have_their_momentum() {
        let arms = [[1.0, 0.2, 0.1], [-0.3, 1.5, 0.4], [0.2, -0.4, 0.7]].map(Vec3::from);
        let arms: Vec<_> = arms.into_iter().flat_map(|arm| [arm, -arm]).collect();
        for momentum in [[0.1, -0.4, 0.3], [1.0, 2.0, -1.5]].map(Vec3::from) {
            let v = free_turn(inertia(&arms), momentum);
            let q = turn::Quaternion::of_turn(v);
            let found = arms.iter().fold(Vec3::zero(), |sum, arm| sum + arm.cross(q.rotate(*arm)));
            assert!((found - momentum).length() < 1e-4 * momentum.length(), "{v:?}: {found:?}");
        }
    }

    /// The angular velocity of a body is found from its momentum, I ω = L. Of particles in a line, in any direction and
    /// along the axes, it is one that moves them alike; of a single point it is zero.
    #[test]
    fn angular_velocity_is_found_from_the_momentum() {
        let turn = Vec3::new(0.3, -2.0, 1.1);
        let momentum = |inertia: [Vec3<f64>; 3]| inertia[0] * turn.x + inertia[1] * turn.y + inertia[2] * turn.z;
        let solid = [[1.0, 0.2, 0.1], [-0.3, 1.5, 0.4], [0.2, -0.4, 0.7]].map(Vec3::from);
        let solid = inertia(&solid.into_iter().flat_map(|arm| [arm, -arm]).collect::<Vec<_>>());
        assert!((angular_velocity(solid, momentum(solid), 0.0) - turn).length() < 1e-14);

        let directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1e-5, 0.0]];
        for direction in directions.map(Vec3::from) {
            let line = inertia(&[direction, -direction]);
            let found = angular_velocity(line, momentum(line), 0.0);
            let error = (found - turn).cross(direction).length();
            assert!(error < 1e-9 && found.length() < 10.0, "{direction:?}: {found:?}");
        }
        assert_eq!(angular_velocity([Vec3::zero(); 3], Vec3::zero(), 0.0), Vec3::zero());
        // A point as it is left of the sums about another place: no more than what may be rounding.
        for point in [1e-17, -1e-17] {
            let left = from_fn(|axis| Vec3::axis(axis) * point);
            assert_eq!(angular_velocity(left, Vec3::new(0.0, 1e-16, 0.0), 1e-16), Vec3::zero());
        }
    }
}
