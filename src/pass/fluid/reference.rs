//! Fluids in the reference: sums over lists of neighbours, which are found anew in each substep.

use crate::law::fluid::{
    CORE, Chebyshev, Kernel, LEAST_SLOPE, held_root, pressed, rubbing, tension_between, viscosity_between, wall,
};
use crate::math::Vec3;
use crate::model::{Model, State};
use crate::plan::wet::{Near, Neighbour, Wet};
use crate::reference::pass::{Pass, Points, Substep};

/// All fluids of a model. Lists have an entry for each particle that takes part.
pub(crate) struct Fluids {
    wet: Wet,
    kernel: Kernel<f64>,
    lambdas: Vec<f64>,
    /// Σ λ/h² of the frame.
    sums: Vec<f64>,
    near: Near,
    /// Where all were as the last sweep began: viscosity goes by the pairs as they were then.
    swept_at: Vec<Vec3<f64>>,
    /// Of solids Σ |∇C| of what is near.
    pushed: Vec<f64>,
    substeps: u32,
    /// Whether particles of fluids may be absent.
    flows: bool,
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
            near: Near::default(),
            swept_at: Vec::new(),
            pushed: vec![0.0; count],
            substeps: model.settings.substeps,
            flows: model.flows(),
            wet,
        })
    }

    /// The way to a particle from what is near it, its length, W and -W'/r: shares are still to be multiplied.
    fn pair(&self, places: &[Vec3<f64>], i: usize, neighbour: &Neighbour) -> (Vec3<f64>, f64, f64) {
        let (way, squared) = self.near.way(places, i, neighbour);
        (way, squared.sqrt(), self.kernel.at(squared).1)
    }

    /// Σ w|∇C|² of a particle of a fluid.
    fn weight(&self, places: &[Vec3<f64>], weights: &[f64], i: usize) -> f64 {
        let (mut gradient, mut weight) = (Vec3::zero(), 0.0);
        for neighbour in self.near.of(i) {
            let (way, distance, slope) = self.pair(places, i, neighbour);
            let slope = self.wet.shares[neighbour.index] * slope;
            gradient += way * -slope;
            let size = slope * distance;
            weight += weights[neighbour.index] * size * (size + self.pushed[neighbour.index]);
        }
        weight + weights[i] * gradient.dot(gradient)
    }

    /// By how much a solid's particle is pushed at most: Σ |∇C| of all that is near. Its neighbours push it at once,
    /// and with it in their denominators no more than it can take.
    fn find_pushed(&mut self, places: &[Vec3<f64>]) {
        for s in self.wet.fluids..self.wet.len() {
            let sizes = self.near.of(s).iter().map(|neighbour| {
                let (_, distance, slope) = self.pair(places, s, neighbour);
                self.wet.shares[s] * slope * distance
            });
            self.pushed[s] = sizes.sum();
        }
    }

    /// Where all are that take part.
    fn places(&self, points: &Points) -> Vec<Vec3<f64>> {
        let mut places: Vec<Vec3<f64>> = of(&self.wet, &points.positions);
        if self.flows {
            for (place, &particle) in places.iter_mut().zip(&self.wet.particles[..self.wet.fluids]) {
                if points.inverse_masses[particle as usize] == 0.0 {
                    *place = Near::NOWHERE;
                }
            }
        }
        places
    }

    /// One sweep over all at once.
    fn sweep(&mut self, points: &mut Points, h: f64) {
        let wet = &self.wet;
        let places = self.places(points);
        let weights: Vec<f64> = of(wet, &points.inverse_masses);
        let pressed = |i: usize| {
            let value = self.near.value(wet, &self.kernel, &places, i);
            let least = LEAST_SLOPE * weights[i] / (wet.scale.spacing * wet.scale.spacing);
            let heaviness = [self.weight(&places, &weights, i), least];
            pressed(self.lambdas[i], value, heaviness, wet.compliances[i] / (h * h))
        };
        let lambdas: Vec<f64> = (0..wet.fluids).map(pressed).collect();
        let mut changes = vec![0.0; wet.len()];
        for ((change, before), after) in changes.iter_mut().zip(&mut self.lambdas).zip(lambdas) {
            *change = after - *before;
            *before = after;
        }
        for i in 0..wet.len() {
            let mut push = Vec3::zero();
            for neighbour in self.near.of(i) {
                let (j, (way, _, slope)) = (neighbour.index, self.pair(&places, i, neighbour));
                push += way * (slope * (changes[i] * wet.shares[j] + changes[j] * wet.shares[i]));
            }
            points.positions[wet.particles[i] as usize] += push * weights[i];
        }
        self.swept_at = places;
    }

    /// What surface tension moves each by in a substep.
    fn tighten(&self, places: &[Vec3<f64>], points: &mut Points, h: f64) {
        let wet = &self.wet;
        let tension = wet.scale.tension::<f64>();
        let weights: Vec<f64> = of(wet, &points.inverse_masses);
        let roots: Vec<f64> =
            wet.roots.iter().zip(&weights).map(|(&root, &weight)| held_root(root, weight, h * h)).collect();
        let pull = |i: usize| {
            let mut n = Vec3::zero();
            for neighbour in self.near.of(i) {
                let (way, _, slope) = self.pair(places, i, neighbour);
                n += way * (-wet.shares[neighbour.index] * slope);
            }
            tension.pull(roots[i].max(0.0).powi(2), n)
        };
        let pulls: Vec<Vec3<f64>> = (0..wet.len()).map(pull).collect();
        for (i, &particle) in wet.particles.iter().enumerate() {
            let mut force = Vec3::zero();
            for neighbour in self.near.of(i) {
                let j = neighbour.index;
                let (way, distance, slope) = self.pair(places, i, neighbour);
                let theirs = self.near.mirrored(i, neighbour, pulls[j]);
                let sigma = tension_between(roots[i], roots[j]) * wet.cohering(i, j);
                let pull = pulls[i] * wet.shares[j] - theirs * wet.shares[i];
                force += tension.force((way, distance * distance, slope), sigma, pull);
            }
            let wetted = roots[i].max(0.0).powi(2) * wet.cosine(i);
            for (plane, gap) in self.near.walls(i, places[i]) {
                force += plane.normal * tension.wall_force(wetted, gap);
            }
            points.positions[particle as usize] += force * (h * h * weights[i]);
        }
    }

    /// κ of what rubs on each particle: of pairs by their place in the list of neighbours, and of walls.
    fn rubbing(&self, places: &[Vec3<f64>]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let (wet, scale) = (&self.wet, &self.wet.scale);
        let core = CORE * scale.support * scale.support;
        let of_pair = |i: usize, j: usize| {
            let way = places[i] - places[j];
            let squared = way.dot(way);
            let viscosity = viscosity_between(wet.viscosities[i], wet.viscosities[j]);
            let volumes = wet.shares[i] * wet.shares[j] / (scale.share * scale.share);
            scale.pair_viscosity(viscosity) * volumes * rubbing(self.kernel.at(squared).1, squared, core)
        };
        let of_wall = |i: usize, gap: f64| scale.wall_viscosity(wet.viscosities[i]) * wall(gap / scale.support).0;
        let pairs = (0..wet.len()).map(|i| self.near.real(i).map(|j| of_pair(i, j)).collect()).collect();
        let walls = (0..wet.fluids).map(|i| self.near.walls(i, places[i]).map(|(_, gap)| of_wall(i, gap)).collect());
        let walls = walls.collect();
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
                for (j, kappa) in self.near.real(i).zip(&pairs[i]) {
                    let n = direction(i, j);
                    force += n * (kappa * n.dot(velocities[j] - velocities[i]));
                }
                for (kappa, (plane, _)) in walls.get(i).into_iter().flatten().zip(self.near.walls(i, places[i])) {
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
        let places = self.places(substep.points);
        self.near = Near::new(&self.wet, substep.model, places.clone(), substep.times);
        self.find_pushed(&places);
        if self.wet.is_tense() {
            self.tighten(&places, substep.points, substep.h);
        }
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
