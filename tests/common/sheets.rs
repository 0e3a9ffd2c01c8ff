//! Sheets that are solved with levels: the standard cloth, and the same of triangles of all shapes.

#![allow(dead_code, reason = "each test file uses its own part")]

use pliant::mesh::TriangleMesh;
use pliant::model::{Model, Settings, State};
use pliant::scene::{Body, Cloth, Grid, Pin, Scene, Select};

/// What a sheet of 1 m and 1 kg hangs by.
#[derive(Clone, Copy, PartialEq)]
pub enum Held {
    Nowhere,
    Corners,
    TopRow,
}

/// A sheet of n × n particles: a grid, or triangles whose vertices are moved by up to 0.3 of a cell, with diagonals either way. Its
/// stretch, shear and bend have the compliances of the standard cloth times `softer`.
pub fn sheet(n: u32, irregular: bool, held: Held, substeps: u32, softer: f64) -> Model {
    let grid = Grid { columns: n, rows: n, width: 1.0, height: 1.0 };
    let cloth = match irregular {
        false => Cloth::new(grid).shear(1e-6 * softer),
        true => Cloth::new(jittered(n)),
    };
    let mut body = Body::cloth(cloth.stretch(1e-8 * softer).bend(1e-4 * softer)).mass(1.0);
    let pins = match held {
        Held::Nowhere => Vec::new(),
        Held::Corners => vec![0, n - 1],
        Held::TopRow => (0..n).collect(),
    };
    if !pins.is_empty() {
        body = body.pin(Pin::new(Select::Indices(pins)));
    }
    let settings = Settings { substeps, nested: Some(true), mean_forces: false, ..Settings::default() };
    Scene::new("sheet").settings(settings).with(body).build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Triangles of all shapes over 1 m × 1 m, their top edge at y = 0: the vertices of a grid, row by row from the top, moved inside of it.
pub fn jittered(n: u32) -> TriangleMesh {
    let mut seed = 777_u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(seed >> 8) / 16_777_216.0
    };
    let step = 1.0 / f64::from(n - 1);
    let inner = |i: u32| i > 0 && i + 1 < n;
    let mut positions = Vec::new();
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        let by = if inner(row) && inner(column) { 0.6 * step } else { 0.0 };
        let place = [f64::from(column) * step - 0.5, -f64::from(row) * step];
        positions.push([place[0] + by * (random() - 0.5), place[1] + by * (random() - 0.5), 0.0]);
    }
    let cell = |(row, column): (u32, u32)| {
        let [a, b, c, d] = [row * n + column, row * n + column + 1, (row + 1) * n + column, (row + 1) * n + column + 1];
        if random() < 0.5 { [[a, c, d], [a, d, b]] } else { [[a, c, b], [b, c, d]] }
    };
    let cells = (0..n - 1).flat_map(|row| (0..n - 1).map(move |column| (row, column)));
    TriangleMesh { positions, triangles: cells.flat_map(cell).collect() }
}

/// Lets it go from the horizontal.
pub fn laid_flat(mut model: Model) -> Model {
    model.particles.positions.iter_mut().for_each(|x| *x = [x[0], 0.0, -x[1]]);
    model
}

/// The least and the most of numbers would pass over what is none.
fn assert_finite(state: &State) {
    assert!(state.positions.as_flattened().iter().all(|x| x.is_finite()), "frame {} is not finite", state.frame);
}

/// How far below its hem at rest a sheet of 1 m hangs, m.
pub fn sag(state: &State) -> f64 {
    assert_finite(state);
    -1.0 - state.positions.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min)
}

/// The largest stretch of an edge of the sheet.
pub fn stretch(model: &Model, state: &State) -> f64 {
    assert_finite(state);
    let edges = model.bodies[0].stretch.clone().expect("a sheet");
    let of = |edge: u32| {
        let group = &model.groups[0];
        let [a, b] = [0, 1].map(|k| state.positions[group.particles_of(edge as usize)[k] as usize]);
        let length = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        length / group.rest_of(edge as usize)[0] - 1.0
    };
    edges.map(of).fold(0.0, f64::max)
}
