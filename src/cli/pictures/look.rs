//! What pictures show, by the names that `--look` takes.

use clap::ValueEnum;

use crate::cli::failure::Failure;
use crate::render::{Colour, Constraints, Look};

/// What pictures show, by name: [`Look`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LookName {
    /// Bodies in their own colours
    Plain,
    /// The edges of all triangles
    Wireframe,
    /// Particles as balls in place of surfaces and liquids
    Balls,
    /// Bodies coloured by stretch, full at 5 %
    Stretch,
    /// Bodies coloured by speed, full at 3 m/s
    Speed,
    /// Solids coloured by strain, full at 10 %
    Strain,
    /// Solids coloured by von Mises' stress; the scale is told
    Stress,
    /// Constraints as lines, each batch in its colour
    Constraints,
    /// Velocities as lines, 1/30 s long
    Velocities,
    /// No floor under scenes that have none
    Bare,
}

impl LookName {
    fn add_to(self, look: Look) -> Look {
        match self {
            Self::Plain => look,
            Self::Wireframe => Look { wireframe: true, ..look },
            Self::Balls => Look { balls: true, ..look },
            Self::Stretch => Look { colour: Colour::Stretch, ..look },
            Self::Speed => Look { colour: Colour::Speed, ..look },
            Self::Strain => Look { colour: Colour::Strain, ..look },
            Self::Stress => Look { colour: Colour::Stress, ..look },
            Self::Constraints => Look { constraints: Constraints::Batches, ..look },
            Self::Velocities => Look { velocities: true, ..look },
            Self::Bare => Look { stage: false, ..look },
        }
    }
}

/// What pictures show by all of some names; refuses two that colour bodies.
pub fn combined(names: &[LookName]) -> Result<Look, Failure> {
    let colours = |name: &&LookName| name.add_to(Look::default()).colour != Look::default().colour;
    let mut colouring: Vec<&LookName> = names.iter().filter(colours).collect();
    colouring.dedup();
    if let [first, second, ..] = colouring[..] {
        let name = |look: &LookName| look.to_possible_value().map_or_else(String::new, |value| value.get_name().into());
        let message = format!("--look: {} and {} both colour bodies; give one of them", name(first), name(second));
        return Err(Failure::Input(message));
    }
    Ok(names.iter().fold(Look::default(), |look, name| name.add_to(look)))
}
