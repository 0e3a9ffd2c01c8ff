//! Rest values that change: what `shaders/rest/change.wgsl` does, and there is why.

use crate::constraint::RestChange;
use crate::cpu::blocks::Blocks;
use crate::cpu::frame::Frame;
use crate::cpu::multiplier::LEAST_BROKEN;
use crate::cpu::pass::{Pass, PassView};
use crate::cpu::solve::View as Group;
use crate::cpu::team::Member;
use crate::step::Hooks;
use crate::step::records::{RestLaw, Substep};

/// The rest values that change; the groups of constraints hold them.
pub struct Rest;

/// [`Rest`] in a frame.
struct View;

impl Pass for Rest {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        Box::new(View)
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl PassView for View {
    /// Of blocks that this thread also solves.
    fn detect(&self, member: &Member, frame: &Frame, substep: usize) {
        let curves = frame.records.curves_of(substep);
        let rest = Changes { laws: frame.rest_laws, curves, substep: frame.substep(substep) };
        for group in frame.groups.iter().filter(|group| !group.bases.is_empty()) {
            for step in &group.blocks.steps {
                let segments = step.of(member).iter().flatten().cloned().collect::<Vec<_>>();
                segments.into_iter().flat_map(|segment| segment.blocks).for_each(|block| rest.change(group, block));
            }
        }
    }
}

/// What decides the rest values of a substep.
struct Changes<'a> {
    /// One for each material.
    laws: &'a [RestLaw],
    /// Those of this substep.
    curves: &'a [[f32; 4]],
    substep: &'a Substep,
}

impl Changes<'_> {
    /// Changes those of a block's constraints by what flowed in the substep before and by the curves at the end of this
    /// one.
    fn change(&self, group: &Group, block: usize) {
        let Blocks { kind, .. } = group.blocks;
        let lanes = group.blocks.lanes();
        let (Some(change), changing, all) = (kind.rest_change(), kind.changing_rest(), kind.rest().len()) else {
            return;
        };
        for k in 0..changing.len() {
            for lane in 0..lanes {
                let law = &self.laws[group.blocks.material(block, k, lane)];
                let scale =
                    kind.rest_scale().map_or(1.0, |scale| group.rest.read((block * all + scale) * lanes + lane));
                let place = (block * all + changing.start + k) * lanes + lane;
                let (mut base, mut rest) = (group.bases.read(place), group.rest.read(place));
                let factor = change == RestChange::Factor;
                // The fourth number of a curve is zero: beyond the third it drives nothing.
                let value = self.curves.get(law.curve as usize).map(|curve| curve[k.min(3)]);
                let limit = if factor { law.limit * rest.abs() } else { law.limit };
                let lambda = group.lambdas.read((block * kind.components() + k) * lanes + lane);
                let flow = self.flowed(law, lambda, scale, limit);
                rest = if factor {
                    let value = value.unwrap_or(1.0);
                    if flow != 0.0 && value > 0.0 {
                        let flowed = base + flow / value;
                        base = if base < 0.0 { flowed.min(0.0) } else { flowed.max(0.0) };
                    }
                    base * value
                } else {
                    base += flow;
                    base + value.unwrap_or(0.0)
                };
                group.bases.write(place, base);
                group.rest.write(place, rest);
            }
        }
    }

    /// An element without a scale, which has no size, does not flow.
    fn flowed(&self, law: &RestLaw, lambda: f32, scale: f32, limit: f32) -> f32 {
        if law.share == 0.0 || scale <= 0.0 || lambda > LEAST_BROKEN {
            return 0.0;
        }
        let elastic = -law.compliance * self.substep.force_scale * lambda / scale;
        let excess = elastic.abs() - limit;
        if excess > 0.0 { elastic.signum() * excess * law.share } else { 0.0 }
    }
}
