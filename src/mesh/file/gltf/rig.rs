//! Where the vertices of a glTF file are at a time of an animation: moved nodes, bones and morph targets.

use serde::Deserialize;

use super::super::error::{Fault, Place};
use super::accessor::Accessors;
use super::clip::{self, Animation, Moved, Track};
use super::document::{Attributes, Document, Mesh, Node, Primitive};
use super::nodes::{IDENTITY, Instance, Transform, local, of_parts};

const EXPORT_AGAIN: &str = "export the mesh again";

/// What of a document moves vertices. It is read apart from the rest, so that a fault in it does no harm to meshes that
/// stand.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Moving {
    pub animations: Vec<Animation>,
    skins: Vec<Skin>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Skin {
    inverse_bind_matrices: Option<usize>,
    joints: Vec<usize>,
}

/// The vertices of a primitive and what moves them.
struct Part {
    node: Option<usize>,
    positions: Vec<[f64; 3]>,
    /// Displacements of all vertices by each morph target.
    targets: Vec<Vec<[f64; 3]>>,
    /// Of the targets, where no track moves them.
    weights: Vec<f64>,
    bones: Option<Bones>,
}

struct Bones {
    /// Nodes, each with what takes the mesh to its frame.
    joints: Vec<(usize, Transform)>,
    /// Joints of each vertex with their weights, whose sum is 1.
    of_vertex: Vec<Vec<(usize, f64)>>,
}

/// The vertices of a file, and the animation that moves them.
pub struct Rig<'a> {
    document: &'a Document,
    moving: Moving,
    tracks: Vec<Track>,
    /// Nodes, parents before children, with their parents.
    order: Vec<(usize, Option<usize>)>,
    parts: Vec<Part>,
}

impl<'a> Rig<'a> {
    /// Of the animation that a name means; without a name of the only one.
    pub fn new(accessors: &Accessors<'a>, json: &[u8], name: Option<&str>) -> Result<Self, Fault> {
        let moving: Moving =
            serde_json::from_slice(json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json)).map_err(|error| {
                let what: String = error.to_string().chars().take(300).collect();
                Fault::of_file(format!("the animations of the file cannot be read: {what}"), EXPORT_AGAIN)
            })?;
        let tracks = clip::tracks(accessors, clip::chosen(&moving.animations, name)?)?;
        let document = accessors.document;
        Ok(Self { document, moving, tracks, order: hierarchy(&document.nodes), parts: Vec::new() })
    }

    /// The first and the last time of all tracks, s.
    pub fn ends(&self) -> [f64; 2] {
        let ends = self.tracks.iter().map(Track::ends);
        ends.reduce(|[begin, end], [first, last]| [begin.min(first), end.max(last)]).unwrap_or([0.0; 2])
    }

    /// Adds the vertices of a primitive. Returns where they are as the animation begins.
    pub fn add(
        &mut self,
        accessors: &Accessors,
        (mesh, primitive): (&Mesh, &Primitive),
        instance: &Instance,
        (positions, place): (Vec<[f64; 3]>, Place),
    ) -> Result<Vec<[f64; 3]>, Fault> {
        let node = instance.node.and_then(|node| self.document.nodes.get(node));
        let targets = targets(accessors, &primitive.targets, positions.len(), place)?;
        let bones = match node.and_then(|node| node.skin) {
            Some(skin) => Some(self.bones(accessors, (skin, &primitive.attributes), positions.len(), place)?),
            None => None,
        };
        let own = node.map_or(&[][..], |node| &node.weights);
        let weights = if own.is_empty() { &mesh.weights } else { own }.to_vec();
        let part = Part { node: instance.node, positions, targets, weights, bones };
        let [begin, _] = self.ends();
        let placed = self.placed(&part, &self.worlds(begin)?, begin);
        self.parts.push(part);
        Ok(placed)
    }

    /// Where all vertices are at a time, s.
    pub fn pose(&self, seconds: f64) -> Result<Vec<[f64; 3]>, Fault> {
        let worlds = self.worlds(seconds)?;
        Ok(self.parts.iter().flat_map(|part| self.placed(part, &worlds, seconds)).collect())
    }

    /// The numbers that a track gives to a node at a time.
    fn moved(&self, node: usize, moved: Moved, seconds: f64) -> Option<Vec<f64>> {
        let track = self.tracks.iter().find(|track| track.node == node && track.moved == moved)?;
        Some(track.at(seconds))
    }

    /// Where all nodes are at a time.
    fn worlds(&self, seconds: f64) -> Result<Vec<Transform>, Fault> {
        let mut worlds = vec![IDENTITY; self.document.nodes.len()];
        for &(index, parent) in &self.order {
            let (node, place) = (&self.document.nodes[index], Place::Node(index));
            let moved = |moved| self.moved(index, moved, seconds);
            let [translation, rotation, scale] = [Moved::Translation, Moved::Rotation, Moved::Scale].map(moved);
            let own = match (&translation, &rotation, &scale) {
                (None, None, None) => local(node, place)?,
                _ => of_parts(
                    array(translation).or(node.translation),
                    array(rotation).or(node.rotation),
                    array(scale).or(node.scale),
                    place,
                )?,
            };
            worlds[index] = parent.map_or(own, |parent| worlds[parent].after(&own));
        }
        Ok(worlds)
    }

    fn placed(&self, part: &Part, worlds: &[Transform], seconds: f64) -> Vec<[f64; 3]> {
        let moved = part.node.and_then(|node| self.moved(node, Moved::Weights, seconds));
        let weights = moved.unwrap_or_else(|| part.weights.clone());
        let shaped = |vertex: usize| {
            let targets = part.targets.iter().zip(&weights);
            targets.fold(part.positions[vertex], |sum, (target, weight)| add(sum, target[vertex], *weight))
        };
        let world = part.node.map_or(IDENTITY, |node| worlds[node]);
        let Some(Bones { joints, of_vertex }) = &part.bones else {
            return (0..part.positions.len()).map(|vertex| world.point(shaped(vertex))).collect();
        };
        let joints: Vec<Transform> = joints.iter().map(|(node, inverse)| worlds[*node].after(inverse)).collect();
        let by_bones = |(vertex, influences): (usize, &Vec<(usize, f64)>)| {
            let place = shaped(vertex);
            influences.iter().fold([0.0; 3], |sum, &(joint, weight)| add(sum, joints[joint].point(place), weight))
        };
        of_vertex.iter().enumerate().map(by_bones).collect()
    }

    fn bones(
        &self,
        accessors: &Accessors,
        (index, attributes): (usize, &Attributes),
        vertices: usize,
        place: Place,
    ) -> Result<Bones, Fault> {
        let at_skin = Place::Skin(index);
        let Some(skin) = self.moving.skins.get(index) else {
            return Err(Fault::at(place, format!("skin {index} does not exist"), EXPORT_AGAIN));
        };
        if let Some(joint) = skin.joints.iter().find(|&&joint| joint >= self.document.nodes.len()) {
            return Err(Fault::at(at_skin, format!("node {joint} does not exist"), EXPORT_AGAIN));
        }
        let inverses = match skin.inverse_bind_matrices {
            None => vec![IDENTITY; skin.joints.len()],
            Some(accessor) => {
                let matrices = accessors.read::<16>(accessor, "MAT4", at_skin)?;
                matrices.iter().map(|matrix| Transform::of_columns(matrix, at_skin)).collect::<Result<_, _>>()?
            }
        };
        if inverses.len() < skin.joints.len() {
            let what = format!("the skin has {} joints and {} matrices", skin.joints.len(), inverses.len());
            return Err(Fault::at(at_skin, what, EXPORT_AGAIN));
        }
        let joints: Vec<(usize, Transform)> = skin.joints.iter().copied().zip(inverses).collect();
        let of_vertex = influences(accessors, attributes, joints.len(), place)?;
        if of_vertex.len() != vertices {
            let what = format!("the primitive has {vertices} vertices, and {} of them have bones", of_vertex.len());
            return Err(Fault::at(place, what, EXPORT_AGAIN));
        }
        Ok(Bones { joints, of_vertex })
    }
}

/// Joints with their weights for each vertex.
fn influences(
    accessors: &Accessors,
    of: &Attributes,
    joints: usize,
    place: Place,
) -> Result<Vec<Vec<(usize, f64)>>, Fault> {
    let mut of_vertex: Vec<Vec<(usize, f64)>> = Vec::new();
    for (indices, weights) in [(of.joints, of.weights), (of.more_joints, of.more_weights)] {
        let (Some(indices), Some(weights)) = (indices, weights) else { continue };
        let indices = accessors.read::<4>(indices, "VEC4", place)?;
        let weights = accessors.read::<4>(weights, "VEC4", place)?;
        of_vertex.resize(of_vertex.len().max(indices.len().min(weights.len())), Vec::new());
        for ((influences, indices), weights) in of_vertex.iter_mut().zip(indices).zip(weights) {
            let bones = indices.into_iter().zip(weights).filter(|(_, weight)| *weight != 0.0);
            influences.extend(bones.map(|(joint, weight)| (joint as usize, weight)));
        }
    }
    for (vertex, influences) in of_vertex.iter_mut().enumerate() {
        if let Some((joint, _)) = influences.iter().find(|(joint, _)| *joint >= joints) {
            let what = format!("vertex {vertex} follows joint {joint}, and there are {joints}");
            return Err(Fault::at(place, what, EXPORT_AGAIN));
        }
        let sum: f64 = influences.iter().map(|(_, weight)| weight).sum();
        if !(sum > 0.0 && sum.is_finite()) {
            let what = format!("vertex {vertex} follows no bone: the sum of its weights is {sum}");
            return Err(Fault::at(place, what, "give it a weight where the mesh was made"));
        }
        influences.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
    Ok(of_vertex)
}

/// The displacements of the morph targets of a primitive.
fn targets(
    accessors: &Accessors,
    targets: &[Attributes],
    vertices: usize,
    place: Place,
) -> Result<Vec<Vec<[f64; 3]>>, Fault> {
    let target = |target: &Attributes| {
        let Some(accessor) = target.position else { return Ok(vec![[0.0; 3]; vertices]) };
        let displacements = accessors.read::<3>(accessor, "VEC3", place)?;
        match displacements.len() == vertices {
            true => Ok(displacements),
            false => {
                let what = format!("a morph target moves {} of {vertices} vertices", displacements.len());
                Err(Fault::at(place, what, EXPORT_AGAIN))
            }
        }
    };
    targets.iter().map(target).collect()
}

/// All nodes that hang by a root, parents before children, with their parents.
fn hierarchy(nodes: &[Node]) -> Vec<(usize, Option<usize>)> {
    let mut is_child = vec![false; nodes.len()];
    for &child in nodes.iter().flat_map(|node| &node.children) {
        is_child.get_mut(child).into_iter().for_each(|is_child| *is_child = true);
    }
    let mut order: Vec<_> = (0..nodes.len()).filter(|&node| !is_child[node]).map(|node| (node, None)).collect();
    let (mut next, mut seen) = (0, vec![false; nodes.len()]);
    while let Some(&(node, _)) = order.get(next) {
        next += 1;
        for &child in nodes[node].children.iter().filter(|&&child| child < nodes.len()) {
            if !std::mem::replace(&mut seen[child], true) {
                order.push((child, Some(node)));
            }
        }
    }
    order
}

fn array<const N: usize>(values: Option<Vec<f64>>) -> Option<[f64; N]> {
    values.and_then(|values| values.try_into().ok())
}

fn add(sum: [f64; 3], part: [f64; 3], weight: f64) -> [f64; 3] {
    std::array::from_fn(|i| sum[i] + weight * part[i])
}
