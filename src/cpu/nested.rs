//! Levels over sheets: once a substep, before the first sweep, in double precision by the functions of [`crate::reference`], one thread
//! for each sheet. See [`crate::plan::levels`].

use std::sync::{Mutex, PoisonError};

use super::blocks::Blocks;
use super::lanes::Lanes;
use super::law::BROKEN;
use super::single::{double, single};
use super::solve::Points;
use crate::constraint::Vec3;
use crate::model::Material;
use crate::plan::levels::{PARTED, Sheet};
use crate::reference::levels;

/// The levels over all sheets of a model.
pub struct Levels {
    pub sheets: Vec<Sheet>,
    /// For each particle whether it has lost an edge of a sheet in the frames before.
    parted: Vec<bool>,
    /// Of each sheet what each edge of each level bore in this frame; locked by the one thread that has the sheet.
    tensions: Vec<Mutex<Vec<Vec<f64>>>>,
}

impl Levels {
    pub fn new(sheets: &[Sheet], particles: usize) -> Self {
        let tensions = levels::slack(sheets).into_iter().map(Mutex::new).collect();
        Self { sheets: sheets.to_vec(), parted: vec![false; particles], tensions }
    }

    /// Before a frame: which particles have lost an edge by now, by the multipliers of the distances.
    pub fn part(&mut self, distances: Option<(&Blocks, &[Lanes])>) {
        if let Some((blocks, lambdas)) = distances
            && self.sheets.iter().any(|sheet| !sheet.breakable.is_empty())
        {
            let lambdas = blocks.by_constraint(lambdas, 1);
            self.parted = levels::parted(&self.sheets, self.parted.len(), |edge| lambdas[edge as usize] == BROKEN);
        }
    }

    /// Takes to all particles of a sheet what the levels over it correct, in a substep of `h` s.
    pub fn correct(&self, index: usize, materials: &[Material], points: &Points, slot_of: &[u32], h: f64) {
        let sheet = &self.sheets[index];
        let particles = sheet.particles.start as usize..sheet.particles.end as usize;
        let slots = || slot_of[particles.clone()].iter().map(|&slot| slot as usize);
        let mass = |slot: usize| f64::from(points.x.read(slot).to_array()[3]);
        let places: Vec<Vec3<f64>> =
            slots().map(|slot| double(points.x.read(slot)) + double(points.d.read(slot))).collect();
        let parted = &self.parted[particles.clone()];
        let masses = slots().zip(parted).map(|(slot, &parted)| if parted { PARTED } else { mass(slot) }).collect();
        let mut tensions = self.tensions[index].lock().unwrap_or_else(PoisonError::into_inner);
        let corrections = levels::corrections(&sheet.levels, materials, (places, masses), &mut tensions, h);
        for (slot, row) in slots().zip(sheet.levels[0].prolong.rows()) {
            if mass(slot) > 0.0 {
                points.d.write(slot, points.d.read(slot) + single(levels::sum(row, &corrections)));
            }
        }
    }

    /// After a frame: adds to the sums of the distances' multipliers what the levels bore in their place.
    pub fn bear(&mut self, distances: Option<(&Blocks, &[Lanes], &mut [Lanes])>) {
        let slack = levels::slack(&self.sheets).into_iter().map(Mutex::new).collect();
        let tensions = std::mem::replace(&mut self.tensions, slack).into_iter();
        let tensions = tensions.map(|of_sheet| of_sheet.into_inner().unwrap_or_else(PoisonError::into_inner)).collect();
        let borne = levels::borne(&self.sheets, tensions);
        if let Some((blocks, lambdas, sums)) = distances
            && !borne.is_empty()
        {
            let lambdas = blocks.by_constraint(lambdas, 1);
            let mut all = blocks.by_constraint(sums, 1);
            for (constraint, sum) in borne.into_iter().map(|(constraint, sum)| (constraint as usize, sum)) {
                if lambdas[constraint] != BROKEN {
                    all[constraint] += sum as f32;
                }
            }
            blocks.put(&all, 1, sums);
        }
    }
}
