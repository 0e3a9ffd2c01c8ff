//! Predicts how much softer a solid is than its material because its substeps are too few, without running it.
//!
//! A sweep there and back leaves an element a remainder of the order of W²/(W + α̃), W = Σ w|∇C|²: it yields as if its
//! compliance were larger by that. How much depends on the order in which its neighbours come.
//!
//! With r the mean of W/α̃ by energy, the excess r²/(3 r + 0.5) was fitted to a beam of 960 elements between two walls,
//! at 0.3 and 0.45 for Poisson's ratio and 6 to 56 substeps (r from 10 to 0.1, an excess from 300 to 1 %): it is within
//! a fifth of double-precision runs, from 4 % up. r falls with the square of the substeps: inside a body it is about (c
//! h/cell)², c = √(E/ρ) the speed of waves along a bar. So this is the number of cells that a wave crosses in a
//! substep, too. One way leaves W/2.

use std::ops::Range;

use crate::base::parallel;
use crate::math::Vec3;
use crate::model::{Group, Method, Mode, Model, Settings, Sweep};

/// Stretches along the axes by which the elements are compared.
const STRETCH: f64 = 1e-3;
/// On the substeps, for what was fitted is not exact: the excess falls with their fourth power.
const MARGIN: f64 = 1.1;

/// How soft a body's elements are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Softness {
    /// The body.
    pub body: u32,
    /// Whether its elements are triangles.
    pub of_triangles: bool,
    /// Whether sweeps go one way.
    one_way: bool,
    /// Of each element and component: how much of the energy of a stretched body it has, and W/α̃ at the substeps
    /// given.
    parts: Vec<[f64; 2]>,
}

impl Softness {
    /// How much more than its material lets it the body yields, as a share, if there were so many times the substeps.
    pub fn excess(&self, times: f64) -> f64 {
        let [energy, weighted] =
            self.parts.iter().fold([0.0; 2], |sum, [energy, ratio]| [sum[0] + energy, sum[1] + energy * ratio]);
        if energy == 0.0 {
            return 0.0;
        }
        let ratio = weighted / energy / (times * times);
        if self.one_way { 0.5 * ratio } else { ratio * ratio / (3.0 * ratio + 0.5) }
    }

    /// The substeps that keep the excess under a share, given those it was predicted for.
    pub fn substeps_for(&self, share: f64, substeps: u32) -> u32 {
        // The excess falls at least with the square of the substeps, so that this ends.
        let (mut low, mut high) = (0.0, 1.0);
        while self.excess(high) > share {
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..20 {
            let middle = 0.5 * (low + high);
            *(if self.excess(middle) > share { &mut low } else { &mut high }) = middle;
        }
        // A cast from a float saturates.
        (MARGIN * high * f64::from(substeps)).ceil() as u32
    }
}

/// The softness of every body that has elements, where a substep has one Gauss-Seidel sweep: of more sweeps less is
/// left, and Jacobi's are not predicted.
pub fn predict(model: &Model) -> Vec<Softness> {
    let settings = &model.settings;
    if settings.mode != Mode::Xpbd || !sweeps_once(settings) {
        return Vec::new();
    }
    let mut bodies = vec![Softness::default(); model.bodies.len()];
    for group in model.groups.iter().filter(|group| group.is_mesh()) {
        let body_of = |constraint: usize| model.particles.bodies[group.particles_of(constraint)[0] as usize];
        let of_piece = |piece: Range<usize>| {
            piece.map(|constraint| (body_of(constraint), parts(model, group, constraint))).collect::<Vec<_>>()
        };
        for (body, parts) in parallel::map(group.len(), parallel::LEAST, of_piece).into_iter().flatten() {
            let softness = &mut bodies[body as usize];
            softness.body = body;
            softness.one_way = settings.sweep == Sweep::OneWay;
            softness.of_triangles = group.kind.is_sheet();
            softness.parts.extend(parts);
        }
    }
    bodies.retain(|softness| !softness.parts.is_empty());
    bodies
}

/// A body with elements of which nothing was `predicted`, and why.
pub fn unpredicted(model: &Model, predicted: &[Softness]) -> Option<(u32, &'static str)> {
    let settings = &model.settings;
    if settings.mode != Mode::Xpbd {
        return None;
    }
    let mut known = vec![false; model.bodies.len()];
    predicted.iter().for_each(|softness| known[softness.body as usize] = true);
    let elements = model.groups.iter().filter(|group| group.is_mesh());
    let mut bodies = elements.flat_map(|group| {
        (0..group.len()).map(|constraint| model.particles.bodies[group.particles_of(constraint)[0] as usize])
    });
    if let Some(body) = overlapping(model) {
        return Some((body, "its regions overlap, and their stiffness depends on the substeps"));
    }
    let body = bodies.find(|&body| !known[body as usize])?;
    Some(match sweeps_once(settings) {
        true => (body, "its elements are rigid, and one sweep cannot solve rigid elements"),
        false => (body, "it has elements, which `check` predicts only with one Gauss-Seidel sweep a substep"),
    })
}

/// Whether a substep has one Gauss-Seidel sweep, without over-relaxation.
fn sweeps_once(settings: &Settings) -> bool {
    settings.method == Method::GaussSeidel && settings.iterations == 1 && settings.relaxation == 1.0
}

/// A body with particles in several shapes.
fn overlapping(model: &Model) -> Option<u32> {
    let mut listed = vec![false; model.particles.len()];
    let shapes = model.groups.iter().filter(|group| group.kind.has_member_rest());
    let again = shapes.flat_map(|group| &group.particles).find(|&&p| std::mem::replace(&mut listed[p as usize], true));
    again.map(|&p| model.particles.bodies[p as usize])
}

/// Of each component of an element, stretched along each axis in turn: its energy, and W/α̃ on the mean over that.
/// Across the axis it is thinned by as much as costs the least energy, as Poisson's ratio has it, since tension and
/// bending leave it free to.
fn parts(model: &Model, group: &Group, constraint: usize) -> Vec<[f64; 2]> {
    let particles = group.particles_of(constraint);
    let placed: Vec<Vec3<f64>> = particles.iter().map(|&p| model.particles.positions[p as usize].into()).collect();
    let h = model.settings.implicit_seconds();
    let mut gradient = vec![Vec3::zero(); particles.len()];
    let mut stretched = |axis: usize, thinning: f64| -> Vec<[f64; 2]> {
        let factor = |k: usize| 1.0 + if k == axis { STRETCH } else { -thinning * STRETCH };
        let x: Vec<Vec3<f64>> =
            placed.iter().map(|x| Vec3::new(x.x * factor(0), x.y * factor(1), x.z * factor(2))).collect();
        let component = |component| {
            let material = &model.materials[group.material_of(constraint, component) as usize];
            let rest = group.all_rest_of(constraint, group.rest_of(constraint));
            let value = group.evaluate_at(constraint, component, rest, &x, &mut gradient);
            let weights = particles.iter().zip(&gradient);
            let weight: f64 = weights.map(|(&p, g)| model.particles.inverse_masses[p as usize] * g.dot(*g)).sum();
            [value * value / material.compliance, weight * h * h / material.compliance]
        };
        (0..group.kind.components()).map(component).collect()
    };
    let mut all = vec![[0.0; 2]; group.kind.components()];
    for axis in 0..3 {
        // A parabola in the thinning, as C is linear in small strains.
        let [none, some, half] =
            [0.0, 0.25, 0.5].map(|thinning| stretched(axis, thinning).iter().map(|[energy, _]| energy).sum::<f64>());
        let bend = none - 2.0 * some + half;
        let least = if bend > 0.0 { 0.25 * (1.5 * none - 2.0 * some + 0.5 * half) / bend } else { 0.0 };
        for (sum, [energy, ratio]) in all.iter_mut().zip(stretched(axis, least.clamp(0.0, 0.5))) {
            *sum = [sum[0] + energy, sum[1] + energy * ratio];
        }
    }
    // Neither what is rigid nor what does not resist.
    all.retain(|[energy, weighted]| *energy > 0.0 && weighted.is_finite());
    all.into_iter().map(|[energy, weighted]| [energy, weighted / energy]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::scene::{Body, Cuboid, Scene, Select, Soft};
    use crate::solver::reference::Reference;

    /// A beam of 4 × 4 × 12 cells of 5 cm between two walls.
    fn beam(young_modulus: f64, poisson_ratio: f64, substeps: u32) -> Model {
        let cuboid = Cuboid { cells: [4, 4, 12], size: [0.2, 0.2, 0.6] };
        let soft = Soft::new(cuboid).young_modulus(young_modulus).poisson_ratio(poisson_ratio);
        let mut body = Body::soft(soft).density(1000.0).damping(200.0);
        for end in [-0.3, 0.3] {
            body = body.pin(Select::Box { min: [-1.0, -1.0, end - 1e-6], max: [1.0, 1.0, end + 1e-6] });
        }
        let mut scene = Scene::new("beam").with(body);
        scene.settings.substeps = substeps;
        scene.build().unwrap_or_else(|error| panic!("{error}")).model
    }

    /// How far it has sagged in the mean after half a second, when it hangs still, m.
    fn sag(model: &Model) -> f64 {
        let mut reference = Reference::new(model, &Plan::new(model));
        (0..30).for_each(|_| reference.step());
        let heights = |positions: &[[f64; 3]]| positions.iter().map(|x| x[1]).sum::<f64>() / positions.len() as f64;
        heights(&model.particles.positions) - heights(&reference.state().positions)
    }

    /// Solids of too few substeps sag by as much too much as predicted, to a quarter of it, and with the substeps
    /// proposed for 2 % by no more than that. At 10 substeps a wave of 71 m/s crosses more than two cells in each.
    #[test]
    fn softness_is_predicted() {
        for (young_modulus, poisson_ratio, few) in [(5e6, 0.3, 10), (5e6, 0.45, 20), (2e5, 0.3, 4)] {
            let predicted = predict(&beam(young_modulus, poisson_ratio, few)).remove(0);
            let wanted = predicted.substeps_for(0.02, few);
            let exact = sag(&beam(young_modulus, poisson_ratio, 6 * wanted));
            let excess = |substeps| sag(&beam(young_modulus, poisson_ratio, substeps)) / exact - 1.0;
            let (found, kept, predicted) = (excess(few), excess(wanted), predicted.excess(1.0));
            let case = format!(
                "{young_modulus} Pa, ν = {poisson_ratio}: {few} substeps, softer by {found:.3}, predicted \
                 {predicted:.3}; {wanted}: {kept:.4}"
            );
            println!("{case}");
            assert!((predicted / found - 1.0).abs() < 0.25, "{case}");
            assert!(kept.abs() < 0.02, "{case}");
        }
    }

    /// Enough substeps are enough: the proposal for them is not more, and more sweeps are not judged.
    #[test]
    fn enough_is_enough() {
        let mut model = beam(1e4, 0.3, 20);
        assert!(predict(&model)[0].excess(1.0) < 1e-3);
        model.settings.iterations = 2;
        assert_eq!(predict(&model), []);
    }
}
