//! Fluids in the reference: sums over lists of neighbours, which are found anew in each substep.

use crate::law::fluid::{CORE, Chebyshev, Kernel, pressed, rubbing, viscosity_between, wall};
use crate::law::walls::{Plane, planes, pressed_by};
use crate::math::Vec3;
use crate::model::pose::Pose;
use crate::model::{Collider, Model, State};
use crate::plan::wet::{Cells, Wet};
use crate::reference::pass::{Pass, Points, Substep};

/// All fluids of a model. Lists have an entry for each particle that takes part.
pub(crate) struct Fluids {
    wet: Wet,
    kernel: Kernel<f64>,
    lambdas: Vec<f64>,
    /// Σ λ/h² of the frame.
    sums: Vec<f64>,
    /// Who is near each, ascending.
    near: Vec<Vec<usize>>,
    /// The walls of each particle of a fluid, and where it was when they were found.
    walls: Vec<Vec<Plane<f64>>>,
    found_at: Vec<Vec3<f64>>,
    /// Where all were as the last sweep began: viscosity goes by the pairs as they were then.
    swept_at: Vec<Vec3<f64>>,
    /// Of solids Σ |∇C| of what is near.
    pushed: Vec<f64>,
    substeps: u32,
}

impl Fluids {
    /// `None` where there is no fluid.
    pub fn new(model: &Model) -> Option<Self> {
        let wet = Wet::new(model)?;
        let count = wet.len();
        Some(Self {
            kernel: Kernel::new(wet.scale.support),
            lambdas: vec![0.0; count],
            sums: Vec::new(),
            near: vec![Vec::new(); count],
            walls: vec![Vec::new(); wet.fluids],
            found_at: vec![Vec3::zero(); count],
            swept_at: Vec::new(),
            pushed: vec![0.0; count],
            substeps: model.settings.substeps,
            wet,
        })
    }

    fn find_near(&mut self) {
        let (places, wet) = (&self.found_at, &self.wet);
        let squared = wet.scale.support * wet.scale.support;
        let cells = Cells::new(places, wet.scale.support);
        for (i, list) in self.near.iter_mut().enumerate() {
            list.clear();
            cells.near(places[i], |j| {
                let way = places[i] - places[j];
                if j != i && way.dot(way) < squared && wet.meet(wet.bodies[i], wet.bodies[j]) {
                    list.push(j);
                }
            });
            list.sort_unstable();
        }
    }

    fn find_walls(&mut self, model: &Model, [begin, end]: [f64; 2]) {
        let reach = self.wet.scale.support;
        let poses: Vec<(&Collider, Vec3<f64>, Pose<f64>)> = (model.colliders.iter())
            .filter(|collider| !collider.trigger)
            .map(|collider| (collider, collider.position_at(end).into(), Pose::new(collider, begin, end)))
            .collect();
        for (i, walls) in self.walls.iter_mut().enumerate() {
            walls.clear();
            let groups = model.bodies[self.wet.bodies[i] as usize].groups;
            for (collider, place, pose) in poses.iter().filter(|(collider, ..)| collider.groups.meet(groups)) {
                planes(pose, self.found_at[i] - *place, (collider.thickness, reach), |plane| walls.push(plane));
            }
        }
    }

    /// s ∇W of a pair, over the vector to the first from the second, at these places: both shares are still to be
    /// multiplied.
    fn pair(&self, places: &[Vec3<f64>], i: usize, j: usize) -> (Vec3<f64>, f64, f64) {
        let way = places[i] - places[j];
        let (value, slope) = self.kernel.at(way.dot(way));
        (way, value, slope)
    }

    /// C of a particle of a fluid, Σ w|∇C|², and what walls add to its gradient.
    fn value(&self, places: &[Vec3<f64>], weights: &[f64], i: usize) -> (f64, f64, Vec3<f64>) {
        let shares = &self.wet.shares;
        let inverse = 1.0 / self.wet.scale.support;
        let (of_walls, wall_gradient) = pressed_by(&self.walls[i], places[i] - self.found_at[i], inverse);
        let mut sum = shares[i] * self.kernel.at(0.0).0 + of_walls;
        let (mut gradient, mut weight) = (wall_gradient, 0.0);
        for &j in &self.near[i] {
            let (way, value, slope) = self.pair(places, i, j);
            sum += shares[j] * value;
            gradient += way * -(shares[j] * slope);
            let size = shares[j] * slope * way.length();
            weight += weights[j] * size * (size + self.pushed[j]);
        }
        (sum - 1.0, weight + weights[i] * gradient.dot(gradient), wall_gradient)
    }

    /// By how much a solid's particle is pushed at most: Σ |∇C| of all that is near. Its neighbours push it at once,
    /// and with it in their denominators no more than it can take.
    fn find_pushed(&mut self) {
        for s in self.wet.fluids..self.wet.len() {
            let sizes = self.near[s].iter().map(|&i| {
                let (way, _, slope) = self.pair(&self.found_at, s, i);
                self.wet.shares[s] * slope * way.length()
            });
            self.pushed[s] = sizes.sum();
        }
    }

    /// One sweep over all at once.
    fn sweep(&mut self, points: &mut Points, h: f64) {
        let wet = &self.wet;
        let places: Vec<Vec3<f64>> = of(wet, &points.positions);
        let weights: Vec<f64> = of(wet, &points.inverse_masses);
        let mut changes = vec![0.0; wet.len()];
        let mut of_walls = vec![Vec3::zero(); wet.fluids];
        for i in 0..wet.fluids {
            let (value, weight, gradient) = self.value(&places, &weights, i);
            let lambda = pressed(self.lambdas[i], value, weight, wet.compliances[i] / (h * h));
            changes[i] = lambda - self.lambdas[i];
            of_walls[i] = gradient;
            self.lambdas[i] = lambda;
        }
        for i in 0..wet.len() {
            let mut push = of_walls.get(i).map_or(Vec3::zero(), |gradient| *gradient * -changes[i]);
            for &j in &self.near[i] {
                let (way, _, slope) = self.pair(&places, i, j);
                push += way * (slope * (changes[i] * wet.shares[j] + changes[j] * wet.shares[i]));
            }
            points.positions[wet.particles[i] as usize] += push * weights[i];
        }
        self.swept_at = places;
    }

    /// κ of what rubs on each particle: of pairs by their place in the list of neighbours, and of walls.
    fn rubbing(&self, places: &[Vec3<f64>]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let (wet, scale) = (&self.wet, &self.wet.scale);
        let core = CORE * scale.support * scale.support;
        let of_pair = |i: usize, j: usize| {
            let (way, _, slope) = self.pair(places, i, j);
            let squared = way.dot(way);
            let viscosity = viscosity_between(wet.viscosities[i], wet.viscosities[j]);
            let volumes = wet.shares[i] * wet.shares[j] / (scale.share * scale.share);
            scale.pair_viscosity(viscosity) * volumes * rubbing(slope, squared, core)
        };
        let of_wall = |i: usize, plane: &Plane<f64>| {
            let gap = plane.gap + plane.normal.dot(places[i] - self.found_at[i]);
            scale.wall_viscosity(wet.viscosities[i]) * wall(gap / scale.support).0
        };
        let pairs = (0..wet.len()).map(|i| self.near[i].iter().map(|&j| of_pair(i, j)).collect()).collect();
        let walls = (0..wet.fluids).map(|i| self.walls[i].iter().map(|plane| of_wall(i, plane)).collect()).collect();
        (pairs, walls)
    }

    /// (1 + hM⁻¹L) v = v₀, implicit Euler's equation.
    fn rub(&self, model: &Model, points: &mut Points, h: f64) {
        let wet = &self.wet;
        let (places, weights) = (&self.swept_at, of(wet, &points.inverse_masses));
        let (pairs, walls) = self.rubbing(places);
        let starts: Vec<Vec3<f64>> = of(wet, &points.velocities);
        let direction = |i: usize, j: usize| (places[i] - places[j]).direction_and_length().0;
        let mut largest = 0.0_f64;
        for (i, weight) in weights.iter().enumerate() {
            let of_walls = walls.get(i).map_or(0.0, |walls| walls.iter().sum::<f64>());
            largest = largest.max(h * weight * (2.0 * pairs[i].iter().sum::<f64>() + of_walls));
        }
        let mut velocities = starts.clone();
        let mut changes = vec![Vec3::zero(); wet.len()];
        let mut chebyshev = Chebyshev::new(largest);
        for step in 0..wet.viscous_steps(model, h) {
            let [kept, added] = chebyshev.step(step == 0);
            for i in 0..wet.len() {
                let mut force = Vec3::zero();
                for (&j, kappa) in self.near[i].iter().zip(&pairs[i]) {
                    let n = direction(i, j);
                    force += n * (kappa * n.dot(velocities[j] - velocities[i]));
                }
                for (plane, kappa) in walls.get(i).into_iter().flat_map(|kappas| self.walls[i].iter().zip(kappas)) {
                    let slip = plane.carried * (1.0 / h) - velocities[i];
                    force += (slip - plane.normal * plane.normal.dot(slip)) * *kappa;
                }
                let left = starts[i] - velocities[i] + force * (h * weights[i]);
                changes[i] = changes[i] * kept + left * added;
            }
            velocities.iter_mut().zip(&changes).for_each(|(velocity, change)| *velocity += *change);
        }
        for (i, &particle) in wet.particles.iter().enumerate() {
            points.push(particle as usize, velocities[i] - starts[i], h);
        }
    }
}

/// Of all that take part.
fn of<T: Copy>(wet: &Wet, list: &[T]) -> Vec<T> {
    wet.particles.iter().map(|&particle| list[particle as usize]).collect()
}

impl Pass for Fluids {
    fn detect(&mut self, substep: &mut Substep) {
        if substep.index == 0 {
            self.sums = vec![0.0; self.wet.fluids];
            self.substeps = substep.model.settings.substeps;
        }
        self.lambdas.fill(0.0);
        self.found_at = of(&self.wet, &substep.points.positions);
        self.find_near();
        self.find_walls(substep.model, substep.times);
        self.find_pushed();
    }

    fn solve(&mut self, substep: &mut Substep, _opening: bool) {
        self.sweep(substep.points, substep.h);
    }

    fn correct_velocities(&mut self, substep: &mut Substep) {
        let per_square = substep.h.powi(-2);
        self.sums.iter_mut().zip(&self.lambdas).for_each(|(sum, lambda)| *sum += lambda * per_square);
        if self.wet.is_viscous() {
            self.rub(substep.model, substep.points, substep.h);
        }
    }

    fn tell(&self, state: &mut State) {
        let per_sum = self.wet.scale.pressure_per_lambda() / f64::from(self.substeps);
        state.pressures = self.sums.iter().map(|sum| sum * per_sum).collect();
    }

    fn restore(&mut self, _state: &State) {
        self.sums.clear();
    }
}
