//! The command line: `pliant run`, `check`, `scenes`, `info`, `bench` and `view`.
//!
//! Exit codes: 0 good (an interrupted run too: its report says so), 2 a fault of the input, 3 a GPU is needed and there
//! is none, 4 the simulation failed. Results go to the standard output, everything else to the error output.

pub(crate) mod bench;
mod check;
mod checkpoints;
pub(crate) mod clusters;
mod engine;
mod failure;
mod files;
pub(crate) mod host;
mod info;
mod interrupt;
mod loading;
pub(crate) mod pictures;
mod report;
mod run;
pub(crate) mod scenes;
mod stepping;
mod view;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use engine::Device;
use failure::Failure;
pub use view::{Window, WindowError};

/// Position-based dynamics on the GPU
#[derive(Parser)]
#[command(name = "pliant", version, about, max_term_width = 120)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show a scene in a window; without a display, render it to files
    View(view::Options),
    /// Simulate a scene without a window: report, tables, pictures, files for other programs
    Run(run::Options),
    /// Validate a scene and its meshes, print its contents and predict the substeps it needs
    Check(check::Options),
    /// Measure the speed of an adapter or the CPU engine
    Bench(bench::Options),
    /// List the scenes of the gallery, or print the text of one
    Scenes(scenes::Options),
    /// List the adapters with their limits and features
    Info,
}

/// Runs the command that the process was started with. `window`: what opens the window of `pliant view`, in a build
/// that has one.
pub fn main(window: Option<Window>) -> ExitCode {
    interrupt::outlive_large_files();
    let command = Arguments::parse().command.unwrap_or_else(|| Command::View(view::Options::default()));
    let result = match command {
        Command::View(options) => view::view(options, window),
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::check(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Scenes(options) => scenes::scenes(&options),
        Command::Info => info::info(),
    };
    let code = match result {
        Ok(()) | Err(Failure::Closed) => 0,
        Err(failure) => {
            eprintln!("error: {failure}");
            failure.exit_code()
        }
    };
    if stepping::gave_up() {
        // The code says what matters, whether or not anybody reads the rest.
        let _ = std::io::stdout().flush();
        interrupt::end_process(code);
    }
    ExitCode::from(code)
}
