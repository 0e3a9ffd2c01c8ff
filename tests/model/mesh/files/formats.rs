//! All formats through one entry: the same surface, the same mesh; and names that lie.

use super::write::{self, Order, canonical};
use super::{loaded_as, refused_as};
use crate::blob::blob;
use crate::closed::assert_closed;
use pliant::mesh::TriangleMesh;
use pliant::mesh::generate::{Sphere, Torus};

fn torus() -> TriangleMesh {
    canonical(&Torus { radius: 1.0, tube_radius: 0.3, segments: 7, tube_segments: 5 }.mesh())
}

/// The same surface in every format is the same mesh, bit for bit and without a repair.
#[test]
fn every_format_says_the_same() {
    for mesh in [torus(), canonical(&Sphere { radius: 0.7, segments: 10 }.mesh())] {
        for (name, content) in write::all(&mesh) {
            let found = loaded_as(name, content);
            assert_eq!(found.mesh, mesh, "{name}");
            assert_eq!(found.repairs, [""; 0], "{name}");
        }
    }
}

/// Readers that are not ours find the same numbers in these files, so that both read the format and not each other's
/// misunderstanding.
#[test]
fn other_readers_say_the_same() {
    let mesh = torus();
    let single: Vec<[f32; 3]> = mesh.positions.iter().map(|position| position.map(|x| x as f32)).collect();
    for content in [write::stl_text(&mesh), write::stl_binary(&mesh, "binary")] {
        let found = stl_io::read_stl(&mut std::io::Cursor::new(content)).expect("an STL file");
        assert_eq!(found.vertices.iter().map(|vertex| vertex.0).collect::<Vec<_>>(), single);
        assert!(found.faces.iter().zip(&mesh.triangles).all(|(a, b)| a.vertices == b.map(|vertex| vertex as usize)));
    }
    for content in
        [write::ply_text(&mesh), write::ply_binary(&mesh, Order::Little), write::ply_binary(&mesh, Order::Big)]
    {
        use ply_rs_bw::ply::{DefaultElement, Property};
        let parser = ply_rs_bw::parser::Parser::<DefaultElement>::new();
        let found = parser.read_ply(&mut content.as_slice()).expect("a PLY file");
        let rows = |name: &str| found.payload.iter().find(|(key, _)| key.as_str() == name).expect("the element").1;
        let number = |row: &DefaultElement, name: &str| match row.iter().find(|(key, _)| key.as_str() == name) {
            Some((_, Property::Float(x))) => *x,
            other => panic!("{other:?}"),
        };
        let positions: Vec<[f32; 3]> =
            rows("vertex").iter().map(|row| ["x", "y", "z"].map(|axis| number(row, axis))).collect();
        assert_eq!(positions, single);
        for (row, triangle) in rows("face").iter().zip(&mesh.triangles) {
            let list = row.iter().map(|(_, list)| list).next();
            assert!(matches!(list, Some(Property::ListInt(list)) if *list == triangle.map(|vertex| vertex as i32)));
        }
    }
    let found = gltf::Gltf::from_slice(&write::glb(&mesh)).expect("a GLB file");
    let primitive = found.meshes().flat_map(|mesh| mesh.primitives()).next().expect("a primitive");
    let reader = primitive.reader(|_| found.blob.as_deref());
    assert_eq!(reader.read_positions().expect("positions").collect::<Vec<_>>(), single);
    assert!(reader.read_indices().expect("indices").into_u32().eq(mesh.triangles.iter().flatten().copied()));
}

/// An irregular mesh written in every format comes back as the closed surface that it is.
#[test]
fn an_irregular_mesh_in_every_format() {
    let expected = canonical(&blob(24));
    assert_closed(&expected);
    for (name, content) in write::all(&expected) {
        let found = loaded_as(name, content);
        assert_eq!((found.mesh, found.repairs), (expected.clone(), Vec::new()), "{name}");
    }
}

/// The end of the name is read in small and capital letters, and glTF by its content whether it is text or binary.
#[test]
fn names_are_taken_lightly() {
    let mesh = torus();
    for (name, content) in write::all(&mesh) {
        assert_eq!(loaded_as(&name.to_uppercase(), content).mesh, mesh, "{name}");
    }
    assert_eq!(loaded_as("binary.gltf", write::glb(&mesh)).mesh, mesh);
    assert_eq!(loaded_as("text.glb", write::gltf(&mesh)).mesh, mesh);
}

/// A file whose name says another format than its content is refused, and is told the name it should have.
#[test]
fn names_that_lie_are_refused() {
    let mesh = torus();
    for (name, content) in write::all(&mesh) {
        let (_, extension) = name.split_once('.').expect("an extension");
        for lie in ["obj", "ply", "stl", "gltf", "glb"] {
            if lie == extension || [lie, extension].iter().all(|end| end.starts_with("gl")) {
                continue;
            }
            let message = refused_as(&format!("test.{lie}"), &content);
            let expected = format!(
                "test.{lie}: the file is named .{lie}, but its content is {}; give it a name that ends in .{extension}",
                extension.to_uppercase()
            );
            assert_eq!(message, expected, "{name}");
        }
        assert_eq!(
            refused_as("test.fbx", &content),
            format!("test.fbx: the format .fbx is not read; its content is that of .{extension}: rename it")
        );
    }
    let commented = "# by hand\n# o\n\nmtllib a.mtl\nv 0 0 0\n";
    assert!(refused_as("a.ply", commented).contains("its content is OBJ"));
}

/// What is not read is refused with the list of what is; what is empty, as empty.
#[test]
fn unknown_formats_are_refused() {
    let list = "export the mesh as .obj, .ply, .stl, .gltf or .glb";
    assert_eq!(refused_as("shirt.fbx", "Kaydara FBX"), format!("shirt.fbx: the format .fbx is not read; {list}"));
    assert_eq!(refused_as("shirt", "\x01\x02"), format!("shirt: the name does not end in a format; {list}"));
    for name in ["a.obj", "a.ply", "a.stl", "a.gltf", "a.glb", "a.xyz"] {
        for content in ["", " \r\n \t"] {
            assert_eq!(refused_as(name, content), format!("{name}: the file is empty; export the mesh again"));
        }
    }
    assert!(
        refused_as("a.ply", "PK\x03\x04").starts_with("a.ply:1: a PLY file begins with `ply`, and this one with `PK")
    );
    assert!(refused_as("a.stl", "PK\x03\x04").starts_with("a.stl:1: found `PK\\u{3}\\u{4}` where `solid` should be;"));
    assert!(refused_as("a.glb", "PK\x03\x04").starts_with("a.glb:1: the JSON is not a glTF file: "));
}
