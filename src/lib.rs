//! Pliant simulates cloth, ropes, hair, soft solids and grains by position-based dynamics (XPBD and PBD). It runs on
//! GPUs through wgpu, and on the CPU with the same results up to rounding.
//!
//! Four types lead from a description to motion:
//!
//! | type | what it is |
//! |---|---|
//! | [`Scene`](scene::Scene) | what you describe, with the builder or as a TOML file: bodies, pins, forces, colliders |
//! | [`Model`] | the scene as checked numbers: particles and constraints in SI units and double precision |
//! | [`Plan`] | the model made ready for an engine: particles ordered, constraints coloured and packed |
//! | [`CpuSolver`], [`Solver`](solver::Solver), [`Reference`] | the engines: CPU, GPU, and double precision |
//!
//! ```
//! use pliant::scene::{Body, Cloth, Collider, Grid, Scene};
//! use pliant::{CpuSolver, Plan};
//!
//! // A cloth of 1 m by 1 m and 0.2 kg, held at two corners, above the ground.
//! let grid = Grid { columns: 8, rows: 8, width: 1.0, height: 1.0 };
//! let cloth = Cloth::new(grid).stretch(1e-8).shear(1e-6).bend(1e-4);
//! let body = Body::cloth(cloth).mass(0.2).position([0.0, 2.0, 0.0]).pin("top-left").pin("top-right");
//! let scene = Scene::new("Hanging cloth").with(body).collider(Collider::plane([0.0, 1.0, 0.0], 0.0));
//!
//! let model = scene.build()?.model;
//! let mut solver = CpuSolver::new(&model, &Plan::new(&model))?;
//! solver.step(); // one frame of 1/60 s
//! let state = solver.state();
//! assert_eq!(state.positions.len(), 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to read on
//!
//! - [`scene::Body`] lists what bodies there are and what they are made of; [`scene`] describes the keys of scene
//!   files.
//! - [`model::Settings`] has substeps, iterations, mode and method.
//! - [`constraint`] explains the theory: constraints, multipliers, compliance, damping. It also says how to write a
//!   constraint kind of your own: one WGSL function and its twin in Rust.
//! - [`Engine`] has what a host reads of a running engine and changes in it; [`solver::FixedStep`] turns frames of
//!   varying length into steps.
//! - [`Solver`](solver::Solver) shows how a host with its own wgpu device records steps and draws from the same
//!   buffers.
//! - [`measure`] computes energies, strains and forces of a state; [`export`] writes files; [`render`] draws.
//!
//! The library makes no device, does not block and does not read the clock. Only [`device`] and the command do.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `cli` (default) | the `pliant` command, and [`device`], with all of the below but `viewer` |
//! | `gpu` (default) | [`solver::Solver`], and wgpu |
//! | `cpu` (default) | [`CpuSolver`], which solves without a GPU; alone it builds no wgpu |
//! | `scene-files` | scenes from TOML, robots from URDF, and the gallery |
//! | `mesh-files` | meshes from OBJ, PLY, STL, glTF and GLB files; tetrahedra from TetGen, Gmsh and VTK files |
//! | `mesh-colliders` | colliders of meshes and convex hulls |
//! | `tetrahedralise` | solids made of closed surfaces |
//! | `render` | the renderer that draws from the solver's buffers |
//! | `viewer` (default) | the window of `pliant view` |

#![deny(missing_docs)]

extern crate self as pliant;

pub use bytemuck;
#[cfg(feature = "gpu")]
pub use wgpu;

mod base;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod constraint;
#[cfg(feature = "cpu")]
pub mod cpu;
#[cfg(feature = "cli")]
pub mod device;
#[cfg(feature = "cli")]
pub mod export;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
// Public for the test that holds every law against its twin in WGSL.
#[doc(hidden)]
pub mod law;
pub mod math;
pub mod measure;
pub mod mesh;
pub mod model;
pub mod pass;
pub mod plan;
pub mod reference;
#[cfg(feature = "render")]
pub mod render;
pub mod scene;
pub mod solver;
#[cfg(any(feature = "cpu", feature = "gpu"))]
pub mod step;
#[cfg(feature = "viewer")]
pub mod viewer;

pub use base::layout;
pub use model::Model;
pub use plan::Plan;
#[cfg(feature = "cpu")]
pub use solver::CpuSolver;
pub use solver::Reference;
#[cfg(any(feature = "cpu", feature = "gpu"))]
pub use step::Engine;

/// The README's code, compiled and run.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
