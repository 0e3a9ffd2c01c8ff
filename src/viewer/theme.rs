//! How the panels look.

use egui::{Color32, Context, CornerRadius, Theme, Vec2};

/// A dark theme: the scene is the bright thing in the window.
pub fn apply(context: &Context) {
    context.set_theme(Theme::Dark);
    context.options_mut(|options| {
        // A second pass over the panels would move the camera twice.
        options.max_passes = std::num::NonZeroUsize::MIN;
    });
    context.all_styles_mut(|style| {
        style.spacing.item_spacing = Vec2::new(8.0, 5.0);
        style.spacing.button_padding = Vec2::new(8.0, 4.0);
        style.visuals.panel_fill = Color32::from_rgb(27, 29, 34);
        style.visuals.window_fill = Color32::from_rgb(32, 34, 40);
        style.visuals.extreme_bg_color = Color32::from_rgb(17, 18, 22);
        style.visuals.faint_bg_color = Color32::from_rgb(33, 36, 42);
        style.visuals.selection.bg_fill = Color32::from_rgb(38, 96, 150);
        for widget in [
            &mut style.visuals.widgets.inactive,
            &mut style.visuals.widgets.hovered,
            &mut style.visuals.widgets.active,
            &mut style.visuals.widgets.open,
        ] {
            widget.corner_radius = CornerRadius::same(5);
        }
    });
}
