//! The shapes of colliders, in their own frames, and the signed distance to each: what `shaders/contact/shapes.wgsl` does too.

use crate::constraint::{Real, Vec3};

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
}

/// As in `shaders/contact/colliders.wgsl`.
pub(crate) const PLANE: u32 = 0;
pub(crate) const SPHERE: u32 = 1;
pub(crate) const CAPSULE: u32 = 2;
pub(crate) const BOX: u32 = 3;
pub(crate) const CYLINDER: u32 = 4;

/// A shape as numbers over f64 or f32, solid inside or outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid<R> {
    /// [`PLANE`] and its like.
    pub shape: u32,
    /// Half the edges of a box; x the radius and y half the length of the others, m.
    pub size: Vec3<R>,
    /// Whether it is a container: solid outside.
    pub inside: bool,
}

impl Solid<f64> {
    pub fn new(shape: &Shape, inside: bool) -> Self {
        let round = |radius: f64, length: f64| Vec3::new(radius, 0.5 * length, 0.0);
        let (shape, size) = match *shape {
            Shape::Plane => (PLANE, Vec3::zero()),
            Shape::Sphere { radius } => (SPHERE, round(radius, 0.0)),
            Shape::Capsule { radius, length } => (CAPSULE, round(radius, length)),
            Shape::Box { size } => (BOX, Vec3::from(size) * 0.5),
            Shape::Cylinder { radius, length } => (CYLINDER, round(radius, length)),
        };
        Self { shape, size, inside }
    }
}

impl<R: Real<Mask = bool>> Solid<R> {
    /// With all that is nearer to its surface than a distance taken away: what is left of a container for the centre of a ball.
    pub fn shrunk(&self, by: R) -> Self {
        let less = |size: R| greatest(size - by, zero());
        let size = match self.shape {
            PLANE => self.size,
            SPHERE | CAPSULE => Vec3 { x: less(self.size.x), ..self.size },
            _ => Vec3::new(less(self.size.x), less(self.size.y), less(self.size.z)),
        };
        Self { size, ..*self }
    }

    /// The outward normal at the surface point nearest to a point, and the distance from it, negative in the solid.
    pub fn distance(&self, point: Vec3<R>) -> (Vec3<R>, R) {
        let Vec3 { x: radius, y: half, .. } = self.size;
        let (normal, distance) = match self.shape {
            PLANE => (Vec3::axis(1), point.y),
            SPHERE => ball(point, radius),
            CAPSULE => ball(Vec3 { y: point.y - least(greatest(point.y, -half), half), ..point }, radius),
            BOX => cuboid(point, self.size),
            _ => cylinder(point, radius, half),
        };
        if self.inside { (-normal, -distance) } else { (normal, distance) }
    }
}

fn zero<R: Real>() -> R {
    R::from_f64(0.0)
}

fn greatest<R: Real<Mask = bool>>(a: R, b: R) -> R {
    if a.greater(b) { a } else { b }
}

fn least<R: Real<Mask = bool>>(a: R, b: R) -> R {
    if a.greater(b) { b } else { a }
}

/// The sign, that of zero being 1.
fn sign<R: Real<Mask = bool>>(a: R) -> R {
    R::from_f64(if zero::<R>().greater(a) { -1.0 } else { 1.0 })
}

fn ball<R: Real<Mask = bool>>(point: Vec3<R>, radius: R) -> (Vec3<R>, R) {
    let (direction, length) = point.direction_and_length();
    (if length.greater(zero()) { direction } else { Vec3::axis(1) }, length - radius)
}

fn cuboid<R: Real<Mask = bool>>(point: Vec3<R>, half: Vec3<R>) -> (Vec3<R>, R) {
    let signs = Vec3::new(sign(point.x), sign(point.y), sign(point.z));
    let beyond = Vec3::new(point.x * signs.x, point.y * signs.y, point.z * signs.z) - half;
    let (normal, distance) = octant(beyond);
    (Vec3::new(normal.x * signs.x, normal.y * signs.y, normal.z * signs.z), distance)
}

fn cylinder<R: Real<Mask = bool>>(point: Vec3<R>, radius: R, half: R) -> (Vec3<R>, R) {
    let (direction, from_axis) = Vec3 { y: zero(), ..point }.direction_and_length();
    let radial = if from_axis.greater(zero()) { direction } else { Vec3::axis(0) };
    let side = sign(point.y);
    // In the half-plane through the axis it is a rectangle.
    let (normal, distance) = octant(Vec3::new(from_axis - radius, point.y * side - half, R::from_f64(-1e30)));
    (Vec3 { y: normal.y * side, ..radial * normal.x }, distance)
}

/// To the octant below zero in all coordinates: outside from the nearest face, edge or corner, inside from the nearest face.
fn octant<R: Real<Mask = bool>>(point: Vec3<R>) -> (Vec3<R>, R) {
    let beyond = Vec3::new(greatest(point.x, zero()), greatest(point.y, zero()), greatest(point.z, zero()));
    let (direction, length) = beyond.direction_and_length();
    if length.greater(zero()) {
        return (direction, length);
    }
    let deepest = greatest(point.x, greatest(point.y, point.z));
    let face = if !deepest.greater(point.x) {
        0
    } else if !deepest.greater(point.y) {
        1
    } else {
        2
    };
    (Vec3::axis(face), deepest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Dual;

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

    /// Everywhere the normal is the distance's gradient, of length 1, and the way back along it ends on the surface, from outside.
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
                    let (_, dual) = Solid { shape: solid.shape, size, inside }.distance(dual(point, axis));
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
