//! Colour: on a terminal only, and as the user's environment says.

use std::ffi::OsString;

/// How a piece of text is set off. Colour adds nothing to the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// An answer that is no.
    Bad,
    /// An answer that is yes.
    Good,
    /// What to do about it.
    Hint,
    /// A line that comes in; the changed part of one.
    Insert,
    /// The changed part of a line that comes in.
    InsertPart,
    /// A line that goes away.
    Delete,
    /// The changed part of a line that goes away.
    DeletePart,
    /// A header.
    Head,
}

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// Words alone.
    Off,
    /// With escape sequences.
    On,
}

impl Colour {
    /// Decides for a stream that is a terminal or not, by `NO_COLOR`, `CLICOLOR_FORCE`,
    /// `CLICOLOR` and `TERM`, in this order.
    pub(crate) fn choose(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let is = |name: &str, wanted: &str| set(name).is_some_and(|value| value == wanted);
        let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        if set("NO_COLOR").is_some() {
            Self::Off
        } else if forced || (is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb")) {
            Self::On
        } else {
            Self::Off
        }
    }

    /// Returns what to print before and after a piece of text in `style`.
    pub(crate) fn around(self, style: Style) -> (&'static str, &'static str) {
        if self == Self::Off {
            return ("", "");
        }
        let before = match style {
            Style::Bad => "\x1b[1;31m",
            Style::Good => "\x1b[1;32m",
            Style::Hint => "\x1b[36m",
            Style::Insert => "\x1b[32m",
            Style::InsertPart => "\x1b[1;7;32m",
            Style::Delete => "\x1b[31m",
            Style::DeletePart => "\x1b[1;7;31m",
            Style::Head => "\x1b[1m",
        };
        (before, "\x1b[0m")
    }

    /// Returns `text` in `style`.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        let (before, after) = self.around(style);
        format!("{before}{text}{after}")
    }
}

#[cfg(test)]
mod tests;
