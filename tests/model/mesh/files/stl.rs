//! What an STL file may say, and every message for what it may not.

use super::{loaded_as, refused_as, write};
use pliant::mesh::generate::{Cuboid, Grid};
use pliant::mesh::{Loaded, TriangleMesh};

const FACET: &str =
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n";

fn solid(facets: &str) -> String {
    format!("solid test\n{facets}endsolid test\n")
}

/// The first corners are the outer ones of a square of two triangles.
fn square() -> TriangleMesh {
    Grid { columns: 2, rows: 2, width: 1.0, height: 1.0 }.mesh(Default::default())
}

/// Every way to write the same triangle is read alike.
#[test]
fn ways_of_writing_are_read_alike() {
    let plain = solid(FACET);
    let expected = loaded_as("test.stl", &plain);
    assert_eq!(expected.mesh.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(expected.repairs, [""; 0]);
    let texts: &[(&str, Vec<u8>)] = &[
        ("capital letters", plain.to_uppercase().into()),
        ("CR LF", plain.replace('\n', "\r\n").into()),
        ("CR alone", plain.replace('\n', "\r").into()),
        ("byte order mark", format!("\u{feff}{plain}").into()),
        ("blank lines", plain.replace('\n', "\n\n\t\n").into()),
        ("normals that are not numbers", plain.replace("normal 0 0 1", "normal nan -nan(ind) inf").into()),
        ("no normals", plain.replace(" normal 0 0 1", "").into()),
        ("no name", plain.replace(" test", "").into()),
        ("a name that is not UTF-8", [b"solid caf\xe9\n", &plain.as_bytes()[11..]].concat()),
        ("a long name", plain.replace("solid test", &format!("solid {}", "facet ".repeat(300))).into()),
        ("exponents", plain.replace("1 0 0", "+1.0E+000 -0.0 0e-3").into()),
        ("a colour", plain.replace("endfacet", "color 1 0 0\nendfacet").into()),
    ];
    for (what, text) in texts {
        assert_eq!(loaded_as("test.stl", text), expected, "{what}");
    }
}

/// Corners are welded without a word, as the format wants it, and make a closed surface.
#[test]
fn corners_are_welded() {
    let cube = Cuboid { cells: [2; 3], size: [1.0; 3] }.mesh();
    for content in [write::stl_text(&cube), write::stl_binary(&cube, "cube")] {
        let Loaded { mesh, repairs, .. } = loaded_as("test.stl", content);
        crate::closed::assert_closed(&mesh);
        assert_eq!(mesh.positions.len(), cube.positions.len());
        assert!((mesh.signed_volume() - 1.0).abs() < crate::mesh::ROUNDING);
        assert_eq!(repairs, [""; 0]);
    }
}

/// Several solids become one mesh, quads are split, bytes after the last facet are left out; each is said.
#[test]
fn dirty_files_are_repaired_and_say_so() {
    let repairs = |content: &[u8]| loaded_as("test.stl", content).repairs;
    let second = FACET.replace("0 0 0", "1 1 0").replace("vertex 1 0 0", "vertex 0 1 0 ").replacen(
        "vertex 0 1 0\n",
        "vertex 1 0 0\n",
        1,
    );
    let two = solid(FACET) + &solid(&second);
    assert_eq!(repairs(two.as_bytes()), ["merged 2 solids into one mesh"]);
    let quad = solid(&FACET.replace("vertex 0 1 0", "vertex 1 1 0\nvertex 0 1 0"));
    assert_eq!(repairs(quad.as_bytes()), ["split 1 polygon into triangles (line 2)"]);
    let twice = solid(&format!("{FACET}{FACET}"));
    assert_eq!(repairs(twice.as_bytes()), ["dropped 1 face that comes twice (line 9)"]);
    let mut longer = write::stl_binary(&square(), "solid of a program");
    longer.extend([0; 60]);
    assert_eq!(repairs(&longer), ["ignored 60 bytes after the 2 facets of the header"]);
    let mut uncounted = write::stl_binary(&square(), "solid of a program");
    uncounted[80..84].fill(0);
    assert_eq!(repairs(&uncounted), ["read all 2 facets, though the header says 0"]);
    assert!((loaded_as("test.stl", &uncounted).mesh.area() - square().area()).abs() < crate::mesh::ROUNDING);
    uncounted.push(0);
    let message = refused_as("test.stl", &uncounted);
    assert!(message.contains("says 0 facets, and 101 bytes follow, which is not a whole number"), "{message}");
    let mut turned = square();
    turned.triangles[1].swap(0, 1);
    assert_eq!(repairs(&write::stl_binary(&turned, "")), ["turned round 1 face wound against its neighbours (face 1)"]);
}

/// What has no right repair is refused with file, place, fault and remedy.
#[test]
fn broken_text_files_are_refused() {
    let third =
        [("0 1 0", "0 1 0"), ("0 1 0", "0 0 1"), ("0 1 0", "0 -1 0")].map(|(a, b)| FACET.replace(a, b)).concat();
    let rows: &[(&str, String, &str, &str)] = &[
        ("no facets", solid(""), ": the file has no faces", "export"),
        ("two corners", solid(&FACET.replace("  vertex 1 0 0\n", "")), ":2: the face has 2 corners", "at least 3"),
        ("two coordinates", solid(&FACET.replace("1 0 0", "1 0")), ":5: the vertex has 2 coordinates", "three"),
        ("a word", solid(&FACET.replace("1 0 0", "1 0,5 0")), ":5: `0,5` is not a coordinate", "number"),
        ("NaN", solid(&FACET.replace("1 0 0", "1 nan 0")), ":5: the coordinate NaN is not finite", "metres"),
        (
            "a stray word",
            solid(&FACET.replace("endloop", "endlop")),
            ":7: found `endlop` where `vertex` or `endfacet`",
            "cut",
        ),
        (
            "a lost end",
            solid(&format!("{}{FACET}", FACET.replace("endfacet\n", ""))),
            ":8: found `facet` where",
            "joined",
        ),
        ("no solid", solid(FACET) + FACET, ":10: found `facet` where `solid` should be", "joined"),
        ("a stray vertex", solid("vertex 0 0 0\n"), ":2: found `vertex` where `facet` or `endsolid`", "cut"),
        ("cut in a facet", solid(FACET)[..74].into(), ":2: the facet that begins here has no endfacet", "cut off"),
        ("cut in a word", solid(FACET)[..60].into(), ":5: found `v` where `vertex`", "the file ends in this line"),
        (
            "cut after a facet",
            solid(FACET).replace("endsolid test\n", ""),
            ":1: the solid that begins here has no endsolid",
            "cut off",
        ),
        (
            "a third face",
            solid(&third),
            ":16: the edge from vertex (0, 0, 0) to (1, 0, 0) belongs to a third face after those at line 2 and line 9",
            "remove",
        ),
    ];
    for (what, text, begin, remedy) in rows {
        let message = refused_as("test.stl", text);
        assert!(message.starts_with(&format!("test.stl{begin}")), "{what}: {message}");
        assert!(message.split_once("; ").is_some_and(|(_, told)| told.contains(remedy)), "{what}: {message}");
    }
}

/// A binary file that breaks off tells both counts, whatever its header begins with, and takes no memory for facets that it
/// does not hold.
#[test]
fn broken_binary_files_are_refused() {
    for header in ["binary", "solid of a program", "#", "v 0 0 0", "ply"] {
        let content = write::stl_binary(&square(), header);
        assert_eq!(loaded_as("test.stl", &content).mesh.triangles.len(), 2, "{header}");
    }
    for header in ["binary", "solid of a program"] {
        let content = write::stl_binary(&square(), header);
        let message = refused_as("test.stl", &content[..150]);
        assert!(message.starts_with("test.stl: the header says 2 facets, but the file ends after 1; get"), "{message}");
        let mut huge = content.clone();
        huge[80..84].copy_from_slice(&[255; 4]);
        let message = refused_as("test.stl", &huge);
        assert!(
            message.starts_with("test.stl: the header says 4294967295 facets, but the file ends after 2"),
            "{message}"
        );
        let mut nan = content.clone();
        nan[84 + 50 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
        let message = refused_as("test.stl", &nan);
        assert!(message.starts_with("test.stl: face 1: the coordinate NaN is not finite"), "{message}");
    }
    let message = refused_as("test.stl", [0; 50]);
    assert!(message.starts_with("test.stl: the file has 50 bytes, and a binary STL file has at least 84"), "{message}");
}
