//! Findings in words, with what may have been meant.

use bstr::{BString, ByteSlice as _};

use super::Checker;
use super::command::Words;
use crate::evidence::{self, Tool};
use crate::flags::Flags;
use crate::judge::{Dash, Suspect, Walk, What};
use crate::suggest;
use crate::syntax::{Place, Script, Simple};
use crate::verdict::{Code, Finding, Level, Tier};

/// Flags whose value is prose that people write.
const PROSE: [&[u8]; 9] = [
    b"-m",
    b"--message",
    b"--body",
    b"--title",
    b"--notes",
    b"--description",
    b"-am",
    b"--subject",
    b"--comment",
];

/// Subcommands whose flags are looked through for one that another lacks, of the tools that have
/// too many to look through all.
const COMMON: [&str; 24] = [
    "commit", "log", "diff", "push", "pull", "checkout", "switch", "rebase", "merge", "branch",
    "add", "stash", "reset", "clone", "fetch", "show", "status", "tag", "build", "run", "install",
    "get", "list", "update",
];

impl Checker<'_> {
    /// Warns of commands in backquotes where text is more likely meant.
    pub(super) fn texts(&mut self, script: &Script) {
        for text in &script.in_text {
            let place = match text.place {
                Place::HereDocument => "a here-document whose delimiter is not quoted",
                Place::DoubleQuotes if in_prose(script, text.span) => {
                    "a message between double quotes"
                }
                Place::DoubleQuotes => continue,
            };
            self.find(Finding {
                code: Code::SubstitutionInText,
                tier: Tier::Open,
                span: self.place.of(text.span),
                token: "`".into(),
                message: format!("the shell runs what stands between these backquotes, in {place}")
                    .into(),
                suggestions: vec![match text.place {
                    Place::HereDocument => "quote the delimiter".into(),
                    Place::DoubleQuotes => "use single quotes".into(),
                }],
                evidence: Vec::new(),
            });
        }
    }

    pub(super) fn unknown_command(&mut self, command: Words<'_>, name: &[u8]) {
        let Some(first) = command.words.first() else {
            return;
        };
        let programs = self.machine.programs();
        let near = suggest::nearest(name, programs.iter().map(Vec::as_slice));
        let mut message = b"no program, builtin or function is named `".to_vec();
        message.extend(shown(name).iter());
        message.push(b'`');
        // Who writes `a || b` counts on the failure of `a`.
        let tier = if Self::is_caught(command) {
            Tier::Open
        } else {
            Tier::Exact
        };
        self.find(Finding {
            code: Code::UnknownCommand,
            tier,
            span: self.place.of(first.span),
            token: shown(name),
            message: message.into(),
            suggestions: near.into_iter().map(BString::from).collect(),
            evidence: Vec::new(),
        });
    }

    /// Turns suspects into findings where enough is known to doubt them.
    pub(super) fn suspects(
        &mut self,
        command: Words<'_>,
        subcommands: &[String],
        flags: &Flags,
        walk: &Walk,
    ) {
        self.rest_of_group(command, flags);
        for suspect in &walk.suspects {
            if !flags.may_doubt(suspect.dash) {
                self.abstain(
                    suspect.span,
                    "too little is known of flags written like this",
                );
                continue;
            }
            let tool = command
                .words
                .first()
                .and_then(|word| word.literal())
                .unwrap_or_default();
            let title = title(tool, subcommands);
            let dashes = if suspect.dash == Dash::Long {
                "--"
            } else {
                "-"
            };
            let token = format!("{dashes}{}", suspect.name);
            let mut code = Code::UnknownFlag;
            let mut message = format!("`{title}` has no flag `{token}`");
            let mut suggestions = near(suspect, flags);
            match &suspect.what {
                What::Ambiguous(several) => {
                    // One flag may have several spellings, so only a whole set tells.
                    if flags.level() != Level::Closed {
                        continue;
                    }
                    code = Code::AmbiguousAbbreviation;
                    let names: Vec<String> = several
                        .iter()
                        .take(4)
                        .map(|name| format!("--{name}"))
                        .collect();
                    message = format!("`{token}` is the beginning of {}", names.join(", "));
                    suggestions = names.into_iter().map(BString::from).collect();
                }
                What::Unknown => {
                    if let Some(other) = self.other_subcommand(tool, subcommands, suspect) {
                        code = Code::FlagOfOtherSubcommand;
                        message = format!("{message}; it is a flag of `{other}`");
                    }
                }
            }
            self.find(Finding {
                code,
                tier: if flags.level() == Level::Closed {
                    Tier::Closed
                } else {
                    Tier::Open
                },
                span: self.place.of(suspect.span),
                token: token.into(),
                message: message.into(),
                suggestions,
                evidence: flags.sources.clone(),
            });
        }
    }

    /// Warns of a subcommand that has no page, and a name that is nearly that of one with a page.
    ///
    /// Nothing else tells a misspelling from an alias or a plug-in, which short names often are.
    pub(super) fn misspelt_subcommand(
        &mut self,
        command: Words<'_>,
        tool: &str,
        subcommands: &[String],
        at: usize,
    ) {
        let ([wanted], Some(word)) = (subcommands, command.words.get(at)) else {
            return;
        };
        let start = format!("{tool}-");
        let program = format!("{start}{wanted}");
        // Other tools than those that are known to have them may abbreviate, as `ip` does.
        if !evidence::has_subcommands(tool)
            || wanted.len() < 4
            || self.machine.find(program.as_bytes()).is_some()
        {
            return;
        }
        let pages = self.machine.pages();
        let names = pages
            .range(start.clone()..)
            .take_while(|page| page.starts_with(&start))
            .filter_map(|page| page.strip_prefix(&start))
            .map(str::as_bytes);
        let near = suggest::nearest(wanted.as_bytes(), names);
        if near.is_empty() {
            return;
        }
        let span = self.place.of(word.span);
        self.find(Finding {
            code: Code::UnknownSubcommand,
            tier: Tier::Open,
            span,
            token: wanted.as_str().into(),
            message: format!("`{tool}` has no page on a subcommand `{wanted}`").into(),
            suggestions: near.into_iter().map(BString::from).collect(),
            evidence: Vec::new(),
        });
    }

    /// Finds a subcommand of the same tool that has the flag.
    fn other_subcommand(
        &self,
        tool: &[u8],
        subcommands: &[String],
        suspect: &Suspect,
    ) -> Option<String> {
        let [_] = subcommands else { return None };
        if suspect.dash != Dash::Long {
            return None;
        }
        let name = tool.to_str().ok()?;
        let program = self.machine.find(tool)?;
        COMMON.iter().find_map(|other| {
            let path = [(*other).to_owned()];
            if subcommands == path {
                return None;
            }
            let evidence = evidence::of(
                self.machine,
                Tool {
                    name,
                    program: &program,
                    subcommands: &path,
                },
            );
            evidence
                .flags
                .long
                .contains_key(&suspect.name)
                .then(|| format!("{name} {other}"))
        })
    }

    /// Warns of `tar -xfz`: the archive would be called `z`.
    fn rest_of_group(&mut self, command: Words<'_>, flags: &Flags) {
        if command.words.first().and_then(|word| word.literal()) != Some(b"tar") {
            return;
        }
        let Some(word) = command.words.get(1) else {
            return;
        };
        let Some(group) = word
            .literal()
            .and_then(|text| text.strip_prefix(b"-"))
            .filter(|text| !text.starts_with(b"-"))
        else {
            return;
        };
        let Some(at) = group.find_byte(b'f') else {
            return;
        };
        let rest = group.get(at + 1..).unwrap_or_default();
        let are_flags = rest.iter().all(|byte| b"xctzjJvpkaZ".contains(byte));
        if rest.is_empty() || !are_flags || !flags.short.contains_key(&'f') {
            return;
        }
        let mut fixed = b"-".to_vec();
        fixed.extend(group.iter().filter(|byte| **byte != b'f'));
        fixed.push(b'f');
        self.find(Finding {
            code: Code::OptionTakesRest,
            tier: Tier::Open,
            span: self.place.of(word.span),
            token: word.lead.clone(),
            message: format!(
                "`-f` takes the rest of its group, so the archive is `{}`",
                rest.as_bstr()
            )
            .into(),
            suggestions: vec![fixed.into()],
            evidence: flags.sources.clone(),
        });
    }
}

fn title(tool: &[u8], subcommands: &[String]) -> String {
    let mut title = shown(tool).to_string();
    for sub in subcommands {
        title.push(' ');
        title.push_str(sub);
    }
    title
}

/// Returns `name` as messages have it: control bytes escaped, and no longer than a line.
fn shown(name: &[u8]) -> BString {
    let short: Vec<u8> = name.iter().copied().take(80).collect();
    short
        .to_str_lossy()
        .escape_debug()
        .to_string()
        .replace("\\'", "'")
        .replace("\\\"", "\"")
        .into()
}

fn near(suspect: &Suspect, flags: &Flags) -> Vec<BString> {
    let wanted = suspect.name.as_bytes();
    let dashed = |dashes: &str, name: Vec<u8>| {
        let mut out = dashes.as_bytes().to_vec();
        out.extend(name);
        BString::from(out)
    };
    if suspect.dash == Dash::Short {
        let other = suspect.name.chars().next().map(|letter| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        });
        return other
            .filter(|letter| flags.short.contains_key(letter))
            .map(|letter| format!("-{letter}").into())
            .into_iter()
            .collect();
    }
    let mut out: Vec<BString> = suggest::nearest(wanted, flags.long.keys().map(String::as_bytes))
        .into_iter()
        .map(|name| dashed("--", name))
        .collect();
    out.extend(
        suggest::nearest(wanted, flags.single.keys().map(String::as_bytes))
            .into_iter()
            .map(|name| dashed("-", name)),
    );
    out.truncate(3);
    out
}

/// Tells whether `span` lies in the value of a flag that takes prose, with other text around it.
fn in_prose(script: &Script, span: crate::span::Span) -> bool {
    let holds =
        |command: &&Simple| command.span.start <= span.start && span.end <= command.span.end;
    let Some(command) = script
        .commands
        .iter()
        .filter(holds)
        .min_by_key(|command| command.span.end - command.span.start)
    else {
        return false;
    };
    command.words.windows(2).any(|pair| {
        let [flag, word] = pair else { return false };
        let lead_has_text = word.lead.iter().any(u8::is_ascii_alphabetic);
        word.span.start < span.start
            && span.end < word.span.end
            && flag.literal().is_some_and(|text| PROSE.contains(&text))
            && lead_has_text
    })
}
