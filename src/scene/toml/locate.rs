//! From a place in a scene to line and column of its file.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::super::error::{SceneError, Step};

/// Says in which file and where in its text an error lies; as near as the text goes towards the place. An error that
/// lies in another file stays as it is.
pub(in super::super) fn locate(error: SceneError, file: &str, text: &str) -> SceneError {
    if error.file.is_some() {
        return error;
    }
    let span = DeTable::parse(text).ok().and_then(|document| find(document.get_ref(), &error.place, error.at_key));
    let position = span.map(|span| line_and_column(text, span.start)).or(error.position);
    SceneError { file: Some(file.to_string()), position, ..error }
}

/// Where the deepest value (or its key) on the way to a place stands.
fn find(document: &DeTable, place: &[Step], at_key: bool) -> Option<Range<usize>> {
    let (Step::Key(first), rest) = place.split_first()? else { return None };
    let (key, mut value) = document.get_key_value(first.as_str())?;
    let mut span = if at_key { key.span() } else { value.span() };
    for step in rest {
        let next = match (step, value.get_ref()) {
            (Step::Key(key), DeValue::Table(table)) => table.get_key_value(key.as_str()),
            (Step::Index(index), DeValue::Array(list)) => {
                let Some(entry) = list.get(*index) else { break };
                (span, value) = (entry.span(), entry);
                continue;
            }
            _ => None,
        };
        let Some((key, entry)) = next else { break };
        (span, value) = (if at_key { key.span() } else { entry.span() }, entry);
    }
    Some(span)
}

/// Of a byte in a text, both from 1; columns count characters.
pub(in super::super) fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].trim_start_matches('\u{feff}').chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines and columns count from 1, characters count once, and a byte order mark not at all.
    #[test]
    fn counts_lines_and_characters() {
        let text = "\u{feff}aß = 1\nb = 2";
        assert_eq!(line_and_column(text, 3), (1, 1));
        assert_eq!(line_and_column(text, text.find('=').unwrap_or(0)), (1, 4));
        assert_eq!(line_and_column(text, text.len()), (2, 6));
        assert_eq!(line_and_column(text, 999), (2, 6));
    }
}
