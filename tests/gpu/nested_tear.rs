//! Levels over what breaks and tears, and the forces that are read of what levels carry.

use pliant::measure::Measurement;
use pliant::model::{Model, Settings, State};
use pliant::plan::Plan;
use pliant::reference::Reference;
use pliant::scene::{Body, Cloth, Force, Grid, Pin, Scene, Select};

use crate::device::Running;
use crate::models::GRAVITY;
use crate::nested_bodies::apart;
use crate::proof;
use crate::sheets::{Held, sheet};
use crate::tear::{bits, restore, snapshot};

/// λ of a broken constraint in `shaders/lib/broken.wgsl`.
const BROKEN: f32 = 3e38;
/// Particles in a row.
const N: u32 = 32;

/// A sheet of 1 m and 1 kg that could tear but is far too strong to, hung by its upper row.
fn strong(nested: bool) -> Model {
    let grid = Grid { columns: N, rows: N, width: 1.0, height: 1.0 };
    let cloth = Cloth::new(grid).stretch(1e-8).shear(1e-6).bend(1e-4).tears_at(1e9);
    let body = Body::cloth(cloth).mass(1.0).pin(Pin::new(Select::Indices((0..N).collect())));
    let settings = Settings { substeps: 5, nested, ..Settings::default() };
    Scene::new("strong").settings(settings).with(body).build().unwrap_or_else(|error| panic!("{error}")).model
}

/// The edges that a test of their rows and columns picks.
fn edges(model: &Model, cut: impl Fn([u32; 2], [u32; 2]) -> bool) -> Vec<usize> {
    let edges = &model.tearing.as_ref().expect("it can tear").edges;
    let place = |p: u32| [p / N, p % N];
    edges
        .iter()
        .filter(|edge| cut(place(edge.ends[0]), place(edge.ends[1])))
        .map(|edge| edge.constraint as usize)
        .collect()
}

/// Cut across, the lower part of a sheet falls freely and keeps its momentum, while the upper one hangs on; cut half way down it moves as
/// its twin does.
#[test]
fn levels_let_go() {
    let model = strong(true);
    assert_eq!(Plan::new(&model).sheets.len(), 1);
    let across = |a: [u32; 2], b: [u32; 2]| a[0].min(b[0]) == 15 && a[0] != b[0];
    let slit = |a: [u32; 2], b: [u32; 2]| a[1].min(b[1]) == 15 && a[1] != b[1] && a[0].max(b[0]) > 12;
    for (name, cut, falls) in [("across", edges(&model, across), true), ("half way up", edges(&model, slit), false)] {
        let plan = Plan::new(&model);
        let (mut running, mut reference) = (Running::planned(&model, &plan), Reference::new(&model, &plan));
        running.run(3);
        (0..3).for_each(|_| reference.step());
        let (mut on_device, mut in_double) = (snapshot(&running), reference.state());
        for &edge in &cut {
            on_device.multipliers[0][edge] = [BROKEN, 0.0];
            in_double.multipliers[0][edge].broken = true;
        }
        restore(&mut running, &on_device);
        reference.restore(&in_double);
        (0..2).for_each(|_| reference.step());
        let (state, twin) = (running.run(2), reference.state());
        assert_eq!(state.torn.as_ref().map(|torn| &torn.triangles), twin.torn.as_ref().map(|torn| &torn.triangles));
        let claim = format!("a sheet with levels that is cut {name}, places after 5 frames");
        proof::row(&claim, "in double precision", apart(&state, &twin), 1e-5, "m");
        if !falls {
            continue;
        }
        let after = running.run(20);
        let lower = (16 * N) as usize..(N * N) as usize;
        let mean = |state: &State, axis: usize| {
            state.velocities[lower.clone()].iter().map(|v| v[axis]).sum::<f64>() / lower.len() as f64
        };
        let gained = mean(&state, 1) - mean(&after, 1);
        proof::relative(
            "speed that the lower part of a cut sheet with levels gains in 1/3 s",
            "g t",
            gained,
            GRAVITY / 3.0,
            1e-5,
        );
        // It hung straight: nothing gives it momentum to the sides.
        let aside = [0, 2].map(|axis| mean(&after, axis).abs()).into_iter().fold(0.0, f64::max);
        proof::row("its speed to the sides", "none", aside, 1e-5, "m/s");
        let hangs = |state: &State| state.positions[..lower.start].iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
        // Of 15 rows between 32.
        let sag = (-15.0 / 31.0 - hangs(&after)).abs() * 100.0 * 31.0 / 15.0;
        proof::row("sag of the upper part", "none", sag, 1.0, "%");
    }
}

/// The sum of the forces at its pins is the weight of a sheet, all but what the pins bear themselves; the particles' own edges
/// alone tell a twentieth of it.
#[test]
fn forces_are_whole() {
    for (held, irregular) in
        [(Held::TopRow, false), (Held::TopRow, true), (Held::Corners, false), (Held::Corners, true)]
    {
        let mut model = sheet(40, irregular, held, 5, 1.0);
        model.settings.mean_forces = true;
        let mut running = Running::new(&model);
        let state = running.run(60);
        let weight: f64 = model.particles.inverse_masses.iter().filter(|w| **w > 0.0).map(|w| GRAVITY / w).sum();
        let how = if held == Held::TopRow { "its upper row" } else { "two corners" };
        let kind = if irregular { "of triangles" } else { "a grid" };
        let claim = format!("forces at the pins of a sheet with levels by {how}, {kind}");
        println!("{claim}: {} of {weight}", pull_at_pins(&model, &state));
        proof::relative(&claim, "its weight", pull_at_pins(&model, &state), weight, 0.01);
    }
}

/// By how much distances pull fixed particles down, in the mean over the last frame, N.
fn pull_at_pins(model: &Model, state: &State) -> f64 {
    let (group, h) = (&model.groups[0], model.settings.substep_seconds());
    let fixed = |p: u32| model.particles.inverse_masses[p as usize] == 0.0;
    let pull = |constraint: usize| {
        let ends = group.particles_of(constraint);
        let (pin, other) = if fixed(ends[0]) { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
        if fixed(ends[0]) == fixed(ends[1]) {
            return 0.0;
        }
        let [pin, other] = [pin, other].map(|p| state.positions[p as usize]);
        let way: [f64; 3] = std::array::from_fn(|k| pin[k] - other[k]);
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        -state.multipliers[0][constraint].mean / (h * h) * way[1] / length
    };
    (0..group.len()).map(pull).sum()
}

/// A strip that hangs, drawn down at its lower end by a force that grows by 20 N a second, all of whose edges break at 0.5 N.
fn strip(nested: bool, substeps: u32) -> Model {
    let grid = Grid { columns: 9, rows: 65, width: 0.125, height: 1.0 };
    let cloth = Cloth::new(grid).stretch(1e-5).shear(1e-4).bend(1e-2).tears_at(0.5);
    let lower: Vec<u32> = (64 * 9..65 * 9).collect();
    let pull = vec![(0.0, [0.0; 3]), (1.0, [0.0, -20.0 / 9.0, 0.0])];
    let settings = Settings { substeps, nested, ..Settings::default() };
    let body = Body::cloth(cloth).name("strip").mass(0.01).pin(Pin::new(Select::Indices((0..9).collect())));
    let scene = Scene::new("strip").settings(settings).with(body).force(Force::new(pull).on("strip").particles(lower));
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// A strip breaks at the load at which it breaks without levels and with many substeps; going back to before that and on again it has the
/// same bits.
#[test]
fn strips_break_at_their_load() {
    let first_break = |nested: bool, substeps: u32| {
        let mut running = Running::new(&strip(nested, substeps));
        let frame = (1..120).find(|_| running.run(1).multipliers[0].iter().any(|multiplier| multiplier.broken));
        f64::from(frame.expect("it breaks"))
    };
    let [nested, plain] = [first_break(true, 5), first_break(false, 100)];
    println!("breaks in frame {nested} with levels and {plain} without");
    proof::relative(
        "force at which a strip with levels breaks at 5 substeps",
        "that without at 100",
        nested,
        plain,
        0.1,
    );

    let model = strip(true, 5);
    let mut running = Running::new(&model);
    running.run(nested as u32 + 1);
    let amid = snapshot(&running);
    let whole = running.run(10);
    assert!(whole.torn.is_some() && Measurement::of(&model, &whole).kinetic_energy_j.is_finite());
    restore(&mut running, &amid);
    assert_eq!(bits(&running.run(10)), bits(&whole));
    let mut other = Running::new(&model);
    restore(&mut other, &amid);
    assert_eq!(bits(&other.run(10)), bits(&whole));
}
