//! Where the time of a frame goes: each kind of work by the device's own clock, beside what moving its bytes would
//! take.

use std::io::Write;

use serde::Serialize;

use super::adapter::Floor;
use crate::cli::engine::Runner;
use crate::cli::failure::Failure;
use crate::cli::report::quantile;
use crate::gpu::Section;

/// Frames timed in passes of their own; the median of each kind of work is taken.
const FRAMES: usize = 15;

/// One kind of work in a frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    pub name: &'static str,
    pub dispatches: u32,
    /// Bytes that must move if nothing stays in a cache.
    pub bytes: u64,
    pub ms_median: f64,
    pub ms_lower_quartile: f64,
    pub ms_upper_quartile: f64,
    /// What as many dispatches would take that only copied as many bytes.
    pub floor_ms: f64,
}

/// Times some frames in parts. Empty where the device has no timestamps, or a frame has more parts than it can time.
pub fn measure(engine: &mut dyn Runner, floor: &Floor) -> Result<Vec<Part>, Failure> {
    let mut frames = Vec::with_capacity(FRAMES);
    for _ in 0..FRAMES {
        match engine.profile()? {
            Some(sections) => frames.push(sections),
            None => return Ok(Vec::new()),
        }
    }
    Ok(parts(&frames, floor))
}

/// All frames have the same sections, in one order.
fn parts(frames: &[Vec<Section>], floor: &Floor) -> Vec<Part> {
    let part = |(index, section): (usize, &Section)| {
        let times: Vec<f64> = frames.iter().map(|sections| sections[index].milliseconds).collect();
        Part {
            name: section.name,
            dispatches: section.dispatches,
            bytes: section.bytes,
            ms_median: quantile(&times, 0.5),
            ms_lower_quartile: quantile(&times, 0.25),
            ms_upper_quartile: quantile(&times, 0.75),
            floor_ms: floor.milliseconds(section.dispatches, section.bytes),
        }
    };
    frames.first().into_iter().flatten().enumerate().map(part).collect()
}

/// Prints a table, the kinds of work in their order in the frame.
pub fn print(parts: &[Part], out: &mut impl Write) -> std::io::Result<()> {
    if parts.is_empty() {
        return writeln!(out, "  no parts: the adapter has no timestamps, or the frame has more than 2,048 passes");
    }
    writeln!(
        out,
        "  {:>24} {:>11} {:>10} {:>10} {:>22} {:>9} {:>9}",
        "part of a frame", "dispatches", "MiB", "median ms", "quartiles of it", "floor ms", "of floor"
    )?;
    for part in parts {
        writeln!(
            out,
            "  {:>24} {:11} {:10.2} {:10.3} {:10.3} to {:8.3} {:9.3} {:8.0}%",
            part.name,
            part.dispatches,
            part.bytes as f64 / f64::from(1 << 20),
            part.ms_median,
            part.ms_lower_quartile,
            part.ms_upper_quartile,
            part.floor_ms,
            part.floor_ms / part.ms_median * 100.0,
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times are medians over frames; the floor is that of the dispatches and of the bytes together.
    #[test]
    fn medians_and_floors() {
        let floor = Floor { copy_bandwidth_bytes_per_s: 1e9, empty_dispatch_us: 10.0 };
        let frame = |milliseconds| {
            let section =
                |name, share| Section { name, milliseconds: share * milliseconds, dispatches: 3, bytes: 2_000_000 };
            vec![section("predict", 1.0), section("distance", 2.0)]
        };
        let parts = parts(&[frame(1.0), frame(5.0), frame(3.0)], &floor);
        assert_eq!(
            parts.iter().map(|part| (part.name, part.ms_median)).collect::<Vec<_>>(),
            [("predict", 3.0), ("distance", 6.0)]
        );
        assert!((parts[0].floor_ms - 2.03).abs() < 1e-12, "{}", parts[0].floor_ms);
        assert_eq!((parts[1].ms_lower_quartile, parts[1].ms_upper_quartile), (4.0, 8.0));
    }
}
