//! What no page says of certain tools, from `families.txt`: our own knowledge, as data.

use super::builtin::getopt_into;
use crate::flags::{Flags, Operands, Takes};

const TABLE: &str = include_str!("families.txt");

/// What is known of a tool beside what is written about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Family {
    /// The flags, and where they may stand.
    pub(crate) flags: Flags,
    pub(crate) subcommands: Subcommands,
    /// Tools whose flags it takes, too.
    pub(crate) like: Vec<&'static str>,
}

/// How a tool treats its first operand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Subcommands {
    /// As whatever its pages make it.
    #[default]
    Unsaid,
    /// As the name of a subcommand, with flags of its own on a page of its own.
    Pages,
    /// As the name of a subcommand; all flags are on the tool's page.
    OnePage,
}

/// Returns what is known of `tool`; of several lines that name it, all.
pub(crate) fn of(tool: &str) -> Option<Family> {
    let mut found: Option<Family> = None;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let Some((names, facts)) = line.split_once(':') else {
            continue;
        };
        if names.split_whitespace().any(|name| name == tool) {
            let family = found.get_or_insert_default();
            facts.split(';').for_each(|fact| family.learn(fact));
        }
    }
    found
}

impl Family {
    fn learn(&mut self, fact: &'static str) {
        let mut words = fact.split_whitespace();
        match words.next() {
            Some("first") => self.flags.operands = Operands::After,
            Some("pages") => self.subcommands = Subcommands::Pages,
            Some("one-page") => self.subcommands = Subcommands::OnePage,
            Some("open") => self.flags.families.extend(words.map(str::to_owned)),
            Some("like") => self.like.extend(words),
            Some("single") => words.for_each(|name| self.flags.add_single(name, Takes::Nothing)),
            Some("short") => words.for_each(|letters| getopt_into(letters, &mut self.flags)),
            Some("long") => words.for_each(|name| match name.strip_suffix('=') {
                Some(name) => self.flags.add_long(name, Takes::Required),
                None => self.flags.add_long(name, Takes::Nothing),
            }),
            // Pages say that these take a value. Said to take none as well, they are not known to.
            Some("unsure") => words.for_each(|name| {
                let mut letters = name.chars();
                match (letters.next(), letters.next()) {
                    (Some(letter), None) => self.flags.add_short(letter, Takes::Nothing),
                    _ => self.flags.add_single(name, Takes::Nothing),
                }
            }),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_can_be_read() {
        let facts = [
            "first", "pages", "one-page", "open", "like", "single", "short", "long", "unsure",
        ];
        for line in TABLE
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            let (names, rest) = line.split_once(':').unwrap();
            // A colon in a getopt string comes after the first.
            assert!(!names.is_empty(), "{line}");
            for fact in rest.split(';') {
                let word = fact.split_whitespace().next().unwrap();
                assert!(facts.contains(&word), "{line}");
            }
        }
    }

    #[test]
    fn lines_that_name_a_tool_add_up() {
        let python = of("python").unwrap();
        assert_eq!(python.flags.operands, Operands::After);
        assert_eq!(python.like, ["python3"]);
        assert!(of("no-such-tool").is_none());
    }
}
