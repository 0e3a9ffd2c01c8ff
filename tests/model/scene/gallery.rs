//! The gallery, the scenes of real meshes, and what a broken one must not do.

use pliant::model::Model;
use pliant::scene::{Camera, GALLERY, PUBLIC_SCENES, Scene};
use proptest::prelude::*;

/// No number that single precision cannot hold has come through the checks.
fn assert_finite(model: &Model) {
    let finite = |values: &[f64]| values.iter().all(|value| (*value as f32).is_finite());
    let particles = &model.particles;
    assert!(particles.positions.iter().chain(&particles.velocities).all(|v| finite(v)));
    assert!(finite(&particles.inverse_masses) && particles.inverse_masses.iter().all(|w| *w >= 0.0));
    for group in &model.groups {
        assert!(finite(&group.rest) && group.particles.iter().all(|p| (*p as usize) < particles.len()));
    }
    assert!(model.materials.iter().all(|material| finite(&[
        material.compliance,
        material.damping,
        material.stiffness
    ])));
    assert!(particles.drives.iter().all(|drive| (*drive as usize) < model.drives.len()));
}

/// The names of the scenes in a folder.
fn names_in(folder: &str) -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let scenes = files.filter(|path| path.extension().is_some_and(|e| e == "toml"));
    let mut names: Vec<_> = scenes.map(|path| path.file_stem().expect("a name").to_string_lossy().into()).collect();
    names.sort();
    names
}

fn names_of(scenes: &[(&str, &str)]) -> Vec<String> {
    let mut names: Vec<_> = scenes.iter().map(|(name, _)| name.to_string()).collect();
    names.sort();
    names
}

/// Every scene in the folder is in the gallery, says in its first line what it shows, and builds with nothing to tell.
#[test]
fn all_build() {
    assert_eq!(names_in("examples/scenes"), names_of(GALLERY));
    for (name, text) in GALLERY {
        assert!(text.starts_with("# "), "{name} does not say what it shows");
        let scene = Scene::open(name).unwrap_or_else(|error| panic!("{error}"));
        let built = scene.build().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(built.notes, [] as [&str; 0], "{name}");
        assert_finite(&built.model);
    }
}

/// A name that is in no gallery and no file is told with the nearest and all that there are.
#[test]
fn opens_by_name_or_path() {
    let error = Scene::open("hanging_clth").expect_err("a refusal").to_string();
    assert!(error.contains("did you mean 'hanging_cloth'? There are: hanging_cloth, draped_cloth"), "{error}");
    let error = Scene::open("./hanging_cloth.toml").expect_err("a refusal").to_string();
    assert!(error.contains("there is no such file"), "{error}");
    assert_eq!(Scene::gallery("none"), None);
}

/// A camera without a field of view gets the default.
#[test]
fn camera() {
    let scene = Scene::open("chain").expect("a scene of the gallery");
    assert_eq!(scene.camera.map(|camera| camera.field_of_view), Some(Camera::DEFAULT_FIELD_OF_VIEW));
}

/// What a hasty hand may leave in a file.
fn scrap() -> impl Strategy<Value = &'static str> {
    let numbers = ["-1", "0", "nan", "-inf", "1e400", "1e-320", "1e38", "2147483648", "18446744073709551616", "0x1F"];
    let signs = ["[", "]", "{", "}", "=", "\"", ",", "\n", "\u{0}", "é", "[[body]]\n", "[body]\n", "#"];
    let keys = ["kind", "mass = 0\n", "true", "\"top\"", "[]", "{}", "[[]]", "[0, 0, 0]", "1979-05-27", ".", "", " "];
    prop::sample::select([&numbers[..], &signs[..], &keys[..]].concat())
}

proptest! {
    /// Whatever is done to a scene's text, it is accepted with sane numbers or refused with a message, and never panics.
    #[test]
    fn broken_scenes_never_panic(
        scene in prop::sample::select(GALLERY.iter().filter(|(_, text)| text.len() < 4000).collect::<Vec<_>>()),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..12usize, scrap()), 1..4),
    ) {
        let mut text: Vec<char> = scene.1.replace("64", "6").replace("101", "7").chars().collect();
        for (start, length, scrap) in edits {
            let start = start.index(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, scrap.chars());
        }
        let text: String = text.into_iter().collect();
        match Scene::parse(&text, "test.toml", "").and_then(|scene| scene.build()) {
            Ok(built) => assert_finite(&built.model),
            Err(error) => prop_assert!(error.to_string().starts_with("test.toml"), "{error}"),
        }
    }
}

/// The scenes of `benches/` have names but for the one that reads a mesh, and the particles and constraints that those who published them count.
#[test]
fn public_scenes_are_of_the_published_size() {
    let sizes = [
        ("w1", 4_096, 23_938),
        ("w2", 26_901, 120_000),
        ("w3", 20_000, 0),
        ("ten_minute_cloth", 251_001, 1_500_998),
        ("small_steps_cloth", 150_156, 897_063),
        ("small_steps_beam", 3_321, 12_800),
        ("xpbd_cloth", 4_096, 23_938),
        ("cloth_twist", 2_500, 14_502),
        ("poker_cards", 1_847, 8_737),
        ("ppf_drape", 81_920, 485_130),
        ("ppf_curtain", 61_441, 359_070),
        ("rotating_sphere", 85_264, 508_666),
        ("small_steps_bunny", 150_156, 897_063),
    ];
    let (with_mesh, named) = sizes.split_last().expect("some");
    assert_eq!(names_of(PUBLIC_SCENES), names_of(&named.iter().map(|(name, ..)| (*name, "")).collect::<Vec<_>>()));
    assert_eq!(names_in("benches").len(), sizes.len());
    let by_name =
        |name| Scene::open(name).and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}")).model;
    // The mesh comes with no clone: as many particles fall on a ball here.
    let text = include_str!("../../../benches/small_steps_bunny.toml");
    let over_a_ball = text.replace("mesh = { file = \"bunny_10k.obj\" }", "sphere = { radius = 0.4 }");
    assert_ne!(text, over_a_ball);
    let scene = Scene::parse(&over_a_ball, "small_steps_bunny.toml", "").and_then(|scene| scene.build());
    let model = scene.unwrap_or_else(|error| panic!("{error}")).model;
    let models = named.iter().map(|&(name, ..)| by_name(name)).chain([model]);
    assert_eq!(with_mesh.0, "small_steps_bunny");
    for ((name, particles, constraints), model) in sizes.into_iter().zip(models) {
        let found: usize = model.groups.iter().map(|group| group.len()).sum();
        assert_eq!((model.particles.len(), found), (particles, constraints), "{name}");
    }
}
