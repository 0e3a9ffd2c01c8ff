//! Writes a mesh in every format, as plainly as the format allows.

#![allow(dead_code, reason = "each test file uses its own part")]

use pliant::mesh::TriangleMesh;

/// Of a binary file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    Little,
    Big,
}

impl Order {
    pub fn bytes<const N: usize>(self, mut little: [u8; N]) -> [u8; N] {
        if self == Self::Big {
            little.reverse();
        }
        little
    }
}

/// Of every format, a name and its content.
pub fn all(mesh: &TriangleMesh) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("mesh.obj", obj(mesh)),
        ("text.ply", ply_text(mesh)),
        ("little.ply", ply_binary(mesh, Order::Little)),
        ("big.ply", ply_binary(mesh, Order::Big)),
        ("text.stl", stl_text(mesh)),
        ("binary.stl", stl_binary(mesh, "binary")),
        ("solid.stl", stl_binary(mesh, "solid made by a program")),
        ("mesh.gltf", gltf(mesh)),
        ("mesh.glb", glb(mesh)),
    ]
}

fn corners(mesh: &TriangleMesh) -> impl Iterator<Item = [[f64; 3]; 3]> {
    mesh.triangles.iter().map(|triangle| triangle.map(|vertex| mesh.positions[vertex as usize]))
}

pub fn obj(mesh: &TriangleMesh) -> Vec<u8> {
    let mut text = String::new();
    mesh.positions.iter().for_each(|[x, y, z]| text += &format!("v {x} {y} {z}\n"));
    mesh.triangles.iter().for_each(|[a, b, c]| text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    text.into()
}

pub fn ply_header(mesh: &TriangleMesh, format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment made by a test\nelement vertex {}\nproperty float x\nproperty float y\n\
         property float z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.positions.len(),
        mesh.triangles.len(),
    )
}

pub fn ply_text(mesh: &TriangleMesh) -> Vec<u8> {
    let mut text = ply_header(mesh, "ascii");
    mesh.positions.iter().for_each(|[x, y, z]| text += &format!("{x} {y} {z}\n"));
    mesh.triangles.iter().for_each(|[a, b, c]| text += &format!("3 {a} {b} {c}\n"));
    text.into()
}

pub fn ply_binary(mesh: &TriangleMesh, order: Order) -> Vec<u8> {
    let format = if order == Order::Little { "binary_little_endian" } else { "binary_big_endian" };
    let mut bytes = ply_header(mesh, format).into_bytes();
    mesh.positions.iter().flatten().for_each(|&x| bytes.extend(order.bytes((x as f32).to_le_bytes())));
    for triangle in &mesh.triangles {
        bytes.push(3);
        triangle.iter().for_each(|vertex| bytes.extend(order.bytes(vertex.to_le_bytes())));
    }
    bytes
}

pub fn stl_text(mesh: &TriangleMesh) -> Vec<u8> {
    let mut text = "solid made by a test\n".to_owned();
    for triangle in corners(mesh) {
        text += "  facet normal 0 0 0\n    outer loop\n";
        triangle.iter().for_each(|[x, y, z]| text += &format!("      vertex {x} {y} {z}\n"));
        text += "    endloop\n  endfacet\n";
    }
    text += "endsolid made by a test\n";
    text.into()
}

pub fn stl_binary(mesh: &TriangleMesh, header: &str) -> Vec<u8> {
    let mut bytes = format!("{header: <80}").into_bytes();
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for triangle in corners(mesh) {
        bytes.extend([0; 12]);
        triangle.iter().flatten().for_each(|&x| bytes.extend((x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// Positions as floats, then indices.
pub fn gltf_buffer(mesh: &TriangleMesh) -> Vec<u8> {
    let positions = mesh.positions.iter().flatten().flat_map(|&x| (x as f32).to_le_bytes());
    positions.chain(mesh.triangles.iter().flatten().flat_map(|vertex| vertex.to_le_bytes())).collect()
}

/// `uri` is that of the buffer, if it has one.
pub fn gltf_json(mesh: &TriangleMesh, uri: Option<&str>) -> String {
    let (vertices, indices) = (mesh.positions.len(), 3 * mesh.triangles.len());
    let uri = uri.map(|uri| format!(r#""uri": "{uri}", "#)).unwrap_or_default();
    let extreme = |of: fn(f64, f64) -> f64| -> [f64; 3] {
        std::array::from_fn(|axis| mesh.positions.iter().map(|x| x[axis]).reduce(of).unwrap_or_default())
    };
    format!(
        r#"{{
"asset": {{"version": "2.0"}},
"scene": 0,
"scenes": [{{"nodes": [0]}}],
"nodes": [{{"mesh": 0}}],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1, "mode": 4}}]}}],
"accessors": [
{{"bufferView": 0, "componentType": 5126, "count": {vertices}, "type": "VEC3", "min": {:?}, "max": {:?}}},
{{"bufferView": 1, "componentType": 5125, "count": {indices}, "type": "SCALAR"}}],
"bufferViews": [{{"buffer": 0, "byteLength": {}}}, {{"buffer": 0, "byteOffset": {}, "byteLength": {}}}],
"buffers": [{{{uri}"byteLength": {}}}]
}}"#,
        extreme(f64::min),
        extreme(f64::max),
        12 * vertices,
        12 * vertices,
        4 * indices,
        12 * vertices + 4 * indices,
    )
}

pub fn gltf(mesh: &TriangleMesh) -> Vec<u8> {
    let uri = format!("data:application/octet-stream;base64,{}", base64(&gltf_buffer(mesh)));
    gltf_json(mesh, Some(&uri)).into()
}

pub fn glb(mesh: &TriangleMesh) -> Vec<u8> {
    glb_of(&gltf_json(mesh, None), &gltf_buffer(mesh))
}

pub fn glb_of(json: &str, buffer: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    let (mut json, mut buffer) = (json.as_bytes().to_vec(), buffer.to_vec());
    json.resize(json.len().next_multiple_of(4), b' ');
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    for (kind, content) in [(b"JSON", json), (b"BIN\0", buffer)] {
        chunks.extend((content.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(content);
    }
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((12 + chunks.len() as u32).to_le_bytes());
    bytes.extend(chunks);
    bytes
}

pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().chain(&[0, 0]).take(3).fold(0u32, |bits, &byte| bits << 8 | u32::from(byte));
        let digits = (0..=chunk.len()).map(|i| char::from(DIGITS[(bits >> (18 - 6 * i)) as usize & 63]));
        text.extend(digits.chain(std::iter::repeat_n('=', 3 - chunk.len())));
    }
    text
}

/// With coordinates of single precision, and vertices in the order in which the triangles name them: what every format can
/// say.
pub fn canonical(mesh: &TriangleMesh) -> TriangleMesh {
    let mut index = vec![None; mesh.positions.len()];
    let mut positions = Vec::new();
    let mut vertex = |vertex: u32| {
        *index[vertex as usize].get_or_insert_with(|| {
            positions.push(mesh.positions[vertex as usize].map(|x| f64::from(x as f32) + 0.0));
            positions.len() as u32 - 1
        })
    };
    let triangles = mesh.triangles.iter().map(|triangle| triangle.map(&mut vertex)).collect();
    TriangleMesh { positions, triangles }
}
