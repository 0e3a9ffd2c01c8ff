//! The panel of scenes: pictures in groups, a search, and a field for the path of one's own.

use egui::{
    Align2, Button, FontId, Id, Key, Rect, Response, RichText, Role, ScrollArea, Sense, StrokeKind, TextEdit,
    TextureHandle, Ui, Vec2, WidgetInfo, Window,
};

use super::{Action, Desk};
use crate::viewer::shelves::{Entry, Shelf};
use crate::viewer::thumbnails::{SIZE, thumbnail};

/// Of the panel, points; less where the window is smaller.
const WIDTH: f32 = 728.0;
const HEIGHT: f32 = 640.0;
/// From the panel to the sides of the window.
const MARGIN: f32 = 12.0;
/// Of the name under a picture, points.
const NAME: f32 = 20.0;

/// The button that opens the panel, which lies over the scene until one is chosen. `shown` is the scene on show.
pub fn picker(ui: &mut Ui, desk: &mut Desk, shelves: &[Shelf], shown: &str, actions: &mut Vec<Action>) {
    let button = ui.add(Button::new("Scenes").selected(desk.picker_open));
    let button = button.on_hover_text("The gallery, and files of your own");
    let opened = button.clicked() && !desk.picker_open;
    if button.clicked() {
        desk.picker_open = !desk.picker_open;
    }
    if !desk.picker_open {
        return;
    }
    let screen = ui.ctx().content_rect();
    let place = egui::pos2(screen.left() + MARGIN, button.rect.bottom() + 12.0);
    // The frame of the panel and its title take some of it.
    let room = Vec2::new(screen.right() - place.x - 40.0, screen.bottom() - place.y - 60.0);
    let size = Vec2::new(WIDTH, HEIGHT).min(room).max(Vec2::splat(80.0));
    let window = Window::new("Scenes").id(Id::unique("picker")).title_bar(false).resizable(false).fixed_pos(place);
    let panel = window.fixed_size(size).show(ui.ctx(), |ui| {
        ui.set_width(size.x);
        contents(ui, desk, shelves, shown, (size, opened), actions)
    });
    let chosen = panel.as_ref().is_some_and(|panel| panel.inner == Some(true));
    // The click that opens it is outside as well.
    let left = panel.is_some_and(|panel| panel.response.clicked_elsewhere()) && !button.clicked();
    let escaped = ui.input(|input| input.key_pressed(Key::Escape));
    if chosen || left || escaped {
        desk.picker_open = false;
    }
}

/// What is in the panel. Whether something was chosen.
fn contents(
    ui: &mut Ui,
    desk: &mut Desk,
    shelves: &[Shelf],
    shown: &str,
    (size, opened): (Vec2, bool),
    actions: &mut Vec<Action>,
) -> bool {
    let before = actions.len();
    ui.horizontal(|ui| {
        let label = ui.label("Search");
        let width = (0.3 * size.x).max(60.0);
        let field = TextEdit::singleline(&mut desk.search).hint_text("cloth, soft, tear …").desired_width(width);
        let field = ui.add(field).labelled_by(label.id);
        if opened {
            field.request_focus();
        }
    });
    ui.horizontal(|ui| {
        let label = ui.label("File");
        let width = (size.x - 210.0).max(60.0);
        let field =
            TextEdit::singleline(&mut desk.path).hint_text("path/to/scene.toml or mesh.obj").desired_width(width);
        let field = ui.add(field).labelled_by(label.id);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if (ui.button("Open").clicked() || entered) && !desk.path.trim().is_empty() {
            actions.push(Action::Open(desk.path.trim().to_string()));
        }
        if ui.button("Browse…").on_hover_text("A scene or a mesh (Ctrl+O); or drop a file on the window").clicked() {
            actions.push(Action::Browse);
        }
    });
    ui.separator();
    ScrollArea::vertical().max_height(size.y - 80.0).auto_shrink(false).show(ui, |ui| {
        let mut any = false;
        for shelf in shelves {
            let found: Vec<&Entry> = shelf.scenes.iter().filter(|entry| matches(entry, shelf, &desk.search)).collect();
            if found.is_empty() {
                continue;
            }
            any = true;
            ui.add_space(4.0);
            ui.label(RichText::new(shelf.title).strong());
            ui.horizontal_wrapped(|ui| {
                for entry in found {
                    if tile(ui, entry, entry.name == shown).on_hover_text(&entry.says).clicked() {
                        actions.push(Action::Open(entry.name.to_string()));
                    }
                }
            });
        }
        if !any {
            ui.label("No scene is called so.");
        }
    });
    actions.len() > before
}

/// Whether every word that is looked for is in what is known of a scene.
fn matches(entry: &Entry, shelf: &Shelf, search: &str) -> bool {
    let known = format!("{} {} {} {}", entry.name, title(entry.name), shelf.title, entry.says).to_lowercase();
    search.to_lowercase().split_whitespace().all(|word| known.contains(word))
}

/// A scene by its picture and its name, or by its name alone.
fn tile(ui: &mut Ui, entry: &Entry, chosen: bool) -> Response {
    let title = title(entry.name);
    match thumbnail(ui.ctx(), entry.name) {
        None => ui.selectable_label(chosen, title),
        Some(picture) => pictured(ui, &picture, &title, chosen),
    }
}

fn pictured(ui: &mut Ui, picture: &TextureHandle, title: &str, chosen: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(SIZE + Vec2::new(0.0, NAME), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, title));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact_selectable(&response, chosen);
        let image = Rect::from_min_size(rect.min, SIZE);
        egui::Image::new(picture).corner_radius(4).paint_at(ui, image);
        if chosen || response.hovered() || response.has_focus() {
            ui.painter().rect_stroke(image, 4.0, (2.0, visuals.bg_fill), StrokeKind::Inside);
        }
        let at = egui::pos2(rect.center().x, image.bottom() + 2.0);
        ui.painter().text(at, Align2::CENTER_TOP, title, FontId::proportional(13.0), ui.visuals().text_color());
    }
    response
}

/// `hanging_cloth` as people write it.
pub fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;
    use crate::viewer::shelves::shelves;
    use crate::viewer::tuning::Tuning;

    type Bench = (Desk, Vec<Action>);

    fn harness(size: Vec2) -> Harness<'static, Bench> {
        let shelves = shelves();
        let show = move |ui: &mut Ui, (desk, actions): &mut Bench| picker(ui, desk, &shelves, "chain", actions);
        let desk = Desk::new([Tuning::default(), Tuning::default()]);
        let mut harness = Harness::builder().with_size(size).build_ui_state(show, (desk, Vec::new()));
        harness.get_by_label("Scenes").click();
        harness.run();
        harness
    }

    const SCREEN: Vec2 = Vec2::new(900.0, 600.0);

    /// The panel opens on a click and asks for the scene that is chosen, and is gone then.
    #[test]
    fn scenes_are_chosen() {
        let mut harness = harness(SCREEN);
        harness.get_by_label("Hanging cloth").click();
        harness.run();
        assert_eq!(harness.state().1, [Action::Open("hanging_cloth".to_string())]);
        assert!(!harness.state().0.picker_open && harness.query_by_label("Hanging cloth").is_none());
    }

    /// A click into the field for a path leaves the panel open, and what is typed there is asked for, by the button or
    /// by Enter.
    #[test]
    fn paths_are_typed() {
        for enter in [false, true] {
            let mut harness = harness(SCREEN);
            harness.get_by_role_and_label(Role::TextInput, "File").click();
            harness.run();
            harness.get_by_role_and_label(Role::TextInput, "File").type_text("a/b.toml");
            harness.run();
            assert!(harness.state().0.picker_open);
            match enter {
                true => harness.key_press(Key::Enter),
                false => harness.get_by_label("Open").click(),
            }
            harness.run();
            assert_eq!(harness.state().1, [Action::Open("a/b.toml".to_string())]);
        }
    }

    /// Words find scenes by their name, their group and what is said of them; where there is none, that is said.
    #[test]
    fn scenes_are_found() {
        let mut harness = harness(SCREEN);
        let search = |harness: &mut Harness<Bench>, words: &str| {
            harness.state_mut().0.search = words.to_string();
            harness.run();
        };
        search(&mut harness, "benchmarks W1");
        assert!(harness.query_by_label("W1").is_some() && harness.query_by_label("Chain").is_none());
        search(&mut harness, "HANG cloth");
        assert!(harness.query_by_label("Hanging cloth").is_some());
        search(&mut harness, "no such thing");
        assert!(harness.query_by_label("No scene is called so.").is_some());
        harness.key_press(Key::Escape);
        harness.run();
        assert!(!harness.state().0.picker_open);
    }

    /// The panel lies inside the smallest window, with its fields and buttons; what does not fit is scrolled to.
    #[test]
    fn panel_fits_the_window() {
        for size in [SCREEN, Vec2::new(400.0, 300.0)] {
            let harness = harness(size);
            let inside = Rect::from_min_size(egui::Pos2::ZERO, size);
            for label in ["Open", "Browse…", "Search", "File"] {
                let rects: Vec<Rect> = harness.query_all_by_label(label).map(|node| node.rect()).collect();
                assert!(
                    !rects.is_empty() && rects.iter().all(|rect| inside.contains_rect(*rect)),
                    "{label}: {rects:?}"
                );
            }
        }
    }

    /// A scene with a picture is chosen by it, as one without is by its name.
    #[test]
    fn pictures_are_buttons() {
        let show = |ui: &mut Ui, clicked: &mut bool| {
            let image = egui::ColorImage::filled([160, 90], egui::Color32::RED);
            let picture = ui.ctx().load_texture("a", image, egui::TextureOptions::LINEAR);
            *clicked |= pictured(ui, &picture, "Flag", false).clicked();
        };
        let mut harness = Harness::new_ui_state(show, false);
        harness.get_by_role_and_label(Role::Button, "Flag").click();
        harness.run();
        assert!(*harness.state());
    }
}
