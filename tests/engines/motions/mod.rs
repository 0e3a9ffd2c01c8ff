//! Long motions: a software device takes minutes for them. The CPU engine has them, and a card (`tests/card`).

mod air;
mod balloon;
mod bdf2;
mod bend;
mod damping;
mod fields;
mod joints;
mod levels;
mod many_colliders;
mod matching;
mod nested_bodies;
mod reshaping;
