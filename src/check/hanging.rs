//! Advice on how bodies hang: how far they are stretched, and what substeps they want.

use crate::model::Model;
use crate::plan::levels;
use crate::plan::statics::{self, Prediction, TOLERATED};

/// Stretch of a constraint that goes unnoticed, as a share of its rest length.
const TOLERATED_STRETCH: f64 = 0.02;
/// What runs show over what is predicted, at most: of ropes 1.1, of sheets 1.5.
const MARGIN: f64 = 1.5;
/// Predictions at most in a search for substeps.
const MOST_ROUNDS: u32 = 8;

/// How the bodies of a model hang.
pub struct Hanging<'a> {
    model: &'a Model,
    /// Without levels.
    plain: Vec<Prediction>,
    /// Bodies with levels.
    leveled: Vec<u32>,
    /// Bodies that could have levels.
    possible: Vec<u32>,
    /// Bodies that would have them if they could not break or tear.
    given_up: Vec<u32>,
    /// With these.
    predicted: Vec<Prediction>,
}

impl<'a> Hanging<'a> {
    pub fn of(model: &'a Model) -> Self {
        let plain = statics::predict(model, model.settings.substeps);
        let possible = levels::possible(model);
        let leveled = levels::wanted(model, &possible, &plain);
        let given_up = levels::wanted(model, &levels::given_up(model), &plain);
        let mut hanging = Self { model, predicted: plain.clone(), plain, leveled, possible, given_up };
        if !hanging.leveled.is_empty() {
            hanging.predicted = hanging.predict(model.settings.substeps);
        }
        hanging
    }

    fn predict(&self, substeps: u32) -> Vec<Prediction> {
        let plain = statics::predict(self.model, substeps);
        match self.leveled.is_empty() {
            true => plain,
            false => statics::predict_with_levels(self.model, substeps, &plain, &self.leveled),
        }
    }

    /// The substeps wanted, if they are more than those given.
    pub fn substeps(&self, most: u32) -> Option<String> {
        let worst = worst(&self.predicted, want)?;
        let given = self.model.settings.substeps;
        let number = match self.wanted() {
            wanted if wanted <= most => format!("about {wanted} needed"),
            _ => "more needed than Pliant allows".to_string(),
        };
        let nested = self.model.settings.nested;
        let (why, remedy) = match self.leveled.contains(&worst.body) {
            true => ("levels do not carry loads between neighbouring nodes", ""),
            false if !self.possible.contains(&worst.body) => (SWEEPS, ""),
            false if nested == Some(false) => (SWEEPS, "; or remove nested = false: levels carry the load all the way"),
            false => (SWEEPS, "; or set nested = true: levels carry the load all the way"),
        };
        let told = self.told(worst);
        Some(format!(
            "substeps: {given} given; {number} to stretch less than 2 %: with {given}, {told}, because {why}{remedy}"
        ))
    }

    /// What is stretched although the substeps are enough.
    pub fn material(&self) -> Option<String> {
        let beyond = |one: &Prediction| {
            (MARGIN * one.unresolved_stretch + (one.stretch - one.unresolved_stretch)) / TOLERATED_STRETCH
        };
        let worst = worst(&self.predicted, beyond)?;
        let (name, stretch) = (self.name(worst), per_cent(worst.stretch));
        Some(match self.leveled.contains(&worst.body) {
            true => format!(
                "'{name}' will stretch by up to {stretch} because of its compliance and what levels do not \
                 carry"
            ),
            false => {
                format!(
                    "'{name}' will stretch by up to {stretch} because of its compliance; more substeps hardly \
                     change it"
                )
            }
        })
    }

    /// What levels are for.
    pub fn levels(&self) -> Option<String> {
        let leveled: Vec<Prediction> =
            self.plain.iter().filter(|one| self.leveled.contains(&one.body)).copied().collect();
        let worst = worst(&leveled, want).filter(|_| self.model.settings.nested.is_none())?;
        Some(format!("levels are active and cost time; without them (nested = false) {}", self.told(worst)))
    }

    /// What has no levels because it can break or tear, and what that costs: of several bodies the one that is
    /// stretched most.
    pub fn breakable(&self) -> Option<String> {
        let first = *self.given_up.first()?;
        let stretched = self.plain.iter().filter(|one| self.given_up.contains(&one.body));
        let worst = stretched.max_by(|a, b| a.stretch.total_cmp(&b.stretch));
        let name = &self.model.bodies[worst.map_or(first, |one| one.body) as usize].name;
        let others = match self.given_up.len() - 1 {
            0 => String::new(),
            1 => ", like 1 other body,".to_string(),
            count => format!(", like {count} other bodies,"),
        };
        let cost = match worst {
            Some(one) => format!("with {} substeps {}", self.model.settings.substeps, self.told(one)),
            None => "its stretch is not predicted".to_string(),
        };
        let remedy = match worst.is_some_and(|one| want(one) > 1.0) {
            true => "; use more substeps, or remove its break_force (or `until`)",
            false => "",
        };
        Some(format!("'{name}'{others} has no levels, because it can break, tear or be let go: {cost}{remedy}"))
    }

    /// What acts on what hangs and is not counted.
    pub fn uncounted(&self) -> Option<String> {
        let Model { world, particles, .. } = self.model;
        let held = |body: &&crate::model::Body| {
            let catches = body.drag > 0.0 || body.lift > 0.0;
            catches && body.particles.clone().any(|p| particles.inverse_masses[p as usize] == 0.0)
        };
        let body = self.model.bodies.iter().find(held).filter(|_| world.wind != [0.0; 3])?;
        Some(format!("the stretch of '{}' in the wind is not predicted", body.name))
    }

    /// The fewest substeps with which nothing is stretched too much because of them.
    fn wanted(&self) -> u32 {
        let mut substeps = self.model.settings.substeps;
        let mut predicted = self.predicted.clone();
        for _ in 0..MOST_ROUNDS {
            let Some(most) = worst(&predicted, want).map(want) else { break };
            // By the square of the substeps where it hangs down; across spans by less, which takes more rounds.
            let factor = most.sqrt().clamp(1.05, 100.0);
            // A cast from a float saturates.
            substeps = (f64::from(substeps) * factor).ceil() as u32;
            predicted = self.predict(substeps);
        }
        substeps
    }

    fn name(&self, one: &Prediction) -> &str {
        &self.model.bodies[one.body as usize].name
    }

    fn told(&self, one: &Prediction) -> String {
        let stretch = per_cent(one.stretch);
        let long = one.length + one.unresolved + one.material;
        format!("'{}' will stretch by up to {stretch} ({:.2} m to {long:.2} m)", self.name(one), one.length)
    }
}

const SWEEPS: &str = "a sweep passes a load on by one constraint only";

/// How many times more than tolerated a body is stretched because of its sweeps; 0 where its material is what yields.
fn want(one: &Prediction) -> f64 {
    let stretch = match 2.0 * one.unresolved_stretch > one.stretch {
        true => MARGIN * one.unresolved_stretch / TOLERATED_STRETCH,
        false => 0.0,
    };
    let longer = if one.is_of_sweeps() { one.share() / TOLERATED } else { 0.0 };
    stretch.max(longer)
}

/// The body with the most of something, if it is more than 1.
fn worst(predicted: &[Prediction], of: impl Fn(&Prediction) -> f64) -> Option<&Prediction> {
    predicted.iter().filter(|one| of(one) > 1.0).max_by(|a, b| of(a).total_cmp(&of(b)))
}

fn per_cent(share: f64) -> String {
    match 100.0 * share {
        percent @ 0.0..10.0 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}
