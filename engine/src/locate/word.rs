//! Where words and numbers end: a text that begins or ends inside of one is not what it looks like.

/// Tells whether `left` and `right`, where they meet, are parts of one word, number or character.
pub(crate) fn is_split(left: &[u8], right: &[u8]) -> bool {
    let (Some(last), _) = bstr::decode_last_utf8(left) else {
        return false;
    };
    let (Some(first), _) = bstr::decode_utf8(right) else {
        return false;
    };
    (is_word(last) && is_word(first)) || is_mark(first) || splits_number(left, right)
}

/// Tells whether a point between digits is at the seam: `1` is not what stands in `1.5`.
fn splits_number(left: &[u8], right: &[u8]) -> bool {
    matches!(
        (left, right),
        ([.., b'0'..=b'9'], [b'.', b'0'..=b'9', ..]) | ([.., b'0'..=b'9', b'.'], [b'0'..=b'9', ..])
    )
}

/// Tells whether `c` is part of words that are set off by blanks or signs. Scripts that write words
/// without blanks between them have no such ends.
fn is_word(c: char) -> bool {
    let spaced = c < '\u{e00}' || ('\u{1e00}'..='\u{1fff}').contains(&c);
    c == '_' || (spaced && c.is_alphanumeric())
}

/// Tells whether `c` changes the character before it: an accent, a variant, a joiner.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{200d}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str, expected: bool) {
        assert_eq!(
            is_split(left.as_bytes(), right.as_bytes()),
            expected,
            "{left:?} {right:?}"
        );
    }

    #[test]
    fn words_numbers_and_characters_are_not_split() {
        check("x = 1", "0", true);
        check("total", "_items", true);
        check("caf", "é", true);
        check("é", "id", true);
        check("e", "\u{301}", true);
        check("\u{2764}", "\u{fe0f}", true);
        check("v = 1", ".5", true);
        check("v = 1.", "5", true);
        check("v1.2", ".3", true);
    }

    #[test]
    fn between_words_nothing_is_split() {
        check("self.", "x", false);
        check("x = 1", "", false);
        check("", "x", false);
        check("call()", "x", false);
        check("1", "..5", false);
        check("1", ". Then", false);
        check("a = “", "x", false);
        check("x", "—", false);
        check("中", "文", false);
        check("x", "\u{a0}", false);
    }
}
