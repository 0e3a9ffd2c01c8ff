//! Structs that Rust and WGSL share. [`gpu_record!`](crate::gpu_record) declares the Rust side and keeps its field
//! names and offsets, so that one test compares every struct with naga's reflection of the shaders.

/// A field of a shared struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// In Rust and in WGSL.
    pub name: &'static str,
    /// Bytes from the beginning of the struct.
    pub offset: usize,
    /// Of its type in Rust, bytes.
    pub size: usize,
}

/// A `#[repr(C)]` plain-old-data struct with a WGSL struct of the same name. Implemented by
/// [`gpu_record!`](crate::gpu_record) only. Fields whose name begins with `_` are padding.
pub trait Record: bytemuck::Pod {
    /// Name of the struct in Rust and WGSL.
    const STRUCT: &'static str;
    /// Every field, padding included, by ascending offset.
    const FIELDS: &'static [Field];
}

/// Declares a struct that a shader reads: `#[repr(C)]`, `Pod`, and [`Record`].
#[macro_export]
macro_rules! gpu_record {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, $crate::bytemuck::Pod, $crate::bytemuck::Zeroable)]
        #[bytemuck(crate = "::pliant::bytemuck")]
        $visibility struct $name {
            $($(#[$field_meta])* $field_visibility $field: $type,)*
        }
        impl $crate::layout::Record for $name {
            const STRUCT: &'static str = stringify!($name);
            const FIELDS: &'static [$crate::layout::Field] = &[$($crate::layout::Field {
                name: stringify!($field),
                offset: ::std::mem::offset_of!($name, $field),
                size: ::std::mem::size_of::<$type>(),
            },)*];
        }
    };
}
