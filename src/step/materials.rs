//! Materials as the engines read them, and what those of a group need.

use crate::model::{Group, Integrator, Material as ModelMaterial, Mode, Model, Settings, Side};
use crate::step::records::{Material, RestLaw};

/// A material without a curve, in `shaders/rest/change.wgsl`.
const NO_CURVE: u32 = u32::MAX;

/// A material as the kernels read it: PBD mode is XPBD with no compliance and a share of the correction.
pub fn material_record(material: &ModelMaterial, settings: &Settings) -> Material {
    let (min, max) = material.side.multiplier_range();
    let (compliance, damping, stiffness) = match settings.mode {
        Mode::Xpbd => (material.compliance, material.damping, 1.0),
        Mode::Pbd => (0.0, 0.0, settings.applied_stiffness(material.stiffness)),
    };
    Material {
        compliance: compliance as f32,
        damping: damping as f32,
        scale: (settings.relaxation * stiffness) as f32,
        multiplier_min: min as f32,
        multiplier_max: max as f32,
        break_force: material.break_force.map_or(f32::MAX, |force| force as f32),
        ..Default::default()
    }
}

/// How the constraints of a material change their rest values, as the kernel reads it.
pub fn rest_law(material: &ModelMaterial, settings: &Settings) -> RestLaw {
    RestLaw {
        compliance: if settings.mode == Mode::Xpbd { material.compliance as f32 } else { 0.0 },
        limit: material.yield_point.unwrap_or(0.0) as f32,
        share: if settings.mode == Mode::Xpbd { material.flow(settings.substep_seconds()) as f32 } else { 0.0 },
        curve: material.curve.unwrap_or(NO_CURVE),
    }
}

/// What stays of a group once its constraints are on the device.
#[derive(Clone, Debug)]
pub struct Used {
    /// Which materials of the table it refers to, ascending.
    pub materials: Vec<u32>,
    /// Whether its rest values may change, now or later.
    pub rest_changes: bool,
    /// Whether any has, or ever had, a break force: what is broken is known from then on, and sums of λ are kept, so
    /// that who gets one again breaks by none of another time.
    breaks: bool,
}

impl Used {
    pub fn of(group: &Group, materials: &[ModelMaterial]) -> Self {
        Self {
            materials: group.used_materials(),
            rest_changes: group.rest_changes(materials),
            breaks: group.used_materials().iter().any(|&index| materials[index as usize].break_force.is_some()),
        }
    }

    /// A material of the table is another from now on.
    pub fn follow(&mut self, index: usize, material: &ModelMaterial) {
        self.breaks |= material.break_force.is_some() && self.materials.contains(&(index as u32));
    }
}

/// What tears ask of the constraints of a group.
#[derive(Clone, Copy, Debug)]
pub struct Tears {
    /// They break with the edges of a surface.
    breaking: bool,
    /// Their forces decide where a solid tears.
    summing: bool,
}

impl Tears {
    pub fn of(model: &Model, group: usize) -> Self {
        Self { breaking: model.tears(group), summing: model.fractures(group) }
    }
}

/// What the kernels of a group must be able to do, by the materials that it refers to and whether it holds a body that
/// can be torn.
pub fn needs(settings: &Settings, materials: &[ModelMaterial], used: &Used, tears: Tears) -> Needs {
    let any = |test: fn(&ModelMaterial) -> bool| used.materials.iter().any(|&index| test(&materials[index as usize]));
    let soft = settings.mode == Mode::Xpbd;
    // What bends across an edge breaks with it, whatever it bears; and what is broken stays so, also where nothing
    // breaks any more.
    let breaking = tears.breaking || used.breaks || any(|material| material.break_force.is_some());
    Needs {
        iterating: settings.visits() > 1,
        scaling: settings.relaxation != 1.0 || !soft && any(|material| material.stiffness != 1.0),
        one_sided: any(|material| material.side != Side::Both),
        damping: soft && any(|material| material.damping > 0.0 && material.compliance > 0.0),
        breaking,
        summing: settings.mean_forces || breaking || tears.summing,
        yielding: soft && used.rest_changes && any(|material| material.yield_point.is_some()),
        two_steps: settings.integrator == Integrator::Bdf2,
    }
}

/// What a group's materials need; kernels are compiled without the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// More than one visit to a constraint in a substep: λ is kept from one to the next.
    pub iterating: bool,
    /// Over-relaxation, or a stiffness of PBD mode.
    pub scaling: bool,
    pub one_sided: bool,
    pub damping: bool,
    pub breaking: bool,
    /// The mean of the multipliers over a frame.
    pub summing: bool,
    /// Flowing where elastic deformation is beyond a yield point.
    pub yielding: bool,
    /// Substeps of BDF2.
    pub two_steps: bool,
}
