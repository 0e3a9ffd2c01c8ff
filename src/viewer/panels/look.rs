//! How the scene is drawn, and what its colours mean.

use egui::{Align2, Color32, FontId, Painter, Rect, Ui, Vec2};

use super::choice::{choice, meaning, tick};
use super::quantity;
use crate::render::{self, Colour, Constraints, FULL_STRETCH, Look};
use crate::viewer::overlay::{self, Labels};

/// What there is to see of a scene.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sights {
    /// Distances, which stretch.
    pub distances: bool,
    /// Constraints of any kind.
    pub constraints: bool,
    /// Elements with a strain, and with a stress.
    pub strain: bool,
    pub stress: bool,
    /// Anything that can touch something.
    pub contacts: bool,
}

/// What can be seen; `contacts`: whether what presses is.
pub fn look(ui: &mut Ui, look: &mut Look, contacts: &mut bool, sights: Sights) {
    let springs = meaning(sights.distances, "Nothing in this scene is held by lengths, which could stretch");
    ui.horizontal_wrapped(|ui| {
        ui.label("Colour");
        let solid = |there| meaning(there, "There is no solid in this scene");
        let colour = &mut look.colour;
        choice(ui, colour, Colour::Body, ("body", "Each body in its own colour"), Ok(()));
        choice(ui, colour, Colour::Stretch, ("stretch", "By how much lengths differ from those at rest"), springs);
        choice(ui, colour, Colour::Speed, ("speed", "How fast it moves"), Ok(()));
        choice(ui, colour, Colour::Strain, ("strain", "How much solids are deformed"), solid(sights.strain));
        let stress = ("stress", "The load inside solids (von Mises stress)");
        choice(ui, colour, Colour::Stress, stress, solid(sights.stress));
    });
    ui.horizontal_wrapped(|ui| {
        ui.label("Connections");
        let held = meaning(sights.constraints, "Nothing holds particles together in this scene");
        let lines = &mut look.constraints;
        choice(ui, lines, Constraints::Hidden, ("hidden", ""), Ok(()));
        let batches = ("in groups", "Constraints as lines: those of one colour are solved at the same time (batches)");
        choice(ui, lines, Constraints::Batches, batches, held);
        choice(
            ui,
            lines,
            Constraints::Stretch,
            ("by stretch", "Constraints as lines, coloured by how far each is stretched"),
            springs,
        );
    });
    ui.horizontal_wrapped(|ui| {
        tick(ui, &mut look.wireframe, ("wireframe", "The edges of all triangles"), Ok(()));
        tick(ui, &mut look.balls, ("particles", "Particles as balls, in place of surfaces and liquids"), Ok(()));
        tick(ui, &mut look.velocities, ("velocities", "How far each particle moves in 1/30 s, as lines"), Ok(()));
        let touch = "Nothing can touch in this scene: it has no collider and no body with a radius";
        let says = "Where particles press against something, and the force on each";
        tick(ui, contacts, ("contacts", says), meaning(sights.contacts, touch));
        let floor = ("floor", "A floor under scenes without ground; nothing touches it");
        tick(ui, &mut look.stage, floor, Ok(()));
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
pub fn legend(painter: &Painter, picture: Rect, look: &Look, full: Option<f64>, labels: &mut Labels) {
    let Some((title, full)) = scale(look, full) else { return };
    const STEPS: usize = 48;
    const AROUND: Vec2 = Vec2::new(9.0, 24.0);
    let size = Vec2::new((picture.width() - 60.0).clamp(40.0, 180.0), 10.0);
    // At the bottom: the top is for what a pane is called.
    let Some(card) = labels.place(picture, Align2::LEFT_BOTTOM, size + 2.0 * AROUND) else { return };
    overlay::shade(painter, card);
    let corner = card.min + AROUND;
    let (font, colour) = (FontId::proportional(12.5), Color32::from_gray(240));
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
