//! A scene of the gallery that is made to be compared: the same, otherwise solved, is drawn beside it. What a run
//! reports and exports is the scene as it is written.

use super::ink::{Area, Letters, PANEL, WORDS, fill, unit};
use super::painter::Painter;
use crate::Plan;
use crate::cli::clusters::planned;
use crate::cli::engine::{self, Device, Runner};
use crate::cli::failure::Failure;
use crate::cli::stepping::Stepping;
use crate::model::{Mode, Model, Settings};
use crate::render::Picture;

/// Whether a scene is made to be compared with the same otherwise solved.
pub fn is_exhibit(scene: &str) -> bool {
    ["compare", "compare_levels"].contains(&scene)
}

/// What to put beside settings: the same without levels, or in the other mode where they have none. `nested`: whether
/// there are levels.
pub fn otherwise(settings: &Settings, nested: bool) -> Settings {
    let mode = match (nested, settings.mode) {
        (true, mode) => mode,
        (false, Mode::Xpbd) => Mode::Pbd,
        (false, Mode::Pbd) => Mode::Xpbd,
    };
    Settings { mode, nested: Some(false), ..settings.clone() }
}

/// What is written over the picture of each, in a few words: in what they differ.
fn labels(settings: &Settings, nested: bool) -> [String; 2] {
    let many = |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    if nested {
        let substeps = many(settings.substeps, "substep");
        return ["with", "without"].map(|word| format!("{word} levels, {substeps}"));
    }
    let name = |mode| if mode == Mode::Xpbd { "XPBD" } else { "PBD" };
    let iterations = many(settings.iterations, "iteration");
    [settings.mode, otherwise(settings, nested).mode].map(|mode| format!("{}, {iterations}", name(mode)))
}

/// The scene otherwise solved, frame by frame with the run.
pub struct Other {
    model: Model,
    plan: Plan,
    /// `None` once a frame was given up, as the run is to end.
    run: Option<(Stepping, Box<dyn Runner>)>,
    labels: [String; 2],
}

/// The other scene and what draws it.
pub struct Beside {
    other: Other,
    painter: Painter,
}

impl Other {
    /// Beside a model and its plan, on the same kind of device.
    pub fn open(model: &Model, plan: &Plan, device: &Device) -> Result<Self, Failure> {
        let nested = !plan.sheets.is_empty();
        let other = Model { settings: otherwise(&model.settings, nested), ..model.clone() };
        let other_plan = planned(&other, !plan.phases.is_empty());
        let engine = engine::open(device, &other, &other_plan)?;
        let labels = labels(&model.settings, nested);
        Ok(Self { model: other, plan: other_plan, run: Some((Stepping::begin()?, engine)), labels })
    }
}

impl Beside {
    pub fn open(
        other: Other,
        paint: impl FnOnce(&dyn Runner, &Model, &Plan) -> Result<Painter, Failure>,
    ) -> Result<Option<Self>, Failure> {
        let Some((_, engine)) = &other.run else { return Ok(None) };
        let painter = paint(&**engine, &other.model, &other.plan)?;
        Ok(Some(Self { other, painter }))
    }

    /// Solves the next frame.
    pub fn step(&mut self) -> Result<(), Failure> {
        let Some((stepping, engine)) = self.other.run.take() else { return Ok(()) };
        let Some((stepping, (engine, time))) = stepping.step(engine) else { return Ok(()) };
        self.other.run = Some((stepping, engine));
        time.map(drop)
    }

    /// The picture of the frame, to the right of one of the run; `None` if the frame was given up.
    pub fn beside(&mut self, mut left: Picture) -> Result<Option<Picture>, Failure> {
        let Other { model, plan, run, labels } = &mut self.other;
        let Some((_, engine)) = run else { return Ok(None) };
        let state = engine.state()?;
        let mut right = self.painter.picture(&**engine, model, plan, &state)?;
        label(&mut left, &labels[0]);
        label(&mut right, &labels[1]);
        Ok(Some(joined(&left, &right)))
    }
}

/// Writes over the middle of a picture's upper edge.
fn label(picture: &mut Picture, text: &str) {
    let unit = unit(picture);
    let (size, margin) = (22.0 * unit, 10.0 * unit);
    let Some(letters) = Letters::of_size(size) else { return };
    let panel = [letters.width(text) + 3.0 * margin, size + 1.4 * margin];
    let corner = [0.5 * (picture.width as f32 - panel[0]), 1.6 * margin];
    fill(picture, Area::new(corner, panel), |_| PANEL);
    letters.write(picture, text, [corner[0] + 1.5 * margin, corner[1] + 0.7 * margin], WORDS);
}

/// Two pictures of one height, side by side.
fn joined(left: &Picture, right: &Picture) -> Picture {
    let rows = |picture: &Picture| 4 * picture.width as usize;
    let pairs = left.rgba.chunks_exact(rows(left)).zip(right.rgba.chunks_exact(rows(right)));
    let rgba = pairs.flat_map(|(left, right)| left.iter().chain(right)).copied().collect();
    Picture { width: left.width + right.width, height: left.height, rgba }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands beside a scene differs in one setting, and both are called by it.
    #[test]
    fn both_are_called_by_what_they_differ_in() {
        let settings = Settings { substeps: 5, iterations: 10, nested: Some(true), ..Settings::default() };
        assert_eq!(labels(&settings, true), ["with levels, 5 substeps", "without levels, 5 substeps"]);
        let other = otherwise(&settings, true);
        assert_eq!((other.mode, other.nested), (Mode::Xpbd, Some(false)));
        let settings = Settings { nested: None, ..settings };
        assert_eq!(labels(&settings, false), ["XPBD, 10 iterations", "PBD, 10 iterations"]);
        assert_eq!(otherwise(&settings, false).mode, Mode::Pbd);
        let settings = Settings { iterations: 1, mode: Mode::Pbd, ..settings };
        assert_eq!(labels(&settings, false), ["PBD, 1 iteration", "XPBD, 1 iteration"]);
        assert_eq!(otherwise(&settings, false).mode, Mode::Xpbd);
    }

    /// Pictures of any widths are joined row by row.
    #[test]
    fn pictures_are_joined() {
        let picture = |width: u32, grey: u8| Picture { width, height: 2, rgba: vec![grey; 8 * width as usize] };
        let joined = joined(&picture(1, 7), &picture(2, 9));
        assert_eq!((joined.width, joined.height), (3, 2));
        assert_eq!(joined.rgba, [[7; 4], [9; 4], [9; 4], [7; 4], [9; 4], [9; 4]].concat());
    }
}
