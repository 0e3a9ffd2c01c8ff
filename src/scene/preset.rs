//! Materials by name.

/// A material of the real world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Key in a scene: `rubber`.
    pub name: &'static str,
    /// Inverse of Young's modulus, m²/N.
    pub compliance: f64,
    /// kg/m³
    pub density: f64,
}

impl Preset {
    /// Young's modulus, Pa.
    pub fn young_modulus(&self) -> f64 {
        1.0 / self.compliance
    }

    /// The material of a name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}

const fn preset(name: &'static str, compliance: f64, density: f64) -> Preset {
    Preset { name, compliance, density }
}

/// From stiff to soft: usual values of what varies by half and more. (A table that many projects copy has those from
/// leather on wrong by ten.)
pub static PRESETS: [Preset; 7] = [
    preset("concrete", 0.04e-9, 2400.0),
    preset("wood", 0.16e-9, 600.0),
    preset("leather", 1e-8, 860.0),
    preset("tendon", 0.2e-7, 1120.0),
    preset("rubber", 1e-6, 1100.0),
    preset("muscle", 0.2e-3, 1060.0),
    preset("fat", 1e-3, 920.0),
];
