//! Reads Wavefront OBJ. Faces and positions are taken; normals, texture coordinates, materials and names are not
//! needed.
//!
//! Written here rather than taken from the crate `tobj`, because a fault must be told with its line, and `tobj` keeps
//! none.

use super::error::{Fault, Place};
use super::repair::{Polygons, Tally};
use super::text::{coordinates, lines, printable};

/// Statements that say nothing about positions and faces.
const IGNORED: &[&str] = &[
    "vn",
    "vt",
    "vp",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "cstype",
    "deg",
    "bmat",
    "step",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "call",
    "csh",
];

pub(super) fn polygons(text: &str) -> Result<Polygons, Fault> {
    let mut reader = Reader::default();
    for (line, statement, last) in statements(text) {
        reader.statement(line, &statement).map_err(|fault| fault.where_text_ends(last))?;
    }
    reader.finish()
}

/// The statements with the line they begin in, without comments, continued lines joined; and whether the text breaks
/// off in this statement without the end of a line.
fn statements(text: &str) -> impl Iterator<Item = (usize, String, bool)> {
    let mut lines = lines(text);
    std::iter::from_fn(move || {
        let (first, line, mut last) = lines.next()?;
        let mut statement = without_comment(line).to_owned();
        // A backslash that ends a comment, often a path, continues nothing.
        while statement.ends_with('\\') {
            statement.pop();
            statement.push(' ');
            let Some((_, line, is_last)) = lines.next() else { break };
            statement.push_str(without_comment(line));
            last = is_last;
        }
        Some((first, statement, last))
    })
}

fn without_comment(line: &str) -> &str {
    line.find('#').map_or(line, |start| &line[..start])
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    polygons: Polygons,
    /// Corners as written, counted from 1, with the line: resolved at the end, since files exist that list faces first.
    corners: Vec<(i64, usize)>,
    /// Objects and groups that hold faces, and the line of the second.
    parts: usize,
    second_part: usize,
    /// Whether the current object or group holds a face.
    part_begun: bool,
    /// Lines and points.
    elements: Tally,
}

impl Reader {
    fn statement(&mut self, line: usize, statement: &str) -> Result<(), Fault> {
        let mut words = statement.split_whitespace();
        match words.next() {
            None => {}
            Some("v") => self.polygons.add_vertex(coordinates(line, words)?, Place::Line(line))?,
            Some("f" | "fo") => self.face(line, words)?,
            Some("o" | "g") => self.part_begun = false,
            Some("l" | "p") => self.elements.add(Place::Line(line)),
            Some(curve @ ("curv" | "curv2" | "surf")) => {
                return Err(Fault::at_line(
                    line,
                    format!("`{curve}`: curves and curved surfaces are not supported"),
                    "convert them to polygons where the file was made",
                ));
            }
            Some(word) if IGNORED.contains(&word) => {}
            Some(word) => {
                let word = printable(word);
                return Err(Fault::at_line(
                    line,
                    format!("`{word}` is not an OBJ statement"),
                    "remove the line, or check that the file is OBJ",
                ));
            }
        }
        Ok(())
    }

    fn face<'a>(&mut self, line: usize, words: impl Iterator<Item = &'a str>) -> Result<(), Fault> {
        let begin = self.corners.len();
        for word in words {
            let vertex = word.split('/').next().unwrap_or_default();
            let index: i64 = vertex.parse().map_err(|_| {
                Fault::at_line(
                    line,
                    format!("`{word}` is not a corner of a face"),
                    "write vertex, vertex/texture/normal or vertex//normal",
                )
            })?;
            let read = self.polygons.positions.len() as i64;
            if index == 0 {
                return Err(Fault::at_line(
                    line,
                    "the face has a corner at vertex 0",
                    "count vertices from 1, or from -1 backwards",
                ));
            }
            if index < -read {
                return Err(Fault::at_line(
                    line,
                    format!("vertex {index} lies before the first: the file has {read} so far"),
                    "correct the index",
                ));
            }
            self.corners.push((if index < 0 { read + index + 1 } else { index }, line));
        }
        let corners = self.corners.len() - begin;
        if corners < 3 {
            return Err(Fault::at_line(
                line,
                format!("the face has {corners} corners"),
                "give it at least 3, or remove it",
            ));
        }
        self.polygons.places.push(Place::Line(line));
        self.polygons.offsets.push(self.corners.len());
        if !self.part_begun {
            self.part_begun = true;
            self.parts += 1;
            if self.parts == 2 {
                self.second_part = line;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Polygons, Fault> {
        let mut polygons = Polygons { first_vertex: Some(1), ..self.polygons };
        let count = polygons.positions.len();
        for (index, line) in self.corners {
            match u32::try_from(index - 1) {
                Ok(vertex) if (vertex as usize) < count => polygons.corners.push(vertex),
                _ => {
                    return Err(Fault::at_line(
                        line,
                        format!("vertex {index} does not exist: the file has {count}"),
                        "correct the index, or get the file again if vertices are missing",
                    ));
                }
            }
        }
        if self.parts > 1 {
            let (parts, line) = (self.parts, self.second_part);
            polygons
                .notes
                .push(format!("merged {parts} objects or groups into one mesh (the second begins at line {line})"));
        }
        self.elements.tell("left out", "line or point element", "line or point elements", &mut polygons.notes);
        Ok(polygons)
    }
}
