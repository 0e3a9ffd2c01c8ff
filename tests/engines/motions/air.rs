//! The air: the kernel against its twin, drag and lift against their formulas, and a flag.

use pliant::scene::Scene;

use crate::device::Running;

/// The gallery's flag streams with the wind and flutters: its free corner goes to and fro across the wind all the time.
#[test]
fn a_flag_flutters() {
    let model = Scene::open("flag").unwrap().build().unwrap().model;
    let corner = 48;
    let mut running = Running::new(&model);
    running.run(120);
    let places: Vec<[f64; 3]> = (0..60).map(|_| running.run(2).positions[corner]).collect();
    let downwind = places.iter().map(|x| x[0]).sum::<f64>() / 60.0;
    assert!(downwind > 0.9, "the free corner is {downwind} m downwind of the pole in the mean");
    let mean = places.iter().map(|x| x[2]).sum::<f64>() / 60.0;
    let crossings = places.windows(2).filter(|pair| (pair[0][2] > mean) != (pair[1][2] > mean)).count();
    let swing = (places.iter().map(|x| (x[2] - mean).powi(2)).sum::<f64>() / 60.0).sqrt();
    assert!(crossings >= 4 && swing > 0.03, "{crossings} crossings, {swing} m of swing");
}
