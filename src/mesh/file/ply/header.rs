//! The header of a PLY file: lines of text that say what follows.

use super::super::error::{Fault, Place};
use super::super::text::printable;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Little,
    Big,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Text,
    Binary(Order),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }
}

pub struct Property {
    pub name: String,
    pub kind: Kind,
    /// The kind of a list's length.
    pub count: Option<Kind>,
}

pub struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
    pub place: Place,
}

pub struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Of the header, in bytes and in lines.
    pub length: usize,
    pub lines: usize,
}

impl Header {
    pub fn read(bytes: &[u8]) -> Result<Self, Fault> {
        if !bytes.starts_with(b"ply") {
            let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(20)]);
            let what = format!("a PLY file begins with `ply`, and this one with `{}`", printable(&beginning));
            return Err(Fault::at_line(1, what, "give the file the extension of its format, or export it again"));
        }
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut end = line_end(bytes);
        let mut length = 0;
        for number in 1.. {
            let Some(size) = find(&bytes[length..], end) else {
                let what = "the header has no line `end_header`";
                return Err(Fault::at_line(number, what, "get the file again: it was cut off, or is not PLY"));
            };
            let line = String::from_utf8_lossy(&bytes[length..length + size]);
            length += size + end.len();
            let words: Vec<&str> = line.split_whitespace().collect();
            match (number, words.as_slice()) {
                (1, ["ply"]) => {}
                (_, ["format", name, ..]) => encoding = Some(encoding_of(name, number)?),
                (_, ["element", name, count]) => elements.push(element(name, count, number)?),
                (_, ["property", words @ ..]) => match elements.last_mut() {
                    Some(element) => element.properties.push(property(words, number)?),
                    None => return Err(misplaced(&line, number)),
                },
                (_, [] | ["comment" | "obj_info", ..]) => {}
                (_, ["end_header"]) => {
                    let missing = || Fault::of_file("the header has no line `format`", "add it, or export again");
                    return Ok(Self { encoding: encoding.ok_or_else(missing)?, elements, length, lines: number });
                }
                _ => return Err(misplaced(&line, number)),
            }
            // Files exist whose first line only ends as Windows does.
            if end == b"\r\n" && find(&bytes[length..], end).is_none() {
                end = b"\n";
            }
        }
        Err(Fault::of_file("the header has no end", "export the mesh again"))
    }
}

/// All lines of a header end like its first: in a binary body the next byte may look like another end of line.
fn line_end(bytes: &[u8]) -> &'static [u8] {
    match bytes.iter().position(|byte| b"\n\r".contains(byte)) {
        Some(end) if bytes[end..].starts_with(b"\r\n") => b"\r\n",
        Some(end) if bytes[end] == b'\r' => b"\r",
        _ => b"\n",
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn encoding_of(name: &str, line: usize) -> Result<Encoding, Fault> {
    match name {
        "ascii" => Ok(Encoding::Text),
        "binary_little_endian" => Ok(Encoding::Binary(Order::Little)),
        "binary_big_endian" => Ok(Encoding::Binary(Order::Big)),
        _ => {
            let what = format!("the format `{}` is unknown", printable(name));
            Err(Fault::at_line(line, what, "export as ascii, binary_little_endian or binary_big_endian"))
        }
    }
}

fn element(name: &str, count: &str, line: usize) -> Result<Element, Fault> {
    let count = count.parse().map_err(|_| {
        let what = format!("`{}` is not a number of elements", printable(count));
        Fault::at_line(line, what, "write a whole number, or export again")
    })?;
    Ok(Element { name: name.to_owned(), count, properties: Vec::new(), place: Place::Line(line) })
}

fn property(words: &[&str], line: usize) -> Result<Property, Fault> {
    let kind = |name: &str| {
        Kind::named(name).ok_or_else(|| {
            let what = format!("the type `{}` of the property is unknown", printable(name));
            Fault::at_line(line, what, "export with one of char, uchar, short, ushort, int, uint, float, double")
        })
    };
    match *words {
        ["list", count, of, name] => {
            let count = Some(kind(count)?);
            Ok(Property { name: name.to_owned(), kind: kind(of)?, count })
        }
        [of, name] => Ok(Property { name: name.to_owned(), kind: kind(of)?, count: None }),
        _ => Err(misplaced("property", line)),
    }
}

fn misplaced(text: &str, line: usize) -> Fault {
    let what = format!("`{}` is not a line of a PLY header, or is in the wrong place", printable(text));
    Fault::at_line(line, what, "remove or complete it, or check that the file is PLY")
}
