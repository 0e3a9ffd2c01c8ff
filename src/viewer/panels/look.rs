//! How the scene is drawn, and what its colours mean.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Ui, Vec2};

use super::quantity;
use crate::render::{self, Colour, Constraints, FULL_STRETCH, Look};

/// What can be seen; `contacts`: whether what presses is.
pub fn look(ui: &mut Ui, look: &mut Look, contacts: &mut bool) {
    ui.horizontal(|ui| {
        ui.label("Colour");
        ui.selectable_value(&mut look.colour, Colour::Body, "body");
        ui.selectable_value(&mut look.colour, Colour::Stretch, "stretch");
        ui.selectable_value(&mut look.colour, Colour::Speed, "speed");
        ui.selectable_value(&mut look.colour, Colour::Strain, "strain").on_hover_text("Of solids");
        ui.selectable_value(&mut look.colour, Colour::Stress, "stress").on_hover_text("Of solids, after von Mises");
    });
    ui.horizontal(|ui| {
        ui.label("Constraints");
        ui.selectable_value(&mut look.constraints, Constraints::Hidden, "hidden");
        ui.selectable_value(&mut look.constraints, Constraints::Batches, "colours")
            .on_hover_text("Constraints of one colour are solved at once");
        ui.selectable_value(&mut look.constraints, Constraints::Stretch, "stretch");
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut look.wireframe, "wireframe");
        ui.checkbox(&mut look.balls, "particles");
        ui.checkbox(&mut look.velocities, "velocities");
        ui.checkbox(contacts, "contacts")
            .on_hover_text("Where particles press against something, and the force on each");
        ui.checkbox(&mut look.stage, "floor").on_hover_text("Under scenes without ground; nothing touches it");
    });
}

/// What the colours of a picture mean and what the end of their scale stands for; `None` where they mean no number.
/// `full` is that of the bodies' colour, `None` where the scene has nothing to show.
pub(super) fn scale(look: &Look, full: Option<f64>) -> Option<(&'static str, String)> {
    Some(match (look.colour, full, look.constraints) {
        (Colour::Speed, Some(full), _) => ("speed", format!("{full} m/s")),
        (Colour::Stretch, Some(full), _) => ("stretch", percent(full)),
        (Colour::Strain, Some(full), _) => ("strain", percent(full)),
        (Colour::Stress, Some(full), _) => ("von Mises stress", pascals(full)),
        (_, _, Constraints::Stretch) => ("stretch", percent(FULL_STRETCH)),
        (Colour::Strain | Colour::Stress, None, _) => ("no solid here has one", String::new()),
        _ => return None,
    })
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// A round number needs no digits after the point.
fn pascals(stress: f64) -> String {
    quantity(stress, "Pa").replace(".00", "").replace(".0", "")
}

/// The scale of the colours in the lower left corner of a picture, where they mean a number; `full` as in [`scale`].
pub fn legend(painter: &Painter, picture: Rect, look: &Look, full: Option<f64>) {
    let Some((title, full)) = scale(look, full) else { return };
    const STEPS: usize = 48;
    let size = Vec2::new(180.0, 10.0);
    // At the bottom: the top is for what a pane is called.
    let corner = Pos2::new(picture.left() + 16.0, picture.bottom() - 40.0);
    let card = Rect::from_min_size(corner, size).expand2(Vec2::new(9.0, 24.0));
    painter.rect_filled(card, 5.0, Color32::from_black_alpha(150));
    let (font, colour) = (FontId::proportional(12.0), Color32::from_gray(240));
    if full.is_empty() {
        painter.text(card.center(), Align2::CENTER_CENTER, title, font, colour);
        return;
    }
    let step = Vec2::new(size.x / STEPS as f32, size.y);
    for index in 0..STEPS {
        let [r, g, b] = render::heat(index as f32 / (STEPS - 1) as f32).map(|channel| (255.0 * channel).round() as u8);
        let at = corner + Vec2::new(index as f32 * step.x, 0.0);
        // A little wider than its place, so that no seam shows.
        painter.rect_filled(Rect::from_min_size(at, step + Vec2::new(0.5, 0.0)), 0.0, Color32::from_rgb(r, g, b));
    }
    painter.text(corner - Vec2::new(0.0, 3.0), Align2::LEFT_BOTTOM, title, font.clone(), colour);
    painter.text(corner + Vec2::new(0.0, size.y + 2.0), Align2::LEFT_TOP, "0", font.clone(), colour);
    painter.text(corner + size + Vec2::new(0.0, 2.0), Align2::RIGHT_TOP, full, font, colour);
}
