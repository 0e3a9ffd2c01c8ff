//! The gallery's scenes of rest values that change.

use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

fn gallery(name: &str) -> Model {
    Scene::open(name).unwrap().build().unwrap().model
}

/// Mean of x of the particles of a body, m.
fn place(model: &Model, state: &State, body: usize) -> f64 {
    let particles = model.bodies[body].particles.clone();
    let count = particles.len() as f64;
    particles.map(|p| state.positions[p as usize][0]).sum::<f64>() / count
}

/// With each wave the worm goes on by what its links are short of together, and the caterpillar by what its ruck is longer than
/// the ground below it, less what slips: more particles hold on than move.
#[test]
fn waves_crawl() {
    let model = gallery("crawl");
    let mut running = Running::new(&model);
    let (first, second) = (running.run(120), running.run(120));
    let [caterpillar, worm] = [0, 1].map(|body| place(&model, &second, body) - place(&model, &first, body));
    let link = 0.05;
    // The worm's links are 0.1 s late one after the other: at any time they are at the values of its curve 0.1 s apart.
    let first_link = model.materials[model.groups[0].materials[20] as usize];
    let curve = &model.curves[first_link.curve.unwrap() as usize];
    let short: f64 = (0..20).map(|i| 1.0 - curve.at(0.1 * f64::from(i))[0]).sum();
    // Contacts give by g h² = 1e-6 m, and nothing slips.
    proof::relative("way of the worm with each wave", "what its links are short of", worm, link * short, 0.01);
    // The sums of the bends 0.4, 0.4, -0.4 ... are the slopes of the ruck's links.
    let slopes = [0.4_f64, 0.8, 0.4, 0.0, -0.4, -0.8, -0.4];
    let ruck: f64 = slopes.iter().map(|slope| link * (1.0 - slope.cos())).sum();
    assert!(caterpillar > 0.8 * ruck && caterpillar < ruck, "the caterpillar goes {caterpillar} m of {ruck} m");
}

/// Under its load each joint of a wire that yields at once bears no more than its yield point, though the elastic wire's bear more;
/// let go, the elastic wire is as it was and each other one as bent as its joints have flowed, the creeping one less.
#[test]
fn bent_wires_keep_what_flowed() {
    const JOINTS: usize = 11;
    let (load, compliance, limit) = (3.0, 0.05, 0.04);
    let model = gallery("plastic");
    let mut running = Running::new(&model);
    let loaded = running.run(180);
    // The elastic bend that the load's moment makes in the joint at the clamp, rad.
    let bend = |wire: usize| {
        let x = |particle: usize| loaded.positions[13 * wire + particle][0];
        compliance * load * (x(12) - x(1))
    };
    // The last of the ramp leaves the wires swinging by a centimetre of the arm's quarter of a metre.
    assert!(bend(0) > 1.5 * limit && bend(1) < 1.05 * limit, "{} rad and {} rad", bend(0), bend(1));

    let end = running.run(180);
    let flowed = |wire: usize| -> Vec<f64> {
        let joints = JOINTS * wire..JOINTS * (wire + 1);
        joints.map(|joint| end.rest_bases[1][joint] - model.groups[1].rest[joint]).collect()
    };
    assert!(flowed(0).iter().all(|bend| bend.abs() < 1e-6), "{:?}", flowed(0));
    let mut drops = [0.0; 3];
    for (wire, drop) in drops.iter_mut().enumerate() {
        // A wire whose joints are at their rest angles.
        let (mut slope, mut tip) = (0.0, [0.05, 0.0]);
        for bend in flowed(wire) {
            slope += bend;
            tip = [tip[0] + 0.05 * f64::cos(slope), tip[1] + 0.05 * f64::sin(slope)];
        }
        let (root, particle) = (model.particles.positions[13 * wire], end.positions[13 * wire + 12]);
        let apart = (particle[0] - root[0] - tip[0]).hypot(particle[1] - tip[1]);
        // It still swings by a centimetre and some.
        assert!(apart < 0.02, "wire {wire} ends {apart} m from where its rest angles put it");
        *drop = -tip[1];
    }
    assert!(drops[0] < 1e-6 && drops[2] > 0.1 && drops[1] > drops[2] + 0.1, "{drops:?}");
}
