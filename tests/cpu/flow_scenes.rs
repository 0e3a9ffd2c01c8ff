//! The gallery's scenes of what is poured: what they show holds.

use pliant::measure::Measurement;
use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

fn open(name: &str) -> Model {
    Scene::open(name).unwrap().build().unwrap().model
}

fn present<'a>(model: &'a Model, state: &'a State) -> impl Iterator<Item = [f64; 3]> + 'a {
    let all = model.fluids[0].particles.clone().filter(|particle| state.absent.binary_search(particle).is_err());
    all.map(|particle| state.positions[particle as usize])
}

/// The fountain's jet rises to v²/2g, and what it pours is in the basins or has run off.
#[test]
fn the_fountain_rises_by_its_speed() {
    let model = open("fountain");
    let mut running = Running::new(&model);
    let emitter = &model.emitters[0];
    let (speed, mouth) = (emitter.velocity[1], emitter.places[0][1]);
    let mut top = f64::NEG_INFINITY;
    running.run(40);
    for _ in 0..40 {
        let state = running.run(1);
        top = present(&model, &state).map(|place| place[1]).fold(top, f64::max);
    }
    let state = running.state();
    let rise = speed * speed / (2.0 * 9.81);
    proof::row("rise of a fountain, over v²/2g", "1", ((top - mouth) / rise - 1.0).abs(), 0.1, "");
    let poured = (state.seconds / emitter.interval()).ceil() * f64::from(emitter.each);
    let filled = f64::from(emitter.particles.start);
    assert!(poured < emitter.particles.len() as f64, "all that was poured is still counted");
    let gone = filled + poured - present(&model, &state).count() as f64;
    assert!((0.0..200.0).contains(&gone), "{gone} have run off");
    let inside = present(&model, &state).filter(|place| place[0].hypot(place[2]) < 0.4).count() as f64;
    assert!(inside > 0.98 * (filled + poured - gone), "{inside}");
    let filling = Measurement::of(&model, &state).fillings[0];
    assert!(filling.density_error_mean < 0.01, "{filling:?}");
}

/// The mill turns the way of the water and in the end as fast as that.
#[test]
fn the_mill_turns() {
    let model = open("mill_wheel");
    let mut running = Running::new(&model);
    // Of the first plank's corner, about the axle.
    let corner = model.bodies[1].particles.start as usize;
    let turning = |state: &State| {
        let ([x, y, _], [vx, vy, _]) = (state.positions[corner], state.velocities[corner]);
        let (x, y) = (x, y - 0.3);
        (x * vy - y * vx) / (x * x + y * y)
    };
    let mut mean = |frames: u32| (0..frames).map(|_| turning(&running.run(1))).sum::<f64>() / f64::from(frames);
    mean(240);
    let (earlier, later) = (mean(20), mean(20));
    proof::row("speed of a mill, over that a third of a second before", "1", (later / earlier - 1.0).abs(), 0.05, "");
    // The water leaves the spout at 1.4 m/s and meets the blades' ends, 0.22 m from the axle, up to 0.3 m below it.
    let water = (1.4_f64.powi(2) + 2.0 * 9.81 * 0.3).sqrt();
    let ends = -0.22 * later;
    assert!(ends > 0.5 * water && ends < 1.1 * water, "{ends} m/s, and the water {water} m/s");
}

/// Ducks that fell into a bath float, stand upright, and keep their heads where these are fixed.
#[test]
fn ducks_float_upright() {
    let model = open("bath");
    let state = Running::new(&model).run(45);
    let centre = |all: &[[f64; 3]], name: &str| -> [f64; 3] {
        let body = model.bodies.iter().find(|body| body.name == name).expect("its name");
        let range = body.particles.start as usize..body.particles.end as usize;
        let count = range.len() as f64;
        std::array::from_fn(|axis| all[range.clone()].iter().map(|place| place[axis]).sum::<f64>() / count)
    };
    let apart = |[a, b]: [[f64; 3]; 2]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
    for duck in ["duck", "duckling", "second duckling"] {
        let ends = |all: &[[f64; 3]]| [centre(all, duck), centre(all, &format!("{duck} head"))];
        let (placed, now) = (ends(&model.particles.positions), ends(&state.positions));
        let loose = (apart(now) - apart(placed)).abs();
        proof::row(&format!("head of a {duck} from where it is fixed"), "0", loose, 1e-4, "m");
        let rise = (now[1][1] - now[0][1]) / (placed[1][1] - placed[0][1]);
        assert!(rise > 0.8, "the {duck} leans: its head has {rise} of its height");
        // The water is 0.26 m deep and rises by what is poured.
        assert!((0.2..0.45).contains(&now[0][1]), "the {duck} is at {} m", now[0][1]);
    }
}

/// The ship rides its waves upright, with no water in it, and goes where the wind blows.
#[test]
fn the_ship_stays_upright_and_dry() {
    let model = open("boat");
    let body = |name: &str| {
        let found = model.bodies.iter().find(|body| body.name == name).expect("its name");
        found.particles.start as usize..found.particles.end as usize
    };
    let (hull, mast, water) = (body("hull"), body("mast"), body("water"));
    let placed = &model.particles.positions;
    let middle = |all: &[[f64; 3]], of: &[usize]| -> [f64; 3] {
        std::array::from_fn(|axis| of.iter().map(|&p| all[p][axis]).sum::<f64>() / of.len() as f64)
    };
    let high = mast.clone().map(|p| placed[p][1]).fold(f64::MIN, f64::max);
    let low = mast.clone().map(|p| placed[p][1]).fold(f64::MAX, f64::min);
    let ends = [high, low].map(|end| mast.clone().filter(|&p| (placed[p][1] - end).abs() < 0.01).collect::<Vec<_>>());
    let hull: Vec<usize> = hull.collect();
    let mut running = Running::new(&model);
    let (mut leans, mut heights) = ([0.0_f64; 2], [f64::MAX, f64::MIN]);
    let mut at = middle(placed, &hull);
    let from = at;
    for _ in 0..8 {
        let state = running.run(15);
        let [top, foot] = [0, 1].map(|end| middle(&state.positions, &ends[end]));
        let rise = top[1] - foot[1];
        leans = [0, 1].map(|k| leans[k].max(((top[2 * k] - foot[2 * k]) / rise).atan().abs().to_degrees()));
        at = middle(&state.positions, &hull);
        heights = [heights[0].min(at[1]), heights[1].max(at[1])];
        let inside = |p: &usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| state.positions[*p][axis] - at[axis]);
            x.abs() < 0.15 && z.abs() < 0.05 && (-0.02..0.2).contains(&y)
        };
        assert_eq!(water.clone().filter(inside).count(), 0, "there is water in it");
    }
    proof::row("how far a ship leans fore and aft in waves", "0", leans[0], 20.0, "°");
    proof::row("how far it leans to its sides", "0", leans[1], 3.0, "°");
    assert!(heights[0] > 0.19 && heights[1] < 0.3, "the hull is between {heights:?} m");
    assert!(at[0] - from[0] > 0.05 && (at[2] - from[2]).abs() < 0.02, "it goes from {from:?} to {at:?}");
}
