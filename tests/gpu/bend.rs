//! Kinds that bend: hinges that come back, strips that sag by their compliance.

use std::f64::consts::PI;

use pliant::constraint::{Dihedral, IsometricBend, Kind, Vec3, kind};
use pliant::model::{Material, Model};
use pliant::scene::{Bend, Body, Cloth, Grid, Mesh, Scene, Select};

use crate::device::run;
use crate::models::{self, compliant};

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
    for rest in [0.0, PI / 3.0, -2.0] {
        for start in [170.0_f64, -170.0, 90.0].map(f64::to_radians) {
            let state = run(&folded(start, rest), 60);
            let measured = kind::<Dihedral>().measure(&vectors(&state.positions))[0];
            // Single precision at 1 m, over an arm of 0.6 m.
            assert!((measured - rest).abs() < 1e-4, "from {start} to {measured} in place of {rest}");
        }
    }
}

/// How far a strip of cloth, clamped at one end and level, sags under its own small weight, m.
fn sag(compliance: f64) -> f64 {
    let grid = Grid { columns: 6, rows: 3, width: 0.2, height: 0.04 };
    let bend = Some(Bend { kind: "dihedral".into(), compliance });
    let cloth = Cloth { bend, ..Cloth::new(Mesh::from(grid)).stretch(1e-7).shear(1e-7) };
    let level = [-(0.5_f64.sqrt()), 0.0, 0.0, 0.5_f64.sqrt()];
    let clamp = Select::Box { min: [-0.101, -1.0, -1.0], max: [-0.059, 1.0, 1.0] };
    let body = Body::cloth(cloth).mass(0.004).rotation(level).pin(pliant::scene::Pin::from(clamp));
    let mut model = Scene::new("strip").with(body).build().unwrap().model;
    // One sweep adds about h² Σ w|∇C|² = 0.7 to the compliance, 2 % of it.
    model.settings.substeps = 80;
    for index in 0..model.materials.len() {
        if let Some(material) = model.materials.get_mut(index).filter(|material| material.compliance == compliance) {
            // e⁻⁷ of the swing is left after a second, and γ = 14 keeps the bias of what is static at a percent.
            material.damping = 1e-4;
        }
    }
    let state = run(&model, 60);
    -state.positions[5][1]
}

/// A clamped strip sags in proportion to the compliance of its hinges: twice as much for twice of it, to 5 %.
#[test]
fn sag_is_in_proportion_to_compliance() {
    let (one, two) = (sag(30.0), sag(60.0));
    assert!(one > 1e-4 && one < 0.02, "{one} m is not small beside the strip's 0.2 m");
    assert!((two / one - 2.0).abs() < 0.1, "{one} m, and {two} m at twice the compliance");
}
