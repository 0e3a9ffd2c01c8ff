//! Levels over what users have: real meshes, hooks, and a scene of the gallery that is looked at with and without them.

use std::fmt::Write;

use pliant::model::{Model, State};
use pliant::scene::{GALLERY, Scene};

use crate::device::{Running, run};
use crate::sheets::{jittered, stretch};

fn built(scene: Result<Scene, pliant::scene::SceneError>) -> Model {
    scene.and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}")).model
}

fn lowest(state: &State) -> f64 {
    state.positions.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min)
}

/// Side by side in the window: with levels the curtain of 256 × 256 hangs as long as it is, 3 m, to 2 %: what its hooks hold is
/// stretched for some cells around them, and these by g h² times their number squared. Without levels it grows by a third and more.
#[test]
fn a_large_curtain_with_and_without() {
    let mut model = built(Scene::open("compare_levels"));
    assert!(model.settings.nested == Some(true) && model.settings.substeps == 5);
    let nested = run(&model, 40);
    model.settings.nested = Some(false);
    let plain = run(&model, 40);
    let [nested, plain] = [nested, plain].map(|state| lowest(&state));
    assert!((-3.06..-2.9).contains(&nested), "with levels its hem is at {nested} m");
    assert!(plain < -4.0, "without levels its hem is at {plain} m");
}

/// The gallery's curtain, of triangles of all shapes in an OBJ file.
fn irregular_curtain() -> Model {
    const SIZE: [f64; 2] = [1.6, 1.2];
    let mesh = jittered(96);
    let mut obj = String::new();
    for [x, y, z] in &mesh.positions {
        writeln!(obj, "v {} {} {z}", SIZE[0] * x, SIZE[1] * y).expect("a string takes all");
    }
    for [a, b, c] in mesh.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + 1)) {
        writeln!(obj, "f {a} {b} {c}").expect("a string takes all");
    }
    let text = GALLERY.iter().find(|(name, _)| *name == "curtain").expect("the curtain").1;
    let grid = "{ grid = { columns = 96, rows = 96, width = 1.6, height = 1.2 } }";
    let shear = "shear_compliance = 1e-6\n";
    assert!(text.contains(grid) && text.contains(shear));
    let text = text.replace(grid, "{ file = \"curtain.obj\" }").replace(shear, "");
    let folder = tempfile::tempdir().expect("a folder");
    let scene = folder.path().join("curtain.toml");
    std::fs::write(folder.path().join("curtain.obj"), obj).expect("a file");
    std::fs::write(&scene, text).expect("a file");
    built(Scene::load(&scene))
}

/// The curtain of irregular triangles is drawn as that of a grid is: it stays as long as it is. Single edges, where it folds finer than the
/// nodes of the finest level, are stretched by up to half for a moment.
#[test]
fn an_irregular_curtain_is_drawn() {
    let model = irregular_curtain();
    let mut running = Running::new(&model);
    for _ in 0..5 {
        let state = running.run(40);
        assert!((-1.225..-1.15).contains(&lowest(&state)), "its hem is at {} m", lowest(&state));
        assert!(stretch(&model, &state) < 0.5, "an edge is stretched by {}", stretch(&model, &state));
    }
    assert!(running.status().is_good());
}
