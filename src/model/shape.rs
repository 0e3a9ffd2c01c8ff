//! The shapes of colliders, in their own frames, and the signed distance to each: what `shaders/colliders/shapes.wgsl`
//! does too.

use std::sync::Arc;

use crate::math::mask::{clamp, either, greatest, least, sign, up, zero};
use crate::math::{Real, Vec3};
use crate::mesh::field::{Field, Number};
use crate::mesh::{DistanceGrid, HeightField, TriangleMesh, distance, heights};

/// Which part of space a collider fills, in its own frame: about its position, with axes that its rotation turns.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// The half-space below y = 0 is solid.
    Plane,
    /// A ball.
    Sphere {
        /// m, above 0.
        radius: f64,
    },
    /// All that is nearer to a segment along y than the radius.
    Capsule {
        /// m, above 0.
        radius: f64,
        /// Of the segment, from the centre of one cap to that of the other, m, at least 0.
        length: f64,
    },
    /// With its faces across the axes.
    Box {
        /// Edges along x, y and z, m, above 0.
        size: [f64; 3],
    },
    /// About y.
    Cylinder {
        /// m, above 0.
        radius: f64,
        /// From one end to the other, m, above 0.
        length: f64,
    },
    /// What a closed mesh encloses, as its distances on a grid show it. Colliders may share one.
    Mesh(Arc<MeshShape>),
    /// Ground below heights over a rectangle. Colliders may share one.
    Heights(Arc<HeightField>),
}

/// A closed mesh and the distances to it.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshShape {
    /// What is drawn: closed, with its triangles wound outwards.
    pub surface: TriangleMesh,
    /// What particles meet.
    pub grid: DistanceGrid,
}

impl Shape {
    /// As scenes call it; a hull is a mesh.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Plane => "plane",
            Shape::Sphere { .. } => "sphere",
            Shape::Capsule { .. } => "capsule",
            Shape::Box { .. } => "box",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Mesh(_) => "mesh",
            Shape::Heights(_) => "heightfield",
        }
    }

    /// What it goes by on a device, m: nothing, distances or heights.
    pub fn samples(&self) -> &[f32] {
        match self {
            Shape::Mesh(mesh) => &mesh.grid.distances,
            Shape::Heights(field) => &field.heights,
            _ => &[],
        }
    }
}

/// As in `shaders/colliders/colliders.wgsl`.
pub(crate) const PLANE: u32 = 0;
pub(crate) const SPHERE: u32 = 1;
pub(crate) const CAPSULE: u32 = 2;
pub(crate) const BOX: u32 = 3;
pub(crate) const CYLINDER: u32 = 4;
pub(crate) const GRID: u32 = 5;
pub(crate) const HEIGHTS: u32 = 6;

/// Longer than any way, and its square is in single precision, m.
const UNBOUNDED: f64 = 1e18;

/// A shape as numbers over f64 or f32, solid inside or outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid<'a, R> {
    /// [`PLANE`] and its like.
    pub shape: u32,
    /// Half the edges of a box; where a grid's first node is; x and z the size of a height field; x the radius and y
    /// half the length of the others, m.
    pub size: Vec3<R>,
    /// Of a grid or a height field.
    pub field: Field<'a, R>,
    /// Whether it is a container: solid outside.
    pub inside: bool,
}

impl<'a> Solid<'a, f64> {
    pub fn new(shape: &'a Shape, inside: bool) -> Self {
        let round = |radius: f64, length: f64| Vec3::new(radius, 0.5 * length, 0.0);
        let samples = shape.samples();
        let mut field = Field::none();
        let (shape, size) = match *shape {
            Shape::Plane => (PLANE, Vec3::zero()),
            Shape::Sphere { radius } => (SPHERE, round(radius, 0.0)),
            Shape::Capsule { radius, length } => (CAPSULE, round(radius, length)),
            Shape::Box { size } => (BOX, Vec3::from(size) * 0.5),
            Shape::Cylinder { radius, length } => (CYLINDER, round(radius, length)),
            Shape::Mesh(ref mesh) => {
                field = Field { samples, nodes: mesh.grid.nodes, cell: mesh.grid.cell };
                (GRID, mesh.grid.low.into())
            }
            Shape::Heights(ref heights) => {
                let ([columns, rows], [x, z]) = (heights.nodes, heights.size);
                let cell = 1.0 / (heights.steepest * heights.steepest + 1.0).sqrt();
                field = Field { samples, nodes: [columns, rows, 1], cell };
                (HEIGHTS, Vec3::new(x, 0.0, z))
            }
        };
        Self { shape, size, field, inside }
    }
}

impl<R: Number> Solid<'_, R> {
    /// Whether it lies, solid or hollow, beyond the plane through any of its surface's points.
    #[inline(always)]
    pub fn is_convex(&self) -> bool {
        self.shape < GRID
    }

    /// With all that is nearer to its surface than a distance taken away: what is left of a container for the centre of
    /// a ball.
    #[inline(always)]
    pub fn shrunk(&self, by: R) -> Self {
        let Vec3 { x, y, z } = self.size;
        let size = match self.shape {
            PLANE => self.size,
            SPHERE | CAPSULE => Vec3 { x: less(x, by), ..self.size },
            _ => Vec3 { x: less(x, by), y: less(y, by), z: less(z, by) },
        };
        Self { size, ..*self }
    }

    /// What share of the distance to it is surely free in every direction.
    #[inline(always)]
    pub fn safe_share(&self) -> R {
        if self.shape == HEIGHTS { self.field.cell } else { R::from_f64(1.0) }
    }

    /// How far a point may surely go in any direction, m, before its distance from the surface is a radius, if it is so
    /// much more than that now: on hills less than that, since they come nearer faster than the plane below does.
    /// (Between the nodes of a grid distances are told to half a cell's diagonal, so there it may be a diagonal too
    /// much. That is left: taken off, it made frames of cloth that lies on a bunny a tenth to a quarter slower, and
    /// what is missed by it is found in the next substep.)
    #[cfg(feature = "cpu")]
    #[inline(always)]
    pub fn sure_gap(&self, gap: R, radius: R) -> R {
        if self.shape == HEIGHTS { (gap + radius) * self.safe_share() - radius } else { gap }
    }

    /// A way shorter than this leads to no other side of it, nor much round it: over 1 % of a ball's radius its normal
    /// turns by 0.6°, m.
    pub fn fine(&self) -> R {
        let Vec3 { x, y, z } = self.size;
        let least = match self.shape {
            _ if self.inside && self.is_convex() => return R::from_f64(UNBOUNDED),
            PLANE => return R::from_f64(UNBOUNDED),
            BOX => least(x, least(y, z)),
            CYLINDER => least(x, y),
            SPHERE | CAPSULE => x,
            _ => zero(),
        };
        R::from_f64(0.01) * least
    }

    /// The outward normal at the surface point nearest to a point, and the distance from it, negative in the solid.
    #[inline(always)]
    pub fn distance(&self, point: Vec3<R>) -> (Vec3<R>, R) {
        let Vec3 { x: radius, y: half, .. } = self.size;
        let (normal, distance) = match self.shape {
            PLANE => (up(), point.y),
            SPHERE => ball(point, radius),
            CAPSULE => ball(Vec3 { y: point.y - clamp(point.y, -half, half), ..point }, radius),
            BOX => cuboid(point, self.size),
            GRID => distance::nearest(&self.field, self.size, point),
            HEIGHTS => heights::nearest(&self.field, self.size, point),
            _ => cylinder(point, radius, half),
        };
        if self.inside { (-normal, -distance) } else { (normal, distance) }
    }
}

/// Nothing where it would be less than that.
#[inline(always)]
fn less<R: Real>(size: R, by: R) -> R {
    greatest(size - by, zero())
}

#[inline(always)]
fn ball<R: Real>(point: Vec3<R>, radius: R) -> (Vec3<R>, R) {
    let (direction, length) = point.direction_and_length();
    (either(length.greater(zero()), direction, up()), length - radius)
}

#[inline(always)]
fn cuboid<R: Real>(point: Vec3<R>, half: Vec3<R>) -> (Vec3<R>, R) {
    let signs = Vec3 { x: sign(point.x), y: sign(point.y), z: sign(point.z) };
    let beyond = Vec3 { x: point.x * signs.x, y: point.y * signs.y, z: point.z * signs.z } - half;
    let (normal, distance) = octant(beyond);
    (Vec3 { x: normal.x * signs.x, y: normal.y * signs.y, z: normal.z * signs.z }, distance)
}

#[inline(always)]
fn cylinder<R: Real>(point: Vec3<R>, radius: R, half: R) -> (Vec3<R>, R) {
    let (direction, from_axis) = Vec3 { y: zero(), ..point }.direction_and_length();
    let right = Vec3 { x: R::from_f64(1.0), y: zero(), z: zero() };
    let radial = either(from_axis.greater(zero()), direction, right);
    let side = sign(point.y);
    // In the half-plane through the axis it is a rectangle.
    let (normal, distance) = octant(Vec3 { x: from_axis - radius, y: point.y * side - half, z: R::from_f64(-1e30) });
    (Vec3 { y: normal.y * side, ..radial * normal.x }, distance)
}

/// To the octant below zero in all coordinates: outside from the nearest face, edge or corner, inside from the nearest
/// face.
#[inline(always)]
fn octant<R: Real>(point: Vec3<R>) -> (Vec3<R>, R) {
    let (zero, one) = (zero::<R>(), R::from_f64(1.0));
    let beyond = Vec3 { x: greatest(point.x, zero), y: greatest(point.y, zero), z: greatest(point.z, zero) };
    let (direction, length) = beyond.direction_and_length();
    let deepest = greatest(point.x, greatest(point.y, point.z));
    // The first of the faces that are so near: a 1 where a number is not below the deepest.
    let x = R::select(deepest.greater(point.x), zero, one);
    let y = R::select(deepest.greater(point.y), zero, one - x);
    let face = Vec3 { x, y, z: one - x - y };
    let outside = length.greater(zero);
    (either(outside, direction, face), R::select(outside, length, deepest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;

    fn shapes() -> [Shape; 5] {
        [
            Shape::Plane,
            Shape::Sphere { radius: 0.4 },
            Shape::Capsule { radius: 0.3, length: 0.8 },
            Shape::Box { size: [0.6, 1.0, 1.4] },
            Shape::Cylinder { radius: 0.5, length: 0.7 },
        ]
    }

    /// Points on a grid that hits no edge of a medial surface.
    fn points() -> impl Iterator<Item = Vec3<f64>> {
        let at = |i: i32| 0.173 * f64::from(i) + 0.011;
        let axis = move || (-6..=6).map(at);
        axis().flat_map(move |x| axis().flat_map(move |y| axis().map(move |z| Vec3::new(x, 1.07 * y, 0.93 * z))))
    }

    /// What a point may surely go leads it no nearer, from anywhere outside to anywhere; of hills the distance alone
    /// would say too much.
    #[test]
    #[cfg(feature = "cpu")]
    fn sure_gaps_are_free() {
        let radius = 0.05;
        let heights = (0..36).map(|i| 0.3 * (f64::from(i) * 2.3).sin() as f32).collect();
        let hills = Shape::Heights(Arc::new(HeightField::new([1.5, 1.2], [6, 6], heights).expect("a field")));
        for shape in shapes().iter().chain([&hills]) {
            let solid = Solid::new(shape, false);
            let places: Vec<_> = points().map(|point| (point, solid.distance(point).1 - radius)).collect();
            let (mut sure, mut told) = (f64::INFINITY, f64::INFINITY);
            for &(from, start) in places.iter().filter(|(_, start)| *start > 0.0) {
                for &(to, end) in &places {
                    // What is in it may be deep in it, or at once on the other side.
                    let way = (to - from).length() + end.max(0.0);
                    sure = sure.min(way - solid.sure_gap(start, radius));
                    told = told.min(way - start);
                }
            }
            assert!(sure > -1e-12, "{}: {sure} m too far", shape.name());
            assert_eq!(told < -1e-3, !solid.is_convex(), "{}: {told}", shape.name());
        }
    }

    /// Everywhere the normal is the distance's gradient, of length 1, and the way back along it ends on the surface,
    /// from outside.
    #[test]
    fn normals_are_gradients() {
        for (shape, inside) in shapes().iter().flat_map(|shape| [(shape, false), (shape, true)]) {
            let solid = Solid::new(shape, inside);
            let dual = |value: Vec3<f64>, axis: usize| {
                let along: Vec3<f64> = Vec3::axis(axis);
                Vec3::new(Dual::new(value.x, along.x), Dual::new(value.y, along.y), Dual::new(value.z, along.z))
            };
            let size =
                Vec3::new(Dual::new(solid.size.x, 0.0), Dual::new(solid.size.y, 0.0), Dual::new(solid.size.z, 0.0));
            for point in points() {
                let (normal, distance) = solid.distance(point);
                assert!((normal.length() - 1.0).abs() < 1e-14);
                let (_, on_surface) = solid.distance(point - normal * distance);
                assert!(on_surface.abs() < 1e-14, "{shape:?} {point:?}: {on_surface}");
                for axis in 0..3 {
                    let (_, dual) =
                        Solid { shape: solid.shape, size, field: Field::none(), inside }.distance(dual(point, axis));
                    let expected = normal.dot(Vec3::axis(axis));
                    assert!((dual.derivative - expected).abs() < 1e-14, "{shape:?} {point:?}");
                }
            }
        }
    }

    /// Distances at places where they are known, and ways out of the very middle.
    #[test]
    fn distances_are_those_known() {
        let far = |shape: &Shape, x: f64, y: f64, z: f64| Solid::new(shape, false).distance(Vec3::new(x, y, z)).1;
        let [plane, sphere, capsule, cuboid, cylinder] = &shapes();
        let known = [
            (far(plane, 3.0, -2.0, 1.0), -2.0),
            (far(sphere, 0.0, 3.0, 4.0), 4.6),
            (far(capsule, 0.0, 1.0, 0.0), 0.3),
            (far(capsule, 0.5, -0.4, 0.0), 0.2),
            (far(cuboid, 0.3 + 2.0, 0.5 + 3.0, 0.7 + 6.0), 7.0),
            (far(cuboid, 0.25, 0.0, 0.0), -0.05),
            (far(cylinder, 0.0, 0.35 + 4.0, 3.5), 5.0),
            (far(cylinder, 0.0, 0.3, 0.0), -0.05),
        ];
        for (found, expected) in known {
            assert!((found - expected).abs() < 1e-14, "{found} is not {expected}");
        }
        for shape in &shapes() {
            let (normal, distance) = Solid::new(shape, false).distance(Vec3::zero());
            assert!(normal.length() == 1.0 && distance <= 0.0, "{shape:?}: {normal:?} {distance}");
        }
    }
}
