//! Files of tetrahedra that have no right repair: every message, and no panic.

use super::{ELE, MSH_2, MSH_4, NODE, VTK, VTK_5, box_files, parsed, refusal};
use pliant::mesh::{self, LoadedTetrahedra};
use proptest::prelude::*;

/// What has no right repair is refused with the file, the line, the element, the fault and the remedy.
#[test]
fn broken_tetgen_files_are_refused() {
    let flat = NODE.replace("4 1 1 1", "4 0.5 0.5 0.0000001");
    let rows: &[(&str, String, String, &str, &str)] = &[
        ("flat", flat, "1 4 0\n7 0 1 2 4\n".into(), "test.ele:2: element 7 is flat", "quality"),
        (
            "two vertices at one place",
            NODE.replace("4 1 1 1", "4 0 0 0"),
            ELE.replace("1 2 3 4", "0 1 2 4"),
            "test.ele:3: element 1 is flat",
            "mesh the body again",
        ),
        (
            "a corner twice",
            NODE.into(),
            ELE.replace("1 2 3 4", "1 2 2 4"),
            "test.ele:3: element 1 names vertex 2 twice",
            "remove",
        ),
        (
            "no such vertex",
            NODE.into(),
            ELE.replace("2 3 4", "2 3 9"),
            "test.ele:3: element 1 names vertex 9, which the file does not have",
            "correct",
        ),
        (
            "a vertex below",
            NODE.into(),
            ELE.replace("0 0 1 2 3", "0 -7 1 2 3"),
            "test.ele:2: element 0 names vertex -7",
            "correct",
        ),
        (
            "a corner beyond all numbers",
            NODE.into(),
            ELE.replace("2 3 4", "2 3 9223372036854775807"),
            "test.ele:3: element 1 names vertex 9223372036854775807",
            "correct",
        ),
        (
            "NaN",
            NODE.replace("1 1 1", "1 nan 1"),
            ELE.into(),
            "test.node:6: the coordinate NaN is not finite",
            "metres",
        ),
        (
            "beyond single precision",
            NODE.replace("1 1 1", "1 1e39 1"),
            ELE.into(),
            "test.node:6: the coordinate 1e39",
            "metres",
        ),
        (
            "a word",
            NODE.replace("1 1 1", "1 0,5 1"),
            ELE.into(),
            "test.node:6: `0,5` is not the y coordinate",
            "number",
        ),
        (
            "two coordinates",
            NODE.replace("1 1 1", "1 1"),
            ELE.into(),
            "test.node:6: the line ends where the z coordinate should be",
            "complete",
        ),
        (
            "three corners",
            NODE.into(),
            ELE.replace("1 1 2 3 4", "1 1 2 3"),
            "test.ele:3: the line ends where a corner",
            "complete",
        ),
        (
            "nine nodes",
            NODE.into(),
            "1 10 0\n0 0 1 2 3 9 9 9 9 9\n".into(),
            "test.ele:2: the line ends where a node",
            "complete",
        ),
        (
            "a vertex number twice",
            NODE.replace("4 1 1 1", "3 1 1 1"),
            ELE.into(),
            "test.node:6: vertex 3 is defined twice",
            "own",
        ),
        (
            "fewer vertices",
            NODE.replace("5 3", "6 3"),
            ELE.into(),
            "test.node:1: the header says 6 vertices, and 5 follow",
            "cut off",
        ),
        (
            "fewer elements",
            NODE.into(),
            ELE.replace("2 4", "900000000000000000 4"),
            "test.ele:1: the header says 900000000000000000 elements, and 2 follow",
            "cut off",
        ),
        (
            "a count beyond all numbers",
            NODE.into(),
            ELE.replace("2 4", "99999999999999999999 4"),
            "test.ele:1: `99999999999999999999` is not the number of elements",
            "whole",
        ),
        (
            "a negative count",
            NODE.replace("5 3", "-5 3"),
            ELE.into(),
            "test.node:1: the number of vertices is -5",
            "correct the header",
        ),
        ("two dimensions", NODE.replace("5 3", "5 2"), ELE.into(), "test.node:1: the vertices have 2 dimensions", "3"),
        ("triangles", NODE.into(), "1 3 0\n0 0 1 2\n".into(), "test.ele:1: the elements have 3 nodes", "4 nodes"),
        ("files changed about", ELE.into(), NODE.into(), "test.node:1: the vertices have 4 dimensions", "3"),
        (
            "cut in a line",
            NODE.into(),
            ELE[..20].into(),
            "test.ele:3: the line ends where",
            "the file ends in this line",
        ),
        (
            "no elements",
            NODE.into(),
            "0 4 0\n".into(),
            "test.ele: the file has 5 vertices but no tetrahedra",
            "volume mesh",
        ),
        ("empty", NODE.into(), " \n".into(), "test.ele: the file is empty", "export"),
        (
            "nothing but a comment",
            "# 5 3".into(),
            ELE.into(),
            "test.node:1: the file ends where the number of vertices should be",
            "cut off",
        ),
        (
            "garbage",
            "PK\x03\x04".into(),
            ELE.into(),
            "test.node:1: `PK\\u{3}\\u{4}` is not the number of vertices",
            "whole",
        ),
    ];
    for (what, node, ele, begin, remedy) in rows {
        let message = refusal(mesh::parse_tetgen("test", node, ele), what);
        assert!(message.starts_with(begin), "{what}: {message}");
        assert!(message.split_once("; ").is_some_and(|(_, told)| told.contains(remedy)), "{what}: {message}");
    }
}

/// So it is in text of the other formats.
#[test]
fn broken_files_of_other_formats_are_refused() {
    let m = |from: &str, to: &str| MSH_2.replace(from, to);
    let b = |from: &str, to: &str| MSH_4.replace(from, to);
    let v = |from: &str, to: &str| VTK.replace(from, to);
    let w = |from: &str, to: &str| VTK_5.replace(from, to);
    let rows: &[(&str, String, &str, &str)] = &[
        ("a.msh", m("2.2 0", "4 0"), ":2: version 4 of MSH is not read", "2.2"),
        ("a.msh", m("2.2 0", "1 0"), ":2: version 1 of MSH is not read", "4.1"),
        (
            "a.msh",
            m("$MeshFormat\n", "$NOD\n"),
            ":1: a MSH file begins with `$MeshFormat`, and this one with `$NOD`",
            "extension of its format",
        ),
        ("a.msh", m("2.2 0 8", "2.2 1 4"), ":2: the kind of file is 1, its numbers have 4 bytes", "export"),
        ("a.msh", m("2.2 0 8", "2.2 1 8"), ":2: the order of bytes is unknown", "export"),
        ("a.msh", m("$EndNodes\n", ""), ":11: found `$Elements` where `$EndNodes` should be", "counts"),
        ("a.msh", m("\n5\n", "\n7\n"), ":5: the header says 7 nodes, and 5 follow", "cut off"),
        ("a.msh", m("30 40 50\n", "30 40\n"), ":15: the line ends where a corner", "complete"),
        ("a.msh", m("20 30 40 50", "20 30 40 60"), ":15: element 2 names vertex 60", "correct"),
        ("a.msh", m("20 30 40 50", "20 30 30 50"), ":15: element 2 names vertex 30 twice", "remove"),
        ("a.msh", m("2 4 2 1 1 20", "2 5 2 1 1 20"), ":15: element 2 is a hexahedron", "tetrahedra alone"),
        ("a.msh", m("2 4 2 1 1 20", "2 99 2 1 1 20"), ":15: element 2 is of type 99", "tetrahedra alone"),
        ("a.msh", m("2 4 2 1 1 20", "2 4 9999999999 1 1 20"), ":15: the line ends where a tag", "complete"),
        ("a.msh", m("$EndElements\n", ""), ":15: the file ends without `$EndElements`", "cut off"),
        ("a.msh", m("$EndNodes", "$EndNodes\nstray"), ":12: found `stray` where a section", "remove"),
        ("a.msh", m("$Nodes", "$Periodic\n1\n$Nodes"), ":4: the section `$Periodic` has no end", "cut off"),
        ("a.msh", b("3 1 0 5", "3 1 0 4"), ":11: the line ends where the y coordinate", "complete"),
        ("a.msh", b("3 1 0 5", "3 1 0 900000000000000"), ":17: `$EndNodes` is not the number of a node", "whole"),
        ("a.msh", b("1 5 10 50", "2 5 10 50"), ":17: `$EndNodes` is not the dimension of a block", "number"),
        ("a.msh", b("1 5 10 50", "1 6 10 50"), ":5: the header says 6 nodes, and 5 follow", "cut off"),
        ("a.msh", b("3 1 4 2", "3 1 4 1"), ":19: the header says 2 elements, and 1 follow", "cut off"),
        ("a.msh", b("3 1 4 2", "3 1 7 2"), ":21: element 1 is a pyramid", "tetrahedra alone"),
        ("a.vtk", v("# vtk", "vtk"), ":1: a VTK file begins with `# vtk DataFile Version`", "extension of its format"),
        ("a.vtk", v("ASCII", "XML"), ":3: found `XML` where `ASCII` or `BINARY`", "export"),
        ("a.vtk", v("UNSTRUCTURED_GRID", "POLYDATA"), ":4: found `DATASET POLYDATA` where", "unstructured grid"),
        ("a.vtk", v("POINTS 5", "POINTS 6"), ":5: the header says 6 points, and 5 follow", "cut off"),
        ("a.vtk", v("1 1 1\n", "1 1\n"), ":8: `CELLS` is not the z coordinate", "number"),
        ("a.vtk", v("4 1 2 3 4", "4 1 2 3"), ":11: `CELL_TYPES` is not a vertex of a cell", "whole"),
        ("a.vtk", v("4 1 2 3 4", "4 1 2 3 7"), ":10: element 1 names vertex 7", "correct"),
        ("a.vtk", v("4 1 2 3 4", "3 1 2 3"), ":10: element 1 has 3 vertices, but its type 10 is that of 4", "type"),
        ("a.vtk", v("10\n10\n", "10\n12\n"), ":10: element 1 is a hexahedron", "tetrahedra alone"),
        ("a.vtk", v("10\n10\n", "10\n"), ":11: the header says 2 types, and 1 follow", "cut off"),
        ("a.vtk", v("CELL_TYPES 2\n10\n10\n", ""), ": the file has 2 cells and 0 cell types", "cut off"),
        ("a.msh", m("4 2 1 1", "2 2 1 1"), ": the file has 5 vertices but no tetrahedra", "volume mesh"),
        ("a.vtk", v("CELLS 2 10", "CELLS 2 -10"), ":8: the number of numbers is -10", "correct the header"),
        ("a.vtk", v("CELLS 2 10", "CELLS -2 10"), ":8: the number of cells is -2", "correct the header"),
        ("a.vtk", v("POINTS 5", "POINTS -5"), ":5: the number of points is -5", "correct the header"),
        ("a.vtk", v("TYPES 2", "TYPES -2"), ":11: the number of types is -2", "correct the header"),
        ("a.vtk", v("4 1 2 3 4", "-4 1 2 3 4"), ":10: the number of vertices in a cell is -4", "correct"),
        ("a.vtk", w("CELLS 3 8", "CELLS 3 -8"), ":9: the number of vertices of cells is -8", "correct the header"),
        ("a.msh", m("\n5\n", "\n-5\n"), ":5: the number of nodes is -5", "correct the header"),
        ("a.msh", m("4 2 1 1 10", "4 -2 1 1 10"), ":14: the number of tags is -2", "correct the header"),
        ("a.msh", b("3 1 0 5", "3 1 0 -5"), ":6: the number of nodes is -5", "correct the header"),
        ("a.msh", b("3 1 4 2", "3 1 4 -2"), ":20: the number of elements is -2", "correct the header"),
        ("a.vtk", w("0 4 8", "0 4 3"), ":11: the offset 3 follows 4", "export"),
        ("a.vtk", w("0 4 8", "0 4 9"), ":14: `CELL_TYPES` is not a vertex", "whole"),
        ("a.vtk", w("OFFSETS", "OFSETS"), ":10: found `OFSETS` where `OFFSETS`", "count"),
        ("a.vtk", w("0 4 8", "-9223372036854775808 4 9"), ":11: the offset 4 follows -9223372036854775808", "export"),
    ];
    for (name, text, begin, remedy) in rows {
        let message = refusal(mesh::parse_tetrahedra(name, text), begin);
        assert!(message.starts_with(&format!("{name}{begin}")), "{begin}: {message}");
        assert!(message.split_once("; ").is_some_and(|(_, told)| told.contains(remedy)), "{begin}: {message}");
    }
}

/// A file that is cut off anywhere is refused, or nothing but its last line's end and what follows the mesh was cut.
#[test]
fn cut_files_are_refused() {
    for (name, content) in box_files() {
        let whole = parsed(&name, &content).mesh;
        for length in 0..content.len() {
            match mesh::parse_tetrahedra(&name, &content[..length]) {
                Ok(LoadedTetrahedra { mesh, .. }) => assert_eq!(mesh, whole, "{name} after {length} bytes"),
                Err(error) => assert!(!error.remedy.is_empty()),
            }
        }
    }
}

proptest! {
    // Failures are printed, not kept in files.
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random bytes after the beginning of each format.
    #[test]
    fn random_bytes_never_panic(bytes: Vec<u8>) {
        let beginnings: [(&str, &[u8]); 5] = [
            ("a.msh", b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n"),
            ("a.msh", b"$MeshFormat\n2.2 1 8\n\0\0\0\x01\n$EndMeshFormat\n$Elements\n9999\n"),
            ("a.msh", b"$MeshFormat\n"),
            ("a.vtk", b"# vtk DataFile Version 5.1\n\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 9999999999999 double\n"),
            ("a.vtk", b"# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nCELLS 9 9\n"),
        ];
        for (name, beginning) in beginnings {
            _ = mesh::parse_tetrahedra(name, [beginning, &bytes].concat());
        }
        _ = mesh::parse_tetgen("a", &bytes, ELE);
        _ = mesh::parse_tetgen("a", NODE, [b"9 4\n", bytes.as_slice()].concat());
    }
}
