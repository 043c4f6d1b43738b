use proptest::prelude::*;

use super::*;

/// Spells lines as a diff does: a sign, then the text.
fn spelled(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        let (sign, text) = match line {
            Line::Context(text) => (' ', text),
            Line::Delete(text) => ('-', text),
            Line::Insert(text) => ('+', text),
        };
        out.push(sign);
        out.push_str(&text.to_string());
    }
    out
}

#[test]
fn shared_lines_are_context() {
    let check = |old: &str, new: &str, expected: &str| {
        let lines = LineHunk::from_pair(old.as_bytes(), new.as_bytes());
        assert_eq!(spelled(&lines), expected, "{old:?} to {new:?}");
    };
    check("", "", "");
    check("a\n", "", "-a\n");
    check("", "a\n", "+a\n");
    check("a\nb\nc\n", "a\nB\nc\n", " a\n-b\n+B\n c\n");
    check("a\nb\n", "a\nx\nb\n", " a\n+x\n b\n");
    check("a\r\nb", "a\r\nc", " a\r\n-b+c");
    check("same\n", "same\n", " same\n");
}

proptest! {
    #[test]
    fn both_sides_are_kept(old in "[abc\n]{0,40}", new in "[abc\n]{0,40}") {
        let hunk = LineHunk {
            lines: LineHunk::from_pair(old.as_bytes(), new.as_bytes()),
            ..LineHunk::default()
        };
        prop_assert_eq!(hunk.old().collect::<Vec<_>>().concat(), old.as_bytes());
        prop_assert_eq!(hunk.new_lines().collect::<Vec<_>>().concat(), new.as_bytes());
    }
}
