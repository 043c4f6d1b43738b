use super::*;
use crate::evidence::completion;
use crate::evidence::roff;
use crate::machine::Completion;

/// Returns the flags of a heading, in order: letters, then long ones, then those with one dash.
fn of_heading(text: &str) -> Vec<(String, Takes)> {
    let mut flags = Flags::default();
    heading(text, &mut flags);
    all(&flags)
}

fn all(flags: &Flags) -> Vec<(String, Takes)> {
    let short = flags
        .short
        .iter()
        .map(|(letter, takes)| (format!("-{letter}"), *takes));
    let long = flags
        .long
        .iter()
        .map(|(name, takes)| (format!("--{name}"), *takes));
    let single = flags
        .single
        .iter()
        .map(|(name, takes)| (format!("-{name}"), *takes));
    short.chain(long).chain(single).collect()
}

fn check(text: &str, expected: &[(&str, Takes)]) {
    let expected: Vec<(String, Takes)> = expected
        .iter()
        .map(|(name, takes)| ((*name).to_owned(), *takes))
        .collect();
    assert_eq!(of_heading(text), expected, "{text:?}");
}

#[test]
fn headings_give_flags_and_their_values() {
    use Takes::{Nothing, Optional, Required, Unknown};
    check("-a, --all", &[("-a", Nothing), ("--all", Nothing)]);
    check(
        "-o FILE, --output=FILE",
        &[("-o", Required), ("--output", Required)],
    );
    check(
        "-o, --output=FILE",
        &[("-o", Required), ("--output", Required)],
    );
    check(
        "-f, --follow[=HOW]",
        &[("-f", Nothing), ("--follow", Optional)],
    );
    check("-n\u{1}NUM\u{1}", &[("-n", Required)]);
    check("-nNUM", &[("-n", Required)]);
    check("-name \u{1}pattern", &[("-name", Required)]);
    check(
        "--[no-]edit",
        &[("--edit", Nothing), ("--no-edit", Nothing)],
    );
    check("-x  explains --other", &[("-x", Nothing)]);
    check("-i path", &[("-i", Unknown)]);
    check("-1 | -l", &[("-1", Nothing), ("-l", Nothing)]);
    check("--- or - or --", &[]);
}

#[test]
fn a_heading_may_go_on_on_the_next_line() {
    let page = roff::read(
        b".sp\n\\fB\\-r\\fR, \n\\fB\\-\\-release\\fR\n.RS 4\nas \\fB\\-\\-debug\\fR does\n.RE\n",
    );
    let flags = flags(&page);
    assert_eq!(
        all(&flags),
        [
            ("-r".to_owned(), Takes::Nothing),
            ("--release".to_owned(), Takes::Nothing)
        ]
    );
    assert!(flags.mentioned.contains("debug"));
}

/// Pieces of pages and of completions.
const PIECES: [&str; 36] = [
    ".TP\n",
    ".IP \"",
    "\"\n",
    ".B ",
    ".BR ",
    ".SH SYNOPSIS\n",
    ".SH OPTIONS\n",
    ".nf\n",
    ".de X\n",
    "..\n",
    ".if n \\{\\\n",
    "\\}\n",
    ".It Fl ",
    ".Op Fl ",
    ".Dd\n",
    "\\-",
    "\\fB",
    "\\fR",
    "\\f(",
    "\\*[",
    "\\",
    "-",
    "--",
    "[no-]",
    "=",
    "[",
    "]",
    "a",
    "bc ",
    "\u{1}",
    "é",
    "\n",
    "'(-x)'{",
    "complete -c t -s ",
    "getopts ab:",
    "-x|--y)",
];

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_page_or_completion_makes_it_panic(picks in proptest::collection::vec(0..PIECES.len(), 0..60)) {
        let text: String = picks.iter().map(|pick| PIECES[*pick]).collect();
        let page = roff::read(text.as_bytes());
        drop(flags(&page));
        for kind in [Completion::Bash, Completion::Fish, Completion::Zsh] {
            drop(completion::flags(kind, &text, "t"));
        }
        drop(completion::script(&text));
        drop(crate::evidence::help::read(&text));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
        drop(flags(&roff::read(&bytes)));
    }
}
