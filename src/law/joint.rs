//! Joints between rigid bodies, as equations.
//!
//! A joint is at a place of each of two bodies and has three axes e₀, e₁, e₂ in each. With p the way from its place on
//! the first body to that on the second, rₐ and r_b from the bodies' centres to the *second* place, and e the axes on
//! the first body, it has up to six equations:
//!
//! ```text
//! places    C_k = e_k·p,            ∂C/∂x_b = e_k = -∂C/∂xₐ,   ∂C/∂φ_b = r_b × e_k,   ∂C/∂φₐ = -rₐ × e_k
//! an axis   C_k = e_k·e₂ᵇ,  k < 2   ∂C/∂φ_b = e₂ᵇ × e_k = -∂C/∂φₐ
//! angles    C   = ψ = log(EₐᵀE_b)   ∂C/∂φ_b as in [`rod`](super::rod) = -∂C/∂φₐ
//! a turn    θ   = atan2(e₁·e₀ᵇ, e₀·e₀ᵇ),   ∂θ/∂φ_b = e₀ᵇ × ((e₀·e₀ᵇ) e₁ - (e₁·e₀ᵇ) e₀)/ρ²
//! a swing   ϑ   = atan2(|e₂×e₂ᵇ|, e₂·e₂ᵇ),  ∂ϑ/∂φ_b = e₂×e₂ᵇ/|e₂×e₂ᵇ|
//! a way     s   = e₂·p, as places; a length |p|, with the direction of p in place of e₂
//! ```
//!
//! with φ a rotation about the world's axes. Both bodies are pushed at one place, so that angular momentum is kept
//! while the joint is open, too.
//!
//! | kind | equations |
//! |---|---|
//! | ball | three places; its swing by limits |
//! | hinge | three places, an axis; its turn by limits and motor |
//! | slider | two places, three angles; its way by limits and motor |
//! | fixed | three places, three angles |
//! | distance | its length |
//!
//! On the device `shaders/law/joint.wgsl`.

use super::rod::{Matrix, bends};
use crate::math::turn::Quaternion;
use crate::math::{Real, Vec3};
use crate::model::JointKind;

/// How many equations a joint has at most.
pub const ROWS: usize = 6;

/// What is known of a joint before it is solved.
#[derive(Clone, Copy, Debug)]
pub struct Terms<R> {
    /// Which equations it has.
    pub kind: JointKind,
    /// α̃ of what it holds.
    pub compliance: R,
    /// Of its turn, way or length.
    pub limits: Option<[R; 2]>,
    /// The target of its motor, and α̃.
    pub motor: Option<[R; 2]>,
    /// Of what damps its turn, way or length: what that was as the substep began, and α̃.
    pub damping: Option<[R; 2]>,
    /// Whether it has not broken.
    pub is_whole: bool,
}

/// A joint as it is now.
#[derive(Clone, Copy, Debug)]
pub struct Placed<R> {
    /// From its place on the first body to that on the second, m.
    pub apart: Vec3<R>,
    /// From the centre of each body to its place on the second, m.
    pub levers: [Vec3<R>; 2],
    /// Its axes on each.
    pub axes: [Matrix<R>; 2],
}

/// The equations of a joint. Those that are not there are 1 λ = 0.
#[derive(Clone, Copy, Debug)]
pub struct Rows<R> {
    /// ∂C/∂x of the second body, less that of the first.
    pub linear: [Vec3<R>; ROWS],
    /// ∂C/∂φ of each.
    pub angular: [[Vec3<R>; ROWS]; 2],
    /// C, less the target.
    pub values: [R; ROWS],
    /// α̃
    pub compliances: [R; ROWS],
    /// Whether there is such an equation.
    pub present: [bool; ROWS],
    /// Of the turn, way or length at a limit which way it pushes: 1, -1, or 0 both.
    pub side: R,
    /// The turn, way or length; 0 where there is none.
    pub coordinate: R,
}

/// Which equation is the turn, way or length of a kind.
pub fn coordinate(kind: JointKind) -> usize {
    match kind {
        JointKind::Ball | JointKind::Hinge => 5,
        _ => 2,
    }
}

/// Whether an equation of a kind is one of places, whose multiplier is a force, or of angles, with a moment.
pub fn is_force(kind: JointKind, row: usize) -> bool {
    row < 3 || kind == JointKind::Distance
}

impl<R: Real<Mask = bool>> Rows<R> {
    fn nothing() -> Self {
        let zero = R::from_f64(0.0);
        Self {
            linear: [Vec3::zero(); ROWS],
            angular: [[Vec3::zero(); ROWS]; 2],
            values: [zero; ROWS],
            compliances: [R::from_f64(1.0); ROWS],
            present: [false; ROWS],
            side: zero,
            coordinate: zero,
        }
    }

    /// Those of a joint where it is.
    pub fn new(terms: &Terms<R>, placed: &Placed<R>) -> Self {
        let mut rows = Self::nothing();
        if !terms.is_whole {
            return rows;
        }
        let kind = terms.kind;
        let places = match kind {
            JointKind::Ball | JointKind::Hinge | JointKind::Fixed => 3,
            JointKind::Slider => 2,
            JointKind::Distance => 0,
        };
        for k in 0..places {
            rows.push_along(k, placed.axes[0][k], placed, terms.compliance);
        }
        match kind {
            JointKind::Hinge => (0..2).for_each(|k| rows.align(3 + k, placed.axes[0][k], placed.axes[1][2], terms)),
            JointKind::Slider | JointKind::Fixed => rows.turn_along(placed, terms),
            JointKind::Ball | JointKind::Distance => {}
        }
        if kind.has_coordinate() {
            rows.hold_coordinate(terms, placed);
        }
        rows
    }

    /// A place along a direction.
    fn push_along(&mut self, row: usize, direction: Vec3<R>, placed: &Placed<R>, compliance: R) {
        self.linear[row] = direction;
        self.angular[0][row] = -placed.levers[0].cross(direction);
        self.angular[1][row] = placed.levers[1].cross(direction);
        self.set(row, direction.dot(placed.apart), compliance);
    }

    /// An axis of the first body across the third of the second.
    fn align(&mut self, row: usize, across: Vec3<R>, axis: Vec3<R>, terms: &Terms<R>) {
        self.turn_about(row, axis.cross(across));
        self.set(row, across.dot(axis), terms.compliance);
    }

    /// All angles.
    fn turn_along(&mut self, placed: &Placed<R>, terms: &Terms<R>) {
        let angle = rotation(&placed.axes).logarithm();
        let gradients = bends(angle, &placed.axes[1]);
        for (k, value) in [angle.x, angle.y, angle.z].into_iter().enumerate() {
            self.turn_about(3 + k, gradients[k]);
            self.set(3 + k, value, terms.compliance);
        }
    }

    fn turn_about(&mut self, row: usize, gradient: Vec3<R>) {
        self.angular[0][row] = -gradient;
        self.angular[1][row] = gradient;
    }

    fn set(&mut self, row: usize, value: R, compliance: R) {
        (self.values[row], self.compliances[row], self.present[row]) = (value, compliance, true);
    }

    /// The turn, swing, way or length: at a limit, or else by the motor and what damps it.
    fn hold_coordinate(&mut self, terms: &Terms<R>, placed: &Placed<R>) {
        let row = coordinate(terms.kind);
        let value = match terms.kind {
            JointKind::Hinge => {
                let ([first, second, _], other) = (placed.axes[0], placed.axes[1][0]);
                let (cosine, sine) = (first.dot(other), second.dot(other));
                let squared = cosine * cosine + sine * sine;
                let along = (second * cosine - first * sine) * (R::from_f64(1.0) / squared);
                self.turn_about(row, other.cross(along));
                sine.atan2(cosine)
            }
            JointKind::Ball => {
                let (first, other) = (placed.axes[0][2], placed.axes[1][2]);
                let (about, sine) = first.cross(other).direction_and_length();
                self.turn_about(row, about);
                sine.atan2(first.dot(other))
            }
            JointKind::Slider => {
                self.push_along(row, placed.axes[0][2], placed, terms.compliance);
                placed.axes[0][2].dot(placed.apart)
            }
            _ => {
                let (direction, length) = placed.apart.direction_and_length();
                self.push_along(row, direction, placed, terms.compliance);
                length
            }
        };
        let one = R::from_f64(1.0);
        self.present[row] = false;
        self.coordinate = value;
        match (terms.limits, spring(terms, value)) {
            (Some([low, high]), _) if !high.greater(low) => self.set(row, value - low, terms.compliance),
            (Some([low, _]), _) if low.greater(value) => {
                self.set(row, value - low, terms.compliance);
                self.side = one;
            }
            (Some([_, high]), _) if value.greater(high) => {
                self.set(row, value - high, terms.compliance);
                self.side = -one;
            }
            (_, Some([off, compliance])) => self.set(row, off, compliance),
            _ => self.drop(row),
        }
    }

    /// Takes an equation out.
    pub fn drop(&mut self, row: usize) {
        self.linear[row] = Vec3::zero();
        self.angular.iter_mut().for_each(|angular| angular[row] = Vec3::zero());
        (self.values[row], self.compliances[row]) = (R::from_f64(0.0), R::from_f64(1.0));
        (self.present[row], self.side) = (false, R::from_f64(0.0));
    }
}

/// How far a turn, way or length is off, and α̃, by its motor and by what damps it: a torque -c dq/dt is that of a spring
/// of the stiffness c/h to where the coordinate q was as the substep began. Stiffnesses add up, and a motor without
/// compliance is not damped.
fn spring<R: Real<Mask = bool>>(terms: &Terms<R>, value: R) -> Option<[R; 2]> {
    let off = |target: R| if terms.kind == JointKind::Hinge { wrapped(value - target) } else { value - target };
    match (terms.motor, terms.damping) {
        (None, None) => None,
        (Some([target, compliance]), None) | (None, Some([target, compliance])) => Some([off(target), compliance]),
        (Some([target, compliance]), Some([begun, damping])) => {
            let share = compliance / (compliance + damping);
            Some([off(target) + (off(begun) - off(target)) * share, damping * share])
        }
    }
}

/// An angle without its whole turns.
fn wrapped<R: Real<Mask = bool>>(angle: R) -> R {
    let (sine, cosine) = angle.sin_cos();
    sine.atan2(cosine)
}

/// The rotation from the axes of the first to those of the second, in either. It is right below half a turn.
fn rotation<R: Real<Mask = bool>>([a, b]: &[Matrix<R>; 2]) -> Quaternion<R> {
    let at = |row: usize, column: usize| a[row].dot(b[column]);
    let (one, least) = (R::from_f64(1.0), R::from_f64(1e-6));
    let squared = one + at(0, 0) + at(1, 1) + at(2, 2);
    let twice = if squared.greater(least) { squared } else { least }.sqrt();
    let half = R::from_f64(0.5) / twice;
    let vector = Vec3::new(at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1)) * half;
    Quaternion { vector, scalar: twice * R::from_f64(0.5) }.normalised()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;

    /// The axes of a joint after a rotation about the world's axes.
    fn turned<R: Real>(axes: Matrix<R>, by: Vec3<R>) -> Matrix<R> {
        let (axis, angle) = by.direction_and_length();
        let (sine, cosine) = (angle * R::from_f64(0.5)).sin_cos();
        let q = Quaternion { vector: axis * sine, scalar: cosine };
        axes.map(|axis| q.rotate(axis))
    }

    fn dual(v: Vec3<f64>, along: Vec3<f64>) -> Vec3<Dual> {
        Vec3::new(Dual::new(v.x, along.x), Dual::new(v.y, along.y), Dual::new(v.z, along.z))
    }

    /// A joint that is far from closed, after the bodies moved by x and turned by φ along some directions.
    fn moved(x: [Vec3<f64>; 2], phi: [Vec3<f64>; 2]) -> Placed<Dual> {
        let zero = Vec3::zero();
        let centres = [Vec3::new(0.3, -0.2, 0.1), Vec3::new(-0.4, 0.5, 0.2)];
        let arms = [Vec3::new(-0.5, 0.6, 0.2), Vec3::new(0.2, 0.1, -0.3)];
        let starts = [Vec3::new(0.2, 0.1, -0.3), Vec3::new(-0.3, 0.4, 0.7)];
        let tilt = |k: usize, v: Vec3<f64>| {
            // A first rotation by hand, and then the small one of the direction that is tested.
            let axes: Matrix<Dual> = turned([0, 1, 2].map(Vec3::axis), dual(v, zero));
            let q = Quaternion { vector: dual(zero, phi[k] * 0.5), scalar: Dual::new(1.0, 0.0) };
            axes.map(|axis| q.rotate(axis))
        };
        let axes = [0, 1].map(|k| tilt(k, starts[k]));
        let q = |k: usize| Quaternion { vector: dual(zero, phi[k] * 0.5), scalar: Dual::new(1.0, 0.0) };
        let centre = |k: usize| dual(centres[k], x[k]);
        let place = |k: usize| centre(k) + q(k).rotate(dual(arms[k], zero));
        Placed { apart: place(1) - place(0), levers: [0, 1].map(|k| place(1) - centre(k)), axes }
    }

    fn all_terms() -> Vec<Terms<Dual>> {
        let number = |value: f64| Dual::new(value, 0.0);
        let of =
            |kind| Terms { kind, compliance: number(0.0), limits: None, motor: None, damping: None, is_whole: true };
        let motor = Some([number(0.2), number(0.1)]);
        let damping = Some([number(-0.1), number(0.4)]);
        let mut all: Vec<_> = JointKind::ALL.map(of).to_vec();
        for kind in JointKind::ALL.into_iter().filter(|kind| kind.has_coordinate()) {
            all.push(Terms { motor, ..of(kind) });
            all.push(Terms { damping, ..of(kind) });
            all.push(Terms { motor, damping, ..of(kind) });
            all.push(Terms { limits: Some([number(3.0), number(3.1)]), motor, ..of(kind) });
            all.push(Terms { limits: Some([number(-3.1), number(-3.0)]), ..of(kind) });
        }
        all
    }

    /// Gradients are the derivatives of the values, for every kind, and what acts on one body acts on the other.
    #[test]
    fn gradients_are_derivatives() {
        let zero = [Vec3::zero(); 2];
        let mut seen = 0;
        for terms in all_terms() {
            let rows = Rows::new(&terms, &moved(zero, zero));
            for (body, axis) in (0..2).flat_map(|body| (0..3).map(move |axis| (body, axis))) {
                let mut way = zero;
                way[body] = Vec3::axis(axis);
                let (shifted, rotated) = (Rows::new(&terms, &moved(way, zero)), Rows::new(&terms, &moved(zero, way)));
                for row in (0..ROWS).filter(|&row| rows.present[row]) {
                    let part = |v: Vec3<Dual>| [v.x, v.y, v.z][axis].value;
                    let sign = if body == 0 { -1.0 } else { 1.0 };
                    let (linear, angular) = (sign * part(rows.linear[row]), part(rows.angular[body][row]));
                    let found = [shifted.values[row].derivative, rotated.values[row].derivative];
                    assert!((found[0] - linear).abs() < 1e-9, "{terms:?} row {row}: {found:?}, {linear}");
                    assert!((found[1] - angular).abs() < 1e-9, "{terms:?} row {row}: {found:?}, {angular}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 300, "{seen}");
    }

    /// A limit pushes back to where it is; between limits only the motor acts, and whole turns do not count.
    #[test]
    fn limits_and_motors() {
        let number = |value: f64| Dual::new(value, 0.0);
        let placed = moved([Vec3::zero(); 2], [Vec3::zero(); 2]);
        let hinge = Terms {
            kind: JointKind::Hinge,
            compliance: number(0.0),
            limits: None,
            motor: None,
            damping: None,
            is_whole: true,
        };
        let free = Rows::new(&Terms { motor: Some([number(0.0), number(0.5)]), ..hinge }, &placed);
        let angle = free.values[5].value;
        let row = |limits: Option<[f64; 2]>, target: Option<f64>| {
            let motor = target.map(|target| [number(target), number(0.5)]);
            let rows = Rows::new(&Terms { limits: limits.map(|l| l.map(number)), motor, ..hinge }, &placed);
            (rows.present[5], rows.values[5].value, rows.side.value)
        };
        assert_eq!(row(None, None), (false, 0.0, 0.0));
        assert_eq!(row(Some([angle + 0.1, 3.0]), None).2, 1.0);
        assert_eq!(row(Some([-3.0, angle - 0.1]), Some(0.0)).2, -1.0);
        let (present, value, side) = row(Some([-3.0, 3.0]), Some(4.0 * std::f64::consts::TAU));
        assert!(present && (value - angle).abs() < 1e-12 && side == 0.0, "{value} {angle}");
    }
}
