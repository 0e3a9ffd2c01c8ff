//! Writes the figure of the gallery's scene `dancer`: a surface around some bones, as one binary glTF file with a
//! skeleton and a clip. It needs no part of Pliant.
//!
//! ```sh
//! cargo run --example figure examples/scenes/dancer.glb
//! ```

use std::collections::HashMap;
use std::f32::consts::TAU;

type Vector = [f32; 3];

/// A bone: the node that it hangs by, its two ends in the rest pose, m, and its radius at these.
struct Bone {
    parent: Option<usize>,
    ends: [Vector; 2],
    radii: [f32; 2],
}

/// The side of a cell of the lattice on which the surface is found, m.
const CELL: f32 = 0.03;
/// The lattice begins here and has so many nodes.
const ORIGIN: Vector = [-0.98, -0.06, -0.46];
const NODES: [usize; 3] = [66, 65, 32];
/// Bones nearer to each other than this are blended, m.
const BLEND: f32 = 0.08;
/// How long a turn takes, s, and how many keys it has.
const SECONDS: f32 = 3.2;
const KEYS: usize = 32;

fn bones() -> Vec<Bone> {
    let bone = |parent: usize, ends: [Vector; 2], radii: [f32; 2]| Bone { parent: Some(parent), ends, radii };
    let gown = Bone { parent: None, ends: [[0.0, 0.86, 0.0], [0.0, 0.1, 0.0]], radii: [0.12, 0.3] };
    let arm = |side: f32| [[0.14 * side, 1.4, 0.0], [0.46 * side, 1.4, 0.0]];
    let forearm = |side: f32| [[0.46 * side, 1.4, 0.0], [0.8 * side, 1.4, 0.0]];
    vec![
        gown,
        bone(0, [[0.0, 0.9, 0.0], [0.0, 1.12, 0.0]], [0.115, 0.1]),
        bone(1, [[0.0, 1.2, 0.0], [0.0, 1.33, 0.0]], [0.12, 0.12]),
        bone(2, [[0.0, 1.44, 0.0], [0.0, 1.54, 0.01]], [0.045, 0.05]),
        bone(3, [[0.0, 1.6, 0.02], [0.0, 1.66, 0.015]], [0.09, 0.095]),
        bone(2, arm(-1.0), [0.055, 0.045]),
        bone(5, forearm(-1.0), [0.043, 0.03]),
        bone(2, arm(1.0), [0.055, 0.045]),
        bone(7, forearm(1.0), [0.043, 0.03]),
    ]
}

fn difference(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] - b[i])
}

fn dot(a: Vector, b: Vector) -> f32 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

impl Bone {
    /// The distance of a point from its surface, m, negative inside.
    fn distance(&self, point: Vector) -> f32 {
        let [from, to] = self.ends;
        let (way, arm) = (difference(to, from), difference(point, from));
        let share = (dot(arm, way) / dot(way, way)).clamp(0.0, 1.0);
        let off = difference(arm, way.map(|x| x * share));
        dot(off, off).sqrt() - self.radii[0] - share * (self.radii[1] - self.radii[0])
    }
}

/// The distance of a point from all bones, of which near ones are blended, m.
fn distance(bones: &[Bone], point: Vector) -> f32 {
    bones.iter().map(|bone| bone.distance(point)).fold(f32::MAX, |a, b| {
        let near = (1.0 - (a - b).abs() / BLEND).max(0.0);
        a.min(b) - near * near * BLEND / 4.0
    })
}

fn place(node: [usize; 3]) -> Vector {
    std::array::from_fn(|i| ORIGIN[i] + CELL * node[i] as f32)
}

/// The surface where the distance is 0, by surface nets: a vertex in each cell that it goes through, at the mean of where
/// it crosses the cell's edges, and two triangles around each edge that it crosses.
fn surface(bones: &[Bone]) -> (Vec<Vector>, Vec<[u16; 3]>) {
    let at = |node: [usize; 3]| distance(bones, place(node));
    let (mut vertices, mut triangles, mut vertex_of) = (Vec::new(), Vec::new(), HashMap::new());
    let inner = |i: usize| 0..NODES[i] - 1;
    for cell in inner(0).flat_map(|x| inner(1).flat_map(move |y| inner(2).map(move |z| [x, y, z]))) {
        if let Some(vertex) = crossing(cell, at) {
            vertex_of.insert(cell, vertices.len() as u16);
            vertices.push(vertex);
        }
    }
    let mut cells: Vec<[usize; 3]> = vertex_of.keys().copied().collect();
    cells.sort_unstable();
    for cell in cells {
        for axis in 0..3 {
            let mut next = cell;
            next[axis] += 1;
            let (inside, outside) = (at(cell) < 0.0, at(next) < 0.0);
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            if inside == outside || cell[u] == 0 || cell[v] == 0 {
                continue;
            }
            let corner = |back_u: usize, back_v: usize| {
                let mut corner = cell;
                (corner[u], corner[v]) = (cell[u] - back_u, cell[v] - back_v);
                vertex_of[&corner]
            };
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            triangles.extend(if inside { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
        }
    }
    (vertices, triangles)
}

/// The mean of where the surface crosses the edges of a cell, if it does.
fn crossing(cell: [usize; 3], at: impl Fn([usize; 3]) -> f32) -> Option<Vector> {
    let corner = |index: usize| -> [usize; 3] { std::array::from_fn(|i| cell[i] + (index >> i & 1)) };
    let values: Vec<f32> = (0..8).map(|index| at(corner(index))).collect();
    let mut crossings = Vec::new();
    for (from, axis) in (0..8).flat_map(|from| (0..3).map(move |axis| (from, axis))) {
        let to = from | 1 << axis;
        if to == from || (values[from] < 0.0) == (values[to] < 0.0) {
            continue;
        }
        let share = values[from] / (values[from] - values[to]);
        let mut crossing = place(corner(from));
        crossing[axis] += share * CELL;
        crossings.push(crossing);
    }
    let count = crossings.len() as f32;
    (count > 0.0).then(|| std::array::from_fn(|i| crossings.iter().map(|crossing| crossing[i]).sum::<f32>() / count))
}

/// The four bones that a vertex follows most, with weights of 255 together: near ones more, by the fourth power of how
/// near they are.
fn influences(bones: &[Bone], vertex: Vector) -> ([u8; 4], [u8; 4]) {
    let weight = |bone: &Bone| (bone.distance(vertex).max(0.0) + 0.02).powi(-4);
    let mut all: Vec<(f32, u8)> = bones.iter().map(weight).zip(0..).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let sum: f32 = all[..4].iter().map(|(weight, _)| weight).sum();
    let mut weights: [u8; 4] = std::array::from_fn(|k| (255.0 * all[k].0 / sum) as u8);
    weights[0] += (255 - weights.iter().map(|&weight| u32::from(weight)).sum::<u32>()) as u8;
    (std::array::from_fn(|k| all[k].1), weights)
}

/// A turn by an angle about an axis, as a quaternion x, y, z, w.
fn turn(axis: usize, angle: f32) -> [f32; 4] {
    let (sin, cos) = (0.5 * angle).sin_cos();
    let mut turn = [0.0, 0.0, 0.0, cos];
    turn[axis] = sin;
    turn
}

/// How a bone is turned at a share of the clip: the figure goes round once, leans, and waves its arms one after the
/// other.
fn pose(bone: usize, share: f32) -> [f32; 4] {
    let wave = |phase: f32| (TAU * (share - phase)).sin() - (-TAU * phase).sin();
    match bone {
        0 => turn(1, TAU * share),
        1 => turn(2, 0.1 * wave(0.0)),
        2 => turn(0, -0.08 * wave(0.25)),
        5 => turn(2, -0.35 * wave(0.15)),
        6 => turn(2, -0.3 * wave(0.25)),
        7 => turn(2, 0.35 * wave(0.0)),
        8 => turn(2, 0.3 * wave(0.1)),
        _ => turn(1, 0.0),
    }
}

/// The buffer of the file and its accessors.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl Buffer {
    fn add(&mut self, bytes: Vec<u8>, count: usize, rest: &str) -> usize {
        let (offset, length) = (self.bytes.len(), bytes.len());
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = self.views.len();
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}}}"#));
        self.accessors.push(format!(r#"{{"bufferView":{view},"count":{count},{rest}}}"#));
        view
    }

    fn floats<const N: usize>(&mut self, values: &[[f32; N]], rest: &str) -> usize {
        let bytes = values.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
        self.add(bytes, values.len(), &format!(r#""componentType":5126,{rest}"#))
    }
}

fn file(bones: &[Bone]) -> Vec<u8> {
    let (vertices, triangles) = surface(bones);
    let (joints, weights): (Vec<_>, Vec<_>) = vertices.iter().map(|&vertex| influences(bones, vertex)).unzip();
    let mut buffer = Buffer::default();
    let low: Vector = std::array::from_fn(|i| vertices.iter().map(|vertex| vertex[i]).fold(f32::MAX, f32::min));
    let high: Vector = std::array::from_fn(|i| vertices.iter().map(|vertex| vertex[i]).fold(f32::MIN, f32::max));
    buffer.floats(&vertices, &format!(r#""type":"VEC3","min":{low:?},"max":{high:?}"#));
    let corners: Vec<u8> = triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()).collect();
    buffer.add(corners, 3 * triangles.len(), r#""componentType":5123,"type":"SCALAR""#);
    buffer.add(joints.as_flattened().to_vec(), joints.len(), r#""componentType":5121,"type":"VEC4""#);
    let normalised = r#""componentType":5121,"normalized":true,"type":"VEC4""#;
    buffer.add(weights.as_flattened().to_vec(), weights.len(), normalised);
    // Joints lie at the beginnings of bones, turned by nothing.
    let inverse = |bone: &Bone| {
        let [x, y, z] = bone.ends[0].map(|coordinate| -coordinate);
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
    };
    buffer.floats(&bones.iter().map(inverse).collect::<Vec<_>>(), r#""type":"MAT4""#);
    let shares: Vec<f32> = (0..=KEYS).map(|key| key as f32 / KEYS as f32).collect();
    let times: Vec<[f32; 1]> = shares.iter().map(|share| [SECONDS * share]).collect();
    let times = buffer.floats(&times, &format!(r#""type":"SCALAR","min":[0],"max":[{SECONDS}]"#));
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for bone in [0, 1, 2, 5, 6, 7, 8] {
        let turns: Vec<[f32; 4]> = shares.iter().map(|&share| pose(bone, share)).collect();
        let output = buffer.floats(&turns, r#""type":"VEC4""#);
        let sampler = samplers.len();
        samplers.push(format!(r#"{{"input":{times},"output":{output}}}"#));
        channels.push(format!(r#"{{"sampler":{sampler},"target":{{"node":{bone},"path":"rotation"}}}}"#));
    }
    let node = |(index, bone): (usize, &Bone)| {
        let begin = bone.parent.map_or([0.0; 3], |parent| bones[parent].ends[0]);
        let translation = difference(bone.ends[0], begin);
        let children: Vec<usize> = (0..bones.len()).filter(|&child| bones[child].parent == Some(index)).collect();
        let children = if children.is_empty() { String::new() } else { format!(r#","children":{children:?}"#) };
        format!(r#"{{"translation":{translation:?}{children}}}"#)
    };
    let nodes: Vec<String> = bones.iter().enumerate().map(node).collect();
    let count = bones.len();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,{count}]}}],"nodes":[{},{{"mesh":0,"skin":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3}},"indices":1}}]}}],"skins":[{{"joints":{:?},"inverseBindMatrices":4}}],"animations":[{{"name":"Turn","samplers":[{}],"channels":[{}]}}],"buffers":[{{"byteLength":{}}}],"bufferViews":[{}],"accessors":[{}]}}"#,
        nodes.join(","),
        (0..count).collect::<Vec<_>>(),
        samplers.join(","),
        channels.join(","),
        buffer.bytes.len(),
        buffer.views.join(","),
        buffer.accessors.join(","),
    );
    let mut json = json.into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunk = |kind: &[u8], bytes: &[u8]| [&(bytes.len() as u32).to_le_bytes(), kind, bytes].concat();
    let chunks = [chunk(b"JSON", &json), chunk(b"BIN\0", &buffer.bytes)].concat();
    let length = 12 + chunks.len() as u32;
    [&b"glTF"[..], &2_u32.to_le_bytes(), &length.to_le_bytes(), &chunks].concat()
}

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/scenes/dancer.glb".to_owned());
    std::fs::write(path, file(&bones()))
}
