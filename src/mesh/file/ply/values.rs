//! The numbers after a PLY header, from text or from bytes.

use std::iter::Peekable;
use std::str::SplitWhitespace;

use super::super::error::{Fault, Place};
use super::super::text::{lines, printable};
use super::header::{Element, Kind, Order};

const GET_AGAIN: &str = "get the file again: it was cut off, or the header is wrong";

/// Reads row after row. All numbers of the format are exact in double precision.
pub trait Values {
    /// Begins a row; returns where it is.
    fn begin(&mut self, element: &Element, index: usize) -> Result<Place, Fault>;
    fn number(&mut self, kind: Kind) -> Result<f64, Fault>;
    /// Ends a row.
    fn end(&mut self) -> Result<(), Fault>;
    /// Where the current row is.
    fn place(&self) -> Place;
    /// What follows the last row, in words.
    fn left(&mut self) -> Option<String>;

    /// Appends a list whose length comes first.
    fn list(&mut self, count: Kind, kind: Kind, into: &mut Vec<f64>) -> Result<(), Fault> {
        let length = self.number(count)?;
        if !(length >= 0.0 && length <= f64::from(u32::MAX) && length.fract() == 0.0) {
            return Err(Fault::at(self.place(), format!("a list has {length} numbers"), "export the mesh again"));
        }
        // Nothing is reserved: a broken file may tell of any length.
        for _ in 0..length as u32 {
            into.push(self.number(kind)?);
        }
        Ok(())
    }
}

fn ends(element: &Element, index: usize) -> Fault {
    let Element { name, count, .. } = element;
    let what = format!("the header says {count} rows of `{name}`, but the file ends after {index}");
    Fault::at(element.place, what, GET_AGAIN)
}

/// How rows of text lie on lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// One on each.
    Lines,
    /// One after the other, wherever lines end.
    Broken,
}

/// The numbers of a text file; blank lines are skipped. `header_lines` come before the text.
pub fn text_values(text: &str, header_lines: usize, rows: Rows) -> impl Values {
    let lines = lines(text)
        .filter(|(_, line, _)| !line.trim().is_empty())
        .map(move |(number, line, _)| (number + header_lines, line));
    Text { lines, line: header_lines, words: "".split_whitespace().peekable(), rows }
}

struct Text<'a, Lines> {
    lines: Lines,
    line: usize,
    words: Peekable<SplitWhitespace<'a>>,
    rows: Rows,
}

impl<'a, Lines: Iterator<Item = (usize, &'a str)>> Text<'a, Lines> {
    /// Begins the next line; false at the end.
    fn next_line(&mut self) -> bool {
        let Some((number, line)) = self.lines.next() else { return false };
        (self.line, self.words) = (number, line.split_whitespace().peekable());
        true
    }
}

impl<'a, Lines: Iterator<Item = (usize, &'a str)>> Values for Text<'a, Lines> {
    fn begin(&mut self, element: &Element, index: usize) -> Result<Place, Fault> {
        let goes_on = self.rows == Rows::Broken && self.words.peek().is_some();
        if !goes_on && !self.next_line() {
            return Err(ends(element, index));
        }
        Ok(Place::Line(self.line))
    }

    fn number(&mut self, _: Kind) -> Result<f64, Fault> {
        if self.rows == Rows::Broken && self.words.peek().is_none() {
            self.next_line();
        }
        let Some(word) = self.words.next() else {
            let what = "the line has fewer numbers than the header says";
            return Err(Fault::at_line(self.line, what, "complete it, or get the file again if it was cut off"));
        };
        word.parse().map_err(|_| {
            let what = format!("`{}` is not a number", printable(word));
            Fault::at_line(self.line, what, "write a number such as -1.5 or 2e-3")
        })
    }

    fn place(&self) -> Place {
        Place::Line(self.line)
    }

    fn end(&mut self) -> Result<(), Fault> {
        match self.words.peek() {
            Some(word) if self.rows == Rows::Lines => {
                let what = format!("the line goes on with `{}` after the numbers of the header", printable(word));
                Err(Fault::at_line(self.line, what, "correct the line or the header"))
            }
            _ => Ok(()),
        }
    }

    fn left(&mut self) -> Option<String> {
        let first = match self.words.peek() {
            Some(_) => self.line,
            None => self.lines.next()?.0,
        };
        let rows = 1 + self.lines.by_ref().count();
        let rows = if rows == 1 { "1 line".to_owned() } else { format!("{rows} lines") };
        Some(format!("ignored {rows} beyond the number of rows in the header (first at line {first})"))
    }
}

pub struct Binary<'a> {
    rest: &'a [u8],
    order: Order,
    place: Place,
}

impl<'a> Binary<'a> {
    pub fn new(bytes: &'a [u8], order: Order) -> Self {
        Self { rest: bytes, order, place: Place::Line(1) }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let Some((&bytes, rest)) = self.rest.split_first_chunk() else {
            return Err(Fault::at(self.place, "the file ends here", GET_AGAIN));
        };
        self.rest = rest;
        Ok(bytes)
    }
}

/// The number in the order's bytes.
macro_rules! read {
    ($reader:expr, $number:ty) => {{
        let bytes = $reader.bytes()?;
        f64::from(match $reader.order {
            Order::Little => <$number>::from_le_bytes(bytes),
            Order::Big => <$number>::from_be_bytes(bytes),
        })
    }};
}

impl Values for Binary<'_> {
    fn begin(&mut self, element: &Element, index: usize) -> Result<Place, Fault> {
        self.place = match element.name.as_str() {
            "vertex" => Place::Vertex(index),
            "face" => Place::Face(index),
            _ => element.place,
        };
        if self.rest.is_empty() { Err(ends(element, index)) } else { Ok(self.place) }
    }

    fn number(&mut self, kind: Kind) -> Result<f64, Fault> {
        Ok(match kind {
            Kind::I8 => read!(self, i8),
            Kind::U8 => read!(self, u8),
            Kind::I16 => read!(self, i16),
            Kind::U16 => read!(self, u16),
            Kind::I32 => read!(self, i32),
            Kind::U32 => read!(self, u32),
            Kind::F32 => read!(self, f32),
            Kind::F64 => read!(self, f64),
        })
    }

    fn end(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn place(&self) -> Place {
        self.place
    }

    fn left(&mut self) -> Option<String> {
        let left = self.rest.trim_ascii().len();
        (left > 0).then(|| format!("ignored {left} bytes beyond the number of rows in the header"))
    }
}
