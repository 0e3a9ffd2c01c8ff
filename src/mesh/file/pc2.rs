//! PC2, Blender's point cache: where the points of a mesh are in each of its samples.
//!
//! A header of 32 bytes, `POINTCACHE2\0`, i32 version, i32 points, f32 first frame, f32 frames per sample, i32 samples;
//! then `samples * points` times x, y, z as f32; all little endian.

use std::path::Path;

use super::error::{Fault, MeshError, Place};
use super::read_bytes;

pub(crate) const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
pub(crate) const VERSION: i32 = 1;
pub(crate) const HEADER_BYTES: usize = 32;
pub(crate) const POINT_BYTES: u64 = 12;

/// Samples of the points of a mesh.
pub(crate) struct PointCache {
    /// Of each sample.
    pub points: usize,
    /// 0.001 to a million.
    pub frames_per_sample: f64,
    /// Sample after sample, at least one; any numbers.
    pub positions: Vec<[f32; 3]>,
}

/// Reads a point cache.
pub(crate) fn read_point_cache(path: &Path) -> Result<PointCache, MeshError> {
    let name = path.display().to_string();
    read_bytes(path).and_then(|bytes| point_cache(&bytes)).map_err(|fault| fault.in_file(&name))
}

fn point_cache(bytes: &[u8]) -> Result<PointCache, Fault> {
    const AGAIN: &str = "export the animation again as a .pc2 file";
    if !bytes.starts_with(MAGIC) {
        return Err(Fault::of_file("the file is not a PC2 point cache", AGAIN));
    }
    let Some(header) = bytes.get(..HEADER_BYTES) else {
        return Err(Fault::of_file("the file ends in its header", "get the file again: it was cut off"));
    };
    let number = |at: usize| [header[at], header[at + 1], header[at + 2], header[at + 3]];
    let whole = |at: usize| i32::from_le_bytes(number(at));
    let refused = |at: usize, what: String| Err(Fault::at(Place::Byte(at), what, AGAIN));
    let (version, points, samples) = (whole(12), whole(16), whole(28));
    let frames_per_sample = f32::from_le_bytes(number(24));
    if version != VERSION {
        return refused(12, format!("the version is {version}, and version {VERSION} is read"));
    }
    if points < 1 || samples < 1 {
        return refused(16, format!("the cache has {samples} samples of {points} points; both must be at least 1"));
    }
    if !(1e-3..1e6).contains(&frames_per_sample) {
        return refused(
            24,
            format!("the cache has {frames_per_sample} frames a sample, and 0.001 to a million are read"),
        );
    }
    let wanted =
        HEADER_BYTES as u64 + u64::from(points.unsigned_abs()) * u64::from(samples.unsigned_abs()) * POINT_BYTES;
    if (bytes.len() as u64) < wanted {
        let what = format!("the header says {wanted} bytes, and the file has {}", bytes.len());
        return Err(Fault::of_file(what, "get the file again: it was cut off"));
    }
    let coordinate =
        |bytes: &[u8], at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let point = |bytes: &[u8]| [0, 4, 8].map(|at| coordinate(bytes, at));
    let positions = bytes[HEADER_BYTES..wanted as usize].chunks_exact(POINT_BYTES as usize).map(point).collect();
    Ok(PointCache { points: points as usize, frames_per_sample: f64::from(frames_per_sample), positions })
}
