//! How the panels look, in the dark and in the light.

use egui::{Color32, Context, CornerRadius, FontId, Rgba, Style, TextStyle, Theme, Vec2};

/// What is behind panels and panes. A window begins with it, and nothing is filled with it: for a software device each
/// layer of pixels counts.
const DARK: Color32 = Color32::from_rgb(27, 29, 34);
const LIGHT: Color32 = Color32::from_rgb(240, 241, 244);

/// The button that matters most, in both.
pub const ACCENT: Color32 = Color32::from_rgb(38, 96, 150);

/// The smallest text, points.
const SMALLEST: f32 = 12.0;

/// What is behind everything, for a window of this format.
pub fn background(format: wgpu::TextureFormat, theme: Theme) -> wgpu::Color {
    let colour = match theme {
        Theme::Dark => DARK,
        Theme::Light => LIGHT,
    };
    let [r, g, b, a] = match format.is_srgb() {
        true => Rgba::from(colour).to_array(),
        false => colour.to_normalized_gamma_f32(),
    }
    .map(f64::from);
    wgpu::Color { r, g, b, a }
}

/// A dark theme, in which the scene is the bright thing in the window, and a light one. Which is shown is the user's
/// choice, or the desktop's; dark where that does not say.
pub fn apply(context: &Context) {
    context.options_mut(|options| {
        options.fallback_theme = Theme::Dark;
        // A second pass over the panels would move the camera twice.
        options.max_passes = std::num::NonZeroUsize::MIN;
    });
    context.all_styles_mut(common);
    context.style_mut_of(Theme::Dark, |style| {
        style.visuals.window_fill = Color32::from_rgb(32, 34, 40);
        style.visuals.extreme_bg_color = Color32::from_rgb(17, 18, 22);
        style.visuals.faint_bg_color = Color32::from_rgb(33, 36, 42);
        style.visuals.selection.bg_fill = ACCENT;
    });
    context.style_mut_of(Theme::Light, |style| {
        style.visuals.window_fill = Color32::from_rgb(248, 249, 251);
        style.visuals.faint_bg_color = Color32::from_rgb(230, 232, 236);
        style.visuals.override_text_color = Some(Color32::from_rgb(35, 37, 42));
        style.visuals.selection.bg_fill = Color32::from_rgb(160, 202, 238);
    });
}

fn common(style: &mut Style) {
    style.spacing.item_spacing = Vec2::new(8.0, 5.0);
    style.spacing.button_padding = Vec2::new(8.0, 4.0);
    style.text_styles.insert(TextStyle::Small, FontId::proportional(SMALLEST));
    style.visuals.panel_fill = Color32::TRANSPARENT;
    for widget in [
        &mut style.visuals.widgets.inactive,
        &mut style.visuals.widgets.hovered,
        &mut style.visuals.widgets.active,
        &mut style.visuals.widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(5);
    }
}

/// A curve's colour, dark enough for what is behind it.
pub fn curve(colour: Color32, dark_mode: bool) -> Color32 {
    let darker = |channel: u8| (0.62 * f32::from(channel)) as u8;
    match dark_mode {
        true => colour,
        false => Color32::from_rgb(darker(colour.r()), darker(colour.g()), darker(colour.b())),
    }
}
