//! Pulls ([`Pull`]): constraints of the kind `attach` beside those of the model. A change makes them anew, since
//! nothing of theirs outlives a substep.

use crate::constraint::{Attach, kind};
use crate::cpu::Group;
use crate::cpu::blocks::{BlockSetup, Blocks};
use crate::cpu::check::Fixed;
use crate::cpu::frame::Frame;
use crate::cpu::multiplier::Law;
use crate::cpu::pass::{Pass, PassView, Setup};
use crate::cpu::solve::SweepState;
use crate::cpu::solve::View;
use crate::cpu::sweep::Turn;
use crate::cpu::team::Member;
use crate::model::{self, Integrator, Settings};
use crate::plan::{Batch, PlannedGroup, Way};
use crate::step::{FrameRecords, Hooks, Needs, Pull, material_record};

/// What is pulled.
pub struct Pulls {
    model: model::Group,
    laws: Vec<Law<f32>>,
    group: Group,
}

/// The pulls of a frame.
struct Pulling<'a> {
    model: &'a model::Group,
    laws: &'a [Law<f32>],
    group: View<'a>,
}

impl Pulls {
    /// `None` where nothing is pulled.
    pub fn new(setup: &Setup) -> Option<Self> {
        let (settings, substep) = (&setup.model.settings, FrameRecords::usual_substep(setup.model));
        let pulled = setup.pulled.all();
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
        let setup = BlockSetup {
            instructions: setup.instructions,
            threads: setup.threads,
            needs,
            laws: &laws,
            rest_changes: false,
            reshapes: false,
            slot_of: setup.slot_of,
            particle_of: setup.particle_of,
            in_rows: false,
            clusters: &[],
        };
        let (blocks, values) = Blocks::new(&model, &planned, Fixed::NONE, &setup);
        (count > 0).then_some(Self { group: Group { blocks, values }, model, laws })
    }
}

impl Pass for Pulls {
    fn hooks(&self) -> Hooks {
        Hooks::default()
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        let Self { model, laws, group } = self;
        // SAFETY: the caller's.
        Box::new(Pulling { model, laws, group: unsafe { group.view() } })
    }

    fn bytes(&self) -> usize {
        self.group.blocks.bytes() + self.group.values.bytes()
    }
}

impl PassView for Pulling<'_> {
    fn join_sweep(&self, member: &Member, frame: &Frame, state: SweepState) {
        let turn = Turn { member, group: &self.group, model: self.model, laws: self.laws, once: false };
        frame.solve_steps(&turn, 0, Way::Forth, state);
    }
}
