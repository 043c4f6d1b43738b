//! Placeholders of the collection's commands, filled in.

/// Which of a flag's two spellings to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `--long`
    Long,
    /// `-s`
    Short,
}

/// Returns the command that `raw` stands for; `None` where it is none.
#[must_use]
pub fn render(raw: &str, dialect: Dialect) -> Option<String> {
    // `nice --{{n}}`: nobody would write the placeholder's text there.
    if raw
        .split_whitespace()
        .any(|word| word.starts_with("-{{") || word.starts_with("--{{"))
    {
        return None;
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(open) = rest.find("{{") {
        let (before, after) = rest.split_at(open);
        if before.ends_with('\\') {
            out.push_str(before);
            out.push_str("{{");
            rest = after.get(2..)?;
            continue;
        }
        out.push_str(before);
        let inside = after.get(2..)?;
        let close = end(inside)?;
        out.push_str(&placeholder(inside.get(..close)?, dialect));
        rest = inside.get(close + 2..)?;
    }
    out.push_str(rest);
    let out = out.replace("\\{\\{", "{{").replace("\\}\\}", "}}");
    let out = out.replace(" ...", "");
    (!has_key_press(&out)).then(|| out.trim().to_owned())
}

/// Returns where the placeholder closes: at the last two of the braces that end it.
fn end(inside: &str) -> Option<usize> {
    let at = inside.find("}}")?;
    let more = inside
        .get(at + 2..)?
        .chars()
        .take_while(|c| *c == '}')
        .count();
    Some(at + more)
}

fn placeholder(inside: &str, dialect: Dialect) -> String {
    if let Some(choice) = inside
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        if let Some((short, long)) = choice.split_once('|') {
            return match dialect {
                Dialect::Short => short.to_owned(),
                Dialect::Long => long.split('|').next_back().unwrap_or(long).to_owned(),
            };
        }
        return choice.to_owned();
    }
    // An optional part of a name: `file[.gz|.xz]`.
    let mut text = String::new();
    let mut depth = 0usize;
    for c in inside.chars() {
        match c {
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            '|' if depth == 0 => break,
            _ if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text.trim_end_matches(" ...").to_owned()
}

/// Tells whether `text` names a key: `<Enter>`, `<Ctrl c>`.
fn has_key_press(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or("");
        let name = rest.split('>').next().unwrap_or("");
        name.len() < rest.len()
            && name.len() < 20
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ')
    })
}
