//! What touches, as it is read back.

use super::notes::{ContactDownload, Notes};
use crate::gpu::buffers::BufferRange;
use crate::gpu::recorder::Recorder;
use crate::solver::gpu::Solver;

impl Solver {
    /// Records the read-back of what touches in the last step recorded, as
    /// [`Synchronous::contacts`](crate::step::Synchronous::contacts) tells it.
    pub fn contacts(&self, encoder: &mut wgpu::CommandEncoder) -> ContactDownload {
        let of_last_substep = || {
            let notes = self.notes(1, None);
            let mut recorder = Recorder::new(encoder, "pliant contacts", self.parts.parameters.first_slot());
            recorder.begin_substep(self.model.settings.substeps - 1);
            notes.record(&mut recorder);
            notes
        };
        let made = self.parts.notes.is_none().then(of_last_substep);
        let Some(notes) = self.parts.notes.as_ref().or(made.as_ref()) else { unreachable!("one of the two is there") };
        let particles = ["x", "e", "properties"].map(|name| BufferRange::all(self.shared(name)));
        let device = &self.pipelines.device;
        ContactDownload::record(device, encoder, self.order.clone(), &self.model, particles, notes)
    }

    /// What notes the contacts of so many substeps; `counted`: how many there lately were.
    fn notes(&self, substeps: u32, counted: Option<u32>) -> Notes {
        let each = super::notes::room(self.order.slot_of.len(), &self.model, counted);
        Notes::new(&self.setup(), Some(&self.parts), (substeps, each))
    }

    /// Where contacts are to be noted in the step that begins.
    pub(crate) fn begin_notes(&mut self) {
        let counted = self.status.latest().map(|status| status.contacts);
        self.parts.notes = self.averages_contacts.then(|| self.notes(self.model.settings.substeps, counted));
    }

    /// The contacts that the device knows are of another time.
    pub(crate) fn forget_contacts(&mut self) {
        self.parts.notes = Some(Notes::new(&self.setup(), None, (1, 0)));
    }
}
