use super::*;

#[test]
fn no_two_paths_print_alike() {
    fn check(input: &[u8], expected: &str) {
        assert_eq!(path(input), expected);
    }
    check(b"src/a b.py", "src/a b.py");
    check("grün.py".as_bytes(), "grün.py");
    check(b"a\\377", "a\\377");
    check(b"a\xff", r#""a\377""#);
    check(br#""a\377""#, r#""\"a\\377\"""#);
    check(b"\xff\n\t\r\x01\"", r#""\377\n\t\r\001\"""#);
}

#[test]
fn stray_bytes_are_spelled_out() {
    assert_eq!(text(b"caf\xe9 \xe2\x82"), r"caf\xE9 \xE2\x82");
    assert_eq!(text("→ é".as_bytes()), "→ é");
}

#[test]
fn nothing_moves_the_cursor_or_reorders() {
    fn check(input: &str, expected: &str) {
        assert_eq!(safe(input, 100), expected);
    }
    check("plain é", "plain é");
    check("\x1b[2Jgone", r"\u{1b}[2Jgone");
    check("a\tb", r"a\tb");
    check("a\rb\n", r"a\u{d}b\u{a}");
    check(
        "x\u{202e}y\u{2069}\u{200b}\u{feff}",
        r"x\u{202e}y\u{2069}\u{200b}\u{feff}",
    );
    check("a\u{a0}b", r"a\u{a0}b");
    check("\u{9b}31m", r"\u{9b}31m");
}

#[test]
fn a_cut_is_shown_and_never_longer_than_asked_for() {
    fn check(input: &str, most: usize, expected: &str) {
        let cut = safe(input, most);
        assert_eq!(cut, expected);
        assert!(len(&cut) <= most, "{cut}");
    }
    check("abcdef", 6, "abcdef");
    check("abcdef", 5, "abcd…");
    check("äöüß", 3, "äö…");
    check("abcdef", 1, "…");
    check("abcdef", 0, "");
    check("", 0, "");
    check("ab\x1b", 4, "ab…");
}

#[test]
fn white_space_shows_at_the_edges_and_where_it_differs() {
    fn check(wanted: &str, found: &str, expected: (&str, &str)) {
        let (wanted, found) = visible(wanted, found, 60);
        assert_eq!((wanted.as_str(), found.as_str()), expected);
    }
    check("    return x", "\treturn x", ("····return x", "→return x"));
    check("a = 1", "a = 1  ", ("a = 1", "a = 1··"));
    check("a = 1", "a = 1\r", ("a = 1", "a = 1␍"));
    check("f(a,  b)", "f(a, b)", ("f(a, ·b)", "f(a, b)"));
    check("let a = b;", "let a = c;", ("let a = b;", "let a = c;"));
    check("a b c", "a\tb c", ("a·b c", "a→b c"));
    check("a\u{a0}b", "a b", (r"a\u{a0}b", "a·b"));
    check("  x y", "x y  ", ("··x y", "x y··"));
    check("   ", "", ("···", ""));
    check("", "", ("", ""));
}

#[test]
fn a_long_line_is_cut_so_that_the_difference_shows() {
    let same = "x".repeat(300);
    let (wanted, found) = visible(&format!("{same}one"), &format!("{same}two"), 40);
    assert!(
        wanted.starts_with('…') && wanted.ends_with("xone"),
        "{wanted}"
    );
    assert!(found.starts_with('…') && found.ends_with("xtwo"), "{found}");
    assert!(len(&wanted) <= 40 && len(&found) <= 40);
}
