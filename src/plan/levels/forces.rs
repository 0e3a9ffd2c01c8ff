//! What the edges of a net bear of the pull of a coarser one's, so that forces can be read and edges break by all that they bear: the
//! multipliers of the particles' own edges tell only what the levels leave to them.
//!
//! A coarse edge E with a multiplier of 1 stands for a field of multipliers c_e of the edges around its two nodes. Between free nodes it is
//! that of an elastic net in homogeneous strain A that does the same work, whatever the motion:
//!
//!   c_e = w_e k_e L_e n_e·A n_e,   Σ c_e L_e n_e⊗n_e = L_E n_E⊗n_E                (k = 1/α, n directions, w_e = ½ for each end there)
//!
//! At a fixed node forces gather in a few edges. There it is the elastic answer of the edges around to what E does to the particles,
//! R_Ji n_E for each, with the fixed ones held: K u = R n_E,  c_e = k_e n_e·(u_j - u_i).

use super::{Edge, Level, Net, Rows, gather};
use crate::constraint::Vec3;
use crate::model::Material;

/// Compliances are told apart down to this share of the largest: what is softer bears nothing.
const STIFFEST: f64 = 1e-2;
/// The determinant of three by three numbers, over the cube of their trace, from which on they are solved.
const SINGULAR: f64 = 1e-4;
/// Of the load: what may be left unbalanced where forces gather.
const UNBALANCED: f64 = 1e-3;
/// In multiples of that: what is left unbalanced where the net is loose.
const BALANCED: f64 = 50.0;
/// What moves at no more than this stiffness, over the softest edge's, is free.
const FREE: f64 = 1e-6;
/// Conjugate gradients end after so many steps at the latest.
const STEPS: usize = 400;

/// For each edge of the finer net those of the level whose pull it bears, and by what share. `owners`: the nearest node of each finer one.
pub fn spread(finer: &Net, owners: &[u32], level: &Level, materials: &[Material]) -> Rows {
    let mut around = vec![Vec::new(); level.net.len()];
    let mut at = vec![Vec::new(); finer.len()];
    for (index, edge) in (0..).zip(&finer.edges) {
        edge.ends.iter().for_each(|&end| around[owners[end as usize] as usize].push(index));
        edge.ends.iter().for_each(|&end| at[end as usize].push(index));
    }
    let mut lists = vec![Vec::new(); finer.edges.len()];
    for (index, edge) in (0..).zip(&level.net.edges) {
        let fixed = edge.ends.map(|end| level.net.inverse_masses[end as usize] == 0.0);
        let shares = match fixed {
            [true, true] => continue,
            [false, false] => None,
            [true, false] => gathering(finer, &at, level, edge.ends, materials),
            [false, true] => gathering(finer, &at, level, [edge.ends[1], edge.ends[0]], materials),
        };
        let shares = shares.unwrap_or_else(|| homogeneous(finer, &around, level, edge, materials));
        shares
            .into_iter()
            .filter(|(_, share)| *share != 0.0)
            .for_each(|(of, share)| lists[of as usize].push((index, share)));
    }
    let mut rows = Rows::new();
    lists.into_iter().for_each(|list| rows.push(list));
    rows
}

/// Stiffnesses of edges, in whatever unit.
fn stiffnesses(finer: &Net, edges: &[u32], materials: &[Material]) -> Vec<f64> {
    let compliances = edges.iter().map(|&edge| finer.edges[edge as usize].compliance(materials));
    let softest = compliances.clone().fold(0.0, f64::max);
    compliances
        .map(|compliance| if softest > 0.0 { softest / compliance.max(STIFFEST * softest) } else { 1.0 })
        .collect()
}

fn direction(net: &Net, [a, b]: [u32; 2]) -> Vec3<f64> {
    (net.positions[b as usize] - net.positions[a as usize]).direction_and_length().0
}

/// Of a coarse edge between free nodes.
fn homogeneous(
    finer: &Net,
    around: &[Vec<u32>],
    level: &Level,
    edge: &Edge,
    materials: &[Material],
) -> Vec<(u32, f64)> {
    let mut halves: Vec<u32> = edge.ends.iter().flat_map(|&end| &around[end as usize]).copied().collect();
    halves.sort_unstable();
    let edges: Vec<u32> = halves.chunk_by(|a, b| a == b).map(|same| same[0]).collect();
    let weights: Vec<f64> = halves.chunk_by(|a, b| a == b).map(|same| 0.5 * same.len() as f64).collect();
    let stiffnesses = stiffnesses(finer, &edges, materials);
    let along = direction(&level.net, edge.ends);
    let directions: Vec<Vec3<f64>> = edges.iter().map(|&of| direction(finer, finer.edges[of as usize].ends)).collect();
    // Across the edge, in the surface: what lies most across it.
    let across = directions.iter().map(|&way| way - along * way.dot(along));
    let across =
        across.fold(Vec3::zero(), |most: Vec3<f64>, way| if way.length() > most.length() { way } else { most });
    let across = across.direction_and_length().0;
    // n·A n = A·φ with φ = (c², s², √2 cs), and n⊗n is φ too.
    let terms: Vec<[f64; 3]> = directions
        .iter()
        .map(|way| [way.dot(along), way.dot(across)])
        .map(|[c, s]| [c * c, s * s, std::f64::consts::SQRT_2 * c * s])
        .collect();
    let lengths = |index: usize| finer.edges[edges[index] as usize].length;
    let mut matrix = [[0.0; 3]; 3];
    for (index, term) in terms.iter().enumerate() {
        let factor = weights[index] * stiffnesses[index] * lengths(index) * lengths(index);
        for (row, a) in matrix.iter_mut().zip(term) {
            row.iter_mut().zip(term).for_each(|(entry, b)| *entry += factor * a * b);
        }
    }
    // What is a line, or has edges in two directions alone, only shares the pull.
    let trace = matrix[0][0] + matrix[1][1] + matrix[2][2];
    let [x, y, z] = matrix.map(|[x, y, z]| Vec3::new(x, y, z));
    let determinant = x.dot(y.cross(z));
    let strain = match determinant > SINGULAR * trace * trace * trace {
        true => y.cross(z) * (edge.length / determinant),
        false => Vec3::axis(0) * (edge.length / matrix[0][0]),
    };
    let share = |index: usize| {
        let [a, b, c] = terms[index];
        weights[index] * stiffnesses[index] * lengths(index) * strain.dot(Vec3::new(a, b, c))
    };
    edges.iter().enumerate().map(|(index, &of)| (of, share(index))).collect()
}

/// Of a coarse edge from a fixed node to a free one; none where the edges around are too loose a net to bear it.
fn gathering(
    finer: &Net,
    at: &[Vec<u32>],
    level: &Level,
    [fixed, free]: [u32; 2],
    materials: &[Material],
) -> Option<Vec<(u32, f64)>> {
    // The particles around, by where they are in the list.
    let mut inside: Vec<u32> =
        [fixed, free].iter().flat_map(|&node| level.restrict.row(node as usize)).map(|(child, _)| *child).collect();
    inside.sort_unstable();
    inside.dedup();
    let place = |particle: u32| inside.binary_search(&particle).ok();
    let ends_of = |edge: u32| -> Option<[usize; 2]> {
        let [a, b] = finer.edges[edge as usize].ends;
        Some([place(a)?, place(b)?])
    };
    let mut edges: Vec<u32> = inside.iter().flat_map(|&particle| &at[particle as usize]).copied().collect();
    edges.sort_unstable();
    edges.dedup();
    let (edges, ends): (Vec<u32>, Vec<[usize; 2]>) =
        edges.into_iter().filter_map(|edge| Some((edge, ends_of(edge)?))).unzip();
    let stiffnesses = stiffnesses(finer, &edges, materials);
    let directions: Vec<Vec3<f64>> = edges.iter().map(|&of| direction(finer, finer.edges[of as usize].ends)).collect();
    let held: Vec<bool> = inside.iter().map(|&particle| finer.inverse_masses[particle as usize] == 0.0).collect();
    let apply = |u: &[Vec3<f64>]| {
        let mut forces = vec![Vec3::zero(); u.len()];
        for (index, &[a, b]) in ends.iter().enumerate() {
            let force = directions[index] * (stiffnesses[index] * directions[index].dot(u[b] - u[a]));
            forces[a] = forces[a] - force;
            forces[b] += force;
        }
        forces.iter_mut().zip(&held).filter(|(_, held)| **held).for_each(|(force, _)| *force = Vec3::zero());
        forces
    };
    // What a pull of 1 towards the fixed node does to each particle, turned round: a load that the edges bear.
    let towards = direction(&level.net, [free, fixed]);
    let mut load = vec![Vec3::zero(); inside.len()];
    let row = level.restrict.row(free as usize);
    let (_, inverse_mass) = gather(row, &finer.inverse_masses, &finer.positions);
    for &(child, share) in row {
        let own = finer.inverse_masses[child as usize];
        if let Some(at) = place(child).filter(|_| own > 0.0) {
            load[at] = towards * (-share / own * inverse_mass);
        }
    }
    let moved = conjugate_gradients(apply, load)?;
    let share = |index: usize| {
        let [a, b] = ends[index];
        stiffnesses[index] * directions[index].dot(moved[b] - moved[a])
    };
    Some(edges.iter().enumerate().map(|(index, &of)| (of, share(index))).collect())
}

/// Solves K u = f for a K that is symmetric and positive but for motions that f does not make, or tells that it does (Hestenes and Stiefel,
/// 1952).
fn conjugate_gradients(apply: impl Fn(&[Vec3<f64>]) -> Vec<Vec3<f64>>, load: Vec<Vec3<f64>>) -> Option<Vec<Vec3<f64>>> {
    let dot = |a: &[Vec3<f64>], b: &[Vec3<f64>]| a.iter().zip(b).map(|(&a, &b)| a.dot(b)).sum::<f64>();
    let mut solution = vec![Vec3::zero(); load.len()];
    let (mut residual, mut way) = (load.clone(), load);
    let mut square = dot(&residual, &residual);
    let enough = UNBALANCED * UNBALANCED * square;
    for _ in 0..STEPS {
        let image = apply(&way);
        let curvature = dot(&way, &image);
        if square <= enough || curvature <= FREE * dot(&way, &way) {
            break;
        }
        let step = square / curvature;
        for k in 0..way.len() {
            solution[k] += way[k] * step;
            residual[k] = residual[k] - image[k] * step;
        }
        let next = dot(&residual, &residual);
        for k in 0..way.len() {
            way[k] = residual[k] + way[k] * (next / square);
        }
        square = next;
    }
    (square <= BALANCED * BALANCED * enough).then_some(solution)
}
