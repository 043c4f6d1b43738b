//! Mistakes put into commands that are right.

use super::{Command, hash};

/// The kind of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A program's name that there is not.
    Binary,
    /// Something that does not parse.
    Syntax,
    /// A quote or bracket left out.
    Unbalanced,
    /// A long flag that the tool does not have.
    Long,
    /// A letter that the tool does not have.
    Short,
    /// A letter that the tool does not have, behind one that it has.
    Cluster,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Binary,
        Self::Syntax,
        Self::Unbalanced,
        Self::Long,
        Self::Short,
        Self::Cluster,
    ];

    /// Returns the kind's name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Syntax => "syntax",
            Self::Unbalanced => "unbalanced",
            Self::Long => "long",
            Self::Short => "short",
            Self::Cluster => "cluster",
        }
    }
}

/// A command with one mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The text.
    pub text: String,
    /// What was put in: a name, a flag; nothing for syntax.
    pub token: String,
}

/// How often is tried to make a mutant that the oracle confirms.
const TRIES: usize = 8;

/// Returns what may be a mutant of `command`, in the order in which to ask the oracle. `pool` holds
/// long flags of all tools, each with its tool.
#[must_use]
pub fn mutants(command: &Command, kind: Kind, pool: &[(String, String)]) -> Vec<Mutant> {
    (0..TRIES)
        .filter_map(|attempt| {
            let mut draw = Draw::new(kind, &command.text, attempt);
            match kind {
                Kind::Binary => Some(binary(command, &mut draw)),
                Kind::Syntax => Some(syntax(command, &mut draw)),
                Kind::Unbalanced => unbalanced(command, &mut draw),
                Kind::Long => long(command, pool, &mut draw),
                Kind::Short => Some(short(command, &mut draw)),
                Kind::Cluster => cluster(command, &mut draw),
            }
        })
        .filter(|mutant| mutant.text != command.text)
        .collect()
}

/// Numbers that follow from what they are drawn for.
#[derive(Debug)]
struct Draw {
    name: String,
    count: usize,
}

impl Draw {
    fn new(kind: Kind, text: &str, attempt: usize) -> Self {
        Self {
            name: format!("mut{}{text}\0{attempt}", kind.name()),
            count: 0,
        }
    }

    fn below(&mut self, most: usize) -> usize {
        self.count += 1;
        let number = hash(&format!("{}\0{}", self.name, self.count));
        usize::try_from(number % most.max(1) as u64).unwrap_or(0)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let at = self.below(from.len());
        from.get(at)
    }

    fn letter(&mut self) -> char {
        let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
        self.pick(&letters).copied().unwrap_or('q')
    }
}

/// Changes a word by a letter: put in, left out, or swapped with the next.
fn misspell(word: &str, draw: &mut Draw) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = draw.below(letters.len());
    match draw.below(3) {
        0 => letters.insert(at, draw.letter().to_ascii_lowercase()),
        1 if letters.len() > 2 => {
            letters.remove(at);
        }
        _ if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => letters.push('x'),
    }
    letters.into_iter().collect()
}

fn binary(command: &Command, draw: &mut Draw) -> Mutant {
    let name = if draw.below(2) == 0 {
        let suffixes = ["x", "ctl", "2", "-ng", "er", "_cli"];
        let suffix = draw.pick(&suffixes).copied().unwrap_or("x");
        format!("{}{suffix}", command.tool)
    } else {
        misspell(&command.tool, draw)
    };
    let (before, after) = command.text.split_at(command.tool_at);
    let after = after.get(command.tool.len()..).unwrap_or("");
    Mutant {
        text: format!("{before}{name}{after}"),
        token: name,
    }
}

fn syntax(command: &Command, draw: &mut Draw) -> Mutant {
    let ends = [
        " '", " \"", " |", " &&", " )", " `", " $(", " ;;", " <", " ${", "; done", " | | cat",
    ];
    let starts = ["( ", "| ", "if ", "for "];
    let nth = draw.below(ends.len() + starts.len());
    let text = match ends.get(nth) {
        Some(end) => format!("{}{end}", command.text),
        None => format!(
            "{}{}",
            starts.get(nth - ends.len()).unwrap_or(&"| "),
            command.text
        ),
    };
    Mutant {
        text,
        token: String::new(),
    }
}

fn unbalanced(command: &Command, draw: &mut Draw) -> Option<Mutant> {
    let places: Vec<usize> = command
        .text
        .char_indices()
        .filter(|(_, c)| "'\"(){}[]|&;`".contains(*c))
        .map(|(at, _)| at)
        .collect();
    let at = *draw.pick(&places)?;
    let mut text = command.text.clone();
    text.remove(at);
    Some(Mutant {
        text,
        token: String::new(),
    })
}

fn inserted(command: &Command, flag: &str) -> Mutant {
    let (before, after) = command.text.split_at(command.path_end);
    Mutant {
        text: format!("{before} {flag}{after}"),
        token: flag.to_owned(),
    }
}

fn long(command: &Command, pool: &[(String, String)], draw: &mut Draw) -> Option<Mutant> {
    let own: Vec<&str> = command
        .flags()
        .into_iter()
        .filter_map(|flag| flag.strip_prefix("--"))
        .filter(|name| name.len() > 2)
        .collect();
    let name = match draw.below(6) {
        0..3 if !own.is_empty() => {
            let name = draw.pick(&own)?;
            match draw.below(5) {
                0 if name.contains('-') => name.replacen('-', "", 1),
                1 => format!("no-{name}"),
                2 => format!("force-{name}"),
                _ => misspell(name, draw),
            }
        }
        0..5 => {
            let (_, name) = draw.pick(pool).filter(|(tool, _)| *tool != command.tool)?;
            name.clone()
        }
        _ => {
            let invented = [
                "skip-confirm",
                "auto-approve",
                "no-prompt",
                "force-all",
                "ignore-errors-all",
                "with-defaults",
                "output-json",
                "deep-clean",
                "safe-mode",
                "run-as-admin",
                "max-results",
                "parallel-jobs",
                "dry-run-only",
                "silent-mode",
                "verify-all",
            ];
            (*draw.pick(&invented)?).to_owned()
        }
    };
    let starts = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    starts.then(|| inserted(command, &format!("--{name}")))
}

fn short(command: &Command, draw: &mut Draw) -> Mutant {
    inserted(command, &format!("-{}", draw.letter()))
}

fn cluster(command: &Command, draw: &mut Draw) -> Option<Mutant> {
    let own: Vec<&str> = command
        .flags()
        .into_iter()
        .filter(|flag| {
            flag.len() == 2 && flag.chars().nth(1).is_some_and(|c| c.is_ascii_alphabetic())
        })
        .collect();
    let first = *draw.pick(&own)?;
    Some(inserted(command, &format!("{first}{}", draw.letter())))
}
