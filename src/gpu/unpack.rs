//! Reading a kind's record out of words: the lines of WGSL that do, made from the record's declaration.

use std::borrow::Cow;

use naga::{Scalar, ScalarKind, TypeInner};

use crate::constraint::Kind;
use crate::gpu::constraint_kernel::evaluation_pieces;

/// The values of a record's fields, one a line; `word` is how the text names its k-th word, and `origin` what is added
/// to the slots of particles. `None` if the record holds what is not a number or a vector of numbers.
pub fn fields(kind: &dyn Kind, word: impl Fn(u32) -> String, origin: &str) -> Option<String> {
    let text: String = evaluation_pieces(kind).iter().flat_map(|piece| [piece.text.as_ref(), "\n"]).collect();
    let module = naga::front::wgsl::parse_str(&text).ok()?;
    let (_, structure) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(kind.record_name()))?;
    let TypeInner::Struct { members, .. } = &structure.inner else { return None };
    let mut fields = Vec::new();
    for member in members {
        let number = |scalar: Scalar, k: u32| {
            let word = word(member.offset / 4 + k);
            match (scalar.kind, scalar.width) {
                (ScalarKind::Uint, 4) => Some(word),
                (ScalarKind::Sint, 4) => Some(format!("bitcast<i32>({word})")),
                (ScalarKind::Float, 4) => Some(format!("bitcast<f32>({word})")),
                _ => None,
            }
        };
        let value: Cow<str> = match module.types[member.ty].inner {
            TypeInner::Scalar(scalar) => number(scalar, 0)?.into(),
            TypeInner::Vector { size, scalar } => {
                let numbers: Option<Vec<String>> = (0..size as u32).map(|k| number(scalar, k)).collect();
                let letter = match scalar.kind {
                    ScalarKind::Uint => 'u',
                    ScalarKind::Sint => 'i',
                    _ => 'f',
                };
                format!("vec{}{letter}({})", size as u32, numbers?.join(", ")).into()
            }
            _ => return None,
        };
        let relative = if member.name.as_deref() == Some("particles") { origin } else { "" };
        fields.push(format!("        {value}{relative},\n"));
    }
    Some(fields.concat())
}
