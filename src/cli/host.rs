//! What the command does while a scene is built: shows how far it is, and keeps distances to meshes beside their files.

use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::export::atomic;
use crate::scene::Host;

/// Keeps files.
pub struct Files;

impl Host for Files {
    fn kept(&self, path: &Path) -> Option<Vec<u8>> {
        crate::base::input::read(path).ok()
    }
    fn keep(&self, path: &Path, content: &[u8]) {
        // Where nothing may be written the work is done again the next time.
        let _ = atomic::write(path, |file| file.write_all(content));
    }
}

/// Keeps files and shows a bar, which hides itself where the error output is no terminal.
pub struct Shown(ProgressBar);

/// Of the bar, which goes by thousandths.
const WHOLE: f64 = 1000.0;

impl Shown {
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(WHOLE as u64), ProgressDrawTarget::stderr());
        Self(match ProgressStyle::with_template("{wide_bar} {msg}, {eta} left") {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        })
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Host for Shown {
    fn progress(&self, what: &str, share: f64) {
        let position = (WHOLE * share) as u64;
        if self.0.message() != what {
            self.0.set_message(what.to_string());
            self.0.set_position(position);
            self.0.reset_eta();
        }
        // Threads tell of what they did, and the slower one later.
        self.0.set_position(position.max(self.0.position()));
    }
    fn kept(&self, path: &Path) -> Option<Vec<u8>> {
        Files.kept(path)
    }
    fn keep(&self, path: &Path, content: &[u8]) {
        Files.keep(path, content);
    }
}
