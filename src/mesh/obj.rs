//! Reads Wavefront OBJ. Faces and positions are taken; normals, texture coordinates, materials and names are not needed.
//!
//! Written here rather than taken from the crate `tobj`, because a fault must be told with its line, and `tobj` keeps none.

use std::path::Path;

use super::error::Fault;
use super::repair::{Polygons, repair};
pub use super::{Loaded, MeshError};

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

/// Reads and repairs a file. The error names the file, the line, what is wrong, and what to do.
pub fn read(path: impl AsRef<Path>) -> Result<Loaded, MeshError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    if path.is_dir() {
        return Err(Fault::of_file("this is a folder", "name an OBJ file in it").in_file(&name));
    }
    let text = std::fs::read(path).map_err(|error| {
        let (what, remedy) = match error.kind() {
            std::io::ErrorKind::NotFound => ("there is no such file".to_owned(), "check the path"),
            _ => (format!("the file cannot be read: {error}"), "check the file and its permissions"),
        };
        Fault::of_file(what, remedy).in_file(&name)
    })?;
    parse(&name, text)
}

/// Parses and repairs the text of a file; `name` is what errors call it.
pub fn parse(name: &str, text: impl AsRef<[u8]>) -> Result<Loaded, MeshError> {
    // Names and comments come in any encoding; what is not UTF-8 in a number is refused as a number.
    let text = String::from_utf8_lossy(text.as_ref());
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    polygons(text).and_then(repair).map_err(|fault| fault.in_file(name))
}

fn polygons(text: &str) -> Result<Polygons, Fault> {
    if text.trim().is_empty() {
        return Err(Fault::of_file("the file is empty", "export the mesh again"));
    }
    let mut reader = Reader::default();
    for (line, statement, last) in statements(text) {
        reader.statement(line, &statement).map_err(|fault| match last {
            true => Fault {
                remedy: format!("the file ends in this line: if it was cut off, get it again; {}", fault.remedy),
                ..fault
            },
            false => fault,
        })?;
    }
    reader.finish()
}

/// The statements with the line they begin in, without comments, continued lines joined; and whether the text breaks off
/// in this statement without the end of a line.
fn statements(text: &str) -> impl Iterator<Item = (usize, String, bool)> {
    // The end of a line is LF, CR LF, or CR alone.
    let mut rest = Some(text);
    let lines = std::iter::from_fn(move || {
        let current = rest?;
        let Some(end) = current.find(['\n', '\r']) else {
            rest = None;
            return Some((current, true));
        };
        let after = &current[end..];
        rest = Some(after.strip_prefix("\r\n").unwrap_or(&after[1..]));
        Some((&current[..end], false))
    });
    let mut lines = (1..).zip(lines);
    std::iter::from_fn(move || {
        let (first, (line, mut last)) = lines.next()?;
        let mut statement = without_comment(line).to_owned();
        // A backslash that ends a comment, often a path, continues nothing.
        while statement.ends_with('\\') {
            statement.pop();
            statement.push(' ');
            let Some((_, (line, is_last))) = lines.next() else { break };
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
    /// Lines and points, and the line of the first.
    elements: usize,
    first_element: usize,
}

impl Reader {
    fn statement(&mut self, line: usize, statement: &str) -> Result<(), Fault> {
        let mut words = statement.split_whitespace();
        match words.next() {
            None => {}
            Some("v") => self.vertex(line, words)?,
            Some("f" | "fo") => self.face(line, words)?,
            Some("o" | "g") => self.part_begun = false,
            Some("l" | "p") => {
                self.elements += 1;
                if self.elements == 1 {
                    self.first_element = line;
                }
            }
            Some(curve @ ("curv" | "curv2" | "surf")) => {
                return Err(Fault::at(
                    line,
                    format!("`{curve}`: curves and curved surfaces are not supported"),
                    "convert them to polygons where the file was made",
                ));
            }
            Some(word) if IGNORED.contains(&word) => {}
            Some(word) => {
                let word: String = word.chars().take(20).flat_map(char::escape_debug).collect();
                return Err(Fault::at(
                    line,
                    format!("`{word}` is no statement of an OBJ file"),
                    "remove the line, or check that the file is OBJ",
                ));
            }
        }
        Ok(())
    }

    /// Three coordinates; what follows them (a weight, a colour) has no use here.
    fn vertex<'a>(&mut self, line: usize, mut words: impl Iterator<Item = &'a str>) -> Result<(), Fault> {
        let mut position = [0.0; 3];
        for (axis, coordinate) in position.iter_mut().enumerate() {
            let Some(word) = words.next() else {
                return Err(Fault::at(line, format!("the vertex has {axis} coordinates"), "give it three"));
            };
            let value: f64 = word.parse().map_err(|_| {
                Fault::at(line, format!("`{word}` is not a coordinate"), "write a number such as -1.5 or 2e-3")
            })?;
            if value.is_nan() || value.abs() > f64::from(f32::MAX) {
                return Err(Fault::at(
                    line,
                    format!("the coordinate {word} is not finite or beyond single precision"),
                    "bring the mesh to metres near the origin",
                ));
            }
            // -0 becomes 0, so that equal positions have equal bits.
            *coordinate = value + 0.0;
        }
        self.polygons.positions.push(position);
        self.polygons.position_lines.push(line);
        Ok(())
    }

    fn face<'a>(&mut self, line: usize, words: impl Iterator<Item = &'a str>) -> Result<(), Fault> {
        let begin = self.corners.len();
        for word in words {
            let vertex = word.split('/').next().unwrap_or_default();
            let index: i64 = vertex.parse().map_err(|_| {
                Fault::at(
                    line,
                    format!("`{word}` is not a corner of a face"),
                    "write vertex, vertex/texture/normal or vertex//normal",
                )
            })?;
            let read = self.polygons.positions.len() as i64;
            if index == 0 {
                return Err(Fault::at(
                    line,
                    "the face has a corner at vertex 0",
                    "count vertices from 1, or from -1 backwards",
                ));
            }
            if index < -read {
                return Err(Fault::at(
                    line,
                    format!("vertex {index} lies before the first: there are {read} so far"),
                    "correct the index",
                ));
            }
            self.corners.push((if index < 0 { read + index + 1 } else { index }, line));
        }
        let corners = self.corners.len() - begin;
        if corners < 3 {
            return Err(Fault::at(line, format!("the face has {corners} corners"), "give it at least 3, or remove it"));
        }
        self.polygons.lines.push(line);
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
        let mut polygons = self.polygons;
        let count = polygons.positions.len();
        for (index, line) in self.corners {
            match u32::try_from(index - 1) {
                Ok(vertex) if (vertex as usize) < count => polygons.corners.push(vertex),
                _ => {
                    return Err(Fault::at(
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
        if self.elements > 0 {
            let (elements, line) = (self.elements, self.first_element);
            polygons.notes.push(format!("left out {elements} line or point elements (first at line {line})"));
        }
        Ok(polygons)
    }
}
