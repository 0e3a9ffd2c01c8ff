//! Reads VTK's legacy format, text and binary, of all versions: the points and cells of an unstructured grid.
//! Attributes of points and cells are not needed.
//! <https://docs.vtk.org/en/latest/vtk_file_formats/vtk_legacy_file_format.html>
//!
//! Written here rather than taken from the crate `vtkio` 0.7.0-rc2, which tells no line and refuses files that VTK 9.7
//! writes with a field or metadata.

use super::super::error::{Fault, Place};
use super::super::text::printable;
use super::repair::Elements;
use super::source::{Encoding, Kind, Source};

pub fn read(bytes: &[u8], elements: &mut Elements) -> Result<(), Fault> {
    let mut source = Source::new(bytes, None);
    let (encoding, version) = header(&mut source)?;
    let mut reader = Reader { source, encoding, elements, numbers: Vec::new(), cells: Vec::new(), types: Vec::new() };
    while reader.source.row() {
        let word = reader.source.word().unwrap_or_default().to_ascii_uppercase();
        match word.as_slice() {
            b"POINTS" => reader.points()?,
            b"CELLS" if version >= 5.0 => reader.lists()?,
            b"CELLS" => reader.cells()?,
            b"CELL_TYPES" => reader.types()?,
            // What follows may hold anything.
            b"POINT_DATA" | b"CELL_DATA" => break,
            _ => {}
        }
        reader.source.encoding = Encoding::Lines;
    }
    reader.finish()
}

/// How numbers are written, and the version.
fn header(source: &mut Source) -> Result<(Encoding, f64), Fault> {
    let first = source.line().unwrap_or_default();
    let text = String::from_utf8_lossy(first);
    let version = text
        .to_ascii_lowercase()
        .strip_prefix("# vtk datafile version")
        .and_then(|version| version.trim().parse().ok());
    let Some(version) = version else {
        let what = format!("a VTK file begins with `# vtk DataFile Version`, and this one with `{}`", printable(&text));
        return Err(source.fault(what, "give the file the extension of its format, or export it again"));
    };
    // The title.
    source.line();
    let mut word = |what: &str| match source.row().then(|| source.rest_of_row().to_ascii_uppercase()) {
        Some(row) => Ok((String::from_utf8_lossy(&row).into_owned(), source.place())),
        None => Err(source.ends(format_args!("where {what} should be"))),
    };
    let encoding = match word("`ASCII` or `BINARY`")? {
        (word, _) if word == "ASCII" => Encoding::Words,
        (word, _) if word == "BINARY" => Encoding::Big,
        (word, place) => {
            let what = format!("found `{}` where `ASCII` or `BINARY` should be", printable(&word));
            return Err(Fault::at(place, what, "export the mesh again"));
        }
    };
    let (data, place) = word("`DATASET UNSTRUCTURED_GRID`")?;
    if !data.split_whitespace().eq(["DATASET", "UNSTRUCTURED_GRID"]) {
        let what = format!("found `{}` where `DATASET UNSTRUCTURED_GRID` should be", printable(&data));
        return Err(Fault::at(
            place,
            what,
            "export the mesh as an unstructured grid: no other data set has tetrahedra",
        ));
    }
    Ok((encoding, version))
}

struct Reader<'a> {
    source: Source<'a>,
    encoding: Encoding,
    elements: &'a mut Elements,
    /// The vertices of all cells.
    numbers: Vec<i64>,
    /// Where those of each cell end, and where it is in the file.
    cells: Vec<(usize, Place)>,
    types: Vec<i64>,
}

impl Reader<'_> {
    /// The rest of a line `KEYWORD count`.
    fn count(&mut self, things: &str) -> Result<i64, Fault> {
        self.source.count(Kind::I64, things)
    }

    /// The rest of a line `... type`: how the numbers that follow are stored.
    fn kind(&mut self) -> Result<Kind, Fault> {
        let word = String::from_utf8_lossy(self.source.word().unwrap_or_default()).to_ascii_lowercase();
        Ok(match word.as_str() {
            "float" => Kind::F32,
            "double" => Kind::F64,
            "int" | "vtktypeint32" => Kind::I32,
            "long" | "vtktypeint64" => Kind::I64,
            // In text it does not matter.
            _ if self.encoding == Encoding::Words => Kind::F64,
            _ => {
                let what = format!("the type of numbers `{}` is not read", printable(&word));
                return Err(self.source.fault(what, "export with float, double, int, vtktypeint32 or vtktypeint64"));
            }
        })
    }

    /// Whether a list of which so many are read goes on: in text until the next keyword, in binary as its header says.
    fn goes_on(&mut self, read: usize, told: i64) -> bool {
        if self.source.is_binary() { (read as i64) < told } else { self.source.has_number() }
    }

    fn points(&mut self) -> Result<(), Fault> {
        let place = self.source.place();
        let count = self.count("points")?;
        let kind = self.kind()?;
        self.source.encoding = self.encoding;
        let mut read = 0;
        while self.goes_on(read, count) {
            let position = self.source.position(kind)?;
            self.elements.add_vertex(read as i64, position, self.source.place())?;
            read += 1;
        }
        self.elements.check_count(count, read, "points", place)
    }

    /// Until version 4.2: the number of vertices before those of each cell.
    fn cells(&mut self) -> Result<(), Fault> {
        let place = self.source.place();
        let count = self.count("cells")?;
        let numbers = self.count("numbers")?;
        self.source.encoding = self.encoding;
        while self.goes_on(self.cells.len(), count) {
            let vertices = self.source.count(Kind::I32, "vertices in a cell")?;
            self.cell(vertices, Kind::I32)?;
        }
        self.tell_numbers(numbers, self.cells.len() + self.numbers.len(), place);
        self.elements.check_count(count, self.cells.len(), "cells", place)
    }

    fn tell_numbers(&mut self, told: i64, read: usize, place: Place) {
        if told != read as i64 {
            let note = format!("read all {read} numbers of cells, though the header says {told} ({place})");
            self.elements.notes.push(note);
        }
    }

    /// Reads the vertices of a cell.
    fn cell(&mut self, vertices: i64, kind: Kind) -> Result<(), Fault> {
        let mut place = self.source.place();
        for vertex in 0..vertices {
            self.numbers.push(self.source.integer(kind, "a vertex of a cell")?);
            if vertex == 0 {
                place = self.source.place();
            }
        }
        self.cells.push((self.numbers.len(), place));
        Ok(())
    }

    /// Since version 5: where the vertices of each cell begin, then those of all.
    fn lists(&mut self) -> Result<(), Fault> {
        let head = self.source.place();
        let count = self.count("offsets")?;
        let numbers = self.count("vertices of cells")?;
        let (place, kind) = self.list("OFFSETS")?;
        let mut lengths = Vec::new();
        let mut begin = None;
        let mut read = 0;
        while self.goes_on(read, count) {
            let end = self.source.integer(kind, "an offset")?;
            if let Some(begin) = begin.replace(end) {
                let Some(vertices) = end.checked_sub(begin).filter(|&vertices| vertices >= 0) else {
                    let what = format!("the offset {end} follows {begin}");
                    return Err(self
                        .source
                        .fault(what, "put the offsets in ascending order, or export the mesh again"));
                };
                lengths.push(vertices);
            }
            read += 1;
        }
        self.elements.check_count(count, read, "offsets", place)?;
        let (_, kind) = self.list("CONNECTIVITY")?;
        lengths.into_iter().try_for_each(|vertices| self.cell(vertices, kind))?;
        self.tell_numbers(numbers, self.numbers.len(), head);
        Ok(())
    }

    /// Begins a list on a line of its own.
    fn list(&mut self, keyword: &str) -> Result<(Place, Kind), Fault> {
        self.source.encoding = Encoding::Lines;
        self.source.record(keyword)?;
        let word = self.source.word().unwrap_or_default();
        if !word.eq_ignore_ascii_case(keyword.as_bytes()) {
            let what = format!("found `{}` where `{keyword}` should be", printable(&String::from_utf8_lossy(word)));
            return Err(self.source.fault(what, "correct the count before, or export the mesh again"));
        }
        let (place, kind) = (self.source.place(), self.kind()?);
        self.source.encoding = self.encoding;
        Ok((place, kind))
    }

    fn types(&mut self) -> Result<(), Fault> {
        let place = self.source.place();
        let count = self.count("types")?;
        self.source.encoding = self.encoding;
        while self.goes_on(self.types.len(), count) {
            self.types.push(self.source.integer(Kind::I32, "the type of a cell")?);
        }
        self.elements.check_count(count, self.types.len(), "types", place)
    }

    fn finish(self) -> Result<(), Fault> {
        if self.cells.len() != self.types.len() {
            let what = format!("the file has {} cells and {} cell types", self.cells.len(), self.types.len());
            return Err(Fault::of_file(what, "get the file again if it was cut off, or export it again"));
        }
        let mut begin = 0;
        for (number, (&(end, place), &kind)) in (0..).zip(self.cells.iter().zip(&self.types)) {
            let vertices = &self.numbers[std::mem::replace(&mut begin, end)..end];
            let wrong = |what: String, remedy| Err(Fault::at(place, format!("element {number} {what}"), remedy));
            match (shape(kind), vertices) {
                (Err(name), _) => return wrong(format!("is {name}"), "mesh the body with tetrahedra alone"),
                (Ok((_, Some(expected))), _) if vertices.len() != expected => {
                    let what = format!("has {} vertices, but its type {kind} is that of {expected}", vertices.len());
                    return wrong(what, "correct the cell or its type, or get the file again if it was cut off");
                }
                (Ok((3, _)), &[a, b, c, d, ..]) => {
                    self.elements.add(number, [a, b, c, d], vertices.len() as i64, place);
                }
                (Ok((3, _)), _) => return wrong("has too few vertices".to_owned(), "give it at least 4"),
                _ => self.elements.skip(place),
            }
        }
        Ok(())
    }
}

/// The number of dimensions of a cell and of its vertices, where that is one number, by VTK's numbers of types; the
/// name of what is not read.
fn shape(kind: i64) -> Result<(u8, Option<usize>), String> {
    Ok(match kind {
        10 => (3, Some(4)),
        24 => (3, Some(10)),
        // Of any order.
        71 => (3, None),
        0 => (0, Some(0)),
        1 => (0, Some(1)),
        3 => (1, Some(2)),
        5 => (2, Some(3)),
        8 | 9 => (2, Some(4)),
        21 => (1, Some(3)),
        22 | 30 => (2, Some(6)),
        23 => (2, Some(8)),
        28 => (2, Some(9)),
        34 => (2, Some(7)),
        35 => (1, Some(4)),
        // Many points, chains, strips, polygons, and curves and faces of any order.
        2 | 4 | 6 | 7 | 36 | 68..=70 => (2, None),
        11 | 12 => return Err("a hexahedron".to_owned()),
        13 => return Err("a prism".to_owned()),
        14 => return Err("a pyramid".to_owned()),
        _ => return Err(format!("of type {kind}, which is not read")),
    })
}
