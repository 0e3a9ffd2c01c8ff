//! One picture of a simulation, drawn to a texture that egui shows.

use egui::{Color32, Id, PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2};

use super::orbit::{Orbit, View};
use super::panels::quantity;
use super::simulation::FORMAT;
use crate::model::Contact;

/// Distance over which the wheel brings the eye closer by a factor of e, points of scrolling.
const ZOOM_POINTS: f64 = 320.0;

/// The texture that a pane is drawn to.
pub struct Canvas {
    view: wgpu::TextureView,
    size: [u32; 2],
    id: egui::TextureId,
}

impl Canvas {
    pub fn new(device: &wgpu::Device, painter: &mut egui_wgpu::Renderer) -> Self {
        let size = [1, 1];
        let view = texture(device, size);
        let id = painter.register_native_texture(device, &view, wgpu::FilterMode::Linear);
        Self { view, size, id }
    }

    /// Makes the texture as large as the pane, in pixels; what the device does not allow is cut off.
    pub fn fit(&mut self, device: &wgpu::Device, painter: &mut egui_wgpu::Renderer, size: [u32; 2]) {
        let most = device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.clamp(1, most));
        if size != self.size {
            self.view = texture(device, size);
            self.size = size;
            let filter = wgpu::FilterMode::Linear;
            painter.update_egui_texture_from_wgpu_texture(device, &self.view, filter, self.id);
        }
    }

    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    pub fn id(&self) -> egui::TextureId {
        self.id
    }
}

/// What a picture of the window is drawn to, and copied from to files.
pub fn texture(device: &wgpu::Device, [width, height]: [u32; 2]) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("pane"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}

/// What the pointer does in a pane, in points from its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointer {
    /// Where the left button was just pressed to drag.
    pub grabbed: Option<[f64; 2]>,
    /// Where the pointer drags with the left button.
    pub dragged: Option<[f64; 2]>,
    pub released: bool,
    pub clicked: Option<[f64; 2]>,
    /// Where the left button is held down that was pressed here, whether the pointer moves or not.
    pub held: Option<[f64; 2]>,
    /// Whether Shift is held.
    pub shift: bool,
}

/// Shows a pane's picture and moves the camera by what the pointer does there. `held`: the left button drags a
/// particle, and so does not turn the camera.
pub fn show(ui: &mut Ui, rect: Rect, index: usize, id: egui::TextureId, orbit: &mut Orbit, held: bool) -> Pointer {
    let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
    ui.painter().image(id, rect, whole, Color32::WHITE);
    let response = ui.interact(rect, Id::unique(("pane", index)), Sense::click_and_drag());
    let place = |at: Pos2| [f64::from(at.x - rect.left()), f64::from(at.y - rect.top())];
    let panning = ui.input(|input| input.modifiers.shift);
    let grabbed = response.drag_started_by(PointerButton::Primary) && !panning;
    // What was pressed must still be there when it is looked for.
    move_camera(ui, rect, &response, orbit, held || grabbed);
    let pressed = ui.input(|input| input.pointer.press_origin());
    let is_held = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
    Pointer {
        grabbed: pressed.filter(|_| grabbed).map(place),
        dragged: response.interact_pointer_pos().filter(|_| response.dragged_by(PointerButton::Primary)).map(place),
        released: response.drag_stopped(),
        clicked: response.interact_pointer_pos().filter(|_| response.clicked()).map(place),
        held: response.interact_pointer_pos().filter(|_| is_held).map(place),
        shift: panning,
    }
}

fn move_camera(ui: &Ui, rect: Rect, response: &Response, orbit: &mut Orbit, held: bool) {
    let size = size_of(rect);
    let [x, y] = [response.drag_delta().x, response.drag_delta().y].map(f64::from);
    let shift = ui.input(|input| input.modifiers.shift);
    let left = response.dragged_by(PointerButton::Primary);
    let right = response.dragged_by(PointerButton::Secondary);
    if response.dragged_by(PointerButton::Middle) || shift && (right || left && !held) {
        orbit.pan([x, y], size);
    } else if right || left && !held {
        orbit.turn([x, y]);
    }
    if let Some(at) = response.hover_pos() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = (-f64::from(scroll) / ZOOM_POINTS).exp() / f64::from(pinch);
        if factor != 1.0 && factor.is_finite() {
            orbit.zoom(factor, [f64::from(at.x - rect.left()), f64::from(at.y - rect.top())], size);
        }
    }
}

/// Width and height in points.
pub fn size_of(rect: Rect) -> [f64; 2] {
    [f64::from(rect.width()), f64::from(rect.height())]
}

/// The spring of the mouse: from the particle to where it is pulled. Returns where that is seen.
pub fn spring(ui: &Ui, rect: Rect, view: &View, from: [f64; 3], to: [f64; 3]) -> Option<Pos2> {
    let (from, to) = (place(rect, view, from)?, place(rect, view, to)?);
    let painter = ui.painter().with_clip_rect(rect);
    let colour = Color32::from_rgb(255, 196, 60);
    painter.line_segment([from, to], Stroke::new(4.0, Color32::from_black_alpha(110)));
    painter.line_segment([from, to], Stroke::new(2.0, colour));
    painter.circle_filled(from, 4.0, colour);
    painter.circle_stroke(to, 6.0, Stroke::new(2.0, colour));
    Some(to)
}

/// How long the arrow of the largest force is, as a share of the picture's height.
const LARGEST: f64 = 0.12;
/// Arrows drawn at the most, those of the largest forces: more are a carpet.
const MOST_ARROWS: usize = 2_000;

/// Where particles press, each with the force on it, normal and friction. Returns how many there are, with the sum of
/// their sizes.
pub fn contacts(ui: &Ui, rect: Rect, view: &View, contacts: &[Contact]) -> String {
    let force = |contact: &Contact| -> [f64; 3] {
        std::array::from_fn(|i| contact.force * contact.normal[i] + contact.friction[i])
    };
    let size = |contact: &Contact| force(contact).iter().map(|f| f * f).sum::<f64>().sqrt();
    let mut sorted: Vec<(f64, &Contact)> = contacts.iter().map(|contact| (size(contact), contact)).collect();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let largest = sorted.first().map_or(0.0, |(size, _)| *size);
    let painter = ui.painter().with_clip_rect(rect);
    let colour = Color32::from_rgb(255, 110, 64);
    for (_, contact) in sorted.iter().take(MOST_ARROWS) {
        let Some(from) = place(rect, view, contact.point) else { continue };
        painter.circle_filled(from, 2.5, colour);
        // At its distance so many metres are so high in the picture.
        let Some(depth) = view.project(contact.point).map(|projected| projected.depth) else { continue };
        let metres = LARGEST * f64::from(rect.height()) * depth / view.points_at_one_metre();
        let along = force(contact).map(|f| f / largest * metres);
        if let Some(to) = place(rect, view, std::array::from_fn(|i| contact.point[i] + along[i])) {
            painter.line_segment([from, to], Stroke::new(1.6, colour));
        }
    }
    let sum: f64 = sorted.iter().map(|(size, _)| size).sum();
    let shown = if contacts.len() > MOST_ARROWS { format!(", the largest {MOST_ARROWS} shown") } else { String::new() };
    format!("{} contacts, {} together{shown}", contacts.len(), quantity(sum, "N"))
}

/// Marks a particle that is pinned.
pub fn pin(ui: &Ui, rect: Rect, view: &View, position: [f64; 3]) {
    let Some(at) = place(rect, view, position) else { return };
    let painter = ui.painter().with_clip_rect(rect);
    let head = at - Vec2::new(-5.0, 14.0);
    painter.line_segment([at, head], Stroke::new(2.0, Color32::from_gray(230)));
    painter.circle(head, 5.0, Color32::from_rgb(220, 60, 50), Stroke::new(1.0, Color32::from_black_alpha(140)));
}

/// The line along which is cut, through points of the picture.
pub fn stroke(ui: &Ui, rect: Rect, points: &[[f64; 2]]) {
    let painter = ui.painter().with_clip_rect(rect);
    let at = |[x, y]: [f64; 2]| rect.min + Vec2::new(x as f32, y as f32);
    for part in points.windows(2) {
        painter.line_segment([at(part[0]), at(part[1])], Stroke::new(2.0, Color32::from_rgb(255, 90, 70)));
    }
}

/// Rings the particle that was picked.
pub fn ring(ui: &Ui, rect: Rect, view: &View, position: [f64; 3]) {
    let Some(at) = place(rect, view, position) else { return };
    let painter = ui.painter().with_clip_rect(rect);
    painter.circle_stroke(at, 8.0, Stroke::new(3.5, Color32::from_black_alpha(130)));
    painter.circle_stroke(at, 8.0, Stroke::new(1.8, Color32::from_rgb(120, 220, 255)));
}

fn place(rect: Rect, view: &View, position: [f64; 3]) -> Option<Pos2> {
    let [x, y] = view.project(position)?.at;
    Some(rect.min + Vec2::new(x as f32, y as f32))
}
