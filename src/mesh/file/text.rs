//! Lines and words of text files.

use super::error::{Fault, Place};

/// Lines with their numbers, counted from 1 as an editor does, and whether the text breaks off in this line without its
/// end. A line ends in LF, CR LF, or CR alone.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
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
    (1..).zip(lines).map(|(number, (line, last))| (number, line, last))
}

/// The three coordinates that the words begin with; what follows them has no use here.
pub(super) fn coordinates<'a>(line: usize, words: impl Iterator<Item = &'a str>) -> Result<[f64; 3], Fault> {
    let mut position = [0.0; 3];
    let mut words = words.fuse();
    for (axis, coordinate) in position.iter_mut().enumerate() {
        let Some(word) = words.next() else {
            return Err(Fault::at_line(line, format!("the vertex has {axis} coordinates"), "give it three"));
        };
        *coordinate = word.parse().map_err(|_| {
            let what = format!("`{}` is not a coordinate", printable(word));
            Fault::at_line(line, what, "write a number such as -1.5 or 2e-3")
        })?;
    }
    Ok(position)
}

/// Refuses what is not finite or cannot be told from it in single precision. -0 becomes 0, so that equal positions have
/// equal bits.
pub(super) fn checked_position(position: [f64; 3], place: Place) -> Result<[f64; 3], Fault> {
    match position.iter().find(|x| x.is_nan() || x.abs() > f64::from(f32::MAX)) {
        None => Ok(position.map(|x| x + 0.0)),
        Some(x) => Err(Fault::at(
            place,
            format!("the coordinate {x:e} is not finite or beyond single precision"),
            "bring the mesh to metres near the origin",
        )),
    }
}

/// The beginning of a word of a file, safe to print.
pub(super) fn printable(word: &str) -> String {
    word.chars().take(20).flat_map(char::escape_debug).collect()
}
