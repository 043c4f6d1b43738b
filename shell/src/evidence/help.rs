//! Flags out of what a tool says when it is asked for help.

use super::manual;
use crate::flags::Flags;

/// What a help text holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Help {
    pub(crate) flags: Flags,
    /// The names of subcommands.
    pub(crate) subcommands: Vec<String>,
}

/// Reads a help text: lines that begin with a flag, usage lines, and lists of commands.
pub(crate) fn read(text: &str) -> Help {
    let mut help = Help::default();
    let mut commands = false;
    let mut usage = Vec::new();
    for line in text.lines() {
        // Overstruck letters, as some pagers make bold ones.
        let line = overstruck(line);
        let trimmed = line.trim_start();
        manual::mentions(trimmed, &mut help.flags);
        if trimmed.starts_with('-') || trimmed.starts_with("[-") {
            manual::heading(trimmed, &mut help.flags);
        }
        let lower = trimmed.to_lowercase();
        if lower.starts_with("usage:") || lower.starts_with("or:") {
            usage.push(trimmed.to_owned());
        }
        if !line.starts_with([' ', '\t']) {
            // A heading such as `Management Commands:`.
            commands = lower.contains("command") && line.trim_end().ends_with(':');
            continue;
        }
        if commands && let Some(name) = command(&line) {
            help.subcommands.push(name);
        }
    }
    usage
        .iter()
        .for_each(|line| manual::usage(line, &mut help.flags));
    help
}

/// Returns the name at the head of an indented line, where two blanks or the end follow it.
fn command(line: &str) -> Option<String> {
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    let end = trimmed.find([' ', '\t', ',', ':']).unwrap_or(trimmed.len());
    let (name, rest) = trimmed.split_at(end);
    let listed = rest.is_empty() || rest.starts_with("  ") || rest.starts_with(['\t', ',', ':']);
    let fits = name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '*');
    (listed && fits && indent <= 8).then(|| name.trim_end_matches('*').to_owned())
}

fn overstruck(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        if c == '\u{8}' {
            out.pop();
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Takes;

    #[test]
    fn options_and_commands_are_read() {
        let help = read(
            "Usage: frob [-abC] [OPTIONS] COMMAND\n\nOptions:\n  -v, --verbose      say more, see --quiet\n      --host list    where\n  -n, --number=N\n\nManagement Commands:\n  build*      Make it\n  run-all     Do it\n\nRun 'frob COMMAND --help' for more\n",
        );
        assert_eq!(help.subcommands, ["build", "run-all"]);
        assert_eq!(help.flags.short.get(&'v'), Some(&Takes::Nothing));
        assert_eq!(help.flags.short.get(&'n'), Some(&Takes::Required));
        assert_eq!(help.flags.long.get("verbose"), Some(&Takes::Nothing));
        assert!(help.flags.long.contains_key("host"));
        assert!(!help.flags.long.contains_key("quiet"));
        assert!(help.flags.mentioned.contains("quiet"));
        assert!(help.flags.short.contains_key(&'a'));
    }
}
