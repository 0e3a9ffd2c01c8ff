//! Reads the two files of TetGen: vertices in `.node`, tetrahedra in `.ele`. Attributes and markers are not needed.
//!
//! `.node`: `count 3 attributes markers`, then `number x y z ...`; `.ele`: `count nodes attributes`, then
//! `number corners ...`; `#` begins a comment. Numbers count from 0 or 1. No crate was found that reads them.

use super::super::error::Fault;
use super::repair::Elements;
use super::source::{Kind, Source};

pub fn read_vertices(bytes: &[u8], elements: &mut Elements) -> Result<(), Fault> {
    let mut source = Source::new(bytes, Some(b'#'));
    let source = &mut source;
    source.record("the number of vertices")?;
    let place = source.place();
    let count = source.count(Kind::I64, "vertices")?;
    let dimensions = source.integer(Kind::I64, "the number of dimensions")?;
    if dimensions != 3 {
        let what = format!("the vertices have {dimensions} dimensions");
        return Err(source.fault(what, "export a mesh with three dimensions: its .node file begins with `count 3`"));
    }
    let mut read = 0;
    while source.row() {
        let number = source.integer(Kind::I64, "the number of a vertex")?;
        let position = source.position(Kind::F64)?;
        elements.add_vertex(number, position, source.place())?;
        read += 1;
    }
    elements.check_count(count, read, "vertices", place)
}

pub fn read_elements(bytes: &[u8], elements: &mut Elements) -> Result<(), Fault> {
    let mut source = Source::new(bytes, Some(b'#'));
    let source = &mut source;
    source.record("the number of elements")?;
    let place = source.place();
    let count = source.count(Kind::I64, "elements")?;
    let nodes = source.integer(Kind::I64, "the number of nodes in an element")?;
    if nodes != 4 && nodes != 10 {
        let what = format!("the elements have {nodes} nodes");
        return Err(source.fault(what, "export tetrahedra, which have 4 nodes, or 10 in the second order"));
    }
    let mut read = 0;
    while source.row() {
        let number = source.integer(Kind::I64, "the number of an element")?;
        let corners = source.corners(Kind::I64, nodes)?;
        elements.add(number, corners, nodes, source.place());
        read += 1;
    }
    elements.check_count(count, read, "elements", place)
}
