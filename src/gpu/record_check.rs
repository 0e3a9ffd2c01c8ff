//! Whether the struct of a kind's WGSL is that of its record in Rust: where the two differ a kernel reads other numbers
//! than were written, without a word.

use naga::TypeInner;
use naga::proc::Layouter;

use crate::base::layout::Field;
use crate::constraint::Kind;
use crate::gpu::constraint_kernel::{constraint_piece, evaluation_pieces};
use crate::gpu::kernel::KernelError;

/// A field of a struct, as text: name, offset and size.
fn told(fields: &[(String, u32, u32)], size: u32) -> String {
    let field = |(name, offset, size): &(String, u32, u32)| format!("{name} at {offset}, {size} bytes");
    let fields: Vec<String> = fields.iter().map(field).collect();
    format!("({}), {size} bytes in all", fields.join("; "))
}

/// Text that does not parse is left to the kernels, whose errors name its line.
pub fn check(kind: &dyn Kind) -> Result<(), KernelError> {
    let text: String = evaluation_pieces(kind).iter().flat_map(|piece| [piece.text.as_ref(), "\n"]).collect();
    let Ok(module) = naga::front::wgsl::parse_str(&text) else { return Ok(()) };
    let mut layouter = Layouter::default();
    if layouter.update(module.to_ctx()).is_err() {
        return Ok(());
    }
    let named = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(kind.record_name()));
    let theirs = named.and_then(|(handle, ty)| {
        let TypeInner::Struct { members, .. } = &ty.inner else { return None };
        let field = |member: &naga::StructMember| {
            (member.name.clone().unwrap_or_default(), member.offset, layouter[member.ty].size)
        };
        let fields: Vec<_> = members.iter().map(field).filter(|(name, ..)| !name.starts_with('_')).collect();
        Some((fields, layouter[handle].to_stride()))
    });
    let own = kind.record_fields().iter().filter(|field| !field.name.starts_with('_'));
    let ours: Vec<_> =
        own.map(|&Field { name, offset, size }| (name.to_string(), offset as u32, size as u32)).collect();
    let size = kind.record_size() as u32;
    let found = match &theirs {
        Some((fields, stride)) if *fields == ours && *stride == size => return Ok(()),
        Some((fields, stride)) => format!("has {}", told(fields, *stride)),
        None => "is not there".into(),
    };
    Err(KernelError::Record {
        place: constraint_piece(kind).path.into_owned(),
        name: kind.record_name(),
        found,
        expected: told(&ours, size),
    })
}
