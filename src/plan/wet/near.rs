//! What is near each particle in double precision: neighbours, walls, and the images of neighbours in them.

use std::ops::Range;

use super::{Cells, Wet};
use crate::base::parallel;
use crate::law::fluid::Kernel;
use crate::law::walls::{Image, Plane, face, images, keep_nearest, planes};
use crate::math::Vec3;
use crate::model::pose::Pose;
use crate::model::{Collider, Model};

/// Of all that take part, by where they were when it was found.
#[derive(Default)]
pub(crate) struct Near {
    found_at: Vec<Vec3<f64>>,
    /// Of each, ascending; images follow what they are of, and each has its own.
    neighbours: Vec<Vec<Neighbour>>,
    walls: Vec<Vec<Plane<f64>>>,
}

/// Something near a particle.
pub(crate) struct Neighbour {
    pub index: usize,
    /// Of an image, the walls that mirror it.
    pub image: Option<Image>,
}

impl Near {
    /// Where nothing is near, not even a wall.
    pub const NOWHERE: Vec3<f64> = Vec3 { x: f64::INFINITY, y: f64::INFINITY, z: f64::INFINITY };

    /// At these places, with the colliders as they stand at the end of a time from `times`, s.
    pub fn new(wet: &Wet, model: &Model, places: Vec<Vec3<f64>>, times: [f64; 2]) -> Self {
        let mut near = Self { walls: walls(wet, model, &places, times), neighbours: Vec::new(), found_at: places };
        near.neighbours = near.find(wet);
        near
    }

    fn find(&self, wet: &Wet) -> Vec<Vec<Neighbour>> {
        let places = &self.found_at;
        let squared = wet.scale.support * wet.scale.support;
        let cells = Cells::new(places, wet.scale.support);
        let of = |i: usize| {
            let (mut indices, mut found) = (Vec::new(), Vec::new());
            cells.near(places[i], |j| {
                let way = places[i] - places[j];
                if j == i || way.dot(way) < squared && wet.meet(wet.bodies[i], wet.bodies[j]) {
                    indices.push(j);
                }
            });
            indices.sort_unstable();
            for j in indices {
                if j != i {
                    found.push(Neighbour { index: j, image: None });
                }
                images([&self.walls[i], &self.walls[j]], |image| {
                    let image = Neighbour { index: j, image: Some(image) };
                    if self.way(places, i, &image).1 < squared {
                        found.push(image);
                    }
                });
            }
            found
        };
        parallel::map(places.len(), parallel::LEAST, |piece: Range<usize>| piece.map(of).collect::<Vec<_>>())
            .into_iter()
            .flatten()
            .collect()
    }

    /// What is near one that takes part.
    pub fn of(&self, i: usize) -> &[Neighbour] {
        &self.neighbours[i]
    }

    /// The same without images.
    pub fn real(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        self.neighbours[i].iter().filter(|neighbour| neighbour.image.is_none()).map(|neighbour| neighbour.index)
    }

    /// The walls of one, and how far it is from each at its place now, m.
    pub fn walls(&self, i: usize, place: Vec3<f64>) -> impl Iterator<Item = (&Plane<f64>, f64)> + '_ {
        let moved = place - self.found_at[i];
        self.walls[i].iter().map(move |wall| (wall, wall.gap_after(moved)))
    }

    /// The way to a particle from its neighbour, m, and the square of their distance: half of its gradient.
    pub fn way(&self, places: &[Vec3<f64>], i: usize, neighbour: &Neighbour) -> (Vec3<f64>, f64) {
        let j = neighbour.index;
        let mut way = places[i] - places[j];
        let mut squared = way.dot(way);
        for &[mine, theirs] in neighbour.image.iter().flat_map(Image::walls) {
            let wall = &self.walls[i][mine as usize];
            let gap = wall.gap_after(places[i] - self.found_at[i]);
            let other = self.walls[j][theirs as usize].gap_after(places[j] - self.found_at[j]);
            way += wall.normal * (2.0 * other);
            squared += 4.0 * gap * other;
        }
        (way, squared)
    }

    /// A vector of a neighbour of a particle, as its walls mirror it.
    pub fn mirrored(&self, i: usize, neighbour: &Neighbour, mut vector: Vec3<f64>) -> Vec3<f64> {
        for &[mine, _] in neighbour.image.iter().flat_map(Image::walls) {
            let normal = self.walls[i][mine as usize].normal;
            vector += normal * (-2.0 * normal.dot(vector));
        }
        vector
    }

    /// Σ s W over all that is near, and itself, less one: C.
    pub fn value(&self, wet: &Wet, kernel: &Kernel<f64>, places: &[Vec3<f64>], i: usize) -> f64 {
        let of_others = self.neighbours[i]
            .iter()
            .map(|neighbour| wet.shares[neighbour.index] * kernel.at(self.way(places, i, neighbour).1).0);
        wet.shares[i] * kernel.at(0.0).0 + of_others.sum::<f64>() - 1.0
    }
}

/// The nearest walls of each.
fn walls(wet: &Wet, model: &Model, places: &[Vec3<f64>], [begin, end]: [f64; 2]) -> Vec<Vec<Plane<f64>>> {
    let poses: Vec<(&Collider, Vec3<f64>, Pose<f64>)> = (model.colliders.iter())
        .map(|collider| (collider, collider.position_at(end).into(), Pose::new(collider, begin, end)))
        .collect();
    let of = |i: usize| {
        let at = places[i];
        let (mut walls, groups) = (Vec::new(), model.bodies[wet.bodies[i] as usize].groups);
        for (index, (collider, place, pose)) in poses.iter().enumerate() {
            if at.x < f64::INFINITY && !collider.trigger && collider.groups.meet(groups) {
                planes(pose, at - *place, (collider.thickness, wet.scale.support), |plane| {
                    walls.push(Plane { face: face(index, plane.face), ..plane });
                });
            }
        }
        keep_nearest(&mut walls, 0);
        walls
    };
    parallel::map(places.len(), parallel::LEAST, |piece: Range<usize>| piece.map(of).collect::<Vec<_>>()).concat()
}
