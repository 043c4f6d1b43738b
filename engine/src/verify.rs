//! The contract that edits share with other actions: decide before acting, or say that you cannot.

use crate::blob::BlobIds;
use crate::outcome::{Refused, Warning};
use crate::patch::Step;
use crate::plan::Plan;
use crate::policy::Policy;
use crate::preimage::Preimages;

/// What a verifier says of an action.
///
/// To abstain is an answer of its own: no evidence either way. A caller that needs a yes or no has
/// to choose one there, and say so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict<Admitted, Warning, Refusal, Unknown> {
    /// The action has the effect meant.
    Admit(Admitted),
    /// As `Admit`, and the author should know something. Never empty.
    Warn(Admitted, Vec<Warning>),
    /// The action must not happen, and why.
    Refuse(Refusal),
    /// There is no evidence either way, and what was missing.
    Abstain(Unknown),
}

/// Judges an action against the state that it will meet, as a function of the two alone.
pub trait Verifier {
    /// What is to be judged.
    type Action: ?Sized;
    /// What it will meet.
    type State: ?Sized;
    /// What an admitted action comes with, such as its plan.
    type Admitted;
    /// What the author should know.
    type Warning;
    /// Why the action must not happen.
    type Refusal;
    /// What is missing to decide.
    type Unknown;

    /// Returns the verdict. Equal arguments give equal verdicts.
    fn verify(
        &self,
        action: &Self::Action,
        state: &Self::State,
    ) -> Verdict<Self::Admitted, Self::Warning, Self::Refusal, Self::Unknown>;
}

/// Judges parsed edits against the files that they name: the first of the verifiers.
///
/// It never abstains: where it has no evidence, it refuses.
#[derive(Clone, Copy, Debug)]
pub struct EditVerifier<'a, I> {
    /// What gives contents their ids.
    pub ids: &'a I,
    /// What a match may be let get away with.
    pub policy: &'a Policy,
}

/// Nothing: the state of a verifier that never abstains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Never {}

impl<I: BlobIds> Verifier for EditVerifier<'_, I> {
    type Action = [Step];
    type State = Preimages;
    type Admitted = Plan;
    type Warning = Warning;
    type Refusal = Refused;
    type Unknown = Never;

    fn verify(&self, action: &[Step], state: &Preimages) -> Verdict<Plan, Warning, Refused, Never> {
        match crate::plan(action, state, self.ids, self.policy) {
            Ok(plan) if plan.warnings().is_empty() => Verdict::Admit(plan),
            Ok(plan) => {
                let warnings = plan.warnings().to_vec();
                Verdict::Warn(plan, warnings)
            }
            Err(refused) => Verdict::Refuse(refused),
        }
    }
}
