//! Pulls ([`Pull`]): constraints of the kind `attach` beside those of the model. A change makes them anew, since
//! nothing of theirs outlives a substep.

use crate::constraint::{Attach, kind};
use crate::cpu::Group;
use crate::cpu::blocks::{Blocks, Manner};
use crate::cpu::check::Fixed;
use crate::cpu::multiplier::Law;
use crate::cpu::solve::View;
use crate::model::{self, Integrator, Model, Settings};
use crate::plan::{Batch, PlannedGroup};
use crate::step::{Active, FrameRecords, Needs, Pull, material_record};

/// What is pulled.
pub struct Pulls {
    pub active: Active,
    model: model::Group,
    laws: Vec<Law<f32>>,
    group: Group,
}

/// The pulls of a frame.
#[derive(Clone, Copy)]
pub struct Pulling<'a> {
    pub model: &'a model::Group,
    pub laws: &'a [Law<f32>],
    pub group: View<'a>,
}

impl Pulls {
    /// `None` where nothing is pulled. `active` is by particle; `manner` is that of the model's groups.
    pub fn new(active: Active, running: &Model, manner: &Manner) -> Option<Self> {
        let (settings, substep) = (&running.settings, FrameRecords::usual_substep(running));
        let pulled = active.all();
        let count = pulled.len() as u32;
        let mut model = model::Group::new(kind::<Attach>());
        for (material, (particle, pull)) in (0..).zip(pulled) {
            model.push(&[*particle], &pull.target, material);
        }
        let law =
            |(_, pull): &(u32, Pull)| Law::new(&material_record(&pull.material(), &Settings::default()), &substep);
        let laws: Vec<Law<f32>> = pulled.iter().map(law).collect();
        let batch = Batch { range: 0..count, window: 0..count, gather: None, phase: 0, colour: 0 };
        let planned = PlannedGroup {
            kind: model.kind,
            constraint_of: (0..count).collect(),
            records: Vec::new(),
            members: Vec::new(),
            batches: vec![batch],
            colours: 1,
            shared: Vec::new(),
        };
        let two_steps = settings.integrator == Integrator::Bdf2;
        let needs = Needs { iterating: settings.visits() > 1, damping: true, two_steps, ..Needs::default() };
        let manner = Manner { needs, laws: &laws, rest_changes: false, ..*manner };
        let (blocks, values) = Blocks::new(&model, &planned, Fixed::NONE, &manner);
        (count > 0).then_some(Self { group: Group { blocks, values }, active, model, laws })
    }

    /// # Safety
    /// As that of `Shared::new`.
    pub unsafe fn view(&mut self) -> Pulling<'_> {
        let Self { model, laws, group, .. } = self;
        // SAFETY: the caller's.
        Pulling { model, laws, group: unsafe { group.view() } }
    }
}
