//! Makes a clean mesh of the elements of a file: repairs what has one right repair, and says so; refuses the rest.

use std::collections::{HashMap, HashSet};

use super::super::error::{Fault, Place};
use super::super::repair::{Tally, WELDED, check_room, moved};
use super::super::text::checked_position;
use super::LoadedTetrahedra;
use crate::math::Vec3;
use crate::mesh::{TetrahedronMesh, near};

/// A tetrahedron is flat if 6 V ≤ this times the third power of its longest edge. An edge that is rounded to single
/// precision, in which bodies are solved, is off by up to 2⁻²⁴ of its length in each component, which can change 6 V by
/// about 2⁻²²: below that the sign of the volume is chance.
const FLAT: f64 = 1.0 / (1 << 22) as f64;

/// A tetrahedron as written.
struct Element {
    /// As the file counts or tags it.
    number: i64,
    /// Numbers of vertices.
    corners: [i64; 4],
    place: Place,
}

/// The vertices and tetrahedra of a file, as they are.
#[derive(Default)]
pub struct Elements {
    positions: Vec<[f64; 3]>,
    places: Vec<Place>,
    /// From the file's numbers of vertices to indices.
    index: HashMap<i64, u32>,
    elements: Vec<Element>,
    /// Of more than four nodes.
    higher_order: Tally,
    /// Points, lines and faces.
    skipped: Tally,
    /// What the reader itself left out.
    pub notes: Vec<String>,
}

impl Elements {
    pub fn add_vertex(&mut self, number: i64, position: [f64; 3], place: Place) -> Result<(), Fault> {
        check_room(self.positions.len(), place)?;
        let next = self.positions.len() as u32;
        if self.index.insert(number, next).is_some() {
            let what = format!("vertex {number} is defined twice");
            return Err(Fault::at(place, what, "give each vertex a number of its own"));
        }
        self.positions.push(checked_position(position, place)?);
        self.places.push(place);
        Ok(())
    }

    /// Adds a tetrahedron of so many nodes, of which the first four are its corners.
    pub fn add(&mut self, number: i64, corners: [i64; 4], nodes: i64, place: Place) {
        if nodes > 4 {
            self.higher_order.add(place);
        }
        self.elements.push(Element { number, corners, place });
    }

    pub fn skip(&mut self, place: Place) {
        self.skipped.add(place);
    }

    /// Compares how many things, vertices or elements, a header tells of with how many follow.
    pub fn check_count(&mut self, told: i64, read: usize, things: &str, place: Place) -> Result<(), Fault> {
        if told > read as i64 {
            let what = format!("the header says {told} {things}, and {read} follow");
            return Err(Fault::at(place, what, "get the file again if it was cut off, or correct the header"));
        }
        if told < read as i64 {
            self.notes.push(format!("read all {read} {things}, though the header says {told} ({place})"));
        }
        Ok(())
    }

    /// The vertex that each becomes where those near each other are welded: the first.
    fn welded(&self, radii: [f64; 3], repairs: &mut Vec<String>) -> Vec<u32> {
        let first = near::first_within(&self.positions, radii);
        let mut tally = Tally::default();
        let away = first.iter().zip(0u32..).zip(&self.places).filter(|((first, vertex), _)| **first != *vertex);
        away.for_each(|(_, place)| tally.add(*place));
        tally.tell(WELDED, "vertex to another", "vertices to others", repairs);
        first
    }

    /// What is to be added to the numbers of corners so that they are those of vertices. It is not 0 in one case: the
    /// corners go through the whole of a range without a gap that lies one beside that of the vertices, so that one
    /// list is counted from 0 and the other from 1.
    fn shift(&self) -> i64 {
        let corners = || self.elements.iter().flat_map(|element| element.corners);
        let (Some(first), Some(last)) = (corners().min(), corners().max()) else { return 0 };
        let (Some(&low), Some(&high)) = (self.index.keys().min(), self.index.keys().max()) else { return 0 };
        let whole = high.checked_sub(low) == Some(self.index.len() as i64 - 1);
        match (first.checked_sub(low), last.checked_sub(high)) {
            (Some(1), Some(1)) if whole => -1,
            (Some(-1), Some(-1)) if whole => 1,
            _ => 0,
        }
    }

    /// An index into the vertices of the file.
    fn vertex(&self, element: &Element, number: i64, shift: i64) -> Result<u32, Fault> {
        let found = number.checked_add(shift).and_then(|number| self.index.get(&number));
        found.copied().ok_or_else(|| {
            let what = format!("element {} names vertex {number}, which the file does not have", element.number);
            Fault::at(element.place, what, "correct the number, or get the file again if vertices are missing")
        })
    }

    /// A tetrahedron of the mesh, and whether it was turned; `None` if welding has left nothing of it. `first` is the
    /// vertex that each has become.
    fn tetrahedron(&self, element: &Element, shift: i64, first: &[u32]) -> Result<Option<([u32; 4], bool)>, Fault> {
        let mut corners = [0; 4];
        for (corner, &number) in corners.iter_mut().zip(&element.corners) {
            *corner = self.vertex(element, number, shift)?;
        }
        let fault = |what, remedy| Err(Fault::at(element.place, format!("element {} {what}", element.number), remedy));
        if let Some(place) = (1..4).find(|&place| corners[..place].contains(&corners[place])) {
            let what = format!("names vertex {} twice", element.corners[place]);
            return fault(what, "correct it, or remove the element");
        }
        let written = corners;
        let corners = written.map(|vertex| first[vertex as usize]);
        let [a, b, c, d] = corners.map(|vertex| Vec3::from(self.positions[vertex as usize]));
        let longest = [b - a, c - a, d - a, c - b, d - b, d - c].map(Vec3::length).into_iter().fold(0.0, f64::max);
        let six_volumes = (b - a).cross(c - a).dot(d - a);
        if six_volumes.abs() <= FLAT * longest.powi(3) {
            if written != corners {
                return Ok(None);
            }
            let what = "is flat: its corners lie in a plane".to_owned();
            return fault(what, "mesh the body again with a bound on the quality of tetrahedra (TetGen: -q)");
        }
        let [a, b, c, d] = corners;
        Ok(Some(if six_volumes > 0.0 { (corners, false) } else { ([a, b, d, c], true) }))
    }
}

/// The mesh of a file's elements. Vertices that an ellipsoid of these radii along the axes reaches from an earlier one
/// become that one.
pub fn repair(elements: Elements, radii: Option<[f64; 3]>) -> Result<LoadedTetrahedra, Fault> {
    let mut repairs = elements.notes.clone();
    elements.skipped.tell("left out", "point, line or face element", "point, line and face elements", &mut repairs);
    if elements.elements.is_empty() {
        let what = format!("the file has {} vertices but no tetrahedra", elements.positions.len());
        return Err(Fault::of_file(what, "export the volume mesh, not the surface alone"));
    }
    elements.higher_order.tell(
        "read only the corners of",
        "element of higher order",
        "elements of higher order",
        &mut repairs,
    );
    let shift = elements.shift();
    if shift != 0 {
        let (from, to) = if shift < 0 { (1, 0) } else { (0, 1) };
        repairs.push(format!(
            "the elements count vertices from {from}, the vertex list from {to}; took both as the \
             same"
        ));
    }
    let first = match radii {
        Some(radii) => elements.welded(radii, &mut repairs),
        None => (0..elements.positions.len() as u32).collect(),
    };
    let [mut turned, mut twice, mut lost] = [(); 3].map(|()| Tally::default());
    let mut seen = HashSet::new();
    let mut faces = HashMap::new();
    let mut tetrahedra = Vec::new();
    for element in &elements.elements {
        let Some((tetrahedron, inverted)) = elements.tetrahedron(element, shift, &first)? else {
            lost.add(element.place);
            continue;
        };
        let mut vertices = tetrahedron;
        vertices.sort_unstable();
        if !seen.insert(vertices) {
            twice.add(element.place);
            continue;
        }
        check_faces(element, vertices, &mut faces)?;
        if inverted {
            turned.add(element.place);
        }
        tetrahedra.push(tetrahedron);
    }
    twice.tell("dropped", "element that comes twice", "elements that come twice", &mut repairs);
    turned.tell("turned", "element that was inside out", "elements that were inside out", &mut repairs);
    lost.tell("dropped", "element that welding made flat", "elements that welding made flat", &mut repairs);
    if tetrahedra.is_empty() {
        return Err(Fault::of_file("welding leaves no tetrahedron", "weld at a shorter distance"));
    }
    let (mesh, index) = without_loose_vertices(&elements, tetrahedra, &first, &mut repairs);
    let welded: Vec<u32> = first.iter().map(|&vertex| index[vertex as usize]).collect();
    let numbers = moved(&welded, mesh.positions.len());
    Ok(LoadedTetrahedra { mesh, repairs, numbers })
}

/// Refuses a third tetrahedron at a face: two of them must overlap. The vertices are in ascending order.
fn check_faces(
    element: &Element,
    [a, b, c, d]: [u32; 4],
    owners: &mut HashMap<[u32; 3], (i64, Option<i64>)>,
) -> Result<(), Fault> {
    for face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
        match owners.get_mut(&face) {
            None => _ = owners.insert(face, (element.number, None)),
            Some((_, second @ None)) => *second = Some(element.number),
            Some(&mut (first, Some(second))) => {
                let what = format!("element {} has a face that elements {first} and {second} share", element.number);
                return Err(Fault::at(element.place, what, "correct its corners, or remove it: elements overlap"));
            }
        }
    }
    Ok(())
}

/// Vertices that are no corner would be loose particles. Returns the mesh's vertex for each of the file, too.
fn without_loose_vertices(
    elements: &Elements,
    tetrahedra: Vec<[u32; 4]>,
    first: &[u32],
    repairs: &mut Vec<String>,
) -> (TetrahedronMesh, Vec<u32>) {
    let mut named = vec![false; elements.positions.len()];
    tetrahedra.iter().flatten().for_each(|&vertex| named[vertex as usize] = true);
    let mut loose = Tally::default();
    let mut positions = Vec::new();
    let mut index = vec![u32::MAX; named.len()];
    for (vertex, &position) in elements.positions.iter().enumerate() {
        if named[vertex] {
            index[vertex] = positions.len() as u32;
            positions.push(position);
        } else if first[vertex] as usize == vertex {
            loose.add(elements.places[vertex]);
        }
    }
    loose.tell(
        "dropped",
        "vertex that is no corner of a tetrahedron",
        "vertices that are no corner of a tetrahedron",
        repairs,
    );
    let renumbered = |corners: [u32; 4]| corners.map(|vertex| index[vertex as usize]);
    (TetrahedronMesh { positions, tetrahedra: tetrahedra.into_iter().map(renumbered).collect() }, index)
}
