//! Which robot the bodies and joints of an expanded scene come from, for errors.

use super::xml::Source;
use crate::scene::error::{Path, SceneError, Step};

/// Keys of a robot that its bodies have as they are.
const SHARED: [&str; 8] =
    ["radius", "contact", "friction", "dynamic_friction", "restitution", "collision_group", "collides_with", "colour"];

/// Where all that was added to a scene comes from.
pub(super) struct Origins {
    pub sources: Vec<Source>,
    /// How many bodies and joints the scene itself has.
    pub own: [usize; 2],
    pub bodies: Vec<Origin>,
    pub joints: Vec<Origin>,
}

/// Where a body or a joint comes from.
pub(super) struct Origin {
    /// Index of the robot.
    pub robot: usize,
    /// Where the link or the joint stands in its file.
    pub byte: usize,
    pub name: String,
    /// Of a joint, the one whose motor the scene gives.
    pub driven_by: Option<String>,
}

impl Origins {
    /// Brings an error in a body or a joint that was added back to what the user wrote.
    pub fn explain(&self, error: SceneError) -> SceneError {
        let [Step::Key(list), Step::Index(index), rest @ ..] = &error.place[..] else { return error };
        let (what, added) = match list.as_str() {
            "body" => ("link", index.checked_sub(self.own[0]).and_then(|index| self.bodies.get(index))),
            "joint" => ("joint", index.checked_sub(self.own[1]).and_then(|index| self.joints.get(index))),
            _ => return error,
        };
        let Some(origin) = added else { return error };
        let of_robot = Path::ROOT.key("robot");
        let of_robot = SceneError::new(&of_robot.index(origin.robot), error.message.clone());
        if let Some(place) = origin.key_of_robot(rest) {
            let place = [of_robot.place, place].concat();
            return SceneError { place, ..error };
        }
        let place = SceneError { place: rest.to_vec(), ..error.clone() }.path();
        let colon = if place.is_empty() { "" } else { ": " };
        let message = format!("{what} '{}': {place}{colon}{}", origin.name, error.message);
        self.sources[origin.robot].error(origin.byte, message)
    }
}

impl Origin {
    /// The place in the robot's table that says what is at a place in a body or a joint.
    fn key_of_robot(&self, rest: &[Step]) -> Option<Vec<Step>> {
        match (rest, &self.driven_by) {
            ([Step::Key(key), ..], _) if SHARED.contains(&key.as_str()) => Some(rest.to_vec()),
            ([Step::Key(key), inside @ ..], Some(name)) if key == "motor" => {
                Some([&[Step::Key(key.clone()), Step::Key(name.clone())], inside].concat())
            }
            _ => None,
        }
    }
}
