//! What a host may do while a scene is built.

use std::path::Path;

/// Hears how far long work is, and keeps its results from one run to the next. The library itself neither shows nor
/// writes anything: without a host all is done anew, in silence.
pub trait Host: Sync {
    /// This share of some work is done, 0 to 1. Called from several threads, not always in order.
    fn progress(&self, _what: &str, _share: f64) {}
    /// What was kept under this path.
    fn kept(&self, _path: &Path) -> Option<Vec<u8>> {
        None
    }
    /// Something that takes long to make, and where to keep it: beside the file that it was made from. What comes back
    /// damaged or cut short is noticed and made anew.
    fn keep(&self, _path: &Path, _content: &[u8]) {}
}

/// Does neither.
pub(super) struct NoHost;

impl Host for NoHost {}
