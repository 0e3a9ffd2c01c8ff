//! Pins: particles that stay where they are placed, or move along keyframes.

use std::collections::HashMap;

use super::super::error::{Path, SceneError};
use super::super::suggest::suggestion;
use super::super::{Body, Grid, Pin, PinSpin, Select, check};
use super::local::Local;
use super::tie::Tie;
use super::{Builder, drive, place};
use crate::math::Vec3;
use crate::model::{Drive, Keyframes, Release, Rotations, Spin, Turn};

/// Particles this near the extreme, as a share of the body's extent, belong to a side; and selections in the world take
/// in this much more, as a transform rounds.
const TOLERANCE: f64 = 1e-6;

const SIDES: [&str; 4] = ["top", "bottom", "left", "right"];
const CORNERS: [&str; 4] = ["top-left", "top-right", "bottom-left", "bottom-right"];
const ENDS: [&str; 3] = ["first", "last", "root"];

/// How a pin moves what it holds.
#[derive(Clone, PartialEq)]
struct Motion {
    way: Option<Keyframes>,
    spin: Option<Spin>,
    rotations: Option<Rotations>,
    /// About which point it turns.
    pivot: [f64; 3],
    /// The body whose surface leads it.
    to: Option<String>,
    /// When it lets go, s.
    until: Option<f64>,
}

impl Motion {
    fn turns(&self) -> bool {
        self.spin.is_some() || self.rotations.is_some()
    }

    /// What moves a particle that was placed so.
    fn drive(&self, placed: [f64; 3], drive: &mut Drive) {
        let arm = std::array::from_fn(|k| placed[k] - self.pivot[k]);
        drive.motion.clone_from(&self.way);
        drive.spin = self.spin.map(|spin| Spin { arm, ..spin });
        drive.turn = self.rotations.clone().map(|rotations| Turn { rotations, arm });
    }
}

impl Builder<'_> {
    pub fn pins(&mut self, at: &Path, index: usize, body: &Body, local: &Local) -> Result<(), SceneError> {
        let own = body.content.kind().pins();
        let [at_pin, at_clamp] = ["pin", "clamp"].map(|key| at.key(key));
        let mut motions: Vec<Motion> = Vec::new();
        let mut pin_of = HashMap::new();
        for (i, pin) in body.pins.iter().chain(&own).enumerate() {
            let at = match i.checked_sub(body.pins.len()) {
                None => at_pin.index(i),
                Some(clamp) => at_clamp.index(clamp),
            };
            let particles = self.select(&at, index, &pin.select, local)?;
            let motion = self.motion(&at, pin, &particles)?;
            motions.push(motion.clone());
            let (mut untied, mut weights) = (Vec::new(), Vec::new());
            for &particle in &particles {
                let other = pin_of.insert(particle, i);
                untied.extend(other.is_none().then_some(particle));
                if let Some(other) = other.filter(|&other| motions[other] != motions[i]) {
                    let own = particle - self.model.bodies[index].particles.start;
                    let message = format!("moves particle {own}, which pin[{other}] moves differently; pin it once");
                    return Err(SceneError::new(&at, message));
                }
                let weight = std::mem::take(&mut self.model.particles.inverse_masses[particle as usize]);
                if weight > 0.0 {
                    weights.push((particle, weight));
                }
                self.model.particles.velocities[particle as usize] = [0.0; 3];
            }
            self.lets_go(&at, &motion, weights)?;
            self.note_flat(&at, &pin.select, index, particles.len());
            if let Some(to) = pin.to.clone() {
                let clamp = i.checked_sub(body.pins.len());
                let (pin, clamps) = (clamp.unwrap_or(i), clamp.is_some());
                self.ties.push(Tie { body: index, pin, to, particles: untied, clamps });
            } else if motion.turns() {
                for particle in particles {
                    let placed = self.model.particles.positions[particle as usize];
                    drive::drive(&mut self.model, vec![particle], |drive| motion.drive(placed, drive));
                }
            } else {
                drive::drive(&mut self.model, particles, |drive| motion.drive(motion.pivot, drive));
            }
        }
        Ok(())
    }

    /// Notes when a pin lets go, of which particles, and the masses with which they go on. Of a pin without `until` there
    /// is nothing to note.
    fn lets_go(&mut self, at: &Path, motion: &Motion, weights: Vec<(u32, f64)>) -> Result<(), SceneError> {
        let Some(seconds) = motion.until else { return Ok(()) };
        let at = at.key("until");
        if weights.is_empty() {
            let message = "lets go of nothing: its particles have no mass, or another pin holds them; give the body a \
                           mass, or remove it";
            return Err(SceneError::key(&at, message));
        }
        let (particles, inverse_masses) = weights.into_iter().unzip();
        self.model.releases.push(Release { seconds, particles, inverse_masses });
        Ok(())
    }

    /// How a pin moves its particles.
    fn motion(&self, at: &Path, pin: &Pin, particles: &[u32]) -> Result<Motion, SceneError> {
        let way = place::motion(at, &pin.keyframes)?;
        let spin = pin.spin.as_ref().map(|spin| self::spin(&at.key("spin"), spin)).transpose()?;
        let frames = pin.rotations.as_ref();
        let at_keyframes = at.key("keyframes");
        let rotations = frames.map(|frames| place::rotations(&at_keyframes, "rotation", frames)).transpose()?;
        if spin.is_some() && rotations.is_some() {
            let message = "cannot be combined with a rotation in `keyframes`; give one of the two";
            return Err(SceneError::key(&at.key("spin"), message));
        }
        let turns = spin.is_some() || rotations.is_some();
        if pin.pivot.is_some() && !turns {
            let message = "is what a pin turns about; give a spin, or a rotation in `keyframes`, or remove it";
            return Err(SceneError::new(&at.key("pivot"), message));
        }
        if pin.to.is_some() && (turns || way.is_some()) {
            let message = "leads what it holds, so that nothing else may move it; remove `keyframes` and `spin`";
            return Err(SceneError::new(&at.key("to"), message));
        }
        // Of one that does not turn it says nothing, so that two entries may hold a particle alike.
        let pivot = if turns { self.pivot(at, pin, particles)? } else { [0.0; 3] };
        let until = pin.until.map(|until| check::number(&at.key("until"), until, &check::DURATION)).transpose()?;
        Ok(Motion { way, spin, rotations, pivot, to: pin.to.clone(), until })
    }

    /// About which point a pin turns.
    fn pivot(&self, at: &Path, pin: &Pin, particles: &[u32]) -> Result<[f64; 3], SceneError> {
        if let Some(pivot) = pin.pivot {
            return check::vector(&at.key("pivot"), pivot, &check::COORDINATE);
        }
        let placed = |&particle: &u32| Vec3::from(self.model.particles.positions[particle as usize]);
        let sum = particles.iter().map(placed).fold(Vec3::zero(), |sum, x| sum + x);
        Ok((sum * (1.0 / particles.len() as f64)).into())
    }

    /// Notes that a name holds all of a body, as that of a side does where the body is flat.
    fn note_flat(&mut self, at: &Path, select: &Select, body: usize, held: usize) {
        let Select::Names(names) = select else { return };
        if held < self.model.bodies[body].particles.len() || held == 1 {
            return;
        }
        let flat = match &names[..] {
            [side] if ["top", "bottom"].contains(&side.as_str()) => {
                format!("because the body is flat along y before its transform, all of it is its {side}")
            }
            [side] if ["left", "right"].contains(&side.as_str()) => {
                format!("because the body is flat along x before its transform, all of it is its {side}")
            }
            _ => "so the names say".to_owned(),
        };
        let names = names.join(", ");
        let note = format!(
            "'{names}' pins all {held} particles, so that the body cannot move: {flat}; pin a part of it with {{ box = \
             [min, max] }}, or by indices"
        );
        self.notes.push(SceneError::new(at, note).to_string());
    }

    /// The particles of the model that a pin holds or a muscle lies between, ascending.
    pub fn select(&self, at: &Path, body: usize, select: &Select, local: &Local) -> Result<Vec<u32>, SceneError> {
        let range = self.model.bodies[body].particles.clone();
        let first = range.start;
        let placed = &self.model.particles.positions[range.start as usize..range.end as usize];
        let where_placed = |inside: &dyn Fn([f64; 3]) -> bool| -> Vec<u32> {
            (first..).zip(placed).filter(|(_, x)| inside(**x)).map(|(particle, _)| particle).collect()
        };
        let mut particles = match select {
            Select::Names(names) => {
                let mut particles = Vec::new();
                for name in names {
                    particles.extend(named(at, name, local)?.into_iter().map(|p| first + p));
                }
                particles
            }
            Select::Indices(indices) => {
                let at = at.key("indices");
                let particle = |(i, &index): (usize, &u32)| self.particle(&at.index(i), body, index);
                indices.iter().enumerate().map(particle).collect::<Result<_, _>>()?
            }
            Select::Box { min, max } => {
                check::vector(&at.key("box").index(0), *min, &check::COORDINATE)?;
                check::vector(&at.key("box").index(1), *max, &check::COORDINATE)?;
                let slack = TOLERANCE * extent(placed);
                where_placed(&|x| (0..3).all(|i| x[i] >= min[i] - slack && x[i] <= max[i] + slack))
            }
            Select::Sphere { centre, radius } => {
                check::vector(&at.key("sphere").index(0), *centre, &check::COORDINATE)?;
                check::number(&at.key("sphere").index(1), *radius, &check::LENGTH)?;
                let reach = radius + TOLERANCE * extent(placed);
                where_placed(&|x| (0..3).map(|i| (x[i] - centre[i]).powi(2)).sum::<f64>() <= reach * reach)
            }
        };
        if particles.is_empty() {
            let (min, max) = bounds(placed);
            let message = format!(
                "selects no particle; as placed, the body spans {min:.3?} to {max:.3?} m: move the selection there"
            );
            return Err(SceneError::new(at, message));
        }
        particles.sort_unstable();
        particles.dedup();
        Ok(particles)
    }
}

/// A spin about an axis; the arm of each particle is yet to come.
fn spin(at: &Path, PinSpin { axis, rate, until }: &PinSpin) -> Result<Spin, SceneError> {
    check::vector(&at.key("axis"), *axis, &check::COORDINATE)?;
    let (direction, length) = Vec3::from(*axis).direction_and_length();
    if length == 0.0 {
        return Err(SceneError::new(&at.key("axis"), "has no direction; give one, as in [1, 0, 0]"));
    }
    let rate = check::number(&at.key("rate"), *rate, &check::ANGULAR_VELOCITY)?;
    let until = until.map(|until| check::number(&at.key("until"), until, &check::DURATION)).transpose()?;
    // A day is as good as for ever.
    Ok(Spin { axis: direction.into(), arm: [0.0; 3], rate, until: until.unwrap_or(86_400.0) })
}

/// The particles at a side or corner of the body in its own frame.
fn named(at: &Path, name: &str, local: &Local) -> Result<Vec<u32>, SceneError> {
    let own = &local.mesh.positions;
    let corners = match (local.grid, local.strand) {
        (Some(_), _) => &CORNERS[..],
        (None, Some(_)) => &ENDS[..],
        (None, None) => &[],
    };
    if !SIDES.contains(&name) && !corners.contains(&name) {
        let suggestion = suggestion(name, SIDES.iter().chain(corners).copied());
        return Err(SceneError::new(at, format!("there is no '{name}' to pin or select; {suggestion}")));
    }
    let all = 0..own.len() as u32;
    if let (Some(each), true) = (local.strand, ENDS.contains(&name)) {
        let held = match name {
            "first" => 0..1,
            "root" => 0..2,
            _ => each - 1..each,
        };
        return Ok(all.filter(|p| held.contains(&(p % each))).collect());
    }
    Ok(match local.grid {
        Some(grid) => all.filter(|&p| name.split('-').all(|side| on_grid_side(grid, side, p))).collect(),
        None => {
            let (min, max) = bounds(own);
            let slack = TOLERANCE * extent(own);
            all.filter(|&p| {
                let [x, y, _] = own[p as usize];
                match name {
                    "top" => y >= max[1] - slack,
                    "bottom" => y <= min[1] + slack,
                    "left" => x <= min[0] + slack,
                    _ => x >= max[0] - slack,
                }
            })
            .collect()
        }
    })
}

fn on_grid_side(grid: Grid, side: &str, particle: u32) -> bool {
    let (row, column) = (particle / grid.columns, particle % grid.columns);
    match side {
        "top" => row == 0,
        "bottom" => row == grid.rows - 1,
        "left" => column == 0,
        _ => column == grid.columns - 1,
    }
}

fn bounds(points: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
    points.iter().fold(([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]), |(min, max), x| {
        (std::array::from_fn(|i| min[i].min(x[i])), std::array::from_fn(|i| max[i].max(x[i])))
    })
}

/// The longest side of the bounding box.
fn extent(points: &[[f64; 3]]) -> f64 {
    let (min, max) = bounds(points);
    (0..3).map(|i| max[i] - min[i]).fold(0.0, f64::max)
}
