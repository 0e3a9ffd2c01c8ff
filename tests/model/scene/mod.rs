//! Scenes: what the builder and the files say, what the model gets, and what is refused.

mod bad_input;
mod bodies;
mod degenerate;
mod driven;
mod fields;
mod files;
mod gallery;
mod grains;
mod grown;
mod kinds;
mod matching;
mod origin;
mod parts;
mod placed;
mod robot;
mod seams;
mod soft;
mod strain;

use pliant::scene::{Built, Scene, SceneError};

/// Reads and builds a scene that is written in the test.
fn try_build(text: &str) -> Result<Built, SceneError> {
    Scene::parse(text, "test.toml", "").and_then(|scene| scene.build())
}

fn build(text: &str) -> Built {
    try_build(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The message of a scene that must be refused.
fn refusal(text: &str) -> String {
    match try_build(text) {
        Ok(_) => panic!("this scene was accepted:\n{text}"),
        Err(error) => error.to_string(),
    }
}

fn close(a: [f64; 3], b: [f64; 3]) -> bool {
    // Coordinates of order 1 after a handful of operations in double precision.
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
}
