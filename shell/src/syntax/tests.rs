use super::*;

/// Returns the literal words of every simple command; `…` for what is not known.
fn commands(text: &str) -> Vec<Vec<String>> {
    let script = parse(text.as_bytes()).unwrap();
    let word = |word: &Word| {
        let mut text = word.lead.to_string();
        if word.rest != Rest::Nothing {
            text.push('…');
        }
        text
    };
    script
        .commands
        .iter()
        .map(|command| command.words.iter().map(word).collect())
        .collect()
}

fn check(text: &str, expected: &[&[&str]]) {
    assert_eq!(commands(text), expected, "{text}");
}

#[test]
fn every_simple_command_is_found_in_its_place() {
    check("a b | c && d; e &", &[&["a", "b"], &["c"], &["d"], &["e"]]);
    check(
        "if a; then b; elif c; then d; else e; fi",
        &[&["a"], &["b"], &["c"], &["d"], &["e"]],
    );
    check("for i in x y; do a \"$i\"; done", &[&["a", "…"]]);
    check(
        "while read -r x; do a; done < f",
        &[&["read", "-r", "x"], &["a"]],
    );
    check("case $x in a|b) c;; *) d;; esac", &[&["c"], &["d"]]);
    check("{ a; } 2>&1; (b)", &[&["a"], &["b"]]);
    check(
        "a $(b $(c)) `d e`",
        &[&["a", "…", "…"], &["b", "…"], &["c"], &["d", "e"]],
    );
    check(
        "diff <(sort a) <(sort b)",
        &[&["diff", "…", "…"], &["sort", "a"], &["sort", "b"]],
    );
    check("f() { a; }; f", &[&["a"], &["f"]]);
    check("X=$(a) b", &[&["b"], &["a"]]);
    check("! a | b", &[&["a"], &["b"]]);
    check("time -p a", &[&["a"]]);
}

#[test]
fn data_is_no_command() {
    check(
        "cat <<'EOF' | a\nrm -rf /\n$(b)\nEOF\nc",
        &[&["cat"], &["a"], &["c"]],
    );
    check("cat <<EOF\n$(b) text\nEOF", &[&["cat"], &["b"]]);
    check("cat <<-A <<B\n\tx\n\tA\ny\nB\nc", &[&["cat"], &["c"]]);
    check("a # b; c", &[&["a"]]);
    check(
        "a '$(b)' \"(c)\" \\$\\(d\\)",
        &[&["a", "$(b)", "(c)", "$(d)"]],
    );
    check(
        "echo $((1 + (2))) ${x:-$(a)}",
        &[&["echo", "…", "…"], &["a"]],
    );
}

#[test]
fn words_are_known_as_far_as_nothing_is_put_in() {
    check("a --x=\"$y\" -n$z '-q'", &[&["a", "--x=…", "-n…", "-q"]]);
    check(
        "a {} {b} x{1,2} *.c ~/d e~",
        &[&["a", "{}", "{b}", "x…", "…", "…", "e~"]],
    );
    check(
        "a b\\ c \"d\\\"e\" 'f'\\''g' $'h\\ti'",
        &[&["a", "b c", "d\"e", "f'g", "h\ti"]],
    );
    check("a \\\n  b", &[&["a", "b"]]);
}

#[test]
fn spans_are_bytes_of_the_text() {
    let text = "a  'b c' | d `e f`";
    let script = parse(text.as_bytes()).unwrap();
    let spans: Vec<&str> = script
        .commands
        .iter()
        .flat_map(|command| &command.words)
        .map(|word| text.get(word.span.range()).unwrap())
        .collect();
    assert_eq!(spans, ["a", "'b c'", "d", "`e f`", "e", "f"]);
}

#[test]
fn what_no_grammar_has_a_place_for_is_rejected() {
    for text in [
        "a |",
        "a &&",
        "| a",
        "a | | b",
        "if a",
        "if ; then b; fi",
        "a; done",
        "(a",
        "a)",
        "{ a",
        "a ;; b",
        "'a",
        "\"a",
        "`a",
        "$(a",
        "${a",
        "a >",
        "a < | b",
        "for ; do a; done",
        "case x in",
        "f() a",
        "a () b",
        ";",
        "()",
        "a (b)",
    ] {
        assert!(parse(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn depth_and_size_are_bounded() {
    for open in [
        "(",
        "$(",
        "{ ",
        "if ",
        "\"$(",
        "${a:-",
        "`",
        "a=(",
        "$((",
        "((",
        "<(",
        "case x in x) ",
    ] {
        let deep = open.repeat(9_999);
        assert!(parse(deep.as_bytes()).is_err(), "{open}");
        let closed = format!("{}x{}", open.repeat(100_000), ")".repeat(100_000));
        drop(parse(closed.as_bytes()));
    }
    let long = "a 'b' \"$c\" | ".repeat(80_000) + "d";
    assert_eq!(parse(long.as_bytes()).unwrap().commands.len(), 80_001);
}

/// Pieces that texts are made of: what bash treats in its own way, and a little else.
const PIECES: [&str; 44] = [
    "a",
    "b ",
    " ",
    "\n",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "(",
    ")",
    "{ ",
    " }",
    "if ",
    " then ",
    " fi",
    "for x in ",
    " do ",
    " done",
    "while ",
    "case x in ",
    " esac",
    ";;",
    "'",
    "\"",
    "`",
    "$(",
    "${",
    "}",
    "$x",
    "\\",
    "<",
    ">",
    ">>",
    "<<E\n",
    "\nE\n",
    "2>&1",
    "=",
    "x=",
    "#",
    "!",
    "f()",
    "$((",
    "))",
];

/// What is accepted without a doubt has to parse in bash: else a mistake would go unnoticed.
#[test]
fn what_is_accepted_without_a_doubt_parses_in_bash() {
    let bash = std::path::PathBuf::from("/bin/bash");
    if !bash.exists() {
        eprintln!("skipped: no bash to compare with");
        return;
    }
    // A linear congruence: the same texts on every machine.
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut compared = 0;
    while compared < 500 {
        let text: String = (0..2 + next(9))
            .map(|_| PIECES[next(PIECES.len())])
            .collect();
        let sure = parse(text.as_bytes()).is_ok_and(|script| script.doubts.is_empty());
        if !sure {
            continue;
        }
        compared += 1;
        let answer = crate::bash::ask(Some(&bash), text.as_bytes());
        assert_eq!(answer, crate::bash::Answer::Parses, "{text:?}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
        drop(parse(&bytes));
    }

    #[test]
    fn spans_lie_in_the_text(picks in proptest::collection::vec(0..PIECES.len(), 0..20)) {
        let text: String = picks.iter().map(|pick| PIECES[*pick]).collect();
        if let Ok(script) = parse(text.as_bytes()) {
            for command in &script.commands {
                for word in &command.words {
                    proptest::prop_assert!(word.span.start <= word.span.end && word.span.end <= text.len());
                    proptest::prop_assert!(command.span.start <= word.span.start || command.span.end <= text.len());
                }
            }
        }
    }
}
