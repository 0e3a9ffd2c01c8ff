//! What presses, as it is read: places and forces against statics.

use pliant::model::{Against, Contact, Model};
use pliant::plan::Plan;
use pliant::reference::Reference;
use pliant::scene::{Body, Collider, Scene};

use crate::billiards;
use crate::device::Running;
use crate::pairs::crowd;
use crate::proof;

const GRAVITY: f64 = 9.81;
const MASS: f64 = 2.0;
const RADIUS: f64 = 0.1;

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A rough ball on an incline of slope ½, and with `wall` a smooth wall at its foot that holds it.
fn on_incline(friction: f64, wall: bool) -> Model {
    let slope = 0.5_f64.atan();
    let normal = [-slope.sin(), slope.cos(), 0.0];
    let ball = Body::particles([normal.map(|n| RADIUS * n)]).mass(MASS).radius(RADIUS).friction(2.0 * friction);
    let mut scene = Scene::new("incline").with(ball).collider(Collider::plane(normal, 0.0));
    if wall {
        // Square to the slope, it touches the ball from below.
        scene = scene.collider(Collider::plane([normal[1], -normal[0], 0.0], -RADIUS));
    }
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

fn of_engine(model: &Model) -> Vec<Contact> {
    let mut running = Running::new(model);
    running.run(30);
    running.contacts()
}

fn of_reference(model: &Model) -> Vec<Contact> {
    let mut reference = Reference::new(model, &Plan::new(model));
    (0..30).for_each(|_| reference.step());
    reference.contacts()
}

/// Where friction holds the ball the plane bears m g cos θ, friction m g sin θ up the slope; without friction the wall bears the latter.
#[test]
fn forces_of_contact_are_those_of_statics() {
    let (sine, cosine) = 0.5_f64.atan().sin_cos();
    let uphill = [cosine, sine, 0.0];
    for (who, of) in [("engine", of_engine as fn(&Model) -> Vec<Contact>), ("reference", of_reference)] {
        let held = of(&on_incline(1.0, false));
        assert_eq!(held.len(), 1, "{held:?}");
        let contact = held[0];
        assert_eq!((contact.particle, contact.against), (0, Against::Collider(0)));
        proof::relative(
            &format!("{who}: a plane bears a ball"),
            "m g cos θ",
            contact.force,
            MASS * GRAVITY * cosine,
            0.01,
        );
        let friction = dot(contact.friction, uphill);
        proof::relative(&format!("{who}: friction bears it"), "m g sin θ", friction, MASS * GRAVITY * sine, 0.01);
        // They touch at the origin, at which the ball was put.
        assert!(contact.point.iter().all(|x| x.abs() < 1e-3), "{contact:?}");

        let mut leaning = of(&on_incline(0.0, true));
        leaning.sort_by_key(|contact| contact.against);
        assert_eq!(leaning.len(), 2, "{leaning:?}");
        for (contact, share) in leaning.iter().zip([cosine, sine]) {
            let claim = format!("{who}: without friction {:?} bears its share", contact.against);
            proof::relative(&claim, "m g cos θ, m g sin θ", contact.force, MASS * GRAVITY * share, 0.01);
            assert!(contact.friction == [0.0; 3], "{contact:?}");
            assert!((dot(contact.normal, contact.normal) - 1.0).abs() < 1e-6);
        }
    }
}

/// A ball under a ceiling that holds it by adhesion hangs there by its weight.
#[test]
fn what_is_held_tells_so() {
    let ball = Body::particles([[0.0, -RADIUS, 0.0]]).mass(MASS).radius(RADIUS);
    let ceiling = Collider::plane([0.0, -1.0, 0.0], 0.0).adhesion(3.0 * MASS * GRAVITY);
    let model =
        Scene::new("ceiling").with(ball).collider(ceiling).build().unwrap_or_else(|error| panic!("{error}")).model;
    for (who, of) in [("engine", of_engine as fn(&Model) -> Vec<Contact>), ("reference", of_reference)] {
        let held = of(&model);
        assert_eq!(held.len(), 1, "{held:?}");
        let claim = format!("{who}: a ceiling holds a ball by adhesion");
        proof::relative(&claim, "-m g", held[0].force, -MASS * GRAVITY, 0.01);
    }
}

/// A ball in the air touches nothing.
#[test]
fn what_flies_touches_nothing() {
    let ball = Body::particles([[0.0, 10.0, 0.0]]).mass(MASS).radius(RADIUS);
    let ground = Collider::plane([0.0, 1.0, 0.0], 0.0);
    let model =
        Scene::new("flight").with(ball).collider(ground).build().unwrap_or_else(|error| panic!("{error}")).model;
    assert_eq!((of_engine(&model), of_reference(&model)), (Vec::new(), Vec::new()));
}

/// A ball that rests by friction on the flank of one that is held: they press on each other by m g cos θ, friction holds m g sin θ, and the
/// contact is told once, from the side of the first.
#[test]
fn forces_of_pairs_are_those_of_statics() {
    let degrees = 20.0_f64;
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let weight = GRAVITY;
    for iterations in [1, 3] {
        let (mut model, _) = billiards::perched(degrees, 1.0);
        model.settings.iterations = iterations;
        for (who, of) in [("engine", of_engine as fn(&Model) -> Vec<Contact>), ("reference", of_reference)] {
            let contacts = of(&model);
            assert_eq!(contacts.len(), 1, "{contacts:?}");
            let contact = contacts[0];
            assert_eq!((contact.particle, contact.against), (0, Against::Particle(1)));
            let claim = format!("{who}, {iterations} iterations: a ball lies on a ball");
            proof::relative(&claim, "m g cos θ", contact.force, weight * cosine, 0.01);
            // On the lower one friction pulls down the slope.
            let friction = dot(contact.friction, [cosine, -sine, 0.0]);
            proof::relative(&claim, "m g sin θ", friction, weight * sine, 0.01);
            let along = dot(contact.normal, [-sine, -cosine, 0.0]);
            assert!((along - 1.0).abs() < 1e-3, "{contact:?}");
            let touching: [f64; 3] =
                std::array::from_fn(|i| contact.point[i] - billiards::RADIUS * [sine, cosine, 0.0][i]);
            assert!(touching.iter().all(|x| x.abs() < 1e-3), "{contact:?}");
        }
    }
}

/// Every contact of a crowd of free and held balls has the force of its twin, with one sweep and with several.
#[test]
fn pairs_are_told_as_by_their_twin() {
    for iterations in [1, 3] {
        let mut model = crowd(300);
        model.settings.iterations = iterations;
        model.settings.substeps = 2;
        let mut running = Running::new(&model);
        let state = running.run(2);
        let told = running.contacts();
        assert_eq!(told.len() as u64, state.contacts);
        let mut reference = Reference::new(&model, &Plan::new(&model));
        (0..2).for_each(|_| reference.step());
        let twins = reference.contacts();
        assert!(twins.len() > 40, "only {} contacts: the test shows nothing", twins.len());
        let largest = twins.iter().map(|twin| twin.force).fold(0.0, f64::max);
        let ends = |contact: &Contact| (contact.particle, contact.against);
        assert_eq!(told.iter().map(ends).collect::<Vec<_>>(), twins.iter().map(ends).collect::<Vec<_>>());
        for (one, twin) in told.iter().zip(&twins) {
            let mut off = vec![one.force - twin.force];
            off.extend((0..3).map(|i| one.friction[i] - twin.friction[i]));
            // Places are as good as 1e-7 m of the centimetres by which these balls overlap, as in
            // `pairs_equal_their_twin`.
            assert!(off.iter().all(|force| force.abs() < 1e-4 * largest), "{one:?}\n{twin:?}");
        }
    }
}
