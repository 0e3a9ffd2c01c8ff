//! The physics of contact and of the air, each law written once for all engines.
//!
//! | module | law |
//! |---|---|
//! | [`impact`] | velocities after an impact: restitution, and what leaves a surface |
//! | [`contact`] | corrections of positions in contact, with static and dynamic friction |
//! | [`friction`] | the friction coefficients of a pair |
//! | [`segment`] | the nearest point of a segment, and how a contact moves its ends |
//! | [`surface`] | features of surfaces, the axes along which they are apart, and their contact |
//! | [`rigid`] | translation and rotation of a body as a whole |
//! | [`joint`] | joints of rigid bodies |
//! | [`articulation`] | how joints that share bodies are solved at once |
//! | [`rod`] | rods that bend and twist, and how a chain of them is solved at once |
//! | [`fluid`] | the density of fluids, their walls, viscosity and surface tension |
//! | `walls` | the planes that bound fluids |
//! | [`air`] | drag and lift |
//!
//! A law is a function without storage, generic over [`Real`](crate::constraint::Real), with one twin in WGSL in
//! `shaders/law/`. Tests hold each law against closed forms, and `tests/gpu/laws` each twin against its law. The
//! twin of `walls` is in `shaders/fluid/`. The air is here in double precision only, for the reference and for reports.

pub mod air;
pub mod articulation;
pub mod contact;
pub mod fluid;
pub mod friction;
pub mod impact;
pub mod joint;
pub mod rigid;
pub mod rod;
pub mod segment;
pub mod surface;
pub(crate) mod walls;
