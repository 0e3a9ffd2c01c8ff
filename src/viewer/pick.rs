//! Which particle is meant by a point of the picture.

use super::orbit::View;

/// How far a particle may be from the pointer, points.
pub const REACH: f64 = 14.0;

/// The particle nearest to a point of the picture, among those within [`REACH`] that nothing of them hides: what lies
/// farther behind the foremost than the reach is wide is taken for hidden. `accept` leaves particles out.
pub fn pick(view: &View, at: [f64; 2], positions: &[[f64; 3]], accept: impl Fn(usize) -> bool) -> Option<usize> {
    let near: Vec<(usize, f64, f64)> = (0..)
        .zip(positions)
        .filter_map(|(particle, &position)| {
            let seen = view.project(position)?;
            let distance = (seen.at[0] - at[0]).hypot(seen.at[1] - at[1]);
            (distance <= REACH && accept(particle)).then_some((particle, distance, seen.depth))
        })
        .collect();
    let foremost = near.iter().map(|&(_, _, depth)| depth).fold(f64::INFINITY, f64::min);
    let behind = foremost * (1.0 + REACH / view.points_at_one_metre());
    let visible = near.into_iter().filter(|&(_, _, depth)| depth <= behind);
    visible.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(particle, ..)| particle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Camera;
    use crate::viewer::orbit::Orbit;

    fn view() -> View {
        let (eye, target, up) = ([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0]);
        let camera = Camera { eye, target, up, vertical_field_of_view_degrees: 40.0 };
        View::new(&Orbit::new(&camera), [800.0, 600.0])
    }

    /// The nearest particle to the pointer is picked, none beyond the reach, and none that is not accepted.
    #[test]
    fn nearest_within_reach() {
        let positions = [[0.0, 0.0, 0.0], [0.05, 0.0, 0.0], [2.0, 0.0, 0.0]];
        let at = view().project([0.045, 0.0, 0.0]).unwrap().at;
        assert_eq!(pick(&view(), at, &positions, |_| true), Some(1));
        assert_eq!(pick(&view(), at, &positions, |particle| particle != 1), Some(0));
        assert_eq!(pick(&view(), [10.0, 10.0], &positions, |_| true), None);
    }

    /// A particle behind others is not picked through them, even where it is nearer to the pointer.
    #[test]
    fn hidden_particles_are_not_picked() {
        let positions = [[0.03, 0.0, 1.0], [0.0, 0.0, -1.0]];
        assert_eq!(pick(&view(), [400.0, 300.0], &positions, |_| true), Some(0));
    }
}
