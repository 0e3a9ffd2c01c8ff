//! Neighbourhoods of triangles: at most two at an edge, and those wound alike.

use super::error::{Fault, Place};
use super::repair::{Piece, Tally};
use crate::mesh::{HalfEdge, half_edges};

/// Refuses edges with more than two triangles: there the surface has no two sides, and which sheets belong together
/// only the author knows. `name` is how the user knows a vertex of the file.
pub(super) fn check_edges(pieces: &[Piece], name: impl Fn(u32) -> String) -> Result<(), Fault> {
    let half_edges = half_edges(&triangles(pieces));
    let crowded = half_edges.chunk_by(HalfEdge::same_edge).filter(|edge| edge.len() > 2);
    // By the first face that makes a third, not by the vertices.
    let Some(edge) = crowded.min_by_key(|edge| edge[2].triangle) else { return Ok(()) };
    let piece = |side: &HalfEdge| &pieces[side.triangle as usize];
    let mut written: Vec<[u32; 2]> = edge
        .iter()
        .map(|side| {
            let corner = side.corner as usize;
            let (a, b) = (piece(side).written[corner], piece(side).written[(corner + 1) % 3]);
            [a.min(b), a.max(b)]
        })
        .collect();
    let [a, b] = written[2].map(name);
    let (first, second, third) = (piece(&edge[0]).place, piece(&edge[1]).place, piece(&edge[2]).place);
    let faces = format!("the edge from vertex {a} to {b} belongs to a third face after those at {first} and {second}");
    written.sort_unstable();
    if written.chunk_by(|x, y| x == y).any(|same| same.len() > 2) {
        return Err(Fault::at(third, faces, "remove the face, or give it vertices of its own at another place"));
    }
    let what = format!("{faces}, because vertices at the same position are welded");
    Err(Fault::at(third, what, "move the touching parts apart, or load them as bodies of their own"))
}

/// Turns triangles round until neighbours are wound alike; in each connected part the majority stays. Returns the faces
/// turned.
pub(super) fn wind_alike(pieces: &mut [Piece]) -> Result<Tally, Fault> {
    let neighbours = neighbours(pieces);
    let mut turned: Vec<Option<bool>> = vec![None; pieces.len()];
    for first in 0..pieces.len() {
        if turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&current) = part.get(next) {
            next += 1;
            for &(other, alike) in neighbours[current].iter().flatten() {
                let wanted = turned[current].map(|turned| turned == alike);
                match turned[other] {
                    None => {
                        turned[other] = wanted;
                        part.push(other);
                    }
                    found if found != wanted => return Err(one_sided(pieces[other].place)),
                    _ => {}
                }
            }
        }
        let against = part.iter().filter(|&&piece| turned[piece] == Some(true)).count();
        if 2 * against > part.len() {
            part.iter().for_each(|&piece| turned[piece] = turned[piece].map(|turned| !turned));
        }
    }
    let mut tally = Tally::default();
    let mut last = None;
    for (piece, _) in pieces.iter_mut().zip(turned).filter(|(_, turned)| *turned == Some(true)) {
        piece.triangle.swap(1, 2);
        if last.replace(piece.place) != Some(piece.place) {
            tally.add(piece.place);
        }
    }
    Ok(tally)
}

fn one_sided(place: Place) -> Fault {
    let what = "the surface has only one side, like a Möbius strip: at this face no winding agrees with all neighbours";
    Fault::at(place, what, "cut the mesh open along an edge loop")
}

fn triangles(pieces: &[Piece]) -> Vec<[u32; 3]> {
    pieces.iter().map(|piece| piece.triangle).collect()
}

/// The triangle across each side, and whether it is wound alike: runs through the common edge the other way.
fn neighbours(pieces: &[Piece]) -> Vec<[Option<(usize, bool)>; 3]> {
    let mut neighbours = vec![[None; 3]; pieces.len()];
    for edge in half_edges(&triangles(pieces)).chunk_by(HalfEdge::same_edge) {
        if let [a, b] = edge {
            let alike = a.ascending != b.ascending;
            neighbours[a.triangle as usize][a.corner as usize] = Some((b.triangle as usize, alike));
            neighbours[b.triangle as usize][b.corner as usize] = Some((a.triangle as usize, alike));
        }
    }
    neighbours
}
