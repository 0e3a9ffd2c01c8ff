//! Surfaces that touch in a motion of a second.

use std::fmt::Write;

use crate::surfaces::{Run, sheet};

/// A sheet whose ends turn against each other by so many turns in a second.
pub fn twisted(n: u32, turns: f64, rest: &str) -> String {
    let ends = |column: u32, sense: f64| {
        (0..n).map(move |row| {
            let y = 0.5 - f64::from(row) / f64::from(n - 1);
            let frames = (0..=48).map(|k| {
                let time = f64::from(k) / 48.0;
                let (sin, cos) = (sense * std::f64::consts::PI * turns * time).sin_cos();
                format!("{{ time = {time}, value = [0, {}, {}] }}", y * (cos - 1.0), y * sin)
            });
            let frames = frames.collect::<Vec<_>>().join(", ");
            format!("{{ indices = [{}], keyframes = [{frames}] }}", row * n + column)
        })
    };
    let pins: Vec<String> = ends(0, 1.0).chain(ends(n - 1, -1.0)).collect();
    let mut text = "world.gravity = [0, 0, 0]\n".to_string();
    write!(text, "{}", sheet(n, 1.0, &format!("pin = [{}]\n{rest}", pins.join(", ")))).unwrap();
    // Soft, because a sheet that is held at its ends and twisted by a turn has to stretch threefold.
    let softer = [
        ("radius = 0.001", "radius = 0.004"),
        ("stretch_compliance = 1e-6", "stretch_compliance = 1e-3"),
        ("shear_compliance = 1e-5", "shear_compliance = 1e-3"),
        ("compliance = 0.00011 }", "compliance = 1e-2 }"),
    ];
    softer.into_iter().fold(text, |text, (from, to)| text.replace(from, to))
}

/// A cloth whose ends turn against each other by one turn: all of its threads meet in its middle.
#[test]
fn a_cloth_is_twisted() {
    let mut run = Run::of(&twisted(12, 1.0, "friction = 0.3"));
    let state = run.frames(60);
    // It has become a rope: its middle is within a third of its width about its axis, which was half of it.
    let widest = (0..12).map(|row| state.positions[row * 12 + 6]).map(|[_, y, z]| (y + 0.5).hypot(z));
    let widest = widest.fold(0.0, f64::max);
    assert!(widest < 0.34, "{widest} m");
}
