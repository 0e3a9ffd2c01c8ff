//! Pins, constraints, forces, colliders and the camera in the model.

use super::{build, close};
use pliant::model::{Model, Shape, Side};
use pliant::scene::{Body, Constraint, Cuboid, Grid, Pin, Scene, Select};

const GRID: Grid = Grid { columns: 4, rows: 3, width: 3.0, height: 2.0 };

fn fixed(model: &Model) -> Vec<usize> {
    let masses = model.particles.inverse_masses.iter().enumerate();
    masses.filter(|(_, w)| **w == 0.0).map(|(particle, _)| particle).collect()
}

fn pinned(body: Body, pin: impl Into<Pin>) -> Vec<usize> {
    fixed(&Scene::new("").with(body.pin(pin)).build().unwrap_or_else(|error| panic!("{error}")).model)
}

/// Names, indices, boxes and spheres pin what they say; those in the world do so after the transform.
#[test]
fn pins_select_particles() {
    let grid = || Body::cloth(GRID);
    assert_eq!(pinned(grid(), "top"), [0, 1, 2, 3]);
    assert_eq!(pinned(grid(), "bottom"), [8, 9, 10, 11]);
    assert_eq!(pinned(grid(), "left"), [0, 4, 8]);
    assert_eq!(pinned(grid(), "right"), [3, 7, 11]);
    assert_eq!(pinned(grid(), "top-left"), [0]);
    assert_eq!(pinned(grid(), "top-right"), [3]);
    assert_eq!(pinned(grid(), "bottom-left"), [8]);
    assert_eq!(pinned(grid(), "bottom-right"), [11]);
    assert_eq!(pinned(grid(), 5), [5]);
    let below = Select::Box { min: [-9.0, -2.1, -1.0], max: [9.0, -1.9, 1.0] };
    assert_eq!(pinned(grid(), below.clone()), [8, 9, 10, 11]);
    assert_eq!(pinned(grid().position([0.0, -1.0, 0.0]), below), [4, 5, 6, 7]);
    let ball = Select::Sphere { centre: [1.5, 0.0, 0.0], radius: 1.0 };
    assert_eq!(pinned(grid(), ball), [2, 3, 7]);
}

/// Sides of a body that is no grid are its extremes in its own frame, whatever its transform.
#[test]
fn sides_of_other_bodies() {
    let points = || Body::particles([[0.0, 0.0, 0.0], [1.0, 2.0, 0.0], [3.0, 2.0, 0.0]]);
    assert_eq!(pinned(points(), "top"), [1, 2]);
    assert_eq!(pinned(points().rotation([1.0, 0.0, 0.0, 0.0]), "top"), [1, 2]);
    assert_eq!(pinned(points(), "left"), [0]);
    assert_eq!(pinned(points(), "right"), [2]);
    assert_eq!(pinned(points(), "bottom"), [0]);
    let box_mesh = Cuboid { cells: [1, 1, 1], size: [1.0; 3] };
    assert_eq!(pinned(Body::cloth(box_mesh), "top").len(), 4);
}

/// Pins with keyframes drive their particles, those without hold them; equal drives share an entry and entry 0 is empty.
#[test]
fn drives() {
    let text = "
        [[body]]
        kind = \"cloth\"
        mesh = { grid = { columns = 4, rows = 3, width = 3, height = 2 } }
        pin = [
          \"bottom\",
          { names = [\"top-left\"], keyframes = [{ time = 0, value = [0, 0, 0] }, { time = 2, value = [0, 4, 0] }] },
          { indices = [3], keyframes = [{ time = 0, value = [0, 0, 0] }, { time = 2, value = [0, 4, 0] }] },
        ]
        [[force]]
        value = [1, 0, 0]
        [[force]]
        body = \"body0\"
        particles = [5, 6]
        keyframes = [{ time = 0, value = [0, 0, 0] }, { time = 1, value = [0, 0, 8] }]
        ";
    let model = build(text).model;
    let drive = |particle: usize| &model.drives[model.particles.drives[particle] as usize];
    assert_eq!(fixed(&model), [0, 3, 8, 9, 10, 11]);
    assert_eq!(drive(0).motion.as_ref().map(|motion| motion.at(1.0)), Some([0.0, 2.0, 0.0]));
    assert_eq!(model.particles.drives[0], model.particles.drives[3]);
    assert_eq!(drive(8).motion, None);
    assert_eq!(drive(4).force(0.5), [1.0, 0.0, 0.0]);
    assert_eq!(drive(5).force(0.5), [1.0, 0.0, 4.0]);
    assert_eq!(model.particles.drives[5], model.particles.drives[6]);
    assert_eq!(model.drives[0], pliant::model::Drive::default());
    // Nothing; moved and pushed; pushed; pushed twice.
    assert_eq!(model.drives.len(), 4);
}

/// A force that can move nothing is accepted, and said.
#[test]
fn force_on_fixed_particles() {
    let text = "[[body]]\nkind = \"particles\"\npositions = [[0, 0, 0]]\nmasses = [0]\n[[force]]\nvalue = [1, 0, 0]";
    assert_eq!(build(text).notes, ["force[0] acts on fixed particles only and moves nothing"]);
}

/// Constraints take one number for all or a list, across bodies as inside one, and what is left out is as placed.
#[test]
fn constraints() {
    let text = "
        [[body]]
        name = \"a\"
        kind = \"particles\"
        positions = [[0, 0, 0], [1, 0, 0], [3, 0, 0]]
        [[body.constraint]]
        kind = \"distance\"
        particles = [[0, 1], [1, 2]]
        compliance = [1e-6, 0]
        damping = 0.5
        stiffness = 0.25
        break_force = [10, 20]
        rest_length = [0.5, 0]
        [[body]]
        name = \"b\"
        kind = \"particles\"
        positions = [[0, 4, 0]]
        [[constraint]]
        kind = \"distance\"
        particles = [[[\"a\", 0], [\"b\", 0]], [[\"b\", 0], [\"a\", 2]]]
        side = \"pull\"
        ";
    let model = build(text).model;
    let group = &model.groups[0];
    assert_eq!(group.particles, [0, 1, 1, 2, 0, 3, 3, 2]);
    assert_eq!(group.rest, [0.5, 0.0, 4.0, 5.0]);
    let material = |constraint: usize| model.materials[group.materials[constraint] as usize];
    assert_eq!((material(0).compliance, material(1).compliance), (1e-6, 0.0));
    assert_eq!((material(0).damping, material(0).stiffness, material(0).side), (0.5, 0.25, Side::Both));
    assert_eq!((material(0).break_force, material(1).break_force), (Some(10.0), Some(20.0)));
    assert_eq!((material(2).side, material(2).break_force, material(2).stiffness), (Side::Pull, None, 1.0));
    assert_eq!(model.materials.len(), 3);
}

/// Curves are shared by constraints with the same delay, and numbers of yielding are materials.
#[test]
fn changing_rest_values() {
    let text = "
        [[body]]
        kind = \"particles\"
        positions = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]
        [[body.constraint]]
        kind = \"distance\"
        particles = [[0, 1], [1, 2], [2, 3]]
        compliance = 1e-3
        keyframes = [{ time = 0, value = 1 }, { time = 0.5, value = 0.8 }, { time = 1, value = 1 }]
        period = 1
        delay = [0, 0.25, 0]
        yield = [0.1, 0.1, 0.2]
        creep = 3
        [[body.constraint]]
        kind = \"attach\"
        particles = [[0]]
        keyframes = [{ time = 0, value = [0, 0, 0] }, { time = 2, value = [2, 4, 6] }]
        ";
    let model = build(text).model;
    let material =
        |group: usize, constraint: usize| model.materials[model.groups[group].materials[constraint] as usize];
    assert_eq!([0, 1, 2].map(|constraint| material(0, constraint).curve), [Some(0), Some(1), Some(0)]);
    assert_eq!([0, 1, 2].map(|constraint| material(0, constraint).yield_point), [Some(0.1), Some(0.1), Some(0.2)]);
    assert_eq!((material(0, 0).creep, material(1, 0).creep, material(1, 0).curve), (Some(3.0), None, Some(2)));
    assert_eq!((model.curves[1].delay, model.curves[1].period), (0.25, Some(1.0)));
    assert!((model.curves[1].at(1.5)[0] - 0.9).abs() < 1e-12);
    assert_eq!(model.curves[2].at(1.0), [1.0, 2.0, 3.0]);

    let built = Constraint::new("distance", [[0, 1]]).keyframes([(0.0, [1.0]), (1.0, [0.5])]).period(1.0).delay(0.5);
    let built = built.compliance(1e-3).yield_point(0.1).creep(2.0);
    let body = Body::particles([[0.0; 3], [1.0, 0.0, 0.0]]).constrain(built);
    let model = Scene::new("").with(body).build().unwrap().model;
    assert_eq!(model.curves[0].at(1.0), [0.75, 0.0, 0.0]);
    assert_eq!((model.materials[0].yield_point, model.materials[0].creep), (Some(0.1), Some(2.0)));
}

/// A kind is named by itself, or by its family and the number of particles; vectors are one list; each limit in place of a rest value is a
/// one-sided constraint; and kinds have a side of their own.
#[test]
fn families_vectors_and_limits() {
    let text = "
        [[body]]
        kind = \"particles\"
        positions = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
        [[body.constraint]]
        kind = \"attach\"
        particles = [[0]]
        point = [0, 0.5, 0]
        [[body.constraint]]
        kind = \"attach\"
        particles = [[0, 1]]
        [[body.constraint]]
        kind = \"attach\"
        particles = [[3, 0, 1, 2]]
        [[body.constraint]]
        kind = \"area\"
        particles = [[0, 1, 2, 3]]
        [[body.constraint]]
        kind = \"plane\"
        particles = [[2]]
        normal = [0, 2, 0]
        thickness = 0.1
        [[body.constraint]]
        kind = \"distance\"
        particles = [[0, 1], [1, 2]]
        min_length = 0.5
        max_length = [1.5, 2]
        ";
    let model = build(text).model;
    let group = |name: &str| model.groups.iter().find(|group| group.kind.name() == name).unwrap();
    let material = |name: &str, constraint: usize| model.materials[group(name).materials[constraint] as usize];
    assert_eq!(group("attach").rest, [0.0, 0.5, 0.0]);
    assert_eq!(group("weld").particles, [0, 1]);
    assert_eq!(group("attach_triangle").rest, [-1.0, 1.0]);
    assert_eq!(group("loop_area").rest, [1.0]);
    assert_eq!(group("plane").rest, [1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.1]);
    assert_eq!(material("plane", 0).side, Side::Push);
    assert_eq!(group("distance").particles, [0, 1, 0, 1, 1, 2, 1, 2]);
    assert_eq!(group("distance").rest, [0.5, 1.5, 0.5, 2.0]);
    assert_eq!([0, 1].map(|constraint| material("distance", constraint).side), [Side::Push, Side::Pull]);
}

/// A tetrahedron's volume, by its four corners or by the triangles of its surface, which name each particle once.
#[test]
fn volumes() {
    let text = "
        [[body]]
        kind = \"particles\"
        positions = [[0, 0, 0], [3, 0, 0], [0, 2, 0], [0, 0, 1]]
        [[body.constraint]]
        kind = \"volume\"
        particles = [[0, 1, 2, 3]]
        [[body.constraint]]
        kind = \"volume\"
        particles = [[0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]]
        keyframes = [{ time = 0, value = 2 }]
        ";
    let model = build(text).model;
    let group = |name: &str| model.groups.iter().find(|group| group.kind.name() == name).unwrap();
    assert_eq!(group("volume").rest, [1.0]);
    let surface = group("surface_volume");
    assert_eq!((&surface.rest[..], surface.particles_of(0)), (&[1.0][..], &[0, 2, 1, 3][..]));
    assert_eq!(surface.corners_of(0), [0, 1, 2, 0, 2, 3, 2, 1, 3, 0, 3, 1]);
    assert!(surface.rest_changes(&model.materials));
}

/// Colliders are placed by rotation, then position; a plane's normal is brought to length 1.
#[test]
fn colliders() {
    let text = "
        [[body]]
        kind = \"particles\"
        positions = [[0, 0, 0]]
        [[collider]]
        shape = { plane = { normal = [0, 2, 0], offset = 0.5 } }
        rotation = [0, 0, 1, 1]
        position = [0, 0, 3]
        friction = 0.5
        [[collider]]
        shape = { sphere = { radius = 2 } }
        position = [1, 2, 3]
        inside = true
        friction = 0.5
        dynamic_friction = 0.25
        restitution = 1
        keyframes = [{ time = 0, value = [0, 0, 0] }, { time = 1, value = [2, 0, 0] }]
        ";
    let model = build(text).model;
    assert_eq!(model.colliders[0].shape, Shape::Plane);
    let (point, normal) = (model.colliders[0].position, model.colliders[0].distance(0.0, [0.0; 3]).0);
    assert!(close(normal, [-1.0, 0.0, 0.0]) && close(point, [-0.5, 0.0, 3.0]), "{normal:?} {point:?}");
    assert_eq!((model.colliders[0].friction, model.colliders[0].dynamic_friction), (0.5, 0.5));
    assert_eq!((&model.colliders[1].shape, model.colliders[1].inside), (&Shape::Sphere { radius: 2.0 }, true));
    assert_eq!(model.colliders[1].position, [1.0, 2.0, 3.0]);
    assert_eq!((model.colliders[1].dynamic_friction, model.colliders[1].restitution), (0.25, 1.0));
    assert_eq!(model.colliders[1].motion.as_ref().map(|motion| motion.at(0.5)), Some([1.0, 0.0, 0.0]));
}
