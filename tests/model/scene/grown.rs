//! Strands that grow out of a surface: where their roots lie, how they are combed and curled, and every message for what
//! they may not say.

use pliant::model::Model;
use pliant::scene::{Body, Curl, Ground, Grown, Rod, Scene, Select, Sphere, Strand, StrandKind};

use super::{build, refusal};

const HEAD: &str = "[[body]]\nname = 'head'\nkind = 'cloth'\nmesh = { sphere = { radius = 1, segments = 32 } }\n\
                    position = [0, 3, 0]\npin = [{ box = [[-9, -9, -9], [9, 9, 9]] }]\n";

fn hair(grown: &str, more: &str) -> String {
    format!("[[body]]\nkind = 'hair'\nstrands = 60\nmesh = {{ grown = {{ {grown} }} }}\n{more}\n")
}

/// The strands of a body, each from its root.
fn strands(model: &Model, body: usize) -> Vec<Vec<[f64; 3]>> {
    let body = &model.bodies[body];
    let range = body.particles.start as usize..body.particles.end as usize;
    model.particles.positions[range].chunks(body.strand.unwrap() as usize).map(<[_]>::to_vec).collect()
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

fn length(strand: &[[f64; 3]]) -> f64 {
    strand.windows(2).map(|ends| apart(ends[0], ends[1])).sum()
}

/// Roots lie on the surface of the body as it is placed, inside of what is asked for; strands stand on it, and are as
/// long as they should be.
#[test]
fn strands_stand_on_a_body() {
    let grown = "on = 'head', length = [0.5, 0.8], segments = 4, within = { box = [[-2, 3.2, -2], [2, 9, 2]] }";
    let model = build(&(HEAD.to_owned() + &hair(grown, ""))).model;
    let strands = strands(&model, 1);
    assert_eq!((strands.len(), strands[0].len()), (60, 5));
    let mut lengths = Vec::new();
    for strand in &strands {
        let (root, tip) = (strand[0], strand[4]);
        let from_centre = apart(root, [0.0, 3.0, 0.0]);
        assert!((0.98..1.0 + 1e-9).contains(&from_centre) && root[1] >= 3.2, "{root:?}");
        // Along the normal, which faces and vertices know to some hundredths.
        assert!(apart(tip, [0.0, 3.0, 0.0]) > from_centre + 0.998 * length(strand), "{strand:?}");
        lengths.push(length(strand));
    }
    lengths.sort_by(f64::total_cmp);
    assert!(lengths[0] >= 0.5 && lengths[0] < 0.53 && lengths[59] <= 0.8 && lengths[59] > 0.77, "{lengths:?}");
}

/// A combed strand leaves along the normal and ends in the surface's plane, and never dips below it.
#[test]
fn strands_are_combed() {
    let grid = "{ grid = { columns = 2, rows = 2, width = 1, height = 1 } }";
    let grown = format!("on = {grid}, length = 0.4, segments = 50, comb = [3, 0, -7]");
    let strands = strands(&build(&hair(&grown, "")).model, 0);
    for strand in &strands {
        let direction = |i: usize| {
            let step = apart(strand[i], strand[i + 1]);
            std::array::from_fn(|k| (strand[i + 1][k] - strand[i][k]) / step)
        };
        assert!(apart(direction(0), [0.0, 0.0, 1.0]) < 0.04, "{:?}", direction(0));
        let (x, z) = (3.0 / 10_f64.sqrt(), 1.0 / 10_f64.sqrt());
        assert!(apart(direction(49), [x, 0.0, z]) < 0.02, "{:?}", direction(49));
        assert!((length(strand) - 0.4).abs() < 1e-12);
    }
}

/// Curls are screws about the middle line: after their first turn they keep their radius, and go round once in a pitch.
#[test]
fn strands_curl() {
    let grid = "{ grid = { columns = 2, rows = 2, width = 1, height = 1 } }";
    let grown = format!("on = {grid}, length = 0.4, segments = 80, curl = {{ radius = 0.02, pitch = 0.1 }}");
    for strand in strands(&build(&hair(&grown, "")).model, 0) {
        let aside = |i: usize| [strand[i][0] - strand[0][0], strand[i][1] - strand[0][1]];
        for (i, point) in strand.iter().enumerate().skip(20).take(41) {
            let ([x, y], [ahead, up]) = (aside(i), aside(i + 20));
            assert!((x.hypot(y) - 0.02).abs() < 1e-9 && (x - ahead).hypot(y - up) < 1e-9, "{i}");
            // A quarter turn on, to the left about the direction of growth.
            let [a, b] = aside((i + 5).min(80));
            assert!(i > 75 || (a + y).hypot(b - x) < 1e-9, "{i}");
            assert!((point[2] - 0.005 * i as f64).abs() < 1e-9);
        }
    }
}

/// The builder and the file say the same, and another seed lets other roots grow.
#[test]
fn builder_equals_file() {
    let grown = Grown {
        within: Some(Select::Sphere { centre: [0.0, 0.5, 0.0], radius: 0.9 }),
        comb: [0.0, 0.0, -2.0],
        curl: Some(Curl { radius: 0.01, pitch: 0.05 }),
        seed: 4,
        ..Grown::new(Sphere { radius: 1.0, segments: 16 }, 0.3, 12)
    };
    let on_body = Grown { lengths: [0.1, 0.2], ..Grown::new(Ground::Body("fur".into()), 0.1, 3) };
    let strand = Strand::new(StrandKind::Hair, grown.clone()).strands(60, [0.0; 3]);
    let rods = Rod::new(on_body, 1e6).strands(5, [0.0; 3]);
    let scene = Scene::new("").with(Body::strand(strand).name("fur")).with(Body::rod(rods).radius(1e-3));
    let keys = |seed: u32| {
        format!(
            "on = {{ sphere = {{ radius = 1, segments = 16 }} }}, length = 0.3, segments = 12, comb = [0, 0, -2], \
             curl = {{ radius = 0.01, pitch = 0.05 }}, within = {{ sphere = [[0, 0.5, 0], 0.9] }}, seed = {seed}"
        )
    };
    let rods = "[[body]]\nkind = 'rod'\nstrands = 5\nradius = 1e-3\nyoung_modulus = 1e6\n\
                mesh = { grown = { on = 'fur', length = [0.1, 0.2], segments = 3 } }\n";
    let text = format!("name = ''\n{}{rods}", hair(&keys(4), "name = 'fur'"));
    assert_eq!(Scene::parse(&text, "test.toml", "").unwrap().bodies, scene.bodies);
    let [one, other] = [4, 5].map(|seed| build(&hair(&keys(seed), "")).model.particles.positions);
    assert_ne!(one, other);
}

/// Each fault is told by its place, with a remedy.
#[test]
fn faults_are_told_by_their_place() {
    let ball = "on = { sphere = { radius = 1, segments = 16 } }";
    let faults = [
        (hair(&format!("{ball}, length = 0, segments = 4"), ""), ["body[0].mesh.grown.length", "above 0"]),
        (hair(&format!("{ball}, length = [2, 1], segments = 4"), ""), ["grown.length", "the least length, then the"]),
        (hair(&format!("{ball}, length = [1, 2, 3], segments = 4"), ""), ["length", "the least and the largest"]),
        (hair(&format!("{ball}, length = 1, segments = 0"), ""), ["grown.segments", "at least 1"]),
        (hair("on = { sphere = { radius = 0, segments = 16 } }, length = 1, segments = 1", ""), ["on.sphere", "above"]),
        (hair(&format!("{ball}, length = 1, segments = 1000000000"), ""), ["body[0].mesh.grown", "at most"]),
        (hair(&format!("{ball}, length = 1, segments = 4, comb = [nan, 0, 0]"), ""), ["grown.comb", "finite"]),
        (
            hair(&format!("{ball}, length = 1, segments = 4, curl = {{ radius = 0.1, pitch = 0 }}"), ""),
            ["grown.curl.pitch", "above 0"],
        ),
        (
            hair(&format!("{ball}, length = 1, segments = 4, within = {{ sphere = [[9, 9, 9], 1] }}"), ""),
            ["grown.within", "holds nothing of the surface"],
        ),
        (
            hair(&format!("{ball}, length = 1, segments = 4, within = {{ sphere = [[nan, 9, 9], 1] }}"), ""),
            ["grown.within.sphere[0]", "finite"],
        ),
        (
            hair(&format!("{ball}, length = 1, segments = 4, within = {{ names = ['top'] }}"), ""),
            ["grown.within", "a box or a ball"],
        ),
        (hair(&format!("{ball}, length = 1, segments = 4"), "spacing = [1, 0, 0]"), ["body[0].spacing", "remove it"]),
        (hair("on = 'head', length = 1, segments = 4", ""), ["body[0].mesh.grown.on", "there is no body 'head'"]),
        (hair("on = 'later', length = 1, segments = 4", "") + &HEAD.replace("head", "later"), ["on", "put it before"]),
        (
            HEAD.to_owned() + &hair("on = 'head', length = 1, segments = 4", "position = [1, 0, 0]"),
            ["body[1]", "remove position, rotation and scale"],
        ),
        (
            hair(&format!("{ball}, length = 1, segments = 4"), "name = 'hair'")
                + &hair("on = 'hair', length = 1, segments = 4", ""),
            ["body[1].mesh.grown.on", "has no surface"],
        ),
        (hair(&format!("{ball}, length = 1, segments = 4, lenght = 1"), ""), ["lenght", "did you mean 'length'?"]),
    ];
    for (text, words) in faults {
        let message = refusal(&text);
        words.iter().for_each(|word| assert!(message.contains(word), "'{word}' is not in: {message}"));
    }
}
