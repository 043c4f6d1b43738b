//! One number for all trials, so that two runs are told apart at a glance.

use sha2::{Digest as _, Sha256};

use super::Verdict;

/// A SHA-256 over trials, in the order in which they are put in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digest(Sha256);

impl Digest {
    /// Puts the next trial in: by edit, then condition, then applier. Their names count in lower
    /// case.
    pub(crate) fn put(&mut self, id: usize, condition: &str, applier: &str, verdict: Verdict) {
        let (condition, applier) = (condition.to_lowercase(), applier.to_lowercase());
        let letter = verdict.letter();
        self.0
            .update(format!("{id}\t{condition}\t{applier}\t{letter}\n"));
    }

    /// Returns the digest in hex.
    pub(crate) fn finish(self) -> String {
        let bytes: [u8; 32] = self.0.finalize().into();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
