//! Keys are not shortcuts while something is typed.

use super::*;

fn typed(key: Key, text: &str) -> Vec<Event> {
    let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
    vec![event(true), Event::Text(text.to_string()), event(false)]
}

/// Into the field of a number that was just clicked go letters and spaces, in that very frame and after; the run goes
/// on from where it was. When the field is left they play again.
#[test]
fn no_shortcuts_while_typing() {
    let mut theatre = Theatre::solved("chain", Way::Cpu);
    theatre.resize([900, 600]);
    theatre.stage.desk_mut().controls_open = true;
    theatre.step_from_the_beginning(3);
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    // A number is a field as soon as it is clicked: the first place in the panel that is one.
    let places = (0..60).flat_map(|row| [100.0, 140.0].map(|x| Pos2::new(x, 40.0 + 9.0 * row as f32)));
    let before = theatre.stage.desk().clone();
    let field = places.into_iter().find(|&place| {
        theatre.frame(vec![Event::PointerMoved(place)]);
        theatre.frame(vec![button(place, true), button(place, false)]);
        theatre.frame(Vec::new());
        theatre.stage.context().text_edit_focused()
    });
    let field = field.expect("a field in the panel");
    theatre.key(Key::Escape);
    theatre.frame(Vec::new());
    assert!(!theatre.stage.context().text_edit_focused());
    theatre.stage.desk_mut().tunings = before.tunings;
    theatre.stage.desk_mut().playing = false;
    theatre.step_from_the_beginning(3);

    let mut events = vec![Event::PointerMoved(field), button(field, true), button(field, false)];
    events.extend(typed(Key::R, "r"));
    theatre.frame(events);
    for (key, text) in [(Key::R, "r"), (Key::F, "f"), (Key::Space, " "), (Key::Period, ".")] {
        theatre.frame(typed(key, text));
    }
    theatre.frame(Vec::new());
    let stage = &theatre.stage;
    assert!(stage.context().text_edit_focused() && !stage.desk().playing);
    assert!(stage.simulations().all(|simulation| simulation.has_begun()), "R has reset it");
    assert_eq!(seen_frame(stage), 3);

    // Enter leaves the field, and the R before it in the same frame is the field's too.
    let mut events = typed(Key::R, "r");
    events.extend(typed(Key::Enter, "\n"));
    theatre.frame(events);
    theatre.frame(Vec::new());
    assert!(!theatre.stage.context().text_edit_focused());
    assert!(theatre.stage.simulations().all(|simulation| simulation.has_begun()), "R has reset it");
    theatre.key(Key::Space);
    assert!(theatre.stage.desk().playing);
}
