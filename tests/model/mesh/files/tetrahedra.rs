//! What files of tetrahedra may say, and what is repaired.

mod broken;

use std::collections::HashMap;
use std::path::Path;

use crate::mesh::{cross, dot, sub};
use pliant::mesh::{self, LoadedTetrahedra, TetrahedronMesh};

/// Two tetrahedra with a common face, in every format.
const NODE: &str = "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n";
const ELE: &str = "2 4 0\n0 0 1 2 3\n1 1 2 3 4\n";
const MSH_2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n50 1 1 1\n\
    $EndNodes\n$Elements\n2\n1 4 2 1 1 10 20 30 40\n2 4 2 1 1 20 30 40 50\n$EndElements\n";
const MSH_4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 10 50\n3 1 0 5\n10\n20\n30\n40\n50\n0 0 0\n1 0 0\n0 1 0\n\
    0 0 1\n1 1 1\n$EndNodes\n$Elements\n1 2 1 2\n3 1 4 2\n1 10 20 30 40\n2 20 30 40 50\n$EndElements\n";
const VTK: &str = "# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0\n0 1 0 0 0 1 1 1 1\n\
    CELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10\n10\n";
const VTK_5: &str = "# vtk DataFile Version 5.1\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n\
    1 1 1\nCELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n0 1 2 3 1 2 3 4\nCELL_TYPES 2\n10\n10\n";

fn two() -> TetrahedronMesh {
    TetrahedronMesh {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0; 3]],
        tetrahedra: vec![[0, 1, 2, 3], [1, 2, 3, 4]],
    }
}

fn parsed(name: &str, content: impl AsRef<[u8]>) -> LoadedTetrahedra {
    mesh::parse_tetrahedra(name, content).unwrap_or_else(|error| panic!("{error}"))
}

fn tetgen(node: impl AsRef<[u8]>, ele: impl AsRef<[u8]>) -> LoadedTetrahedra {
    mesh::parse_tetgen("test", node, ele).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(result: Result<LoadedTetrahedra, mesh::MeshError>, what: &str) -> String {
    match result {
        Ok(loaded) => panic!("{what}: was not refused: {loaded:?}"),
        Err(error) => error.to_string(),
    }
}

/// What the reader promises of a mesh that it hands out. Volumes are measured by a formula of the test's own.
fn assert_clean(mesh: &TetrahedronMesh) {
    let mut used = vec![false; mesh.positions.len()];
    mesh.tetrahedra.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
    assert!(used.iter().all(|&used| used), "a vertex is loose");
    assert!(mesh.positions.iter().flatten().all(|x| x.is_finite()));
    assert!(
        mesh.tetrahedra.iter().all(|&tetrahedron| determinant(mesh, tetrahedron) > 0.0),
        "one is flat or inside out"
    );
    let mut sets: Vec<_> = mesh.tetrahedra.clone();
    sets.iter_mut().for_each(|set| set.sort_unstable());
    sets.sort_unstable();
    assert!(sets.is_sorted_by(|a, b| a < b), "one comes twice");
}

/// Six times the volume, seen from the last corner.
fn determinant(mesh: &TetrahedronMesh, tetrahedron: [u32; 4]) -> f64 {
    let [a, b, c, d] = tetrahedron.map(|vertex| mesh.positions[vertex as usize]);
    dot(cross(sub(b, d), sub(a, d)), sub(c, d))
}

/// The volume and the area of what the faces that come once enclose, by the divergence theorem: each is wound so that the
/// fourth corner of its tetrahedron lies behind it.
fn boundary(positions: &[[f64; 3]], tetrahedra: &[[usize; 4]]) -> (f64, f64, usize) {
    let mut faces: HashMap<[usize; 3], Option<[usize; 4]>> = HashMap::new();
    for &[a, b, c, d] in tetrahedra {
        for [p, q, r, behind] in [[a, b, c, d], [a, b, d, c], [a, c, d, b], [b, c, d, a]] {
            let mut face = [p, q, r];
            face.sort_unstable();
            faces.entry(face).and_modify(|owner| *owner = None).or_insert(Some([p, q, r, behind]));
        }
    }
    let outer: Vec<[usize; 4]> = faces.into_values().flatten().collect();
    let (mut volume, mut area) = (0.0, 0.0);
    for corners in &outer {
        let [p, q, r, behind] = corners.map(|vertex| positions[vertex]);
        let normal = cross(sub(q, p), sub(r, p));
        let outward = -dot(normal, sub(behind, p)).signum();
        volume += outward * dot(normal, p) / 6.0;
        area += dot(normal, normal).sqrt() / 2.0;
    }
    (volume, area, outer.len())
}

/// Files that other programs wrote: the box of 1 by 2 by 3 m that Gmsh 4.15 meshed, as Gmsh, VTK 9.7 and meshio 5.3 write it.
fn box_files() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/model/mesh/files/data");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of files")
        .map(|entry| entry.expect("a file").path())
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into(), std::fs::read(&path).expect("a file")))
        .collect();
    files.sort();
    files
}

/// The box as other programs write it, in text and binary, old and new, straight and of second order: 22 vertices, 42
/// tetrahedra and 40 faces outside, as meshio counts them; and 6 m³ and 22 m², which VTK's 10 digits leave right to 1e-9.
#[test]
fn files_of_other_programs_are_read() {
    let files = box_files();
    assert_eq!(files.len(), 13);
    for (name, content) in files {
        let LoadedTetrahedra { mesh, repairs, .. } = parsed(&name, content);
        assert_clean(&mesh);
        assert_eq!((mesh.positions.len(), mesh.tetrahedra.len()), (22, 42), "{name}");
        let tetrahedra: Vec<_> = mesh.tetrahedra.iter().map(|corners| corners.map(|vertex| vertex as usize)).collect();
        let (volume, area, faces) = boundary(&mesh.positions, &tetrahedra);
        assert_eq!(faces, 40, "{name}");
        for (found, expected) in [(volume, 6.0), (mesh.signed_volume(), 6.0), (area, 22.0)] {
            assert!((found - expected).abs() < 1e-9, "{name}: {found} is not {expected}");
        }
        for axis in 0..3 {
            let coordinates = || mesh.positions.iter().map(|position| position[axis]);
            assert_eq!(coordinates().fold(f64::INFINITY, f64::min), 0.0, "{name}");
            assert_eq!(coordinates().fold(f64::NEG_INFINITY, f64::max), (axis + 1) as f64, "{name}");
        }
        // 40 triangles outside; Gmsh also writes lines and points.
        let left_out = if name.starts_with("meshio") { "left out 40 " } else { "left out 64 " };
        let second_order = name.contains("second_order");
        // One node in the middle of each edge.
        let dropped = if second_order {
            &format!("dropped {} vertices that are no corner", mesh.edges().len())
        } else {
            "left out"
        };
        assert_eq!(repairs.len(), if second_order { 3 } else { 1 }, "{name}: {repairs:?}");
        assert!(repairs[0].starts_with(left_out), "{name}: {repairs:?}");
        assert!(repairs.iter().any(|told| told.starts_with(dropped)), "{name}: {repairs:?}");
        assert_eq!(repairs.iter().any(|told| told.starts_with("read only the corners of 42 elements")), second_order);
    }
}

/// Every way to write the two tetrahedra in TetGen's files is read alike, and needs no repair.
#[test]
fn ways_of_writing_tetgen_are_read_alike() {
    let node_1 = "5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n";
    let ele_1 = "2 4 0\n1 1 2 3 4\n2 2 3 4 5\n";
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let rows: &[(&str, String, String)] = &[
        ("as it is", NODE.into(), ELE.into()),
        ("counted from 1", node_1.into(), ele_1.into()),
        (
            "counted from 101",
            node_1.replace("\n", "\n10").trim_end_matches("10").into(),
            "2 4 0\n1 101 102 103 104\n2 102 103 104 105\n".into(),
        ),
        ("CR LF", crlf(NODE), crlf(ELE)),
        ("CR alone", NODE.replace('\n', "\r"), ELE.replace('\n', "\r")),
        ("no last end of line", NODE.trim_end().into(), ELE.trim_end().into()),
        ("byte order mark", format!("\u{feff}{NODE}"), format!("\u{feff}{ELE}")),
        (
            "comments and blank lines",
            format!("# 9\n\n{}", NODE.replace('\n', " # 1 2\n\n")),
            format!("{ELE}# 9 9\n \t\n"),
        ),
        ("tabs and indents", NODE.replace(' ', "\t ").replace('\n', "\n  "), ELE.replace(' ', " \t")),
        ("exponents", NODE.replace(" 1", " +10.0E-1"), ELE.into()),
        ("attributes and markers", NODE.replace('\n', " nan 1\n"), ELE.replace('\n', " 3\n")),
        ("no more than is needed", NODE.replace("5 3 0 0", "5 3"), ELE.replace("4 0", "4")),
    ];
    for (what, node, ele) in rows {
        let loaded = tetgen(node, ele);
        assert_eq!(loaded, LoadedTetrahedra { mesh: two(), repairs: Vec::new(), numbers: Vec::new() }, "{what}");
    }
}

/// Every way to write them in the other formats is, too: sections in any order, numbers with gaps, lines broken anywhere.
#[test]
fn ways_of_writing_other_formats_are_read_alike() {
    let (head, sections) = MSH_2.split_at(MSH_2.find("$Nodes").expect("nodes"));
    let (nodes, elements) = sections.split_at(sections.find("$Elements").expect("elements"));
    let comment = "$Comments\n$Nodes are 5\n$EndComments\n";
    let data = "CELL_DATA 2\nSCALARS POINTS int\nLOOKUP_TABLE default\nPOINTS 9\nPOINT_DATA 5\n";
    let field = "FIELD FieldData 1\nTIME 1 1 double\n0.5\n";
    let meta = "METADATA\nINFORMATION 1\nNAME L2 LOCATION vtkDataArray\nDATA 2 0 3.5\n\n";
    let rows: &[(&str, &str, String)] = &[
        ("version 2.2", "a.msh", MSH_2.into()),
        ("version 2", "a.msh", MSH_2.replace("2.2 0", "2 0")),
        ("version 4.1", "a.msh", MSH_4.into()),
        ("elements first", "a.msh", format!("{head}{elements}{nodes}")),
        ("sections without use", "a.msh", format!("{head}{comment}{nodes}\n\n{comment}{elements}{comment}")),
        ("no tags", "a.msh", MSH_2.replace(" 2 1 1", " 0")),
        ("indents and blank lines", "a.MSH", MSH_4.replace('\n', "\n\n \t")),
        ("CR LF", "a.msh", MSH_4.replace('\n', "\r\n")),
        ("parameters", "a.msh", MSH_4.replace("3 1 0 5", "3 1 1 5").replace("0 0 1\n", "0 0 1 0.1 0.2 0.3\n")),
        (
            "two blocks",
            "a.msh",
            MSH_4
                .replace("\n3 1 4 2", "\n3 1 4 1")
                .replace("\n2 20", "\n3 2 4 1\n2 20")
                .replace("\n1 2 1 2", "\n2 2 1 2"),
        ),
        ("version 3", "a.vtk", VTK.into()),
        ("version 5.1", "a.vtk", VTK_5.into()),
        ("CR LF", "a.vtk", VTK_5.replace('\n', "\r\n")),
        (
            "a number a line",
            "a.vtk",
            VTK.replace(
                " 1 1 1
",
                "
1
1

 1
",
            )
            .replace(
                "4 0 1 2 3
4",
                "4
0
1
2
3 4
",
            ),
        ),
        ("small letters", "a.Vtk", VTK.replace("CELL", "cell").replace("POINTS", "points").replace("ASCII", "ascii")),
        (
            "data and a field",
            "a.vtk",
            VTK.replace("POINTS 5", &format!("{field}POINTS 5")).replace("CELLS", &format!("{meta}CELLS")) + data,
        ),
        (
            "types first",
            "a.vtk",
            VTK.replace("CELL_TYPES 2\n10\n10\n", "").replace("CELLS", "CELL_TYPES 2\n10\n10\nCELLS"),
        ),
    ];
    for (what, name, text) in rows {
        let loaded = parsed(name, text);
        assert_eq!(
            loaded,
            LoadedTetrahedra { mesh: two(), repairs: Vec::new(), numbers: Vec::new() },
            "{name}: {what}"
        );
    }
}

/// What has one right repair is repaired, and told with its number and its first line; the mesh is that of a clean file.
#[test]
fn dirty_files_are_repaired_and_say_so() {
    let rows: &[(&str, String, String, &[&str])] = &[
        (
            "inside out",
            NODE.into(),
            ELE.replace("0 1 2 3\n", "0 1 3 2\n"),
            &["turned 1 element that was inside out (line 2)"],
        ),
        (
            "twice",
            NODE.into(),
            ELE.to_owned() + "2 1 3 2 4\n3 4 3 2 1\n",
            &[
                "read all 4 elements, though the header says 2 (line 1)",
                "dropped 2 elements that come twice (first at line 4)",
            ],
        ),
        (
            "loose vertices",
            NODE.replace("4 1 1 1", "8 9 9 9\n4 1 1 1").replace("5 3", "6 3"),
            ELE.into(),
            &["dropped 1 vertex that is no corner of a tetrahedron (line 6)"],
        ),
        (
            "count of vertices",
            NODE.replace("5 3", "3 3"),
            ELE.into(),
            &["read all 5 vertices, though the header says 3 (line 1)"],
        ),
        (
            "corners from 1",
            NODE.into(),
            "2 4 0\n1 1 2 3 4\n2 2 3 4 5\n".into(),
            &["the elements count vertices from 1, the vertex list from 0; took both as the same"],
        ),
        (
            "vertices from 1",
            "5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n".into(),
            ELE.into(),
            &["the elements count vertices from 0, the vertex list from 1; took both as the same"],
        ),
        (
            "second order",
            NODE.into(),
            "2 10 0\n0 0 1 2 3 9 9 9 9 9 9\n1 1 2 3 4 9 9 9 9 9 9\n".into(),
            &["read only the corners of 2 elements of higher order (first at line 2)"],
        ),
    ];
    for (what, node, ele, expected) in rows {
        let LoadedTetrahedra { mesh, repairs, .. } = tetgen(node, ele);
        assert_eq!(repairs, *expected, "{what}");
        assert_clean(&mesh);
        assert_eq!(mesh.positions, two().positions, "{what}");
        let sorted = |mesh: &TetrahedronMesh| {
            mesh.tetrahedra
                .iter()
                .map(|t| {
                    let mut t = *t;
                    t.sort_unstable();
                    t
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(sorted(&mesh), sorted(&two()), "{what}");
    }
    let others: &[(&str, String, &str)] = &[
        (
            "a.msh",
            MSH_2
                .replace("$EndElements", "3 2 2 1 1 10 20 30\n4 15 0 10\n$EndElements")
                .replace("\n2\n1 4", "\n4\n1 4"),
            "left out 2 point, line and face elements (first at line 16)",
        ),
        ("a.msh", MSH_2.replace("\n5\n", "\n4\n"), "read all 5 nodes, though the header says 4 (line 5)"),
        ("a.msh", MSH_4.replace("\n1 2 1 2", "\n1 1 1 2"), "read all 2 elements, though the header says 1 (line 19)"),
        ("a.vtk", VTK.replace("POINTS 5", "POINTS 4"), "read all 5 points, though the header says 4 (line 5)"),
        (
            "a.vtk",
            VTK.replace("4 0 1 2 3\n4 1 2 3 4", "4 1 2 3 4\n4 2 3 4 5"),
            "the elements count vertices from 1, the vertex list from 0; took both as the same",
        ),
        ("a.vtk", VTK.replace("4 1 2 3 4", "4 1 2 4 3"), "turned 1 element that was inside out (line 10)"),
    ];
    for (name, text, expected) in others {
        let LoadedTetrahedra { mesh, repairs, .. } = parsed(name, text);
        assert!(repairs.iter().any(|told| told == expected), "{repairs:?} has no `{expected}`");
        assert_clean(&mesh);
        assert_eq!((mesh.positions.len(), mesh.tetrahedra.len()), (5, 2), "{name}: {expected}");
    }
}

/// Either of TetGen's files may be named, in small or capital letters; what is missing is told by its name.
#[test]
fn files_are_found_beside_each_other() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, text: &str| std::fs::write(path(name), text).expect("the test's folder is writable");
    for (node, ele) in [("a.1.node", "a.1.ele"), ("B.NODE", "B.ELE")] {
        write(node, NODE);
        let message = refusal(mesh::read_tetrahedra(path(node)), node);
        assert!(
            message.starts_with(&format!("{}: there is no such file; put it beside ", path(ele).display())),
            "{message}"
        );
        write(ele, ELE);
        for name in [node, ele] {
            assert_eq!(mesh::read_tetrahedra(path(name)).map(|loaded| loaded.mesh), Ok(two()), "{name}");
        }
    }
    write("c.vtk", VTK);
    assert_eq!(mesh::read_tetrahedra(path("c.vtk")).map(|loaded| loaded.mesh), Ok(two()));
    let end =
        |name: &str| refusal(mesh::read_tetrahedra(path(name)), name).replace(&path("").display().to_string(), "");
    assert_eq!(end("d.node"), "d.node: there is no such file; check the path");
    assert_eq!(end("d.msh"), "d.msh: there is no such file; check the path");
    assert!(
        end("d.vtu").starts_with("d.vtu: the format .vtu is not read as tetrahedra; export a volume mesh as .node and")
    );
    assert!(end("d").starts_with("d: the name does not end in a format; export"));
    std::fs::create_dir(path("e.msh")).expect("a folder");
    assert_eq!(end("e.msh"), "e.msh: this is a folder; name a mesh file in it");
    let message = refusal(mesh::parse_tetrahedra("a.ele", ELE), "one of two");
    assert_eq!(message, "a.ele: a mesh of TetGen is two files; give both, the .node and the .ele file");
}
