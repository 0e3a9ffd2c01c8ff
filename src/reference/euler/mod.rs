//! The schemes that XPBD is compared with: explicit, symplectic and implicit Euler in double precision, for a model
//! whose constraints are springs of energy C²/2α. With U their energy, M the masses and g gravity:
//!
//! | scheme | a substep h |
//! |---|---|
//! | explicit | x' = x + h v, v' = v + h (g - M⁻¹ ∇U(x)) |
//! | symplectic | v' = v + h (g - M⁻¹ ∇U(x)), x' = x + h v' |
//! | implicit | M (x' - x - h v - h² g)/h² + ∇U(x') = 0, v' = (x' - x)/h |
//!
//! Hairer, Lubich and Wanner, Geometric Numerical Integration, 2006, chapter I; Baraff and Witkin, Large Steps in Cloth
//! Simulation, 1998. XPBD is an approximate solver of the third (Macklin et al. 2016).

mod springs;

use super::newton::{NotConverged, Potential, Step, add};
use crate::math::Vec3;
use crate::model::{Group, Material, Mode, Model, State};

use springs::Springs;

/// How velocity and position go on over a substep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Both by what was at the start. A spring gains energy, (1 + ω²h²)-fold a substep.
    Explicit,
    /// The position by the new velocity. A spring's energy stays within bounds while ωh < 2.
    Symplectic,
    /// The velocity by the forces at the end, found by Newton's method. A spring loses energy, (1 + ω²h²)-fold a
    /// substep.
    Implicit,
}

/// Why a model cannot be stepped by these schemes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EulerError {
    /// A constraint without a compliance is no spring.
    #[error("constraint {constraint} of kind '{kind}' has compliance 0; a spring needs a compliance above 0")]
    Rigid {
        /// The kind's name.
        kind: &'static str,
        /// Index into its group.
        constraint: usize,
    },
    /// Something acts on the particles that is neither a spring nor gravity.
    #[error("the model has {0}, and the Euler schemes solve springs and gravity only; remove it")]
    NotSprings(&'static str),
    /// Newton's method for the implicit scheme ended far from a solution. The simulation is as it was before the
    /// substep.
    #[error("{0}; shorten the substep")]
    NotConverged(#[from] NotConverged),
}

/// A simulation by one of the schemes.
///
/// Of the model's settings only the frame rate and the substeps count.
pub struct Euler {
    model: Model,
    scheme: Scheme,
    positions: Vec<Vec3<f64>>,
    velocities: Vec<Vec3<f64>>,
    /// Frames done.
    frame: u64,
}

impl Euler {
    /// At the beginning: the particles as placed.
    ///
    /// # Errors
    /// If a constraint has no compliance, or something beside springs and gravity acts.
    pub fn new(model: &Model, scheme: Scheme) -> Result<Self, EulerError> {
        if let Some(what) = beyond_springs(model) {
            return Err(EulerError::NotSprings(what));
        }
        for group in &model.groups {
            let each = 0..group.materials_each();
            let is_rigid = |&constraint: &usize| {
                let compliance = |k| model.materials[group.material_of(constraint, k) as usize].compliance;
                each.clone().any(|k| compliance(k) == 0.0)
            };
            let rigid = (0..group.len()).find(is_rigid);
            if let Some(constraint) = rigid {
                return Err(EulerError::Rigid { kind: group.kind.name(), constraint });
            }
        }
        let particles = &model.particles;
        let velocity = |(&v, &w): (&[f64; 3], &f64)| if w > 0.0 { v.into() } else { Vec3::zero() };
        Ok(Self {
            scheme,
            positions: particles.positions.iter().map(|&x| x.into()).collect(),
            velocities: particles.velocities.iter().zip(&particles.inverse_masses).map(velocity).collect(),
            frame: 0,
            model: model.clone(),
        })
    }

    /// Goes on by one frame. Explicit and symplectic Euler leave numbers that are not finite where they blow up, and
    /// tell nothing.
    ///
    /// # Errors
    /// If Newton's method of the implicit scheme does not converge.
    pub fn step(&mut self) -> Result<(), EulerError> {
        for _ in 0..self.model.settings.substeps {
            self.substep()?;
        }
        self.frame += 1;
        Ok(())
    }

    /// Positions and velocities at the end of the last frame, and for each spring the multiplier that gives its force:
    /// λ = -C h²/α, by which [`crate::measure`] tells energies and forces.
    pub fn state(&self) -> State {
        State {
            seconds: self.frame as f64 / self.model.settings.frame_rate,
            frame: self.frame,
            positions: self.positions.iter().map(|&x| x.into()).collect(),
            velocities: self.velocities.iter().map(|&v| v.into()).collect(),
            multipliers: Springs::of(&self.model).multipliers(&self.positions),
            ..State::default()
        }
    }

    fn substep(&mut self) -> Result<(), EulerError> {
        let h = self.model.settings.substep_seconds();
        match self.scheme {
            Scheme::Explicit => {
                let change = self.accelerations();
                add(&mut self.positions, &self.velocities, h);
                add(&mut self.velocities, &change, h);
            }
            Scheme::Symplectic => {
                let change = self.accelerations();
                add(&mut self.velocities, &change, h);
                add(&mut self.positions, &self.velocities, h);
            }
            Scheme::Implicit => {
                let end = self.implicit_step(h)?;
                let moved = end.iter().zip(&self.positions).map(|(&end, &start)| end - start);
                self.velocities = moved.map(|way| way * (1.0 / h)).collect();
                self.positions = end;
            }
        }
        Ok(())
    }

    /// Where the particles are at the end of a substep of `h` s.
    fn implicit_step(&self, h: f64) -> Result<Vec<Vec3<f64>>, NotConverged> {
        let gravity = Vec3::from(self.model.world.gravity);
        let inverse_masses = &self.model.particles.inverse_masses;
        let moved =
            |((&x, &v), &w): ((&Vec3<f64>, &Vec3<f64>), &f64)| if w > 0.0 { x + (v + gravity * h) * h } else { x };
        let target = self.positions.iter().zip(&self.velocities).zip(inverse_masses).map(moved).collect();
        let potential = &Springs::of(&self.model);
        Step { potential, inverse_masses, target, rate: 1.0 / (h * h) }.solve(&self.positions)
    }

    /// g - M⁻¹ ∇U, m/s²; zero for fixed particles.
    fn accelerations(&self) -> Vec<Vec3<f64>> {
        let gravity = Vec3::from(self.model.world.gravity);
        let gradient = Springs::of(&self.model).gradient(&self.positions);
        let each = gradient.iter().zip(&self.model.particles.inverse_masses);
        each.map(|(&slope, &w)| if w > 0.0 { gravity - slope * w } else { Vec3::zero() }).collect()
    }
}

/// What the model has that none of the schemes knows.
fn beyond_springs(model: &Model) -> Option<&'static str> {
    let materials = || model.groups.iter().flat_map(Group::used_materials).map(|i| &model.materials[i as usize]);
    let found = [
        (model.settings.mode == Mode::Pbd, "PBD mode, which knows no compliance"),
        (materials().any(|material| material.damping > 0.0), "damped constraints"),
        (materials().any(|material| material.side != Default::default()), "one-sided constraints"),
        (materials().any(|material| material.break_force.is_some()), "constraints that break"),
        (materials().any(Material::changes_rest), "rest values that change"),
        (!model.colliders.is_empty(), "colliders"),
        (model.drives.iter().any(|drive| *drive != Default::default()), "forces or pins that move"),
        (!model.animations.is_empty(), "animations"),
        (model.bodies.iter().any(|body| body.drag > 0.0 || body.lift > 0.0), "drag or lift"),
        (model.bodies.iter().any(|body| body.damping > 0.0), "damping of bodies"),
        (model.world.max_speed.is_some(), "a speed limit"),
    ];
    found.into_iter().find_map(|(is_there, what)| is_there.then_some(what))
}
