//! Words and numbers of files that are text, or text with binary parts.

use super::super::error::{Fault, Place};
use super::super::text::printable;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// A record is a line.
    Lines,
    /// Numbers follow each other, over as many lines as they take.
    Words,
    /// Bytes, the lowest first.
    Little,
    /// Bytes, the highest first.
    Big,
}

/// What a number is in binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    I32,
    I64,
    F32,
    F64,
}

/// Reads a file from its beginning to its end. Keywords are on lines of their own, whatever the encoding.
#[derive(Clone)]
pub struct Source<'a> {
    bytes: &'a [u8],
    /// Where what was last read begins, and what comes next.
    begin: usize,
    at: usize,
    /// What is left of the current line.
    row: &'a [u8],
    /// Of the current line, counted from 1.
    line: usize,
    /// Whether the text breaks off in the current line without its end.
    last: bool,
    /// Whether the current line is to be given out again as the next.
    held: bool,
    pub encoding: Encoding,
    /// What begins a comment in a line.
    comment: Option<u8>,
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8], comment: Option<u8>) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { bytes, begin: 0, at: 0, row: &[], line: 0, last: false, held: false, encoding: Encoding::Lines, comment }
    }

    pub fn is_binary(&self) -> bool {
        matches!(self.encoding, Encoding::Little | Encoding::Big)
    }

    /// Where what was last read is.
    pub fn place(&self) -> Place {
        if self.is_binary() { Place::Byte(self.begin) } else { Place::Line(self.line) }
    }

    pub fn fault(&self, what: impl Into<String>, remedy: impl Into<String>) -> Fault {
        Fault::at(self.place(), what, remedy).where_text_ends(self.last && !self.is_binary())
    }

    /// The fault of a file that ends where more should be.
    pub fn ends(&self, what: impl std::fmt::Display) -> Fault {
        Fault::at(self.place(), format!("the file ends {what}"), "get the file again: it was cut off")
    }

    /// Begins the next line, whatever is left of the current one; `None` at the end. A line ends in LF, CR LF, or CR
    /// alone.
    pub fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = rest.iter().position(|byte| b"\n\r".contains(byte));
        let length = end.unwrap_or(rest.len());
        let ending = match end {
            Some(end) if rest[end..].starts_with(b"\r\n") => 2,
            Some(_) => 1,
            None => 0,
        };
        self.begin = self.at;
        self.at += length + ending;
        self.line += 1;
        self.last = end.is_none();
        self.row = &rest[..length];
        Some(self.row)
    }

    /// Begins the next line that has words; false at the end.
    pub fn row(&mut self) -> bool {
        if std::mem::take(&mut self.held) {
            return true;
        }
        while let Some(line) = self.line() {
            let comment = line.iter().position(|&byte| Some(byte) == self.comment).unwrap_or(line.len());
            self.row = line[..comment].trim_ascii();
            if !self.row.is_empty() {
                return true;
            }
        }
        self.row = &[];
        false
    }

    /// Gives the current line out again as the next.
    pub fn hold(&mut self) {
        self.held = true;
    }

    /// Begins a line; in binary there are none. `what` it should begin with stands in errors.
    pub fn record(&mut self, what: &str) -> Result<(), Fault> {
        if self.encoding == Encoding::Lines && !self.row() {
            return Err(self.ends(format_args!("where {what} should be")));
        }
        Ok(())
    }

    /// Of words: whether there is one more, and it is a number. A line that begins with another is held.
    pub fn has_number(&mut self) -> bool {
        if self.row.is_empty() && !self.row() {
            return false;
        }
        let row = self.row;
        let is_number = self.word().is_some_and(|word| !word[0].is_ascii_alphabetic() || is_real(word));
        self.row = row;
        self.held = !is_number;
        is_number
    }

    /// What is left of the current line.
    pub fn rest_of_row(&self) -> &'a [u8] {
        self.row
    }

    /// The next word of the current line.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        let end = self.row.iter().position(u8::is_ascii_whitespace).unwrap_or(self.row.len());
        let (word, rest) = self.row.split_at(end);
        self.row = rest.trim_ascii_start();
        (end > 0).then_some(word)
    }

    /// The next word as a number; `what` it is stands in errors.
    fn parsed<T: std::str::FromStr>(&mut self, what: &str, such_as: &str) -> Result<T, Fault> {
        if self.encoding == Encoding::Words && self.row.is_empty() && !self.row() {
            return Err(self.ends(format_args!("where {what} should be")));
        }
        let Some(word) = self.word() else {
            return Err(self.fault(format!("the line ends where {what} should be"), "complete it"));
        };
        let text = String::from_utf8_lossy(word);
        text.parse().map_err(|_| self.fault(format!("`{}` is not {what}", printable(&text)), such_as))
    }

    fn chunk<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Fault> {
        let Some(&chunk) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) else {
            return Err(self.ends(format_args!("where {what} should be")));
        };
        self.begin = self.at;
        self.at += N;
        Ok(chunk)
    }

    /// The bits of the next number in binary, in so many bytes.
    fn bits<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Fault> {
        let mut chunk = self.chunk(what)?;
        if self.encoding == Encoding::Big {
            chunk.reverse();
        }
        Ok(chunk)
    }

    /// A whole number.
    pub fn integer(&mut self, kind: Kind, what: &str) -> Result<i64, Fault> {
        if !self.is_binary() {
            return self.parsed(what, "write a whole number");
        }
        Ok(match kind {
            Kind::I32 => i32::from_le_bytes(self.bits(what)?).into(),
            Kind::I64 => i64::from_le_bytes(self.bits(what)?),
            Kind::F32 | Kind::F64 => {
                return Err(self.fault(format!("{what} is stored as a real number"), "export whole numbers as such"));
            }
        })
    }

    /// A whole number of `things`, at least 0.
    pub fn count(&mut self, kind: Kind, things: &str) -> Result<i64, Fault> {
        let count = self.integer(kind, &format!("the number of {things}"))?;
        if count < 0 {
            let what = format!("the number of {things} is {count}");
            return Err(self.fault(what, "correct the header, or export the mesh again"));
        }
        Ok(count)
    }

    pub fn real(&mut self, kind: Kind, what: &str) -> Result<f64, Fault> {
        if !self.is_binary() {
            return self.parsed(what, "write a number such as -1.5 or 2e-3");
        }
        Ok(match kind {
            Kind::F32 => f32::from_le_bytes(self.bits(what)?).into(),
            Kind::F64 => f64::from_le_bytes(self.bits(what)?),
            Kind::I32 | Kind::I64 => self.integer(kind, what)? as f64,
        })
    }

    /// The first four of so many nodes, which are the corners of a tetrahedron.
    pub fn corners(&mut self, kind: Kind, nodes: i64) -> Result<[i64; 4], Fault> {
        let mut corners = [0; 4];
        for corner in &mut corners {
            *corner = self.integer(kind, "a corner of the element")?;
        }
        self.pass(kind, nodes - 4, "a node of the element")?;
        Ok(corners)
    }

    /// Passes over so many whole numbers.
    pub fn pass(&mut self, kind: Kind, count: i64, what: &str) -> Result<(), Fault> {
        (0..count).try_for_each(|_| self.integer(kind, what).map(drop))
    }

    pub fn position(&mut self, kind: Kind) -> Result<[f64; 3], Fault> {
        Ok([
            self.real(kind, "the x coordinate")?,
            self.real(kind, "the y coordinate")?,
            self.real(kind, "the z coordinate")?,
        ])
    }
}

fn is_real(word: &[u8]) -> bool {
    str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok())
}
