//! Colliders that go by samples: meshes, hulls and height fields, against their twin and against theory.

use pliant::constraint::Vec3;
use pliant::model::{self, Keyframes, Model, Turning};
use pliant::scene::{Body, Collider, ColliderShape, Cuboid, Hull, Mesh, Particles, Scene, Torus};

use crate::device::run;
use crate::kernels::difference;
use crate::models::{self, GRAVITY};
use crate::proof;
use crate::random::Random;

pub const TORUS: Torus = Torus { radius: 0.3, tube_radius: 0.12, segments: 96, tube_segments: 48 };

pub fn mesh(mesh: impl Into<Mesh>, cells: u32) -> Collider {
    Collider::new(ColliderShape::Mesh { mesh: mesh.into(), scale: 1.0, cells })
}

/// A gem without symmetry.
fn hull(cells: u32) -> Collider {
    let points = vec![
        [0.0, 0.4, 0.0],
        [0.3, 0.0, 0.1],
        [-0.3, 0.1, 0.0],
        [0.0, 0.0, 0.35],
        [0.05, -0.1, -0.3],
        [0.0, -0.25, 0.05],
        [0.2, 0.2, 0.2],
    ];
    Collider::new(ColliderShape::Convex { hull: Hull::Points(points), scale: 1.0, cells })
}

/// 7 by 5 heights over 1.0 by 0.8 m.
fn hills() -> Collider {
    let height = |x: i32, z: i32| 0.15 * (1.3 * f64::from(x)).sin() - 0.1 * (0.9 * f64::from(z)).cos();
    let rows: Vec<Vec<f64>> = (0..5).map(|z| (0..7).map(|x| height(x, z)).collect()).collect();
    Collider::height_field(rows, [1.0, 0.8])
}

/// The collider as the model has it.
fn built(collider: Collider) -> model::Collider {
    // What is fixed may be anywhere.
    let scene = Scene::new("").with(Body::particles(Particles::from([[0.0; 3]]).masses([0.0]))).collider(collider);
    let built = scene.build().unwrap_or_else(|error| panic!("{error}"));
    assert!(built.notes.is_empty(), "{:?}", built.notes);
    built.model.colliders[0].clone()
}

/// Contact with meshes, hulls and height fields, solid and hollow, still and moving and turning, inside and outside of their grids, is found
/// and solved as by the twin. For one substep, since then rounding decides whether what was pushed to the surface is outside, and in which
/// cell a point between two lies, and the gradient jumps there: of the 800 particles none is as near to such a face.
#[test]
fn fields_equal_their_twin() {
    let mut random = Random::new(11);
    let count = 800;
    let positions: Vec<[f64; 3]> = (0..count).map(|_| random.vector(-0.5, 0.5)).collect();
    let masses: Vec<f64> = (0..count).map(|i| if i % 20 == 0 { 0.0 } else { random.number(0.1, 3.0) }).collect();
    let mut model = models::particles(&positions, &masses);
    model.particles.velocities = (0..count).map(|_| random.vector(-2.0, 2.0)).collect();
    let body = &mut model.bodies[0];
    (body.radius, body.friction, body.dynamic_friction, body.restitution) = (0.02, 0.6, 0.4, 0.8);
    (model.settings.substeps, model.settings.iterations) = (1, 2);
    // Kept off anything round: in what is exactly symmetric points lie between cells.
    let placed = |collider: Collider| collider.position([0.013, -0.021, 0.017]).rotation([0.1, 0.2, -0.15, 0.9]);
    let rough = |collider: Collider| placed(collider).friction(0.4).dynamic_friction(0.2).restitution(0.4);
    let moving = Keyframes::new(vec![(0.0, [0.0; 3]), (1.0, [0.3, 0.6, -0.2])]);
    let shapes = [mesh(TORUS, 32), mesh(TORUS, 32).inside(), hull(24), hull(24).inside(), hills()];
    let mut all = Vec::new();
    for shape in shapes {
        let mut collider = built(rough(shape));
        for motion in [false, true] {
            if motion {
                collider.motion = moving.clone();
                collider.turning = Some(Turning { spin: [2.0, -1.0, 3.0], rotations: None });
            }
            model.colliders = vec![collider.clone()];
            let (found, twin) = (run(&model, 1), models::run(&model, 1));
            assert!(twin.contacts > 10, "{}: only {} contacts", collider.shape.name(), twin.contacts);
            assert_eq!(found.contacts, twin.contacts, "{}", collider.shape.name());
            let (positions, _) = difference(&found, &twin);
            let velocities = found.velocities.iter().zip(&twin.velocities);
            let velocities = velocities.map(|(&v, &w)| (Vec3::from(v) - Vec3::from(w)).length()).fold(0.0, f64::max);
            // Distances of 0.5 m are rounded at 3e-8, and their differences over cells of 3 cm make normals that are off by 2e-6 on ways
            // of a centimetre or two; in the middle of the tube, where the gradient is short, several times as much.
            assert!(positions < 5e-6, "{}: {positions:.2e} m", collider.shape.name());
            assert!(velocities < 5e-6 * 60.0, "{}: {velocities:.2e} m/s", collider.shape.name());
        }
        all.push(collider);
    }
    // Several share one buffer, two of them their samples.
    all.push(model::Collider { position: [0.9, 0.4, 0.2], ..all[0].clone() });
    model.colliders = all.into_iter().filter(|collider| !collider.inside).collect();
    let (found, twin) = (run(&model, 1), models::run(&model, 1));
    assert_eq!(found.contacts, twin.contacts);
    let (positions, _) = difference(&found, &twin);
    assert!(positions < 5e-6, "{positions:.2e} m");
}

/// A plank of a metre, or ground as large, whose top is the plane y = 0.
fn slopes() -> [(&'static str, Collider); 3] {
    let plank = Cuboid { cells: [1; 3], size: [2.0, 0.5, 1.0] };
    let corners = (0..8).map(|i| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { 0.5 } else { -0.5 } * plank.size[axis]));
    let hull = ColliderShape::Convex { hull: Hull::Points(corners.collect()), scale: 1.0, cells: 24 };
    [
        ("a mesh", mesh(plank, 24).position([0.0, -0.25, 0.0])),
        ("a hull", Collider::new(hull).position([0.0, -0.25, 0.0])),
        ("a height field", Collider::height_field(vec![vec![0.0; 9]; 5], [2.0, 1.0])),
    ]
}

/// Flat faces are flat: on one that slopes by tan θ = 0.5 a ball sticks where static friction is above that, and slides with
/// g (sin θ - μ cos θ) where μ is half of it.
#[test]
fn balls_stick_and_slide_on_fields() {
    const RADIUS: f64 = 0.05;
    let (sin, cos) = (0.5 / 1.25_f64.sqrt(), 1.0 / 1.25_f64.sqrt());
    // About z, by the slope's angle clockwise.
    let half = 0.5 * sin.atan2(cos);
    let rotation = [0.0, 0.0, -half.sin(), half.cos()];
    let turned = |v: [f64; 3]| [cos * v[0] + sin * v[1], cos * v[1] - sin * v[0], v[2]];
    for (what, slope) in slopes() {
        let centre = slope.position;
        let collider = built(slope.position(turned(centre)).rotation(rotation));
        // A little off the middle, which is between two cells.
        let starts = [[-0.31, RADIUS, 0.03], [-0.33, RADIUS, 0.21]].map(turned);
        let mut model = models::particles(&starts, &[2.0; 2]);
        model.bodies[0].particles = 0..1;
        model.bodies.push(model::Body { particles: 1..2, ..model.bodies[0].clone() });
        model.particles.bodies[1] = 1;
        for (body, friction) in model.bodies.iter_mut().zip([[0.51, 0.1], [0.4, 0.25]]) {
            [body.friction, body.dynamic_friction] = friction;
            body.radius = RADIUS;
        }
        model.colliders = vec![model::Collider { friction: 0.51, dynamic_friction: 0.25, ..collider }];
        let state = run(&model, 30);
        let slid = |i: usize| {
            let way = Vec3::from(state.positions[i]) - Vec3::from(starts[i]);
            Vec3::from(turned([1.0, 0.0, 0.0])).dot(way)
        };
        // Rounding of distances near 0.5 m at 3e-8, in each of 300 substeps.
        assert!(slid(0).abs() < 1e-5, "{what}: {} m", slid(0));
        let claim = format!("a ball slides down {what}");
        // Without impact at the start the sum over substeps is longer than the integral by h/t, a 300th; and by what is pressed in.
        proof::relative(&claim, "½ g (sin θ - μ cos θ) t²", slid(1), GRAVITY * (sin - 0.25 * cos) / 8.0, 0.01);
    }
}

/// So many particles of a radius, free and without weight.
fn flying(tries: &[(Vec3<f64>, Vec3<f64>)], radius: f64, collider: &model::Collider) -> Model {
    let positions: Vec<[f64; 3]> = tries.iter().map(|&(place, _)| place.into()).collect();
    let mut model = models::particles(&positions, &vec![1.0; tries.len()]);
    model.particles.velocities = tries.iter().map(|&(_, velocity)| velocity.into()).collect();
    model.world.gravity = [0.0; 3];
    model.bodies[0].radius = radius;
    model.colliders.push(collider.clone());
    model
}

/// A random direction.
fn direction(random: &mut Random) -> Vec3<f64> {
    loop {
        let (direction, length) = Vec3::from(random.vector(-1.0, 1.0)).direction_and_length();
        if (0.1..1.0).contains(&length) {
            return direction;
        }
    }
}

/// At 100 m/s, ten substeps and 60 frames a second none of a thousand particles gets through a mesh: they come at random angles, from up to
/// eight substeps away, to the outer side of a torus, which nothing of it is beyond. Left of the velocity is what is along the surface in
/// closed form; its normal is that of the mesh's facets, to 2°, through the grid's cells, to half a cell over the tube's radius, together 9 %.
#[test]
fn nothing_passes_a_mesh() {
    let fine = Torus { segments: 192, tube_segments: 96, ..TORUS };
    let torus = built(mesh(fine, 64));
    let mut random = Random::new(17);
    let (mut tries, mut expected) = (Vec::new(), Vec::new());
    for radius in [0.0, 0.01] {
        tries.clear();
        expected.clear();
        while tries.len() < 1000 {
            let (around, up) = (random.number(-3.1, 3.1), random.number(-1.3, 1.3));
            let outward = Vec3::new(around.cos(), 0.0, around.sin());
            let normal = outward * up.cos() + Vec3::axis(1) * up.sin();
            let way = direction(&mut random);
            if -normal.dot(way) > 0.2 {
                let target = outward * TORUS.radius + normal * (TORUS.tube_radius + radius);
                tries.push((target - way * random.number(0.02, 1.3), way * 100.0));
                expected.push((way - normal * normal.dot(way)) * 100.0);
            }
        }
        let state = run(&flying(&tries, radius, &torus), 1);
        let right = |i: &usize| (Vec3::from(state.velocities[*i]) - expected[*i]).length() < 9.0;
        assert_eq!((0..1000).filter(right).count(), 1000, "radius {radius}");
    }
}

/// Nor out of a hollow ball, whose wall they meet again and again, nor into the ground.
#[test]
fn nothing_passes_a_wall_or_the_ground() {
    let mut random = Random::new(23);
    let ball = built(mesh(pliant::scene::Sphere { radius: 0.5, segments: 60 }, 40).inside());
    let tries: Vec<_> = (0..1000)
        .map(|_| {
            (direction(&mut random) * random.number(0.0, 0.48), direction(&mut random) * random.number(10.0, 100.0))
        })
        .collect();
    let state = run(&flying(&tries, 0.01, &ball), 6);
    let farthest = state.positions.iter().map(|&x| Vec3::from(x).length()).fold(0.0, f64::max);
    // The facets' corners are at the radius, and the grid rounds nothing off by more than a tenth of its cells of 2.5 cm. A substep's way is
    // 17 cm at most, and what one plane leaves of a round wall at a way s from where it touches, s²/2R, the second mends to second order.
    assert!(farthest < 0.49 + 4e-3, "{farthest} m");

    let ground = built(hills());
    let tries: Vec<_> = (0..1000)
        .map(|_| {
            let target = Vec3::new(random.number(-0.45, 0.45), 0.0, random.number(-0.35, 0.35));
            let way = Vec3::new(random.number(-0.7, 0.7), -1.0, random.number(-0.7, 0.7));
            (target - way * random.number(0.5, 1.0), way * 100.0)
        })
        .collect();
    let state = run(&flying(&tries, 0.0, &ground), 1);
    // Where it bends inwards one plane a substep leaves some millimetres of 17 cm until the next.
    let over = |x: &[f64; 3]| x[0].abs() > 0.5 || x[2].abs() > 0.4 || ground.distance(0.0, *x).1 > -1e-2;
    assert_eq!(state.positions.iter().filter(|x| over(x)).count(), 1000);
}
