//! Levels over sheets: what they must be for momentum to be exact and for a sheet to move as it is told.

use std::f64::consts::PI;

use pliant::Model;
use pliant::mesh::generate::Sphere;
use pliant::model::{Material, Settings, Side};
use pliant::plan::Plan;
use pliant::plan::levels::{Level, Net, Sheet, given_up, possible};
use pliant::scene::{Bend, Body, Cloth, Grid, Scene, Strand, StrandKind};

use crate::sheets::{Held, sheet};

fn levels(n: u32, irregular: bool, held: Held) -> (Model, Sheet) {
    let model = sheet(n, irregular, held, 5, 1.0);
    let mut plan = Plan::new(&model);
    assert_eq!(plan.sheets.len(), 1);
    (model, plan.sheets.remove(0))
}

/// Of each level the inverse masses of the net below.
fn finer_masses<'a>(model: &'a Model, sheet: &'a Sheet) -> impl Iterator<Item = (&'a Level, &'a [f64])> {
    let below = std::iter::once(&model.particles.inverse_masses[..]);
    sheet.levels.iter().zip(below.chain(sheet.levels.iter().map(|level| &level.net.inverse_masses[..])))
}

/// Every level has fewer nodes than the one below, down to a handful; the shares of each row are positive and 1 together; a node's
/// mass is what it has of those below, and the way up is the way down weighted by mass.
#[test]
fn levels_share_all_mass() {
    for (irregular, held) in
        [(false, Held::Corners), (true, Held::Corners), (true, Held::TopRow), (false, Held::Nowhere)]
    {
        let (model, sheet) = levels(40, irregular, held);
        assert!(sheet.levels.len() >= 3, "{} levels", sheet.levels.len());
        assert!(sheet.levels.last().unwrap().net.len() <= 12);
        for (level, below) in finer_masses(&model, &sheet) {
            assert!(2 * level.net.len() <= below.len());
            for row in level.prolong.rows().chain(level.restrict.rows()) {
                let sum: f64 = row.iter().map(|(_, share)| share).sum();
                assert!((sum - 1.0).abs() < 1e-12 && row.iter().all(|(_, share)| *share > 0.0), "{row:?}");
            }
            let mut masses = vec![0.0; level.net.len()];
            for (row, inverse) in level.prolong.rows().zip(below).filter(|(_, inverse)| **inverse > 0.0) {
                row.iter().for_each(|&(node, share)| masses[node as usize] += share / inverse);
            }
            for (node, row) in level.restrict.rows().enumerate() {
                let inverse = level.net.inverse_masses[node];
                if inverse > 0.0 {
                    assert!((1.0 / inverse / masses[node] - 1.0).abs() < 1e-12);
                    for &(child, share) in row {
                        let down =
                            level.prolong.row(child as usize).iter().find(|(to, _)| *to == node as u32).unwrap().1;
                        assert!((share - down / below[child as usize] * inverse).abs() < 1e-12);
                    }
                }
            }
        }
    }
}

/// No two edges of a colour share a node, and the colours are all edges.
#[test]
fn colours_share_no_node() {
    for irregular in [false, true] {
        let (_, sheet) = levels(64, irregular, Held::Corners);
        for Level { net: Net { edges, inverse_masses, .. }, colours, .. } in &sheet.levels {
            let mut next = 0;
            for colour in colours {
                assert_eq!(colour.start, next);
                next = colour.end;
                let mut seen = vec![false; inverse_masses.len()];
                for end in edges[colour.start as usize..colour.end as usize].iter().flat_map(|edge| edge.ends) {
                    assert!(!std::mem::replace(&mut seen[end as usize], true), "two edges at node {end}");
                }
            }
            assert_eq!(next as usize, edges.len());
        }
    }
}

/// Nothing is built where it is not wanted, in PBD mode, over what changes its rest lengths, and over what is no sheet.
#[test]
fn levels_are_for_sheets_that_ask() {
    let none = |change: fn(&mut Model)| {
        let mut model = sheet(40, false, Held::Corners, 5, 1.0);
        change(&mut model);
        assert!(Plan::new(&model).sheets.is_empty());
    };
    none(|model| model.settings.nested = Some(false));
    none(|model| model.settings.mode = pliant::model::Mode::Pbd);
    none(|model| model.bodies[0].stretch = None);
    none(|model| model.materials.get_mut(0).unwrap().yield_point = Some(1e-3));
}

/// A scene that says nothing has levels over what its substeps would let sag, in a body that something holds; not with substeps enough,
/// nor where the material lets it sag more, or nothing holds it.
#[test]
fn levels_are_over_what_would_sag() {
    let sheets = |held, substeps, softer| {
        let mut model = sheet(40, false, held, substeps, softer);
        model.settings.nested = None;
        let beside = sheet(8, false, Held::Corners, substeps, softer);
        assert!(Plan::new(&Model { settings: model.settings.clone(), ..beside }).sheets.is_empty());
        Plan::new(&model).sheets.len()
    };
    assert_eq!(sheets(Held::Corners, 10, 1.0), 1);
    assert_eq!(sheets(Held::Corners, 40, 1.0), 0, "enough substeps");
    assert_eq!(sheets(Held::Corners, 10, 1e7), 0, "0.1 m/N");
    assert_eq!(sheets(Held::Nowhere, 10, 1.0), 0, "it falls");
}

/// What can break or tear has no levels, be it by a single spring, its own or one across it; what is beside it has.
#[test]
fn what_breaks_and_what_tears_has_no_levels() {
    let whole = sheet(40, false, Held::Corners, 5, 1.0);
    assert_eq!((possible(&whole), given_up(&whole)), (vec![0], vec![]));
    let breaking = Material { break_force: Some(1.0), ..Material::default() };
    let [mut by_its_own, mut by_one_across] = [whole.clone(), whole];
    let last = by_its_own.groups[0].len() - 1;
    by_its_own.groups[0].materials[last] = by_its_own.materials.insert(breaking);
    let material = by_one_across.materials.insert(breaking);
    by_one_across.groups[0].push(&[0, 1599], &[2.0], material);
    for mut model in [by_its_own, by_one_across] {
        assert_eq!((possible(&model), given_up(&model)), (vec![], vec![0]));
        for nested in [None, Some(true)] {
            model.settings.nested = nested;
            assert!(Plan::new(&model).sheets.is_empty(), "{nested:?}");
        }
    }

    let grid = Grid { columns: 40, rows: 40, width: 1.0, height: 1.0 };
    let settings = Settings { nested: Some(true), ..Settings::default() };
    let cloths = Scene::new("torn").settings(settings).with(Body::cloth(Cloth::new(grid).tears_at(1.0)));
    let cloths = cloths.with(Body::cloth(Cloth::new(grid)).position([2.0, 0.0, 0.0]));
    let mut model = cloths.build().unwrap_or_else(|error| panic!("{error}")).model;
    assert_eq!((possible(&model), given_up(&model)), (vec![1], vec![0]));
    let sheets = Plan::new(&model).sheets;
    assert_eq!((sheets.len(), sheets[0].particles.clone()), (1, model.bodies[1].particles.clone()));
    // What has torn stays so when it can no longer break.
    (0..model.materials.len()).for_each(|index| model.materials.get_mut(index).unwrap().break_force = None);
    assert_eq!(given_up(&model), [0]);
}

/// A rope's coarse edges yield as what they stand for does in series, at whatever shape it is placed; a short one has no levels.
#[test]
fn ropes_are_as_long_as_they_are() {
    let points = |turns: f64| (0..400).map(move |i| (f64::from(i) * 0.01, turns * f64::from(i) / 400.0));
    let coil = points(60.0).map(|(x, turn)| [0.02 * turn.sin(), 0.02 * turn.cos(), 0.01 * x]).collect::<Vec<_>>();
    let rope = |points: Vec<[f64; 3]>| {
        let strand = Strand::new(StrandKind::Rope, points).stretch(1e-6);
        let settings = Settings { nested: Some(true), ..Settings::default() };
        let scene = Scene::new("rope").settings(settings).with(Body::strand(strand));
        scene.build().unwrap_or_else(|error| panic!("{error}")).model
    };
    let model = rope(coil.clone());
    let sheets = Plan::new(&model).sheets;
    assert_eq!(sheets.len(), 1);
    let length: f64 = (0..model.groups[0].len()).map(|edge| model.groups[0].rest_of(edge)[0]).sum();
    for level in &sheets[0].levels {
        let compliance: f64 = level.net.edges.iter().map(|edge| edge.compliance(&model.materials)).sum();
        let along: f64 = level.net.edges.iter().map(|edge| edge.length).sum();
        // A chain of all nodes: it lacks no more than half a spacing at either end.
        assert_eq!(level.net.edges.len() + 1, level.net.len());
        assert!(along <= length * (1.0 + 1e-9) && along > length - 1.5 * level.net.spacing, "{along} m of {length} m");
        // Segments are not all as long.
        assert!((compliance / (399e-6 * along / length) - 1.0).abs() < 0.02, "{compliance} m/N");
    }
    assert!(Plan::new(&rope(coil[..100].to_vec())).sheets.is_empty());
}

/// A sheet that is placed stretched, or folded up, goes back to its rest lengths and not to where it was placed.
#[test]
fn rest_lengths_count() {
    for irregular in [false, true] {
        let (model, placed) = levels(32, irregular, Held::Corners);
        let mut longer = model.clone();
        longer.groups[0].rest.iter_mut().for_each(|rest| *rest *= 1.25);
        let rest = Plan::new(&longer).sheets.remove(0);
        for (level, placed) in rest.levels.iter().zip(&placed.levels) {
            assert_eq!(level.net.edges.len(), placed.net.edges.len());
            for (edge, placed) in level.net.edges.iter().zip(&placed.net.edges) {
                assert!((edge.length / placed.length / 1.25 - 1.0).abs() < 1e-9);
            }
        }
    }
}

/// A net resists an even strain of the sheet as the sheet itself does, along its sides as across: in the energy that it takes, the first to 5 %,
/// the next to 10 %. (Before their stiffness was brought to that, they took half of it.)
#[test]
fn nets_are_as_stiff_as_the_sheet() {
    for irregular in [false, true] {
        let mut model = sheet(64, irregular, Held::Nowhere, 5, 1.0);
        // All edges alike.
        for material in 0..model.materials.len() {
            model.materials.get_mut(material).expect("there are so many").compliance = 1e-3;
        }
        let sheet = Plan::new(&model).sheets.remove(0);
        for angle in [0.0_f64, 0.5, 1.0, 1.57, 2.3] {
            let energy = |compliance: f64, [dx, dy]: [f64; 2]| {
                (dx * angle.cos() + dy * angle.sin()).powi(4) / (dx * dx + dy * dy) / compliance
            };
            let group = &model.groups[0];
            let of_sheet = |edge: u32| {
                let [a, b] = [0, 1].map(|k| model.particles.positions[group.particles_of(edge as usize)[k] as usize]);
                energy(1e-3, [b[0] - a[0], b[1] - a[1]])
            };
            let [stretch, bend] = [&model.bodies[0].stretch, &model.bodies[0].bend].map(|range| range.clone().unwrap());
            let own: f64 = stretch.chain(bend).map(of_sheet).sum();
            for (level, most) in sheet.levels.iter().zip([0.05, 0.1]) {
                let of_net = |edge: &pliant::plan::levels::Edge| {
                    let [a, b] = edge.ends.map(|end| level.net.positions[end as usize]);
                    energy(edge.compliance(&model.materials), [b.x - a.x, b.y - a.y])
                };
                let ratio = level.net.edges.iter().map(of_net).sum::<f64>() / own;
                assert!((ratio - 1.0).abs() < most, "{ratio} at {angle}, {} nodes", level.net.len());
            }
        }
    }
}

/// The stiffness against bending of a plate of triangles of equal sides over the stiffness of its hinges (Seung and Nelson 1988).
const PLATE: f64 = 0.866_025_403_784_438_6;

/// A ball whose hinges yield by 4 rad/(N m), a triangle of it left out or not.
fn shell(open: bool) -> Model {
    let mut mesh = Sphere { radius: 0.5, segments: 40 }.mesh();
    if open {
        mesh.triangles.pop();
    }
    let bend = Some(Bend { kind: "dihedral".into(), compliance: 4.0 });
    let body = Body::cloth(Cloth { bend, ..Cloth::new(mesh).stretch(1e-8) }).mass(1.0);
    let settings = Settings { nested: Some(true), ..Settings::default() };
    Scene::new("shell").settings(settings).with(body).build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Where the hinges of a model are among its groups.
fn hinges(model: &Model) -> usize {
    model.groups.iter().position(|group| group.kind.name() == "dihedral").expect("hinges")
}

/// The edges of nets over a shell push by up to π² B/L, whatever the level.
fn assert_pushes(what: &str, model: &Model, stiffness: f64) {
    let sheet = Plan::new(model).sheets.remove(0);
    for edge in sheet.levels.iter().flat_map(|level| &level.net.edges) {
        let load = PI * PI * stiffness / edge.length;
        assert!((edge.bending.now(&model.materials) - load).abs() <= 1e-12 * load, "{what}: {edge:?}");
    }
}

/// The edges of nets over closed shells push by up to Euler's load of a strip as wide as it is long; over what has a rim, or may come to have one, none does.
/// What is closed is told by its edges: hinges more than one at an edge, or elsewhere, are no matter.
#[test]
fn closed_shells_push_by_eulers_load() {
    let stiffness = PLATE / 4.0;
    let again = |mut model: Model| {
        let index = hinges(&model);
        let (material, rest) = (model.groups[index].materials[0], model.groups[index].rest_of(0).to_vec());
        let first = model.groups[index].particles_of(0).to_vec();
        (0..3).for_each(|_| model.groups[index].push(&first, &rest, material));
        model
    };
    let with = |mut model: Model, change: fn(&mut Material)| {
        let material = model.groups[hinges(&model)].materials[0] as usize;
        change(model.materials.get_mut(material).expect("a material"));
        model
    };
    let (closed, open) = (shell(false), shell(true));
    assert_pushes("closed", &closed, stiffness);
    assert_pushes("closed, with hinges more", &again(closed.clone()), stiffness);
    assert_pushes("with a rim", &open, 0.0);
    assert_pushes("with a rim, and hinges more", &again(open), 0.0);
    assert_pushes("hinges to one side", &with(closed.clone(), |m| m.side = Side::Pull), 0.0);
    assert_pushes("hinges that break", &with(closed.clone(), |m| m.break_force = Some(1.0)), 0.0);
    assert_pushes("hinges that flow", &with(closed, |m| m.yield_point = Some(1.0)), 0.0);
}

/// Where hinges differ the softest tell: an edge pushes by no more than what it stands for as the mean of their compliances, and as the softest is changed.
#[test]
fn soft_hinges_buckle_first() {
    let mut model = shell(false);
    let index = hinges(&model);
    let soft = model.groups[index].materials[0];
    let rigid = model.materials.insert(Material::default());
    model.groups[index].materials.iter_mut().step_by(2).for_each(|material| *material = rigid);
    let sheet = Plan::new(&model).sheets.remove(0);
    assert!(sheet.materials.contains(&soft) && sheet.materials.contains(&rigid), "{:?}", sheet.materials);
    for edge in sheet.levels.iter().flat_map(|level| &level.net.edges) {
        let load = edge.bending.now(&model.materials) * edge.length / (PI * PI * PLATE / 4.0);
        assert!((1.5..3.0).contains(&load), "half of the hinges yield: {load} times what all of them let push");
    }
    let before = sheet.levels[0].net.edges[0].bending.now(&model.materials);
    model.materials.get_mut(soft as usize).expect("a material").compliance *= 10.0;
    let after = sheet.levels[0].net.edges[0].bending.now(&model.materials);
    assert!((10.0 * after / before - 1.0).abs() < 1e-12, "{before} N, then {after} N");
}

/// What holds a sheet inside of it holds its nets, too: each has a fixed node, and none else is.
#[test]
fn a_pin_inside_a_sheet_holds_its_nets() {
    for irregular in [false, true] {
        for pins in [vec![20 * 41 + 20], (20 * 41..21 * 41).collect::<Vec<u32>>()] {
            let mut model = sheet(41, irregular, Held::Nowhere, 5, 1.0);
            pins.iter().for_each(|&pin| model.particles.inverse_masses[pin as usize] = 0.0);
            let levels = Plan::new(&model).sheets.remove(0).levels;
            assert!(levels.len() >= 2);
            let places: Vec<[f64; 3]> = pins.iter().map(|&pin| model.particles.positions[pin as usize]).collect();
            for level in levels {
                let nodes = level.net.positions.iter().zip(&level.net.inverse_masses);
                let fixed: Vec<[f64; 3]> = nodes.filter(|(_, w)| **w == 0.0).map(|(&x, _)| x.into()).collect();
                assert!(!fixed.is_empty(), "nothing holds {} nodes", level.net.len());
                let near = |x: &[f64; 3]| places.iter().any(|pin| (0..2).all(|k| (x[k] - pin[k]).abs() < 0.1));
                assert!(fixed.iter().all(near), "{fixed:?}");
            }
        }
    }
}

/// A rope's coarse edges yield as all that lies along them, whatever the lengths and materials of its segments.
#[test]
fn ropes_yield_as_all_their_segments() {
    let points: Vec<[f64; 3]> = (0..513).map(|i| [0.002 * f64::from(i + 8 * (i / 2)), 0.0, 0.0]).collect();
    let strand = Strand::new(StrandKind::Rope, points).stretch(1e-3);
    let settings = Settings { nested: Some(true), ..Settings::default() };
    let scene = Scene::new("rope").settings(settings).with(Body::strand(strand));
    let mut model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
    let stiff = model.materials.insert(Material { compliance: 1e-6, ..Material::default() });
    for mixed in [false, true] {
        if mixed {
            model.groups[0].materials.iter_mut().step_by(2).for_each(|material| *material = stiff);
        }
        let materials = model.groups[0].materials.iter();
        let segments: f64 = materials.map(|&material| model.materials[material as usize].compliance).sum();
        let length: f64 = model.groups[0].rest.iter().sum();
        for level in Plan::new(&model).sheets.remove(0).levels {
            let compliance: f64 = level.net.edges.iter().map(|edge| edge.compliance(&model.materials)).sum();
            let along: f64 = level.net.edges.iter().map(|edge| edge.length).sum();
            let ratio = compliance / (segments * along / length);
            assert!((ratio - 1.0).abs() < 0.05, "{ratio} of {segments} m/N, {} nodes", level.net.len());
        }
    }
}
