//! The text of a scene as it grows.

use std::fmt::Display;

/// Lines of TOML, one key a line.
#[derive(Clone, Default)]
pub struct Text(pub String);

impl Text {
    pub fn header(&mut self, header: &str) {
        self.0 += &format!("{header}\n");
    }

    pub fn key(&mut self, name: &str, value: impl Display) {
        self.0 += &format!("{name} = {value}\n");
    }

    pub fn number(&mut self, name: &str, value: f64) {
        self.key(name, number(value));
    }

    pub fn quoted(&mut self, name: &str, value: &str) {
        self.key(name, format_args!("\"{value}\""));
    }

    pub fn vector<const N: usize>(&mut self, name: &str, value: [f64; N]) {
        self.key(name, vector(value));
    }
}

/// A number with four digits.
pub fn number(value: f64) -> String {
    format!("{value:.3e}")
}

pub fn vector<const N: usize>(value: [f64; N]) -> String {
    format!("[{}]", value.map(number).join(", "))
}

pub fn list<T>(items: impl IntoIterator<Item = T>, each: impl FnMut(T) -> String) -> String {
    format!("[{}]", items.into_iter().map(each).collect::<Vec<_>>().join(", "))
}

/// Keyframes at the given times, s.
pub fn keyframes(values: impl IntoIterator<Item = (f64, String)>) -> String {
    list(values, |(time, value)| format!("{{ time = {}, value = {value} }}", number(time)))
}
