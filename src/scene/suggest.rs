//! "Did you mean": the nearest of the names that would have been right.

/// `; did you mean 'mass'?` if a name is near, and the list of all names.
pub(super) fn suggestion<'a>(wrong: &str, right: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = right.into_iter().collect();
    let list = names.join(", ");
    match nearest(wrong, &names) {
        Some(name) => format!("did you mean '{name}'? There are: {list}"),
        None => format!("there are: {list}"),
    }
}

/// The name with the fewest edits, if they are few for the length of the word.
pub(super) fn nearest<'a>(wrong: &str, right: &[&'a str]) -> Option<&'a str> {
    let (edits, name) = right.iter().map(|name| (edits(wrong, name), *name)).min_by_key(|(edits, _)| *edits)?;
    (edits <= 1 + wrong.chars().count() / 4).then_some(name)
}

/// Levenshtein distance, with a swap of two neighbours counted as one edit.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slips of the finger are recognised, and words that mean something else are not.
    #[test]
    fn nearest_name() {
        let names = ["mass", "compliance", "rest_length"];
        assert_eq!(nearest("masss", &names), Some("mass"));
        assert_eq!(nearest("amss", &names), Some("mass"));
        assert_eq!(nearest("Complaince", &names), Some("compliance"));
        assert_eq!(nearest("restlength", &names), Some("rest_length"));
        assert_eq!(nearest("colour", &names), None);
        assert_eq!(nearest("mass", &[]), None);
    }
}
