//! The constraints of one kind.

use std::collections::HashMap;

use super::Material;
use crate::constraint::{Kind, Listed};
use crate::math::{Real, Vec3};

/// All constraints of one kind.
#[derive(Clone, Debug)]
pub struct Group {
    /// What kind they are.
    pub kind: &'static dyn Kind,
    /// Particle indices of all constraints, one constraint after the other.
    pub particles: Vec<u32>,
    /// Where each constraint's particles begin in `particles`, and the end: count + 1 entries.
    pub offsets: Vec<u32>,
    /// Of closed surfaces ([`Listed::Triangles`]) the corners of their triangles, three each, as indices into the
    /// constraint's own particles; empty for other kinds.
    pub corners: Vec<u32>,
    /// Of surfaces where each one's corners begin in `corners`, and the end; of other kinds the one entry 0.
    pub corner_offsets: Vec<u32>,
    /// Rest values of particles, `kind.member_rest().len()` for each entry of `particles`; empty for most kinds.
    pub member_rest: Vec<f64>,
    /// Rest values at the beginning, `kind.rest().len()` per constraint.
    pub rest: Vec<f64>,
    /// Index into [`Model::materials`](super::Model::materials), one per constraint; of kinds whose components have
    /// materials of their own ([`Kind::own_materials`]) that of the first component's, which the others' follow.
    pub materials: Vec<u32>,
}

impl Group {
    /// A group with no constraint in it.
    pub fn new(kind: &'static dyn Kind) -> Self {
        Self {
            kind,
            particles: Vec::new(),
            offsets: vec![0],
            corners: Vec::new(),
            corner_offsets: vec![0],
            member_rest: Vec::new(),
            rest: Vec::new(),
            materials: Vec::new(),
        }
    }
    /// How many constraints there are.
    pub fn len(&self) -> usize {
        self.materials.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.materials.is_empty()
    }
    /// Adds a constraint. `particles` are as many as the kind connects, all different, or of a closed surface the
    /// corners of its triangles, three each; `rest` has one value for each of `kind.rest()`, in SI units, or for each
    /// particle one for each of `kind.member_rest()`; `material` is an index into
    /// [`Model::materials`](super::Model::materials).
    pub fn push(&mut self, particles: &[u32], rest: &[f64], material: u32) {
        match self.kind.listed() {
            Listed::Triangles => self.push_corners(particles),
            Listed::InOrder | Listed::InAnyOrder => self.particles.extend_from_slice(particles),
        }
        self.offsets.push(self.particles.len() as u32);
        match self.kind.has_member_rest() {
            true => self.member_rest.extend_from_slice(rest),
            false => self.rest.extend_from_slice(rest),
        }
        self.materials.push(material);
    }
    /// Each particle once, in the order in which the corners name them.
    fn push_corners(&mut self, particles: &[u32]) {
        let mut known = HashMap::new();
        for &particle in particles {
            let next = known.len() as u32;
            let corner = *known.entry(particle).or_insert(next);
            if corner == next {
                self.particles.push(particle);
            }
            self.corners.push(corner);
        }
        self.corner_offsets.push(self.corners.len() as u32);
    }
    /// Adds a constraint of another group of the kind.
    pub(crate) fn push_of(&mut self, other: &Group, constraint: usize) {
        let particles = other.particles_of(constraint);
        let listed: Vec<u32> = other.corners_of(constraint).iter().map(|&corner| particles[corner as usize]).collect();
        let particles = if listed.is_empty() { particles } else { &listed };
        self.push(particles, other.all_rest_of(constraint, other.rest_of(constraint)), other.materials[constraint]);
    }
    /// Of a surface the corners of its triangles, three each, as indices into [`Group::particles_of`]; of other kinds
    /// none.
    ///
    /// # Panics
    /// If there is no such constraint.
    pub fn corners_of(&self, constraint: usize) -> &[u32] {
        match self.kind.listed() {
            Listed::Triangles => {
                &self.corners[self.corner_offsets[constraint] as usize..self.corner_offsets[constraint + 1] as usize]
            }
            Listed::InOrder | Listed::InAnyOrder => &[],
        }
    }
    /// Rest values of [`Group::particles_of`], in the order and units of `kind.member_rest()`, particle by particle.
    ///
    /// # Panics
    /// If there is no such constraint.
    pub fn member_rest_of(&self, constraint: usize) -> &[f64] {
        &self.member_rest[self.members_rest(constraint)]
    }
    /// Where in [`Group::member_rest`] those of a constraint are.
    pub(crate) fn members_rest(&self, constraint: usize) -> std::ops::Range<usize> {
        let each = self.kind.member_rest().len();
        self.offsets[constraint] as usize * each..self.offsets[constraint + 1] as usize * each
    }
    /// What the kind's functions take for rest values: those of the particles, or where these have none the
    /// constraint's own, which are given.
    pub(crate) fn all_rest_of<'a>(&'a self, constraint: usize, own: &'a [f64]) -> &'a [f64] {
        if self.kind.has_member_rest() { self.member_rest_of(constraint) } else { own }
    }
    /// Index into [`Model::materials`](super::Model::materials) of the material of a component of a constraint.
    ///
    /// # Panics
    /// If there is no such constraint.
    pub fn material_of(&self, constraint: usize, component: usize) -> u32 {
        self.materials[constraint] + if self.kind.own_materials() { component as u32 } else { 0 }
    }
    /// How many materials a constraint has, from its entry in `materials` on: one, or one for each component.
    pub fn materials_each(&self) -> usize {
        if self.kind.own_materials() { self.kind.components() } else { 1 }
    }
    /// Every material that its constraints have, as an index into [`Model::materials`](super::Model::materials),
    /// ascending.
    pub fn used_materials(&self) -> Vec<u32> {
        let mut first = self.materials.clone();
        first.sort_unstable();
        first.dedup();
        let each = self.materials_each() as u32;
        let mut used: Vec<u32> = first.into_iter().flat_map(|first| first..first + each).collect();
        used.sort_unstable();
        used.dedup();
        used
    }
    /// Particle indices of a constraint, each once.
    ///
    /// # Panics
    /// If there is no such constraint.
    pub fn particles_of(&self, constraint: usize) -> &[u32] {
        &self.particles[self.offsets[constraint] as usize..self.offsets[constraint + 1] as usize]
    }
    /// Rest values of a constraint at the beginning, in the order and units of `kind.rest()`.
    ///
    /// # Panics
    /// If there is no such constraint.
    pub fn rest_of(&self, constraint: usize) -> &[f64] {
        let n = self.kind.rest().len();
        &self.rest[constraint * n..(constraint + 1) * n]
    }
    /// Whether its constraints are elements of meshes ([`Kind::shape`]), that is have their particles in common: each
    /// in two at least, on the mean. What one sweep leaves of them is then known; of an element by itself it leaves
    /// nothing.
    pub(crate) fn is_mesh(&self) -> bool {
        if self.kind.shape().is_none() {
            return false;
        }
        let mut distinct = self.particles.clone();
        distinct.sort_unstable();
        distinct.dedup();
        self.particles.len() >= 2 * distinct.len()
    }
    /// Whether rest values of the group may change in a running simulation: a curve drives them, or they yield.
    pub fn rest_changes(&self, materials: &[Material]) -> bool {
        let changes = |material: &u32| materials[*material as usize].changes_rest();
        self.kind.rest_change().is_some() && self.used_materials().iter().any(changes)
    }
    /// C of one component at the given positions (m, one per particle of the model) with the rest values in effect
    /// ([`State::rest_of`](super::State::rest_of)), in the kind's unit; its gradient is written to `gradient`, which is
    /// resized to one vector per particle of the constraint.
    ///
    /// # Panics
    /// If there is no such constraint, or `positions` lacks one of its particles.
    pub fn evaluate<P: Copy + Into<Vec3<f64>>>(
        &self,
        constraint: usize,
        component: usize,
        rest: &[f64],
        positions: &[P],
        gradient: &mut Vec<Vec3<f64>>,
    ) -> f64 {
        let (particles, rest) = (self.particles_of(constraint), self.all_rest_of(constraint, rest));
        gradient.resize(particles.len(), Vec3::zero());
        // Millions of constraints hold a few particles each: no allocation for those.
        let mut few = [Vec3::zero(); 4];
        match few.get_mut(..particles.len()) {
            Some(few) => {
                for (x, &p) in few.iter_mut().zip(particles) {
                    *x = positions[p as usize].into();
                }
                self.evaluate_at(constraint, component, rest, few, gradient)
            }
            None => {
                let many: Vec<Vec3<f64>> = particles.iter().map(|&p| positions[p as usize].into()).collect();
                self.evaluate_at(constraint, component, rest, &many, gradient)
            }
        }
    }
    /// As [`Group::evaluate`], with the constraint's own particles at `x`, and with all that the kind takes for rest
    /// values ([`Group::all_rest_of`]).
    pub(crate) fn evaluate_at(
        &self,
        constraint: usize,
        component: usize,
        rest: &[f64],
        x: &[Vec3<f64>],
        gradient: &mut [Vec3<f64>],
    ) -> f64 {
        let evaluate = |x: &[_], gradient: &mut [_]| self.kind.evaluate(rest, component, x, gradient);
        self.at_particles(constraint, x, gradient, evaluate)
    }
    /// What `evaluate` returns, which wants `x` as the kind lists its particles and gives the gradient so: of a closed
    /// surface at the corners, whose gradients come together at the particles.
    pub(crate) fn at_particles<R: Real>(
        &self,
        constraint: usize,
        x: &[Vec3<R>],
        gradient: &mut [Vec3<R>],
        evaluate: impl FnOnce(&[Vec3<R>], &mut [Vec3<R>]) -> R,
    ) -> R {
        let corners = self.corners_of(constraint);
        if corners.is_empty() {
            return evaluate(x, gradient);
        }
        let x: Vec<Vec3<R>> = corners.iter().map(|&corner| x[corner as usize]).collect();
        let mut at_corners = vec![Vec3::zero(); corners.len()];
        let value = evaluate(&x, &mut at_corners);
        gradient.fill(Vec3::zero());
        for (&corner, &at_corner) in corners.iter().zip(&at_corners) {
            gradient[corner as usize] += at_corner;
        }
        value
    }
}
