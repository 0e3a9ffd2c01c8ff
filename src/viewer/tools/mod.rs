//! What the left mouse button does in a picture: it drags, pins, cuts, throws, blows or inflates.

mod ball;
mod balloon;
mod cut;
mod fit;
mod hand;
mod pins;
mod variant;

use std::collections::BTreeMap;

use egui::Key;

pub use ball::Ball;
pub use balloon::{Balloon, prepare};
pub use cut::Stroke;
pub use fit::{carried, fitted};
pub use hand::Outcome;
pub use pins::Pin;
pub use variant::{can_be_cut, parked};

use super::loading::Loaded;
use cut::Cut;
use variant::Preparation;

/// What the left mouse button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Drags a particle by a spring.
    #[default]
    Drag,
    /// Holds a particle where it is, or lets it go.
    Pin,
    /// Cuts along a stroke.
    Cut,
    /// Throws a ball from the eye.
    Throw,
    /// Blows along the view.
    Blow,
    /// Inflates a balloon, or lets air out of it.
    Inflate,
}

impl Tool {
    /// All there are, in the order of their keys.
    pub const ALL: [Self; 6] = [Self::Drag, Self::Pin, Self::Cut, Self::Throw, Self::Blow, Self::Inflate];

    /// Its name on its button.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drag => "Drag",
            Self::Pin => "Pin",
            Self::Cut => "Cut",
            Self::Throw => "Throw",
            Self::Blow => "Blow",
            Self::Inflate => "Inflate",
        }
    }

    /// How it is used.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Drag => "Drag a particle: a spring pulls it to the pointer. A click shows its numbers.",
            Self::Pin => "Click a particle to hold it where it is. Another click lets it go.",
            Self::Cut => "Draw a line across a cloth, a rope or a solid: it is cut there, all the way through.",
            Self::Throw => "Click where a ball is to fly. The next throw takes the same ball.",
            Self::Blow => "Hold the button: a wind blows away from you, to where the pointer is.",
            Self::Inflate => "Hold the button on a balloon to inflate it, with Shift to let air out.",
        }
    }

    /// The key that takes it up.
    pub fn key(self) -> Key {
        match self {
            Self::Drag => Key::Num1,
            Self::Pin => Key::Num2,
            Self::Cut => Key::Num3,
            Self::Throw => Key::Num4,
            Self::Blow => Key::Num5,
            Self::Inflate => Key::Num6,
        }
    }

    /// Why it does nothing in a scene, if that is so.
    pub fn refusal(self, loaded: &Loaded) -> Option<&'static str> {
        match self {
            Self::Cut if !loaded.can_be_cut => {
                Some("Nothing here can be cut: cloths held by edges, ropes and neo-Hookean solids can")
            }
            Self::Inflate if loaded.balloons.is_empty() => Some("This scene has no balloon"),
            _ => None,
        }
    }
}

/// What tools have changed beside what the states of the simulations hold. It is kept with each moment.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// By particle.
    pub pins: BTreeMap<usize, Pin>,
    /// The ball that was thrown.
    pub ball: Option<Ball>,
    /// How far balloons are inflated, in steps of their volume, by index in [`Loaded::balloons`].
    pub inflation: BTreeMap<usize, i32>,
}

/// A tool at work, and what it has changed.
#[derive(Default)]
pub struct Tools {
    /// The one in hand.
    in_hand: Tool,
    pub changes: Changes,
    /// What is being cut along.
    pub stroke: Option<Stroke>,
    /// The pane in which the wind is blown, and its velocity, m/s.
    wind: Option<(usize, [f64; 3])>,
    /// The pane and the balloon that is being inflated, and steps of it that are due.
    puff: Option<(usize, usize, f64)>,
    /// What waits for states from the device, or for a model.
    pending: Option<Pending>,
    /// The model that can be cut, on its way.
    preparation: Option<Preparation>,
}

/// What is done as soon as the states of the simulations, and the model that it takes, are here.
enum Pending {
    Throw(Ball),
    Cut(Cut),
    /// The first wind in a scene without air.
    Air,
}

impl Tools {
    /// The wind that is blown, m/s.
    pub fn wind(&self) -> Option<[f64; 3]> {
        self.wind.map(|(_, velocity)| velocity)
    }

    /// Whether something waits, and time with it.
    pub fn is_waiting(&self) -> bool {
        self.pending.is_some()
    }

    /// Ends what the tool in hand is about.
    pub fn stop(&mut self) {
        (self.stroke, self.wind, self.puff, self.pending) = (None, None, None, None);
    }
}
