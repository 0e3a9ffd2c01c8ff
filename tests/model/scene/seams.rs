//! Meshes from files that are not joined where they look whole: told, with the key that welds them; and numbers that repairs have moved.

use pliant::scene::{Built, Scene, SceneError};
use tempfile::TempDir;

use super::bad_input::check;

/// Two sheets of two triangles side by side, the second so far to the right, and with so many columns of vertices apart.
fn sheets(gap: f64) -> String {
    format!(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv {0} 0 0\nv {1} 0 0\nv {1} 1 0\nv {0} 1 0\nf 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\n",
        1.0 + gap,
        2.0 + gap
    )
}

/// A folder with a mesh.
fn folder(name: &str, mesh: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(name), mesh).expect("a file");
    folder
}

fn build(folder: &TempDir, scene: &str) -> Result<Built, SceneError> {
    Scene::parse(scene, "test.toml", folder.path()).and_then(|scene| scene.build())
}

fn cloth(name: &str, lines: &str) -> String {
    format!("[[body]]\nkind = \"cloth\"\nmesh = {{ file = \"{name}\" }}\n{lines}\n")
}

/// A body of one mesh with more lines: its particles, and what is told but for what the readers merge and split.
fn read(name: &str, mesh: &str, lines: &str) -> (usize, Vec<String>) {
    let built = build(&folder(name, mesh), &cloth(name, lines)).unwrap_or_else(|error| panic!("{error}"));
    (built.model.particles.len(), built.notes)
}

fn assert_told(notes: &[String], words: &[&str]) {
    let told = |note: &String| words.iter().all(|word| note.contains(word));
    assert!(notes.iter().any(told), "{words:?} are not in {notes:#?}");
}

/// A seam of a ten-millionth is told with the pieces, the first place and the key; with the key the sheets are one, and nothing is told but that.
#[test]
fn near_vertices_are_told_and_welded() {
    let (particles, notes) = read("a.obj", &sheets(2e-7), "");
    assert_eq!(particles, 8);
    let words = [
        "a.obj: has 2 separate pieces",
        "2 vertices lie on others",
        "first: particle 4 on 1, at [1.0000002, 0, 0]",
        "weld = 1e-6 joins",
    ];
    assert_told(&notes, &words);
    let (particles, notes) = read("a.obj", &sheets(2e-7), "weld = 1e-6");
    assert_eq!((particles, notes.len()), (6, 1), "{notes:?}");
    assert_told(&notes, &["a.obj: welded, as near enough, 2 vertices to others (first at line 5)"]);
    // As placed: a hundredfold scale takes them apart.
    assert_eq!(read("a.obj", &sheets(2e-7), "weld = 1e-6\nscale = 100").0, 8);
    assert_eq!(read("a.obj", &sheets(2e-7), "weld = 1e-4\nscale = [100, 1, 1]").0, 6);
    assert_told(&read("a.obj", &sheets(2e-7), "scale = 100").1, &["weld = 0.0001 joins"]);
    // What is apart is two pieces and no more, and what is whole says nothing.
    let (_, apart) = read("a.obj", &sheets(0.1), "");
    assert!(apart.len() == 1 && apart[0].ends_with("a.obj: has 2 separate pieces"), "{apart:?}");
    assert_eq!(read("a.obj", &sheets(0.0), "").1.len(), 1);
}

/// A vertex on the edge of a triangle of which it is no corner is told with both.
#[test]
fn hanging_vertices_are_told() {
    let mesh = "v 0 0 0\nv 0 2 0\nv -1 1 0\nv 1 0 0\nv 1 2 0\nv 0 1 0\nf 1 2 3\nf 1 4 6\nf 4 5 6\nf 5 2 6\n";
    let (_, notes) = read("t.obj", mesh, "");
    assert_told(
        &notes,
        &["1 vertex lies on edges without being", "first: particle 5 on the edge from 0 to 1, at [0, 1, 0]", "split"],
    );
    assert!(notes.iter().all(|note| !note.contains("pieces")), "{notes:?}");
}

/// Two boxes, meshed one by one: two pieces whose common face has its four nodes twice; welded they are one body.
#[test]
fn solids_meshed_one_by_one() {
    let mesh = include_str!("data/two_boxes.msh");
    let solid = |lines: &str| {
        let body = format!(
            "[[body]]\nkind = \"soft\"\nmesh = {{ file = \"two.msh\" }}\ndensity = 100\nyoung_modulus = 1e7\n{lines}\n"
        );
        build(&folder("two.msh", mesh), &body).unwrap_or_else(|error| panic!("{error}"))
    };
    let apart = solid("");
    assert_eq!(apart.model.particles.len(), 24);
    let words = [
        "two.msh: has 2 separate pieces",
        "4 vertices lie on others",
        "first: particle 12 on 8, at [1, 0, 0]",
        "weld = 1e-6 joins",
    ];
    assert_told(&apart.notes, &words);
    let joined = solid("weld = 1e-6");
    assert_eq!((joined.model.particles.len(), joined.model.groups[0].len()), (20, 24));
    assert_told(&joined.notes, &["welded, as near enough, 4 vertices to others (first at line 23)"]);
    assert_eq!(joined.notes.len(), 1, "{:?}", joined.notes);
    let mass = |built: &Built| built.model.particles.inverse_masses.iter().map(|w| 1.0 / w).sum::<f64>();
    // Of 2 m³; sums of some twenty numbers round.
    assert!((mass(&joined) - 200.0).abs() < 1e-9 && (mass(&apart) - 200.0).abs() < 1e-9);
}

/// Welding wider than a mesh is fine drops what becomes of it nothing, and says so; where nothing is left it is refused.
#[test]
fn welding_too_wide_is_told() {
    let solid = |weld: f64| {
        let body = "[[body]]\nkind = \"soft\"\nmesh = { file = \"two.msh\" }\nyoung_modulus = 1e7\n";
        build(&folder("two.msh", include_str!("data/two_boxes.msh")), &format!("{body}weld = {weld}\n"))
    };
    let halved = solid(0.6).unwrap_or_else(|error| panic!("{error}"));
    assert_told(&halved.notes, &["elements that welding made flat"]);
    let error = solid(5.0).expect_err("nothing is left").to_string();
    assert!(error.contains("welding leaves no tetrahedron; weld at a shorter distance"), "{error}");
    let body =
        build(&folder("a.obj", &sheets(0.0)), &cloth("a.obj", "weld = 5")).expect_err("nothing is left").to_string();
    assert!(body.contains("none of the faces has any area"), "{body}");
}

/// Only what comes from a file is welded, and at a distance above 0; a collider's mesh is, too.
#[test]
fn weld_needs_a_file() {
    let grid = "[[body]]\nkind = \"cloth\"\nmesh = { grid = { columns = 3, rows = 3, width = 1, height = 1 } }\nweld = 1e-6 #!";
    check(grid, &["body[0].weld: applies to meshes from files", "remove it"]);
    check(&grid.replace("1e-6", "0"), &["body[0].weld: must be a finite number above 0"]);
    let ball = "[[body]]\nkind = \"particles\"\npositions = [[0, 9, 0]]\n[[collider]]\nshape = { sphere = { radius = 1 } }\nweld = 1 #!";
    check(ball, &["collider[0].weld: applies to meshes from files"]);

    // A tetrahedron of which one face has a corner of its own, a ten-millionth off.
    let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 1e-7 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\n";
    let collider = |line: &str| {
        let scene = "[[body]]\nkind = \"particles\"\npositions = [[0, 9, 0]]\n[[collider]]\nshape = { mesh = { file = \"open.obj\", cells = 8 } }\n";
        build(&folder("open.obj", open), &format!("{scene}{line}\n"))
    };
    collider("weld = 1e-6").unwrap_or_else(|error| panic!("{error}"));
    let error = collider("").expect_err("a hole").to_string();
    assert!(
        error.contains("has holes") && error.contains("1 vertex lies on others") && error.contains("weld = 1e-6"),
        "{error}"
    );
}

/// Numbers of vertices that repairs have moved are told where the scene names one, once for a body, and only where they differ.
#[test]
fn moved_numbers_are_told() {
    // Vertex 2 of the file, counted from 0, belongs to no face.
    let mesh = "v 0 0 0\nv 1 0 0\nv 9 9 9\nv 1 1 0\nv 0 1 0\nf 1 2 4\nf 1 4 5\n";
    let moved = |notes: &[String]| notes.iter().filter(|note| note.contains("because repairs renumbered")).count();
    let told = ["body[0].pin[1].indices[0]: names particle 2, which is vertex 3 of ", "loose.obj, counted from 0"];
    let (_, notes) = read("loose.obj", mesh, "pin = [0, 2, 3]");
    assert_told(&notes, &told);
    assert_eq!(moved(&notes), 1);
    assert_eq!(moved(&read("loose.obj", mesh, "pin = [0, 1, \"top\"]").1), 0);
    for lines in [
        "[[body.constraint]]\nkind = \"distance\"\nparticles = [[0, 3]]",
        "[[force]]\nbody = \"body0\"\nparticles = [3]\nvalue = [0, 1, 0]",
        "radius = 0.1\nsegments = [[1, 3]]",
        "[[constraint]]\nkind = \"distance\"\nparticles = [[[\"body0\", 0], [\"body0\", 3]]]",
    ] {
        assert_told(&read("loose.obj", mesh, lines).1, &["names particle 3, which is vertex 4 of "]);
    }
    assert_eq!(moved(&read("a.obj", &sheets(0.1), "pin = [7]").1), 0);
}

/// A name that holds the whole of a flat body is told.
#[test]
fn names_that_hold_all_are_told() {
    let level = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n";
    assert_told(
        &read("flat.obj", level, "pin = [\"top\"]").1,
        &["body[0].pin[0]: 'top' pins all 4 particles", "flat along y", "box"],
    );
    assert_eq!(read("flat.obj", level, "pin = [\"left\"]").1, [""; 0]);
    let upright = "v 0 0 0\nv 0 0 1\nv 0 1 1\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
    assert_told(&read("flat.obj", upright, "pin = [\"right\"]").1, &["'right' pins all 4 particles", "flat along x"]);
    assert_eq!(read("flat.obj", level, "pin = [0, 1, 2, 3]").1, [""; 0]);
}
