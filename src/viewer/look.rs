#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour { #[default] Body, Stretch, Speed }
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constraints { #[default] Hidden, Batches, Stretch }
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look { pub colour: Colour, pub wireframe: bool, pub balls: bool, pub constraints: Constraints, pub velocities: bool }
pub fn heat(t: f32) -> [f32; 3] { [t, 0.2, 1.0 - t] }
