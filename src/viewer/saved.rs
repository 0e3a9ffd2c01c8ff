//! The state of a simulation at some moment, to go back to: here, or on its way from the device.

use std::borrow::Cow;

use crate::solver::gpu::SnapshotDownload;
use crate::step::Snapshot;

/// What takes more bytes stays in the buffers of its download until it is gone back to: reading it takes time. What
/// takes less is read as it comes, as devices are not made for thousands of small buffers.
const SMALL: u64 = 4 << 20;

/// A state to go back to.
pub enum Saved {
    /// On its way from the device, or arrived and not read.
    Arriving(SnapshotDownload),
    Here(Box<Snapshot>),
}

impl Saved {
    /// The state; `None` while it is on its way.
    pub fn snapshot(&self) -> Option<Cow<'_, Snapshot>> {
        match self {
            Self::Arriving(download) => download.snapshot().map(Cow::Owned),
            Self::Here(snapshot) => Some(Cow::Borrowed(snapshot)),
        }
    }

    /// Reads what has arrived, if it is small.
    pub fn settle(&mut self) {
        if let Self::Arriving(download) = self
            && download.bytes() <= SMALL
            && let Some(snapshot) = download.snapshot()
        {
            *self = Self::Here(Box::new(snapshot));
        }
    }

    /// Bytes of memory that it takes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Arriving(download) => download.bytes(),
            Self::Here(snapshot) => bytes(snapshot),
        }
    }
}

fn bytes(snapshot: &Snapshot) -> u64 {
    let vectors: usize = snapshot.particles.iter().chain(&snapshot.past).map(|list| size_of_val(&**list)).sum();
    let pairs: usize = snapshot.multipliers.iter().chain(&snapshot.rests).map(|list| size_of_val(&**list)).sum();
    let indices = [&snapshot.corners, &snapshot.loose, &snapshot.broken_facets];
    let indices: usize = indices.into_iter().map(|list| size_of_val(&**list)).sum();
    (size_of::<Snapshot>() + vectors + pairs + indices) as u64
}
