//! What animations must be.

use crate::model::{Animation, Model};
use crate::step::check::{Checked, all_below, all_finite, as_many, demand, not_negative};

/// All animations of a model: sound, and each particle in one of them.
pub(crate) fn animations(model: &Model) -> Checked {
    for (i, each) in model.animations.iter().enumerate() {
        animation(|| format!("animations[{i}]"), each, model)?;
    }
    let mut all: Vec<u32> = model.animated().collect();
    all.sort_unstable();
    let twice = all.windows(2).find(|pair| pair[0] == pair[1]);
    let problem = || format!("move particle {} twice; it can follow one animation", twice.map_or(0, |pair| pair[0]));
    demand(twice.is_none(), || "animations".into(), problem)
}

fn animation(place: impl Fn() -> String, animation: &Animation, model: &Model) -> Checked {
    let (particles, displacements) = (&animation.particles, &animation.displacements);
    let (at_particles, at_displacements) =
        (|| format!("{}.particles", place()), || format!("{}.displacements", place()));
    all_below(at_particles, particles, model.particles.len(), "particle")?;
    let free = particles.iter().find(|&&particle| model.particles.inverse_masses[particle as usize] != 0.0);
    let problem = || format!("name particle {}, which is free; fix it", free.copied().unwrap_or_default());
    demand(free.is_none(), at_particles, problem)?;
    let some = !particles.is_empty() && !displacements.is_empty();
    demand(some, &place, || "needs at least one particle and one sample".into())?;
    as_many(&at_displacements(), displacements.len(), animation.samples() * particles.len(), "in whole samples")?;
    all_finite(&at_displacements(), displacements)?;
    let moved = animation.sample(0).iter().position(|way| *way != [0.0; 3]);
    let problem = || "is not 0 in the first sample, which is where the model places the particle".into();
    demand(moved.is_none(), || format!("{}[{}]", at_displacements(), moved.unwrap_or(0)), problem)?;
    if !animation.turns.is_empty() {
        turns(|| format!("{}.turns", place()), animation)?;
    }
    let rate = animation.rate;
    let problem = || format!("is {rate} Hz; it must be finite and above 0");
    demand(rate > 0.0 && (rate as f32).is_finite(), || format!("{}.rate", place()), problem)?;
    not_negative(place, &[("start", animation.start)])
}

/// One for each displacement, unit quaternions, none in the first sample.
fn turns(place: impl Fn() -> String, animation: &Animation) -> Checked {
    let turns = &animation.turns;
    as_many(&place(), turns.len(), animation.displacements.len(), "one for each displacement")?;
    let length = |q: &[f64; 4]| q.iter().map(|value| value * value).sum::<f64>();
    let wrong = turns.iter().position(|q| (length(q) - 1.0).abs().max(0.0) >= 1e-6 || length(q).is_nan());
    let problem = || "is no unit quaternion".into();
    demand(wrong.is_none(), || format!("{}[{}]", place(), wrong.unwrap_or(0)), problem)?;
    let turned = turns[..animation.particles.len()].iter().position(|q| q[3].abs() < 1.0 - 1e-9);
    let problem = || "turns in the first sample, which is how the model places the particle".into();
    demand(turned.is_none(), || format!("{}[{}]", place(), turned.unwrap_or(0)), problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Particles;

    /// A fixed particle that moves by a metre in a second, and a free one.
    fn model() -> Model {
        let animation = Animation {
            particles: vec![0],
            displacements: [[0.0; 3], [1.0, 0.0, 0.0]].into(),
            turns: [].into(),
            rate: 1.0,
            start: 0.0,
            repeats: false,
        };
        let particles = Particles::at_rest(vec![[0.0; 3], [1.0, 0.0, 0.0]], vec![0.0, 1.0]);
        Model { particles, animations: vec![animation], ..Model::default() }
    }

    /// Sound animations pass; each fault is reported with its place.
    #[test]
    fn faults_are_told_by_their_place() {
        assert_eq!(animations(&model()), Ok(()));
        type Change = fn(&mut Model);
        let faults: [(&str, Change); 13] = [
            ("animations[0].particles[0]", |m| m.animations[0].particles[0] = 2),
            ("animations[0].particles", |m| m.animations[0].particles[0] = 1),
            ("animations[0]", |m| m.animations[0].particles.clear()),
            ("animations[0]", |m| m.animations[0].displacements = [].into()),
            ("animations[0].displacements[1]", |m| {
                m.animations[0].displacements = [[0.0; 3], [f64::NAN; 3]].into();
            }),
            ("animations[0].displacements[0]", |m| {
                m.animations[0].displacements = [[0.0, 0.5, 0.0]].into();
            }),
            ("animations[0].turns", |m| m.animations[0].turns = [[0.0, 0.0, 0.0, 1.0]].into()),
            ("animations[0].turns[1]", |m| {
                m.animations[0].turns = [[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]].into();
            }),
            ("animations[0].turns[0]", |m| m.animations[0].turns = [[0.0, 1.0, 0.0, 0.0]; 2].into()),
            ("animations[0].rate", |m| m.animations[0].rate = 0.0),
            ("animations[0].start", |m| m.animations[0].start = -1.0),
            ("animations", |m| m.animations.push(m.animations[0].clone())),
            ("animations[0].displacements", |m| {
                m.particles.inverse_masses[1] = 0.0;
                m.animations[0].particles = vec![0, 1];
                m.animations[0].displacements = [[0.0; 3]; 3].into();
            }),
        ];
        for (place, change) in faults {
            let mut model = model();
            change(&mut model);
            assert_eq!(animations(&model).map_err(|error| error.place), Err(place.to_owned()));
        }
    }
}
