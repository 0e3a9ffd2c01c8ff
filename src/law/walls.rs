//! The walls of fluids: planes through the nearest points of colliders, which mirror what is before them.
//!
//! Behind a wall a fluid goes on as its mirror image. At the distances dᵢ and dⱼ from it the image of j lies from i at
//!   ρ² = |xᵢ - xⱼ|² + 4 dᵢ dⱼ,   ½ ∂ρ²/∂xᵢ = xᵢ - xⱼ + 2 dⱼ nᵢ,
//! and counts as any neighbour does. Both are symmetric in i and j, so that pushes are the gradient of one energy, and
//! walls make none. The lattice half a spacing before a wall is at rest, and pressure is even up to it. (The integral
//! over a half-space of fluid in C presses half as much as a pair does: with its own gradient only what lies before a
//! wall pushes, and not what lies behind it.)

use std::cmp::Ordering;

use crate::math::Vec3;
use crate::math::mask::{greatest, zero};
use crate::mesh::field::Number;
use crate::model::pose::Pose;
use crate::model::shape::{BOX, CYLINDER};

/// A half-space that is solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<R> {
    /// Out of the solid.
    pub normal: Vec3<R>,
    /// From its surface, m.
    pub gap: R,
    /// The way of the surface in the substep, m.
    pub carried: Vec3<R>,
    /// Which face of the collider it is.
    pub face: u32,
}

/// Faces of a collider, at most.
const FACES: u32 = 6;

/// A particle has so many walls at most, the nearest: three in a corner, and what stands there.
pub(crate) const MOST_WALLS: usize = 4;

/// So many walls can be square to each other.
pub(crate) const MOST_MIRRORS: usize = 3;

/// Two walls are square to each other below this cosine, and their images have images.
const SQUARE: f64 = 0.02;

/// Hands over the planes nearer than `reach` by which a collider of some thickness bounds a point, relative to the
/// collider's place: that at its nearest point; of hollow boxes and cylinders each face, since fluid lies in their
/// corners.
pub(crate) fn planes<R: Number + PartialOrd>(
    pose: &Pose<R>,
    point: Vec3<R>,
    (thickness, reach): (R, R),
    mut found: impl FnMut(Plane<R>),
) {
    let mut tell = |face: u32, normal: Vec3<R>, distance: R| {
        let gap = distance - thickness;
        if gap < reach {
            let touched = point - normal * distance;
            found(Plane { normal, gap, carried: pose.carried(touched, touched, normal), face });
        }
    };
    let size = pose.solid.size;
    let [x, y, z] = pose.axes;
    let own = Vec3 { x: x.dot(point), y: y.dot(point), z: z.dot(point) };
    match (pose.solid.shape, pose.solid.inside) {
        (BOX, true) => {
            let axes = [(0, x, own.x, size.x), (2, y, own.y, size.y), (4, z, own.z, size.z)];
            for (face, axis, place, half) in axes {
                tell(face, -axis, half - place);
                tell(face + 1, axis, half + place);
            }
        }
        (CYLINDER, true) => {
            let (outwards, radius) = (x * own.x + z * own.z).direction_and_length();
            tell(0, -y, size.y - own.y);
            tell(1, y, size.y + own.y);
            tell(2, -outwards, size.x - radius);
        }
        _ => {
            let near = pose.near(point, R::from_f64(0.0));
            tell(0, near.normal, near.gap);
        }
    }
}

impl<R: Number + PartialOrd> Plane<R> {
    /// To fill up lists.
    #[cfg(feature = "cpu")]
    pub fn none() -> Self {
        Self { normal: Vec3::zero(), gap: zero(), carried: Vec3::zero(), face: 0 }
    }

    /// How far off a particle is that has moved so far since the wall was found, m; 0 behind it.
    #[inline(always)]
    pub fn gap_after(&self, moved: Vec3<R>) -> R {
        greatest(self.gap + self.normal.dot(moved), zero())
    }
}

/// Leaves the nearest of the walls of one particle, from `first` on.
pub(crate) fn keep_nearest<R: Number + PartialOrd>(walls: &mut Vec<Plane<R>>, first: usize) {
    if walls.len() > first + MOST_WALLS {
        walls[first..].sort_by(|a, b| a.gap.partial_cmp(&b.gap).unwrap_or(Ordering::Equal));
        walls.truncate(first + MOST_WALLS);
    }
}

/// The number of a face of a collider among those of all.
pub(crate) fn face(collider: usize, of_collider: u32) -> u32 {
    FACES * collider as u32 + of_collider
}

/// An image of one particle for another: the walls that mirror it, by their places among those of the second and of the
/// first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Image {
    walls: [[u8; 2]; MOST_MIRRORS],
    count: u8,
}

impl Image {
    pub fn walls(&self) -> &[[u8; 2]] {
        &self.walls[..self.count as usize]
    }
}

/// Hands over the images of a second particle for a first, by the walls of both: in each wall that they share, and in
/// those of two or three of them that are square to each other.
pub(crate) fn images<R: Number + PartialOrd>([mine, theirs]: [&[Plane<R>]; 2], mut found: impl FnMut(Image)) {
    let (mut shared, mut count) = ([[0_u8; 2]; MOST_WALLS], 0);
    for (a, wall) in mine.iter().enumerate() {
        if let Some(b) = theirs.iter().position(|other| other.face == wall.face) {
            shared[count] = [a as u8, b as u8];
            count += 1;
        }
    }
    let is_square = |a: [u8; 2], b: [u8; 2]| {
        let cosine = mine[a[0] as usize].normal.dot(mine[b[0] as usize].normal);
        cosine * cosine < R::from_f64(SQUARE * SQUARE)
    };
    for set in 1..1_u32 << count {
        let mut walls = (0..count).filter(|bit| set >> bit & 1 == 1).map(|bit| shared[bit]);
        let mut image = Image { walls: [[0; 2]; MOST_MIRRORS], count: 0 };
        let fits = walls.all(|wall| {
            let fits = image.walls().len() < MOST_MIRRORS && image.walls().iter().all(|&other| is_square(wall, other));
            if fits {
                image.walls[image.count as usize] = wall;
                image.count += 1;
            }
            fits
        });
        if fits {
            found(image);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::fluid::{Kernel, SUPPORT, Scale};

    /// Walls at the faces of a box that begins at the origin, of so many spacings each way.
    fn walls(place: Vec3<f64>, size: [f64; 3]) -> Vec<Plane<f64>> {
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
        let mut found = Vec::new();
        for (axis, (normal, size)) in (0..).zip([x, y, z].into_iter().zip(size)) {
            for (face, normal, gap) in
                [(2 * axis, normal, normal.dot(place)), (2 * axis + 1, -normal, size - normal.dot(place))]
            {
                if gap < SUPPORT {
                    found.push(Plane { normal, gap, carried: Vec3::zero(), face });
                }
            }
        }
        found
    }

    /// C at a place among others, in spacings.
    fn value(place: Vec3<f64>, others: &[Vec3<f64>], size: [f64; 3]) -> f64 {
        let (scale, mine) = (Scale::new(1.0), walls(place, size));
        let kernel = Kernel::<f64>::new(scale.support);
        let mut sum = 0.0;
        for &other in others {
            let (theirs, way) = (walls(other, size), place - other);
            sum += kernel.at(way.dot(way)).0;
            images([&mine, &theirs], |image| {
                let gaps = image.walls().iter().map(|&[a, b]| mine[a as usize].gap * theirs[b as usize].gap);
                sum += kernel.at(way.dot(way) + 4.0 * gaps.sum::<f64>()).0;
            });
        }
        scale.share * sum - 1.0
    }

    /// A lattice that fills a box up to half a spacing is at rest everywhere: at faces, edges and corners.
    #[test]
    fn a_box_is_filled_at_rest() {
        let count = 6;
        let place =
            |k: i32| Vec3::from([k % count, k / count % count, k / count / count].map(|step| f64::from(step) + 0.5));
        let places: Vec<Vec3<f64>> = (0..count.pow(3)).map(place).collect();
        for &place in &places {
            let error = value(place, &places, [f64::from(count); 3]);
            assert!(error.abs() < 1e-12, "{place:?}: {error}");
        }
    }

    /// Only the nearest walls are kept.
    #[test]
    fn the_nearest_are_kept() {
        let mut found = walls(Vec3::from([0.5, 0.7, 0.9]), [1.0, 1.1, 1.9]);
        keep_nearest(&mut found, 1);
        let faces: Vec<u32> = found.iter().map(|wall| wall.face).collect();
        assert_eq!(faces, [0, 3, 1, 2, 4]);
    }
}
