//! Paths in the text of Rust files.

/// Something of the crate that a file names.
#[derive(Debug, PartialEq)]
pub struct Reference {
    /// From 1 on.
    pub line: usize,
    /// From the crate on, at least one name.
    pub path: Vec<String>,
}

/// The name that a text begins with; empty if it begins with none.
pub fn name(text: &str) -> &str {
    text.split(|c: char| !is_of_name(c)).next().unwrap_or_default()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A file's code: what is in comments, strings and unit tests is blank. Lines stay.
pub fn code(text: &str) -> String {
    without_tests(&without_text(text))
}

fn blank(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { ' ' }).collect()
}

/// Without comments, strings and characters.
fn without_text(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = text_at(rest, code.ends_with(is_of_name));
        let (taken, left) = rest.split_at(if length > 0 { length } else { first.len_utf8() });
        code.push_str(&if length > 0 { blank(taken) } else { taken.to_string() });
        rest = left;
    }
    code
}

/// Bytes of the comment, string or character that a text begins with; 0 if with none. `after_name`: whether it goes on
/// with a name, so that an `r` begins no raw string.
fn text_at(text: &str, after_name: bool) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return comment(text);
    }
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    if let Some(hashes) = text.strip_prefix('r').filter(|_| !after_name) {
        let count = hashes.len() - hashes.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(count));
        if hashes[count..].starts_with('"') {
            let begin = 1 + count + 1;
            return text[begin..].find(&end).map_or(text.len(), |at| begin + at + end.len());
        }
    }
    // A lifetime has no quote behind its name.
    let mut characters = text.strip_prefix('\'').unwrap_or_default().chars();
    match (characters.next(), characters.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(text, '\''),
        _ => 0,
    }
}

/// Bytes of the comment that a text begins with, and of those in it.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
        } else {
            at += rest.chars().next().map_or(0, char::len_utf8);
        }
        if depth == 0 || at == text.len() {
            return at;
        }
    }
}

/// Bytes up to the next of these quotes that is not escaped.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// Without modules that are compiled for tests alone.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(") {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let end = from.find(']').map_or(from.len(), |at| at + 1);
        let is_test = ["#[cfg(test)", "#[cfg(all(test,"].iter().any(|start| from.starts_with(start));
        let is_module = from[end..].trim_start().starts_with("mod ");
        let end = if is_test && is_module { end + item(&from[end..]) } else { end };
        kept.push_str(&if is_test && is_module { blank(&from[..end]) } else { from[..end].to_string() });
        rest = &from[end..];
    }
    kept + rest
}

/// Bytes of the item that code begins with: up to a semicolon or the end of its braces.
fn item(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 && (c == '}' || c == ';') {
            return at + 1;
        }
    }
    code.len()
}

/// Everything of the crate that the code of a module names: by a path from the crate, or from a module above.
pub fn references(code: &str, module: &[String]) -> Vec<Reference> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("::") {
        let before = &code[..at];
        let first = before.rsplit(|c: char| !is_of_name(c)).next().unwrap_or_default();
        // In the middle of a path.
        let inside = before[..before.len() - first.len()].trim_end().ends_with("::");
        let start = match first {
            _ if inside => continue,
            "crate" | "pliant" => Vec::new(),
            "super" => module[..module.len() - 1].to_vec(),
            _ => continue,
        };
        let mut paths = Vec::new();
        follow(&code[at..], start, &mut paths);
        let line = 1 + before.matches('\n').count();
        let paths = paths.into_iter().filter(|path| !path.is_empty());
        found.extend(paths.map(|path| Reference { line, path }));
    }
    found
}

/// Adds the paths that begin with this one and go on with the code, and returns what is left of it.
fn follow<'a>(code: &'a str, path: Vec<String>, paths: &mut Vec<Vec<String>>) -> &'a str {
    let Some(rest) = code.trim_start().strip_prefix("::").map(str::trim_start) else {
        paths.push(path);
        return code;
    };
    if let Some(mut rest) = rest.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            match rest.strip_prefix('}') {
                Some(left) => return left,
                None if rest.is_empty() => return rest,
                None => rest = one_of_group(rest, &path, paths),
            }
        }
    }
    match name(rest) {
        "" => {
            paths.push(path);
            rest
        }
        "super" => follow(&rest["super".len()..], path[..path.len().saturating_sub(1)].to_vec(), paths),
        next => follow(&rest[next.len()..], [path, vec![next.to_string()]].concat(), paths),
    }
}

/// The same for a path in braces, up to the comma behind it or the brace.
fn one_of_group<'a>(code: &'a str, path: &[String], paths: &mut Vec<Vec<String>>) -> &'a str {
    let rest = match name(code) {
        "self" | "" => {
            paths.push(path.to_vec());
            code
        }
        next => follow(&code[next.len()..], [path, &[next.to_string()]].concat(), paths),
    };
    &rest[rest.find([',', '}']).unwrap_or(rest.len())..]
}

/// What is named is found, however it is written, and nothing in comments, strings and tests.
#[test]
fn paths_are_found() {
    let text = r###"
        use crate::plan::{Plan, levels::{self, Net as Mesh}, statics::*};
        pub(crate) use super::
            super::step::BROKEN; // crate::no
        /* crate::no /* crate::no */ crate::no */
        fn f<'a>(x: &'a str) -> crate::Model<'a> { g("crate::no \" crate::no",
            '"', '\'', r#" " crate::no"#); $crate::m!() }
        #[cfg(any(test, feature = "gpu"))]
        mod used { use crate::gpu; }
        #[cfg(all(test, feature = "cpu"))]
        mod tests { use crate::no; fn f() { crate::no() } }
        use other::crate_::super_::x;
    "###;
    let module = ["pass", "air", "cpu"].map(str::to_string);
    let found = references(&code(text), &module);
    let found: Vec<(usize, String)> =
        found.into_iter().map(|Reference { line, path }| (line, path.join("::"))).collect();
    let expected = [
        (2, "plan::Plan"),
        (2, "plan::levels"),
        (2, "plan::levels::Net"),
        (2, "plan::statics"),
        (3, "pass::step::BROKEN"),
        (6, "Model"),
        (7, "m"),
        (9, "gpu"),
    ];
    assert_eq!(found, expected.map(|(line, path)| (line, path.to_string())));
}
