//! Keys and mouse, over everything else.

use egui::{Align2, Grid, RichText, Ui, Vec2, Window};

use crate::viewer::keys::{KEYS, MOUSE};

/// Of both lists beside each other, points.
const WIDE: f32 = 700.0;

/// Explains keys and mouse while it is open.
pub fn help(ui: &Ui, open: &mut bool) {
    let is_wide = ui.ctx().content_rect().width() > WIDE;
    let window = Window::new("Keys and mouse").open(open).collapsible(false).resizable(false).vscroll(true);
    window.anchor(Align2::CENTER_CENTER, Vec2::ZERO).show(ui.ctx(), |ui| {
        let lists = |ui: &mut Ui| {
            list(ui, "keys", &KEYS);
            ui.add_space(16.0);
            list(ui, "in the picture", &MOUSE);
        };
        match is_wide {
            true => ui.horizontal_top(lists),
            false => ui.vertical(lists),
        };
    });
}

fn list(ui: &mut Ui, name: &str, rows: &[(&str, &str)]) {
    Grid::new(name).num_columns(2).spacing([18.0, 4.0]).show(ui, |ui| {
        for (press, does) in rows {
            ui.label(RichText::new(*press).monospace().strong());
            ui.label(*does);
            ui.end_row();
        }
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;

    /// Every key is explained while the list is open, on the smallest screen too, and its cross closes it.
    #[test]
    fn keys_are_explained() {
        let screen = Vec2::new(900.0, 600.0);
        let show = |ui: &mut Ui, open: &mut bool| help(ui, open);
        let mut harness = Harness::builder().with_size(screen).build_ui_state(show, true);
        harness.run();
        let inside = egui::Rect::from_min_size(egui::Pos2::ZERO, screen);
        for (press, does) in KEYS.iter().chain(&MOUSE) {
            let nodes: Vec<egui::Rect> = harness.query_all_by_label(press).map(|node| node.rect()).collect();
            assert!(!nodes.is_empty() && nodes.iter().all(|rect| inside.contains_rect(*rect)), "{press}: {nodes:?}");
            assert!(harness.query_all_by_label(does).count() > 0, "{does}");
        }
        harness.get_by_label("Close window").click();
        harness.run();
        assert!(!*harness.state());
        harness.run();
        assert!(harness.query_by_label("Keys and mouse").is_none());
    }
}
