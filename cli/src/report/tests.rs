use bstr::BString;
use surefoot_engine::lines::{LineNo, LineRange};
use surefoot_engine::outcome::{
    Ambiguity, Candidate, Difference, Distinguish, NotFound, Reason, Refusal, Refused, Stale,
};
use surefoot_engine::patch::{Recovery, Span};
use surefoot_engine::policy::Score;
use surefoot_formats::{ParseError, ParseErrorKind};

use super::*;
use crate::terminal::Colour;

fn place(first: usize, end: usize, text: &str) -> Candidate {
    Candidate {
        lines: LineRange::new(first - 1, end),
        text: text.into(),
        similarity: Score::EQUAL,
        scope: None,
        first_difference: None,
        distinguish: None,
    }
}

fn of_hunk(path: &str, hunk: usize, reason: Reason) -> Report {
    let refusal = Refusal {
        path: Some(path.into()),
        hunk: Some(hunk),
        span: None,
        reason,
        step: None,
        repair: None,
    };
    refused(&[], "balanced", &Refused::one(refusal))
}

fn twice() -> Reason {
    let line = "fn get(&self, key: &str) -> Option<&Entry> {\n";
    let told = |line: &str| {
        Some(Distinguish {
            above: true,
            lines: vec![line.into()],
        })
    };
    Reason::Ambiguous {
        why: Ambiguity::Equal,
        candidates: vec![
            Candidate {
                distinguish: told("impl Cache {"),
                ..place(41, 43, line)
            },
            Candidate {
                distinguish: told("impl Table {"),
                ..place(87, 89, line)
            },
        ],
        total: 2,
    }
}

fn check(report: &Report, expected: &str) {
    assert_eq!(text(report, false, Colour::Off), expected);
}

#[test]
fn an_ambiguous_edit_is_told_its_places_and_what_tells_them_apart() {
    check(
        &of_hunk("src/cache.rs", 2, twice()),
        "\
refused (ambiguous): `src/cache.rs`, hunk 2: 2 places match equally well (exact): lines 41-43, lines 87-89
  lines 41-43   fn get(&self, key: &str) -> Option<&Entry> {
    quote above it  impl Cache {
  lines 87-89   fn get(&self, key: &str) -> Option<&Entry> {
    quote above it  impl Table {
hint: quote a line above the change that only one of them has
nothing was written
",
    );
}

#[test]
fn a_lost_anchor_is_told_the_first_line_that_differs() {
    let nearest = Candidate {
        similarity: Score(912),
        first_difference: Some(Difference {
            line: LineNo(4),
            wanted: "    return x".into(),
            found: "\treturn x\r".into(),
        }),
        ..place(4, 6, "def f():\n\treturn x\r\n")
    };
    let why = NotFound::Anchor;
    check(
        &of_hunk(
            "a.py",
            1,
            Reason::NotFound {
                why,
                nearest: vec![nearest],
            },
        ),
        "\
refused (not-found): `a.py`, hunk 1: no place matches; nearest is lines 4-6 at 0.912
  lines 4-6     def f():
    line 5 has      →return x␍
    not, as quoted  ····return x
hint: quote the old lines as the file has them
nothing was written
",
    );
}

#[test]
fn an_input_that_is_no_edit_is_refused_by_name_and_line() {
    let error = ParseError {
        kind: ParseErrorKind::Malformed,
        line: 14,
        span: Span::default(),
        path: Some("a.py".into()),
        message: "the header counts 5 old lines, the hunk has 4".to_owned(),
    };
    let report = unread(
        &[],
        &[Unread {
            name: "edit.diff".to_owned(),
            error,
        }],
        "balanced",
        None,
    );
    check(
        &report,
        "\
refused (malformed): `a.py`: edit.diff:14: the header counts 5 old lines, the hunk has 4
nothing was written
",
    );
    assert_eq!(report.format, None);
}

#[test]
fn what_was_tolerated_says_in_which_of_several_inputs() {
    let recovery = |line, message: &str| Recovery {
        line,
        message: message.to_owned(),
    };
    let input = |name: &str, format, recoveries| Input {
        name: name.to_owned(),
        format,
        recoveries,
    };
    let one = input(
        "a.diff",
        "unified-diff",
        vec![recovery(3, "the count is 7, not 6")],
    );
    let two = input(
        "b.json",
        "str-replace",
        vec![recovery(0, "a code fence is taken off")],
    );
    let refusals = Refused::one(Refusal::of_path("a.py", Reason::MissingFile));
    let alone = refused(std::slice::from_ref(&one), "balanced", &refusals);
    assert_eq!(alone.recoveries, ["line 3: the count is 7, not 6"]);
    assert_eq!(alone.format.as_deref(), Some("unified-diff"));
    let both = refused(&[one, two], "balanced", &refusals);
    assert_eq!(
        both.recoveries,
        [
            "a.diff: line 3: the count is 7, not 6",
            "b.json: a code fence is taken off"
        ]
    );
    assert_eq!(both.format.as_deref(), Some("unified-diff, str-replace"));
}

/// The longest that the engine and an enemy can make a refusal.
fn enormous() -> Vec<Report> {
    let long = "\u{202e}\x1b[31m é".repeat(500);
    let candidate = |n: usize| Candidate {
        lines: LineRange::new(1_000_000_000 + n, 1_000_000_003 + n),
        text: BString::from(long.as_bytes()),
        similarity: Score(900),
        scope: Some(long.as_str().into()),
        first_difference: Some(Difference {
            line: LineNo(1_000_000_000),
            wanted: long.as_str().into(),
            found: format!("x{long}").into(),
        }),
        distinguish: Some(Distinguish {
            above: false,
            lines: vec![long.as_str().into(); 24],
        }),
    };
    let candidates: Vec<Candidate> = (0..8).map(candidate).collect();
    let heading = long.as_str().into();
    [
        Reason::Ambiguous {
            why: Ambiguity::Equal,
            candidates: candidates.clone(),
            total: 9999,
        },
        Reason::NotFound {
            why: NotFound::Anchor,
            nearest: candidates.clone(),
        },
        Reason::Stale {
            why: Stale::Heading { heading },
            candidates,
        },
        Reason::Malformed {
            message: long.clone(),
            readings: vec![long.clone(), long.clone()],
        },
    ]
    .map(|reason| of_hunk(&long, 10_000_000, reason))
    .into()
}

#[test]
fn a_refusal_stays_short_and_keeps_its_code_and_places() {
    for report in enormous() {
        let text = text(&report, false, Colour::Off);
        let refusal = text.strip_suffix("nothing was written\n").unwrap();
        assert!(
            refusal.chars().count() <= 600,
            "{}: {refusal}",
            refusal.chars().count()
        );
        assert!(refusal.contains(&report.refusals[0].code), "{refusal}");
        for candidate in &report.refusals[0].candidates {
            let [first, last] = candidate.lines;
            assert!(
                refusal.contains(&format!("  lines {first}-{last}")),
                "{refusal}"
            );
        }
    }
}

#[test]
fn no_untrusted_text_reaches_the_terminal_raw() {
    for report in enormous() {
        let text = text(&report, false, Colour::Off);
        assert!(!text.contains(['\u{202e}', '\x1b']), "{text}");
    }
}

#[test]
fn colour_adds_nothing_to_the_words() {
    let report = of_hunk("src/cache.rs", 2, twice());
    let coloured = text(&report, false, Colour::On);
    assert!(
        coloured.contains("\x1b[1;31mrefused\x1b[0m (ambiguous)"),
        "{coloured}"
    );
    let bare = coloured
        .replace("\x1b[1;31m", "")
        .replace("\x1b[36m", "")
        .replace("\x1b[0m", "");
    assert_eq!(bare, text(&report, false, Colour::Off));
}

#[test]
fn a_fix_is_printed_where_it_fits() {
    let mut report = of_hunk("a.py", 1, Reason::MissingFile);
    report.refusals[0].fix = Some("{\"path\":\"b.py\"}\n".to_owned());
    let short = text(&report, false, Colour::Off);
    assert!(
        short.contains("a corrected edit:\n  {\"path\":\"b.py\"}\n"),
        "{short}"
    );
    report.refusals[0].fix = Some("x".repeat(600));
    let long = text(&report, false, Colour::Off);
    assert!(
        !long.contains("a corrected edit") && !long.contains("xx"),
        "{long}"
    );
}

#[test]
fn the_json_of_a_refusal_has_every_field_and_no_other() {
    let report = of_hunk("src/cache.rs", 2, twice());
    insta::assert_snapshot!(serde_json::to_string(&report).unwrap(), @r#"{"version":1,"outcome":"refused","written":false,"transaction":null,"format":null,"policy":"balanced","files":[],"recoveries":[],"warnings":[],"refusals":[{"code":"ambiguous","path":"src/cache.rs","hunk":2,"message":"2 places match equally well (exact): lines 41-43, lines 87-89","candidates":[{"lines":[41,43],"similarity":1.0,"text":"fn get(&self, key: &str) -> Option<&Entry> {\n","scope":null,"first_difference":null,"distinguish":["impl Cache {"],"distinguish_side":"above"},{"lines":[87,89],"similarity":1.0,"text":"fn get(&self, key: &str) -> Option<&Entry> {\n","scope":null,"first_difference":null,"distinguish":["impl Table {"],"distinguish_side":"above"}],"fix":null}]}"#);
}

#[test]
fn an_empty_range_ends_before_it_begins() {
    let lines = LineRange::new(6, 6);
    let report = of_hunk(
        "a",
        1,
        Reason::NotFound {
            why: NotFound::Anchor,
            nearest: vec![Candidate {
                lines,
                ..place(1, 1, "")
            }],
        },
    );
    assert_eq!(report.refusals[0].candidates[0].lines, [7, 6]);
}
