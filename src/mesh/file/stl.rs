//! Reads STL, text and binary. The format has no vertices but corners: those at the same position are one, which is no
//! repair. Normals and attributes are not needed.
//!
//! Written here rather than taken from the crate `stl_io` 0.11, which takes a binary file for text if its header begins
//! with `solid `, drops all solids but the first without a word, and refuses normals that are not numbers.

use std::collections::HashMap;

use super::error::{Fault, Place};
use super::repair::Polygons;
use super::text::{checked_position, coordinates, lines, printable};

const HEADER: usize = 80;
/// A normal, three corners, two bytes of attributes.
const FACET: usize = 50;

const GET_AGAIN: &str = "get the file again: it was cut off";

pub(super) fn polygons(bytes: &[u8]) -> Result<Polygons, Fault> {
    let mut corners = Corners::default();
    if is_text(bytes) {
        read_text(&super::text(bytes), &mut corners)?
    } else {
        read_binary(bytes, &mut corners)?
    }
    Ok(corners.polygons)
}

/// Whether the size is exactly what the count of facets asks for.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    facet_count(bytes).is_some_and(|count| bytes.len() == HEADER + 4 + count * FACET)
}

fn facet_count(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER..)?.first_chunk()?;
    Some(u32::from_le_bytes(*count) as usize)
}

/// Headers of binary files often begin with `solid`, too; they hold a zero byte, in the padding or in the count.
fn is_text(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(1024)];
    !is_binary(bytes) && !beginning.contains(&0)
}

/// Makes one vertex of all corners at the same position.
#[derive(Default)]
struct Corners {
    polygons: Polygons,
    index: HashMap<[u64; 3], u32>,
}

impl Corners {
    fn vertex(&mut self, position: [f64; 3], place: Place) -> Result<u32, Fault> {
        let position = checked_position(position, place)?;
        let next = self.polygons.positions.len() as u32;
        let vertex = *self.index.entry(position.map(f64::to_bits)).or_insert(next);
        if vertex == next {
            self.polygons.add_vertex(position, place)?;
        }
        Ok(vertex)
    }
}

fn read_binary(bytes: &[u8], corners: &mut Corners) -> Result<(), Fault> {
    let Some(count) = facet_count(bytes) else {
        let what = format!("the file has {} bytes, and a binary STL file has at least {}", bytes.len(), HEADER + 4);
        return Err(Fault::of_file(what, GET_AGAIN));
    };
    let (facets, rest) = bytes[HEADER + 4..].as_chunks::<FACET>();
    // Some programs write the count last, or never.
    let count = if count == 0 { uncounted(facets.len(), rest.len(), corners)? } else { count };
    if facets.len() < count {
        let what = format!("the header says {count} facets, but the file ends after {}", facets.len());
        return Err(Fault::of_file(what, format!("{GET_AGAIN}, or it is not STL")));
    }
    let excess = (facets.len() - count) * FACET + rest.len();
    if excess > 0 {
        corners.polygons.notes.push(format!("ignored {excess} bytes after the {count} facets of the header"));
    }
    for (index, facet) in facets[..count].iter().enumerate() {
        let place = Place::Face(index);
        let (numbers, _) = facet.as_chunks::<4>();
        let number = |index: usize| f64::from(f32::from_le_bytes(numbers[index]));
        // The first three are the normal.
        let mut triangle = [0; 3];
        for (corner, vertex) in triangle.iter_mut().enumerate() {
            *vertex = corners.vertex(std::array::from_fn(|axis| number(3 * (corner + 1) + axis)), place)?;
        }
        corners.polygons.add_face(triangle, place)?;
    }
    Ok(())
}

/// How many facets to read where the header tells of none.
fn uncounted(facets: usize, rest: usize, corners: &mut Corners) -> Result<usize, Fault> {
    if rest != 0 {
        let what = format!(
            "the header says 0 facets, and {} bytes follow, which is not a whole number of facets of {FACET} bytes",
            facets * FACET + rest
        );
        return Err(Fault::of_file(what, format!("{GET_AGAIN}, or it is not STL")));
    }
    if facets > 0 {
        corners.polygons.notes.push(format!("read all {facets} facets, though the header says 0"));
    }
    Ok(facets)
}

fn read_text(text: &str, corners: &mut Corners) -> Result<(), Fault> {
    let mut reader = TextReader { corners, solids: 0, solid: None, facet: None, loop_corners: Vec::new() };
    for (line, words, last) in lines(text) {
        reader.read_line(line, words).map_err(|fault| fault.where_text_ends(last))?;
    }
    reader.finish()
}

struct TextReader<'a> {
    corners: &'a mut Corners,
    solids: usize,
    /// Where the current solid and facet begin.
    solid: Option<Place>,
    facet: Option<Place>,
    /// Of the facet.
    loop_corners: Vec<u32>,
}

impl TextReader<'_> {
    fn read_line(&mut self, line: usize, words: &str) -> Result<(), Fault> {
        let mut words = words.split_whitespace();
        let Some(word) = words.next() else { return Ok(()) };
        let place = Place::Line(line);
        match (word.to_ascii_lowercase().as_str(), self.solid, self.facet) {
            ("solid", None, None) => {
                self.solids += 1;
                self.solid = Some(place);
            }
            ("facet", Some(_), None) => self.facet = Some(place),
            ("vertex", Some(_), Some(_)) => {
                self.loop_corners.push(self.corners.vertex(coordinates(line, words)?, place)?);
            }
            ("endfacet", Some(_), Some(begin)) => {
                self.corners.polygons.add_face(self.loop_corners.drain(..), begin)?;
                self.facet = None;
            }
            ("endsolid", Some(_), None) => self.solid = None,
            ("outer" | "endloop", Some(_), Some(_)) | ("color", Some(_), _) => {}
            _ => return Err(misplaced(word, line, self.solid, self.facet)),
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Fault> {
        if let Some(begin) = self.facet.or(self.solid) {
            let thing = if self.facet.is_some() { "facet" } else { "solid" };
            return Err(Fault::at(begin, format!("the {thing} that begins here has no end{thing}"), GET_AGAIN));
        }
        if self.solids > 1 {
            self.corners.polygons.notes.push(format!("merged {} solids into one mesh", self.solids));
        }
        Ok(())
    }
}

fn misplaced(word: &str, line: usize, solid: Option<Place>, facet: Option<Place>) -> Fault {
    let expected = match (solid, facet) {
        (None, _) => "`solid`",
        (_, None) => "`facet` or `endsolid`",
        _ => "`vertex` or `endfacet`",
    };
    let what = format!("found `{}` where {expected} should be", printable(word));
    Fault::at_line(line, what, "check that the file is STL and was not cut or joined in the middle")
}
