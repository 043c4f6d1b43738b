//! One simple command: its program, what it wraps, its subcommands and flags.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice as _};

use super::{Checker, Place};
use crate::evidence::builtin;
use crate::evidence::{self, NextLevel, Tool};
use crate::flags::{Flags, Operands};
use crate::judge::{self, Walk};
use crate::span::Span;
use crate::syntax::{Failure, Quoting, Setting, Simple, Word};
use crate::verdict::{Checked, Level};
use crate::wrapper::{self, Wrapped};

/// What the commands so far have changed for those that follow.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    /// Functions and aliases of the text.
    pub(super) functions: BTreeSet<BString>,
    /// Names that the text itself asks after.
    asked: BTreeSet<BString>,
    /// Why a program may exist that does not now.
    fog: Option<&'static str>,
    /// The last parts of paths that were named, where a command may have put a program.
    places: BTreeSet<BString>,
}

/// Programs that install others, with a word such as `install`.
const INSTALLERS: [&str; 38] = [
    "apt", "apt-get", "aptitude", "dnf", "yum", "pacman", "apk", "zypper", "brew", "snap",
    "flatpak", "pip", "pip3", "pipx", "uv", "npm", "yarn", "pnpm", "cargo", "go", "gem", "conda",
    "mamba", "make", "ninja", "cmake", "nix", "rustup", "dpkg", "rpm", "composer", "stack",
    "cabal", "luarocks", "opam", "corepack", "bun", "python3",
];

/// One command as its words stand, wrapped or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    pub(super) words: &'a [Word],
    pub(super) span: Span,
    failure: Failure,
}

impl Checker<'_> {
    pub(super) fn simple(&mut self, command: &Simple) {
        if command.setting == Setting::Text {
            self.abstain(command.span, "it is probably meant as text");
            return;
        }
        let changes_path = command.assigns.iter().any(|name| name == "PATH");
        let fog = self.scene.fog;
        if changes_path {
            self.scene.fog = Some("PATH is changed");
        }
        if !command.words.is_empty() {
            self.words(Words {
                words: &command.words,
                span: command.span,
                failure: command.failure,
            });
            if changes_path && self.scene.fog == Some("PATH is changed") {
                // It holds for this command alone.
                self.scene.fog = fog;
            }
        }
    }

    /// Judges one command.
    fn words(&mut self, command: Words<'_>) {
        let Some(first) = command.words.first() else {
            return;
        };
        let Some(name) = first.literal().map(<[u8]>::to_vec) else {
            self.abstain(first.span, "the command's name is not known before it runs");
            return;
        };
        if self.depth >= super::MAX_DEPTH {
            self.abstain(command.span, "commands are wrapped too deep");
            return;
        }
        self.depth += 1;
        if self.scene.functions.contains(name.as_slice()) {
            self.checked(command.span, None, &[], Level::None);
            self.abstain(
                command.span,
                "its flags are those of a function in the text",
            );
        } else if name.contains(&b'/') {
            self.path(command, &name);
        } else if builtin::is_builtin(&name) {
            self.builtin(command, &name);
        } else {
            match self.machine.find(&name) {
                Some(program) => self.program(command, &name, &program),
                None => self.missing(command, &name),
            }
        }
        self.remember(command, &name);
        self.depth -= 1;
    }

    fn checked(&mut self, span: Span, tool: Option<&Path>, subcommand: &[String], evidence: Level) {
        self.report.commands.push(Checked {
            span: self.place.of(span),
            tool: tool.map(Path::to_owned),
            subcommand: subcommand.iter().map(|sub| sub.as_str().into()).collect(),
            evidence,
        });
    }

    fn path(&mut self, command: Words<'_>, name: &[u8]) {
        let path = PathBuf::from(OsStr::from_bytes(name));
        let base = path
            .file_name()
            .map(|name| name.as_bytes().to_vec())
            .unwrap_or_default();
        if path.is_absolute() && crate::disk::is_program(&path) {
            // Only what the machine would run by name anyway is described by its pages.
            if self
                .machine
                .find(&base)
                .as_ref()
                .and_then(|found| crate::disk::real(found))
                == crate::disk::real(&path)
            {
                self.program(command, &base, &path);
            } else {
                self.checked(command.span, Some(&path), &[], Level::None);
                self.abstain(
                    command.span,
                    "its flags are not known: the program is none of the path's",
                );
            }
            return;
        }
        self.abstain(
            command.span,
            "a program that a path names may depend on the folder or on commands before",
        );
    }

    fn missing(&mut self, command: Words<'_>, name: &[u8]) {
        let why = if self.scene.asked.contains(name) {
            Some("the text itself asks whether there is such a program")
        } else if self.scene.places.contains(name) {
            Some("a command before may have made it")
        } else if self.machine.is_relative() {
            Some("the path names folders that depend on where it is run")
        } else {
            self.scene.fog
        };
        match why {
            Some(why) => self.abstain(
                command.span,
                &format!("no such program is there now, but {why}"),
            ),
            None => self.unknown_command(command, name),
        }
    }

    /// What the shell does itself.
    fn builtin(&mut self, command: Words<'_>, name: &[u8]) {
        let flags = builtin::flags(name);
        let level = if flags.is_some() {
            Level::Closed
        } else {
            Level::None
        };
        self.checked(command.span, None, &[], level);
        let text = name.to_str_lossy().into_owned();
        if let Some(inner) = wrapper::unwrap(&text, command.words)
            && let Wrapped::Command(at) = inner.wrapped
        {
            self.inner(command, at);
            return;
        }
        if let Some(flags) = flags {
            let walk = judge::walk(command.words, 1, &flags, Operands::After);
            self.suspects(command, &[], &flags, &walk);
        }
    }

    fn inner(&mut self, command: Words<'_>, at: usize) {
        let Some(words) = command.words.get(at..) else {
            return;
        };
        let start = words
            .first()
            .map_or(command.span.end, |word| word.span.start);
        self.words(Words {
            words,
            span: Span::new(start, command.span.end.max(start)),
            failure: command.failure,
        });
    }

    fn program(&mut self, command: Words<'_>, name: &[u8], program: &Path) {
        let name = name.to_str_lossy().into_owned();
        if let Some(at) = wrapper::script(&name, command.words) {
            let own = command.words.get(..at).unwrap_or(command.words);
            self.flags(
                Words {
                    words: own,
                    ..command
                },
                &name,
                program,
                None,
            );
            self.quoted_script(command, at);
            return;
        }
        if name == "find" {
            self.find_command(command, program);
            return;
        }
        let Some(inner) = wrapper::unwrap(&name, command.words) else {
            self.flags(command, &name, program, None);
            return;
        };
        let own = command.words.get(..inner.own).unwrap_or(command.words);
        self.flags(
            Words {
                words: own,
                ..command
            },
            &name,
            program,
            Some(&inner.flags),
        );
        let fog = self.scene.fog;
        if inner.assigns.iter().any(|name| name == b"PATH") {
            self.scene.fog = Some("PATH is changed");
        }
        match inner.wrapped {
            Wrapped::Command(at) => self.inner(command, at),
            Wrapped::Script(at) => self.quoted_script(command, at),
            Wrapped::Elsewhere => self.abstain(command.span, "what it runs is run elsewhere"),
            Wrapped::Nothing => {}
        }
        self.scene.fog = fog.or(self.scene.fog.filter(|why| *why != "PATH is changed"));
    }

    /// A word that another shell reads.
    fn quoted_script(&mut self, command: Words<'_>, at: usize) {
        let Some(word) = command.words.get(at) else {
            return;
        };
        let Some(text) = word.literal() else {
            self.abstain(
                word.span,
                "the text that a shell is to read is not known before it runs",
            );
            return;
        };
        let place = match (self.place, word.quoting) {
            (Place::At(start), Quoting::Single) => Place::At(start + word.span.start + 1),
            (Place::At(start), Quoting::Bare) if word.span.end - word.span.start == text.len() => {
                Place::At(start + word.span.start)
            }
            _ => Place::Within(self.place.of(word.span)),
        };
        let outer = std::mem::replace(&mut self.place, place);
        self.script(text);
        self.place = outer;
    }

    fn find_command(&mut self, command: Words<'_>, program: &Path) {
        let ranges = wrapper::executed(command.words);
        let own: Vec<Word> = command
            .words
            .iter()
            .enumerate()
            .filter(|(at, _)| !ranges.iter().any(|range| range.contains(at)))
            .map(|(_, word)| word.clone())
            .collect();
        self.flags(
            Words {
                words: &own,
                ..command
            },
            "find",
            program,
            None,
        );
        for range in ranges {
            if let Some(words) = command.words.get(range)
                && let (Some(first), Some(last)) = (words.first(), words.last())
            {
                let span = Span::new(first.span.start, last.span.end);
                self.words(Words {
                    words,
                    span,
                    failure: command.failure,
                });
            }
        }
    }

    /// Holds a program's flags against what is known of them, from subcommand to subcommand.
    fn flags(&mut self, command: Words<'_>, name: &str, program: &Path, own: Option<&Flags>) {
        let mut subcommands: Vec<String> = Vec::new();
        let mut at = 1;
        loop {
            let evidence = evidence::of(
                self.machine,
                Tool {
                    name,
                    program,
                    subcommands: &subcommands,
                },
            );
            if !subcommands.is_empty() && evidence.flags.level == Some(Level::None) {
                self.checked(command.span, Some(program), &subcommands, Level::None);
                self.misspelt_subcommand(command, name, &subcommands, at - 1);
                if command
                    .words
                    .iter()
                    .skip(at)
                    .any(|word| word.lead.starts_with(b"-"))
                {
                    self.abstain(
                        command.span,
                        "too little is known of the subcommand's flags",
                    );
                }
                return;
            }
            let with_own = own.map(|own| {
                let mut flags = evidence.flags.clone();
                flags.long.extend(own.long.clone());
                flags.short.extend(own.short.clone());
                flags
            });
            let known = with_own.as_ref().unwrap_or(&evidence.flags);
            let stop = match evidence.next {
                NextLevel::Subcommand => Operands::After,
                NextLevel::Operand => Operands::Among,
            };
            let walk = judge::walk(command.words, at, known, stop);
            self.suspects(command, &subcommands, known, &walk);
            let next = (evidence.next == NextLevel::Subcommand)
                .then_some(walk.operand)
                .flatten();
            let operand = next.and_then(|next| command.words.get(next));
            match operand.map(|word| (word.literal(), word.span)) {
                Some((Some(sub), _))
                    if sub.iter().all(|byte| {
                        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
                    }) =>
                {
                    subcommands.push(sub.to_str_lossy().into_owned());
                    at = next.unwrap_or(at) + 1;
                }
                Some((None, span)) => {
                    self.checked(command.span, Some(program), &subcommands, known.level());
                    self.abstain(span, "the subcommand is not known before it runs");
                    return;
                }
                _ => {
                    self.checked(command.span, Some(program), &subcommands, known.level());
                    self.unjudged(command, known, &walk);
                    return;
                }
            }
        }
    }

    /// Says what of a command's words was not checked.
    fn unjudged(&mut self, command: Words<'_>, flags: &Flags, walk: &Walk) {
        let dashed = command.words.iter().skip(1).any(|word| {
            word.lead.len() > 1
                && word.lead.starts_with(b"-")
                && !matches!(word.literal(), Some(b"--help" | b"--version"))
        });
        if flags.level() == Level::None && dashed {
            self.abstain(command.span, "too little is known of the tool's flags");
        }
        for span in &walk.open {
            self.abstain(*span, "the word is not known before it runs");
        }
    }

    pub(super) fn is_caught(command: Words<'_>) -> bool {
        command.failure == Failure::Caught
    }

    /// Notes what a command changes for those after it.
    fn remember(&mut self, command: Words<'_>, name: &[u8]) {
        let literals = || command.words.iter().skip(1).filter_map(Word::literal);
        for word in literals() {
            if let Some((_, last)) = word.rsplit_once_str("/") {
                self.scene.places.insert(last.into());
            }
        }
        match name {
            b"command" | b"type" | b"which" | b"hash" | b"whereis" => {
                self.scene.asked.extend(literals().map(BString::from));
            }
            b"source" | b"." | b"eval" => {
                self.scene.fog = Some("a command before may have defined it");
            }
            b"alias" => {
                for word in literals() {
                    let end = word.find_byte(b'=').unwrap_or(word.len());
                    self.scene
                        .functions
                        .extend(word.get(..end).map(BString::from));
                }
            }
            b"export" | b"declare" | b"typeset" | b"readonly" | b"local"
                if command
                    .words
                    .iter()
                    .any(|word| word.lead.starts_with(b"PATH=")) =>
            {
                self.scene.fog = Some("the path is changed before");
            }
            b"enable" | b"shopt" => self.scene.fog = Some("a command before changes the shell"),
            _ => {
                let installs = name.to_str().is_ok_and(|name| INSTALLERS.contains(&name))
                    && literals().any(|word| {
                        matches!(
                            word,
                            b"i" | b"add"
                                | b"link"
                                | b"get"
                                | b"-S"
                                | b"-Sy"
                                | b"-Syu"
                                | b"-i"
                                | b"-U"
                                | b"ci"
                                | b"sync"
                        ) || word.contains_str("install")
                            || word.contains_str("update")
                    });
                if installs {
                    self.scene.fog = Some("a command before may have installed it");
                }
            }
        }
    }
}
