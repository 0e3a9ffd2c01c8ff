//! Elements of a URDF file and their attributes. What is wrong there is told with its line.

use roxmltree::{Document, Node, ParsingOptions};

use crate::scene::error::SceneError;
use crate::scene::toml::line_and_column;

pub(super) type Result<T> = std::result::Result<T, SceneError>;

/// More elements and attributes than any robot has: what a file of gigabytes would fill memory with.
const MOST_NODES: u32 = 4_000_000;

/// A file's name, as errors call it, and its text.
pub(super) struct Source {
    pub file: String,
    pub text: String,
}

impl Source {
    /// A fault at a byte of the text.
    pub fn error(&self, byte: usize, message: impl Into<String>) -> SceneError {
        SceneError { position: Some(line_and_column(&self.text, byte)), ..SceneError::file(&self.file, message) }
    }

    /// The file's tree of elements.
    pub fn document(&self) -> Result<Document<'_>> {
        let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        Document::parse_with_options(&self.text, options).map_err(|error| self.syntax_error(&error))
    }

    fn syntax_error(&self, error: &roxmltree::Error) -> SceneError {
        let message = match error {
            roxmltree::Error::UnknownNamespace(prefix, _) if prefix == "xacro" => XACRO.to_string(),
            roxmltree::Error::DtdDetected => {
                "has a document type, and URDF has none; remove <!DOCTYPE ...>".to_string()
            }
            roxmltree::Error::NodesLimitReached => {
                format!("has more than {MOST_NODES} elements, and no robot has; give the path of a .urdf file")
            }
            _ => format!("this is not valid XML: {error}; correct it, or give the path of a .urdf file"),
        };
        let position = error.pos();
        let position = (position.row as usize, position.col as usize);
        SceneError { position: Some(position), ..SceneError::file(&self.file, message) }
    }
}

/// What to do with a file of macros.
pub(super) const XACRO: &str =
    "this is a xacro file, which is made into a robot by macros; expand it first: xacro IN.urdf.xacro > OUT.urdf";

/// An element, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub source: &'a Source,
    node: Node<'a, 'a>,
}

impl<'a> Element<'a> {
    pub fn root(source: &'a Source, document: &'a Document<'a>) -> Self {
        Self { source, node: document.root_element() }
    }

    /// Its name, without a prefix.
    pub fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Where it begins in the text.
    pub fn byte(self) -> usize {
        self.node.range().start
    }

    /// All elements inside of it, and itself.
    pub fn all(self) -> impl Iterator<Item = Self> {
        let elements = self.node.descendants().filter(Node::is_element);
        elements.map(move |node| Self { node, ..self })
    }

    /// Whether it is a macro of xacro.
    pub fn is_macro(self) -> bool {
        self.node.tag_name().namespace().is_some_and(|namespace| namespace.contains("xacro"))
    }

    pub fn children(self) -> impl Iterator<Item = Self> {
        self.node.children().filter(Node::is_element).map(move |node| Self { node, ..self })
    }

    /// Those of its children with a name.
    pub fn named(self, name: &'static str) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.name() == name)
    }

    /// The first of its children with a name.
    pub fn child(self, name: &'static str) -> Option<Self> {
        self.named(name).next()
    }

    /// A child that must be there.
    pub fn required_child(self, name: &'static str, example: &str) -> Result<Self> {
        self.child(name)
            .ok_or_else(|| self.error(format!("<{}> has no <{name}>; add for instance {example}", self.name())))
    }

    pub fn error(self, message: impl Into<String>) -> SceneError {
        self.source.error(self.byte(), message)
    }

    pub fn text(self, attribute: &str) -> Option<&'a str> {
        self.node.attribute(attribute)
    }

    /// An attribute that must be there and not be empty.
    pub fn required_text(self, attribute: &str, example: &str) -> Result<&'a str> {
        match self.text(attribute) {
            Some(text) if !text.trim().is_empty() => Ok(text),
            Some(_) => Err(self.at(attribute, format!("is empty; write for instance {attribute}=\"{example}\""))),
            None => {
                let message =
                    format!("<{}> has no {attribute}; add for instance {attribute}=\"{example}\"", self.name());
                Err(self.error(message))
            }
        }
    }

    /// A fault of an attribute.
    pub fn at(self, attribute: &str, message: impl std::fmt::Display) -> SceneError {
        let byte = self.node.attribute_node(attribute).map_or(self.byte(), |attribute| attribute.range().start);
        self.source.error(byte, format!("{attribute} of <{}> {message}", self.name()))
    }

    pub fn number(self, attribute: &str) -> Result<Option<f64>> {
        Ok(self.vector::<1>(attribute)?.map(|[number]| number))
    }

    pub fn required_number(self, attribute: &str, example: &str) -> Result<f64> {
        let text = self.required_text(attribute, example)?;
        self.numbers::<1>(attribute, text).map(|[number]| number)
    }

    /// A size, above 0.
    pub fn required_size(self, attribute: &str, example: &str) -> Result<f64> {
        let size = self.required_number(attribute, example)?;
        if size > 0.0 {
            return Ok(size);
        }
        Err(self
            .at(attribute, format!("is {size}, and it must be above 0; write for instance {attribute}=\"{example}\"")))
    }

    /// Numbers with spaces between them.
    pub fn vector<const N: usize>(self, attribute: &str) -> Result<Option<[f64; N]>> {
        self.text(attribute).map(|text| self.numbers(attribute, text)).transpose()
    }

    fn numbers<const N: usize>(self, attribute: &str, text: &str) -> Result<[f64; N]> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let numbers: Option<Vec<f64>> = words.iter().map(|word| word.parse().ok()).collect();
        let wanted = if N == 1 { "a number".to_string() } else { format!("{N} numbers with spaces between them") };
        let wrong = || {
            let hint = if text.contains("${") || text.contains("$(") { XACRO } else { "correct it" };
            self.at(attribute, format!("must be {wanted}, found \"{text}\"; {hint}"))
        };
        let numbers: [f64; N] = numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(wrong)?;
        match numbers.iter().find(|number| !(-LARGEST..=LARGEST).contains(*number)) {
            Some(number) => {
                let message = format!("must be finite and at most {LARGEST:e}, found {number}; correct it");
                Err(self.at(attribute, message))
            }
            None => Ok(numbers),
        }
    }
}

/// Of all numbers in a file: their squares and products stay far from infinity.
const LARGEST: f64 = 1e9;
