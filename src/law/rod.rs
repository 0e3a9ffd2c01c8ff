//! Rods that stretch, shear, bend and twist, and how a chain of them is solved at once.
//!
//! A rod has particles, and between two of them a segment with an orientation R: e₃ along it, e₁ and e₂ across
//! (Kugelstadt and Schömer, Position and Orientation Based Cosserat Rods, 2016). A *link* is a segment with the joint
//! to the next one, and has six equations:
//!
//! ```text
//! stretch and shear  C = Rᵀ(x₁ - x₀) - l e₃, m,   ∂C_k/∂x₁ = R e_k = -∂C_k/∂x₀,   ∂C_k/∂φ = R e_k × (x₁ - x₀)
//! bending and twist  C = ψ - ψ₀, rad,   ψ = log(RₐᵀR_b),   ∂C/∂φ_b = J⁻¹(ψ) R_bᵀ = -∂C/∂φₐ
//! J⁻¹(ψ) = 1 + ½[ψ]ₓ + c [ψ]ₓ²,   c = 1/θ² - (1 + cos θ)/(2θ sin θ),   θ = |ψ|
//! ```
//!
//! with φ a rotation about the world's axes.
//!
//! Damping of the material is that of `shaders/lib/xpbd.wgsl` with γ = β/H for all equations.
//!
//! All links of a chain are solved together by a step of Newton's method on C + α̃ λ = 0 (Deul et al., Direct
//! Position-Based Solver for Stiff Rods, 2018): (∇C W ∇Cᵀ + α̃) Δλ = -C - α̃ λ. A link is coupled to its neighbours
//! only, so the matrix is tridiagonal in blocks of 6 × 6, and elimination from one end to the other and back solves it.
//! Sweeps would pass a load on by a link at a time: a stiff rod of 32 segments hangs straight down by them with 10
//! substeps, where it should droop by a twentieth of its length.
//!
//! On the device `shaders/law/rod.wgsl`.

use crate::math::turn::Orientation;
use crate::math::{Real, Vec3};

/// A matrix of 3 × 3 by its columns.
pub type Matrix<R> = [Vec3<R>; 3];

/// A segment and the joint to the next one, at a place of a chain.
#[derive(Clone, Copy)]
pub struct Link<R> {
    /// 1 where there is a segment and 0 where there is none, as at a wall; and the same of the joint.
    pub present: [R; 2],
    /// Inverse masses of the segment's ends, 1/kg.
    pub inverse_masses: [R; 2],
    /// Inverse inertias of its orientation and the next, 1/(kg m²).
    pub inverse_inertias: [R; 2],
    /// Its orientation and the next.
    pub orientations: [Orientation<R>; 2],
    /// From its first end to the second, m.
    pub way: Vec3<R>,
    /// Its length at rest, m.
    pub length: R,
    /// ψ₀, rad.
    pub rest: Vec3<R>,
    /// α̃ of the segment along its axes, m/N s⁻², and of the joint about them, 1/(N m s²).
    pub compliances: [Vec3<R>; 2],
    /// γ = β/H: a force C/α is joined by -β/α dC/dt.
    pub damping: R,
    /// By how much the ends moved against each other in this substep, m.
    pub moved: Vec3<R>,
    /// How far its orientation and the next turned in it, rad.
    pub turned: [Vec3<R>; 2],
    /// λ of the segment and the joint so far.
    pub multipliers: [Vec3<R>; 2],
}

/// The equations of a link at a state.
#[derive(Clone, Copy)]
pub struct Rows<R> {
    /// R e_k: gradients of stretch and shear at the second end.
    pub axes: Matrix<R>,
    /// Their gradients at the orientation.
    pub levers: Matrix<R>,
    /// Gradients of bending and twist at the next orientation.
    pub bends: Matrix<R>,
    /// What is to be solved, of the segment and the joint.
    pub residuals: [Vec3<R>; 2],
    /// α̃ as it stands in the matrix.
    pub compliances: [Vec3<R>; 2],
}

/// What elimination leaves of a link: λ = y - X λ' with λ' of the next one. X is in blocks of segment and joint: the
/// first index is the row.
#[derive(Clone, Copy)]
pub struct Eliminated<R> {
    /// X
    pub coupling: [[Matrix<R>; 2]; 2],
    /// y
    pub solution: [Vec3<R>; 2],
    /// The gradients of its [`Rows`], for the way back.
    pub axes: Matrix<R>,
    pub levers: Matrix<R>,
    pub bends: Matrix<R>,
}

impl<R: Real> Eliminated<R> {
    /// Of a link that does nothing.
    #[inline(always)]
    pub fn nothing() -> Self {
        let zero = [Vec3::zero(); 3];
        let solution = [Vec3::zero(); 2];
        Self { coupling: [[zero; 2]; 2], solution, axes: zero, levers: zero, bends: zero }
    }
}

/// How an engine keeps a chain.
pub trait Chain<R: Real> {
    /// How many links it has.
    fn links(&self) -> usize;
    /// A link as it is now.
    fn link(&self, index: usize) -> Link<R>;
    /// Keeps what elimination leaves of a link.
    fn keep(&mut self, index: usize, eliminated: &Eliminated<R>);
    /// What was kept of it.
    fn kept(&self, index: usize) -> Eliminated<R>;
    /// Adds to the multipliers of a link.
    fn press(&mut self, index: usize, change: [Vec3<R>; 2]);
    /// Moves the particle before the segment of a link, or behind the last one, by its inverse mass times this.
    fn push(&mut self, node: usize, impulse: Vec3<R>);
    /// Turns the orientation of a link by its inverse inertia times this.
    fn turn(&mut self, index: usize, impulse: Vec3<R>);
}

/// One step of Newton's method over a chain.
#[inline(always)]
pub fn solve<R: Real>(chain: &mut impl Chain<R>) {
    let count = chain.links();
    eliminate(chain, count);
    substitute(chain, count);
}

/// From the first link to the last.
#[inline(always)]
fn eliminate<R: Real>(chain: &mut impl Chain<R>, count: usize) {
    let mut link = chain.link(0);
    let mut rows = link.rows();
    // What the link before takes off the blocks of this one.
    let mut taken = Taken::nothing();
    for index in 0..count {
        let next = chain.link((index + 1).min(count - 1));
        let next_rows = next.rows();
        let between = Coupling::new(&link, &rows, &next_rows);
        let eliminated = Diagonal::new(&link, &rows).less(&taken).solve(&rows, &taken, &between);
        chain.keep(index, &eliminated);
        taken = between.taken(&eliminated);
        (link, rows) = (next, next_rows);
    }
}

/// From the last link back to the first.
#[inline(always)]
fn substitute<R: Real>(chain: &mut impl Chain<R>, count: usize) {
    let mut following = [Vec3::zero(); 2];
    // Of the particle and the orientation behind the link.
    let (mut push, mut turn) = (Vec3::zero(), Vec3::zero());
    for index in (0..count).rev() {
        let Eliminated { coupling, solution, axes, levers, bends } = chain.kept(index);
        let change = [
            solution[0] - times(&coupling[0][0], following[0]) - times(&coupling[0][1], following[1]),
            solution[1] - times(&coupling[1][0], following[0]) - times(&coupling[1][1], following[1]),
        ];
        let [segment, bend] = [times(&axes, change[0]), times(&bends, change[1])];
        chain.press(index, change);
        chain.push(index + 1, push + segment);
        if index + 1 < count {
            chain.turn(index + 1, turn + bend);
        }
        (push, turn) = (-segment, times(&levers, change[0]) - bend);
        following = change;
    }
    chain.push(0, push);
    chain.turn(0, turn);
}

impl<R: Real> Link<R> {
    /// Its equations.
    #[inline(always)]
    pub fn rows(&self) -> Rows<R> {
        let [segment, joint] = self.present;
        let [here, there] = self.orientations;
        let axes = scaled(&here.axes(), segment);
        let levers = [axes[0].cross(self.way), axes[1].cross(self.way), axes[2].cross(self.way)];
        let along = here.inside(self.way);
        let stretch = Vec3 { z: along.z - self.length, ..along } * segment;

        let bending = here.to(there).logarithm();
        let bends = scaled(&bends(bending, &there.axes()), joint);
        let bend = (bending - self.rest) * joint;

        // (1 + γ) ∇C W ∇Cᵀ + α̃ is divided by 1 + γ, so that the matrix stays symmetric.
        let share = R::from_f64(1.0) / (R::from_f64(1.0) + self.damping);
        let speed = transposed_times(&axes, self.moved) + transposed_times(&levers, self.turned[0]);
        let turning = transposed_times(&bends, self.turned[1] - self.turned[0]);
        let stretched = (stretch + product(self.compliances[0], self.multipliers[0]) + speed * self.damping) * -share;
        let bent = (bend + product(self.compliances[1], self.multipliers[1]) + turning * self.damping) * -share;
        Rows {
            axes,
            levers,
            bends,
            residuals: [stretched * segment, bent * joint],
            compliances: [absent(self.compliances[0] * share, segment), absent(self.compliances[1] * share, joint)],
        }
    }
}

/// ∂ψ/∂φ_b of a rotation ψ from one orientation to another with these axes: the rows of J⁻¹(ψ) R_bᵀ.
#[inline(always)]
pub(super) fn bends<R: Real>(bending: Vec3<R>, ends: &Matrix<R>) -> Matrix<R> {
    let curved = curvature_share(bending);
    let mut gradients = [Vec3::zero(); 3];
    for (k, gradient) in gradients.iter_mut().enumerate() {
        let axis = Vec3::axis(k);
        let across = bending.cross(axis);
        *gradient = times(ends, axis - across * R::from_f64(0.5) + bending.cross(across) * curved);
    }
    gradients
}

/// A compliance, or 1 where there is no such equation: the block is then the unit matrix.
#[inline(always)]
fn absent<R: Real>(compliance: Vec3<R>, present: R) -> Vec3<R> {
    let none = R::from_f64(1.0) - present;
    compliance * present + Vec3::new(none, none, none)
}

/// c of J⁻¹. Below half a radian its series, since the formula is a difference of large numbers there.
#[inline(always)]
fn curvature_share<R: Real>(bending: Vec3<R>) -> R {
    let one = R::from_f64(1.0);
    let squared = bending.dot(bending);
    let large = squared.greater(R::from_f64(0.25));
    let angle = R::select(large, squared, one).sqrt();
    let (sine, cosine) = (angle * R::from_f64(0.5)).sin_cos();
    let exact = (one - angle * cosine / (sine + sine)) / (angle * angle);
    let (a, b) = (R::from_f64(1.0 / 12.0), R::from_f64(1.0 / 720.0));
    let (c, d) = (R::from_f64(1.0 / 30_240.0), R::from_f64(1.0 / 1_209_600.0));
    R::select(large, exact, a + squared * (b + squared * (c + squared * d)))
}

/// A diagonal block: [[segment, mixed], [mixedᵀ, joint]].
struct Diagonal<R> {
    segment: Matrix<R>,
    mixed: Matrix<R>,
    joint: Matrix<R>,
}

/// What a link takes off the next one's block and right side.
struct Taken<R> {
    segment: Matrix<R>,
    mixed: Matrix<R>,
    joint: Matrix<R>,
    residuals: [Vec3<R>; 2],
}

/// The block between a link and the next: [[segments, 0], [lever, joints]].
struct Coupling<R> {
    segments: Matrix<R>,
    lever: Matrix<R>,
    joints: Matrix<R>,
}

impl<R: Real> Diagonal<R> {
    #[inline(always)]
    fn new(link: &Link<R>, rows: &Rows<R>) -> Self {
        let ends = link.inverse_masses[0] + link.inverse_masses[1];
        let [here, there] = link.inverse_inertias;
        // The axes are perpendicular, and of length 1 where there is a segment.
        let pushed = ends * link.present[0];
        let segment = scaled(&transposed_product(&rows.levers, &rows.levers), here);
        Self {
            segment: plus_diagonal(segment, rows.compliances[0] + Vec3::new(pushed, pushed, pushed)),
            mixed: scaled(&transposed_product(&rows.levers, &rows.bends), -here),
            joint: plus_diagonal(
                scaled(&transposed_product(&rows.bends, &rows.bends), here + there),
                rows.compliances[1],
            ),
        }
    }

    #[inline(always)]
    fn less(self, taken: &Taken<R>) -> Self {
        Self {
            segment: difference(&self.segment, &taken.segment),
            mixed: difference(&self.mixed, &taken.mixed),
            joint: difference(&self.joint, &taken.joint),
        }
    }

    /// X and y of the link.
    #[inline(always)]
    fn solve(self, rows: &Rows<R>, taken: &Taken<R>, between: &Coupling<R>) -> Eliminated<R> {
        let segment = Factor::new(&self.segment);
        let across = segment.solve_all(&self.mixed);
        let joint = Factor::new(&difference(&self.joint, &transposed_product(&self.mixed, &across)));
        let ss = segment.solve_all(&between.segments);
        let js = joint.solve_all(&difference(&between.lever, &transposed_product(&self.mixed, &ss)));
        let jj = joint.solve_all(&between.joints);
        let upper = segment.solve(rows.residuals[0] - taken.residuals[0]);
        let lower = rows.residuals[1] - taken.residuals[1] - transposed_times(&self.mixed, upper);
        let lower = joint.solve(lower);
        Eliminated {
            coupling: [
                [difference(&ss, &product_of(&across, &js)), scaled(&product_of(&across, &jj), R::from_f64(-1.0))],
                [js, jj],
            ],
            solution: [upper - times(&across, lower), lower],
            axes: rows.axes,
            levers: rows.levers,
            bends: rows.bends,
        }
    }
}

impl<R: Real> Coupling<R> {
    #[inline(always)]
    fn new(link: &Link<R>, rows: &Rows<R>, next: &Rows<R>) -> Self {
        let (mass, inertia) = (link.inverse_masses[1], link.inverse_inertias[1]);
        Self {
            segments: scaled(&transposed_product(&rows.axes, &next.axes), -mass),
            lever: scaled(&transposed_product(&rows.bends, &next.levers), inertia),
            joints: scaled(&transposed_product(&rows.bends, &next.bends), -inertia),
        }
    }

    #[inline(always)]
    fn taken(&self, eliminated: &Eliminated<R>) -> Taken<R> {
        let [[ss, sj], [js, jj]] = &eliminated.coupling;
        let [y, z] = eliminated.solution;
        Taken {
            segment: sum(&transposed_product(&self.segments, ss), &transposed_product(&self.lever, js)),
            mixed: sum(&transposed_product(&self.segments, sj), &transposed_product(&self.lever, jj)),
            joint: transposed_product(&self.joints, jj),
            residuals: [
                transposed_times(&self.segments, y) + transposed_times(&self.lever, z),
                transposed_times(&self.joints, z),
            ],
        }
    }
}

impl<R: Real> Taken<R> {
    #[inline(always)]
    fn nothing() -> Self {
        let zero = [Vec3::zero(); 3];
        Self { segment: zero, mixed: zero, joint: zero, residuals: [Vec3::zero(); 2] }
    }
}

/// The factors L D Lᵀ of a symmetric, positive matrix of 3 × 3.
struct Factor<R> {
    /// L₁₀, L₂₀ and L₂₁.
    lower: [R; 3],
    /// 1/D
    inverse: Vec3<R>,
}

impl<R: Real> Factor<R> {
    #[inline(always)]
    fn new(m: &Matrix<R>) -> Self {
        let one = R::from_f64(1.0);
        let x = one / m[0].x;
        let (a, b) = (m[0].y * x, m[0].z * x);
        let y = one / (m[1].y - a * m[0].y);
        let rest = m[1].z - a * m[0].z;
        let c = rest * y;
        let z = one / (m[2].z - b * m[0].z - c * rest);
        Self { lower: [a, b, c], inverse: Vec3 { x, y, z } }
    }

    #[inline(always)]
    fn solve(&self, v: Vec3<R>) -> Vec3<R> {
        let [a, b, c] = self.lower;
        let y = v.y - a * v.x;
        let z = (v.z - b * v.x - c * y) * self.inverse.z;
        let y = y * self.inverse.y - c * z;
        Vec3 { x: v.x * self.inverse.x - a * y - b * z, y, z }
    }

    /// Of each column.
    #[inline(always)]
    fn solve_all(&self, m: &Matrix<R>) -> Matrix<R> {
        [self.solve(m[0]), self.solve(m[1]), self.solve(m[2])]
    }
}

/// A B
#[inline(always)]
fn product_of<R: Real>(a: &Matrix<R>, b: &Matrix<R>) -> Matrix<R> {
    [times(a, b[0]), times(a, b[1]), times(a, b[2])]
}

#[inline(always)]
fn times<R: Real>(m: &Matrix<R>, v: Vec3<R>) -> Vec3<R> {
    m[0] * v.x + m[1] * v.y + m[2] * v.z
}

#[inline(always)]
fn transposed_times<R: Real>(m: &Matrix<R>, v: Vec3<R>) -> Vec3<R> {
    Vec3 { x: m[0].dot(v), y: m[1].dot(v), z: m[2].dot(v) }
}

/// Aᵀ B
#[inline(always)]
fn transposed_product<R: Real>(a: &Matrix<R>, b: &Matrix<R>) -> Matrix<R> {
    [transposed_times(a, b[0]), transposed_times(a, b[1]), transposed_times(a, b[2])]
}

#[inline(always)]
fn scaled<R: Real>(m: &Matrix<R>, s: R) -> Matrix<R> {
    [m[0] * s, m[1] * s, m[2] * s]
}

#[inline(always)]
fn sum<R: Real>(a: &Matrix<R>, b: &Matrix<R>) -> Matrix<R> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn difference<R: Real>(a: &Matrix<R>, b: &Matrix<R>) -> Matrix<R> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn plus_diagonal<R: Real>(m: Matrix<R>, d: Vec3<R>) -> Matrix<R> {
    let (mut x, mut y, mut z) = (m[0], m[1], m[2]);
    (x.x, y.y, z.z) = (x.x + d.x, y.y + d.y, z.z + d.z);
    [x, y, z]
}

#[inline(always)]
fn product<R: Real>(a: Vec3<R>, b: Vec3<R>) -> Vec3<R> {
    Vec3 { x: a.x * b.x, y: a.y * b.y, z: a.z * b.z }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::turn::{Quaternion, by, compose};

    fn orientation(q: [f64; 4], turn: [f64; 3]) -> Orientation<f64> {
        Orientation { reference: Quaternion::from(q).normalised(), turn: turn.into() }
    }

    fn link(seed: f64) -> Link<f64> {
        let wave = |k: f64| (seed * 1.7 + k * 2.3).sin();
        let vector = |k: f64| Vec3::new(wave(k), wave(k + 0.3), wave(k + 0.6));
        let here = orientation([0.1, 0.2 * wave(1.0), -0.1, 1.0], (vector(2.0) * 0.02).into());
        let there = orientation([0.3 * wave(3.0), 0.2, -0.3, 0.9], (vector(4.0) * 0.02).into());
        Link {
            present: [1.0; 2],
            inverse_masses: [1.0 + wave(5.0).abs(), 0.5],
            inverse_inertias: [2.0, 1.5],
            orientations: [here, there],
            way: Vec3::new(0.1, -0.2, 0.9) + vector(6.0) * 0.1,
            length: 1.0,
            rest: vector(7.0) * 0.1,
            compliances: [Vec3::new(0.1, 0.2, 0.05), Vec3::new(0.3, 0.1, 0.2)],
            damping: 0.0,
            moved: Vec3::zero(),
            turned: [Vec3::zero(); 2],
            multipliers: [Vec3::zero(); 2],
        }
    }

    /// Gradients are by how much C changes as ends move and orientations turn: by differences, for small bends, large
    /// ones and those of half a turn.
    #[test]
    fn gradients_are_differences() {
        let large = orientation([0.9, 0.1, 0.0, 0.1], [0.01, 0.0, 0.02]);
        for base in [link(0.0), link(1.0), Link { orientations: [link(0.0).orientations[0], large], ..link(2.0) }] {
            let rows = base.rows();
            for axis in 0..3 {
                let step = Vec3::axis(axis) * 1e-6;
                let change = |moved: fn(&mut Link<f64>, Vec3<f64>)| {
                    let [mut plus, mut minus] = [base; 2];
                    moved(&mut plus, step);
                    moved(&mut minus, -step);
                    let [plus, minus] = [plus.rows().residuals, minus.rows().residuals];
                    [0, 1].map(|row| (minus[row] - plus[row]) * 0.5e6)
                };
                let pulled = change(|l, step| l.way += step);
                let here = change(|l, step| l.orientations[0].turn = compose(by(step), l.orientations[0].turn));
                let there = change(|l, step| l.orientations[1].turn = compose(by(step), l.orientations[1].turn));
                let of = |m: &Matrix<f64>| transposed_times(m, Vec3::axis(axis));
                for (found, gradient) in [
                    (pulled[0], of(&rows.axes)),
                    (here[0], of(&rows.levers)),
                    (here[1], -of(&rows.bends)),
                    (there[1], of(&rows.bends)),
                ] {
                    assert!((found - gradient).length() < 1e-7, "axis {axis}: {found:?}, not {gradient:?}");
                }
            }
        }
    }

    /// A chain, and what is pushed and turned in it.
    struct Chained {
        links: Vec<Link<f64>>,
        kept: Vec<Eliminated<f64>>,
        pressed: Vec<[Vec3<f64>; 2]>,
        pushed: Vec<Vec3<f64>>,
        turned: Vec<Vec3<f64>>,
    }

    impl Chain<f64> for Chained {
        fn links(&self) -> usize {
            self.links.len()
        }
        fn link(&self, index: usize) -> Link<f64> {
            self.links[index]
        }
        fn keep(&mut self, index: usize, eliminated: &Eliminated<f64>) {
            self.kept[index] = *eliminated;
        }
        fn kept(&self, index: usize) -> Eliminated<f64> {
            self.kept[index]
        }
        fn press(&mut self, index: usize, change: [Vec3<f64>; 2]) {
            self.pressed[index] = change;
        }
        fn push(&mut self, node: usize, impulse: Vec3<f64>) {
            self.pushed[node] = impulse;
        }
        fn turn(&mut self, index: usize, impulse: Vec3<f64>) {
            self.turned[index] = impulse;
        }
    }

    /// What elimination finds solves all equations of a chain at once, with a wall at its beginning and none at its
    /// end: what is pushed and turned changes each C by its residual, but for what it yields.
    #[test]
    fn elimination_solves_a_chain() {
        let count = 6;
        let mut links: Vec<Link<f64>> = (0..count).map(|i| link(i as f64)).collect();
        for i in 0..count {
            let next = links[(i + 1).min(count - 1)];
            links[i].orientations[1] = next.orientations[0];
            links[i].inverse_inertias[1] = next.inverse_inertias[0];
            links[i].inverse_masses[1] = next.inverse_masses[0];
        }
        (links[0].present[0], links[0].inverse_inertias[0]) = (0.0, 0.0);
        links[count - 1].present[1] = 0.0;
        let zero = Vec3::zero();
        let mut chain = Chained {
            kept: vec![Eliminated::nothing(); count],
            pressed: vec![[zero; 2]; count],
            pushed: vec![zero; count + 1],
            turned: vec![zero; count],
            links,
        };
        solve(&mut chain);
        for i in 0..count {
            let link = chain.links[i];
            let rows = link.rows();
            let moved = |node: usize| chain.pushed[node] * link.inverse_masses[node - i];
            let turned = |place: usize| chain.turned[place.min(count - 1)] * link.inverse_inertias[place - i];
            let [segment, joint] = chain.pressed[i];
            let first = transposed_times(&rows.axes, moved(i + 1) - moved(i))
                + transposed_times(&rows.levers, turned(i))
                + product(rows.compliances[0], segment);
            let second = transposed_times(&rows.bends, turned(i + 1) - turned(i)) + product(rows.compliances[1], joint);
            for (found, wanted) in [(first, rows.residuals[0]), (second, rows.residuals[1])] {
                assert!((found - wanted).length() < 1e-12, "link {i}: {found:?}, not {wanted:?}");
            }
        }
    }
}
