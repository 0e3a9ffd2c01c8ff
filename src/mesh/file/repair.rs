//! Makes a clean triangle mesh of the polygons of a file: repairs what has one right repair, and says so; refuses the
//! rest.

use std::collections::{HashMap, HashSet};

use super::error::{Fault, Place};
use super::polygon::split;
use super::text::checked_position;
use super::winding::{check_edges, wind_alike};
use crate::mesh::{TriangleMesh, near};

/// A mesh read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// Without unreferenced or coincident vertices, degenerate or duplicate faces, with at most two triangles at an
    /// edge, neighbours wound alike. Vertices keep the order of the file; those after a dropped or welded one move up.
    pub mesh: TriangleMesh,
    /// One sentence for each kind of repair, with how often and where first. Empty for a clean file.
    pub repairs: Vec<String>,
    /// Where repairs have renumbered vertices that the file counts: the number of each in the file, counted from 0, the
    /// lowest of those that became one.
    /// Else empty.
    pub numbers: Vec<u32>,
}

/// Which vertices of a file those of its mesh are.
pub(crate) struct Numbering {
    /// How many vertices the file has.
    pub count: usize,
    /// How many its mesh has.
    kept: usize,
    /// The number in the file of each vertex of the mesh, the lowest of those that became one; empty where all keep
    /// their numbers.
    numbers: Vec<u32>,
}

impl Numbering {
    /// Of what there is for each vertex of the file that of the mesh's.
    pub fn of_mesh<T: Copy>(&self, of_file: &[T]) -> Vec<T> {
        match self.numbers.is_empty() {
            true => of_file.iter().take(self.kept).copied().collect(),
            false => self.numbers.iter().filter_map(|&number| of_file.get(number as usize).copied()).collect(),
        }
    }
}

/// How repairs begin of vertices that a scene has welded.
pub(super) const WELDED: &str = "welded, as near enough,";

/// What a scene can hold: files may ask for more than they hold, by instances.
const MOST_VERTICES: usize = 1 << 27;

/// Refuses a vertex more than that.
pub(super) fn check_room(vertices: usize, place: Place) -> Result<(), Fault> {
    if vertices < MOST_VERTICES {
        return Ok(());
    }
    Err(Fault::at(place, format!("the mesh has more than {MOST_VERTICES} vertices"), "make it coarser"))
}

/// The polygons of a file, as they are.
#[derive(Default)]
pub(super) struct Polygons {
    pub positions: Vec<[f64; 3]>,
    pub position_places: Vec<Place>,
    /// Vertices of all polygons, one polygon after another.
    pub corners: Vec<u32>,
    /// Where each polygon's corners end.
    pub offsets: Vec<usize>,
    pub places: Vec<Place>,
    /// From which number on the format counts vertices; `None` if they have no number that its user knows.
    pub first_vertex: Option<usize>,
    /// What the reader itself left out or merged.
    pub notes: Vec<String>,
}

impl Polygons {
    pub fn add_vertex(&mut self, position: [f64; 3], place: Place) -> Result<(), Fault> {
        check_room(self.positions.len(), place)?;
        self.positions.push(checked_position(position, place)?);
        self.position_places.push(place);
        Ok(())
    }

    pub fn add_face(&mut self, corners: impl IntoIterator<Item = u32>, place: Place) -> Result<(), Fault> {
        let begin = self.corners.len();
        self.corners.extend(corners);
        let count = self.corners.len() - begin;
        if count < 3 {
            return Err(Fault::at(place, format!("the face has {count} corners"), "give it at least 3, or remove it"));
        }
        self.offsets.push(self.corners.len());
        self.places.push(place);
        Ok(())
    }

    /// How the user knows a vertex.
    fn vertex_name(&self, vertex: u32) -> String {
        match self.first_vertex {
            Some(first) => (vertex as usize + first).to_string(),
            None => {
                let [x, y, z] = self.positions[vertex as usize];
                format!("({x}, {y}, {z})")
            }
        }
    }
}

/// A triangle of a file's polygon.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// Vertices of the repaired mesh.
    pub triangle: [u32; 3],
    /// Vertices of the file.
    pub written: [u32; 3],
    /// Of the polygon.
    pub place: Place,
}

/// How often something was repaired, and where first.
#[derive(Default)]
pub(super) struct Tally {
    count: usize,
    first: Option<Place>,
}

impl Tally {
    pub fn add(&mut self, place: Place) {
        self.first.get_or_insert(place);
        self.count += 1;
    }

    pub fn tell(&self, what: &str, thing: &str, plural: &str, repairs: &mut Vec<String>) {
        match (self.count, self.first) {
            (_, None) => {}
            (1, Some(place)) => repairs.push(format!("{what} 1 {thing} ({place})")),
            (count, Some(place)) => repairs.push(format!("{what} {count} {plural} (first at {place})")),
        }
    }
}

/// The mesh of a file's polygons. Vertices that an ellipsoid of these radii along the axes reaches from an earlier one
/// become that one.
pub(super) fn repair(polygons: Polygons, radii: Option<[f64; 3]>) -> Result<(Loaded, Numbering), Fault> {
    if polygons.places.is_empty() {
        let remedy = "export the mesh with its faces, or get the file again if it is cut off";
        let what = match polygons.positions.len() {
            0 => "the file has no faces".to_owned(),
            vertices => format!("the file has {vertices} vertices but no faces"),
        };
        return Err(Fault::of_file(what, remedy));
    }
    let mut repairs = polygons.notes.clone();
    let (mut welded, mut positions) = weld(&polygons, &mut repairs);
    if let Some(radii) = radii {
        weld_near(&polygons, radii, (&mut welded, &mut positions), &mut repairs);
    }
    let mut pieces = triangles(&polygons, &welded, &mut repairs)?;
    if pieces.is_empty() {
        let remedy = "check that the mesh has a surface and was not scaled to nothing";
        return Err(Fault::of_file("none of the faces has any area", remedy));
    }
    check_edges(&pieces, |vertex| polygons.vertex_name(vertex))?;
    wind_alike(&mut pieces)?.tell(
        "turned round",
        "face wound against its neighbours",
        "faces wound against their neighbours",
        &mut repairs,
    );
    let mesh = without_loose_vertices(positions, &mut welded, pieces, &mut repairs);
    let (count, kept) = (polygons.positions.len(), mesh.positions.len());
    let numbering = Numbering { count, kept, numbers: moved(&welded, kept) };
    let numbers = polygons.first_vertex.map_or(Vec::new(), |_| numbering.numbers.clone());
    Ok((Loaded { mesh, repairs, numbers }, numbering))
}

/// The lowest of the file's vertices that became each vertex of the mesh; empty where all keep their numbers. `welded`
/// is the mesh's
/// vertex for each of the file, beyond all for none.
pub(super) fn moved(welded: &[u32], count: usize) -> Vec<u32> {
    let mut numbers = vec![u32::MAX; count];
    for (number, &vertex) in (0..).zip(welded) {
        if let Some(slot) = numbers.get_mut(vertex as usize).filter(|slot| **slot == u32::MAX) {
            *slot = number;
        }
    }
    let moved = (0..).zip(&numbers).any(|(vertex, &number)| vertex != number);
    if moved { numbers } else { Vec::new() }
}

/// The vertex of the mesh for each of the file, and their positions. Vertices that no face names are dropped.
/// Coincident ones become one: exactly equal after reading, no tolerance, since seams of texture or normals repeat a
/// position digit by digit, while near ones may be two sheets of cloth.
fn weld(polygons: &Polygons, repairs: &mut Vec<String>) -> (Vec<u32>, Vec<[f64; 3]>) {
    let mut named = vec![false; polygons.positions.len()];
    polygons.corners.iter().for_each(|&vertex| named[vertex as usize] = true);
    let (mut unnamed, mut twice) = (Tally::default(), Tally::default());
    let mut positions = Vec::new();
    let mut index: HashMap<[u64; 3], u32> = HashMap::new();
    let mut welded = vec![u32::MAX; named.len()];
    for (vertex, &position) in polygons.positions.iter().enumerate() {
        let place = polygons.position_places[vertex];
        if !named[vertex] {
            unnamed.add(place);
            continue;
        }
        let next = positions.len() as u32;
        welded[vertex] = *index.entry(position.map(f64::to_bits)).or_insert(next);
        if welded[vertex] == next {
            positions.push(position);
        } else {
            twice.add(place);
        }
    }
    unnamed.tell("dropped", "vertex that no face uses", "vertices that no face uses", repairs);
    twice.tell("welded", "vertex to another at the same position", "vertices to others at the same position", repairs);
    (welded, positions)
}

/// Makes vertices one that are near each other, those of a lower number first.
fn weld_near(
    polygons: &Polygons,
    radii: [f64; 3],
    (welded, positions): (&mut [u32], &mut Vec<[f64; 3]>),
    repairs: &mut Vec<String>,
) {
    let first = near::first_within(positions, radii);
    let mut index = vec![0; first.len()];
    let mut kept = Vec::new();
    for (vertex, &to) in first.iter().enumerate() {
        if to as usize == vertex {
            index[vertex] = kept.len() as u32;
            kept.push(positions[vertex]);
        } else {
            index[vertex] = index[to as usize];
        }
    }
    let (mut tally, mut seen) = (Tally::default(), vec![false; first.len()]);
    for (vertex, place) in welded.iter_mut().zip(&polygons.position_places).filter(|(vertex, _)| **vertex != u32::MAX) {
        let at = *vertex as usize;
        if first[at] as usize != at && !std::mem::replace(&mut seen[at], true) {
            tally.add(*place);
        }
        *vertex = index[at];
    }
    *positions = kept;
    tally.tell(WELDED, "vertex to another", "vertices to others", repairs);
}

/// The polygons as triangles, without those that are degenerate or come twice.
fn triangles(polygons: &Polygons, welded: &[u32], repairs: &mut Vec<String>) -> Result<Vec<Piece>, Fault> {
    let [mut degenerate, mut twice, mut repeated, mut split_up] = [const { Tally { count: 0, first: None } }; 4];
    let mut seen = HashSet::new();
    let mut pieces = Vec::new();
    let mut begin = 0;
    for (&end, &place) in polygons.offsets.iter().zip(&polygons.places) {
        let mut corners = polygons.corners[begin..end].to_vec();
        begin = end;
        let written = corners.len();
        corners.dedup_by_key(|&mut vertex| welded[vertex as usize]);
        if corners.len() > 1 && welded[corners[0] as usize] == welded[corners[corners.len() - 1] as usize] {
            corners.pop();
        }
        let points: Vec<[f64; 3]> = corners.iter().map(|&vertex| polygons.positions[vertex as usize]).collect();
        let parts = split(&points).map_err(|(what, remedy)| Fault::at(place, what, remedy))?;
        if parts.is_empty() {
            degenerate.add(place);
            continue;
        }
        // A face that comes again, from whichever corner and whichever side, is the same surface.
        let mut vertices: Vec<u32> = corners.iter().map(|&vertex| welded[vertex as usize]).collect();
        vertices.sort_unstable();
        if !seen.insert(vertices) {
            twice.add(place);
            continue;
        }
        if corners.len() < written {
            repeated.add(place);
        }
        if parts.len() > 1 {
            split_up.add(place);
        }
        pieces.extend(parts.into_iter().map(|part| {
            let written = part.map(|corner| corners[corner]);
            Piece { triangle: written.map(|vertex| welded[vertex as usize]), written, place }
        }));
    }
    degenerate.tell("dropped", "face without area", "faces without area", repairs);
    twice.tell("dropped", "face that comes twice", "faces that come twice", repairs);
    repeated.tell("removed repeated corners from", "face", "faces", repairs);
    split_up.tell("split", "polygon into triangles", "polygons into triangles", repairs);
    Ok(pieces)
}

/// Vertices that only dropped faces used would be loose particles.
fn without_loose_vertices(
    positions: Vec<[f64; 3]>,
    welded: &mut [u32],
    pieces: Vec<Piece>,
    repairs: &mut Vec<String>,
) -> TriangleMesh {
    let mut index = vec![None; positions.len()];
    pieces.iter().flat_map(|piece| piece.triangle).for_each(|vertex| index[vertex as usize] = Some(0));
    let kept: Vec<[f64; 3]> =
        positions.iter().zip(&index).filter_map(|(&position, used)| used.map(|_| position)).collect();
    match positions.len() - kept.len() {
        0 => {}
        1 => repairs.push("dropped 1 vertex that only dropped faces used".to_owned()),
        loose => repairs.push(format!("dropped {loose} vertices that only dropped faces used")),
    }
    (0u32..).zip(index.iter_mut().flatten()).for_each(|(next, index)| *index = next);
    for vertex in welded.iter_mut() {
        *vertex = index.get(*vertex as usize).copied().flatten().unwrap_or(u32::MAX);
    }
    let renumbered = |vertex: u32| index[vertex as usize].unwrap_or_default();
    TriangleMesh { positions: kept, triangles: pieces.iter().map(|piece| piece.triangle.map(renumbered)).collect() }
}
