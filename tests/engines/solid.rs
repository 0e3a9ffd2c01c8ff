//! Neo-Hookean solids: bars and blocks under their own weight, stiff beams, and cubes that find back to their shape.

use std::collections::BTreeMap;

use pliant::constraint::{Plane, kind};
use pliant::measure::Measurement;
use pliant::measure::elements::{Element, elements};
use pliant::mesh::TetrahedronMesh;
use pliant::model::{Material, Model, State};
use pliant::scene::{Body, Cuboid, Elasticity, Scene, Select, Soft};

use crate::device::{Running, run};
use crate::models::{self, GRAVITY};
use crate::proof;
use crate::random::Random;

fn model(scene: &Scene) -> Model {
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// The particles of a body in a state, with the tetrahedra of its mesh.
fn now(state: &State, first: usize, solid: &TetrahedronMesh) -> TetrahedronMesh {
    let positions = state.positions[first..first + solid.positions.len()].to_vec();
    TetrahedronMesh { positions, tetrahedra: solid.tetrahedra.clone() }
}

/// The least volume of a tetrahedron as a share of its volume at rest.
fn least_volume(now: &TetrahedronMesh, rest: &TetrahedronMesh) -> f64 {
    let share = |&t: &[u32; 4]| now.volume_of(t) / rest.volume_of(t);
    rest.tetrahedra.iter().map(share).fold(f64::INFINITY, f64::min)
}

/// A third of the area of the boundary's triangles that lie in a plane, at each particle: by it a uniform pressure acts there.
fn face_weights(solid: &TetrahedronMesh, axis: usize, at: f64) -> Vec<f64> {
    let mut face = solid.surface();
    let positions = face.positions.clone();
    face.triangles.retain(|corners| corners.iter().all(|&p| (positions[p as usize][axis] - at).abs() < 1e-9));
    face.vertex_areas()
}

/// By how much a face's particles have moved along an axis, on the mean, m.
fn mean_way(solid: &TetrahedronMesh, now: &TetrahedronMesh, axis: usize, at: f64) -> f64 {
    let weights = face_weights(solid, axis, at);
    let moved = weights.iter().zip(&solid.positions).zip(&now.positions).map(|((w, x), y)| w * (y[axis] - x[axis]));
    moved.sum::<f64>() / weights.iter().sum::<f64>()
}

/// A quarter of a bar that hangs by its top on rollers, 2 × 4 × 2 cells; two planes of symmetry are rollers too.
const QUARTER: Cuboid = Cuboid { cells: [2, 4, 2], size: [0.1, 0.4, 0.1] };
/// Between the bars, m.
const APART: f64 = 0.25;
/// Of the bars, by their weight: ρgL/2E.
const STRAIN: f64 = 0.002;

/// Bars of these moduli, Pa, and ratios side by side, each as heavy as gives it that strain: so all of them are as fast.
fn hanging_bars(elasticity: Elasticity, bars: &[(f64, f64)]) -> Model {
    let mut scene = Scene::new("bars");
    // A wave crosses a tenth of a cell in each: what one sweep leaves falls with the fourth power of that.
    scene.settings.substeps = 120;
    for (i, &(young_modulus, poisson_ratio)) in bars.iter().enumerate() {
        let mut soft = Soft::new(QUARTER).elasticity(elasticity).young_modulus(young_modulus);
        if elasticity != Elasticity::Strain {
            soft = soft.poisson_ratio(poisson_ratio);
        }
        let density = 2.0 * STRAIN * young_modulus / (GRAVITY * QUARTER.size[1]);
        // The first mode swings at 122/s, and four fifths of it are translation, which is not damped.
        scene = scene.with(Body::soft(soft).position([APART * i as f64, 0.0, 0.0]).density(density).damping(150.0));
    }
    let mut model = model(&scene);
    let solid = QUARTER.solid();
    for bar in 0..bars.len() {
        for (p, x) in solid.positions.iter().enumerate() {
            let particle = bar * solid.positions.len() + p;
            let place = model.particles.positions[particle];
            for (axis, side) in [(0, -1.0), (1, 1.0), (2, -1.0)] {
                if (x[axis] - side * QUARTER.size[axis] / 2.0).abs() < 1e-9 {
                    hold(&mut model, particle, axis, place);
                }
            }
        }
    }
    model
}

/// Stretch of each bar, and contraction to the sides.
fn strains(state: &State, bars: usize) -> Vec<[f64; 2]> {
    let solid = QUARTER.solid();
    let [width, height, _] = QUARTER.size;
    let of_bar = |bar| {
        let mut now = now(state, bar * solid.positions.len(), &solid);
        now.positions.iter_mut().for_each(|x| x[0] -= APART * bar as f64);
        let stretch = -mean_way(&solid, &now, 1, -height / 2.0) / height;
        let thinning = -0.5 * (mean_way(&solid, &now, 0, width / 2.0) + mean_way(&solid, &now, 2, width / 2.0)) / width;
        [stretch, thinning]
    };
    (0..bars).map(of_bar).collect()
}

/// The other elasticities stretch a bar by the same law and thin it by ν, by strain not at all.
#[test]
fn other_elasticities_stretch_by_youngs_modulus() {
    for (elasticity, ratio) in [(Elasticity::Strain, 0.0), (Elasticity::Stvk, 0.3), (Elasticity::Corotated, 0.3)] {
        let bars = [(1e5, ratio), (1e7, ratio)];
        let found = strains(&run(&hanging_bars(elasticity, &bars), 40), bars.len());
        let name = elasticity.name();
        let stretch = found.iter().map(|[stretch, _]| 100.0 * (stretch / STRAIN - 1.0));
        let claim = format!("bars on rollers under their own weight, \"{name}\": stretch");
        proof::row(&claim, "ρgL²/2E", proof::largest(stretch), 2.0, "%");
        let thinning = found.iter().map(|[stretch, thinning]| thinning / stretch - ratio);
        let claim = format!("the same bars, \"{name}\": contraction over stretch");
        proof::row(&claim, "ν", proof::largest(thinning), 0.01, "");
    }
}

/// Puts a particle on rollers: in the plane across an axis through a point.
fn hold(model: &mut Model, particle: usize, axis: usize, [x, y, z]: [f64; 3]) {
    let mut rest = [x, y, z, 0.0, 0.0, 0.0, 0.0];
    rest[3 + axis] = 1.0;
    models::connect_with_rest(model, kind::<Plane>(), &[particle as u32], &rest, Material::default());
}

/// Every element of bars that are pulled between rollers, without weight, has von Mises' stress E ε and the strain ε: linear tetrahedra hold
/// uniform tension exactly. What is left is the strain itself, 0.2 %, and what one sweep a substep leaves, as above.
#[test]
fn pulled_bars_have_the_stress_of_their_strain() {
    let bars = [(1e4, 0.0), (1e5, 0.3), (1e6, 0.45)];
    let mut model = hanging_bars(Elasticity::NeoHookean, &bars);
    model.world.gravity = [0.0; 3];
    let solid = QUARTER.solid();
    let bottom = -QUARTER.size[1] / 2.0;
    let at_bottom = |&p: &usize| (solid.positions[p % solid.positions.len()][1] - bottom).abs() < 1e-9;
    for particle in (0..model.particles.len()).filter(at_bottom) {
        hold(&mut model, particle, 1, [0.0, bottom - STRAIN * QUARTER.size[1], 0.0]);
    }
    let state = run(&model, 40);
    let error = |of: fn(&Element, &Model, &State) -> f64, theory: fn(f64) -> f64| {
        let relative = |element: Element| {
            let bar = element.particles(&model)[0] as usize / solid.positions.len();
            100.0 * (of(&element, &model, &state) / theory(bars[bar].0) - 1.0)
        };
        proof::largest(elements(&model, &state).map(relative))
    };
    let stress = error(|element, model, state| element.stress(model, state).unwrap(), |e| e * STRAIN);
    let strain = error(|element, model, state| element.strain(model, &state.positions), |_| STRAIN);
    proof::row("bars pulled by 0.2 % between rollers: von Mises stress of every element", "E ε", stress, 1.0, "%");
    proof::row("the same bars: strain of every element", "ε", strain, 1.0, "%");
}

/// Young's modulus and Poisson's ratio mean what they say: a bar on rollers under its own weight is stretched by ρgL²/2E, and thinner by
/// ν times that strain. On the mean over its faces that is exact for a bar of any shape, by Betti's theorem with uniform tension of the
/// end or the sides, and for any mesh of linear tetrahedra, since those hold uniform tension exactly. What is left is the strain
/// itself, 0.2 %, and what one sweep a substep leaves.
#[test]
fn bars_stretch_by_youngs_modulus_and_thin_by_poissons_ratio() {
    let moduli = [1e4, 1e5, 1e6, 1e7, 1e8].map(|e| (e, 0.3));
    let ratios = [0.0, 0.15, 0.45].map(|ratio| (1e6, ratio));
    let bars: Vec<(f64, f64)> = moduli.into_iter().chain(ratios).collect();
    let strains = strains(&run(&hanging_bars(Elasticity::NeoHookean, &bars), 40), bars.len());
    let stretch = strains.iter().map(|strain| 100.0 * (strain[0] / STRAIN - 1.0));
    proof::row(
        "bars on rollers under their own weight, E from 1e4 to 1e8 Pa and ν from 0 to 0.45: stretch",
        "ρgL²/2E",
        proof::largest(stretch),
        1.0,
        "%",
    );
    let thinning = |zero: bool| {
        let of = bars.iter().zip(&strains).filter(move |((_, ratio), _)| (*ratio == 0.0) == zero);
        of.map(|((_, ratio), [stretch, thinning])| (ratio, thinning / stretch))
    };
    proof::row(
        "the same bars: contraction to the sides over the stretch",
        "ν",
        proof::largest(thinning(false).map(|(ratio, found)| 100.0 * (found / ratio - 1.0))),
        5.0,
        "%",
    );
    proof::row(
        "the same bars with ν = 0: contraction to the sides over the stretch",
        "0",
        proof::largest(thinning(true).map(|(_, found)| found)),
        0.01,
        "",
    );
}

/// A block clamped at both ends, of so many cells of a size, m.
fn block(cells: [u32; 3], cell: f64, young_modulus: f64, substeps: u32, damping: f64) -> (Model, TetrahedronMesh) {
    let cuboid = Cuboid { cells, size: cells.map(|count| f64::from(count) * cell) };
    let soft = Soft::new(cuboid).young_modulus(young_modulus).poisson_ratio(0.3);
    let mut body = Body::soft(soft).density(1000.0).damping(damping);
    for end in [-0.5, 0.5].map(|end| end * cuboid.size[2]) {
        let (min, max) = ([-10.0, -10.0, end - 1e-6], [10.0, 10.0, end + 1e-6]);
        body = body.pin(Select::Box { min, max });
    }
    let mut scene = Scene::new("block").with(body);
    scene.settings.substeps = substeps;
    (model(&scene), cuboid.solid())
}

/// How far each cross-section of a block has sagged on the mean, m, from one end to the other.
fn sags(state: &State, solid: &TetrahedronMesh) -> Vec<f64> {
    let mut sections: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for (now, rest) in state.positions.iter().zip(&solid.positions) {
        let (sum, count) = sections.entry((rest[2] * 1e6).round() as i64).or_default();
        *sum += rest[1] - now[1];
        *count += 1.0;
    }
    sections.into_values().map(|(sum, count)| sum / count).collect()
}

/// A soft block between two walls, 3 m long, 1 m wide and high, of 2e5 Pa: that of the standard benchmark W2, with cells of twice the size
/// and half of the substeps, so that waves cross as many cells in each. It sags alike at 5, 20 and 50 substeps, smoothly towards the middle,
/// without any element turned inside out or much squeezed; its volume stays, as bending stretches as much as it squeezes. If what one sweep
/// leaves were not taken off the compliance, 5 would sag by 6 % more.
#[test]
fn a_clamped_block_sags_alike_at_any_substeps() {
    let found: Vec<f64> = [5, 20, 50]
        .into_iter()
        .map(|substeps| {
            let (model, solid) = block([10, 10, 30], 0.1, 2e5, substeps, 50.0);
            let state = run(&model, 90);
            let now = now(&state, 0, &solid);
            let volume = now.signed_volume() / solid.signed_volume();
            let least = least_volume(&now, &solid);
            let sags = sags(&state, &solid);
            println!("{substeps} substeps: sag {} m, volume {volume}, least element {least}", sags[15]);
            assert!((volume - 1.0).abs() < 0.02, "volume {volume} at {substeps} substeps");
            assert!(least > 0.5, "an element is squeezed to {least} at {substeps} substeps");
            for section in 0..15 {
                assert!(sags[section] < sags[section + 1] && sags[30 - section] < sags[29 - section], "{sags:?}");
            }
            sags[15]
        })
        .collect();
    let different = found.iter().map(|sag| 100.0 * (sag / found[2] - 1.0));
    proof::row(
        "a neo-Hookean block clamped at both ends (W2 at half its resolution), sag at 5 and 20 substeps",
        "sag at 50 substeps",
        proof::largest(different),
        2.0,
        "%",
    );
}

/// A block let go swings between its walls by less and less, at few substeps as at many: its largest kinetic energy in each half of a second,
/// longer than a swing and back, falls. (The sum of all energies says less: where substeps are too few a block yields too much, and then has
/// more elastic energy than work was done on it.)
#[test]
fn a_swinging_block_gains_no_energy() {
    for substeps in [3, 5, 10] {
        let (model, _) = block([4, 4, 12], 0.05, 5e4, substeps, 0.0);
        let mut running = Running::new(&model);
        let energies: Vec<f64> = (0..150).map(|_| Measurement::of(&model, &running.run(1)).kinetic_energy_j).collect();
        let largest: Vec<f64> =
            energies.chunks(30).map(|half| half.iter().fold(0.0, |most: f64, &energy| most.max(energy))).collect();
        println!("{substeps} substeps: {largest:?} J");
        assert!(largest[0] > 1.0, "{largest:?}");
        assert!(largest.windows(2).all(|pair| pair[1] < pair[0]), "{substeps} substeps: {largest:?}");
    }
}

/// A beam too stiff for its substeps (5e6 Pa: a wave crosses more than two cells in one) keeps its volume and all of its elements. With
/// the two constraints of the paper, which pull against each other at rest, it keeps 68 %.
#[test]
fn a_stiff_beam_is_not_crushed() {
    let (model, solid) = block([4, 4, 12], 0.05, 5e6, 10, 20.0);
    let state = run(&model, 60);
    let now = now(&state, 0, &solid);
    let lost = 100.0 * (1.0 - now.signed_volume() / solid.signed_volume()).abs();
    proof::row("a beam of 5e6 Pa at 10 substeps: change of its volume", "none", lost, 1.0, "%");
    let least = least_volume(&now, &solid);
    assert!(least > 0.95, "an element is squeezed to {least}");
}

/// A small cube of 2 × 2 × 2 cells.
const CUBE: Cuboid = Cuboid { cells: [2; 3], size: [0.2; 3] };

/// So many cubes far from nothing, each in a place that `start` gives its particles from where they are at rest, after a second.
fn cubes(count: usize, mut start: impl FnMut(usize, [f64; 3]) -> [f64; 3]) -> Vec<TetrahedronMesh> {
    let mut scene = Scene::new("cubes");
    scene.world.gravity = [0.0; 3];
    for _ in 0..count {
        scene = scene.with(Body::soft(Soft::new(CUBE).young_modulus(1e5)).density(1000.0));
    }
    let mut model = model(&scene);
    let solid = CUBE.solid();
    for (particle, x) in model.particles.positions.iter_mut().enumerate() {
        *x = start(particle / solid.positions.len(), *x);
    }
    let state = run(&model, 60);
    (0..count).map(|cube| now(&state, cube * solid.positions.len(), &solid)).collect()
}

/// The largest relative change of an edge's length.
fn change_of_edges(now: &TetrahedronMesh, rest: &TetrahedronMesh) -> f64 {
    let length = |mesh: &TetrahedronMesh, [a, b]: [u32; 2]| {
        let [a, b] = [a, b].map(|p| mesh.positions[p as usize]);
        (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
    };
    rest.edges().into_iter().map(|edge| (length(now, edge) / length(rest, edge) - 1.0).abs()).fold(0.0, f64::max)
}

/// Cubes return to their shape from 1,000 random starts: every particle moved by up to half a cell to any side, so that many elements are
/// inside out; flattened and shaken; mirrored in one axis and shaken.
#[test]
fn scrambled_flattened_and_mirrored_cubes_return() {
    let (mut random, solid) = (Random::new(11), CUBE.solid());
    let found = cubes(1000, |cube, x| {
        let axis = cube % 3;
        let shake = |random: &mut Random, x: [f64; 3], by: f64| x.map(|c| c + random.number(-by, by));
        let mut moved = x;
        match cube / 3 % 3 {
            0 => return shake(&mut random, x, 0.05),
            1 => moved[axis] = 0.0,
            _ => moved[axis] = -moved[axis],
        }
        shake(&mut random, moved, 0.01)
    });
    let failed: Vec<String> = found
        .iter()
        .enumerate()
        .map(|(cube, now)| (cube, change_of_edges(now, &solid), least_volume(now, &solid)))
        // Written so that what is not a number fails.
        .filter(|(_, change, least)| !(*change < 0.02 && *least > 0.9))
        .map(|(cube, change, least)| format!("{cube} ({}): edges {change:.3}, least volume {least:.3}", cube / 3 % 3))
        .collect();
    assert!(failed.is_empty(), "{} of 1000 did not return:\n{}", failed.len(), failed.join("\n"));
}

/// A cube reflected through its centre returns, as a shaken one does; one collapsed to a point has no direction to grow to and stays.
/// Both are finite.
#[test]
fn reflected_cubes_return_and_collapsed_ones_stay() {
    let solid = CUBE.solid();
    let mut random = Random::new(12);
    let found =
        cubes(2, |cube, x| if cube == 0 { x.map(|c| -c + random.number(-0.01, 0.01)) } else { [0.1, 0.2, 0.3] });
    assert!(change_of_edges(&found[0], &solid) < 0.02 && least_volume(&found[0], &solid) > 0.9);
    for x in &found[1].positions {
        // As placed, rounded to single precision.
        assert!(x.iter().zip([0.1, 0.2, 0.3]).all(|(c, placed)| (c - placed).abs() < 1e-7), "{x:?}");
    }
}

/// The jelly of the gallery comes to lie: nothing below the ground or in the ball, no element inside out, the volume kept as ν = 0.45
/// and its own weight have it, and each cube squashed by its weight as its Young's modulus says, the softer the more.
#[test]
fn jelly_lies_on_the_ground() {
    let mut scene = Scene::open("soft").unwrap_or_else(|error| panic!("{error}"));
    // To rest within the time; what is looked at is statics.
    scene.bodies.iter_mut().for_each(|body| body.damping = 60.0);
    let model = model(&scene);
    let state = run(&model, 150);
    let (cube, slab) = (Cuboid { cells: [6; 3], size: [0.4; 3] }, Cuboid { cells: [8, 4, 8], size: [0.6, 0.2, 0.6] });
    let mut heights = Vec::new();
    for (index, body) in model.bodies.iter().enumerate() {
        let solid = if index < 4 { cube.solid() } else { slab.solid() };
        let now = now(&state, body.particles.start as usize, &solid);
        let (low, high) = now.surface().bounding_box().expect("vertices");
        assert!(low[1] > -1e-3, "{} is {} m below the ground", body.name, -low[1]);
        let (volume, least) = (now.signed_volume() / solid.signed_volume(), least_volume(&now, &solid));
        // The softest cube bears 2 kPa in the mean: a third of that is its pressure, over a bulk modulus of E/0.3 = 20 kPa.
        assert!((volume - 1.0).abs() < 0.05, "{}: volume {volume}", body.name);
        assert!(least > 0.2, "{}: an element is squeezed to {least}", body.name);
        heights.push(high[1] - low[1]);
    }
    // A bar that is free at its sides is squashed by ρgL²/2E, one that is held there all along by (1 + ν)(1 - 2ν)/(1 - ν) = 0.26 of it. A
    // cube is held by friction at its foot: in between.
    for (height, young_modulus) in heights.iter().zip([6e3, 2.4e4, 9.6e4, 3.84e5]) {
        let share = (0.4 - height) / (1000.0 * GRAVITY * 0.4 * 0.4 / (2.0 * young_modulus));
        assert!((0.26..1.0).contains(&share), "{young_modulus} Pa: {height} m high, {share} of a bar's");
    }
}
