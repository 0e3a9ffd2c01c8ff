//! What is written over the pictures.

use super::*;
use pliant::model::Mode;
use pliant::render::Colour;

/// Titles, numbers, hint, scale and contacts lie apart and inside the window, alone and side by side, in a large window
/// and a small one with both panels.
#[test]
fn labels_lie_apart() {
    for (size, comparing) in [([900, 600], false), ([900, 600], true), ([1600, 900], false), ([1600, 900], true)] {
        let mut theatre = Theatre::solved("incline", Way::Cpu);
        let desk = theatre.stage.desk_mut();
        (desk.controls_open, desk.numbers_open) = (true, true);
        (desk.comparing, desk.contacts, desk.look.colour) = (comparing, true, Colour::Stretch);
        desk.tunings.iter_mut().for_each(|tuning| tuning.settings.mode = Mode::Xpbd);
        theatre.resize(size);
        let panes = if comparing { 2 } else { 1 };
        theatre.until("contacts of both", |stage| {
            let seen = stage.simulations().filter(|one| one.observation().is_some_and(|seen| seen.contacts.is_some()));
            seen.count() == panes
        });
        theatre.frame(Vec::new());
        theatre.frame(Vec::new());
        let labels = theatre.stage.labels();
        // Of each pane the scale and the contacts, side by side title and numbers too; and one hint.
        assert_eq!(labels.len(), if comparing { 2 * 4 + 1 } else { 2 + 1 }, "{size:?}: {labels:?}");
        let window = Rect::from_min_size(Pos2::ZERO, Vec2::new(size[0] as f32, size[1] as f32));
        for (index, label) in labels.iter().enumerate() {
            assert!(window.contains_rect(*label), "{label:?} leaves a window of {size:?}");
            let covered = labels[index + 1..].iter().find(|other| other.intersects(*label));
            assert_eq!(covered, None, "{label:?} covers another in a window of {size:?}");
        }
    }
}
