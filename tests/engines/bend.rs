//! Kinds of shape: hinges and creases that come back, strips that sag by their compliance, triangles that keep their area.

use std::f64::consts::PI;

use pliant::constraint::{Angle, Area, Dihedral, IsometricBend, Kind, Vec3, kind};
use pliant::model::{Material, Model};

use crate::device::run;
use crate::models::{self, compliant};
use crate::proof;

/// Two triangles of unequal shape with the edge from (0, 0, 0) to (1, 0, 0), folded by an angle: a, b, c, d.
fn hinge(angle: f64) -> [[f64; 3]; 4] {
    [[0.0; 3], [1.0, 0.0, 0.0], [0.4, 0.8, 0.0], [0.7, -0.6 * angle.cos(), 0.6 * angle.sin()]]
}

fn vectors(x: &[[f64; 3]]) -> Vec<Vec3<f64>> {
    x.iter().map(|&x| x.into()).collect()
}

/// The angle that is measured on a fold is the fold, from all but shut on one side to all but shut on the other.
#[test]
fn dihedral_angles_are_signed() {
    for degrees in [-179.0, -90.0, -1e-4, 0.0, 30.0, 135.0, 179.0] {
        let angle = f64::to_radians(degrees);
        let [measured] = kind::<Dihedral>().measure(&vectors(&hinge(angle)))[..] else { panic!("one angle") };
        assert!((measured - angle).abs() < 1e-12, "{measured} in place of {angle}");
    }
}

/// The bending of a fold by θ is 6 l² sin²(θ/2)/(A₁ + A₂) of the flat rest shape, l the length of the edge: nothing where flat.
#[test]
fn isometric_bend_is_that_of_the_fold() {
    let bend: &dyn Kind = kind::<IsometricBend>();
    let rest = bend.measure(&vectors(&hinge(1.0)));
    let areas = 0.5 * (0.8 + 0.6);
    for angle in [0.0_f64, 0.3, 1.5, -2.5] {
        let mut gradient = [Vec3::zero(); 4];
        let value = bend.evaluate(&rest, 0, &vectors(&hinge(angle)), &mut gradient);
        let expected = 6.0 * (angle / 2.0).sin().powi(2) / areas;
        assert!((value - expected).abs() < 1e-12, "{value} in place of {expected} at {angle} rad");
    }
}

/// A hinge whose last corner is free, let go from a fold, and a rest angle.
fn folded(start: f64, rest: f64) -> Model {
    let mut model = models::particles(&hinge(start), &[0.0, 0.0, 0.0, 0.1]);
    model.world.gravity = [0.0; 3];
    for end in [0, 1] {
        models::spring(&mut model, end, 3, compliant(0.0));
    }
    // Critically damped, 2 √(m r²/α) with r = 0.6 m: e⁻¹⁶ of the fold is left after a second.
    let material = Material { damping: 1.2, ..compliant(0.1) };
    models::connect_with_rest(&mut model, kind::<Dihedral>(), &[0, 1, 2, 3], &[rest], material);
    model
}

/// A hinge folded all but shut to either side goes back to its rest angle, flat or not, the short way round, and never flips to
/// the other side of the fold.
#[test]
fn hinges_return_to_their_rest_angle() {
    let mut errors = Vec::new();
    for rest in [0.0, PI / 3.0, -2.0] {
        for start in [170.0_f64, -170.0, 90.0].map(f64::to_radians) {
            let state = run(&folded(start, rest), 60);
            let measured = kind::<Dihedral>().measure(&vectors(&state.positions))[0];
            errors.push(measured - rest);
        }
    }
    // Single precision at 1 m, over an arm of 0.6 m.
    let claim = "a hinge let go at 170°, -170° or 90°";
    proof::row(claim, "returns to 0, 60° or -115°", proof::largest(errors), 1e-4, "rad");
}

/// A crease in the plane with a rest angle of 250° returns to it from 200° and from its mirror image at 110°, and one of 180°
/// from either side: nothing flips where the arms are in line.
#[test]
fn creases_return_to_their_rest_angle() {
    let mut errors = Vec::new();
    for (rest, starts) in [(250.0_f64, [200.0_f64, 110.0]), (180.0, [150.0, 210.0]), (30.0, [-20.0, 75.0])] {
        for start in starts {
            let (sine, cosine) = start.to_radians().sin_cos();
            let mut model =
                models::particles(&[[0.5, 0.0, 0.0], [0.0; 3], [0.6 * cosine, 0.6 * sine, 0.0]], &[0.0, 0.0, 0.1]);
            model.world.gravity = [0.0; 3];
            models::spring(&mut model, 1, 2, compliant(0.0));
            // Critically damped, as the hinge above.
            let material = Material { damping: 1.2, ..compliant(0.1) };
            models::connect_with_rest(&mut model, kind::<Angle>(), &[0, 1, 2], &[rest.to_radians()], material);
            let state = run(&model, 60);
            let measured = kind::<Angle>().measure(&vectors(&state.positions))[0].to_degrees();
            let apart = (measured - rest).rem_euclid(360.0);
            errors.push(apart.min(360.0 - apart));
        }
    }
    proof::row("a crease in the plane", "returns to 250°, 180° or 30°", proof::largest(errors), 0.01, "°");
}

/// A triangle that is squashed to a tenth of its height springs back to its area, and one that is blown up shrinks to it.
#[test]
fn triangles_keep_their_area() {
    for height in [0.1, 3.0] {
        let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0], [0.4, height, 0.0]], &[0.0, 0.0, 0.1]);
        model.world.gravity = [0.0; 3];
        let material = Material { damping: 10.0, ..compliant(1e-3) };
        models::connect_with_rest(&mut model, kind::<Area>(), &[0, 1, 2], &[0.5], material);
        let [x, y, z] = run(&model, 60).positions[2];
        assert!((x - 0.4).abs() < 1e-5 && (y - 1.0).abs() < 1e-3 && z == 0.0, "from {height} m to ({x}, {y}, {z})");
    }
}
