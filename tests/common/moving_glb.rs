//! Writes binary glTF files with animations, and point caches.

/// A binary glTF file in the making: its buffer and the accessors of it.
#[derive(Default)]
pub struct Glb {
    bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl Glb {
    fn accessor(&mut self, shape: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        let begin = self.bytes.len();
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let length = bytes.len();
        self.views.push(format!(r#"{{"buffer": 0, "byteOffset": {begin}, "byteLength": {length}}}"#));
        let view = self.views.len() - 1;
        self.accessors.push(format!(
            r#"{{"bufferView": {view}, "componentType": {component}, "count": {count}, "type": "{shape}"}}"#
        ));
        self.accessors.len() - 1
    }

    /// Adds an accessor of single precision and returns its number.
    pub fn floats<const N: usize>(&mut self, shape: &str, values: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = values.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(shape, 5126, values.len(), &bytes)
    }

    /// Adds an accessor of joints.
    pub fn joints(&mut self, values: &[[u8; 4]]) -> usize {
        self.accessor("VEC4", 5121, values.len(), values.as_flattened())
    }

    /// The file, with the rest of its document.
    pub fn file(&self, rest: &str) -> Vec<u8> {
        let mut json = format!(
            r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": {}}}], "bufferViews": [{}], "accessors": [{}], {rest}}}"#,
            self.bytes.len(),
            self.views.join(", "),
            self.accessors.join(", ")
        );
        json.extend(std::iter::repeat_n(' ', json.len().next_multiple_of(4) - json.len()));
        let chunk = |kind: &[u8], bytes: &[u8]| [&(bytes.len() as u32).to_le_bytes(), kind, bytes].concat();
        let chunks = [chunk(b"JSON", json.as_bytes()), chunk(b"BIN\0", &self.bytes)].concat();
        let length = (12 + chunks.len()) as u32;
        [&b"glTF"[..], &2_u32.to_le_bytes(), &length.to_le_bytes(), &chunks].concat()
    }
}

/// A point cache of samples of as many points each.
pub fn pc2(samples: &[&[[f32; 3]]], frames_per_sample: f32) -> Vec<u8> {
    let mut bytes = b"POINTCACHE2\0".to_vec();
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend((samples[0].len() as i32).to_le_bytes());
    bytes.extend(0_f32.to_le_bytes());
    bytes.extend(frames_per_sample.to_le_bytes());
    bytes.extend((samples.len() as i32).to_le_bytes());
    let numbers = samples.iter().flat_map(|sample| sample.as_flattened());
    bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
    bytes
}

/// An arm of a triangle with two joints: the second one, at half its height, bends by a quarter turn in a second. Clips
/// besides: the first joint slides in steps, and along a spline.
pub fn arm() -> Vec<u8> {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut glb = Glb::default();
    let positions = glb.floats("VEC3", &[[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]]);
    let joints = glb.joints(&[[0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0]]);
    let weights = glb.floats("VEC4", &[[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]);
    let mut inverses = [[0.0; 16]; 2];
    for matrix in &mut inverses {
        (0..4).for_each(|i| matrix[5 * i] = 1.0);
    }
    inverses[1][13] = -1.0;
    let inverses = glb.floats("MAT4", &inverses);
    let times = glb.floats("SCALAR", &[[0.0], [1.0]]);
    let bent = glb.floats("VEC4", &[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half, half]]);
    let slid = glb.floats("VEC3", &[[0.0; 3], [1.0, 0.0, 0.0]]);
    // Of each key the tangent in, the value and the tangent out, per second.
    let spline = glb.floats("VEC3", &[[0.0; 3], [0.0; 3], [4.0, 0.0, 0.0], [0.0; 3], [1.0, 0.0, 0.0], [0.0; 3]]);
    let clip = |name: &str, node: u32, path: &str, output: usize, interpolation: &str| {
        format!(
            r#"{{"name": "{name}", "channels": [{{"sampler": 0, "target": {{"node": {node}, "path": "{path}"}}}}], "samplers": [{{"input": {times}, "output": {output}, "interpolation": "{interpolation}"}}]}}"#
        )
    };
    let clips = [
        clip("Bend", 1, "rotation", bent, "LINEAR"),
        clip("Step", 0, "translation", slid, "STEP"),
        clip("Spline", 0, "translation", spline, "CUBICSPLINE"),
    ];
    glb.file(&format!(
        r#""meshes": [{{"primitives": [{{"attributes": {{"POSITION": {positions}, "JOINTS_0": {joints}, "WEIGHTS_0": {weights}}}}}]}}], "skins": [{{"joints": [0, 1], "inverseBindMatrices": {inverses}}}], "nodes": [{{"children": [1]}}, {{"translation": [0, 1, 0]}}, {{"mesh": 0, "skin": 0, "translation": [70, 0, 0]}}], "animations": [{}]"#,
        clips.join(", ")
    ))
}
