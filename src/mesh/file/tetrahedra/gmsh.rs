//! Reads Gmsh's MSH of versions 2.0 to 2.2 and 4.1, text and binary: sections between `$Name` and `$EndName`, of which
//! nodes and elements are read. <https://gmsh.info/doc/texinfo/gmsh.html#MSH-file-format>
//!
//! Written here rather than taken from the crate `mshio` 0.4.2, which reads version 4.1 only and tells no line.

use super::super::error::{Fault, Place};
use super::super::text::printable;
use super::repair::Elements;
use super::source::{Encoding, Kind, Source};

const EXPORT: &str = "export it from Gmsh as version 4.1 or 2.2 (Mesh.MshFileVersion)";

/// The layout of nodes and elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Versions 2.0 to 2.2: one list.
    Lists,
    /// Version 4.1: blocks, one for each part of the geometry.
    Blocks,
}

/// What is done with a type of elements.
enum Element {
    /// Of so many nodes, corners first.
    Tetrahedron(i64),
    /// A point, line or face of so many nodes.
    Boundary(i64),
}

pub fn read(bytes: &[u8], elements: &mut Elements) -> Result<(), Fault> {
    let mut reader = Reader { source: Source::new(bytes, None), layout: None, elements };
    while reader.source.row() {
        reader.section()?;
    }
    Ok(())
}

struct Reader<'a> {
    source: Source<'a>,
    layout: Option<Layout>,
    elements: &'a mut Elements,
}

impl Reader<'_> {
    fn section(&mut self) -> Result<(), Fault> {
        let row = self.source.rest_of_row();
        let name = String::from_utf8_lossy(row.strip_prefix(b"$").unwrap_or_default()).into_owned();
        let begin = self.source.place();
        match (name.as_str(), self.layout) {
            ("MeshFormat", None) => self.format()?,
            (_, None) => {
                let found = printable(&String::from_utf8_lossy(row));
                let what = format!("a MSH file begins with `$MeshFormat`, and this one with `{found}`");
                return Err(self.source.fault(what, "give the file the extension of its format, or export it again"));
            }
            ("" | "MeshFormat", _) => {
                let found = printable(&String::from_utf8_lossy(row));
                let what = format!("found `{found}` where a section such as `$Nodes` should begin");
                return Err(self.source.fault(what, "remove the line, or get the file again"));
            }
            ("Nodes", Some(Layout::Lists)) => self.node_list()?,
            ("Nodes", Some(Layout::Blocks)) => self.node_blocks()?,
            ("Elements", Some(Layout::Lists)) if self.source.is_binary() => self.element_groups()?,
            ("Elements", Some(Layout::Lists)) => self.element_list()?,
            ("Elements", Some(Layout::Blocks)) => self.element_blocks()?,
            _ => return self.skip(&name, begin),
        }
        self.end(&name)
    }

    /// Goes to the end of a section that is not needed.
    fn skip(&mut self, name: &str, begin: Place) -> Result<(), Fault> {
        let end = format!("$End{name}");
        while let Some(line) = self.source.line() {
            if line.trim_ascii().ends_with(end.as_bytes()) {
                return Ok(());
            }
        }
        Err(Fault::at(
            begin,
            format!("the section `${}` has no end", printable(name)),
            "get the file again: it was cut off",
        ))
    }

    fn end(&mut self, name: &str) -> Result<(), Fault> {
        if self.source.row() {
            let row = self.source.rest_of_row();
            if row == format!("$End{name}").as_bytes() {
                return Ok(());
            }
            let what = format!("found `{}` where `$End{name}` should be", printable(&String::from_utf8_lossy(row)));
            return Err(self.source.fault(what, "correct the counts of the section, or export the mesh again"));
        }
        Err(self.source.ends(format_args!("without `$End{name}`")))
    }

    /// Of text: begins the next line if it is one of numbers, not the end of the section.
    fn has_row(&mut self) -> bool {
        let more = self.source.row();
        let ends = self.source.rest_of_row().starts_with(b"$");
        if more && ends {
            self.source.hold();
        }
        more && !ends
    }

    fn format(&mut self) -> Result<(), Fault> {
        let source = &mut self.source;
        source.record("the version")?;
        let version = source.real(Kind::F64, "the version")?;
        self.layout = Some(match version {
            2.0..3.0 => Layout::Lists,
            4.1 => Layout::Blocks,
            _ => return Err(source.fault(format!("version {version} of MSH is not read"), EXPORT)),
        });
        let binary = source.integer(Kind::I32, "0 for text or 1 for binary")?;
        let size = source.integer(Kind::I32, "the size of numbers")?;
        if binary == 0 {
            return Ok(());
        }
        if binary != 1 || size != 8 {
            return Err(source.fault(format!("the kind of file is {binary}, its numbers have {size} bytes"), EXPORT));
        }
        // The number 1 shows the order of bytes.
        for encoding in [Encoding::Little, Encoding::Big] {
            let mut probe = self.source.clone();
            probe.encoding = encoding;
            if probe.integer(Kind::I32, "the number 1")? == 1 {
                self.source = probe;
                return Ok(());
            }
        }
        Err(self.source.fault("the order of bytes is unknown", EXPORT))
    }

    fn count(&mut self, things: &str) -> Result<i64, Fault> {
        let kind = if self.layout == Some(Layout::Lists) { Kind::I32 } else { Kind::I64 };
        // Lists in binary tell their length in text.
        let encoding = self.source.encoding;
        if self.layout == Some(Layout::Lists) {
            self.source.encoding = Encoding::Lines;
        }
        self.source.record(&format!("the number of {things}"))?;
        let count = self.source.count(kind, things);
        self.source.encoding = encoding;
        count
    }

    fn node_list(&mut self) -> Result<(), Fault> {
        let count = self.count("nodes")?;
        let place = self.source.place();
        let mut read = 0;
        while if self.source.is_binary() { (read as i64) < count } else { self.has_row() } {
            let number = self.source.integer(Kind::I32, "the number of a node")?;
            let place = self.source.place();
            let position = self.source.position(Kind::F64)?;
            self.elements.add_vertex(number, position, place)?;
            read += 1;
        }
        self.elements.check_count(count, read, "nodes", place)
    }

    fn node_blocks(&mut self) -> Result<(), Fault> {
        let [blocks, count] = self.head("nodes")?;
        let place = self.source.place();
        let mut read = 0;
        let mut numbers = Vec::new();
        for _ in 0..blocks {
            self.source.record("a block of nodes")?;
            let dimension = self.source.integer(Kind::I32, "the dimension of a block")?;
            self.source.integer(Kind::I32, "the number of an entity")?;
            let parametric = self.source.integer(Kind::I32, "0 or 1 for parameters")? != 0;
            let nodes = self.source.count(Kind::I64, "nodes")?;
            numbers.clear();
            for _ in 0..nodes {
                self.source.record("the number of a node")?;
                numbers.push((self.source.integer(Kind::I64, "the number of a node")?, self.source.place()));
            }
            for &(number, place) in &numbers {
                self.source.record("the coordinates of a node")?;
                let position = self.source.position(Kind::F64)?;
                // In a line they are passed over.
                for _ in 0..if parametric && self.source.is_binary() { dimension } else { 0 } {
                    self.source.real(Kind::F64, "a parameter")?;
                }
                self.elements.add_vertex(number, position, place)?;
            }
            read += numbers.len();
        }
        self.elements.check_count(count, read, "nodes", place)
    }

    /// The number of blocks and of things in them. Their least and greatest number, which follow, are not needed.
    fn head(&mut self, things: &str) -> Result<[i64; 2], Fault> {
        let blocks = self.count("blocks")?;
        let count = self.source.count(Kind::I64, things)?;
        self.source.pass(Kind::I64, 2, "a number")?;
        Ok([blocks, count])
    }

    fn element_list(&mut self) -> Result<(), Fault> {
        let count = self.count("elements")?;
        let place = self.source.place();
        let mut read = 0;
        while self.has_row() {
            let number = self.source.integer(Kind::I32, "the number of an element")?;
            let kind = self.source.integer(Kind::I32, "the type of an element")?;
            let tags = self.source.count(Kind::I32, "tags")?;
            self.source.pass(Kind::I32, tags, "a tag")?;
            self.element(number, kind, Kind::I32)?;
            read += 1;
        }
        self.elements.check_count(count, read, "elements", place)
    }

    /// Binary lists come in groups of one type.
    fn element_groups(&mut self) -> Result<(), Fault> {
        let count = self.count("elements")?;
        let mut read = 0;
        while read < count {
            let kind = self.source.integer(Kind::I32, "the type of elements")?;
            let elements = self.source.count(Kind::I32, "elements")?;
            let tags = self.source.count(Kind::I32, "tags")?;
            for _ in 0..elements {
                let number = self.source.integer(Kind::I32, "the number of an element")?;
                self.source.pass(Kind::I32, tags, "a tag")?;
                self.element(number, kind, Kind::I32)?;
            }
            read += elements.max(0);
        }
        Ok(())
    }

    fn element_blocks(&mut self) -> Result<(), Fault> {
        let [blocks, count] = self.head("elements")?;
        let place = self.source.place();
        let mut read = 0;
        for _ in 0..blocks {
            self.source.record("a block of elements")?;
            self.source.integer(Kind::I32, "the dimension of a block")?;
            self.source.integer(Kind::I32, "the number of an entity")?;
            let kind = self.source.integer(Kind::I32, "the type of elements")?;
            let elements = self.source.count(Kind::I64, "elements")?;
            for _ in 0..elements {
                self.source.record("an element")?;
                let number = self.source.integer(Kind::I64, "the number of an element")?;
                self.element(number, kind, Kind::I64)?;
                read += 1;
            }
        }
        self.elements.check_count(count, read, "elements", place)
    }

    /// The nodes of an element.
    fn element(&mut self, number: i64, kind: i64, size: Kind) -> Result<(), Fault> {
        let place = self.source.place();
        match element(kind) {
            Ok(Element::Tetrahedron(nodes)) => {
                let corners = self.source.corners(size, nodes)?;
                self.elements.add(number, corners, nodes, place);
            }
            Ok(Element::Boundary(nodes)) => {
                self.source.pass(size, nodes, "a node of the element")?;
                self.elements.skip(place);
            }
            Err(name) => {
                let what = format!("element {number} is {name}");
                return Err(Fault::at(place, what, "mesh the body with tetrahedra alone"));
            }
        }
        Ok(())
    }
}

/// By Gmsh's numbers; the name of what is not read.
fn element(kind: i64) -> Result<Element, String> {
    Ok(match kind {
        4 => Element::Tetrahedron(4),
        11 => Element::Tetrahedron(10),
        29 => Element::Tetrahedron(20),
        30 => Element::Tetrahedron(35),
        31 => Element::Tetrahedron(56),
        15 => Element::Boundary(1),
        1 => Element::Boundary(2),
        2 | 8 => Element::Boundary(3),
        3 | 26 => Element::Boundary(4),
        27 => Element::Boundary(5),
        9 | 28 => Element::Boundary(6),
        16 => Element::Boundary(8),
        10 | 20 => Element::Boundary(9),
        21 => Element::Boundary(10),
        22 => Element::Boundary(12),
        23 | 24 => Element::Boundary(15),
        25 => Element::Boundary(21),
        5 | 12 | 17 | 92 | 93 => return Err("a hexahedron".to_owned()),
        6 | 13 | 18 => return Err("a prism".to_owned()),
        7 | 14 | 19 => return Err("a pyramid".to_owned()),
        _ => return Err(format!("of type {kind}, which is not read")),
    })
}
