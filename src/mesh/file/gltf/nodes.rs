//! Where the nodes of a glTF scene put their meshes.

use super::super::error::{Fault, Place};
use super::document::{Document, Node};

/// Rows of an affine map.
#[derive(Clone, Copy)]
pub struct Transform([[f64; 4]; 3]);

pub const IDENTITY: Transform = Transform([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

impl Transform {
    pub fn point(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }

    /// Whether it turns left hands into right ones, and so the winding of triangles.
    pub fn mirrors(&self) -> bool {
        let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = self.0;
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0
    }

    /// From a matrix, column by column.
    pub fn of_columns(matrix: &[f64; 16], place: Place) -> Result<Self, Fault> {
        let row = |row: usize| std::array::from_fn(|column| matrix[4 * column + row]);
        match row(3) == [0.0, 0.0, 0.0, 1.0] {
            true => Ok(Self(std::array::from_fn(row))),
            false => Err(Fault::at(place, "the last row of the matrix is not 0, 0, 0, 1", "export the mesh again")),
        }
    }

    /// This map after another.
    pub fn after(&self, first: &Self) -> Self {
        Self(self.0.map(|row| {
            std::array::from_fn(|column| {
                let own = if column == 3 { row[3] } else { 0.0 };
                (0..3).fold(own, |sum, k| sum + row[k] * first.0[k][column])
            })
        }))
    }
}

/// A mesh where it stands.
pub struct Instance {
    pub mesh: usize,
    /// The node that it hangs by, if there is one.
    pub node: Option<usize>,
    pub transform: Transform,
    /// Whether the node gives weights to morph targets.
    pub morphed: bool,
}

/// The meshes of the default scene, else of the first, else of all nodes that are nobody's children, depth first. Of a
/// document without nodes, each mesh once.
///
/// Where bones move meshes, `moves` says whether they are asked for; else skinned meshes are refused.
pub fn instances(document: &Document, moves: bool) -> Result<Vec<Instance>, Fault> {
    if document.nodes.is_empty() {
        let instance = |mesh| Instance { mesh, node: None, transform: IDENTITY, morphed: false };
        return Ok((0..document.meshes.len()).map(instance).collect());
    }
    let mut waiting: Vec<(usize, Transform)> =
        roots(document)?.into_iter().rev().map(|node| (node, IDENTITY)).collect();
    let mut seen = vec![false; document.nodes.len()];
    let mut instances = Vec::new();
    while let Some((index, parent)) = waiting.pop() {
        let place = Place::Node(index);
        let Some(node) = document.nodes.get(index) else {
            return Err(Fault::of_file(format!("node {index} does not exist"), "export the mesh again"));
        };
        if std::mem::replace(&mut seen[index], true) {
            return Err(Fault::at(place, "the scene lists the node twice", "export the mesh again"));
        }
        let transform = parent.after(&local(node, place)?);
        if let Some(mesh) = node.mesh {
            check(node, place, moves)?;
            let morphed = node.weights.iter().any(|&weight| weight != 0.0);
            instances.push(Instance { mesh, node: Some(index), transform, morphed });
        }
        waiting.extend(node.children.iter().rev().map(|&child| (child, transform)));
    }
    Ok(instances)
}

fn roots(document: &Document) -> Result<Vec<usize>, Fault> {
    match (document.scene, document.scenes.first()) {
        (Some(scene), _) => match document.scenes.get(scene) {
            Some(scene) => Ok(scene.nodes.clone()),
            None => Err(Fault::of_file(format!("the scene {scene} does not exist"), "export the mesh again")),
        },
        (None, Some(first)) => Ok(first.nodes.clone()),
        (None, None) => {
            let mut is_child = vec![false; document.nodes.len()];
            for &child in document.nodes.iter().flat_map(|node| &node.children) {
                is_child.get_mut(child).into_iter().for_each(|is_child| *is_child = true);
            }
            Ok((0..is_child.len()).filter(|&node| !is_child[node]).collect())
        }
    }
}

fn check(node: &Node, place: Place, moves: bool) -> Result<(), Fault> {
    if node.skin.is_some() && !moves {
        let remedy = "apply the armature where the mesh was made, and export without a skin; or make it the mesh of a \
             driven body";
        return Err(Fault::at(place, "the mesh is skinned: bones decide where it is", remedy));
    }
    if node.extensions.contains_key("EXT_mesh_gpu_instancing") {
        let remedy = "export the copies as nodes of their own";
        return Err(Fault::at(place, "the mesh is repeated by EXT_mesh_gpu_instancing, which is not read", remedy));
    }
    Ok(())
}

/// Where a node is in its parent.
pub fn local(node: &Node, place: Place) -> Result<Transform, Fault> {
    match &node.matrix {
        Some(matrix) => Transform::of_columns(matrix, place),
        None => of_parts(node.translation, node.rotation, node.scale, place),
    }
}

/// Scale, then rotation, then translation.
pub fn of_parts(
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
    place: Place,
) -> Result<Transform, Fault> {
    let [x, y, z, w] = rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let square = x * x + y * y + z * z + w * w;
    if square == 0.0 {
        return Err(Fault::at(place, "the rotation is the quaternion 0", "write 0, 0, 0, 1 for no rotation"));
    }
    // Of a quaternion of any length.
    let s = 2.0 / square;
    let rotation = [
        [1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)],
    ];
    let (translation, scale) = (translation.unwrap_or_default(), scale.unwrap_or([1.0; 3]));
    Ok(Transform(std::array::from_fn(|row| {
        let [a, b, c] = std::array::from_fn(|column| rotation[row][column] * scale[column]);
        [a, b, c, translation[row]]
    })))
}
