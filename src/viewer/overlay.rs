//! Labels over a picture, placed so that none covers another.

use egui::{Align, Align2, Color32, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Vec2};
use std::sync::Arc;

/// From a label to the edge of its picture, and to the next label, points.
const MARGIN: f32 = 12.0;
const GAP: f32 = 4.0;
/// Around the text of a label, points.
const PADDING: Vec2 = Vec2::new(8.0, 4.0);
/// What is behind a label.
const SHADE: u8 = 150;

/// The labels that a frame of the window has over its pictures.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    placed: Vec<Rect>,
}

impl Labels {
    /// Where they are.
    pub fn placed(&self) -> &[Rect] {
        &self.placed
    }

    /// Room of this size at an edge of a picture. Where another label is, the next place below it; above it for those
    /// at the bottom. `None` where the picture is full or too small.
    pub fn place(&mut self, picture: Rect, align: Align2, size: Vec2) -> Option<Rect> {
        let room = picture.shrink(MARGIN);
        self.settle(room, align.align_size_within_rect(size, room), align.y() == Align::Max)
    }

    /// Room of this size whose lower left corner is at a place, or as near below it as others allow.
    pub fn place_at(&mut self, picture: Rect, corner: Pos2, size: Vec2) -> Option<Rect> {
        let room = picture.shrink(MARGIN);
        let rect = Align2::LEFT_BOTTOM.anchor_size(corner, size);
        let into = room.intersect(rect).size() == size;
        let rect = if into { rect } else { rect.translate(inwards(room, rect)) };
        self.settle(room, rect, false)
    }

    /// Moves a label past those that are there, down or up.
    fn settle(&mut self, room: Rect, mut rect: Rect, up: bool) -> Option<Rect> {
        while let Some(other) = self.placed.iter().find(|other| other.expand(0.5 * GAP).intersects(rect)) {
            let way = if up { other.top() - GAP - rect.bottom() } else { other.bottom() + GAP - rect.top() };
            rect = rect.translate(Vec2::new(0.0, way));
        }
        // What is aligned in the middle is off by a rounding.
        let fits = room.expand(0.1).contains_rect(rect);
        fits.then(|| {
            self.placed.push(rect);
            rect
        })
    }

    /// Writes a line of text at an edge of a picture, over more lines where it is narrow.
    pub fn write(&mut self, painter: &Painter, picture: Rect, align: Align2, size: f32, text: &str) {
        let galley = self.lines(painter, picture, size, text);
        let rect = self.place(picture, align, galley.size() + 2.0 * PADDING);
        draw(painter, rect, galley);
    }

    /// Writes a line of text beside a place in a picture.
    pub fn write_at(&mut self, painter: &Painter, picture: Rect, corner: Pos2, size: f32, text: &str) {
        let galley = self.lines(painter, picture, size, text);
        let rect = self.place_at(picture, corner, galley.size() + 2.0 * PADDING);
        draw(painter, rect, galley);
    }

    fn lines(&self, painter: &Painter, picture: Rect, size: f32, text: &str) -> Arc<Galley> {
        let width = (picture.width() - 2.0 * (MARGIN + PADDING.x)).max(1.0);
        painter.layout(text.to_string(), FontId::proportional(size), Color32::WHITE, width)
    }
}

/// How to bring a rectangle into a larger one.
fn inwards(room: Rect, rect: Rect) -> Vec2 {
    let along = |low: f32, high: f32, from: f32, to: f32| (low - from).max(0.0) + (high - to).min(0.0);
    Vec2::new(
        along(room.left(), room.right(), rect.left(), rect.right()),
        along(room.top(), room.bottom(), rect.top(), rect.bottom()),
    )
}

fn draw(painter: &Painter, rect: Option<Rect>, galley: Arc<Galley>) {
    let Some(rect) = rect else { return };
    shade(painter, rect);
    painter.galley(rect.min + PADDING, galley, Color32::WHITE);
}

/// What is behind a label.
pub fn shade(painter: &Painter, rect: Rect) {
    painter.rect_filled(rect, CornerRadius::same(5), Color32::from_black_alpha(SHADE));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: f32, height: f32) -> Rect {
        Rect::from_min_size(Pos2::new(40.0, 30.0), Vec2::new(width, height))
    }

    fn apart(labels: &Labels, picture: Rect) {
        for (index, rect) in labels.placed().iter().enumerate() {
            assert!(picture.contains_rect(*rect), "{rect:?} leaves {picture:?}");
            let others = &labels.placed()[index + 1..];
            assert!(others.iter().all(|other| !other.intersects(*rect)), "{rect:?} covers another of {others:?}");
        }
    }

    /// However many labels ask for an edge, those that are placed lie inside the picture and apart; the rest is left
    /// out.
    #[test]
    fn labels_keep_apart() {
        let edges = [Align2::CENTER_TOP, Align2::RIGHT_TOP, Align2::LEFT_BOTTOM, Align2::CENTER_BOTTOM];
        for (width, height) in [(900.0, 600.0), (240.0, 500.0), (120.0, 60.0), (10.0, 10.0)] {
            let (picture, mut labels) = (picture(width, height), Labels::default());
            for index in 0..40 {
                let size = Vec2::new(30.0 + 11.0 * (index % 7) as f32, 14.0 + (index % 3) as f32);
                labels.place(picture, edges[index % 4], size);
                labels.place_at(picture, picture.min + 3.0 * size * (index % 5) as f32, size);
            }
            apart(&labels, picture);
            assert_eq!(labels.placed().is_empty(), width < 100.0);
        }
    }

    /// The first label is where it asks to be, and another at the same edge is next to it.
    #[test]
    fn first_label_has_its_place() {
        let (picture, mut labels) = (picture(400.0, 300.0), Labels::default());
        let size = Vec2::new(100.0, 20.0);
        let first = labels.place(picture, Align2::CENTER_TOP, size).unwrap();
        assert_eq!((first.center().x, first.top()), (240.0, 30.0 + MARGIN));
        let second = labels.place(picture, Align2::CENTER_TOP, size).unwrap();
        assert_eq!((second.center().x, second.top()), (240.0, first.bottom() + GAP));
        let low = labels.place(picture, Align2::LEFT_BOTTOM, size).unwrap();
        let above = labels.place(picture, Align2::LEFT_BOTTOM, size).unwrap();
        assert_eq!((low.bottom(), above.bottom()), (330.0 - MARGIN, low.top() - GAP));
    }
}
