//! What is known of a tool's flags, and from where. Nothing is executed to find out.
//!
//! A flag has to be missing from the union of all sources before it is doubted.

pub(crate) mod builtin;
mod completion;
mod elf;
mod family;
#[cfg(any(test, all(feature = "exec", target_os = "linux")))]
mod help;
mod manual;
mod mdoc;
mod roff;
mod roff_text;

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::disk::{self, Stamp};
use crate::flags::Flags;
use crate::machine::Machine;
use crate::verdict::{Kind, Level};
use family::Subcommands;

/// Sections of the manual that describe programs.
const SECTIONS: [&str; 6] = ["1", "8", "6", "1ssl", "1x", "1m"];

/// How deep subcommands are followed.
const MAX_LEVELS: usize = 3;

/// What is known of a tool, or of one of its subcommands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    pub(crate) flags: Flags,
    pub(crate) next: NextLevel,
    /// The files that all this rests on, as they were.
    pub(crate) stamps: Vec<(PathBuf, Option<Stamp>)>,
}

/// What the first operand is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum NextLevel {
    /// An operand, or the name of a subcommand that has no flags of its own.
    #[default]
    Operand,
    /// A subcommand whose flags are on its own page, if it has one.
    Subcommand,
}

/// A tool that evidence is wanted for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool<'a> {
    pub(crate) name: &'a str,
    pub(crate) program: &'a Path,
    pub(crate) subcommands: &'a [String],
}

/// Returns what is known of `tool`.
pub(crate) fn of(machine: &Machine, tool: Tool<'_>) -> Rc<Evidence> {
    let slot = tool.slot();
    if let Some(known) = machine.known.borrow().get(&slot) {
        return Rc::clone(known);
    }
    let kept = machine.cache.get(&slot).filter(is_fresh);
    let mut evidence = kept.unwrap_or_else(|| {
        let fresh = gather(machine, tool);
        machine.cache.put(&slot, &fresh);
        fresh
    });
    if let Some(asked) = asked(machine, &slot) {
        evidence.add(&asked);
    }
    // A subcommand takes its own flags and those before it.
    if let Some((_, before)) = tool.subcommands.split_last() {
        let before = of(
            machine,
            Tool {
                subcommands: before,
                ..tool
            },
        );
        evidence.flags.add(&before.flags);
    }
    let evidence = Rc::new(evidence);
    machine
        .known
        .borrow_mut()
        .insert(slot, Rc::clone(&evidence));
    evidence
}

/// Tells whether `tool` is known to take subcommands that have pages of their own.
pub(crate) fn has_subcommands(tool: &str) -> bool {
    family::of(tool).is_some_and(|family| family.subcommands == Subcommands::Pages)
}

/// Returns what a tool said when it was asked, once and with the user's leave.
fn asked(machine: &Machine, slot: &[u8]) -> Option<Evidence> {
    let slot = asked_slot(slot);
    let held = machine.asked.borrow().get(&slot).cloned();
    held.or_else(|| machine.cache.get(&slot)).filter(is_fresh)
}

fn asked_slot(slot: &[u8]) -> Vec<u8> {
    [b"help\0", slot].concat()
}

/// Takes note of the help that `tool` printed. Returns the subcommands that it lists.
#[cfg(all(feature = "exec", target_os = "linux"))]
pub(crate) fn note(machine: &Machine, tool: Tool<'_>, text: &str) -> Vec<String> {
    let help = help::read(text);
    let mut said = Evidence::default();
    said.flags.add_from(&help.flags, Kind::Help, tool.program);
    if help.subcommands.len() > 1 {
        said.next = NextLevel::Subcommand;
    }
    said.stamps = vec![(tool.program.to_owned(), disk::stamp(tool.program))];
    let slot = tool.slot();
    machine.cache.put(&asked_slot(&slot), &said);
    machine.asked.borrow_mut().insert(asked_slot(&slot), said);
    machine.known.borrow_mut().remove(&slot);
    help.subcommands
}

impl Tool<'_> {
    fn slot(&self) -> Vec<u8> {
        let mut slot = self.name.as_bytes().to_vec();
        slot.push(0);
        slot.extend(self.program.as_os_str().as_bytes());
        for sub in self.subcommands {
            slot.push(0);
            slot.extend(sub.as_bytes());
        }
        slot
    }
}

impl Evidence {
    /// Adds what the tool said itself.
    fn add(&mut self, said: &Self) {
        if said.flags.is_empty() {
            return;
        }
        if self.flags.level == Some(Level::None) {
            self.flags.level = None;
        }
        self.flags.add(&said.flags);
        if said.next == NextLevel::Subcommand {
            self.next = NextLevel::Subcommand;
        }
    }
}

fn is_fresh(evidence: &Evidence) -> bool {
    evidence
        .stamps
        .iter()
        .all(|(path, stamp)| disk::stamp(path) == *stamp)
}

fn gather(machine: &Machine, tool: Tool<'_>) -> Evidence {
    let mut gathering = Gathering {
        machine,
        out: Evidence::default(),
    };
    if tool.subcommands.is_empty() {
        gathering.tool(tool);
    } else {
        gathering.subcommand(tool);
    }
    let flags = &mut gathering.out.flags;
    flags
        .mentioned
        .retain(|name| !flags.long.contains_key(name));
    gathering.out
}

#[derive(Debug)]
struct Gathering<'a> {
    machine: &'a Machine,
    out: Evidence,
}

impl Gathering<'_> {
    fn tool(&mut self, tool: Tool<'_>) {
        self.stamp(tool.program);
        for root in self.machine.manual_roots() {
            for folder in ["man1", "man8"] {
                let folder = root.join(folder);
                if disk::stamp(&folder).is_some() {
                    self.stamp(&folder);
                }
            }
        }
        let real = disk::real(tool.program).unwrap_or_else(|| tool.program.to_owned());
        let mut pages = vec![tool.name.to_owned()];
        pages.extend(
            real.file_name()
                .and_then(|name| name.to_str())
                .map(str::to_owned),
        );
        pages.extend(completion::stem(&real));
        pages.extend(completion::stem(Path::new(tool.name)));
        pages.retain(|page| page.len() > 1);
        let mut manual = Flags::default();
        for page in &pages {
            if let Some(flags) = self.manual(page, tool.program) {
                manual = flags;
                break;
            }
        }
        self.out.flags.add(&manual);
        self.program(&real, &manual);
        for (kind, path) in self.machine.completions(tool.name) {
            if let Some(text) = disk::read(&path) {
                self.stamp(&path);
                let text = String::from_utf8_lossy(&text);
                let flags = completion::flags(kind, &text, tool.name);
                self.out.flags.add_from(&flags, Kind::Completion, &path);
            }
        }
        let family = family::of(tool.name).unwrap_or_default();
        for name in &family.like {
            if let Some(program) = self.machine.find(name.as_bytes()) {
                let other = Tool {
                    name,
                    program: &program,
                    subcommands: &[],
                };
                let other = of(self.machine, other);
                self.out.flags.add(&other.flags);
                for (path, stamp) in &other.stamps {
                    self.out.stamps.push((path.clone(), *stamp));
                }
            }
        }
        self.out.flags.operands = family.flags.operands;
        self.out
            .flags
            .add_from(&family.flags, Kind::BuiltIn, Path::new(""));
        self.out.next = match family.subcommands {
            Subcommands::Pages => NextLevel::Subcommand,
            Subcommands::OnePage => NextLevel::Operand,
            Subcommands::Unsaid if self.has_pages(tool.name) => NextLevel::Subcommand,
            Subcommands::Unsaid => NextLevel::Operand,
        };
    }

    /// Tells whether there are pages `name-…` of things that are no programs themselves.
    fn has_pages(&self, name: &str) -> bool {
        let start = format!("{name}-");
        let count = self
            .machine
            .pages()
            .range(start.clone()..)
            .take_while(|page| page.starts_with(&start))
            .filter(|page| self.machine.find(page.as_bytes()).is_none())
            .take(3)
            .count();
        count >= 2
    }

    fn subcommand(&mut self, tool: Tool<'_>) {
        let page = format!("{}-{}", tool.name, tool.subcommands.join("-"));
        if let Some(flags) = self.manual(&page, tool.program) {
            self.out.flags.add(&flags);
            if tool.subcommands.len() < MAX_LEVELS && self.has_pages(&page) {
                self.out.next = NextLevel::Subcommand;
            }
        } else {
            self.out.flags.level = Some(Level::None);
        }
    }

    /// Returns the flags on the page `name`.
    fn manual(&mut self, name: &str, program: &Path) -> Option<Flags> {
        let mut path = self
            .machine
            .manual(name, &SECTIONS)
            .or_else(|| toolchain_page(name, program))?;
        for _ in 0..3 {
            let source = if path.extension().is_some_and(|end| end == "gz") {
                disk::unpack(&path)?
            } else {
                disk::read(&path)?
            };
            self.stamp(&path);
            let page = roff::read(&source);
            let Some(other) = page.stands_for.as_ref().filter(|_| page.lines.len() < 5) else {
                let flags = manual::flags(&page);
                let mut out = Flags::default();
                out.add_from(&flags, Kind::Manual, &path);
                return Some(out);
            };
            path = self.other_page(other)?;
        }
        None
    }

    /// Returns the page that `.so man1/other.1` names.
    fn other_page(&self, other: &str) -> Option<PathBuf> {
        self.machine.manual_roots().iter().find_map(|root| {
            [".gz", ""]
                .iter()
                .map(|suffix| root.join(format!("{other}{suffix}")))
                .find(|path| !other.contains("..") && disk::is_file(path))
        })
    }

    /// Looks into the program itself: tables of one that is compiled, the text of a script.
    fn program(&mut self, real: &Path, manual: &Flags) {
        let Some(bytes) = disk::read(real) else {
            return;
        };
        if completion::is_script(&bytes) {
            let flags = completion::script(&String::from_utf8_lossy(&bytes));
            self.out.flags.add_from(&flags, Kind::Script, real);
            return;
        }
        let Some(tables) = elf::read(&bytes) else {
            return;
        };
        let mut flags = tables.flags.clone();
        let letters = tables.short(manual);
        if let Some(letters) = letters {
            flags.short = letters;
        }
        // Of what the program itself says there is no doubt.
        self.out.flags.long.extend(flags.long.clone());
        self.out.flags.short.extend(flags.short.clone());
        self.out.flags.add_from(&flags, Kind::Program, real);
        let shared = manual
            .long
            .keys()
            .filter(|name| flags.long.contains_key(*name))
            .count();
        let agree = manual.long.len() >= 2 && shared >= 2 && shared * 10 >= manual.long.len() * 6;
        let letters = !flags.short.is_empty() || manual.short.is_empty();
        if agree && letters {
            self.out.flags.level = Some(Level::Closed);
        }
    }

    fn stamp(&mut self, path: &Path) {
        if !self.out.stamps.iter().any(|(known, _)| known == path) {
            self.out.stamps.push((path.to_owned(), disk::stamp(path)));
        }
    }
}

/// Returns the page `name` of the toolchain that a shim of rustup's leads to.
fn toolchain_page(name: &str, program: &Path) -> Option<PathBuf> {
    let real = disk::real(program)?;
    if real.file_name()? != "rustup" {
        return None;
    }
    let home = real.parent()?.parent()?.parent()?;
    let toolchains = home.join(".rustup/toolchains");
    disk::names(&toolchains)
        .into_iter()
        .map(|toolchain| {
            toolchains
                .join(toolchain)
                .join(format!("share/man/man1/{name}.1"))
        })
        .find(|page| disk::is_file(page))
}
