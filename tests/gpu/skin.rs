//! Skins: the kernel against its twin, the fit of the tetrahedra that carry them, and what falls with one on.

use pliant::constraint::Vec3;
use pliant::mesh::TriangleMesh;
use pliant::model::Model;
use pliant::scene::{Body, Collider, Filling, Scene, Soft, Sphere, Torus};
use pliant::solver::Solver;
use pliant::{bytemuck, wgpu};

use crate::device::{Running, arrived, gpu};
use crate::skins::{built, skin_of, solid_of};

/// A doughnut that falls on the ground beside a sheetless ball, so far from the origin.
fn falling(away: f64) -> Model {
    let soft = |surface: Filling| Body::soft(Soft::new(surface).young_modulus(2e4)).density(300.0);
    let doughnut =
        soft(Filling::new(Torus { radius: 0.3, tube_radius: 0.12, segments: 24, tube_segments: 12 }).cell(0.1));
    let ball = soft(Filling::new(Sphere { radius: 0.15, segments: 20 }).cell(0.1));
    let mut scene = Scene::new("skins")
        .with(doughnut.position([away, 0.15, away]).velocity([0.0, -1.0, 0.5]))
        .with(ball.position([away + 0.6, 0.3, away]).angular_velocity([0.0, 5.0, 0.0]))
        .collider(Collider::plane([0.0, 1.0, 0.0], 0.0));
    scene.settings.substeps = 15;
    built(&scene)
}

/// What a buffer of vectors holds.
fn read(buffer: &wgpu::Buffer) -> Vec<[f32; 4]> {
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    let descriptor = wgpu::BufferDescriptor { label: None, size: buffer.size(), usage, mapped_at_creation: false };
    let copy = gpu().device.create_buffer(&descriptor);
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, copy.size());
    gpu().queue.submit([encoder.finish()]);
    let (done, told) = std::sync::mpsc::channel();
    copy.map_async(wgpu::MapMode::Read, .., move |result| _ = done.send(result));
    arrived(|| told.try_recv().ok()).unwrap();
    bytemuck::pod_collect_to_vec(&copy.get_mapped_range(..).unwrap())
}

/// The vertices and normals of the skins on the device, with the fourth number of these.
fn on_device(solver: &Solver, model: &Model) -> [Vec<[f64; 4]>; 2] {
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    solver.update_normals(&mut encoder);
    gpu().queue.submit([encoder.finish()]);
    [solver.positions(), solver.normals()].map(|buffer| {
        let all = read(buffer);
        assert_eq!(all.len(), model.particles.len() + model.skin_vertices());
        all[model.particles.len()..].iter().map(|values| values.map(f64::from)).collect()
    })
}

/// Unit normals, and how long the mean of the triangles' own ones is.
fn unit_normals(mesh: &TriangleMesh) -> Vec<(Vec3<f64>, f64)> {
    let mut sums = vec![(Vec3::zero(), Vec3::zero(), 0.0); mesh.positions.len()];
    for corners in &mesh.triangles {
        let [a, b, c] = corners.map(|v| Vec3::from(mesh.positions[v as usize]));
        let area = (b - a).cross(c - a);
        for &v in corners {
            sums[v as usize].0 += area;
            sums[v as usize].1 += area * (1.0 / area.length());
            sums[v as usize].2 += 1.0;
        }
    }
    sums.into_iter().map(|(sum, normals, count)| (sum * (1.0 / sum.length()), normals.length() / count)).collect()
}

/// Skins are on the device where the double-precision twin has them, with the normals of the triangles there, and as well a kilometre
/// away.
#[test]
fn skins_equal_their_twin() {
    for away in [0.0, 1000.0] {
        let model = falling(away);
        let mut running = Running::new(&model);
        let state = running.run(20);
        let [positions, normals] = on_device(&running.solver, &model);
        // A drawn position is on the lattice, within half a step of a power of two; 4 (1000 + 1) m need 2^12, and 64 m 2^6.
        let step = if away > 0.0 { 2.0_f64.powi(12 - 24) } else { 2.0_f64.powi(6 - 24) };
        let (mut from_twin, mut turned) = (0.0_f64, 0.0_f64);
        for (body, (first, skin)) in model.skins().enumerate() {
            let twin = skin_of(&model, body, &state);
            let range = first as usize..first as usize + skin.len();
            for (found, expected) in positions[range.clone()].iter().zip(&twin.positions) {
                from_twin = (0..3).map(|i| (found[i] - expected[i]).abs()).fold(from_twin, f64::max);
            }
            for (&[x, y, z, flat], (normal, flatness)) in normals[range].iter().zip(unit_normals(&twin)) {
                turned = turned.max((Vec3 { x, y, z } - normal).length()).max((flat - flatness).abs());
            }
        }
        assert!(
            from_twin <= 0.5 * step + 1e-7,
            "{away} m away: {from_twin:.2e} m from the twin, steps of {step:.2e} m"
        );
        // The rest below the lattice is kept. A particle's is good to the rounding of e and of products of 0.1 m and a weight of f32, some
        // 1e-8 m, over edges of 0.03 m; the twin's particles are rounded the same.
        assert!(turned < 1e-5, "{away} m away: normals differ by {turned:.2e}");
    }
}

/// Two buildings of a scene give the same tetrahedra and the same skin.
#[test]
fn filling_is_deterministic() {
    let [a, b] = [falling(0.0), falling(0.0)];
    assert_eq!((&a.particles.positions, &a.bodies), (&b.particles.positions, &b.bodies));
}

/// A model without skins has nothing of them: neither a vertex nor a dispatch.
#[test]
fn without_skins_there_is_nothing() {
    let model = built(&Scene::open("soft").unwrap_or_else(|error| panic!("{error}")));
    let solver = Running::new(&model).solver;
    assert_eq!((model.skin_vertices(), solver.positions().size()), (0, 16 * model.particles.len() as u64));
}

/// The doughnut of the gallery comes to rest on the ball, which is a little wider than its hole: neither over it nor off it. It and the
/// ball of jelly keep their volume and all elements their side, and their skins do not sink into the ground.
#[test]
fn a_doughnut_comes_to_rest_on_a_ball() {
    let model = built(&Scene::open("doughnut").unwrap_or_else(|error| panic!("{error}")));
    let mut running = Running::new(&model);
    let state = running.run(240);
    assert!(running.status().is_good());
    for body in 0..2 {
        let (rest, now) =
            (solid_of(&model, body, &model.particles.positions), solid_of(&model, body, &state.positions));
        let least = now.tetrahedra.iter().map(|&t| now.volume_of(t) / rest.volume_of(t)).fold(f64::INFINITY, f64::min);
        assert!(least > 0.0, "an element of body {body} has {least} of its volume");
        let low = skin_of(&model, body, &state).bounding_box().unwrap().0[1];
        // The jelly lies on the ground: its skin sinks into it, or stands off, by a tenth of a cell of 0.07 m.
        let bound = if body == 0 { 0.03..0.32 } else { -0.007..0.007 };
        assert!(bound.contains(&low), "body {body} is {low} m above the ground");
        let speed = model.bodies[body].particles.clone().map(|p| Vec3::from(state.velocities[p as usize]).length());
        // Single vertices tremble where elements are pressed.
        assert!(speed.fold(0.0, f64::max) < 0.1, "body {body} is not at rest");
    }
    let [x, y, z] = centroid(&skin_of(&model, 0, &state));
    // A rigid one would touch the ball all around where its tube's middle is 0.36 m from the ball's, that is 0.439 m above the ground; one on
    // the ground has 0.12 m. The least that this one may have is where the tube is widest around the ball.
    println!("doughnut at {x} {y} {z}");
    assert!(x.abs() < 0.02 && z.abs() < 0.02 && (0.24..0.439).contains(&y), "[{x}, {y}, {z}]");
}

fn centroid(mesh: &TriangleMesh) -> [f64; 3] {
    std::array::from_fn(|i| mesh.positions.iter().map(|x| x[i]).sum::<f64>() / mesh.positions.len() as f64)
}
