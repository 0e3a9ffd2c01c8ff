//! What a builder hands over is checked as what a file says.

use pliant::constraint::{self, Arity, Constraint as Kind, Real, RestValue, Symmetry, Vec3};
use pliant::model::{Mode, Settings};
use pliant::scene::{Body, Cloth, Collider, Constraint, Force, Grid, Pin, Scene, Select, TriangleMesh};

/// Meshes that a builder hands over are checked as those from files are.
#[test]
fn meshes_of_the_builder() {
    let refused = |positions: &[[f64; 3]], triangles: &[[u32; 3]]| {
        let mesh = TriangleMesh { positions: positions.to_vec(), triangles: triangles.to_vec() };
        Scene::new("").with(Body::cloth(mesh)).build().expect_err("a refusal").to_string()
    };
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
    assert!(refused(&[], &[]).contains("body[0].mesh: has no area"));
    assert!(refused(&corners, &[]).contains("has no area"));
    assert!(refused(&corners, &[[0, 1, 3]]).contains("has no area"));
    assert!(
        refused(&corners, &[[0, 1, 9]]).contains("triangles[0]: names a vertex that does not exist: the mesh has 4")
    );
    assert!(refused(&corners, &[[0, 1, 2]]).contains("vertex 3 belongs to no triangle with area"));
    assert!(refused(&corners, &[[0, 1, 1]]).contains("triangles[0]: names one vertex twice"));
    assert!(refused(&[[f64::NAN; 3]; 3], &[[0, 1, 2]]).contains("positions[0][0]"));
}

/// The builder's users get the same checks, with the place and without a line; nothing that is not a number gets through
/// any field.
#[test]
fn builder() {
    let grid = Grid { columns: 3, rows: 3, width: 1.0, height: 1.0 };
    let error = Scene::new("").with(Body::cloth(grid).mass(-1.0)).build().expect_err("a negative mass");
    assert_eq!((error.path().as_str(), error.position), ("body[0].mass", None));
    assert!(error.to_string().starts_with("body[0].mass: must be a finite number from 0"), "{error}");

    let nan = f64::NAN;
    let links = || Constraint::<u32>::new("distance", [[0, 1]]);
    let in_cloth = |cloth: Cloth| Scene::new("").with(Body::cloth(cloth));
    let with = |change: &dyn Fn(Body) -> Body| Scene::new("").with(change(Body::cloth(grid)));
    let plain = || Scene::new("").with(Body::cloth(grid));
    let settings = |change: &dyn Fn(&mut Settings)| {
        let mut scene = plain();
        change(&mut scene.settings);
        scene
    };
    let scenes = [
        in_cloth(Cloth::new(Grid { width: nan, ..grid })),
        in_cloth(Cloth::new(grid).stretch(nan)),
        in_cloth(Cloth::new(grid).shear(nan)),
        in_cloth(Cloth::new(grid).bend(nan)),
        in_cloth(Cloth { stretch_stiffness: nan, ..Cloth::new(grid) }),
        with(&|body| body.scale(nan)),
        with(&|body| body.rotation([nan, 0.0, 0.0, 1.0])),
        with(&|body| body.position([0.0, nan, 0.0])),
        with(&|body| body.velocity([0.0, nan, 0.0])),
        with(&|body| body.angular_velocity([0.0, nan, 0.0])),
        with(&|body| body.density(nan)),
        with(&|body| body.radius(nan)),
        with(&|body| body.thickness(nan)),
        with(&|body| body.friction(nan)),
        with(&|body| body.dynamic_friction(nan)),
        with(&|body| body.restitution(nan)),
        with(&|body| body.damping(nan)),
        with(&|body| body.colour([0.0, f32::NAN, 0.0])),
        with(&|body| body.pin(Select::Sphere { centre: [0.0; 3], radius: nan })),
        with(&|body| body.pin(Pin::from("top").keyframes([(nan, [0.0; 3])]))),
        with(&|body| body.constrain(links().compliance(nan))),
        with(&|body| body.constrain(links().damping(nan))),
        with(&|body| body.constrain(links().stiffness(nan))),
        with(&|body| body.constrain(links().break_force(nan))),
        with(&|body| body.constrain(links().rest("rest_length", nan))),
        plain().force(Force::new([nan, 0.0, 0.0])),
        plain().force(Force::new(vec![(0.0, [nan, 0.0, 0.0])])),
        plain().collider(Collider::plane([nan, 1.0, 0.0], 0.0)),
        plain().collider(Collider::plane([0.0, 1.0, 0.0], nan)),
        plain().collider(Collider::sphere(nan)),
        plain().collider(Collider::sphere(1.0).position([nan; 3])),
        settings(&|settings| settings.frame_rate = nan),
        settings(&|settings| settings.relaxation = nan),
    ];
    for (index, scene) in scenes.iter().enumerate() {
        let error = scene.build().expect_err(&format!("scene {index}"));
        assert!(error.to_string().contains("found NaN"), "scene {index}: {error}");
    }
}

pliant::gpu_record! {
    struct NeverAtRest {
        particles: [u32; 2],
        material: u32,
        _padding: u32,
    }
}

impl Kind for NeverAtRest {
    const NAME: &'static str = "never_at_rest";
    const WGSL: &'static str = "";
    const ARITY: Arity = Arity::Two;
    const REST: &'static [RestValue] = &[];
    const SYMMETRIES: &'static [Symmetry] = &[];
    const PBD: bool = false;
    fn record(particles: &[u32], _: &[f32], material: u32) -> Self {
        Self { particles: [particles[0], particles[1]], material, _padding: 0 }
    }
    fn measure(_: &[Vec3<f64>]) -> Vec<f64> {
        Vec::new()
    }
    fn evaluate<R: Real>(_: &[R], _: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        gradient.fill(Vec3::zero());
        (x[0] - x[1]).length() + R::from_f64(1.0)
    }
}

/// A kind of the embedder's own is found by its name, refused in PBD mode if it has none, and refused if registered twice.
#[test]
fn kinds_of_the_embedder() {
    let links = Constraint::<u32>::new("never_at_rest", [[0, 1]]);
    let body = Body::particles([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).constrain(links);
    let mut scene = Scene::new("").with(body);
    let error = scene.build().expect_err("an unknown kind").to_string();
    assert!(error.contains("body[0].constraint[0].kind: unknown constraint kind 'never_at_rest'"), "{error}");

    scene.register(constraint::kind::<NeverAtRest>());
    assert_eq!(scene.build().expect("a known kind").model.groups[0].kind.name(), "never_at_rest");

    scene.settings.mode = Mode::Pbd;
    let error = scene.build().expect_err("no PBD mode").to_string();
    assert!(error.contains("has no PBD mode") && error.contains("set solver.mode = \"xpbd\""), "{error}");

    scene.register(constraint::kind::<NeverAtRest>());
    let error = scene.build().expect_err("two of a name").to_string();
    assert!(error.contains("the constraint kind 'never_at_rest' is registered twice"), "{error}");
}
