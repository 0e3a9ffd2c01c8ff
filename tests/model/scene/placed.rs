//! How bodies lie to colliders as placed: what is refused and what is told.

use super::bad_input::check;
use super::build;

/// A body in a box-shaped room, with more lines for the room.
fn room(body: &str, lines: &str) -> String {
    format!("[[body]]\n{body}\n[[collider]]\nshape = {{ box = {{ size = [6, 4, 6] }} }} #!\n{lines}\n")
}

const BALL: &str = "kind = \"cloth\"\nmesh = { sphere = { radius = 0.3, segments = 20 } }\nradius = 0.01";
const POINT: &str = "kind = \"particles\"\npositions = [[0.5, 0, 0]]\nradius = 0.1";

/// What begins wholly inside of a closed collider is refused, with the remedy: it would be thrown out. What stands out of it, is held,
/// does not meet it, or is in a room, is not.
#[test]
fn bodies_inside_of_colliders() {
    for body in [BALL, POINT] {
        let words =
            ["collider[0]: body 'body0' begins wholly inside the collider", "set inside = true", "move the body"];
        let scene = room(body, "");
        // The place is the collider, whose table begins a line before.
        let scene = scene.replace("[[collider]]", "[[collider]] #!").replace("} } #!", "} }");
        check(&scene, &words);
        for lines in ["inside = true", "trigger = true", "position = [0, 2.1, 0]", "collides_with = [7]"] {
            build(&room(body, lines));
        }
    }
    build(&room(&POINT.replace("0.5, 0, 0", "0.5, 1.95, 0"), ""));
    build(&room(&format!("{POINT}\npin = [0]"), ""));
    let ground = "[[collider]]\nshape = { plane = { offset = 9 } }\n";
    build(&format!("[[body]]\n{POINT}\n{ground}"));
}

/// A sheet whose radius is below half of what its particles are apart is told how far edges stand into it: half the spacing less the radius.
#[test]
fn sheets_beside_edges() {
    let notes = |radius: &str, collider: &str| {
        let mesh = "mesh = { grid = { columns = 65, rows = 65, width = 2.048, height = 2.048 } }";
        build(&format!(
            "[[body]]\nname = \"cover\"\nkind = \"cloth\"\n{mesh}\n{radius}\nposition = [0, 9, 0]\n[[collider]]\nshape = {{ {collider} }}\n"
        ))
        .notes
    };
    let table = "box = { size = [1, 0.8, 1] }";
    let told = notes("radius = 0.003", table);
    let words = [
        "body 'cover'",
        "32 mm apart and have a radius of 3 mm",
        "edges of collider[0] can reach 13 mm into it",
        "raise its radius to 16 mm",
    ];
    assert!(told.len() == 1 && words.iter().all(|word| told[0].contains(word)), "{told:?}");
    assert!(notes("", table)[0].contains("can reach 16 mm into it"));
    assert_eq!(notes("radius = 0.0161", table), [""; 0]);
    for collider in
        ["cylinder = { radius = 1, length = 1 }", "mesh = { box = { cells = [1, 1, 1], size = [1, 1, 1] }, cells = 8 }"]
    {
        assert_eq!(notes("radius = 0.003", collider).len(), 1, "{collider}");
    }
    let round = "mesh = { sphere = { radius = 1, segments = 60 }, cells = 8 }";
    for collider in ["sphere = { radius = 1 }", "plane = {}", "capsule = { radius = 1, length = 1 }", round] {
        assert_eq!(notes("radius = 0.003", collider), [""; 0], "{collider}");
    }
}
