//! Reads glTF 2.0, text and binary: triangles, strips and fans of all meshes in the default scene, where their nodes
//! put them.
//!
//! Written here over `serde_json` rather than taken from the crate `gltf` 1.4.1, which panics on a binary header of a
//! length below 12, on accessors of no elements, and on offsets and counts near 2⁶⁴; refuses files whose materials or
//! animations are at fault; and does not read quantised positions.

mod accessor;
mod buffer;
mod clip;
mod document;
mod nodes;
mod rig;

use std::path::Path;

use super::error::{Fault, Place};
use super::repair::{Polygons, Tally};
use super::text::printable;

use accessor::Accessors;
use document::{Document, Mesh, Primitive};
use nodes::Instance;
use rig::Rig;

const MAGIC: &[u8] = b"glTF";
const GET_AGAIN: &str = "get the file again: it was cut off";

pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

pub(super) fn polygons(bytes: &[u8], folder: Option<&Path>) -> Result<Polygons, Fault> {
    let (json, chunk) = parts(bytes)?;
    let document = Document::read(json, is_binary(bytes))?;
    let buffers = buffer::read(&document, chunk, folder)?;
    Reader::new(Accessors { document: &document, buffers: &buffers }, None).read()
}

/// A surface that an animation moves.
pub(super) struct Moving {
    /// As the animation begins.
    pub polygons: Polygons,
    /// Where all vertices of the polygons are, sample after sample.
    pub samples: Vec<Vec<[f64; 3]>>,
    /// Samples per second of the animation, at least as many as asked for.
    pub rate: f64,
}

/// The most places of vertices in all samples, of 24 bytes each.
const MOST_PLACES: f64 = (1 << 24) as f64;

/// The surface that a clip moves, in samples from its first key to its last one. `rate`: how many there are a second,
/// at least.
pub(super) fn moving(bytes: &[u8], folder: Option<&Path>, clip: Option<&str>, rate: f64) -> Result<Moving, Fault> {
    let (json, chunk) = parts(bytes)?;
    let document = Document::read(json, is_binary(bytes))?;
    let buffers = buffer::read(&document, chunk, folder)?;
    let accessors = Accessors { document: &document, buffers: &buffers };
    let mut rig = Rig::new(&accessors, json, clip)?;
    let polygons = Reader::new(accessors, Some(&mut rig)).read()?;
    let [begin, end] = rig.ends();
    // A last step that rounding leaves over is none, and neither is a clip that is shorter.
    let steps = if end - begin < 1e-6 { 0.0 } else { ((end - begin) * rate - 1e-6).ceil().max(1.0) };
    let vertices = polygons.positions.len();
    if (steps + 1.0) * vertices as f64 > MOST_PLACES {
        let what = format!("the clip takes {} samples of {vertices} vertices, which is too much", steps + 1.0);
        return Err(Fault::of_file(what, "shorten it, raise the speed, or make the mesh coarser"));
    }
    let rate = if steps > 0.0 { steps / (end - begin) } else { rate };
    let at = |sample: u32| rig.pose(begin + f64::from(sample) / rate);
    Ok(Moving { polygons, samples: (0..=steps as u32).map(at).collect::<Result<_, _>>()?, rate })
}

/// The JSON of a file, and what the buffer of a binary one holds.
fn parts(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    if is_binary(bytes) { chunks(bytes) } else { Ok((bytes, None)) }
}

/// The JSON of a binary file, and what its buffer holds.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let number = |at: usize| {
        let bytes = bytes.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes) as usize)
    };
    let (Some(version), Some(length)) = (number(4), number(8)) else {
        return Err(Fault::of_file("the file ends in its header", GET_AGAIN));
    };
    if version != 2 {
        return Err(Fault::of_file(format!("the file is of glTF {version}"), "export the mesh as glTF 2.0"));
    }
    if length > bytes.len() {
        let what = format!("the header says {length} bytes, and the file has {}", bytes.len());
        return Err(Fault::of_file(what, GET_AGAIN));
    }
    let (mut json, mut buffer) = (None, None);
    let mut begin = 12;
    while let (Some(size), Some(kind)) = (number(begin), bytes.get(begin + 4..begin + 8)) {
        let Some(chunk) = bytes.get(begin + 8..).and_then(|rest| rest.get(..size)) else {
            return Err(Fault::of_file(format!("a chunk of {size} bytes reaches beyond the end"), GET_AGAIN));
        };
        match kind {
            b"JSON" => json = json.or(Some(chunk)),
            b"BIN\0" => buffer = buffer.or(Some(chunk)),
            // Others may be there, and have no use here.
            _ => {}
        }
        begin += 8 + size;
    }
    let json = json.ok_or_else(|| Fault::of_file("the file has no JSON chunk", "export the mesh again"))?;
    Ok((json, buffer))
}

struct Reader<'a, 'r> {
    accessors: Accessors<'a>,
    /// What moves the vertices, if they are to move.
    rig: Option<&'r mut Rig<'a>>,
    polygons: Polygons,
    /// Primitives with triangles.
    parts: usize,
    /// Primitives of points and lines.
    elements: Tally,
    /// Primitives with targets left out.
    morphs: Tally,
}

impl<'a, 'r> Reader<'a, 'r> {
    fn new(accessors: Accessors<'a>, rig: Option<&'r mut Rig<'a>>) -> Self {
        let (polygons, elements, morphs) = Default::default();
        Self { accessors, rig, polygons, parts: 0, elements, morphs }
    }

    fn read(mut self) -> Result<Polygons, Fault> {
        let document = self.accessors.document;
        for instance in nodes::instances(document, self.rig.is_some())? {
            self.read_instance(&instance)?;
        }
        Ok(self.finish(document.scenes.len()))
    }

    fn read_instance(&mut self, instance: &Instance) -> Result<(), Fault> {
        let document = self.accessors.document;
        let Some(mesh) = document.meshes.get(instance.mesh) else {
            let what = format!("mesh {} does not exist", instance.mesh);
            return Err(Fault {
                place: instance.node.map(Place::Node),
                what,
                remedy: "export the mesh again".to_owned(),
            });
        };
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let place = Place::Primitive { mesh: instance.mesh as u32, primitive: index as u32 };
            self.read_primitive(mesh, primitive, instance, place)?;
        }
        Ok(())
    }

    fn read_primitive(
        &mut self,
        mesh: &Mesh,
        primitive: &Primitive,
        instance: &Instance,
        place: Place,
    ) -> Result<(), Fault> {
        let mode = primitive.mode.unwrap_or(4);
        if mode < 4 {
            self.elements.add(place);
            return Ok(());
        }
        if !primitive.targets.is_empty() && self.rig.is_none() {
            if instance.morphed || mesh.weights.iter().any(|&weight| weight != 0.0) {
                let remedy = "apply its shape keys where it was made, and export without morph targets; or make it the \
                     mesh of a driven body";
                return Err(Fault::at(place, "the mesh is shaped by morph targets, which are not read", remedy));
            }
            self.morphs.add(place);
        }
        let Some(accessor) = primitive.attributes.position else {
            return Err(Fault::at(place, "the primitive has no positions", "export the mesh with its positions"));
        };
        let positions = self.accessors.read::<3>(accessor, "VEC3", place)?;
        let (first, count) = (self.polygons.positions.len(), positions.len());
        for (vertex, position) in self.placed((mesh, primitive), instance, (positions, place))?.into_iter().enumerate()
        {
            let added = self.polygons.add_vertex(position, place);
            added.map_err(|fault| Fault { what: format!("vertex {vertex}: {}", fault.what), ..fault })?;
        }
        let vertices = match primitive.indices {
            None => (0..count).map(|vertex| (first + vertex) as u32).collect(),
            Some(accessor) => self.indices(accessor, first, count, place)?,
        };
        self.parts += 1;
        for [a, b, c] in triangles(mode, &vertices, place)? {
            let triangle = if instance.transform.mirrors() { [a, c, b] } else { [a, b, c] };
            self.polygons.add_face(triangle, place)?;
        }
        Ok(())
    }

    /// Where the vertices of a primitive are, as its animation begins if there is one.
    fn placed(
        &mut self,
        of: (&Mesh, &Primitive),
        instance: &Instance,
        (positions, place): (Vec<[f64; 3]>, Place),
    ) -> Result<Vec<[f64; 3]>, Fault> {
        match &mut self.rig {
            Some(rig) => rig.add(&self.accessors, of, instance, (positions, place)),
            None => Ok(positions.into_iter().map(|position| instance.transform.point(position)).collect()),
        }
    }

    /// Vertices of the whole mesh; those of the primitive begin at `first`.
    fn indices(&self, accessor: usize, first: usize, count: usize, place: Place) -> Result<Vec<u32>, Fault> {
        let resolved = |[index]: [f64; 1]| {
            if index >= 0.0 && index < count as f64 && index.fract() == 0.0 {
                return Ok((first + index as usize) as u32);
            }
            let what = format!("vertex {index} does not exist: the primitive has {count}, counted from 0");
            Err(Fault::at(place, what, "correct the index, or export the mesh again"))
        };
        self.accessors.read::<1>(accessor, "SCALAR", place)?.into_iter().map(resolved).collect()
    }

    fn finish(self, scenes: usize) -> Polygons {
        let Self { mut polygons, parts, elements, morphs, .. } = self;
        let notes = &mut polygons.notes;
        if parts > 1 {
            notes.push(format!("merged {parts} primitives into one mesh"));
        }
        if scenes > 1 {
            notes.push(format!("left out all but the default of {scenes} scenes"));
        }
        elements.tell("left out", "primitive of points or lines", "primitives of points or lines", notes);
        morphs.tell("left out the morph targets of", "primitive", "primitives", notes);
        polygons
    }
}

/// By the mode of the primitive.
fn triangles(mode: u32, vertices: &[u32], place: Place) -> Result<Vec<[u32; 3]>, Fault> {
    match mode {
        4 => match vertices.as_chunks() {
            (triangles, []) => Ok(triangles.to_vec()),
            _ => {
                let what = format!("the primitive has {} corners, which is not a multiple of three", vertices.len());
                Err(Fault::at(place, what, "export the mesh again"))
            }
        },
        5 => {
            let turned = |(index, &[a, b, c]): (usize, &[u32; 3])| if index % 2 == 0 { [a, b, c] } else { [b, a, c] };
            Ok(vertices.array_windows().enumerate().map(turned).collect())
        }
        6 => {
            let rim = vertices.get(1..).unwrap_or_default();
            Ok(rim.array_windows().map(|&[b, c]| [vertices[0], b, c]).collect())
        }
        _ => Err(Fault::at(place, format!("the mode {mode} is unknown"), "export the mesh as triangles")),
    }
}
