//! Position-based dynamics on the GPU: XPBD and PBD in Rust and wgpu.
//!
//! Data flows one way: a [`scene::Scene`] is what the user describes, a [`Model`] the same as checked numbers in SI
//! units, a [`Plan`] the model made ready for a device, and a [`solver::Solver`] its buffers and pipelines, which
//! record steps into the host's command encoder. The solver neither makes a device nor blocks nor asks for the time of
//! day.
//!
//! ```
//! use pliant::scene::{Body, Cloth, Grid, Scene};
//! use pliant::{Plan, solver::Solver, wgpu};
//!
//! let grid = Grid { columns: 64, rows: 64, width: 1.0, height: 1.0 };
//! let cloth = Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-6)).pin("top-left").pin("top-right");
//! let model = Scene::new("Hanging cloth").with(cloth).build()?.model;
//! let plan = Plan::new(&model);
//!
//! let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
//! let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
//! let limits = Solver::useful_limits(&plan, &adapter.limits());
//! let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
//! let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
//!
//! let mut solver = Solver::new(&device, &model, &plan)?;
//! let mut encoder = device.create_command_encoder(&Default::default());
//! solver.step(&mut encoder); // one frame; several may share a submit
//! queue.submit([encoder.finish()]);
//! # device.poll(wgpu::PollType::wait_indefinitely())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A constraint kind is one WGSL function and its twin in Rust: see [`constraint`]. [`solver::FixedStep`] serves hosts
//! whose frames vary in length, and [`Engine`] has what hosts read of a running solver and change in it.
//!
//! | feature | what it adds |
//! |---|---|
//! | `cli` (default) | the `pliant` command, and [`device`], with all of the below but `viewer` |
//! | `gpu` (default) | [`solver::Solver`], and wgpu |
//! | `cpu` (default) | [`CpuSolver`], which solves without a GPU; alone it builds no wgpu |
//! | `scene-files` | scenes from TOML, and the gallery |
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
