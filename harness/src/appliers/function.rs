//! Whole functions: the one of that name gives way to the new text.

use super::text::{lines, splice};
use super::{Answer, Function};

/// Which function a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// The first whose own name it is, in whatever scope.
    First,
    /// The only one whose own name it is.
    Only,
    /// The only one with that name and those scopes.
    Qualified,
}

/// Replaces the function that `name` means.
pub(super) fn apply(
    file: &str,
    name: &str,
    new: &str,
    functions: &[Function<'_>],
    lookup: Lookup,
) -> Answer {
    let mut named = functions.iter().filter(|function| match lookup {
        Lookup::First | Lookup::Only => simple(function.name) == simple(name),
        Lookup::Qualified => function.name == name,
    });
    let Some(found) = named.next() else {
        return Answer::refused("no function has that name");
    };
    if lookup != Lookup::First && named.next().is_some() {
        return Answer::refused("more than one function has that name");
    }
    match splice(&lines(file), found.lines.clone(), new) {
        Some(text) => Answer::Applied(text),
        None => Answer::refused("the function is outside of the file"),
    }
}

/// Returns a name without its scopes.
fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
