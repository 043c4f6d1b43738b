use super::*;

#[test]
fn numbers_are_taken_off_where_every_line_has_one_and_they_count_up() {
    let check = |text: &str, expected: Option<(u64, &str)>| {
        let expected = expected.map(|(first, text)| (first, text.into()));
        assert_eq!(without_numbers(text.as_bytes()), expected, "{text:?}");
    };
    check("12 | a\n13 |   b\n", Some((12, "a\n  b\n")));
    check(" 9\ta\n10\tb\n", Some((9, "a\nb\n")));
    check("1:a\n2:b", Some((1, "a\nb")));
    check("7\u{2192}a\n8\u{2192}\n", Some((7, "a\n\n")));
    check("12#VR:a\n13#0f:b\n", Some((12, "a\nb\n")));
    check("1 | a\n\n2 | b\n", Some((1, "a\n\nb\n")));
    check("1 | a\n\n3 | b\n", Some((1, "a\n\nb\n")));
    check("1 | a\n3 | b\n", None);
    check("1 | a\n2: b\n", None);
    check("1 | a\nb\n", None);
    check("a\n", None);
    check("", None);
    check("\n1 | a\n", None);
}

#[test]
fn both_sides_must_be_numbered_from_one_line_on() {
    let check = |old: &str, new: &str, expected: Option<(u64, &str, &str)>| {
        let expected = expected.map(|(first, old, new)| (first, old.into(), new.into()));
        assert_eq!(
            pair_without_numbers(old.as_bytes(), new.as_bytes()),
            expected
        );
    };
    check("3 | a\n", "3 | b\n4 | c\n", Some((3, "a\n", "b\nc\n")));
    check("3 | a\n", "", Some((3, "a\n", "")));
    check("3 | a\n", "b\n", None);
    check("3 | a\n", "4 | b\n", None);
}

#[test]
fn escapes_are_resolved_once() {
    let check = |text: &str, expected: Option<&str>| {
        assert_eq!(
            unescaped(text.as_bytes()),
            expected.map(Into::into),
            "{text}"
        );
    };
    check(r"a\nb", Some("a\nb"));
    check(r#"say \"x\"\t\\"#, Some("say \"x\"\t\\"));
    check("plain", None);
    check(r"\d+", None);
    check(r"end\", None);
}
