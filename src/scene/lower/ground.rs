//! Height fields, placed and checked.

use std::path::Path as FilePath;

use super::super::error::{Path, SceneError};
use super::super::{Heights, check};
use crate::mesh::HeightField;

/// The most nodes: 64 MiB, half of what WebGPU lets a shader see at once.
const MOST_NODES: usize = 16 << 20;

/// Ground over a rectangle, m along x and z.
pub(super) fn field(at: &Path, heights: &Heights, size: [f64; 2]) -> Result<HeightField, SceneError> {
    for (axis, length) in size.into_iter().enumerate() {
        check::number(&at.key("size").index(axis), length, &check::LENGTH)?;
    }
    let (nodes, heights) = match heights {
        Heights::Rows(rows) => of_rows(&at.key("heights"), rows)?,
        Heights::File { path, range: [low, high] } => {
            let range = at.key("range");
            let low = check::number(&range.index(0), *low, &check::COORDINATE)?;
            let high = check::number(&range.index(1), *high, &check::COORDINATE)?;
            let (nodes, shares) = read(&at.key("file"), path)?;
            (nodes, shares.into_iter().map(|share| (low + (high - low) * share) as f32).collect())
        }
    };
    HeightField::new(size, nodes, heights)
        .ok_or_else(|| SceneError::new(at, "has heights that are not finite; give numbers"))
}

fn of_rows(at: &Path, rows: &[Vec<f64>]) -> Result<([u32; 2], Vec<f32>), SceneError> {
    let columns = rows.first().map_or(0, Vec::len);
    check_nodes(at, columns, rows.len())?;
    let mut heights = Vec::with_capacity(columns * rows.len());
    for (index, row) in rows.iter().enumerate() {
        let at = at.index(index);
        if row.len() != columns {
            let message =
                format!("has {} heights, and the first row {columns}; give all rows the same number", row.len());
            return Err(SceneError::new(&at, message));
        }
        for (index, &height) in row.iter().enumerate() {
            heights.push(check::number(&at.index(index), height, &check::COORDINATE)? as f32);
        }
    }
    Ok(([columns as u32, rows.len() as u32], heights))
}

fn check_nodes(at: &Path, columns: usize, rows: usize) -> Result<(), SceneError> {
    let found = format!("has {rows} rows of {columns} heights");
    if columns < 2 || rows < 2 {
        return Err(SceneError::new(at, format!("{found}; give at least two rows of two")));
    }
    if columns.saturating_mul(rows) > MOST_NODES {
        return Err(SceneError::new(
            at,
            format!("{found}; at most {MOST_NODES} heights are allowed; use a coarser field"),
        ));
    }
    Ok(())
}

/// The greys of a picture, 0 black and 1 white, row by row from the top.
#[cfg(feature = "mesh-files")]
fn read(at: &Path, path: &FilePath) -> Result<([u32; 2], Vec<f64>), SceneError> {
    use png::{BitDepth, ColorType, Decoder, Transformations};
    let fault = |what: String| SceneError::new(at, format!("{}: {what}", path.display()));
    let file = crate::base::input::open(path)
        .map_err(|unreadable| fault(format!("{unreadable}; give the path of a picture")))?;
    let broken = |error| fault(format!("this is not a complete PNG picture: {error}; export it again"));
    let mut decoder = Decoder::new(std::io::BufReader::new(file));
    // Fewer than 8 bits a grey become 8; 16 stay.
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (colour, depth) = reader.output_color_type();
    let channels = match colour {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        _ => return Err(fault("the picture is in colours; make it grey".into())),
    };
    let (width, height) = (reader.info().width, reader.info().height);
    check_nodes(at, width as usize, height as usize)?;
    let bytes = reader.output_buffer_size().ok_or_else(|| fault("the picture is too large; make it smaller".into()))?;
    let mut content = vec![0; bytes];
    reader.next_frame(&mut content).map_err(broken)?;
    let shares = match depth {
        BitDepth::Sixteen => (content.as_chunks::<2>().0.iter().step_by(channels))
            .map(|&bytes| f64::from(u16::from_be_bytes(bytes)) / f64::from(u16::MAX))
            .collect(),
        _ => content.iter().step_by(channels).map(|&grey| f64::from(grey) / f64::from(u8::MAX)).collect(),
    };
    Ok(([width, height], shares))
}

#[cfg(not(feature = "mesh-files"))]
fn read(at: &Path, _: &FilePath) -> Result<([u32; 2], Vec<f64>), SceneError> {
    Err(SceneError::new(at, "this build reads no files; build Pliant with the feature `mesh-files`"))
}
