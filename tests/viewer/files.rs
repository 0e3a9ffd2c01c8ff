//! Scenes that are saved, meshes that are opened, pictures and films.

use std::fs;

use super::*;
use pliant::scene::MeshUse;

fn noted(stage: &Stage, text: &str) -> bool {
    stage.desk().notes.iter().any(|note| note.contains(text))
}

/// What the user has changed is in the file that is saved: opened again it runs with the same settings.
#[test]
fn saved_scenes_open_as_they_were() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.toml");
    let mut theatre = Theatre::solved("flag", Way::Cpu);
    let tuning = &mut theatre.stage.desk_mut().tunings[0];
    (tuning.settings.substeps, tuning.settings.iterations) = (7, 3);
    (tuning.gravity, tuning.wind) = ([0.0, -3.7, 0.0], [1.5, 0.0, 0.5]);
    tuning.materials.iter_mut().for_each(|material| material.compliance = 1e-6 + 2.0 * material.compliance);
    theatre.play(2);
    let changed = theatre.stage.simulations().next().expect("a simulation").tuning().clone();
    theatre.stage.save(&path);
    theatre.until("the note", |stage| noted(stage, "mine.toml"));
    assert_eq!((theatre.stage.desk().notes.len(), path.exists()), (1, true), "{:?}", theatre.stage.desk().notes);

    let mut again = Theatre::solved(path.to_str().expect("a path"), Way::Cpu);
    again.frame(Vec::new());
    let read = again.stage.simulations().next().expect("a simulation").tuning().clone();
    assert_eq!(read, changed);
}

/// A mesh that is dropped on the window, or opened by its path, becomes what suits it, and something else on demand; a
/// closed one is a solid. What it cannot be is told, and the rest stays.
#[test]
fn meshes_become_scenes() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = folder.path().join("open.obj");
    fs::write(&open, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.1\nf 1 2 3\nf 2 4 3\n").expect("a file");
    let closed = folder.path().join("closed.obj");
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    fs::write(&closed, tetrahedron).expect("a file");
    let mut theatre = Theatre::new(Way::Cpu);
    theatre.stage.open(open.to_str().expect("a path"));
    theatre.until("the cloth", |stage| stage.title().starts_with("open") && is_seen(stage));
    assert_eq!(positions(&theatre.stage, 0).len(), 4);
    theatre.stage.open_as(open.to_str().expect("a path"), Some(MeshUse::Shape));
    let is_shape = |stage: &Stage| {
        stage.simulations().any(|one| one.model().groups.iter().any(|group| group.kind.name() == "shape_matching"))
    };
    theatre.until("another use", is_shape);
    theatre.stage.open_as(open.to_str().expect("a path"), Some(MeshUse::Balloon));
    while theatre.stage.desk().trouble.is_none() {
        theatre.frame(Vec::new());
    }
    assert!(is_shape(&theatre.stage));
    theatre.stage.open(closed.to_str().expect("a path"));
    theatre.until("the solid", |stage| stage.title().starts_with("closed") && is_seen(stage));
    assert!(positions(&theatre.stage, 0).len() > 4, "a solid is filled with particles");
}

/// S writes what is on the panes to a file of the next free number, in pixels as in the window, and notes it.
#[test]
fn screenshots_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut theatre = Theatre::solved("chain", Way::Cpu);
    theatre.pixels_per_point = 1.0;
    theatre.resize(SIZE);
    theatre.stage.set_folder(folder.path());
    for number in ["0001", "0002"] {
        theatre.key(Key::S);
        theatre.until("the note", |stage| noted(stage, number));
        let path = folder.path().join(format!("chain-{number}.png"));
        let picture = image::open(&path).expect("a picture").to_rgba8();
        // The window less its bars.
        assert!(picture.width() > SIZE[0] / 2 && picture.width() < SIZE[0]);
        assert!(picture.height() > SIZE[1] / 3 && picture.height() < SIZE[1]);
        let first = picture.get_pixel(0, 0);
        assert!(picture.pixels().any(|pixel| pixel != first), "the picture is empty");
        assert!(picture.pixels().all(|pixel| pixel.0[3] == 255));
    }
}

/// V films what is shown until it is pressed again: two seconds of the scene are two seconds of film, though the window
/// was resized meanwhile.
#[test]
fn films_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut theatre = Theatre::solved("chain", Way::Cpu);
    theatre.pixels_per_point = 1.0;
    theatre.resize(SIZE);
    theatre.stage.set_folder(folder.path());
    theatre.stage.desk_mut().comparing = true;
    theatre.frame(Vec::new());
    theatre.key(Key::V);
    assert!(theatre.stage.is_filming());
    theatre.step_from_the_beginning(30);
    theatre.resize([300, 200]);
    for _ in 0..30 {
        theatre.key(Key::Period);
    }
    theatre.until("a second", |stage| seen_frame(stage) == 60);
    theatre.key(Key::V);
    theatre.until("the note", |stage| noted(stage, "chain-film-0001.png"));
    assert!(!theatre.stage.is_filming());
    let file = fs::File::open(folder.path().join("chain-film-0001.png")).expect("a film");
    let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("an animation");
    let animation = reader.info().animation_control().expect("an animation");
    // A second of steps, and moments in between in which it stood still.
    assert!(animation.num_frames >= 28, "{} pictures", animation.num_frames);
    assert!(reader.info().width > SIZE[0] / 2 && reader.info().width.is_multiple_of(2), "{}", reader.info().width);
}

/// Whether the simulation on show has been looked at.
fn is_seen(stage: &Stage) -> bool {
    stage.simulations().all(|simulation| simulation.observation().is_some())
}
