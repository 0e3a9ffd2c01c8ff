//! The renderer's WGSL: each module is a list of files, joined.

use super::crowd::Shape;
use super::frame::{Frame, Style};
use super::lists::Spring;
use super::strands::Point;
use crate::base::layout::{Field, Record};
use crate::step::records::SkinVertex;

/// A module that a pipeline is made of.
#[derive(Clone, Copy, Debug)]
pub struct ShaderModule {
    /// What a pipeline made of it is labelled.
    pub name: &'static str,
    /// Names of the files that it is joined from, in order, as seen from `shaders/render/`.
    pub files: &'static [&'static str],
    /// The files' text, joined.
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

pub(super) const BACKGROUND: ShaderModule = module!("background": "frame", "sky", "tone", "screen", "background");
pub(super) const SURFACE: ShaderModule = module!(
    "surface": "frame", "noise", "sky", "shadow", "caustic", "light", "tone", "heat", "weave", "pattern", "surface"
);
pub(super) const COLLIDER: ShaderModule = module!(
    "collider": "frame", "sky", "shadow", "caustic", "light", "tone", "heat", "glass", "sphere", "ball", "collider"
);
pub(super) const POINT: ShaderModule = module!(
    "point": "frame", "noise", "sky", "shadow", "caustic", "light", "tone", "heat", "particles", "glass",
    "sphere", "ball", "point"
);
pub(super) const LINK: ShaderModule = module!(
    "link": "frame", "noise", "sky", "shadow", "caustic", "light", "tone", "heat", "particles", "strand", "link"
);
pub(super) const RIBBON: ShaderModule = module!(
    "ribbon": "frame", "noise", "sky", "shadow", "caustic", "light", "tone", "heat", "particles", "strand", "ribbon"
);
pub(super) const GROUND: ShaderModule =
    module!("ground": "frame", "sky", "shadow", "caustic", "light", "tone", "ground");
pub(super) const SOLID: ShaderModule = module!(
    "solid": "frame", "noise", "sky", "shadow", "caustic", "light", "tone", "weave", "pattern", "glass", "solid"
);
pub(super) const EDGE: ShaderModule = module!("edge": "frame", "tone", "particles", "line", "edge");
pub(super) const CONSTRAINT: ShaderModule =
    module!("constraint": "frame", "tone", "heat", "particles", "line", "spring", "constraint");
pub(super) const VELOCITY: ShaderModule = module!("velocity": "frame", "tone", "heat", "particles", "line", "velocity");
pub(super) const OCCLUSION: ShaderModule = module!("occlusion": "frame", "screen", "occlusion");
pub(super) const BLUR: ShaderModule = module!("blur": "frame", "screen", "blur");
pub(super) const DROP: ShaderModule = module!("drop": "frame", "sphere", "flat_ball", "drop");
pub(super) const COLUMN: ShaderModule = module!("column": "frame", "sphere", "flat_ball", "column");
pub(super) const SPRAY: ShaderModule =
    module!("spray": "frame", "noise", "sky", "shadow", "caustic", "light", "tone", "sphere", "spray");
pub(super) const CROWD: ShaderModule = module!("crowd": "frame", "crowd", "shape");
pub(super) const DISTANCE: ShaderModule = module!("distance": "frame", "screen", "distance");
pub(super) const NARROW: ShaderModule = module!("narrow": "frame", "screen", "narrow");
pub(super) const LIQUID: ShaderModule = module!(
    "liquid": "frame", "sky", "shadow", "caustic", "light", "tone", "untone", "screen", "water", "liquid"
);
pub(super) const STRETCH: ShaderModule = module!("stretch": "frame", "spring", "stretch");
pub(super) const SPEED: ShaderModule = module!("speed": "frame", "speed");
pub(super) const SKIN_HEAT: ShaderModule = module!("skin_heat": "frame", "../lib/skin", "skin");

impl ShaderModule {
    /// Whether it reads the solver's particles through a binding.
    pub(super) fn reads_particles(&self) -> bool {
        self.files.contains(&"particles.wgsl")
    }

    /// Whether its fragments read the shadow map and the openness to the sky.
    pub(super) fn is_lit(&self) -> bool {
        self.files.contains(&"shadow.wgsl")
    }

    pub(super) fn create(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(self.source.into()),
        })
    }
}

/// Every module of the renderer.
pub const MODULES: &[ShaderModule] = &[
    BACKGROUND, SURFACE, COLLIDER, POINT, LINK, RIBBON, GROUND, SOLID, EDGE, CONSTRAINT, VELOCITY, OCCLUSION, BLUR,
    DROP, COLUMN, SPRAY, CROWD, DISTANCE, NARROW, LIQUID, STRETCH, SPEED, SKIN_HEAT,
];

/// A struct that Rust and a module share.
#[derive(Clone, Copy, Debug)]
pub struct ShaderRecord {
    /// One of those that declare it.
    pub module: ShaderModule,
    /// Of the struct, in Rust and WGSL.
    pub name: &'static str,
    /// In Rust, in order.
    pub fields: &'static [Field],
    /// In Rust, bytes.
    pub size: usize,
}

const fn record<R: Record>(module: ShaderModule) -> ShaderRecord {
    ShaderRecord { module, name: R::STRUCT, fields: R::FIELDS, size: size_of::<R>() }
}

/// Every struct that Rust and the renderer's WGSL share, for the test that compares them.
pub const RECORDS: &[ShaderRecord] = &[
    record::<Frame>(SURFACE),
    record::<Style>(SURFACE),
    record::<Spring>(STRETCH),
    record::<SkinVertex>(SKIN_HEAT),
    record::<Point>(CROWD),
    record::<Shape>(CROWD),
];
