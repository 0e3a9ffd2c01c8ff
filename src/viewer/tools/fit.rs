//! A scene's state and tuning for another model of it, whose bodies can be cut: the same particles with spare ones
//! behind them, and the same constraints in another order.

use std::collections::HashMap;

use crate::model::{Group, Material, Model};
use crate::step::Snapshot;
use crate::viewer::tuning::Tuning;

/// The constraints of groups, by kind and particles.
struct Index<'a>(HashMap<(&'static str, Vec<u32>), (&'a Group, usize, usize)>);

impl<'a> Index<'a> {
    fn new(model: &'a Model) -> Self {
        let of_group = |(index, group): (usize, &'a Group)| {
            (0..group.len()).map(move |constraint| (key(group, constraint), (group, index, constraint)))
        };
        Self(model.groups.iter().enumerate().flat_map(of_group).collect())
    }

    /// The group, its index, and the constraint in it that connects the same particles as one of another model.
    fn get(&self, group: &Group, constraint: usize) -> Option<(&'a Group, usize, usize)> {
        self.0.get(&key(group, constraint)).copied()
    }
}

fn key(group: &Group, constraint: usize) -> (&'static str, Vec<u32>) {
    let mut particles = group.particles_of(constraint).to_vec();
    particles.sort_unstable();
    (group.kind.name(), particles)
}

/// A state of `old` as one of `new`, which nothing is torn in yet.
pub fn fitted(snapshot: &Snapshot, old: &Model, new: &Model) -> Snapshot {
    let index = Index::new(old);
    let count = new.particles.len();
    let spare = |particle: usize| {
        let [x, y, z] = new.particles.positions[particle].map(|x| x as f32);
        [x, y, z, 0.0]
    };
    let mut particles = snapshot.particles.clone();
    let (placed, rest) = (particles[0].len(), [[0.0; 4]; 2]);
    particles[0].extend((placed..count).map(spare));
    particles[1..].iter_mut().zip(rest).for_each(|(list, zero)| list.resize(count, zero));
    let mut past = snapshot.past.clone();
    past.iter_mut().filter(|list| !list.is_empty()).for_each(|list| list.resize(count, [0.0; 4]));
    let lists = |lists: &[Vec<[f32; 2]>], each: fn(&Group) -> usize, fresh: fn(&Group, usize, usize) -> [f32; 2]| {
        let of_group = |group: &Group| -> Vec<[f32; 2]> {
            let of_constraint = |constraint: usize| {
                let known = index
                    .get(group, constraint)
                    .and_then(|(_, from, at)| lists.get(from)?.get(at * each(group)..(at + 1) * each(group)));
                let fresh = (0..each(group)).map(move |k| fresh(group, constraint, k));
                known.map_or_else(|| fresh.collect(), <[_]>::to_vec)
            };
            (0..group.len()).flat_map(of_constraint).collect()
        };
        new.groups.iter().map(of_group).collect::<Vec<_>>()
    };
    let multipliers = lists(&snapshot.multipliers, |group| group.kind.components(), |_, _, _| [0.0; 2]);
    let mut rests = lists(
        &snapshot.rests,
        |group| group.kind.rest().len(),
        |group, constraint, k| [group.rest_of(constraint)[k] as f32; 2],
    );
    let stays = |group: &Group| !group.rest_changes(&new.materials);
    rests.iter_mut().zip(&new.groups).filter(|(_, group)| stays(group)).for_each(|(list, _)| list.clear());
    Snapshot {
        particles,
        past,
        multipliers,
        rests,
        corners: new.tearing.iter().flat_map(|_| new.triangles().flatten()).collect(),
        loose: Vec::new(),
        broken_facets: Vec::new(),
        ..snapshot.clone()
    }
}

/// What a user has set of `old` as it is set of `new`: what breaks there breaks there.
pub fn carried(tuning: &Tuning, old: &Model, new: &Model) -> Tuning {
    let fresh = Tuning::of(new);
    let mut materials = fresh.materials.clone();
    if tuning.materials != Tuning::of(old).materials {
        let index = Index::new(old);
        for group in &new.groups {
            for constraint in 0..group.len() {
                let Some((before, _, at)) = index.get(group, constraint) else { continue };
                for component in 0..group.materials_each() {
                    let from = tuning.materials.get(before.material_of(at, component) as usize);
                    let to = group.material_of(constraint, component) as usize;
                    if let Some(from) = from {
                        let Material { break_force, curve, .. } = fresh.materials[to];
                        materials[to] = Material { break_force, curve, ..*from };
                    }
                }
            }
        }
    }
    let damping = tuning.damping.iter().zip(&new.bodies);
    Tuning {
        settings: crate::model::Settings { nested: fresh.settings.nested, ..tuning.settings.clone() },
        materials,
        damping: damping.map(|(&rate, body)| if body.damping > 0.0 { rate } else { 0.0 }).collect(),
        ..tuning.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::scene::{Body, Cloth, Constraint, Grid, Scene};
    use crate::solver::cpu::CpuSolver;

    /// A cloth beside a rope that flows, which tears or does not.
    fn model(tears: bool) -> Model {
        let grid = Grid { columns: 4, rows: 4, width: 1.0, height: 1.0 };
        let cloth = Cloth::new(grid).stretch(1e-6).shear(1e-5).bend(1e-3);
        let cloth = if tears { cloth.tears_at(1e9) } else { cloth };
        let mut scene = Scene::new("").with(Body::cloth(cloth).name("cloth").pin("top"));
        scene.settings.nested = Some(false);
        let positions: Vec<[f64; 3]> = (0..4).map(|i| [2.0 + 0.1 * f64::from(i), 0.0, 0.0]).collect();
        let mut rope = Body::particles(positions).name("rope").mass(0.1);
        let ends = [[0, 1], [1, 2], [2, 3]].map(|ends: [u32; 2]| ends.to_vec());
        let link = Constraint::new("distance", ends).compliance(1e-4).rest("rest_length", 0.08);
        rope.constraints.push(Constraint { yield_point: Some(0.01.into()), ..link });
        scene.with(rope).build().unwrap().model
    }

    /// A state fits the model that can be torn: all goes on from where it was, with what had flowed.
    #[test]
    fn states_fit_the_other_model() {
        let [old, new] = [false, true].map(model);
        let mut before = CpuSolver::new(&old, &Plan::new(&old)).unwrap();
        (0..10).for_each(|_| before.step());
        let mut after = CpuSolver::new(&new, &Plan::new(&new)).unwrap();
        after.restore(&fitted(&before.snapshot(), &old, &new)).unwrap();
        let [was, is] = [before.state(), after.state()];
        assert_eq!((is.frame, is.positions == was.positions, &is.torn), (10, true, &None));
        let rest = |model: &Model, state: &crate::model::State, ends: [u32; 2]| {
            let place = |group: &Group| (0..group.len()).find(|&c| group.particles_of(c) == ends);
            let (index, at) = model.groups.iter().enumerate().find_map(|(g, group)| Some((g, place(group)?))).unwrap();
            state.rest_of(model, index, at)[0]
        };
        assert_eq!(rest(&new, &is, [17, 18]), rest(&old, &was, [17, 18]));
        (0..10).for_each(|_| {
            before.step();
            after.step();
        });
        let apart = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max);
        let [was, is] = [before.state(), after.state()];
        let most = was.positions.iter().zip(&is.positions).map(|(a, b)| apart(a, b)).fold(0.0, f64::max);
        // Its constraints come in another order.
        assert!(most < 5e-3, "{most}");
    }

    /// What a user has set of an edge is set of it in the other model, which keeps what its materials break by.
    #[test]
    fn tunings_are_carried_over() {
        let [old, new] = [false, true].map(model);
        let mut tuning = Tuning::of(&old);
        let group = old.groups.iter().position(|group| group.kind.is_named("distance")).unwrap();
        let edge = |model: &Model| {
            let group = &model.groups[group];
            let at = (0..group.len()).find(|&c| key(group, c).1 == [0, 1]).unwrap();
            group.materials[at] as usize
        };
        tuning.materials[edge(&old)].compliance = 0.125;
        tuning.settings.substeps = 33;
        let carried = carried(&tuning, &old, &new);
        let material = carried.materials[edge(&new)];
        assert_eq!((material.compliance, material.break_force), (0.125, Some(1e9)));
        assert_eq!((carried.settings.substeps, carried.damping.len()), (33, 2));
        assert_eq!(carried.materials.len(), new.materials.len());
    }
}
