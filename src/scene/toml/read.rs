//! Reading typed values out of a TOML document. Errors name the place; line and column are found from it.

use std::cell::RefCell;

use toml::de::{DeTable, DeValue};

use super::super::Values;
use super::super::error::{Path, SceneError};
use super::super::suggest::{nearest, suggestion};

pub(in crate::scene) type Result<T> = std::result::Result<T, SceneError>;

/// A value and where it stands.
#[derive(Clone, Copy)]
pub(in crate::scene) struct Value<'a> {
    value: &'a DeValue<'a>,
    at: Path<'a>,
}

impl Value<'_> {
    pub fn wrong(self, expected: &str) -> SceneError {
        let found = match self.value {
            DeValue::String(text) => format!("the text \"{text}\""),
            DeValue::Integer(_) | DeValue::Float(_) => format!("the number {}", number_text(self.value)),
            DeValue::Boolean(truth) => format!("{truth}"),
            DeValue::Datetime(_) => "a date".to_string(),
            DeValue::Array(list) => format!("a list of {}", list.len()),
            DeValue::Table(_) => "a table".to_string(),
        };
        self.error(format!("must be {expected}, found {found}"))
    }

    pub fn error(self, message: impl Into<String>) -> SceneError {
        SceneError::new(&self.at, message)
    }

    pub fn is_list(self) -> bool {
        self.value.is_array()
    }
    pub fn is_table(self) -> bool {
        self.value.is_table()
    }
    pub fn is_number(self) -> bool {
        self.value.is_integer() || self.value.is_float()
    }
    pub fn is_text(self) -> bool {
        self.value.is_str()
    }
}

fn number_text(value: &DeValue) -> String {
    match value {
        DeValue::Integer(integer) => integer.to_string(),
        DeValue::Float(float) => float.to_string(),
        _ => String::new(),
    }
}

pub(in crate::scene) fn number(value: Value) -> Result<f64> {
    let parsed = match value.value {
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|i| i as f64),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    };
    parsed.ok_or_else(|| value.wrong("a number"))
}

/// A count or an index.
pub(in crate::scene) fn whole(value: Value) -> Result<u32> {
    let parsed = match value.value {
        DeValue::Integer(integer) => u32::from_str_radix(integer.as_str(), integer.radix()).ok(),
        _ => None,
    };
    parsed.ok_or_else(|| value.wrong("a whole number from 0 to 4294967295"))
}

pub(in crate::scene) fn truth(value: Value) -> Result<bool> {
    value.value.as_bool().ok_or_else(|| value.wrong("true or false"))
}

pub(in crate::scene) fn text(value: Value) -> Result<String> {
    value.value.as_str().map(str::to_string).ok_or_else(|| value.wrong("a text in quotes"))
}

/// A list, read entry by entry.
pub(in crate::scene) fn list<T>(value: Value, read: impl Fn(Value) -> Result<T>) -> Result<Vec<T>> {
    let entries = value.value.as_array().ok_or_else(|| value.wrong("a list in square brackets"))?;
    let entries = entries.iter().enumerate();
    entries.map(|(index, entry)| read(Value { value: entry.get_ref(), at: value.at.index(index) })).collect()
}

/// A table with any keys, entry by entry.
pub(in crate::scene) fn entries<T>(value: Value, read: impl Fn(Value) -> Result<T>) -> Result<Vec<(String, T)>> {
    let table = table(value)?;
    let entries = table.others().map(|(key, entry)| Ok((key.to_string(), read(entry)?)));
    entries.collect()
}

/// A list of so many numbers.
pub(in crate::scene) fn vector<const N: usize>(value: Value) -> Result<[f64; N]> {
    let expected = || value.wrong(&format!("a list of {N} numbers"));
    if !value.is_list() {
        return Err(expected());
    }
    list(value, number)?.try_into().map_err(|_| expected())
}

/// A list of two entries of different kinds. The places of both are that of the list.
pub(in crate::scene) fn pair(value: Value) -> Option<[Value; 2]> {
    match value.value.as_array().map(|list| &list[..]) {
        Some([a, b]) => Some([a, b].map(|entry| Value { value: entry.get_ref(), at: value.at })),
        _ => None,
    }
}

/// One number for all or a list of one for each.
pub(in crate::scene) fn values(value: Value) -> Result<Values> {
    if value.is_list() { list(value, number).map(Values::Each) } else { number(value).map(Values::All) }
}

/// One of some names.
pub(in crate::scene) fn choice<T: Copy>(value: Value, choices: &[(&str, T)]) -> Result<T> {
    let found = text(value)?;
    let choice = choices.iter().find(|(name, _)| *name == found);
    choice.map(|(_, choice)| *choice).ok_or_else(|| {
        let names = choices.iter().map(|(name, _)| *name);
        value.error(format!("'{found}' is not allowed here; {}", suggestion(&found, names)))
    })
}

/// A table whose keys are read one by one; [`Table::finish`] refuses those that nobody asked for.
pub(in crate::scene) struct Table<'a> {
    entries: &'a DeTable<'a>,
    at: Path<'a>,
    known: RefCell<Vec<&'a str>>,
}

pub(in crate::scene) fn table<'a>(value: Value<'a>) -> Result<Table<'a>> {
    let entries = value.value.as_table().ok_or_else(|| value.wrong("a table"))?;
    Ok(Table { entries, at: value.at, known: RefCell::default() })
}

impl<'a> Table<'a> {
    pub fn root(entries: &'a DeTable<'a>) -> Self {
        Self { entries, at: Path::ROOT, known: RefCell::default() }
    }

    pub fn get(&self, key: &'static str) -> Option<Value<'_>> {
        self.accept(key);
        self.entries.get(key).map(|value| Value { value: value.get_ref(), at: self.at.key(key) })
    }

    pub fn optional<'s, T>(
        &'s self,
        key: &'static str,
        read: impl FnOnce(Value<'s>) -> Result<T>,
    ) -> Result<Option<T>> {
        self.get(key).map(read).transpose()
    }

    /// Sets what the key gives, and leaves the default otherwise.
    pub fn set<'s, T>(
        &'s self,
        key: &'static str,
        target: &mut T,
        read: impl FnOnce(Value<'s>) -> Result<T>,
    ) -> Result<()> {
        if let Some(value) = self.optional(key, read)? {
            *target = value;
        }
        Ok(())
    }

    pub fn required<'s, T>(
        &'s self,
        key: &'static str,
        example: &str,
        read: impl FnOnce(Value<'s>) -> Result<T>,
    ) -> Result<T> {
        self.optional(key, read)?.ok_or_else(|| {
            match self.others().find(|(found, _)| nearest(found, &[key]).is_some()) {
                Some((found, _)) => self.unknown(found),
                None => SceneError::new(&self.at, format!("has no `{key}`; add for instance {key} = {example}")),
            }
        })
    }

    /// The tables of `[[key]]`; none if there is no such key.
    pub fn tables<T>(&self, key: &'static str, read: impl Fn(&Table) -> Result<T>) -> Result<Vec<T>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        if value.is_table() {
            return Err(value.error(format!("must be a list of tables; write [[{key}]]")));
        }
        list(value, |entry| {
            let table = table(entry)?;
            let read = read(&table)?;
            table.finish()?;
            Ok(read)
        })
    }

    /// The one key of a table such as `{ sphere = ... }`, out of some.
    pub fn variant(&self, keys: &[&'static str]) -> Result<(&'static str, Value<'_>)> {
        let found: Vec<_> = keys.iter().filter_map(|&key| self.get(key).map(|value| (key, value))).collect();
        match found[..] {
            [one] => Ok(one),
            [] => {
                self.finish()?;
                Err(self.error(format!("needs one of: {}", keys.join(", "))))
            }
            [(first, _), (second, _), ..] => {
                Err(self.error(format!("has both `{first}` and `{second}`; give one of the two")))
            }
        }
    }

    /// The entries that nobody asked for so far.
    pub fn others(&self) -> impl Iterator<Item = (&'a str, Value<'_>)> {
        let known = self.known.borrow().clone();
        let others = self.entries.iter().filter(move |(key, _)| !known.contains(&key.get_ref().as_ref()));
        others.map(|(key, value)| {
            let key = key.get_ref().as_ref();
            (key, Value { value: value.get_ref(), at: self.at.key(key) })
        })
    }

    /// Takes a key for known.
    pub fn accept(&self, key: &'a str) {
        self.known.borrow_mut().push(key);
    }

    pub fn error(&self, message: impl Into<String>) -> SceneError {
        SceneError::new(&self.at, message)
    }

    pub fn unknown(&self, key: &str) -> SceneError {
        let mut known = self.known.borrow().clone();
        known.dedup();
        SceneError::key(&self.at.key(key), format!("unknown key; {}", suggestion(key, known)))
    }

    /// Refuses keys that nobody asked for.
    pub fn finish(&self) -> Result<()> {
        match self.others().next() {
            Some((key, _)) => Err(self.unknown(key)),
            None => Ok(()),
        }
    }
}
