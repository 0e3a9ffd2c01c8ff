//! How the panels look.

use egui::{Color32, Context, CornerRadius, Rgba, Theme, Vec2};

/// What is behind panels and panes. A window begins with it, and nothing is filled with it: for a software device each
/// layer of pixels counts.
const BACKGROUND: Color32 = Color32::from_rgb(27, 29, 34);

/// That, for a window of this format.
pub fn background(format: wgpu::TextureFormat) -> wgpu::Color {
    let [r, g, b, a] = match format.is_srgb() {
        true => Rgba::from(BACKGROUND).to_array(),
        false => BACKGROUND.to_normalized_gamma_f32(),
    }
    .map(f64::from);
    wgpu::Color { r, g, b, a }
}

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
        style.visuals.panel_fill = Color32::TRANSPARENT;
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
