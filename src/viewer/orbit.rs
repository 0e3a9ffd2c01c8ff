//! The camera of a pane: it orbits a point, pans, zooms towards the pointer, and frames the scene.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use crate::render::Camera;

/// Radians for each point that the pointer moves.
const TURN: f64 = 0.007;
/// How close to straight up or down the eye may come, so that "up" in the picture stays what it is.
const POLE: f64 = 0.02;
/// How near and how far the eye may go, as shares of the distance from which the scene was framed.
const NEAREST: f64 = 1e-3;
const FARTHEST: f64 = 1e2;

/// A camera that looks at a point from a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What it turns about, m.
    target: DVec3,
    up: DVec3,
    /// Around `up`, radians.
    azimuth: f64,
    /// Above the horizon, radians.
    elevation: f64,
    /// m
    distance: f64,
    framed_distance: f64,
    field_of_view_degrees: f64,
}

/// From where a scene is seen, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewpoint {
    Front,
    Side,
    Top,
    ThreeQuarter,
}

impl Viewpoint {
    /// Around the axis that is up and above the horizon, radians.
    fn angles(self) -> (f64, f64) {
        match self {
            Self::Front => (0.0, 0.0),
            Self::Side => (FRAC_PI_2, 0.0),
            Self::Top => (0.0, FRAC_PI_2 - POLE),
            // As scenes are framed that have no camera.
            Self::ThreeQuarter => (0.5_f64.atan(), 0.312),
        }
    }
}

impl Orbit {
    /// Begins where a camera stands.
    pub fn new(camera: &Camera) -> Self {
        let up = DVec3::from(camera.up).try_normalize().unwrap_or(DVec3::Y);
        let from_target = DVec3::from(camera.eye) - DVec3::from(camera.target);
        let distance = from_target.length();
        let back = from_target.try_normalize().unwrap_or(DVec3::Z);
        let (right, front) = horizon(up);
        let distance = if distance.is_finite() && distance > 0.0 { distance } else { 1.0 };
        Self {
            target: DVec3::from(camera.target),
            up,
            azimuth: back.dot(right).atan2(back.dot(front)),
            elevation: back.dot(up).clamp(-1.0, 1.0).asin().clamp(POLE - FRAC_PI_2, FRAC_PI_2 - POLE),
            distance,
            framed_distance: distance,
            field_of_view_degrees: camera.vertical_field_of_view_degrees,
        }
    }

    /// Sees the whole of a box from a side, in a picture of the given size.
    pub fn see(&mut self, side: Viewpoint, (min, max): ([f64; 3], [f64; 3]), size: [f64; 2]) {
        (self.azimuth, self.elevation) = side.angles();
        self.target = (DVec3::from(min) + DVec3::from(max)) / 2.0;
        // As near as the middle of the box, from where it goes back.
        self.distance = (1e-3 * (DVec3::from(max) - DVec3::from(min)).length()).max(f64::MIN_POSITIVE);
        self.step_back_by((min, max), size, |view| [view.tangent * size[0] / size[1].max(1.0), view.tangent]);
    }

    /// Goes back as far as it takes to see a box whole from side to side in a picture of the given size: what suits a
    /// wide picture may be cut off in a narrow one.
    pub fn step_back(&mut self, bounds: ([f64; 3], [f64; 3]), size: [f64; 2]) {
        self.step_back_by(bounds, size, |view| [view.tangent * size[0] / size[1].max(1.0), f64::INFINITY]);
    }

    /// Goes back until a box fits into half a picture that is so wide and so high at a distance of 1.
    fn step_back_by(&mut self, (min, max): ([f64; 3], [f64; 3]), size: [f64; 2], half: impl Fn(&View) -> [f64; 2]) {
        const MARGIN: f64 = 1.06;
        let view = View::new(self, size);
        let [across, high] = half(&view).map(|half| half / MARGIN);
        let corner = |index: usize| {
            DVec3::from_array(std::array::from_fn(|i| if index >> i & 1 == 0 { min[i] } else { max[i] }))
        };
        let needed = (0..8).map(|index| {
            let from_target = corner(index) - self.target;
            let sides = (from_target.dot(view.right).abs() / across).max(from_target.dot(view.up).abs() / high);
            sides - from_target.dot(view.forward)
        });
        self.distance = needed.filter(|distance| distance.is_finite()).fold(self.distance, f64::max);
        self.framed_distance = self.distance;
    }

    pub fn camera(&self) -> Camera {
        Camera {
            eye: (self.target + self.back() * self.distance).into(),
            target: self.target.into(),
            up: self.up.into(),
            vertical_field_of_view_degrees: self.field_of_view_degrees,
        }
    }

    /// Turns the scene with a pointer that moved by so many points, to the right and down.
    pub fn turn(&mut self, [right, down]: [f64; 2]) {
        self.azimuth -= TURN * right;
        self.elevation = (self.elevation + TURN * down).clamp(POLE - FRAC_PI_2, FRAC_PI_2 - POLE);
    }

    /// Moves the scene with a pointer that moved by so many points in a picture of the given size.
    pub fn pan(&mut self, [right, down]: [f64; 2], size: [f64; 2]) {
        let view = View::new(self, size);
        let metres = self.distance / view.points_at_one_metre();
        self.target += (view.up * down - view.right * right) * metres;
    }

    /// Multiplies the distance by `factor`, so that what lies under the pointer at the target's depth stays there.
    pub fn zoom(&mut self, factor: f64, pointer: [f64; 2], size: [f64; 2]) {
        let distance = self.framed_distance;
        let next = (self.distance * factor).clamp(NEAREST * distance, FARTHEST * distance);
        let view = View::new(self, size);
        let held = view.point_at(pointer, self.distance);
        self.target += (held - self.target) * (1.0 - next / self.distance);
        self.distance = next;
    }

    /// Unit vector from the target to the eye.
    fn back(&self) -> DVec3 {
        let (right, front) = horizon(self.up);
        let around = right * self.azimuth.sin() + front * self.azimuth.cos();
        around * self.elevation.cos() + self.up * self.elevation.sin()
    }
}

/// Two horizontal axes that are at right angles to each other.
fn horizon(up: DVec3) -> (DVec3, DVec3) {
    let axis = if up.x.abs() < 0.9 { DVec3::X } else { DVec3::NEG_Y };
    let front = axis.cross(up).normalize();
    (up.cross(front), front)
}

/// A camera and the size of its picture: between places in the world and points of the picture.
#[derive(Clone, Copy, Debug)]
pub struct View {
    eye: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    /// Half the picture's height at a distance of 1.
    tangent: f64,
    /// Points.
    size: [f64; 2],
}

/// Where something is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Points from the picture's upper left corner.
    pub at: [f64; 2],
    /// Distance from the eye along the view, m.
    pub depth: f64,
}

impl View {
    pub fn new(orbit: &Orbit, size: [f64; 2]) -> Self {
        let back = orbit.back();
        let right = orbit.up.cross(back).normalize();
        Self {
            eye: orbit.target + back * orbit.distance,
            right,
            up: back.cross(right),
            forward: -back,
            tangent: (orbit.field_of_view_degrees.clamp(1.0, 170.0).to_radians() / 2.0).tan(),
            size: size.map(|side| side.max(1.0)),
        }
    }

    /// How many points something of 1 m takes at a distance of 1 m.
    pub fn points_at_one_metre(&self) -> f64 {
        self.size[1] / (2.0 * self.tangent)
    }

    /// Where a place in the world is seen; `None` if it is not in front of the eye.
    pub fn project(&self, position: [f64; 3]) -> Option<Seen> {
        let from_eye = DVec3::from(position) - self.eye;
        let depth = from_eye.dot(self.forward);
        let scale = self.points_at_one_metre() / depth;
        let at =
            [self.size[0] / 2.0 + from_eye.dot(self.right) * scale, self.size[1] / 2.0 - from_eye.dot(self.up) * scale];
        (depth > 0.0 && at.iter().all(|value| value.is_finite())).then_some(Seen { at, depth })
    }

    /// Where the eye is, m, and the unit vector from it through a point of the picture.
    pub fn ray(&self, at: [f64; 2]) -> (DVec3, DVec3) {
        (self.eye, (self.point_at(at, 1.0) - self.eye).normalize())
    }

    /// The place that is seen at a point of the picture at a depth, m.
    pub fn point_at(&self, at: [f64; 2], depth: f64) -> DVec3 {
        let metres = depth / self.points_at_one_metre();
        let right = (at[0] - self.size[0] / 2.0) * metres;
        let up = (self.size[1] / 2.0 - at[1]) * metres;
        self.eye + self.forward * depth + self.right * right + self.up * up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f64; 2] = [800.0, 600.0];
    /// Rounding of a few operations on numbers of order 1000.
    const ROUNDING: f64 = 1e-9;

    fn orbit() -> Orbit {
        Orbit::new(&Camera {
            eye: [1.5, 1.2, 2.0],
            target: [0.1, 0.4, 0.0],
            up: [0.0, 1.0, 0.0],
            vertical_field_of_view_degrees: 40.0,
        })
    }

    fn near(a: DVec3, b: DVec3) -> bool {
        a.distance(b) < ROUNDING
    }

    /// An orbit begins exactly where the camera stands that it was made from, whatever way is up.
    #[test]
    fn begins_where_the_camera_stands() {
        for up in [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]] {
            let camera = Camera { up, ..orbit().camera() };
            let again = Orbit::new(&camera).camera();
            assert!(near(again.eye.into(), camera.eye.into()), "{again:?}");
        }
    }

    /// Turning keeps the distance and never passes the poles.
    #[test]
    fn turns_about_the_target() {
        let mut orbit = orbit();
        let distance = orbit.distance;
        for _ in 0..100 {
            orbit.turn([13.0, 57.0]);
        }
        let camera = orbit.camera();
        let from_target = DVec3::from(camera.eye) - DVec3::from(camera.target);
        assert!((from_target.length() - distance).abs() < ROUNDING);
        assert!(from_target.normalize().y < 1.0 && orbit.elevation < FRAC_PI_2);
    }

    /// A point of the picture at a depth, seen again, is where it was.
    #[test]
    fn projects_what_it_points_at() {
        let view = View::new(&orbit(), SIZE);
        let seen = view.project(view.point_at([123.0, 456.0], 3.0).into()).unwrap();
        assert!((seen.at[0] - 123.0).abs() < ROUNDING && (seen.at[1] - 456.0).abs() < ROUNDING);
        assert!((seen.depth - 3.0).abs() < ROUNDING);
        assert_eq!(view.project((view.eye - view.forward).into()), None);
        let (eye, direction) = view.ray([123.0, 456.0]);
        let along = view.project((eye + direction * 5.0).into()).unwrap().at;
        assert!((along[0] - 123.0).abs() < ROUNDING && (along[1] - 456.0).abs() < ROUNDING);
    }

    /// What lay under the pointer lies under it after zooming and after panning.
    #[test]
    fn holds_what_is_under_the_pointer() {
        let pointer = [650.0, 100.0];
        let mut zoomed = orbit();
        let held = View::new(&zoomed, SIZE).point_at(pointer, zoomed.distance);
        zoomed.zoom(0.5, pointer, SIZE);
        let seen = View::new(&zoomed, SIZE).project(held.into()).unwrap();
        assert!((seen.at[0] - pointer[0]).abs() < 1e-6 && (seen.at[1] - pointer[1]).abs() < 1e-6, "{seen:?}");

        let mut panned = orbit();
        panned.pan([-40.0, 25.0], SIZE);
        let seen =
            View::new(&panned, SIZE).project(View::new(&orbit(), SIZE).point_at(pointer, orbit().distance).into());
        let at = seen.unwrap().at;
        assert!((at[0] - 610.0).abs() < 1e-6 && (at[1] - 125.0).abs() < 1e-6, "{at:?}");
    }

    /// In a narrow picture the camera stands far enough back to see a box from side to side, in a wide one it stays.
    #[test]
    fn steps_back_in_narrow_pictures() {
        let bounds = ([-0.5, 0.0, -0.5], [0.5, 0.8, 0.5]);
        let mut wide = orbit();
        wide.step_back(bounds, [1600.0, 600.0]);
        assert_eq!(wide.camera(), orbit().camera());
        let (mut narrow, size) = (orbit(), [300.0, 600.0]);
        narrow.step_back(bounds, size);
        let view = View::new(&narrow, size);
        for x in [-0.5, 0.5] {
            for z in [-0.5, 0.5] {
                let seen = view.project([x, 0.8, z]).unwrap();
                assert!((0.0..=300.0).contains(&seen.at[0]), "{seen:?}");
            }
        }
    }

    /// From every side the whole box is in the picture and fills most of it, in one of its directions.
    #[test]
    fn sides_show_everything() {
        let bounds = ([1.0, 0.0, -0.5], [3.0, 0.8, 0.5]);
        for (side, axis) in [
            (Viewpoint::Front, Some(2)),
            (Viewpoint::Side, Some(0)),
            (Viewpoint::Top, Some(1)),
            (Viewpoint::ThreeQuarter, None),
        ] {
            for size in [[1600.0, 600.0], [300.0, 600.0]] {
                let mut orbit = orbit();
                orbit.see(side, bounds, size);
                let view = View::new(&orbit, size);
                let corner =
                    |index: usize| std::array::from_fn(|i| if index >> i & 1 == 0 { bounds.0[i] } else { bounds.1[i] });
                let seen: Vec<_> =
                    (0..8).map(|index| view.project(corner(index)).expect("in front of the eye").at).collect();
                let share = |k: usize| {
                    let [low, high] =
                        [f64::min, f64::max].map(|pick| seen.iter().map(|at| at[k]).reduce(pick).unwrap());
                    assert!(low >= 0.0 && high <= size[k], "{side:?}, {size:?}: {seen:?}");
                    (high - low) / size[k]
                };
                let filled = share(0).max(share(1));
                assert!(filled > 0.7, "{side:?}, {size:?}: {filled}");
                // Straight along an axis, but for the pole.
                let back = orbit.back();
                assert!(axis.is_none_or(|axis| back[axis] > 0.999), "{side:?}: {back}");
            }
        }
    }

    /// The distance stays within bounds however often the wheel turns.
    #[test]
    fn zoom_is_bounded() {
        let mut orbit = orbit();
        (0..10_000).for_each(|_| orbit.zoom(0.9, [400.0, 300.0], SIZE));
        assert!(orbit.distance > 0.0 && orbit.distance < 0.01);
        (0..10_000).for_each(|_| orbit.zoom(1.1, [400.0, 300.0], SIZE));
        assert!(orbit.distance.is_finite() && orbit.distance < 1000.0);
    }
}
