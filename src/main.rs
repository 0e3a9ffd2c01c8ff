//! The `pliant` command.

use pliant::cli::Window;

#[cfg(feature = "viewer")]
const WINDOW: Option<Window> = Some(pliant::viewer::run);
#[cfg(not(feature = "viewer"))]
const WINDOW: Option<Window> = None;

fn main() -> std::process::ExitCode {
    pliant::cli::main(WINDOW)
}
