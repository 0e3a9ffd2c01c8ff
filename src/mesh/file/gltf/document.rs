//! The parts of a glTF document that place triangles; all else is skipped unread, so that a fault there does no harm.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::super::error::{Fault, Place};
use super::GET_AGAIN;

type Extensions = HashMap<String, IgnoredAny>;

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct Document {
    asset: Asset,
    extensions_required: Vec<String>,
    pub scene: Option<usize>,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Asset {
    version: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Scene {
    pub nodes: Vec<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Node {
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    /// Column by column.
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    /// Quaternion x, y, z, w.
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
    pub weights: Vec<f64>,
    pub extensions: Extensions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Mesh {
    pub primitives: Vec<Primitive>,
    pub weights: Vec<f64>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<usize>,
    pub mode: Option<u32>,
    /// Morph targets.
    pub targets: Vec<Attributes>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: Option<usize>,
    /// Up to eight bones of each vertex, and their weights.
    #[serde(rename = "JOINTS_0")]
    pub joints: Option<usize>,
    #[serde(rename = "WEIGHTS_0")]
    pub weights: Option<usize>,
    #[serde(rename = "JOINTS_1")]
    pub more_joints: Option<usize>,
    #[serde(rename = "WEIGHTS_1")]
    pub more_weights: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    pub byte_offset: usize,
    pub component_type: u32,
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Sparse>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Sparse {
    pub count: usize,
    pub indices: SparsePart,
    pub values: SparsePart,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct SparsePart {
    pub buffer_view: usize,
    pub byte_offset: usize,
    /// Of the indices.
    pub component_type: u32,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
    pub extensions: Extensions,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: usize,
}

impl Document {
    /// `binary` tells whether the JSON is a part of a binary file, whose lines nobody sees.
    pub fn read(json: &[u8], binary: bool) -> Result<Self, Fault> {
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let document: Self = serde_json::from_slice(json).map_err(|error| {
            let place = (!binary && error.line() > 0).then(|| Place::Line(error.line()));
            let what: String = error.to_string().chars().take(300).collect();
            let remedy = if error.is_eof() { GET_AGAIN } else { "correct it, or export the mesh again" };
            Fault { place, what: format!("the JSON is not a glTF file: {what}"), remedy: remedy.to_owned() }
        })?;
        document.check()?;
        Ok(document)
    }

    fn check(&self) -> Result<(), Fault> {
        let version = &self.asset.version;
        if !version.starts_with("2.") {
            let what = match version.as_str() {
                "" => "the file does not say its version of glTF in `asset`".to_owned(),
                _ => format!("the file is of glTF {}", super::printable(version)),
            };
            return Err(Fault::of_file(what, "export the mesh as glTF 2.0"));
        }
        match self.extensions_required.iter().find(|name| !is_harmless(name)) {
            None => Ok(()),
            Some(name) if name.contains("compression") => Err(compressed(None, &super::printable(name))),
            Some(name) => {
                let what = format!("the file requires the extension {}, which is not read", super::printable(name));
                Err(Fault::of_file(what, "export the mesh without it"))
            }
        }
    }
}

pub fn compressed(place: Option<Place>, extension: &str) -> Fault {
    let what = format!("the mesh is compressed by {extension}, which is not read");
    Fault { place, what, remedy: "export without compression, or undo it by `gltf-transform copy`".to_owned() }
}

/// Whether an extension leaves triangles where they are. Quantised positions are read.
fn is_harmless(extension: &str) -> bool {
    const PREFIXES: &[&str] =
        &["KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp"];
    extension == "KHR_mesh_quantization" || PREFIXES.iter().any(|prefix| extension.starts_with(prefix))
}
