//! The constraints of one kind, with their state.

use super::blocks::{Blocks, Values};
use super::shared::Shared;
use super::solve::View;

/// The constraints of one kind.
pub struct Group {
    pub blocks: Blocks,
    pub values: Values,
}

impl Group {
    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        let Values { rest, bases, members, lambdas, sums } = &mut self.values;
        // SAFETY: the caller's.
        let [rest, bases, lambdas, sums] = [rest, bases, lambdas, sums].map(|list| unsafe { Shared::new(list) });
        // SAFETY: the caller's.
        let members = unsafe { Shared::new(members) };
        View { blocks: &self.blocks, rest, bases, members, lambdas, sums }
    }
}
