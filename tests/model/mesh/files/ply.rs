//! What a PLY file may say, and every message for what it may not.

use super::write::{self, Order};
use super::{loaded_as, refused_as};
use pliant::mesh::{Loaded, TriangleMesh};

/// Lines 1 to 8 of a text file; vertices follow from line 9.
const HEADER: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n";
const BODY: &str = "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

fn triangle() -> TriangleMesh {
    TriangleMesh { positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], triangles: vec![[0, 1, 2]] }
}

/// Every way to write the same triangle is read alike.
#[test]
fn ways_of_writing_are_read_alike() {
    let plain = format!("{HEADER}{BODY}");
    let faces_first = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nelement vertex 3\n\
        property double z\nproperty int x\nproperty float64 y\nend_header\n3 0 1 2\n0 0 0\n0 1 0\n0 0 1\n";
    let skipped = "ply\nformat ascii 1.0\nobj_info a b\nelement camera 2\nproperty float f\nproperty list int float g\n\
        element nothing 99999999999\nelement vertex 3\nproperty uchar red\nproperty float x\nproperty float y\n\
        property list uchar float weights\nproperty float z\nelement face 1\nproperty uchar flags\n\
        property list uint8 uint32 vertex_indices\nproperty list uchar float texcoord\nend_header\n\
        1 0\n2 3 4 5 6\n9 0 0 0 0\n9 1 0 1 7 0\n9 0 1 0 0\n1 3 0 1 2 6 0 0 0 0 0 0\n";
    let texts: &[(&str, Vec<u8>)] = &[
        ("plain", plain.clone().into()),
        ("CR LF", plain.replace('\n', "\r\n").into()),
        ("CR alone", plain.replace('\n', "\r").into()),
        ("a first line of Windows", plain.replacen('\n', "\r\n", 1).into()),
        ("no last end of line", plain.trim_end().into()),
        ("blank lines", format!("{HEADER}\n{}\n\n", BODY.replace('\n', "\n \t\n")).into()),
        ("a comment that is not UTF-8", [b"ply\ncomment caf\xe9\n", &plain.as_bytes()[4..]].concat()),
        ("faces first, other types", faces_first.into()),
        ("other elements and properties", skipped.into()),
        ("a strip", plain.replace("element face", "element tristrips").into()),
    ];
    for (what, text) in texts {
        let Loaded { mesh, repairs, .. } = loaded_as("test.ply", text);
        assert_eq!(mesh, triangle(), "{what}");
        assert_eq!(repairs, [""; 0], "{what}");
    }
}

/// Binary files are read in both orders with every type, after a header of any ends of lines, even where the first byte of
/// the body looks like another end of line.
#[test]
fn binary_files_of_every_type() {
    for end in ["\n", "\r\n", "\r"] {
        for (format, order) in [("binary_little_endian", Order::Little), ("binary_big_endian", Order::Big)] {
            let header = format!(
                "ply\nformat {format} 1.0\nelement vertex 3\nproperty char a\nproperty uchar b\nproperty short x\n\
                 property ushort y\nproperty double z\nelement face 1\nproperty list ushort short vertex_index\n\
                 property float area\nproperty int c\nproperty uint d\nend_header\n"
            );
            let mut bytes = header.replace('\n', end).into_bytes();
            for [x, y, z] in triangle().positions {
                bytes.extend(b"\n\r");
                bytes.extend(order.bytes((x as i16).to_le_bytes()));
                bytes.extend(order.bytes((y as u16).to_le_bytes()));
                bytes.extend(order.bytes(f64::to_le_bytes(z)));
            }
            [3i16, 0, 1, 2].iter().for_each(|number| bytes.extend(order.bytes(number.to_le_bytes())));
            bytes.extend([0; 12]);
            let Loaded { mesh, repairs, .. } = loaded_as("test.ply", bytes);
            assert_eq!((mesh, repairs), (triangle(), vec![]), "{format} {end:?}");
        }
    }
}

/// Strips turn every second triangle, and -1 begins a new one.
#[test]
fn strips_are_cut_into_triangles() {
    let text = "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n\
        element tristrips 1\nproperty list int int vertex_indices\nend_header\n\
        0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n-1 1 0\n9 0 1 2 3 4 -1 2 4 5\n";
    let Loaded { mesh, repairs, .. } = loaded_as("test.ply", text);
    assert_eq!(mesh.triangles, [[0, 1, 2], [2, 1, 3], [2, 3, 4], [2, 4, 5]]);
    assert_eq!(repairs, [""; 0], "wound alike");
}

/// Dirt is repaired as in every format, and told by the line of a text file, by the vertex or face of a binary one.
#[test]
fn dirty_files_are_repaired_and_say_so() {
    let dirty = TriangleMesh {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [7.0; 3], [-0.0; 3], [-1.0, 0.0, 0.0]],
        triangles: vec![[0, 1, 2], [4, 5, 2], [1, 1, 2]],
    };
    let told = |content: Vec<u8>| loaded_as("test.ply", content).repairs;
    assert_eq!(
        told(write::ply_text(&dirty)),
        [
            "dropped 1 vertex that no face uses (line 14)",
            "welded 1 vertex to another at the same position (line 15)",
            "dropped 1 face without area (line 19)",
            "turned round 1 face wound against its neighbours (line 18)"
        ]
    );
    assert_eq!(
        told(write::ply_binary(&dirty, Order::Little)),
        [
            "dropped 1 vertex that no face uses (vertex 3)",
            "welded 1 vertex to another at the same position (vertex 4)",
            "dropped 1 face without area (face 2)",
            "turned round 1 face wound against its neighbours (face 1)"
        ]
    );
}

/// Rows may be broken over lines, and several on one; what follows the last is left out. Each is said.
#[test]
fn rows_need_no_lines_of_their_own() {
    let sound = loaded_as("test.ply", format!("{HEADER}{BODY}"));
    for body in [BODY.replace(' ', "\n"), BODY.replace('\n', " "), "0 0\n0 1 0\n\n 0 0 1 0\n3 0\n1 2".to_string()] {
        let loaded = loaded_as("test.ply", format!("{HEADER}{body}"));
        assert_eq!(
            (&loaded.mesh, &loaded.repairs[..]),
            (&sound.mesh, &["read rows over the ends of lines".into()][..])
        );
    }
    let told = |content: &[u8]| loaded_as("test.ply", content).repairs;
    let longer = format!("{HEADER}{BODY}\n3 0 1 2\n0 0 0\n\n");
    assert_eq!(told(longer.as_bytes()), ["ignored 2 lines beyond the number of rows in the header (first at line 15)"]);
    let mut binary = write::ply_binary(&triangle(), Order::Big);
    binary.extend(b"\n");
    assert_eq!(told(&binary), [""; 0]);
    binary.extend([3, 0, 0, 0, 0]);
    assert_eq!(told(&binary), ["ignored 5 bytes beyond the number of rows in the header"]);
}

/// What has no right repair is refused with file, place, fault and remedy.
#[test]
fn broken_text_files_are_refused() {
    let plain = format!("{HEADER}{BODY}");
    let rows: &[(&str, String, &str, &str)] = &[
        (
            "no end of the header",
            "ply\nformat ascii 1.0\n".into(),
            ":3: the header has no line `end_header`",
            "cut off",
        ),
        ("no format", plain.replace("format ascii 1.0\n", ""), ": the header has no line `format`", "add"),
        ("another format", plain.replace("ascii", "utf8"), ":2: the format `utf8` is unknown", "ascii"),
        ("a count", plain.replace("vertex 3", "vertex -3"), ":3: `-3` is not a number of elements", "whole"),
        ("a type", plain.replace("float y", "half y"), ":5: the type `half` of the property is unknown", "double"),
        (
            "a lone property",
            plain.replace("element vertex 3\n", ""),
            ":3: `property float x` is not a line",
            "complete",
        ),
        (
            "a stray line",
            plain.replace("property float y", "what"),
            ":5: `what` is not a line of a PLY header",
            "remove",
        ),
        ("no z", plain.replace("property float z\n", ""), ":3: the vertices have no property `z`", "positions"),
        (
            "x as a list",
            plain.replace("float x", "list int float x"),
            ":3: the vertices have no property `x`",
            "export",
        ),
        ("no list", plain.replace("vertex_indices", "v"), ":7: the element `face` has no list", "export"),
        ("no faces", plain.replace("element face", "element fan"), ": the file has 3 vertices but no faces", "export"),
        ("no vertices", plain.replace("element vertex", "element v"), ":13: vertex 0 does not exist", "missing"),
        ("not a number", plain.replace("1 0 0", "1 0,5 0"), ":11: `0,5` is not a number", "write"),
        ("NaN", plain.replace("1 0 0", "1 nan 0"), ":11: the coordinate NaN is not finite", "metres"),
        ("infinite", plain.replace("1 0 0", "1 0 1e999"), ":11: the coordinate inf is not finite", "metres"),
        ("few numbers", plain.replace("1 0 0", "1 0"), ":11: the line has fewer numbers", "complete"),
        ("many numbers", plain.replace("1 0 0", "1 0 0 0"), ":11: the line goes on with `0`", "correct"),
        ("a huge list", plain.replace("3 0 1 2", "4294967295 0 1 2"), ":13: the line has fewer numbers", "complete"),
        ("a negative list", plain.replace("3 0 1 2", "-3 0 1 2"), ":13: a list has -3 numbers", "export"),
        ("a face of two", plain.replace("3 0 1 2", "2 0 1"), ":13: the face has 2 corners", "at least 3"),
        (
            "an index beyond",
            plain.replace("3 0 1 2", "3 0 1 3"),
            ":13: vertex 3 does not exist: the file has 3",
            "correct",
        ),
        ("a negative index", plain.replace("3 0 1 2", "3 0 1 -1"), ":13: vertex -1 does not exist", "correct"),
        ("half an index", plain.replace("3 0 1 2", "3 0 1 0.5"), ":13: vertex 0.5 does not exist", "correct"),
        (
            "cut",
            plain.replace("0 1 0\n3 0 1 2\n", ""),
            ":3: the header says 3 rows of `vertex`, but the file ends after 2",
            "cut off",
        ),
        (
            "a huge count",
            plain.replace("face 1", "face 99999999999"),
            ":7: the header says 99999999999 rows",
            "cut off",
        ),
        (
            "a third face",
            plain
                .replace("face 1", "face 3")
                .replace("3 0 1 2", "3 0 1 2\n3 1 0 3\n3 0 1 4")
                .replace("vertex 3", "vertex 5")
                .replace("0 1 0", "0 1 0\n0 -1 0\n0 0 1"),
            ":17: the edge from vertex 0 to 1 belongs to a third face after those at line 15 and line 16",
            "remove",
        ),
    ];
    for (what, text, begin, remedy) in rows {
        let message = refused_as("test.ply", text);
        assert!(message.starts_with(&format!("test.ply{begin}")), "{what}: {message}");
        assert!(message.split_once("; ").is_some_and(|(_, told)| told.contains(remedy)), "{what}: {message}");
    }
}

/// A binary file that breaks off is told by the vertex or face; one with more vertices than it can hold takes no memory.
#[test]
fn broken_binary_files_are_refused() {
    let mesh = triangle();
    let content = write::ply_binary(&mesh, Order::Little);
    let header = content.len() - 36 - 13;
    let cut = |bytes: usize| refused_as("test.ply", &content[..header + bytes]);
    assert!(cut(30).starts_with("test.ply: vertex 2: the file ends here; get the file again"), "{}", cut(30));
    assert!(
        cut(24).starts_with("test.ply:4: the header says 3 rows of `vertex`, but the file ends after 2"),
        "{}",
        cut(24)
    );
    assert!(cut(40).starts_with("test.ply: face 0: the file ends here"), "{}", cut(40));
    let mut wrong = content.clone();
    wrong[header + 37] = 9;
    assert!(refused_as("test.ply", &wrong).starts_with("test.ply: face 0: vertex 9 does not exist: the file has 3"));
    wrong[header + 4..header + 8].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(refused_as("test.ply", &wrong).starts_with("test.ply: vertex 0: the coordinate NaN is not finite"));
    let huge = String::from_utf8_lossy(&content[..header]).replace("vertex 3", "vertex 18446744073709551615");
    let message = refused_as("test.ply", [huge.as_bytes(), &content[header..]].concat());
    assert!(message.contains("vertex 4: the file ends here"), "{message}");
    let huge_list = String::from_utf8_lossy(&content[..header]).replace("list uchar", "list uint");
    let message = refused_as("test.ply", [huge_list.as_bytes(), &content[header..header + 36], &[255; 8]].concat());
    assert!(message.contains("face 0: the file ends here"), "{message}");
}
