//! Particles that were placed in others that they may touch: they touch these at that distance (`model/touch.rs`),
//! which nobody expects who meant them to be as thick as they are told.

use std::collections::HashMap;
use std::ops::Range;

use crate::base::parallel;
use crate::model::Model;
use crate::model::touch::Kin;

/// Placed in each other is who is closer by more than this share of the sum of the radii.
const SHARE: f64 = 0.01;

/// The particles that were.
#[derive(Debug, PartialEq)]
pub struct Overlaps {
    /// Ascending.
    pub particles: Vec<u32>,
    /// The bodies of one of the pairs, and how deep these are in each other, m.
    pub example: ([u32; 2], f64),
}

/// A cell of a grid whose cells are twice as wide as the balls of a level, at most; those of each level have half the
/// radius of the next one's, at least.
type Cell = (i32, [i64; 3]);

/// The balls of a cell that are of one body and kin, or of one and have none.
type OfBody = ((Option<u32>, u32), Vec<u32>);

struct Search<'a> {
    model: &'a Model,
    kin: Kin,
    radii: Vec<f64>,
    smallest: f64,
    levels: Vec<i32>,
    /// In each cell the balls by what they are of: those of kin, and of bodies that one's own does not meet, need not
    /// be looked at, however many they are.
    balls: HashMap<Cell, Vec<OfBody>>,
}

/// `None` where there is none.
pub fn find(model: &Model) -> Option<Overlaps> {
    let search = Search::new(model)?;
    let count = model.placed_particles();
    let deep = parallel::map(count, parallel::LEAST, |piece| search.of_piece(piece)).concat();
    let &(pair, depth) = deep.first()?;
    let mut particles: Vec<u32> = deep.iter().flat_map(|(pair, _)| *pair).collect();
    particles.sort_unstable();
    particles.dedup();
    let bodies = pair.map(|particle| model.particles.bodies[particle as usize]);
    Some(Overlaps { particles, example: (bodies, depth) })
}

impl<'a> Search<'a> {
    /// `None` where nobody touches what is not its kin.
    fn new(model: &'a Model) -> Option<Self> {
        let (mut radii, kin) = (model.touching_radii()?, model.kin());
        // What is an end of a segment is touched as that.
        radii.iter_mut().zip(model.segment_ends()).filter(|(_, end)| *end).for_each(|(radius, _)| *radius = 0.0);
        let balls: Vec<u32> = (0..radii.len() as u32).filter(|&ball| radii[ball as usize] > 0.0).collect();
        let first = kin.of(model, *balls.first()? as usize);
        if first.is_some() && balls.iter().all(|&ball| kin.of(model, ball as usize) == first) {
            return None;
        }
        let smallest = balls.iter().map(|&ball| radii[ball as usize]).fold(f64::INFINITY, f64::min);
        let mut search = Self { model, kin, radii, smallest, levels: Vec::new(), balls: HashMap::new() };
        for ball in balls {
            let level = search.level(ball);
            let (cell, whose) = (search.cell(ball, level), search.whose(ball));
            let of_cell = search.balls.entry(cell).or_default();
            match of_cell.iter_mut().find(|(of, _)| *of == whose) {
                Some((_, balls)) => balls.push(ball),
                None => of_cell.push((whose, vec![ball])),
            }
        }
        search.levels = search.balls.keys().map(|(level, _)| *level).collect();
        search.levels.sort_unstable();
        search.levels.dedup();
        Some(search)
    }

    /// Its kin's number and its body.
    fn whose(&self, ball: u32) -> (Option<u32>, u32) {
        (self.kin.of(self.model, ball as usize), self.model.particles.bodies[ball as usize])
    }

    fn level(&self, ball: u32) -> i32 {
        (self.radii[ball as usize] / self.smallest).log2().floor() as i32
    }

    fn cell(&self, ball: u32, level: i32) -> Cell {
        // Two of this level or finer touch within a cell's width.
        let width = 4.0 * self.smallest * f64::from(level).exp2();
        (level, self.model.particles.positions[ball as usize].map(|x| (x / width).floor() as i64))
    }

    /// For each of the piece's particles one that is as large or larger, if it is in one, with how deep it is, m.
    fn of_piece(&self, piece: Range<usize>) -> Vec<([u32; 2], f64)> {
        let balls = piece.filter(|&particle| self.radii[particle] > 0.0).map(|particle| particle as u32);
        balls.filter_map(|ball| self.of_ball(ball)).collect()
    }

    fn of_ball(&self, ball: u32) -> Option<([u32; 2], f64)> {
        let (own, (kin, body)) = (self.level(ball), self.whose(ball));
        let strange = |(other_kin, other): (Option<u32>, u32)| {
            let [mine, theirs] = [body, other].map(|body| &self.model.bodies[body as usize]);
            (kin.is_none() || other_kin != kin) && mine.meets(theirs, body == other)
        };
        let cells = self.levels.iter().filter(|level| **level >= own).flat_map(|&level| {
            let (_, [x, y, z]) = self.cell(ball, level);
            // Its own cell first: in a crowd one is found there soon.
            (13..40).map(|k| k % 27).map(move |k| (level, [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]))
        });
        let groups = cells.filter_map(|cell| self.balls.get(&cell)).flatten();
        let others = groups.filter(|(whose, _)| strange(*whose)).flat_map(|(_, balls)| balls);
        others.filter(|other| **other != ball).find_map(|&other| Some(([ball, other], self.depth([ball, other])?)))
    }

    fn depth(&self, pair: [u32; 2]) -> Option<f64> {
        let [i, j] = pair.map(|particle| particle as usize);
        let particles = &self.model.particles;
        let [a, b] = [particles.positions[i], particles.positions[j]];
        let (sum, apart) = (self.radii[i] + self.radii[j], (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt());
        let free = particles.inverse_masses[i] + particles.inverse_masses[j] > 0.0;
        (free && apart < (1.0 - SHARE) * sum).then_some(sum - apart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Body, Cloth, Grid, Scene};

    fn found(scene: Scene) -> Option<(usize, f64)> {
        let found = find(&scene.build().unwrap_or_else(|error| panic!("{error}")).model)?;
        Some((found.particles.len(), found.example.1))
    }

    /// Loose balls and layers of cloth that were placed in each other are counted; those in touch, those of one cloth,
    /// and those that never meet are not.
    #[test]
    fn overlaps_are_counted() {
        let row = |apart: f64, radius: f64| {
            Body::particles((0..10).map(|k| [apart * f64::from(k), 0.0, 0.0]).collect::<Vec<_>>())
                .radius(radius)
                .mass(1.0)
        };
        let of = |body: Body| found(Scene::new("balls").with(body));
        assert_eq!(of(row(0.2, 0.1).self_collision()), None);
        assert_eq!(of(row(0.15, 0.1)), None);
        let (count, depth) = of(row(0.15, 0.1).self_collision()).expect("overlaps");
        assert!(count == 10 && (depth - 0.05).abs() < 1e-12, "{count} {depth}");
        // In a large ball far from all of their cells.
        let large = Body::particles([[1.0, 5.0, 0.0]]).radius(5.05).mass(1.0);
        let (count, depth) = found(Scene::new("mixed").with(row(0.2, 0.01)).with(large)).expect("overlaps");
        assert!(count > 3 && (0.05..0.0601).contains(&depth), "{count} {depth}");
        let sheet = |y: f64| {
            let grid = Grid { columns: 8, rows: 8, width: 1.0, height: 1.0 };
            Body::cloth(Cloth::new(grid)).thickness(0.1).self_collision().position([0.0, y, 0.0])
        };
        assert_eq!(found(Scene::new("one").with(sheet(0.0))), None);
        assert_eq!(found(Scene::new("apart").with(sheet(0.0)).with(sheet(2.0))), None);
        let layers = Scene::new("layers").with(sheet(0.0)).with(sheet(0.05));
        assert_eq!(found(layers).map(|(count, _)| count), Some(128));
        let strangers = Scene::new("strangers").with(sheet(0.0)).with(sheet(0.05).collides_with([7]));
        assert_eq!(found(strangers), None);
    }
}
