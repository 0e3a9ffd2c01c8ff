//! The kinds of bodies, seen from outside.

use std::path::Path;

use pliant::model::Mode;
use pliant::scene::{Balloon, Body, Cloth, Cuboid, Grid, Part, Sphere, Strand, StrandKind};

/// The files below a folder that say a word.
fn saying(folder: &Path, word: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            saying(&path, word, found);
        } else if std::fs::read_to_string(&path).is_ok_and(|text| text.contains(word)) {
            found.push(path.display().to_string().replace('\\', "/"));
        }
    }
}

/// A kind of body is one file: nothing outside its folder tells kinds apart.
#[test]
fn only_bodies_know_their_kind() {
    let mut found = Vec::new();
    saying(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "Content::", &mut found);
    let (inside, outside): (Vec<_>, Vec<_>) = found.into_iter().partition(|path| path.contains("/src/scene/body/"));
    assert!(inside.len() > 6, "{inside:?}");
    assert!(outside.is_empty(), "{outside:?}");
}

/// The parts of a body that have a stiffness of their own, by the mode that the scene is solved in.
#[test]
fn parts_of_bodies() {
    let names = |body: &Body, mode| body.content.parts(mode).iter().map(|part| part.name).collect::<Vec<_>>();
    let grid = Grid { columns: 3, rows: 3, width: 1.0, height: 1.0 };
    let bending = Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-6).bend(1e-4));
    assert_eq!(names(&bending, Mode::Xpbd), ["stretch", "shear", "bend"]);
    let compliances = bending.content.parts(Mode::Xpbd).iter().map(|part| part.compliance).collect::<Vec<_>>();
    assert_eq!(compliances, [1e-8, 1e-6, 1e-4]);
    assert_eq!(bending.content.bend().map(|bend| bend.compliance), Some(1e-4));

    // A stiffness of its bend alone makes a cloth bend in PBD mode.
    let stiff = Body::cloth(Cloth { bend_stiffness: Some(0.5), ..Cloth::new(grid) });
    assert_eq!(
        (names(&stiff, Mode::Xpbd), names(&stiff, Mode::Pbd)),
        (vec!["stretch", "shear"], vec!["stretch", "shear", "bend"])
    );

    let balloon = Body::balloon(Balloon::new(Sphere { radius: 1.0, segments: 20 }).compliance(1e-5));
    let volume = Part { name: "volume", compliance: 1e-5, stiffness: 1.0 };
    assert_eq!(balloon.content.parts(Mode::Xpbd).last(), Some(&volume));

    let rope = Strand::new(StrandKind::Rope, vec![[0.0; 3], [1.0, 0.0, 0.0]]).bend("distance", 1e-3);
    let rope = Body::strand(rope);
    assert_eq!(rope.content.bend().map(|bend| bend.compliance), Some(1e-3));
    assert_eq!(names(&rope, Mode::Xpbd), ["stretch", "bend"]);
    let others = [Body::soft(Cuboid { cells: [1; 3], size: [1.0; 3] }), Body::particles([[0.0; 3]])];
    assert!(others.iter().all(|body| body.content.surface().is_none() && body.content.bend().is_none()));
}
