//! Bodies that come apart. What breaks and what then hangs together is decided at each frame's end by the functions of
//! the reference (`pass/tear/topology.rs`); the constraints of what was torn are then cut into blocks anew. A colouring
//! stays valid, since a split only takes conflicts away.

use crate::cpu::check;
use crate::cpu::check::Fixed;
use crate::cpu::multiplier::LEAST_BROKEN;
use crate::cpu::{CpuError, Group};
use crate::model::{Model, Tearing, Torn};
use crate::pass::tear::topology::Tear;
use crate::plan::Plan;
use crate::step::BROKEN;

/// The bodies that can be torn.
pub struct Tearable {
    /// The model before anything was.
    pub beginning: Model,
    pub plan: Plan,
    pub tear: Tear,
    /// What was broken when it was last asked: each edge, then each facet.
    pub broken: Vec<bool>,
    /// How many multipliers were broken then: as long as there are no more, no other edge has broken.
    pub count: Option<usize>,
}

impl Tearable {
    /// `None` where nothing can be torn.
    pub fn new(model: &Model, plan: &Plan) -> Option<Box<Self>> {
        let tearing = model.tearing.as_ref()?;
        let (mut tear, broken) = (Tear::new(model, tearing), Vec::new());
        tear.torn.round();
        Some(Box::new(Self { beginning: model.clone(), plan: plan.clone(), tear, broken, count: None }))
    }

    /// The model as its bodies hang together by a tear, if threads do not get into each other's way by that: they rely
    /// on it, and to ask takes little beside the blocks.
    pub fn torn(&self, tear: &Tear, slot_of: &[u32]) -> Result<Model, CpuError> {
        let mut model = self.beginning.clone();
        model.tear(&tear.torn);
        check::plan(&model.groups, Fixed::new(&model, Some(self.tearing())), &self.plan, slot_of)?;
        Ok(model)
    }

    /// Whether anything may be broken that was not when it was last asked.
    pub fn may_have_broken(&mut self, groups: &[Group]) -> bool {
        if !self.tearing().facets.is_empty() {
            return true;
        }
        let lambdas = groups.get(self.tearing().group as usize).map_or(&[][..], |group| &group.values.lambdas);
        let count = Some(lambdas.iter().filter(|&&lambda| lambda > LEAST_BROKEN).count());
        std::mem::replace(&mut self.count, count) != count
    }

    pub fn tearing(&self) -> &Tearing {
        self.beginning.tearing.as_ref().unwrap_or_else(|| unreachable!("it was made of a model that tears"))
    }
}

impl Torn {
    /// Rounds inverse masses to single precision, as particles and snapshots have them: otherwise a resumed run differs
    /// from an unbroken one.
    pub(crate) fn round(&mut self) {
        self.inverse_masses.iter_mut().for_each(|w| *w = f64::from(*w as f32));
    }
}

impl Group {
    /// Breaks constraints.
    pub fn break_off(&mut self, constraints: impl Iterator<Item = usize>) {
        let mut constraints = constraints.peekable();
        if constraints.peek().is_some() {
            let each = self.blocks.kind.components();
            let mut lambdas = self.blocks.by_constraint(&self.values.lambdas, each);
            constraints.for_each(|constraint| lambdas[constraint * each..][..each].fill(BROKEN));
            self.blocks.put(&lambdas, each, &mut self.values.lambdas);
        }
    }

    /// Multipliers and rest values of the same constraints in other blocks.
    pub fn take_over(&mut self, before: &Self) {
        let Self { blocks, values } = self;
        let old = &before.values;
        let components = blocks.kind.components();
        // Those that never change are the model's.
        let rests = if old.bases.is_empty() { 0 } else { blocks.kind.rest().len() };
        let lists = [
            (&old.lambdas, &mut values.lambdas, components),
            (&old.sums, &mut values.sums, components),
            (&old.rest, &mut values.rest, rests),
            (&old.bases, &mut values.bases, rests),
        ];
        for (from, to, each) in lists.into_iter().filter(|(from, _, each)| *each > 0 && !from.is_empty()) {
            blocks.put(&before.blocks.by_constraint(from, each), each, to);
        }
    }
}
