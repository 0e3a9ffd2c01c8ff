//! A scene's text with other numbers: comments, order and all else stay.

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

/// A scene's text, to be changed.
pub struct Text {
    document: DocumentMut,
}

impl Text {
    /// `None` for what is no TOML.
    pub fn new(text: &str) -> Option<Self> {
        Some(Self { document: text.trim_start_matches('\u{feff}').parse().ok()? })
    }

    /// The table of a key, made where there is none.
    pub fn table(&mut self, key: &str) -> Option<&mut dyn TableLike> {
        let entry = self.document.entry(key);
        entry.or_insert_with(|| Item::Table(Table::new())).as_table_like_mut()
    }

    /// An entry of a list of tables: `[[body]]`.
    pub fn entry(&mut self, key: &str, index: usize) -> Option<&mut dyn TableLike> {
        entry_of(self.document.as_table_mut(), key, index)
    }

    /// Gives a key of the whole scene a value.
    pub fn set(&mut self, key: &str, value: Value) {
        set(self.document.as_table_mut(), key, value);
    }

    /// Gives every text under a key a new one.
    pub fn rename(&mut self, key: &str, new: &impl Fn(&str) -> Option<String>) {
        self.document.iter_mut().for_each(|(name, item)| rename_item(&name, item, key, new));
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.document.fmt(f)
    }
}

/// An entry of a list of tables in a table.
pub fn entry_of<'a>(table: &'a mut dyn TableLike, key: &str, index: usize) -> Option<&'a mut dyn TableLike> {
    match table.get_mut(key)? {
        Item::ArrayOfTables(tables) => tables.get_mut(index).map(|table| table as &mut dyn TableLike),
        Item::Value(Value::Array(list)) => match list.get_mut(index)? {
            Value::InlineTable(table) => Some(table),
            _ => None,
        },
        _ => None,
    }
}

/// Gives a key a value; what stands around the old one stays.
pub fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// Gives a number of a list a value.
pub fn set_in_list(table: &mut dyn TableLike, key: &str, index: usize, mut value: Value) {
    if let Some(Item::Value(Value::Array(list))) = table.get_mut(key)
        && let Some(old) = list.get_mut(index)
    {
        *value.decor_mut() = old.decor().clone();
        *old = value;
    }
}

fn rename_item(name: &str, item: &mut Item, key: &str, new: &impl Fn(&str) -> Option<String>) {
    match item {
        Item::Value(value) => rename_value(name, value, key, new),
        Item::Table(table) => table.iter_mut().for_each(|(name, item)| rename_item(&name, item, key, new)),
        Item::ArrayOfTables(tables) => {
            let entries = tables.iter_mut().flat_map(|table| table.iter_mut());
            entries.for_each(|(name, item)| rename_item(&name, item, key, new));
        }
        Item::None => {}
    }
}

fn rename_value(name: &str, value: &mut Value, key: &str, new: &impl Fn(&str) -> Option<String>) {
    match value {
        Value::String(text) if name == key => {
            if let Some(renamed) = new(text.value()) {
                let decor = value.decor().clone();
                *value = renamed.into();
                *value.decor_mut() = decor;
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| rename_value(name, value, key, new)),
        Value::InlineTable(table) => table.iter_mut().for_each(|(name, value)| rename_value(&name, value, key, new)),
        _ => {}
    }
}

/// A number as people write it, to the last bit: `9.81`, `1e-8`.
pub fn number(value: f64) -> Value {
    // What is not finite has no place in a scene, and is refused where it is set.
    format!("{value:?}").parse().unwrap_or_else(|_| value.into())
}

/// `[0.0, -9.81, 0.0]`
pub fn vector(value: [f64; 3]) -> Value {
    Value::Array(value.into_iter().map(number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "\
# A sail.
name = \"sail\" # so it is called

[solver]
substeps = 10   # enough

[[body]]
kind = \"cloth\"
mesh = { file = \"sail.obj\" }
bend = { kind = \"distance\", compliance = 1e-4 } # soft
[[body.constraint]]
compliance = [1e-3, 2e-3]
";

    /// Values change where they stand, with the comments around them; what is new is added to its table; names of files
    /// are found at any depth.
    #[test]
    fn comments_stay() {
        let mut text = Text::new(SCENE).unwrap();
        set(text.table("solver").unwrap(), "substeps", 40_i64.into());
        set(text.table("solver").unwrap(), "mode", "pbd".into());
        set(text.table("world").unwrap(), "gravity", vector([0.0, -1.5, 0.0]));
        let body = text.entry("body", 0).unwrap();
        set(body, "stretch_compliance", number(1e-8));
        set(body.get_mut("bend").unwrap().as_table_like_mut().unwrap(), "compliance", number(0.25));
        set_in_list(entry_of(body, "constraint", 0).unwrap(), "compliance", 1, number(5e-3));
        text.rename("file", &|name| Some(format!("../{name}")));
        text.set("camera", "none".into());
        assert!(text.entry("body", 1).is_none() && text.entry("force", 0).is_none());
        let expected = "\
# A sail.
name = \"sail\" # so it is called
camera = \"none\"

[solver]
substeps = 40   # enough
mode = \"pbd\"

[[body]]
kind = \"cloth\"
mesh = { file = \"../sail.obj\" }
bend = { kind = \"distance\", compliance = 0.25 } # soft
stretch_compliance = 1e-8
[[body.constraint]]
compliance = [1e-3, 0.005]

[world]
gravity = [0.0, -1.5, 0.0]
";
        assert_eq!(text.to_string(), expected);
        assert!(Text::new("no = = toml").is_none());
    }

    /// Every number is read back as the same.
    #[test]
    fn numbers_keep_their_bits() {
        for value in [0.0, 1.0, -9.81, 1e-8, 0.1 + 0.2, 5e300, f64::MIN_POSITIVE] {
            assert_eq!(number(value).as_float().map(f64::to_bits), Some(value.to_bits()), "{value}");
        }
    }
}
