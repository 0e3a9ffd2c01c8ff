//! What an OBJ file may say, what is repaired, and every message for what it may not; the repairs are those of all formats.

use super::{assert_clean, loaded_as, refused_as};
use crate::closed::assert_closed;
use crate::mesh::ROUNDING;
use pliant::mesh::{self, Loaded};
use proptest::prelude::*;

/// Corners of a unit square, and one above its middle.
const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1\n";

fn loaded(text: impl AsRef<[u8]>) -> Loaded {
    loaded_as("test.obj", text)
}

fn refused(text: impl AsRef<[u8]>) -> String {
    refused_as("test.obj", text)
}

/// A clean file comes as it is, in its own order and without a word.
#[test]
fn clean_files_need_no_repair() {
    let Loaded { mesh, repairs, .. } = loaded("v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 -3.5\nf 1 2 3\nf 1 4 2\n");
    assert_eq!(mesh.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, -3.5]]);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 3, 1]]);
    assert_eq!(repairs, [""; 0]);
}

/// Every way to write the same triangle is read alike.
#[test]
fn ways_of_writing_are_read_alike() {
    let plain = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let texts: &[(&str, Vec<u8>)] = &[
        ("CR LF", plain.replace('\n', "\r\n").into()),
        ("CR alone", plain.replace('\n', "\r").into()),
        ("no last end of line", plain.trim_end().into()),
        ("byte order mark", format!("\u{feff}{plain}").into()),
        ("tabs and blanks", plain.replace(' ', " \t ").replace('\n', " \t\n\n").into()),
        ("indented", plain.replace('\n', "\n  ").into()),
        ("comments", plain.replace('\n', " # f 1 2 9\n").into()),
        ("a path that ends a comment", format!("# C:\\models\\\n{plain}").into()),
        ("a comment that is not UTF-8", [b"# caf\xe9 \xff\xfe\n".as_slice(), plain.as_bytes()].concat()),
        ("continued lines", plain.replace("v 1 0 0", "v 1 \\\n0 \\\r\n0").replace("2 3", "2\\\n3").into()),
        ("continued at the end", format!("{}\\", plain.trim_end()).into()),
        ("exponents", "v 0e0 -0.0 +0\nv 1E+0 0 0\nv 0 10.0e-1 .0\nf 1 2 3\n".into()),
        ("weights and colours", plain.replace(" 0\n", " 0 1.0 0.5 0.25 x\n").into()),
        ("vertex/texture/normal", plain.replace("1 2 3", "1/1/1 2/7/9 3/3/3").into()),
        ("vertex//normal", plain.replace("1 2 3", "1//1 2//7 3//3").into()),
        ("vertex/texture", plain.replace("1 2 3", "1/1 2/7 3/").into()),
        ("negative indices", plain.replace("1 2 3", "-3 -2 -1").into()),
        ("mixed indices", plain.replace("1 2 3", "1 -2 3").into()),
        ("faces first", "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n".into()),
        ("old keyword of faces", plain.replace('f', "fo").into()),
        (
            "statements without meaning here",
            format!("mtllib a.mtl\no cloth\nvt 0 0\nvn 0 0 1\nvp 1\ng a b\ns off\nusemtl red\n{plain}s 1\n").into(),
        ),
    ];
    let expected = loaded(plain);
    for (what, text) in texts {
        match mesh::parse("test.obj", text) {
            Ok(found) => assert_eq!(found, expected, "{what}"),
            Err(error) => panic!("{what}: {error}"),
        }
    }
}

/// What has one right repair is repaired, and told with its number and its first line.
#[test]
fn dirty_files_are_repaired_and_say_so() {
    let rows: &[(&str, &str, usize, usize, &[&str])] = &[
        (
            "an unused vertex",
            "v 7 7 7\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 2 3 4",
            3,
            1,
            &["dropped 1 vertex that no face uses (line 1)"],
        ),
        (
            "duplicated vertices",
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv -0 0 0\nv 1 1.0 0\nv 0 1 0\nf 1 2 3\nf 4 5 6",
            4,
            2,
            &["welded 2 vertices to others at the same position (first at line 4)"],
        ),
        (
            "a repeated index",
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 2\nf 3 3 3",
            3,
            1,
            &["dropped 2 faces without area (first at line 5)"],
        ),
        (
            "a face between three points of a line, and its vertex",
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.1 0.1 0\nv 0.2 0.2 0\nv 0.3 0.3 0\nf 1 2 3\nf 4 5 6",
            3,
            1,
            &["dropped 1 face without area (line 8)", "dropped 3 vertices that only dropped faces used"],
        ),
        (
            "faces twice, turned and reversed",
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 2 3 1\nf 3 2 1",
            3,
            1,
            &["dropped 2 faces that come twice (first at line 5)"],
        ),
        (
            "a corner given twice in a row",
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2 3 1",
            3,
            1,
            &["removed repeated corners from 1 face (line 4)"],
        ),
        (
            "several objects, with lines and points",
            "o a\ng x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\np 1\nl 1 2 3\no b\nv 1 1 0\nf 2 4 3",
            4,
            2,
            &[
                "merged 2 objects or groups into one mesh (the second begins at line 11)",
                "left out 2 line or point elements (first at line 7)",
            ],
        ),
        (
            "a face wound against two others",
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 4 3\nf 2 5 3",
            5,
            3,
            &["turned round 1 face wound against its neighbours (line 7)"],
        ),
    ];
    for &(what, text, vertices, triangles, repairs) in rows {
        let found = loaded(text);
        assert_eq!((found.mesh.positions.len(), found.mesh.triangles.len()), (vertices, triangles), "{what}");
        assert_eq!(found.repairs, repairs, "{what}");
    }
}

/// Polygons, convex or not, even or collinear or with a slit to a hole, become triangles of the same area, all wound as
/// the polygon is.
#[test]
fn polygons_are_split() {
    let circle: Vec<(f64, f64)> = (0..100).map(|i| (f64::from(i) * 0.0628).sin_cos()).map(|(y, x)| (x, y)).collect();
    let rows: &[(&str, &[(f64, f64)])] = &[
        ("a square", &[(0., 0.), (1., 0.), (1., 1.), (0., 1.)]),
        ("a circle", &circle),
        ("an arrowhead", &[(0., 0.), (2., 1.), (0., 2.), (1., 1.)]),
        ("an arrowhead that begins inside", &[(1., 1.), (0., 0.), (2., 1.), (0., 2.)]),
        ("an L", &[(0., 0.), (2., 0.), (2., 1.), (1., 1.), (1., 2.), (0., 2.)]),
        ("corners along a side", &[(0., 0.), (1., 0.), (2., 0.), (2., 1.), (1., 1.), (0., 1.)]),
        ("a triangle with a corner along a side", &[(0., 0.), (1., 0.), (2., 0.), (1., 1.)]),
        ("a comb", &[(0., 0.), (5., 0.), (5., 3.), (4., 1.), (3., 3.), (2., 1.), (1., 3.), (0.5, 1.), (0., 3.)]),
        (
            "a ring with a slit",
            &[(0., 0.), (3., 0.), (3., 3.), (0., 3.), (0., 0.), (1., 1.), (1., 2.), (2., 2.), (2., 1.), (1., 1.)],
        ),
    ];
    for (what, points) in rows {
        let twice: f64 = (0..points.len())
            .map(|i| (points[i], points[(i + 1) % points.len()]))
            .map(|((ax, ay), (bx, by))| ax * by - ay * bx)
            .sum();
        // Lying, standing, and tilted far from the origin: area is scaled by the given factor.
        type Place = fn(f64, f64) -> [f64; 3];
        let planes: [(Place, f64); 3] =
            [(|x, y| [x, y, 0.0], 1.0), (|x, y| [0.0, x, y], 1.0), (|x, y| [x + 100.0, y - 50.0, x + y], 3f64.sqrt())];
        for (place, scale) in planes {
            let mut text = String::new();
            for &(x, y) in *points {
                let [x, y, z] = place(x, y);
                text += &format!("v {x} {y} {z}\n");
            }
            text += "f";
            (1..=points.len()).for_each(|corner| text += &format!(" {corner}"));
            let Loaded { mesh, repairs, .. } = loaded(&text);
            assert_eq!(mesh.triangles.len(), points.len() - 2, "{what}");
            assert!(repairs.iter().any(|repair| repair.starts_with("split 1 polygon into triangles")), "{repairs:?}");
            // If all are wound alike, the areas add up to the polygon's. Rounding at coordinates of 100.
            assert!((mesh.area() - 0.5 * twice.abs() * scale).abs() < 1e-11, "{what}: {}", mesh.area());
            assert!(!repairs.iter().any(|repair| repair.contains("wound")), "{what}");
        }
    }
}

/// Faces of a cube wound at random come out consistent; a closed strip with a half turn cannot.
#[test]
fn winding_is_made_consistent() {
    let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n";
    let clean = loaded(cube).mesh;
    assert_closed(&clean);
    assert!((clean.signed_volume() - 1.0).abs() < ROUNDING);
    let dirty = loaded(cube.replace("f 5 6 7 8", "f 8 7 6 5").replace("f 2 3 7 6", "f 6 7 3 2"));
    assert_closed(&dirty.mesh);
    assert!((dirty.mesh.signed_volume() - 1.0).abs() < ROUNDING);
    assert_eq!(dirty.repairs[1..], ["turned round 2 faces wound against their neighbours (first at line 10)"]);

    // The least triangulation of the Möbius strip: every three consecutive ones of five vertices.
    let strip = format!("{SQUARE}f 1 2 3\nf 2 3 4\nf 3 4 5\nf 4 5 1\nf 5 1 2\n");
    let message = refused(strip);
    assert!(message.starts_with("test.obj:") && message.contains("only one side"), "{message}");
}

/// What has no right repair is refused with file, line, fault and remedy.
#[test]
fn broken_files_are_refused() {
    let fan = "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nv -1 0 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n";
    let touching = "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 0 0 1\nv -1 0 0\nv 0 -1 0\n\
        f 1 2 3\nf 2 1 4\nf 5 6 7\nf 6 5 8\n";
    let rows: &[(&str, String, &str, &str)] = &[
        ("empty", "".into(), "test.obj: the file is empty", "export"),
        ("blank", " \n\n".into(), "test.obj: the file is empty", "export"),
        ("no faces", SQUARE.into(), "test.obj: the file has 5 vertices but no faces", "cut off"),
        ("only lines", format!("{SQUARE}l 1 2"), "test.obj: the file has 5 vertices but no faces", "export"),
        ("no area", "v 1 1 1\nv 2 2 2\nv 3 3 3\nf 1 2 3".into(), "test.obj: none of the faces has any area", "scaled"),
        ("all welded", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3".into(), "test.obj: none of the faces", "scaled"),
        ("index 0", format!("{SQUARE}f 0 1 2\n"), "test.obj:6: the face has a corner at vertex 0", "from 1"),
        (
            "index beyond",
            format!("{SQUARE}f 1 2 6\n"),
            "test.obj:6: vertex 6 does not exist: the file has 5",
            "correct",
        ),
        ("index far beyond", format!("{SQUARE}f 1 2 4294967297\n"), "test.obj:6: vertex 4294967297", "correct"),
        (
            "index too long",
            format!("{SQUARE}f 1 2 99999999999999999999\n"),
            "test.obj:6: `99999999999999999999`",
            "write",
        ),
        ("negative beyond", format!("{SQUARE}f 1 2 -6\n"), "test.obj:6: vertex -6 lies before the first", "correct"),
        ("the least index", format!("{SQUARE}f 1 2 {}\n", i64::MIN), "test.obj:6: vertex -92233", "correct"),
        ("a word as index", format!("{SQUARE}f 1 2 x\n"), "test.obj:6: `x` is not a corner", "vertex//normal"),
        ("no vertex in a corner", format!("{SQUARE}f 1 2 /3\n"), "test.obj:6: `/3` is not a corner", "vertex//normal"),
        ("a fraction as index", format!("{SQUARE}f 1 2 3.5\n"), "test.obj:6: `3.5` is not a corner", "vertex//normal"),
        ("two corners", format!("{SQUARE}f 1 2\n"), "test.obj:6: the face has 2 corners", "at least 3"),
        ("no corners", format!("{SQUARE}f\n"), "test.obj:6: the face has 0 corners", "at least 3"),
        ("two coordinates", "v 0 0\n".into(), "test.obj:1: the vertex has 2 coordinates", "three"),
        ("not a number", "v 0 0 0\nv 0 1,5 0\n".into(), "test.obj:2: `1,5` is not a coordinate", "number"),
        ("NaN", "v 0 nan 0\n".into(), "test.obj:1: the coordinate NaN is not finite", "metres"),
        ("infinite", "v 0 0 -inf\n".into(), "test.obj:1: the coordinate -inf is not finite", "metres"),
        ("beyond single", "v 0 0 1e39\n".into(), "test.obj:1: the coordinate 1e39 is not finite or beyond", "metres"),
        ("beyond double", "v 0 0 1e999\n".into(), "test.obj:1: the coordinate inf is not finite", "metres"),
        (
            "a third face",
            fan.into(),
            "test.obj:8: the edge from vertex 1 to 2 belongs to a third face after those at line 6 and line 7;",
            "remove",
        ),
        (
            "touching sheets",
            touching.into(),
            "test.obj:11: the edge from vertex 5 to 6 belongs to a third face",
            "move the touching parts apart",
        ),
        ("a bow tie", format!("{SQUARE}f 1 3 2 4\n"), "test.obj:6: the face crosses itself", "split"),
        (
            "a lopsided bow tie",
            "v 0 0 0\nv 3 3 0\nv 3 0 0\nv 0 1 0\nf 1 2 3 4".into(),
            "test.obj:5: the face crosses itself",
            "split",
        ),
        (
            "a star",
            "v 10 0 0\nv -8 6 0\nv 3 -9.5 0\nv 3 9.5 0\nv -8 -6 0\nf 1 2 3 4 5\n".into(),
            "test.obj:6: the face crosses itself",
            "split",
        ),
        ("a curve", "v 0 0 0\ncurv 0 1 1 2\n".into(), "test.obj:2: `curv`: curves and curved surfaces", "convert"),
        ("a surface", "surf 0 1 0 1 1 2 3 4\n".into(), "test.obj:1: `surf`: curves and curved surfaces", "convert"),
        (
            "another format",
            "solid cube\nfacet normal 0 0 1\n".into(),
            "test.obj: the file is named .obj, but its content is STL",
            ".stl",
        ),
        (
            "cut in a vertex",
            "v 0 0 0\nv 1 0".into(),
            "test.obj:2: the vertex has 2 coordinates; the file ends in this line",
            "get it again",
        ),
        (
            "cut in a face",
            format!("{SQUARE}f 1 2 3\nf 2 3"),
            "test.obj:7: the face has 2 corners; the file ends in this line",
            "get it again",
        ),
        (
            "cut in a number",
            "v 0 0 0\nv 1 0 -".into(),
            "test.obj:2: `-` is not a coordinate; the file ends in this line",
            "get it again",
        ),
        ("cut before its vertices", format!("f 1 2 9\n{SQUARE}"), "test.obj:1: vertex 9 does not exist", "missing"),
    ];
    for (what, text, begin, remedy) in rows {
        let message = refused(text);
        assert!(message.starts_with(begin), "{what}: {message}");
        assert!(message.split_once("; ").is_some_and(|(_, told)| told.contains(remedy)), "{what}: {message}");
    }
}

/// The line of a fault is that of the file, past comments, empty lines, and continued lines.
#[test]
fn lines_are_counted_as_an_editor_does() {
    assert!(refused("# one\r\n\r\nv 0 \\\r\n0 0\r\nv 1\r\n").starts_with("test.obj:5:"));
    assert!(refused("# one\n\nv 0 \\\n0 0\nv 1 \\\n \\\n 2\n").starts_with("test.obj:5:"));
}

/// A binary file is refused without its bytes being printed raw.
#[test]
fn binary_files_are_refused_in_print() {
    let message = refused(b"\x89PNG\x1b[31m\x00\x01\x02\xff\xd8");
    assert!(message.contains("is not an OBJ statement"), "{message}");
    assert!(!message.contains('\x1b') && !message.contains('\0'), "{message:?}");
}

/// A concave polygon with very many corners is refused rather than clipped for minutes; a convex one is split.
#[test]
fn huge_polygons_are_limited() {
    let polygon = |radius: fn(u32) -> f64| {
        let mut text = String::new();
        for i in 0..2000 {
            let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 2000.0).sin_cos();
            text += &format!("v {} {} 0\n", radius(i) * cos, radius(i) * sin);
        }
        text + "f" + &(1..=2000).map(|i| format!(" {i}")).collect::<String>()
    };
    assert_eq!(loaded(polygon(|_| 1.0)).mesh.triangles.len(), 1998);
    assert!(refused(polygon(|i| 1.0 + f64::from(i % 2))).contains("not convex and has more than 1000 corners"));
}

/// A missing file, a folder and a file without permission or sense are told by their path.
#[test]
fn unreadable_files_are_told() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let message = |path: &std::path::Path| match mesh::read(path) {
        Ok(_) => panic!("{} was read", path.display()),
        Err(error) => error.to_string(),
    };
    let missing = folder.path().join("missing.obj");
    assert_eq!(message(&missing), format!("{}: there is no such file; check the path", missing.display()));
    assert_eq!(
        message(folder.path()),
        format!("{}: this is a folder; name a mesh file in it", folder.path().display())
    );
    let broken = folder.path().join("broken.obj");
    std::fs::write(&broken, "v 1 2\n").expect("the test's folder is writable");
    assert!(message(&broken).starts_with(&format!("{}:1: the vertex", broken.display())));
    // A name that no file system takes is an error other than "not found".
    let message = message(std::path::Path::new("nul\0byte.obj"));
    assert!(message.contains("the file cannot be read"), "{message}");
}

/// A statement of an OBJ file, most often a sound one, over few coordinates so that vertices coincide.
fn statement() -> impl Strategy<Value = String> {
    let coordinate = prop_oneof![Just("0"), Just("1"), Just("-0.5"), Just("1e0"), Just("2")];
    let vertex = [coordinate.clone(), coordinate.clone(), coordinate].prop_map(|x| format!("v {}", x.join(" ")));
    let index = prop_oneof![20 => 1i64..12, 2 => -6i64..0, 1 => Just(99)];
    let face = proptest::collection::vec(index, 3..6)
        .prop_map(|corners| corners.iter().fold("f".to_owned(), |text, corner| format!("{text} {corner}")));
    prop_oneof![12 => vertex, 6 => face, 1 => "[a-z]{1,4} [-0-9./e ]{0,9}\\\\?"]
}

proptest! {
    // Failures are printed, not kept in files.
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random bytes never panic.
    #[test]
    fn random_bytes_never_panic(bytes: Vec<u8>) {
        _ = mesh::parse("test.obj", bytes);
    }

    /// Random statements never panic, and what is read is clean.
    #[test]
    fn random_statements_never_panic(vertices in proptest::collection::vec(statement(), 0..60)) {
        if let Ok(loaded) = mesh::parse("test.obj", vertices.join("\n")) {
            assert_clean(&loaded.mesh);
        }
    }
}
