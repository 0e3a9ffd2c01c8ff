//! The renderer's WGSL: each module is a list of files, joined.

use super::frame::{Frame, Style};
use crate::layout::{Field, Record};

/// A module that a pipeline is made of.
#[derive(Clone, Copy, Debug)]
pub struct ShaderModule {
    pub name: &'static str,
    /// Names of the files in `shaders/render/` that it is joined from, in order.
    pub files: &'static [&'static str],
    pub source: &'static str,
}

macro_rules! module {
    ($name:literal: $($file:literal),*) => {
        ShaderModule {
            name: $name,
            files: &[$(concat!($file, ".wgsl")),*],
            source: concat!($(include_str!(concat!("../../shaders/render/", $file, ".wgsl")), "\n"),*),
        }
    };
}

pub(super) const BACKGROUND: ShaderModule = module!("background": "frame", "light", "background");
pub(super) const SURFACE: ShaderModule = module!("surface": "frame", "light", "surface");
pub(super) const COLLIDER: ShaderModule = module!("collider": "frame", "light", "ball", "collider");
pub(super) const POINT: ShaderModule = module!("point": "frame", "light", "positions", "ball", "point");
pub(super) const LINK: ShaderModule = module!("link": "frame", "light", "positions", "link");
pub(super) const GROUND: ShaderModule = module!("ground": "frame", "light", "ground");

impl ShaderModule {
    /// Whether it reads the solver's positions through a binding.
    pub(super) fn reads_positions(&self) -> bool {
        self.files.contains(&"positions.wgsl")
    }
}

/// Every module of the renderer.
pub const MODULES: &[ShaderModule] = &[BACKGROUND, SURFACE, COLLIDER, POINT, LINK, GROUND];

/// A struct that Rust and a module share.
#[derive(Clone, Copy, Debug)]
pub struct ShaderRecord {
    pub module: ShaderModule,
    pub name: &'static str,
    pub fields: &'static [Field],
    pub size: usize,
}

const fn record<R: Record>(module: ShaderModule) -> ShaderRecord {
    ShaderRecord { module, name: R::STRUCT, fields: R::FIELDS, size: size_of::<R>() }
}

/// Every struct that Rust and the renderer's WGSL share, for the test that compares them.
pub const RECORDS: &[ShaderRecord] = &[record::<Frame>(SURFACE), record::<Style>(SURFACE)];
