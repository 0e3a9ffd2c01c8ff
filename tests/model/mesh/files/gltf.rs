//! What a glTF file may say, and every message for what it may not.

use super::{loaded_as, refused_as, write};
use pliant::mesh::generate::Cuboid;
use pliant::mesh::{self, Loaded, TriangleMesh};

fn triangle() -> TriangleMesh {
    TriangleMesh { positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], triangles: vec![[0, 1, 2]] }
}

/// The document of the triangle, with its buffer embedded and one text for another.
fn changed(from: &str, to: &str) -> String {
    let text = String::from_utf8(write::gltf(&triangle())).expect("UTF-8");
    assert!(text.contains(from), "{from}");
    text.replace(from, to)
}

/// The triangle under these nodes, of which the first is in the scene.
fn under(nodes: &str) -> Loaded {
    loaded_as("test.gltf", changed(r#""nodes": [{"mesh": 0}]"#, &format!(r#""nodes": [{nodes}]"#)))
}

/// Translation, rotation and scale apply in this order from the right, matrices by columns, and parents after children.
#[test]
fn transforms_of_nodes_apply() {
    // A quarter turn about z: x to y.
    let half = 0.5f64.sqrt();
    let rotation = format!(r#""rotation": [0, 0, {half}, {half}]"#);
    let moved = r#""translation": [10, 20, 30]"#;
    let rows: [(String, [[f64; 3]; 3]); 6] = [
        (format!(r#"{{"mesh": 0, {moved}}}"#), [[10.0, 20.0, 30.0], [11.0, 20.0, 30.0], [10.0, 21.0, 30.0]]),
        (r#"{"mesh": 0, "scale": [2, 3, 4]}"#.into(), [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0]]),
        (
            format!(r#"{{"mesh": 0, {moved}, {rotation}, "scale": [2, 3, 4]}}"#),
            [[10.0, 20.0, 30.0], [10.0, 22.0, 30.0], [7.0, 20.0, 30.0]],
        ),
        // Longer than 1: the same turn.
        (r#"{"mesh": 0, "rotation": [0, 0, 7, 7]}"#.into(), [[0.0; 3], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]),
        (
            r#"{"mesh": 0, "matrix": [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 10, 20, 30, 1]}"#.into(),
            [[10.0, 20.0, 30.0], [10.0, 22.0, 30.0], [7.0, 20.0, 30.0]],
        ),
        (
            format!(r#"{{"children": [1], {rotation}}}, {{"mesh": 0, {moved}}}"#),
            [[-20.0, 10.0, 30.0], [-20.0, 11.0, 30.0], [-21.0, 10.0, 30.0]],
        ),
    ];
    for (nodes, expected) in rows {
        let Loaded { mesh, repairs, .. } = under(&nodes);
        let largest = mesh.positions.iter().flatten().zip(expected.iter().flatten()).map(|(a, b)| (a - b).abs());
        // The root of a half is rounded; coordinates go to 30.
        assert!(largest.fold(0.0, f64::max) < 1e-13, "{nodes}: {:?}", mesh.positions);
        assert_eq!((mesh.triangles, repairs), (vec![[0, 1, 2]], vec![]), "{nodes}");
    }
}

/// A node that mirrors turns its triangles round, so that a closed surface stays wound outwards.
#[test]
fn mirrored_nodes_keep_their_winding() {
    let cube = Cuboid { cells: [1; 3], size: [1.0; 3] }.mesh();
    let text = String::from_utf8(write::gltf(&cube)).expect("UTF-8");
    let mirrored = text.replace(r#"{"mesh": 0}"#, r#"{"mesh": 0, "scale": [-1, 1, 2]}"#);
    let Loaded { mesh, repairs, .. } = loaded_as("test.gltf", mirrored);
    assert!((mesh.signed_volume() - 2.0).abs() < crate::mesh::ROUNDING, "{}", mesh.signed_volume());
    assert_eq!(repairs, [""; 0]);
}

/// Positions without a buffer view are zero but for what is listed: a square of which three corners are.
#[test]
fn sparse_positions_need_no_buffer_view() {
    let file = include_str!("sparse.gltf");
    let Loaded { mesh, repairs, .. } = loaded_as("sparse.gltf", file);
    assert_eq!(mesh.positions, [[0.0; 3], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [0.0, -1.0, 0.0]]);
    assert_eq!((mesh.triangles.len(), repairs), (2, vec![]));
    assert!((mesh.area() - 1.0).abs() < crate::mesh::ROUNDING);
    let many = file.replacen("\"count\": 4,", "\"count\": 18446744073709551615,", 1);
    let message = refused_as("sparse.gltf", many);
    assert!(message.contains("accessor 0: the accessor has 18446744073709551615 elements without data"), "{message}");
}

/// Several nodes, meshes and primitives become one mesh; what has no triangles, morph targets at rest and other scenes are
/// left out. Each is said.
#[test]
fn parts_are_joined() {
    let twice = r#"{"children": [1, 2]}, {"mesh": 0}, {"mesh": 0, "translation": [5, 0, 0]}"#;
    let Loaded { mesh, repairs, .. } = under(twice);
    assert_eq!(mesh.triangles, [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(mesh.positions[3..], [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 1.0, 0.0]]);
    assert_eq!(repairs, ["merged 2 primitives into one mesh"]);

    let primitive = r#"{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}"#;
    let told = |to: &str| loaded_as("test.gltf", changed(primitive, to)).repairs;
    let lines = primitive.replace("4}", "1}");
    assert_eq!(
        told(&format!("{primitive}, {lines}, {lines}")),
        ["left out 2 primitives of points or lines (first at primitive 1 of mesh 0)"]
    );
    let targets = primitive.replace("4}", r#"4, "targets": [{"POSITION": 0}]}"#);
    assert_eq!(told(&targets), ["left out the morph targets of 1 primitive (primitive 0 of mesh 0)"]);
    assert_eq!(
        told(&format!("{primitive}, {primitive}")),
        [
            "merged 2 primitives into one mesh",
            "welded 3 vertices to others at the same position (first at primitive 1 of mesh 0)",
            "dropped 1 face that comes twice (primitive 1 of mesh 0)"
        ]
    );
    let scenes = changed(r#""scenes": [{"nodes": [0]}]"#, r#""scenes": [{"nodes": [0]}, {}]"#);
    assert_eq!(loaded_as("test.gltf", scenes).repairs, ["left out all but the default of 2 scenes"]);
}

/// Without a default scene the first is taken, without scenes all nodes, without nodes all meshes.
#[test]
fn scenes_and_nodes_may_be_missing() {
    let no_default = changed("\"scene\": 0,\n", "");
    let no_scenes = no_default.replace("\"scenes\": [{\"nodes\": [0]}],\n", "");
    let no_nodes = no_scenes.replace("\"nodes\": [{\"mesh\": 0}],\n", "");
    assert!(!no_nodes.contains("nodes"));
    for text in [no_default, no_scenes, no_nodes] {
        assert_eq!(loaded_as("test.gltf", text).mesh, triangle());
    }
}

/// A document over its own buffer of a strip of two triangles: positions and indices as written, in the given mode.
fn strip(positions: (&str, &[u8]), indices: Option<(u32, &[u8])>, mode: u32) -> Vec<u8> {
    let length = positions.1.len();
    let (attribute, accessor, bytes) = match indices {
        None => (String::new(), String::new(), [].as_slice()),
        Some((kind, bytes)) => {
            let count = bytes.len() / if kind == 5125 { 4 } else { (kind - 5119) as usize / 2 };
            let accessor =
                format!(r#", {{"bufferView": 1, "componentType": {kind}, "count": {count}, "type": "SCALAR"}}"#);
            (r#", "indices": 1"#.to_owned(), accessor, bytes)
        }
    };
    let json = format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": [{{"mesh": 0}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "mode": {mode}{attribute}}}]}}],
        "accessors": [{{"bufferView": 0, "count": 4, "type": "VEC3", {}}}{accessor}],
        "bufferViews": [{{"buffer": 0, "byteLength": {length}}},
            {{"buffer": 0, "byteOffset": {length}, "byteLength": {}}}],
        "buffers": [{{"byteLength": {}}}]}}"#,
        positions.0,
        bytes.len(),
        length + bytes.len(),
    );
    write::glb_of(&json, &[positions.1, bytes].concat())
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Triangles, strips and fans, with indices of every type and without.
#[test]
fn modes_and_indices_of_every_type() {
    let square = floats(&[0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.]);
    let float = (r#""componentType": 5126"#, square.as_slice());
    let triangles = |content: Vec<u8>| loaded_as("test.glb", content).mesh.triangles;
    assert_eq!(triangles(strip(float, None, 5)), [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(
        triangles(strip(float, Some((5121, &[0, 1, 3, 2])), 6)),
        [[0, 1, 2], [0, 2, 3]].map(|[a, b, c]| { [a, b, c].map(|vertex: u32| [0, 1, 3, 2][vertex as usize]) })
    );
    assert_eq!(triangles(strip(float, Some((5123, &[0, 0, 1, 0, 2, 0, 3, 0])), 5)), [[0, 1, 2], [2, 1, 3]]);
    let indices: Vec<u8> = [0u32, 1, 2, 2, 1, 3].iter().flat_map(|index| index.to_le_bytes()).collect();
    assert_eq!(triangles(strip(float, Some((5125, &indices)), 4)), [[0, 1, 2], [2, 1, 3]]);
    let message = refused_as("test.glb", strip(float, None, 4));
    assert!(message.contains("primitive 0 of mesh 0: the primitive has 4 corners, which is not a multiple of three"));
    let message = refused_as("test.glb", strip(float, None, 9));
    assert!(message.contains("primitive 0 of mesh 0: the mode 9 is unknown"), "{message}");
}

/// Quantised positions are whole numbers, or parts of the type's largest where they are normalised.
#[test]
fn quantised_positions_are_read() {
    let bytes = [0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 255, 0];
    let far = |content: Vec<u8>| loaded_as("test.glb", content).mesh.positions[3];
    assert_eq!(far(strip((r#""componentType": 5121"#, &bytes), None, 5)), [255.0, 255.0, 0.0]);
    assert_eq!(far(strip((r#""componentType": 5121, "normalized": true"#, &bytes), None, 5)), [1.0, 1.0, 0.0]);
    let signed: Vec<u8> = [0i16, 0, 0, -7, 0, 0, 0, -9, 0, -7, -9, 0].iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_eq!(far(strip((r#""componentType": 5122"#, &signed), None, 5)), [-7.0, -9.0, 0.0]);
    // The least number stands for -1 like the one above it.
    let least = [0, 0, 0, 128, 0, 0, 0, 129, 0, 128, 129, 0];
    assert_eq!(far(strip((r#""componentType": 5120, "normalized": true"#, &least), None, 5)), [-1.0, -1.0, 0.0]);
}

/// Elements may lie apart in their buffer, and single ones be replaced.
#[test]
fn interleaved_and_sparse_positions_are_read() {
    let stride = changed(r#"{"buffer": 0, "byteLength": 36}"#, r#"{"buffer": 0, "byteLength": 36, "byteStride": 12}"#);
    assert_eq!(loaded_as("test.gltf", stride).mesh, triangle());
    // The first of the triangle's own indices, 0, is the vertex; its position are the last two numbers of the first vertex
    // and the first of the second, 0 0 1.
    let sparse = |count: u32| {
        let sparse = format!(
            r#""sparse": {{"count": {count}, "indices": {{"bufferView": 1, "componentType": 5125}},
            "values": {{"bufferView": 0, "byteOffset": 4}}}}, "type": "VEC3""#
        );
        changed(r#""type": "VEC3""#, &sparse)
    };
    assert_eq!(loaded_as("test.gltf", sparse(1)).mesh.positions, [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let message = refused_as("test.gltf", sparse(4));
    assert!(message.contains("accessor 0: 4 elements reach beyond the 12 bytes of buffer view 1"), "{message}");
}

/// Buffers lie in the document, in the binary file, or in files beside, whose names may be escaped; what is missing is told.
#[test]
fn buffers_are_found() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let read = |uri: &str| {
        let path = folder.path().join("mesh.gltf");
        std::fs::write(&path, write::gltf_json(&triangle(), Some(uri))).expect("the test's folder is writable");
        mesh::read(&path).map_err(|error| error.to_string().replace(&folder.path().display().to_string(), "FOLDER"))
    };
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("the same");
    let buffer = write::gltf_buffer(&triangle());
    write("plain.bin", &buffer);
    write("with blank.bin", &buffer);
    write("short.bin", &buffer[..40]);
    for uri in ["plain.bin", "./plain.bin", "with%20blank.bin", "with blank.bin"] {
        assert_eq!(read(uri).expect(uri).mesh, triangle());
    }
    let refused = |uri: &str| read(uri).expect_err(uri);
    assert_eq!(
        refused("none.bin"),
        "FOLDER/mesh.gltf: buffer 0: FOLDER/none.bin: there is no such file; put its file beside the glTF file, or export \
         as .glb, which is one file"
    );
    assert!(refused("short.bin").contains("buffer 0: the buffer should have 48 bytes, and has 40; get the file again"));
    assert!(refused("https://x.org/a.bin").contains("buffer 0: the data lies at `https://x.org/a.bin`; put its file"));
    assert!(refused(".").contains("this is a folder"));
    assert!(refused("data:application/octet-stream;base64,AA!A").contains("the embedded data is not base64"));
    assert!(refused("data:text/plain,AAAA").contains("the embedded data is not base64"));
    let message = refused_as("test.gltf", write::gltf_json(&triangle(), Some("plain.bin")));
    assert!(message.contains("buffer 0: the data lies in the file `plain.bin`"), "{message}");
    let message = refused_as("test.gltf", write::gltf_json(&triangle(), None));
    assert!(message.contains("buffer 0: the buffer has no data"), "{message}");
}

/// What has no right repair is refused with file, place, fault and remedy.
#[test]
fn broken_documents_are_refused() {
    let required = |name: &str| changed("\"scene\": 0,", &format!(r#""scene": 0, "extensionsRequired": ["{name}"],"#));
    let node = |text: &str| changed(r#"{"mesh": 0}"#, text);
    let targets = r#""mode": 4, "targets": [{}]"#;
    let rows: &[(&str, String, &str, &str)] = &[
        ("cut", changed("]\n}", ""), "test.gltf:11: the JSON is not a glTF file: EOF", "cut off"),
        ("a wrong type", changed("\"count\": 3", "\"count\": \"3\""), "test.gltf:8: the JSON is not", "export"),
        ("a negative count", changed("\"count\": 3", "\"count\": -3"), "test.gltf:8: the JSON is not", "export"),
        ("no version", "{}".into(), "test.gltf: the file does not say its version", "glTF 2.0"),
        ("glTF 1", changed("2.0", "1.0"), "test.gltf: the file is of glTF 1.0", "glTF 2.0"),
        (
            "Draco",
            required("KHR_draco_mesh_compression"),
            "test.gltf: the mesh is compressed by KHR_draco",
            "gltf-transform",
        ),
        (
            "meshopt",
            required("EXT_meshopt_compression"),
            "test.gltf: the mesh is compressed by EXT_mesh",
            "without compression",
        ),
        ("another extension", required("X_y"), "test.gltf: the file requires the extension X_y", "without it"),
        (
            "a compressed view",
            changed("\"byteLength\": 36}", r#""byteLength": 36, "extensions": {"EXT_meshopt_compression": {}}}"#),
            "test.gltf: buffer view 0: the mesh is compressed by EXT_meshopt_compression",
            "without compression",
        ),
        ("no data", changed("\"bufferView\": 0, ", ""), "test.gltf: accessor 0: the accessor has no data", "Draco"),
        ("a skin", node(r#"{"mesh": 0, "skin": 0}"#), "test.gltf: node 0: the mesh is skinned", "apply the armature"),
        (
            "weights",
            changed("\"mode\": 4", targets).replace(r#"{"mesh": 0}"#, r#"{"mesh": 0, "weights": [0.5]}"#),
            "test.gltf: primitive 0 of mesh 0: the mesh is shaped by morph targets",
            "shape keys",
        ),
        (
            "weights of the mesh",
            changed("\"mode\": 4", targets).replace(r#""primitives""#, r#""weights": [1], "primitives""#),
            "test.gltf: primitive 0 of mesh 0: the mesh is shaped by morph",
            "shape keys",
        ),
        (
            "instances",
            node(r#"{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {}}}"#),
            "test.gltf: node 0: the mesh is repeated by",
            "nodes of their own",
        ),
        (
            "a circle of nodes",
            node(r#"{"mesh": 0, "children": [0]}"#),
            "test.gltf: node 0: the scene lists the node twice",
            "export",
        ),
        ("a missing node", node(r#"{"children": [7]}"#), "test.gltf: node 7 does not exist", "export"),
        ("a missing scene", changed("\"scene\": 0", "\"scene\": 3"), "test.gltf: the scene 3 does not exist", "export"),
        ("a missing mesh", node(r#"{"mesh": 1}"#), "test.gltf: node 0: mesh 1 does not exist", "export"),
        (
            "a missing accessor",
            changed("\"POSITION\": 0", "\"POSITION\": 2"),
            "test.gltf: primitive 0 of mesh 0: accessor 2",
            "export",
        ),
        (
            "no positions",
            changed("POSITION", "NORMAL"),
            "test.gltf: primitive 0 of mesh 0: the primitive has no positions",
            "export",
        ),
        (
            "a missing view",
            changed("\"bufferView\": 1", "\"bufferView\": 2"),
            "test.gltf: accessor 1: buffer view 2 does not",
            "export",
        ),
        (
            "a missing buffer",
            changed("{\"buffer\": 0, \"byteL", "{\"buffer\": 1, \"byteL"),
            "test.gltf: buffer view 0: buffer 1 does not",
            "export",
        ),
        (
            "a view beyond",
            changed("\"byteLength\": 36}", "\"byteLength\": 99}"),
            "test.gltf: buffer view 0: the buffer view reaches beyond the 48",
            "export",
        ),
        (
            "a huge offset",
            changed("\"byteOffset\": 36", "\"byteOffset\": 18446744073709551615"),
            "test.gltf: buffer view 1: the buffer view reaches",
            "export",
        ),
        (
            "a huge count",
            changed("\"count\": 3, \"type\": \"V", "\"count\": 18446744073709551615, \"type\": \"V"),
            "test.gltf: accessor 0: 18446744073709551615 elements reach beyond",
            "export",
        ),
        (
            "a small stride",
            changed("\"byteLength\": 36}", "\"byteLength\": 36, \"byteStride\": 4}"),
            "test.gltf: buffer view 0: the stride of 4 bytes",
            "export",
        ),
        (
            "another shape",
            changed("VEC3", "VEC4"),
            "test.gltf: accessor 0: the accessor of primitive 0 of mesh 0 is not of type VEC3",
            "export",
        ),
        (
            "another component",
            changed("5125", "5127"),
            "test.gltf: accessor 1: the component type 5127 is unknown",
            "export",
        ),
        (
            "a wrong index",
            changed("5125", "5126").replace("5126, \"count\": 3, \"type\": \"V", "5126, \"count\": 2, \"type\": \"V"),
            "test.gltf: primitive 0 of mesh 0: vertex",
            "correct",
        ),
        (
            "no rotation",
            node(r#"{"mesh": 0, "rotation": [0, 0, 0, 0]}"#),
            "test.gltf: node 0: the rotation is the quaternion 0",
            "0, 0, 0, 1",
        ),
        (
            "a projection",
            node(r#"{"mesh": 0, "matrix": [1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}"#),
            "test.gltf: node 0: the last row of the matrix is not",
            "export",
        ),
        (
            "far away",
            node(r#"{"mesh": 0, "translation": [1e39, 0, 0]}"#),
            "test.gltf: primitive 0 of mesh 0: vertex 0: the coordinate 1e39",
            "metres",
        ),
        (
            "scaled to nothing",
            node(r#"{"mesh": 0, "scale": [0, 0, 0]}"#),
            "test.gltf: none of the faces has any area",
            "scaled",
        ),
        ("nothing", changed(r#""nodes": [0]"#, r#""nodes": []"#), "test.gltf: the file has no faces", "export"),
    ];
    for (what, text, begin, remedy) in rows {
        let message = refused_as("test.gltf", text);
        assert!(message.starts_with(begin), "{what}: {message}");
        assert!(message.split_once("; ").is_some_and(|(_, told)| told.contains(remedy)), "{what}: {message}");
    }
}

/// A binary file that breaks off anywhere is refused, and its JSON has no line.
#[test]
fn broken_binary_files_are_refused() {
    let content = write::glb(&triangle());
    for length in 4..content.len() {
        let message = refused_as("test.glb", &content[..length]);
        assert!(message.contains("get the file again: it was cut off"), "{length}: {message}");
    }
    let mut other = content.clone();
    other[4] = 1;
    assert!(refused_as("test.glb", &other).starts_with("test.glb: the file is of glTF 1; export"));
    other[4] = 2;
    other[8..12].copy_from_slice(&5u32.to_le_bytes());
    assert_eq!(loaded_as("test.glb", &other).mesh, triangle(), "a length that is too small does no harm");
    other[16] = b'X';
    assert!(refused_as("test.glb", &other).starts_with("test.glb: the file has no JSON chunk"));
    let message = refused_as("test.glb", write::glb_of("{]", &[]));
    assert!(message.starts_with("test.glb: the JSON is not a glTF file: "), "{message}");
    let mut nan = content.clone();
    let vertex = content.len() - 12 - 12;
    nan[vertex..vertex + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let message = refused_as("test.glb", &nan);
    assert!(
        message.starts_with("test.glb: primitive 0 of mesh 0: vertex 2: the coordinate NaN is not finite"),
        "{message}"
    );
}
