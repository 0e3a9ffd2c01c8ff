//! What the pictures of the gallery show: the bodies, large enough, and all the time.

use pliant::model::{Model, State};
use pliant::render::Camera;
use pliant::scene::Scene;

const WIDTH: usize = 160;
const HEIGHT: usize = 90;

/// A picture's pixels, and which of them a body covers.
struct Mask {
    right: [f64; 3],
    up: [f64; 3],
    back: [f64; 3],
    eye: [f64; 3],
    /// Pixels of a metre at a distance of 1 m.
    scale: f64,
    covered: Vec<bool>,
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    a.map(|x| x / dot(a, a).sqrt())
}

impl Mask {
    fn new(camera: &Camera) -> Self {
        let back = unit(std::array::from_fn(|i| camera.eye[i] - camera.target[i]));
        let right = unit(cross(camera.up, back));
        let half_angle = camera.vertical_field_of_view_degrees.to_radians() / 2.0;
        let scale = HEIGHT as f64 / 2.0 / half_angle.tan();
        let covered = vec![false; WIDTH * HEIGHT];
        Self { right, up: cross(back, right), back, eye: camera.eye, scale, covered }
    }

    /// Place in pixels, and pixels of a metre there; `None` behind the eye.
    fn place(&self, point: [f64; 3]) -> Option<([f64; 2], f64)> {
        let from_eye: [f64; 3] = std::array::from_fn(|i| point[i] - self.eye[i]);
        let scale = self.scale / -dot(from_eye, self.back);
        let x = WIDTH as f64 / 2.0 + scale * dot(from_eye, self.right);
        let y = HEIGHT as f64 / 2.0 - scale * dot(from_eye, self.up);
        (scale > 0.0).then_some(([x, y], scale))
    }

    fn shows(&self, point: [f64; 3]) -> bool {
        let inside =
            |([x, y], _): ([f64; 2], f64)| (0.0..WIDTH as f64).contains(&x) && (0.0..HEIGHT as f64).contains(&y);
        self.place(point).is_some_and(inside)
    }

    /// Covers what lies within so many pixels of the triangle of three places, which may be one or two.
    fn cover(&mut self, corners: [[f64; 2]; 3], margin: f64) {
        let range = |axis: usize, size: usize| {
            let least = corners.iter().map(|corner| corner[axis]).fold(f64::INFINITY, f64::min) - margin;
            let most = corners.iter().map(|corner| corner[axis]).fold(f64::NEG_INFINITY, f64::max) + margin;
            least.clamp(0.0, size as f64) as usize..(most.clamp(-1.0, size as f64 - 1.0) + 1.0) as usize
        };
        for (y, x) in range(1, HEIGHT).flat_map(|y| range(0, WIDTH).map(move |x| (y, x))) {
            let at = [x as f64 + 0.5, y as f64 + 0.5];
            let side = |i: usize| {
                let [a, b] = [corners[i], corners[(i + 1) % 3]];
                let along = [b[0] - a[0], b[1] - a[1]];
                let length = along[0].hypot(along[1]).max(1e-9);
                (along[0] * (at[1] - a[1]) - along[1] * (at[0] - a[0])) / length
            };
            let sides = [0, 1, 2].map(side);
            let inside = sides.iter().all(|&side| side >= -margin) || sides.iter().all(|&side| side <= margin);
            self.covered[y * WIDTH + x] |= inside;
        }
    }

    /// Share of the picture in the rectangle around all that is covered: a chain covers little, and may still be large.
    fn share(&self) -> f64 {
        let covered =
            self.covered.iter().enumerate().filter(|(_, covered)| **covered).map(|(i, _)| [i % WIDTH, i / WIDTH]);
        let places: Vec<[usize; 2]> = covered.collect();
        let length = |axis: usize| {
            let along = places.iter().map(|place| place[axis]);
            along.clone().max().zip(along.min()).map_or(0, |(most, least)| most - least + 1)
        };
        (length(0) * length(1)) as f64 / self.covered.len() as f64
    }
}

/// The share of the picture in the rectangle around the bodies, and that of free particles that are in the picture.
fn seen(model: &Model, state: &State, camera: &Camera) -> (f64, f64) {
    let mut mask = Mask::new(camera);
    let now = model.torn(state);
    for body in &now.bodies {
        for triangle in &body.triangles {
            let corners = triangle.map(|p| mask.place(state.positions[p as usize]).map(|(at, _)| at));
            if let [Some(a), Some(b), Some(c)] = corners {
                mask.cover([a, b, c], 0.0);
            }
        }
        let strand = body.strand.unwrap_or(1);
        for p in body.particles.clone().filter(|_| body.triangles.is_empty()) {
            let next = if (p - body.particles.start + 1) % strand == 0 { p } else { p + 1 };
            let places = [p, next].map(|p| mask.place(state.positions[p as usize]));
            if let [Some((a, scale)), Some((b, _))] = places {
                mask.cover([a, b, b], (scale * body.radius).max(0.5));
            }
        }
    }
    let free = state.positions.iter().zip(&model.particles.inverse_masses).filter(|(_, w)| **w > 0.0);
    let free: Vec<bool> = free.map(|(&position, _)| mask.shows(position)).collect();
    let inside = free.iter().filter(|&&inside| inside).count() as f64 / free.len().max(1) as f64;
    (mask.share(), inside)
}

/// Of these scenes bodies are outside of the picture by design, this share of their free particles at most: a tablecloth is pulled out of it,
/// a meadow goes on beyond it, a ball rolls off, a tank is long; and until the frame that is named some have not come in.
const BEYOND: [(&str, u64, f64); 9] = [
    ("jelly_in_a_bowl", 10, 0.0),
    ("tablecloth", 0, 0.2),
    ("meadow", 0, 0.12),
    ("keeping_apart", 0, 0.2),
    ("shapes", 30, 0.0),
    // As it grows, hair stands off.
    ("curls", 10, 0.0),
    ("conveyor", 60, 0.2),
    // The tank's far end.
    ("boat", 0, 0.06),
    ("funnel", 60, 0.0),
];

/// The camera of a scene of the gallery.
pub fn camera_of(scene: &Scene, model: &Model) -> Camera {
    Camera::of_scene(scene.camera, model, WIDTH as f64 / HEIGHT as f64)
}

/// What is wrong with the picture of a scene of the gallery at a frame: the rectangle around its bodies is a twentieth of it at least, and they
/// are in it.
pub fn fault(name: &str, model: &Model, camera: &Camera, state: &State) -> Option<String> {
    let beyond = BEYOND.iter().find(|(beyond, ..)| *beyond == name);
    let (arrival, most) = beyond.map_or((0, 0.0), |&(_, arrival, most)| (arrival, most));
    let (covered, inside) = seen(model, state, camera);
    // A corner may be out for a moment.
    let is_wrong = covered < 0.05 || (state.frame >= arrival && 1.0 - inside > most + 0.01);
    is_wrong.then(|| format!("{name}, frame {}: {covered:.3} covered, {inside:.3} inside", state.frame))
}
