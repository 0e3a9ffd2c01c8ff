//! Many joints that share bodies, solved at once.
//!
//! With J the gradients of all joints' equations, W the bodies' inverse masses and inertias, one step of Newton's
//! method is (J W Jᵀ + α̃) Δλ = -C - α̃ λ. Its matrix has a block of 6 × 6 for each joint and for each two that share a
//! free body. It is factored into L Lᵀ (Cholesky), in an order in which few other blocks come up: none where the bodies
//! are joined as a tree's, so that a chain of links costs as much as there are links (Baraff, Linear-Time Dynamics
//! using Lagrange Multipliers, 1996; George and Liu, The Evolution of the Minimum Degree Ordering Algorithm, 1989). A
//! load is thus carried through all joints in one substep, whatever their number and the bodies' masses.
//!
//! A load on a lever turns with it. One step of Newton's method does not see that: a light link between heavy ones then
//! swings faster than a substep can follow, and gains energy where λ r/I is above 4/3, with the impulse λ at the lever
//! r and the inertia I. So where it is above 1 the body is given the inertia λ r in that substep (Andrews, Teichmann
//! and Kovecses, Geometric Stiffness for Real-time Constrained Multibody Dynamics, 2017), and an end of a distance of
//! the length l the mass λ/l. Such a link swings slower than it should, and its angular momentum is not kept.
//!
//! On the device `shaders/joints/solve.wgsl`.

use super::joint::{Placed, ROWS, Rows, Terms, coordinate};
use super::rod::Matrix;
use crate::math::polar::polar;
use crate::math::turn::{Quaternion, by};
use crate::math::{Real, Vec3};
use crate::model::JointKind;

/// Where others leave less than this share of an equation's own weight, they say the same, as in a closed ring of
/// hinges: what is left is rounding, and it is left out. So a joint must not bear more than some 10,000 times the mass
/// that hangs between it and what is fixed.
const DEPENDENT: f64 = 3e-5;

/// Of what rigid equations of a closed articulation were off as a substep began, the share that the substep corrects.
const CORRECTED: f64 = 0.1;

/// How soft these corrections are, over an equation's own weight. Where rings say nearly the same twice, as hinges in a
/// row whose axes are nearly parallel, an error that both cannot have would move bodies by 1/θ times as much, with the
/// angle θ between them; so they move by no more than half of it.
const SOFT: f64 = 0.01;

/// How often what would pull at a limit is let go, and the rest solved again.
const RELEASES: usize = 3;

/// A square of 6 × 6, by rows.
type Block<R> = [[R; ROWS]; ROWS];

/// How the joints of an articulation are solved: what depends on which bodies they hold alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    /// The bodies of each joint, in the order of elimination; `None` for what nothing moves.
    pub bodies: Vec<[Option<u32>; 2]>,
    /// Where each is among the joints that were given.
    pub joints: Vec<u32>,
    /// The blocks below the diagonal: row and column, column after column, rows ascending.
    pub blocks: Vec<[u32; 2]>,
    /// Where the blocks of each column begin; one more at the end.
    pub columns: Vec<u32>,
    /// For each two blocks of a column, and each with itself, in the order of `blocks`, which block their product is
    /// taken off: one of the diagonal, or one of `blocks` by its index after those.
    pub targets: Vec<u32>,
    /// Whether some of its joints form rings, by bodies or by what is fixed: only these can say the same twice.
    pub is_closed: bool,
}

impl Structure {
    /// Of joints that hold these bodies, of which some are free to move.
    pub fn new(held: &[[Option<u32>; 2]], is_free: impl Fn(u32) -> bool) -> Self {
        let count = held.len();
        let (order, columns) = eliminated(&neighbours(held, &is_free));
        let mut place = vec![0_u32; count];
        (0..).zip(&order).for_each(|(at, &joint)| place[joint as usize] = at);
        let mut free: Vec<u32> = held.iter().flatten().flatten().copied().filter(|&body| is_free(body)).collect();
        free.sort_unstable();
        free.dedup();
        let is_fixed = |body: &Option<u32>| body.is_none_or(|body| !is_free(body));
        let fixed = usize::from(held.iter().flatten().any(is_fixed));
        let mut structure = Self {
            is_closed: count + 1 > free.len() + fixed,
            bodies: order.iter().map(|&joint| held[joint as usize]).collect(),
            joints: order,
            columns: vec![0],
            ..Self::default()
        };
        let rows_of = |column: &Vec<u32>| {
            let mut rows: Vec<u32> = column.iter().map(|&joint| place[joint as usize]).collect();
            rows.sort_unstable();
            rows
        };
        for (at, column) in (0..).zip(&columns) {
            structure.blocks.extend(rows_of(column).into_iter().map(|row| [row, at]));
            structure.columns.push(structure.blocks.len() as u32);
        }
        for column in 0..count {
            let range = structure.column(column);
            for one in range.clone() {
                for other in range.start..=one {
                    let [row, under] = [one, other].map(|block| structure.blocks[block][0]);
                    let target = if row == under { row } else { count as u32 + structure.block_at(row, under) };
                    structure.targets.push(target);
                }
            }
        }
        structure
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The blocks of a column.
    fn column(&self, column: usize) -> std::ops::Range<usize> {
        self.columns[column] as usize..self.columns[column + 1] as usize
    }

    /// The block of a row and a column, which is there.
    fn block_at(&self, row: u32, column: u32) -> u32 {
        let range = self.column(column as usize);
        (range.start + self.blocks[range].partition_point(|block| block[0] < row)) as u32
    }
}

/// Which joints share a free body with each.
fn neighbours(held: &[[Option<u32>; 2]], is_free: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
    let mut at_body = std::collections::BTreeMap::<u32, Vec<u32>>::new();
    for (joint, bodies) in (0..).zip(held) {
        let free = bodies.iter().flatten().filter(|&&body| is_free(body));
        free.for_each(|&body| at_body.entry(body).or_default().push(joint));
    }
    let mut neighbours = vec![Vec::new(); held.len()];
    for joints in at_body.values() {
        for &joint in joints {
            neighbours[joint as usize].extend(joints.iter().filter(|&&other| other != joint));
        }
    }
    neighbours.iter_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    neighbours
}

/// The order in which the one with the fewest neighbours comes next, and which are its neighbours then: these are
/// neighbours of each other from there on.
fn eliminated(neighbours: &[Vec<u32>]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut left: Vec<std::collections::BTreeSet<u32>> =
        neighbours.iter().map(|list| list.iter().copied().collect()).collect();
    let mut waiting: std::collections::BTreeSet<(usize, u32)> =
        (0..).zip(&left).map(|(joint, list)| (list.len(), joint)).collect();
    let (mut order, mut columns) = (Vec::new(), Vec::new());
    while let Some((_, joint)) = waiting.pop_first() {
        let column: Vec<u32> = std::mem::take(&mut left[joint as usize]).into_iter().collect();
        for &one in &column {
            let list = &mut left[one as usize];
            waiting.remove(&(list.len(), one));
            list.remove(&joint);
            list.extend(column.iter().filter(|&&other| other != one));
            waiting.insert((list.len(), one));
        }
        order.push(joint);
        columns.push(column);
    }
    (order, columns)
}

/// Where a rigid body is: places of it are its origin plus its offset plus its axes times those at rest, from its
/// centre.
#[derive(Clone, Copy, Debug)]
pub struct Pose<R> {
    /// One of its particles, m: between two of these the difference is exact.
    pub origin: Vec3<R>,
    /// From there to its centre, m.
    pub offset: Vec3<R>,
    /// The world's axes turned along with it.
    pub axes: Matrix<R>,
}

impl<R: Real> Pose<R> {
    /// Of a body whose particles are at these places from its origin, m. Of each its place at rest, from the centre,
    /// and its share of the mass.
    pub fn fit(origin: Vec3<R>, members: impl Iterator<Item = (Vec3<R>, Vec3<R>, R)>) -> Self {
        let mut offset = Vec3::zero();
        let mut turned = [Vec3::zero(); 3];
        for (place, rest, share) in members {
            let place = place * share;
            offset += place;
            turned[0] += place * rest.x;
            turned[1] += place * rest.y;
            turned[2] += place * rest.z;
        }
        // The mean of the places at rest is zero, so that the offset takes nothing off.
        Self { origin, offset, axes: polar(turned) }
    }

    /// A vector of the body at rest as it is turned.
    fn turned(&self, v: Vec3<R>) -> Vec3<R> {
        self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z
    }

    fn inside(&self, v: Vec3<R>) -> Vec3<R> {
        Vec3::new(self.axes[0].dot(v), self.axes[1].dot(v), self.axes[2].dot(v))
    }
}

/// What moves a rigid body.
#[derive(Clone, Copy, Debug)]
pub struct Weight<R> {
    /// 1/kg; 0 of one that is fixed.
    pub inverse_mass: R,
    /// 1/(kg m²), in its axes at rest.
    pub inverse_inertia: Matrix<R>,
    /// At least the largest of that about any axis, 1/(kg m²).
    pub most: R,
}

/// How a joint lies in its bodies.
#[derive(Clone, Copy, Debug)]
pub struct Seat<R> {
    /// From the centre of each at rest, m; of the world its place.
    pub arms: [Vec3<R>; 2],
    /// Its axes at rest.
    pub axes: Matrix<R>,
}

/// What moves a body in a step: its centre, m, and its rotation about the world's axes, rad.
pub type Motion<R> = [Vec3<R>; 2];

/// A place from the centre of a body after a motion, less where it was, m.
pub fn moved<R: Real>([shift, rotation]: Motion<R>, lever: Vec3<R>) -> Vec3<R> {
    let q = Quaternion::of_turn(by(rotation));
    let twice = q.vector.cross(lever) * R::from_f64(2.0);
    shift + twice * q.scalar + q.vector.cross(twice)
}

/// Joints that hang together by their bodies, and what is worked out for them.
pub struct Articulation<R> {
    structure: Structure,
    rows: Vec<Rows<R>>,
    /// Of each joint I⁻¹ ∂C/∂φ of both bodies.
    turns: Vec<[[Vec3<R>; ROWS]; 2]>,
    /// The diagonal, then the blocks below.
    blocks: Vec<Block<R>>,
    /// Of each joint the diagonal of its block before elimination.
    diagonals: Vec<[R; ROWS]>,
    solution: Vec<[R; ROWS]>,
    /// Of each joint the lengths of its levers, and of a distance's way, m.
    lengths: Vec<[R; 3]>,
    /// By how much masses and inertias are divided in this substep.
    shares: Vec<[R; 2]>,
    /// Of each joint what its equations are off and stay off in this substep: [`settle`](Self::settle).
    left: Vec<[R; ROWS]>,
}

impl<R: Real<Mask = bool>> Articulation<R> {
    /// For joints that hold bodies so.
    pub fn new(structure: Structure) -> Self {
        let zero = R::from_f64(0.0);
        let count = structure.bodies.len();
        Self {
            rows: Vec::with_capacity(count),
            turns: vec![[[Vec3::zero(); ROWS]; 2]; count],
            blocks: vec![[[zero; ROWS]; ROWS]; count + structure.blocks.len()],
            diagonals: vec![[zero; ROWS]; count],
            solution: vec![[zero; ROWS]; count],
            lengths: Vec::with_capacity(count),
            shares: Vec::new(),
            left: vec![[zero; ROWS]; count],
            structure,
        }
    }

    /// Its memory, bytes.
    pub fn bytes(&self) -> usize {
        let each = size_of::<Rows<R>>() + size_of::<[[Vec3<R>; ROWS]; 2]>() + 2 * size_of::<[R; ROWS]>();
        let Structure { bodies, joints, blocks, columns, targets, .. } = &self.structure;
        let lists = [size_of_val(&**bodies), size_of_val(&**joints), size_of_val(&**blocks)];
        let whole = lists.iter().sum::<usize>() + size_of_val(&**columns) + size_of_val(&**targets);
        whole + bodies.len() * each + size_of_val(&*self.blocks)
    }

    /// One step of Newton's method from where bodies are. `seats`, `terms` and `lambdas` are those of the joints in the
    /// order of elimination; what λ becomes is written there, and how each body moves to `motions`.
    pub fn solve(
        &mut self,
        (poses, weights): (&[Pose<R>], &[Weight<R>]),
        (seats, terms): (&[Seat<R>], &[Terms<R>]),
        lambdas: &mut [[R; ROWS]],
        motions: &mut [Motion<R>],
    ) {
        self.find_rows(poses, weights, seats, terms);
        for (rows, left) in self.rows.iter_mut().zip(&self.left) {
            rows.values.iter_mut().zip(left).for_each(|(value, left)| *value = *value - *left);
        }
        for turn in 0..RELEASES {
            self.weigh(poses, weights);
            self.assemble(weights, lambdas);
            self.factor();
            self.substitute();
            let stiffened = turn == 0 && self.stiffen(weights, terms, lambdas);
            if !self.release(terms, lambdas) && !stiffened {
                break;
            }
        }
        for (lambdas, changes) in lambdas.iter_mut().zip(&self.solution) {
            lambdas.iter_mut().zip(changes).for_each(|(lambda, change)| *lambda = *lambda + *change);
        }
        self.move_bodies(weights, motions);
    }

    /// The turn, way or length of each joint where bodies are; 0 where there is none.
    pub fn coordinates(&self, poses: &[Pose<R>], seats: &[Seat<R>], terms: &[Terms<R>]) -> impl Iterator<Item = R> {
        let joints = seats.iter().zip(terms).zip(&self.structure.bodies);
        joints.map(|((seat, terms), bodies)| Rows::new(terms, &place(seat, *bodies, poses)).coordinate)
    }

    /// Whether joints form rings: then each substep begins with [`settle`](Self::settle).
    pub fn is_closed(&self) -> bool {
        self.structure.is_closed
    }

    /// Corrects a share of what rigid equations are off as a substep begins, softly; the rest they stay off in this
    /// substep. So errors that no motion can mend, of equations that say nearly the same, make no force. `poses` are
    /// those at the beginning; how each body moves is written to `motions`.
    pub fn settle(
        &mut self,
        (poses, weights): (&[Pose<R>], &[Weight<R>]),
        (seats, terms): (&[Seat<R>], &[Terms<R>]),
        motions: &mut [Motion<R>],
    ) {
        self.find_rows(poses, weights, seats, terms);
        for (rows, terms) in self.rows.iter_mut().zip(terms) {
            let is_rigid = !terms.compliance.greater(R::from_f64(0.0));
            let own = terms.kind.has_coordinate().then(|| coordinate(terms.kind));
            (0..ROWS).filter(|&row| !is_rigid || Some(row) == own).for_each(|row| rows.drop(row));
        }
        let none = vec![[R::from_f64(0.0); ROWS]; self.rows.len()];
        self.weigh(poses, weights);
        self.assemble(weights, &none);
        let (share, soft) = (R::from_f64(CORRECTED), R::from_f64(SOFT));
        for joint in 0..self.rows.len() {
            for k in 0..ROWS {
                self.blocks[joint][k][k] = self.blocks[joint][k][k] + soft * self.diagonals[joint][k];
                self.solution[joint][k] = self.solution[joint][k] * share;
            }
        }
        self.factor();
        self.substitute();
        for (joint, rows) in self.rows.iter().enumerate() {
            for k in 0..ROWS {
                let kept = rows.values[k] * (R::from_f64(1.0) - share);
                self.left[joint][k] = kept - soft * self.diagonals[joint][k] * self.solution[joint][k];
            }
        }
        self.move_bodies(weights, motions);
    }

    /// All equations where bodies are.
    fn find_rows(&mut self, poses: &[Pose<R>], weights: &[Weight<R>], seats: &[Seat<R>], terms: &[Terms<R>]) {
        self.rows.clear();
        self.lengths.clear();
        self.shares.clear();
        self.shares.resize(weights.len(), [R::from_f64(1.0); 2]);
        for (joint, (seat, terms)) in seats.iter().zip(terms).enumerate() {
            let placed = place(seat, self.structure.bodies[joint], poses);
            let [a, b] = placed.levers;
            self.lengths.push([a - placed.apart, b, placed.apart].map(Vec3::length));
            self.rows.push(Rows::new(terms, &placed));
        }
    }

    /// How the solution moves bodies.
    fn move_bodies(&self, weights: &[Weight<R>], motions: &mut [Motion<R>]) {
        motions.fill([Vec3::zero(); 2]);
        for (joint, bodies) in self.structure.bodies.iter().enumerate() {
            for (side, body) in bodies.iter().enumerate() {
                let Some(body) = body.map(|body| body as usize) else { continue };
                for k in 0..ROWS {
                    let change = self.solution[joint][k];
                    let mass = weights[body].inverse_mass * self.shares[body][0];
                    let push = self.rows[joint].linear[k] * (signed(side, change) * mass);
                    motions[body][0] += push;
                    motions[body][1] += self.turns[joint][side][k] * change;
                }
            }
        }
    }

    /// I⁻¹ ∂C/∂φ of all equations.
    fn weigh(&mut self, poses: &[Pose<R>], weights: &[Weight<R>]) {
        for (joint, bodies) in self.structure.bodies.iter().enumerate() {
            for (side, body) in bodies.iter().enumerate() {
                let Some(body) = body.map(|body| body as usize) else { continue };
                for k in 0..ROWS {
                    let inside = poses[body].inside(self.rows[joint].angular[side][k]);
                    let [x, y, z] = weights[body].inverse_inertia;
                    let turn = x * inside.x + y * inside.y + z * inside.z;
                    self.turns[joint][side][k] = poses[body].turned(turn) * self.shares[body][1];
                }
            }
        }
    }

    fn assemble(&mut self, weights: &[Weight<R>], lambdas: &[[R; ROWS]]) {
        let count = self.rows.len();
        for (joint, pressing) in lambdas.iter().enumerate() {
            let mut block = self.coupling(weights, joint, joint);
            let rows = &self.rows[joint];
            for k in 0..ROWS {
                block[k][k] = block[k][k] + rows.compliances[k];
                self.diagonals[joint][k] = block[k][k];
                let pressed = if rows.present[k] { rows.compliances[k] * pressing[k] } else { R::from_f64(0.0) };
                self.solution[joint][k] = -rows.values[k] - pressed;
            }
            self.blocks[joint] = block;
        }
        for (index, &[row, column]) in self.structure.blocks.iter().enumerate() {
            self.blocks[count + index] = self.coupling(weights, row as usize, column as usize);
        }
    }

    /// J W Jᵀ of the equations of one joint by those of another.
    fn coupling(&self, weights: &[Weight<R>], row: usize, column: usize) -> Block<R> {
        let mut block = [[R::from_f64(0.0); ROWS]; ROWS];
        for (one, &body) in self.structure.bodies[row].iter().enumerate() {
            for (other, &shared) in self.structure.bodies[column].iter().enumerate() {
                let Some(body) = body.filter(|_| body == shared) else { continue };
                let body = body as usize;
                let mass = signed(one, signed(other, weights[body].inverse_mass * self.shares[body][0]));
                for (i, line) in block.iter_mut().enumerate() {
                    for (j, value) in line.iter_mut().enumerate() {
                        let linear = self.rows[row].linear[i].dot(self.rows[column].linear[j]);
                        let angular = self.turns[row][one][i].dot(self.rows[column].angular[other][j]);
                        *value = *value + linear * mass + angular;
                    }
                }
            }
        }
        block
    }

    /// L of L Lᵀ in place.
    fn factor(&mut self) {
        let count = self.rows.len();
        let mut target = 0;
        for column in 0..count {
            self.blocks[column] = cholesky(&self.blocks[column], &self.diagonals[column]);
            let (pivot, range) = (self.blocks[column], self.structure.column(column));
            for index in range.clone() {
                let block = &mut self.blocks[count + index];
                block.iter_mut().for_each(|line| *line = forward(&pivot, *line));
            }
            for one in range.clone() {
                for other in range.start..=one {
                    let (a, b) = (self.blocks[count + one], self.blocks[count + other]);
                    let taken = &mut self.blocks[self.structure.targets[target] as usize];
                    for (line, a) in taken.iter_mut().zip(&a) {
                        line.iter_mut().zip(&b).for_each(|(value, b)| *value = *value - product(a, b));
                    }
                    target += 1;
                }
            }
        }
    }

    /// Forth and back.
    fn substitute(&mut self) {
        let count = self.rows.len();
        for column in 0..count {
            let solved = forward(&self.blocks[column], self.solution[column]);
            self.solution[column] = solved;
            for index in self.structure.column(column) {
                let row = self.structure.blocks[index][0] as usize;
                for (k, line) in self.blocks[count + index].iter().enumerate() {
                    self.solution[row][k] = self.solution[row][k] - product(line, &solved);
                }
            }
        }
        for column in (0..count).rev() {
            let mut left = self.solution[column];
            for index in self.structure.column(column) {
                let above = self.solution[self.structure.blocks[index][0] as usize];
                for (line, above) in self.blocks[count + index].iter().zip(above) {
                    left.iter_mut().zip(line).for_each(|(left, value)| *left = *left - *value * above);
                }
            }
            self.solution[column] = backward(&self.blocks[column], left);
        }
    }

    /// Makes heavier what is too light for its loads; whether there is any.
    fn stiffen(&mut self, weights: &[Weight<R>], terms: &[Terms<R>], lambdas: &[[R; ROWS]]) -> bool {
        let zero = R::from_f64(0.0);
        // Of each body λ/l of distances and λ r of all.
        let mut loads = vec![[zero; 2]; weights.len()];
        for (joint, bodies) in self.structure.bodies.iter().enumerate() {
            let mut force = Vec3::zero();
            for (row, direction) in self.rows[joint].linear.into_iter().enumerate().take(3) {
                force += direction * (lambdas[joint][row] + self.solution[joint][row]);
            }
            let (force, lengths) = (force.length(), self.lengths[joint]);
            for (side, body) in bodies.iter().enumerate() {
                let Some(load) = body.and_then(|body| loads.get_mut(body as usize)) else { continue };
                load[1] = load[1] + force * lengths[side];
                if terms[joint].kind == JointKind::Distance && lengths[2].greater(zero) {
                    load[0] = load[0] + force / lengths[2];
                }
            }
        }
        let one = R::from_f64(1.0);
        let mut stiffened = false;
        for ((share, load), weight) in self.shares.iter_mut().zip(loads).zip(weights) {
            let excess = [load[0] * weight.inverse_mass, load[1] * weight.most];
            *share = excess.map(|excess| if excess.greater(one) { one / excess } else { one });
            stiffened |= excess.iter().any(|excess| excess.greater(one));
        }
        stiffened
    }

    /// Takes out what would pull at a limit; whether there is any.
    fn release(&mut self, terms: &[Terms<R>], lambdas: &[[R; ROWS]]) -> bool {
        let zero = R::from_f64(0.0);
        let mut released = false;
        for (joint, rows) in self.rows.iter_mut().enumerate() {
            let row = coordinate(terms[joint].kind);
            let pressed = (lambdas[joint][row] + self.solution[joint][row]) * rows.side;
            if zero.greater(pressed) {
                rows.drop(row);
                released = true;
            }
        }
        released
    }
}

/// A joint where its bodies are.
fn place<R: Real>(seat: &Seat<R>, bodies: [Option<u32>; 2], poses: &[Pose<R>]) -> Placed<R> {
    let [a, b] = bodies.map(|body| body.map(|body| &poses[body as usize]));
    let lever = |pose: Option<&Pose<R>>, side: usize| pose.map_or(Vec3::zero(), |pose| pose.turned(seat.arms[side]));
    let origin = |pose: Option<&Pose<R>>, side: usize| pose.map_or(seat.arms[side], |pose| pose.origin);
    let offset = |pose: Option<&Pose<R>>| pose.map_or(Vec3::zero(), |pose| pose.offset);
    let (from, to) = (lever(a, 0), lever(b, 1));
    let apart = (origin(b, 1) - origin(a, 0)) + ((offset(b) + to) - (offset(a) + from));
    let axes = |pose: Option<&Pose<R>>| pose.map_or(seat.axes, |pose| seat.axes.map(|axis| pose.turned(axis)));
    Placed { apart, levers: [from + apart, to], axes: [axes(a), axes(b)] }
}

fn signed<R: Real>(side: usize, value: R) -> R {
    if side == 0 { -value } else { value }
}

fn product<R: Real>(a: &[R; ROWS], b: &[R; ROWS]) -> R {
    (0..ROWS).fold(R::from_f64(0.0), |sum, k| sum + a[k] * b[k])
}

/// L of a positive matrix L Lᵀ, with the inverses of its diagonal on it; 0 for equations of these weights that say what
/// others say.
fn cholesky<R: Real<Mask = bool>>(matrix: &Block<R>, weights: &[R; ROWS]) -> Block<R> {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let mut l = [[zero; ROWS]; ROWS];
    for i in 0..ROWS {
        for j in 0..=i {
            let left = (0..j).fold(matrix[i][j], |left, k| left - l[i][k] * l[j][k]);
            if i != j {
                l[i][j] = left * l[j][j];
            } else {
                let least = weights[i] * R::from_f64(DEPENDENT);
                l[i][i] = if left.greater(least) { one / left.sqrt() } else { zero };
            }
        }
    }
    l
}

/// L⁻¹ b
fn forward<R: Real>(l: &Block<R>, mut b: [R; ROWS]) -> [R; ROWS] {
    for i in 0..ROWS {
        b[i] = (0..i).fold(b[i], |left, k| left - l[i][k] * b[k]) * l[i][i];
    }
    b
}

/// L⁻ᵀ b
fn backward<R: Real>(l: &Block<R>, mut b: [R; ROWS]) -> [R; ROWS] {
    for i in (0..ROWS).rev() {
        b[i] = (i + 1..ROWS).fold(b[i], |left, k| left - l[k][i] * b[k]) * l[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(at: [f64; 3], turn: [f64; 3]) -> Pose<f64> {
        let axes = Quaternion::of_turn(Vec3::from(turn)).axes();
        Pose { origin: Vec3::from(at), offset: Vec3::zero(), axes }
    }

    fn weight(mass: f64) -> Weight<f64> {
        let inertia = |k: usize| Vec3::axis(k) * ((k as f64 + 1.0) / (0.01 * mass));
        Weight { inverse_mass: 1.0 / mass, inverse_inertia: [0, 1, 2].map(inertia), most: 0.0 }
    }

    type Pairs = Vec<[Option<u32>; 2]>;

    /// A star, a ring and a chain that all hang together, with all kinds of joints.
    fn articulation() -> (Pairs, Vec<Terms<f64>>, usize) {
        let held: Pairs = [[None, Some(0)], [Some(0), Some(1)], [Some(1), Some(2)], [Some(2), Some(0)]]
            .into_iter()
            .chain([[Some(0), Some(3)], [Some(3), Some(4)], [Some(4), None], [Some(1), Some(5)]])
            .collect();
        let kinds = [JointKind::Hinge, JointKind::Ball, JointKind::Slider, JointKind::Distance, JointKind::Fixed];
        let of = |i: usize| Terms {
            kind: kinds[i % 5],
            compliance: if i.is_multiple_of(2) { 0.0 } else { 0.3 },
            limits: (i % 5 == 3).then_some([0.1, 0.1]),
            motor: i.is_multiple_of(3).then_some([0.2, 0.5]),
            damping: None,
            is_whole: true,
        };
        let terms = (0..held.len()).map(of).collect();
        (held, terms, 6)
    }

    /// The solution of the blocks is that of the whole matrix: what the joints' equations are after the step, by their
    /// gradients, is -α̃ λ.
    #[test]
    fn all_equations_are_solved_at_once() {
        let (held, given, bodies) = articulation();
        let mut articulation = Articulation::<f64>::new(Structure::new(&held, |_| true));
        let structure = articulation.structure.clone();
        assert!(structure.blocks.len() > 8, "a ring brings up other blocks");
        let poses: Vec<_> = (0..bodies)
            .map(|i| pose([0.3 * i as f64, 0.2 - 0.1 * i as f64, 0.05], [0.02 * i as f64, -0.03, 0.01]))
            .collect();
        let weights: Vec<_> = (0..bodies).map(|i| weight(10.0_f64.powi(i as i32 % 3))).collect();
        let seat = |joint: u32| {
            let world = |side: usize, at: f64| {
                let arm = Vec3::new(at, 0.1, -0.05);
                held[joint as usize][side].map_or(arm + Vec3::new(0.2, 0.0, 0.0), |_| arm)
            };
            Seat { arms: [world(0, 0.15), world(1, -0.15)], axes: [0, 1, 2].map(Vec3::axis) }
        };
        let seats: Vec<_> = structure.joints.iter().map(|&joint| seat(joint)).collect();
        let terms: Vec<_> = structure.joints.iter().map(|&joint| given[joint as usize]).collect();
        let mut lambdas = vec![[0.0; ROWS]; held.len()];
        let mut motions = vec![[Vec3::zero(); 2]; bodies];
        articulation.solve((&poses, &weights), (&seats, &terms), &mut lambdas, &mut motions);
        let mut seen = 0;
        for (joint, rows) in articulation.rows.iter().enumerate() {
            for row in (0..ROWS).filter(|&row| rows.present[row]) {
                let change: f64 = structure.bodies[joint]
                    .iter()
                    .enumerate()
                    .filter_map(|(side, body)| body.map(|body| (side, motions[body as usize])))
                    .map(|(side, [shift, turn])| {
                        signed(side, rows.linear[row].dot(shift)) + rows.angular[side][row].dot(turn)
                    })
                    .sum();
                let wanted = -rows.values[row] - rows.compliances[row] * lambdas[joint][row];
                assert!((change - wanted).abs() < 1e-9 * (1.0 + wanted.abs()), "{joint} {row}: {change} {wanted}");
                seen += 1;
            }
        }
        assert!(seen > 30, "{seen}");
    }

    /// A tree brings up no block that is not there: as many as there are joints that share a body with one before.
    #[test]
    fn trees_cost_what_they_have() {
        let chain: Vec<_> = (0..50_u32).map(|i| [i.checked_sub(1), Some(i)]).collect();
        let structure = Structure::new(&chain, |_| true);
        assert_eq!(structure.blocks.len(), 49);
        assert_eq!(structure.targets.len(), 49);
        let ring: Vec<_> = (0..50_u32).map(|i| [Some(i), Some((i + 1) % 50)]).collect();
        let structure = Structure::new(&ring, |_| true);
        assert!(structure.blocks.len() < 100, "{}", structure.blocks.len());
    }
}
