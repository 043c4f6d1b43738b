//! A bound on work, counted in operations, so that the answer does not depend on the machine.

use std::cell::Cell;

use crate::outcome::Reason;

/// What is left of the work that one plan may cost. An operation is about one byte or line looked
/// at.
#[derive(Debug)]
pub(crate) struct Budget(Cell<u64>);

impl Budget {
    /// Work that even the smallest input may cost.
    const FLOOR: u64 = 100_000_000;
    /// Work for each byte of input and file.
    const PER_BYTE: u64 = 200;

    /// Returns the budget for an input and files of `bytes` in all.
    pub(crate) fn for_bytes(bytes: usize) -> Self {
        Self(Cell::new(
            Self::FLOOR.saturating_add(Self::PER_BYTE.saturating_mul(bytes as u64)),
        ))
    }

    /// Takes `operations` from what is left.
    ///
    /// # Errors
    ///
    /// `too-costly` where that is more than is left.
    pub(crate) fn spend(&self, operations: usize) -> Result<(), Reason> {
        let left = self
            .0
            .get()
            .checked_sub(operations as u64)
            .ok_or(Reason::TooCostly)?;
        self.0.set(left);
        Ok(())
    }
}
