//! Text of manual pages: escapes taken out, arguments of macros taken apart.

use super::roff::FONT;

/// Splits a macro's arguments. Quotes keep blanks in one.
pub(crate) fn arguments(rest: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    let mut any = false;
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                word.push('"');
            }
            '"' if quoted || word.is_empty() => {
                quoted = !quoted;
                any = true;
            }
            '\\' => {
                word.push(c);
                if let Some(next) = chars.next() {
                    if next == '"' {
                        word.pop();
                        break;
                    }
                    word.push(next);
                }
            }
            ' ' | '\t' if !quoted => {
                if any || !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                    any = false;
                }
            }
            _ => word.push(c),
        }
    }
    if any || !word.is_empty() {
        out.push(word);
    }
    out
}

/// Returns `text` without its escapes; changes of font become [`FONT`].
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('-') => out.push('-'),
            Some('e' | '\\') => out.push('\\'),
            Some(' ' | '~' | '0') => out.push(' '),
            Some('"' | '#') => break,
            Some('f' | 'F') => {
                skip_name(&mut chars);
                out.push(FONT);
            }
            Some('m' | 'M' | 'n' | '$' | 'g' | 'k' | 'Y' | 'V') => skip_name(&mut chars),
            Some('*') => {
                // Strings that stand for a character; `\*(--` and `\*-` for dashes.
                let name = take_name(&mut chars);
                if name.starts_with('-') {
                    out.push_str(&name);
                }
            }
            Some('(') => {
                let name: String = chars.by_ref().take(2).collect();
                out.push_str(special(&name));
            }
            Some('[') => {
                let name: String = chars.by_ref().take_while(|c| *c != ']').collect();
                out.push_str(special(&name));
            }
            Some('s') => {
                while chars
                    .peek()
                    .is_some_and(|c| c.is_ascii_digit() || matches!(c, '+' | '-'))
                {
                    chars.next();
                }
            }
            Some('h' | 'v' | 'w' | 'o' | 'l' | 'L' | 'b' | 'x' | 'X' | 'D' | 'Z' | 'N' | 'A') => {
                if chars.peek() == Some(&'\'') {
                    chars.next();
                    chars.by_ref().find(|c| *c == '\'');
                }
            }
            Some(
                '&' | '/' | ',' | '|' | '^' | '%' | ':' | 'c' | 'u' | 'd' | 'p' | '{' | '}' | 'z',
            )
            | None => {}
            Some(other) => out.push(other),
        }
    }
    out
}

/// Moves past a name in one of its three forms: `x`, `(xx`, `[xxx]`.
fn skip_name(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    take_name(chars);
}

fn take_name(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    match chars.next() {
        Some('(') => chars.by_ref().take(2).collect(),
        Some('[') => chars.by_ref().take_while(|c| *c != ']').collect(),
        Some(c) => c.to_string(),
        None => String::new(),
    }
}

fn special(name: &str) -> &'static str {
    match name {
        "hy" | "mi" | "-" | "en" => "-",
        "em" => "--",
        "aq" | "cq" | "oq" => "'",
        "dq" | "lq" | "rq" => "\"",
        "bu" => "*",
        "rs" => "\\",
        "ti" => "~",
        "ha" => "^",
        "ba" | "bv" | "or" => "|",
        "sh" => "#",
        "lB" => "[",
        "rB" => "]",
        "lC" => "{",
        "rC" => "}",
        "la" => "<",
        "ra" => ">",
        "ga" => "`",
        "at" => "@",
        _ => "?",
    }
}
