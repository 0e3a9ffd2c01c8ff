//! Reads PLY, text and binary of either byte order: vertices, faces and triangle strips.
//!
//! Written here rather than taken from the crate `ply-rs-bw` 4.0.1, which fills all memory when the header tells of an
//! element without properties and a large count, and refuses blank lines and comments that are not UTF-8.

mod header;
mod values;

use super::error::{Fault, Place};
use super::repair::Polygons;

use header::{Element, Encoding, Header, Property};
use values::{Binary, Rows, Values, text_values};

pub(super) fn polygons(bytes: &[u8]) -> Result<Polygons, Fault> {
    let header = Header::read(bytes)?;
    let body = &bytes[header.length..];
    match header.encoding {
        Encoding::Text => {
            let body = String::from_utf8_lossy(body);
            let read = |rows| Reader::default().read(&header, text_values(&body, header.lines, rows));
            // A row is mostly on one line, which shows where a number is missing. Rows broken over lines are read
            // where they leave nothing over.
            read(Rows::Lines).or_else(|fault| broken(read(Rows::Broken), fault))
        }
        Encoding::Binary(order) => Reader::default().read(&header, Binary::new(body, order)),
    }
}

/// What was read over the ends of lines, if all of the file was; else the fault that its lines have.
fn broken(read: Result<Polygons, Fault>, fault: Fault) -> Result<Polygons, Fault> {
    match read {
        Ok(mut polygons) if polygons.notes.is_empty() => {
            polygons.notes.push("read rows over the ends of lines".to_owned());
            Ok(polygons)
        }
        _ => Err(fault),
    }
}

/// Lists of vertices as written: resolved at the end, since faces may come before vertices.
#[derive(Default)]
struct Lists {
    numbers: Vec<f64>,
    /// Where each list ends, and where it is in the file.
    ends: Vec<(usize, Place)>,
}

impl Lists {
    fn iter(&self) -> impl Iterator<Item = (&[f64], Place)> {
        let mut begin = 0;
        self.ends.iter().map(move |&(end, place)| (&self.numbers[std::mem::replace(&mut begin, end)..end], place))
    }
}

#[derive(Default)]
struct Reader {
    polygons: Polygons,
    faces: Lists,
    strips: Lists,
}

impl Reader {
    fn read(mut self, header: &Header, mut values: impl Values) -> Result<Polygons, Fault> {
        for element in &header.elements {
            match element.name.as_str() {
                "vertex" => self.read_vertices(element, &mut values)?,
                "face" => read_lists(element, &mut values, &mut self.faces)?,
                "tristrips" => read_lists(element, &mut values, &mut self.strips)?,
                _ => rows(element, &mut values, None, |_, _, _| Ok(()))?,
            }
        }
        self.polygons.notes.extend(values.left());
        self.finish()
    }

    fn read_vertices(&mut self, element: &Element, values: &mut impl Values) -> Result<(), Fault> {
        let mut axes = [0; 3];
        for (axis, name) in axes.iter_mut().zip(["x", "y", "z"]) {
            let found =
                element.properties.iter().position(|property| property.name == name && property.count.is_none());
            *axis = found.ok_or_else(|| {
                let what = format!("the vertices have no property `{name}` of one number");
                Fault::at(element.place, what, "export the mesh with the positions of its vertices")
            })?;
        }
        rows(element, values, None, |row, _, place| self.polygons.add_vertex(axes.map(|axis| row[axis]), place))
    }

    fn finish(self) -> Result<Polygons, Fault> {
        let mut polygons = Polygons { first_vertex: Some(0), ..self.polygons };
        let count = polygons.positions.len();
        let vertex = |index: f64, place: Place| {
            if index >= 0.0 && index < count as f64 && index.fract() == 0.0 {
                return Ok(index as u32);
            }
            let what = format!("vertex {index} does not exist: the file has {count}, counted from 0");
            Err(Fault::at(place, what, "correct the index, or get the file again if vertices are missing"))
        };
        let mut corners = Vec::new();
        for (face, place) in self.faces.iter() {
            corners.clear();
            for &corner in face {
                corners.push(vertex(corner, place)?);
            }
            polygons.add_face(corners.iter().copied(), place)?;
        }
        for (strips, place) in self.strips.iter() {
            // -1 begins a new strip.
            for strip in strips.split(|&corner| corner == -1.0) {
                for (index, &[a, b, c]) in strip.array_windows().enumerate() {
                    let [a, b] = if index % 2 == 0 { [a, b] } else { [b, a] };
                    polygons.add_face([vertex(a, place)?, vertex(b, place)?, vertex(c, place)?], place)?;
                }
            }
        }
        Ok(polygons)
    }
}

/// The list of vertices in each row of an element.
fn read_lists(element: &Element, values: &mut impl Values, into: &mut Lists) -> Result<(), Fault> {
    let wanted = |property: &Property| ["vertex_indices", "vertex_index"].contains(&property.name.as_str());
    let Some(corners) = element.properties.iter().position(|property| wanted(property) && property.count.is_some())
    else {
        let what = format!("the element `{}` has no list `vertex_indices` or `vertex_index`", element.name);
        return Err(Fault::at(element.place, what, "export the mesh with the vertices of its faces"));
    };
    rows(element, values, Some(corners), |_, list, place| {
        into.numbers.extend(list);
        into.ends.push((into.numbers.len(), place));
        Ok(())
    })
}

/// Reads all rows of an element. `take` is given the numbers, 0 in place of lists, and the wanted list.
fn rows(
    element: &Element,
    values: &mut impl Values,
    wanted: Option<usize>,
    mut take: impl FnMut(&[f64], &[f64], Place) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // Of rows without properties a header can tell any number.
    if element.properties.is_empty() {
        return Ok(());
    }
    let mut row = vec![0.0; element.properties.len()];
    let (mut list, mut unwanted) = (Vec::new(), Vec::new());
    for index in 0..element.count {
        let place = values.begin(element, index)?;
        list.clear();
        for (which, (value, property)) in row.iter_mut().zip(&element.properties).enumerate() {
            match property.count {
                None => *value = values.number(property.kind)?,
                Some(count) if wanted == Some(which) => values.list(count, property.kind, &mut list)?,
                Some(count) => {
                    unwanted.clear();
                    values.list(count, property.kind, &mut unwanted)?;
                }
            }
        }
        values.end()?;
        take(&row, &list, place)?;
    }
    Ok(())
}
