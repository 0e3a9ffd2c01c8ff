//! The gallery's scenes of rigid bodies and joints: what theory says of each, that joints hold, and that no energy comes from nowhere.

use std::f64::consts::TAU;

use pliant::constraint::Vec3;
use pliant::measure::Measurement;
use pliant::model::{Joint, JointKind, Model, State};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

/// m/s²
const GRAVITY: f64 = 9.81;
const FRAME: f64 = 1.0 / 60.0;

type Matrix = [[f64; 3]; 3];

fn gallery(name: &str) -> Model {
    Scene::open(name).unwrap().build().unwrap().model
}

/// A scene without its bodies of such names, each of which has a line of its own.
fn without(name: &str, bodies: &str) -> Model {
    let text = Scene::gallery_text(name).unwrap();
    let mark = format!("name = \"{bodies}");
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains(&mark)).collect();
    assert!(kept.len() < text.lines().count(), "{name} has no {bodies}");
    Scene::parse(&kept.join("\n"), name, "").unwrap().build().unwrap().model
}

fn times(a: &Matrix, b: [f64; 3]) -> [f64; 3] {
    a.map(|row| (0..3).map(|i| row[i] * b[i]).sum())
}

fn between(a: [f64; 3], b: [f64; 3]) -> f64 {
    (Vec3::from(a) - Vec3::from(b)).length()
}

/// The rotation next to a matrix, by Newton's iteration R ← (R + R⁻ᵀ)/2.
fn rotation_of(mut a: Matrix) -> Matrix {
    for _ in 0..40 {
        let cofactors: Matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
                a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1]
            })
        });
        let determinant: f64 = (0..3).map(|j| a[0][j] * cofactors[0][j]).sum();
        a = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (a[i][j] + cofactors[i][j] / determinant)));
    }
    a
}

/// Where a rigid body has gone from where it was placed.
struct Pose {
    placed: [f64; 3],
    centre: [f64; 3],
    rotation: Matrix,
}

impl Pose {
    /// Of a body by its number among the rigid ones.
    fn of(model: &Model, state: &State, rigid: usize) -> Self {
        let particles = &model.rigid[rigid].particles;
        let mass = |p: u32| 1.0 / model.particles.inverse_masses[p as usize];
        let whole: f64 = particles.iter().map(|&p| mass(p)).sum();
        let middle = |x: &[[f64; 3]]| -> [f64; 3] {
            std::array::from_fn(|i| particles.iter().map(|&p| mass(p) * x[p as usize][i]).sum::<f64>() / whole)
        };
        let (placed, centre) = (middle(&model.particles.positions), middle(&state.positions));
        let spread: Matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let of = |&p: &u32| {
                    let (now, then) = (state.positions[p as usize], model.particles.positions[p as usize]);
                    mass(p) * (now[i] - centre[i]) * (then[j] - placed[j])
                };
                particles.iter().map(of).sum()
            })
        });
        Self { placed, centre, rotation: rotation_of(spread) }
    }

    /// Where a place of the body is now.
    fn carried(&self, place: [f64; 3]) -> [f64; 3] {
        let turned = times(&self.rotation, std::array::from_fn(|i| place[i] - self.placed[i]));
        std::array::from_fn(|i| self.centre[i] + turned[i])
    }
}

/// The number of a body among the rigid ones.
fn rigid(model: &Model, name: &str) -> usize {
    let body = model.bodies.iter().position(|body| body.name == name).unwrap();
    model.rigid.iter().position(|rigid| rigid.body as usize == body).unwrap()
}

/// The first particle of a body.
fn first(model: &Model, name: &str) -> usize {
    model.bodies.iter().find(|body| body.name == name).unwrap().particles.start as usize
}

/// The farthest that the two places of a joint that holds a place are from each other, m.
fn open(model: &Model, state: &State) -> f64 {
    let poses: Vec<Pose> = (0..model.rigid.len()).map(|rigid| Pose::of(model, state, rigid)).collect();
    let holds = |joint: &&Joint| joint.kind != JointKind::Slider;
    let gaps = model.joints.iter().filter(holds).map(|joint| {
        let at = |end: usize| {
            joint.bodies[end].map_or(joint.positions[end], |b| poses[b as usize].carried(joint.positions[end]))
        };
        between(at(0), at(1))
    });
    gaps.fold(0.0, f64::max)
}

/// Kinetic and that of gravity, J.
fn energy(model: &Model, state: &State) -> f64 {
    let measured = Measurement::of(model, state);
    measured.kinetic_energy_j + measured.gravity_energy_j
}

/// Times at which a series that is taken once a frame rises through 0, s.
fn rises(series: &[f64]) -> Vec<f64> {
    let through = |(i, pair): (usize, &[f64])| {
        (pair[0] < 0.0 && pair[1] >= 0.0).then(|| (i as f64 + pair[0] / (pair[0] - pair[1])) * FRAME)
    };
    series.windows(2).enumerate().filter_map(through).collect()
}

/// The mean time between rises through 0, s.
fn period(series: &[f64]) -> f64 {
    let rises = rises(series);
    assert!(rises.len() > 1, "it does not swing");
    (rises[rises.len() - 1] - rises[0]) / (rises.len() - 1) as f64
}

/// The speed of the front in a row of dominoes without friction that do not slip on the ground, each of which leans on the next, m/s (van
/// Leeuwen, The domino effect, 2010): a domino that leans by θ on one that leans by φ has h sin(θ - φ) = (s + d) cos φ - d, so that the
/// first decides how all behind it lean. Where it meets the next, the speeds of all are projected onto what all together can do, weighted
/// by their inertia, and on the way to the next one energy is kept.
fn front_speed(height: f64, thickness: f64, gap: f64) -> f64 {
    const TRAIN: usize = 30;
    const STEPS: usize = 200;
    let pitch = gap + thickness;
    // The angles of all by that of the first.
    let angles = |front: f64| -> Vec<f64> {
        let behind =
            |&ahead: &f64| Some(ahead + ((pitch * f64::cos(ahead) - thickness) / height).clamp(-1.0, 1.0).asin());
        std::iter::successors(Some(front), behind).take(TRAIN).collect()
    };
    let rates = |front: f64| -> Vec<f64> {
        let step = 1e-6;
        angles(front + step).iter().zip(angles(front - step)).map(|(a, b)| (a - b) / (2.0 * step)).collect()
    };
    // Of one domino about its lower edge, over its mass.
    let inertia = (height * height + thickness * thickness) / 3.0;
    let potential = |front: f64| -> f64 {
        angles(front).iter().map(|a| GRAVITY * (height * a.cos() + thickness * a.sin()) / 2.0).sum()
    };
    let weight = |front: f64| -> f64 { rates(front).iter().map(|rate| rate * rate).sum() };
    let meets = (gap / height).asin();
    let (mut spin, mut duration) = (1.0, 0.0);
    for _ in 0..200 {
        // As the first meets one that stands, it is the second of the new train; the last is let go.
        let (old, new) = (rates(meets), rates(0.0));
        spin *= old.iter().zip(&new[1..]).map(|(old, new)| old * new).sum::<f64>()
            / new.iter().map(|rate| rate * rate).sum::<f64>();
        let energy = 0.5 * inertia * weight(0.0) * spin * spin + potential(0.0);
        let speed = |front: f64| (2.0 * (energy - potential(front)) / (inertia * weight(front))).sqrt();
        duration = (0..STEPS).map(|i| meets / STEPS as f64 / speed(meets * (i as f64 + 0.5) / STEPS as f64)).sum();
        spin = speed(meets);
    }
    pitch / duration
}

/// All dominoes fall, one after another. The front keeps its speed to a tenth along the spiral, and is slower than without friction.
#[test]
fn dominoes_fall_at_one_speed() {
    const SPACING: f64 = 0.1;
    let model = gallery("dominoes");
    let count = model.rigid.len();
    let lean = |state: &State, domino: usize| -> f64 {
        let up = times(&Pose::of(&model, state, domino).rotation, [0.0, 1.0, 0.0]);
        up[1].clamp(-1.0, 1.0).acos()
    };
    let fallen = 20.0_f64.to_radians();
    let mut running = Running::new(&model);
    let mut leans = vec![0.0; count];
    let mut times: Vec<f64> = Vec::new();
    let before = energy(&model, &running.state());
    for frame in 0..330 {
        let state = running.run(1);
        let status = running.status();
        assert!(status.is_good() && status.surfaces_forced == 0, "frame {frame}: {status:?}");
        assert!(energy(&model, &state) < before + 1e-3 * before, "frame {frame} has energy from nowhere");
        while times.len() < count {
            let now = lean(&state, times.len());
            if now < fallen {
                leans[times.len()] = now;
                break;
            }
            let passed = (fallen - leans[times.len()]) / (now - leans[times.len()]);
            times.push((f64::from(frame) + passed) * FRAME);
        }
        // Of those that come next, how they lean now.
        (times.len() + 1..count.min(times.len() + 8)).for_each(|next| leans[next] = lean(&state, next));
    }
    assert_eq!(times.len(), count, "some stand");
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    let state = running.state();
    (0..count)
        .for_each(|domino| assert!(lean(&state, domino) > 1.0, "domino {domino} leans by {}", lean(&state, domino)));
    // From the second dozen on, but for the last ones, whose spiral is narrow.
    let steady = 12..count - 14;
    let speed = |from: usize, to: usize| (to - from) as f64 * SPACING / (times[to] - times[from]);
    let mean = speed(steady.start, steady.end);
    let windows = steady.clone().step_by(12).map(|from| speed(from, (from + 12).min(steady.end)) / mean - 1.0);
    proof::row(
        "dominoes: speed of the front, of twelve at a time",
        "one speed",
        100.0 * proof::largest(windows),
        10.0,
        "%",
    );
    let theory = front_speed(0.24, 0.036, SPACING - 0.036);
    assert!((0.7..1.0).contains(&(mean / theory)), "{mean} m/s, without friction {theory} m/s");
}

/// Without balls the bridge hangs as a row of rigid planks does, whose slopes rise by their weight over the pull H at its ends:
/// tan θ = (k - (N - 1)/2) m g/H. With balls on it joints hold, and none falls off.
#[test]
fn a_bridge_hangs_as_a_chain_does() {
    const PLANKS: usize = 20;
    const SPAN: f64 = 2.6;
    /// The height of its ends, m.
    const ENDS: f64 = 0.25;
    let model = without("bridge", "ball ");
    let length = 2.78 / PLANKS as f64;
    let slope = |k: usize, pull: f64| (k as f64 - (PLANKS - 1) as f64 / 2.0) / pull;
    let span = |pull: f64| (0..PLANKS).map(|k| length * slope(k, pull).atan().cos()).sum::<f64>();
    let (mut low, mut high) = (1.0, 1000.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if span(middle) < SPAN { low = middle } else { high = middle }
    }
    // The pull in weights of a plank.
    let pull = low;
    let sag = -(0..PLANKS / 2).map(|k| length * slope(k, pull).atan().sin()).sum::<f64>();
    let mut running = Running::new(&model);
    let state = running.run(120);
    let middle = model.joints[PLANKS / 2].positions[0];
    let hangs = ENDS - Pose::of(&model, &state, PLANKS / 2).carried(middle)[1];
    proof::relative("bridge: sag", "that of a chain of rigid planks", hangs, sag, 0.01);
    let weight: f64 =
        model.rigid[0].particles.iter().map(|&p| GRAVITY / model.particles.inverse_masses[p as usize]).sum();
    let ends = f64::hypot(pull, PLANKS as f64 / 2.0) * weight;
    // The rails, which hang beside it, bear a little.
    proof::relative("bridge: force at its end", "that of a chain of rigid planks", state.joints[0].force, ends, 0.05);
    let model = gallery("bridge");
    let mut running = Running::new(&model);
    let before = energy(&model, &running.state());
    let mut widest: f64 = 0.0;
    for frame in 1..=24 {
        let state = running.run(10);
        assert!(running.status().is_good(), "frame {frame}: {:?}", running.status());
        assert!(energy(&model, &state) < before, "frame {frame} has energy from nowhere");
        widest = widest.max(open(&model, &state));
    }
    proof::row("bridge: how far joints open under the balls", "0", 1e3 * widest, 1.0, "mm");
    let state = running.state();
    for ball in ["ball 1", "ball 2", "ball 3"] {
        let [x, y, z] = state.positions[first(&model, ball)];
        assert!(x.abs() < SPAN / 2.0 && y > ENDS - 1.2 * sag && z.abs() < 0.28, "{ball} is at {:?}", [x, y, z]);
    }
}

/// The angle of a door about its hinge, rad.
fn angle(model: &Model, state: &State, door: usize) -> f64 {
    let turned = times(&Pose::of(model, state, door).rotation, [1.0, 0.0, 0.0]);
    (-turned[2]).atan2(turned[0])
}

/// A door that is pushed swings with the period 2π √(I α) of its inertia about the hinge and the spring of its motor. The ball goes
/// through all doors and comes back; limits hold all the while.
#[test]
fn doors_swing_as_their_springs_say() {
    const WIDTH: f64 = 0.25;
    const THICKNESS: f64 = 0.02;
    let mut model = without("door", "ball");
    let door = rigid(&model, "near door 3");
    let (hinge, rate) = (0.275, 1.0);
    for &p in &model.rigid[door].particles.clone() {
        let [x, _, z] = model.particles.positions[p as usize];
        model.particles.velocities[p as usize] = [rate * (z - hinge), 0.0, -rate * x];
    }
    let mass: f64 = model.rigid[door].particles.iter().map(|&p| 1.0 / model.particles.inverse_masses[p as usize]).sum();
    let arm = WIDTH / 2.0 + 0.012;
    let inertia = mass * ((WIDTH * WIDTH + THICKNESS * THICKNESS) / 12.0 + arm * arm);
    let compliance = model.joints[door].motor.unwrap().compliance;
    let mut running = Running::new(&model);
    let angles: Vec<f64> = (0..240).map(|_| angle(&model, &running.run(1), door)).collect();
    let claim = "a door on its spring: period";
    proof::relative(claim, "2π √(I α)", period(&angles), TAU * (inertia * compliance).sqrt(), 0.02);

    let model = gallery("door");
    let ball = first(&model, "ball");
    let mut running = Running::new(&model);
    let (mut widest, mut farthest, mut opened): (f64, f64, f64) = (0.0, 0.0, 0.0);
    let mut back = f64::INFINITY;
    for _ in 0..240 {
        let state = running.run(1);
        assert!(running.status().is_good(), "frame {}: {:?}", state.frame, running.status());
        let most = (0..model.rigid.len()).map(|door| angle(&model, &state, door).abs()).fold(0.0, f64::max);
        (widest, opened) = (widest.max(most), opened.max(open(&model, &state)));
        farthest = farthest.max(state.positions[ball][0]);
        if farthest > 1.0 {
            back = back.min(state.positions[ball][0]);
        }
    }
    proof::row("doors: past their limit of 1.45 rad", "0", (widest - 1.45).max(0.0), 0.01, "rad");
    proof::row("doors: how far joints open", "0", 1e3 * opened, 1.0, "mm");
    assert!(farthest > 1.0 && back < 0.5, "the ball came to {farthest} m and back to {back} m");
}

/// The chain of joints keeps its length under a ball of a thousand times the mass of a link, and swings as a pendulum. That of distances
/// stretches by more than a tenth.
#[test]
fn a_heavy_ball_does_not_stretch_a_chain_of_joints() {
    let model = gallery("heavy_chain");
    let links = model.joints.len() - 1;
    let length = 0.1 * links as f64;
    let ball = rigid(&model, "ball");
    let [hook, eye] = [model.joints[0].positions[1], model.joints[links].positions[0]];
    let particles = first(&model, "particles");
    let mut running = Running::new(&model);
    let (mut stretch, mut other, mut opened): (f64, f64, f64) = (0.0, 0.0, 0.0);
    let mut offsets = Vec::new();
    for _ in 0..320 {
        let state = running.run(1);
        let pose = Pose::of(&model, &state, ball);
        stretch = stretch.max(between(hook, pose.carried(eye)) / length - 1.0);
        other = other.max(between(state.positions[particles], state.positions[particles + links]) / length - 1.0);
        opened = opened.max(open(&model, &state));
        offsets.push(pose.centre[0] - hook[0]);
    }
    proof::row("a chain of joints under a thousandfold weight, swinging: stretch", "0", stretch, 1e-3, "of its length");
    proof::row("joints of that chain: how far they open", "0", 1e3 * opened, 1.0, "mm");
    assert!(other > 0.1, "the chain of distances stretched by {other}");
    // A simple pendulum to the ball's centre; 1 + a²/16 for its amplitude a. The ball's own inertia adds 2/5 (R/l)² to the square.
    let arm = between(hook, Pose::of(&model, &running.state(), ball).centre);
    let theory = TAU * (arm / GRAVITY).sqrt() * (1.0 + 0.35 * 0.35 / 16.0);
    proof::relative("that chain: period", "2π √(l/g) (1 + a²/16)", period(&offsets), theory, 0.02);
}

/// Each top goes round at the rate Ω of I₁ Ω² cos θ - I₃ ω Ω + M g l = 0, which for a fast one is M g l/(I₃ ω), and sinks slowly.
#[test]
fn tops_precess_as_theory_says() {
    const FRAMES: u32 = 120;
    let model = gallery("top");
    let mut running = Running::new(&model);
    let count = model.rigid.len() / 2;
    let axis = |state: &State, top: usize| -> [f64; 3] {
        let foot = model.joints[2 * top + 1].positions[1];
        let to = |x: [f64; 3]| -> [f64; 3] { std::array::from_fn(|i| x[i] - foot[i]) };
        let centre = to(Pose::of(&model, state, 2 * top).centre);
        let size = between(centre, [0.0; 3]);
        centre.map(|x| x / size)
    };
    let azimuth = |axis: [f64; 3]| (-axis[2]).atan2(axis[0]);
    let start: Vec<[f64; 3]> = (0..count).map(|top| axis(&running.state(), top)).collect();
    let rates: Vec<f64> = (0..count)
        .map(|top| {
            let foot = Vec3::from(model.joints[2 * top + 1].positions[1]);
            let up = Vec3::from(start[top]);
            // Mass times height, I₁ and I₃ ω.
            let (mut moment, mut across, mut spin) = (0.0, 0.0, 0.0);
            for &p in model.rigid[2 * top].particles.iter().chain(&model.rigid[2 * top + 1].particles) {
                let m = 1.0 / model.particles.inverse_masses[p as usize];
                let r = Vec3::from(model.particles.positions[p as usize]) - foot;
                let height = r.dot(up);
                let square = r.dot(r) - height * height;
                moment += m * height;
                across += m * (height * height + 0.5 * square);
                spin += m * r.cross(Vec3::from(model.particles.velocities[p as usize])).dot(up);
            }
            let (torque, lean) = (GRAVITY * moment, start[top][1]);
            let root = (spin * spin - 4.0 * across * lean * torque).sqrt();
            (spin - root) / (2.0 * across * lean)
        })
        .collect();
    let mut turned = vec![0.0; count];
    let mut last: Vec<f64> = start.iter().map(|&axis| azimuth(axis)).collect();
    let mut wobble: f64 = 0.0;
    for _ in 0..FRAMES {
        let state = running.run(1);
        for top in 0..count {
            let axis = axis(&state, top);
            let step = azimuth(axis) - last[top];
            turned[top] += step - TAU * (step / TAU).round();
            last[top] = azimuth(axis);
            wobble = wobble.max((axis[1].acos() - start[top][1].acos()).abs());
        }
    }
    for (top, (turned, rate)) in turned.iter().zip(rates).enumerate() {
        let claim = format!("top {}: rate at which it goes round", top + 1);
        proof::relative(&claim, "I₁ Ω² cos θ - I₃ ω Ω + M g l = 0", turned / (f64::from(FRAMES) * FRAME), rate, 0.02);
    }
    // Implicit steps take energy, in proportion to the substep.
    let seconds = f64::from(FRAMES) * FRAME;
    proof::row("tops: how far they sink in a second", "0", wobble.to_degrees() / seconds, 4.0, "°");
    assert!(open(&model, &running.state()) < 1e-4);
}

/// The claw holds the ball on its way, drops it in the box, and leaves the others where they are. Its motors lead it to the millimetre.
#[test]
fn a_claw_carries_a_ball() {
    let model = gallery("claw");
    let [ball, palm, carriage] = ["ball 1", "palm", "carriage"].map(|name| rigid(&model, name));
    let mut running = Running::new(&model);
    let held = |state: &State| {
        let [ball, palm] = [ball, palm].map(|body| Pose::of(&model, state, body).centre);
        std::array::from_fn::<f64, 3, _>(|i| ball[i] - palm[i])
    };
    // From when the fingers have closed to when they open.
    let lifted = held(&running.run(120));
    let mut opened: f64 = 0.0;
    for _ in 0..13 {
        let state = running.run(10);
        assert!(running.status().is_good(), "frame {}: {:?}", state.frame, running.status());
        let slipped = between(held(&state), lifted);
        assert!(slipped < 0.03, "frame {}: the ball has slipped by {slipped} m", state.frame);
        opened = opened.max(open(&model, &state));
    }
    proof::row("claw: how far joints open", "0", 1e3 * opened, 1.0, "mm");
    let state = running.run(90);
    let gone = Pose::of(&model, &state, carriage);
    proof::row(
        "claw: the carriage is off its motor's 1 m by",
        "0",
        1e3 * (gone.centre[0] - gone.placed[0] - 1.0).abs(),
        1.0,
        "mm",
    );
    let [x, y, z] = Pose::of(&model, &state, ball).centre;
    assert!((x - 0.5).abs() < 0.13 && y < 0.2 && z.abs() < 0.13, "the ball is at {:?}", [x, y, z]);
}
