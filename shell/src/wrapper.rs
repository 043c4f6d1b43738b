//! Programs that run another command, which stands among their arguments.

use crate::flags::{Flags, Operands};
use crate::judge;
use crate::syntax::Word;

/// How a wrapper's command is found.
#[derive(Clone, Copy, Debug)]
struct Wrapper {
    names: &'static [&'static str],
    /// Its short flags that take a value, and others, as getopt has them.
    short: &'static str,
    /// Its long flags that take a value as the next word.
    long: &'static str,
    /// The operands that stand before the command.
    operands: usize,
    then: Then,
}

/// What stands behind a wrapper's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// A command, perhaps after assignments.
    Command,
    /// A command, or one word that a shell reads.
    Either,
    /// A command in another place, with other programs.
    Elsewhere,
}

const fn wrapper(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static str,
) -> Wrapper {
    Wrapper {
        names,
        short,
        long,
        operands: 0,
        then: Then::Command,
    }
}

const WRAPPERS: [Wrapper; 24] = [
    wrapper(
        &["sudo"],
        "C:D:g:h:p:R:T:U:u:r:t:a:AbEeHiKklnPSsVv",
        "close-from chdir group host prompt chroot command-timeout other-user user role type",
    ),
    wrapper(&["doas"], "C:u:aLns", ""),
    wrapper(&["env"], "u:C:i0v", "unset chdir"),
    wrapper(
        &["xargs"],
        "I:a:d:E:L:n:P:s:i::e::l::0oprtx",
        "arg-file delimiter max-lines max-args max-procs max-chars replace process-slot-var",
    ),
    Wrapper {
        operands: 1,
        ..wrapper(&["timeout"], "k:s:v", "kill-after signal")
    },
    wrapper(&["nice"], "n:", "adjustment"),
    wrapper(&["ionice"], "c:n:p:P:u:t", "class classdata pid pgid uid"),
    wrapper(
        &[
            "nohup",
            "setsid",
            "fakeroot",
            "dbus-run-session",
            "unbuffer",
        ],
        "cfw",
        "",
    ),
    wrapper(&["stdbuf"], "i:o:e:", "input output error"),
    wrapper(&["time"], "f:o:apqvV", "format output"),
    wrapper(
        &["strace", "ltrace"],
        "a:b:e:E:I:o:O:p:P:s:S:u:U:X:l:n:A:F:D:CdfhikqrtTvVxyzZcwL",
        "attach output trace signal status quiet verbose abbrev raw read write env user string-limit summary-columns summary-sort-by interruptible const-print-style trace-path columns",
    ),
    wrapper(
        &["catchsegv", "proxychains", "proxychains4", "torsocks"],
        "",
        "",
    ),
    wrapper(&["exec"], "a:cl", ""),
    wrapper(&["builtin", "command"], "p", ""),
    Wrapper {
        operands: 1,
        ..wrapper(&["taskset"], "acp", "")
    },
    Wrapper {
        operands: 1,
        ..wrapper(
            &["chrt"],
            "T:P:D:abfioprRv",
            "sched-runtime sched-period sched-deadline",
        )
    },
    Wrapper {
        operands: 1,
        ..wrapper(&["setarch"], "vRFZLXBITS3", "")
    },
    wrapper(&["linux32", "linux64"], "vRFZLXBITS3", ""),
    Wrapper {
        operands: 1,
        then: Then::Either,
        ..wrapper(
            &["flock"],
            "w:E:c:senuoFxn",
            "timeout conflict-exit-code command",
        )
    },
    Wrapper {
        then: Then::Either,
        ..wrapper(&["watch"], "n:d::q:bcegptxwh", "interval")
    },
    Wrapper {
        then: Then::Elsewhere,
        operands: 1,
        ..wrapper(&["chroot"], "", "groups userspec")
    },
    Wrapper {
        then: Then::Elsewhere,
        ..wrapper(
            &[
                "unshare",
                "nsenter",
                "systemd-run",
                "bwrap",
                "firejail",
                "proot",
                "schroot",
            ],
            "",
            "",
        )
    },
    Wrapper {
        then: Then::Elsewhere,
        operands: 1,
        ..wrapper(
            &["ssh"],
            "B:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:46AaCfGgKkMNnqsTtVvXxYy",
            "",
        )
    },
    Wrapper {
        then: Then::Elsewhere,
        ..wrapper(&["parallel"], "", "")
    },
];

/// What a wrapper runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrapped {
    /// The command that begins at this word.
    Command(usize),
    /// The text of this word, as a shell reads it.
    Script(usize),
    /// Something that is not known here.
    Elsewhere,
    /// Nothing.
    Nothing,
}

/// What is known of a wrapper's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unwrapped {
    pub(crate) wrapped: Wrapped,
    /// The word before which its own flags end.
    pub(crate) own: usize,
    /// Its flags that take a value, which outweigh what texts say of them.
    pub(crate) flags: Flags,
    /// Names that it sets in the command's environment.
    pub(crate) assigns: Vec<Vec<u8>>,
}

/// Returns what the wrapper `name` runs, or `None` where it is none.
pub(crate) fn unwrap(name: &str, words: &[Word]) -> Option<Unwrapped> {
    let wrapper = WRAPPERS
        .iter()
        .find(|wrapper| wrapper.names.contains(&name))?;
    // These ask what a name is, or change what runs already.
    let asks = (matches!(name, "taskset" | "chrt")
        && words.iter().any(|word| {
            word.literal().is_some_and(|text| {
                text == b"--pid"
                    || (text.starts_with(b"-") && !text.starts_with(b"--") && text.contains(&b'p'))
            })
        }))
        || name == "command"
            && words
                .get(1)
                .is_some_and(|word| matches!(word.literal(), Some(b"-v" | b"-V")));
    let mut flags = Flags {
        operands: Operands::After,
        ..Flags::default()
    };
    crate::evidence::builtin::getopt_into(wrapper.short, &mut flags);
    for long in wrapper.long.split_whitespace() {
        flags.add_long(long, crate::flags::Takes::Required);
    }
    let mut at = 1;
    let mut script = None;
    let mut operands = wrapper.operands;
    let mut own = words.len();
    let mut assigns = Vec::new();
    loop {
        let walk = judge::walk(words, at, &flags, Operands::After);
        let dashes = (at..words.len()).find(|nth| words[*nth].literal() == Some(b"--"));
        let next = match (walk.operand, dashes) {
            (Some(operand), Some(dashes)) if dashes < operand => Some(dashes + 1),
            (None, Some(dashes)) => Some(dashes + 1),
            (operand, _) => operand,
        };
        if operands == wrapper.operands && matches!(name, "flock") {
            script = words
                .iter()
                .position(|word| matches!(word.literal(), Some(b"-c" | b"--command")))
                .map(|at| at + 1);
        }
        let Some(next) = next.filter(|next| *next < words.len()) else {
            break;
        };
        let word = words.get(next)?;
        if operands > 0 {
            operands -= 1;
            at = next + 1;
            continue;
        }
        let assigned = word
            .lead
            .iter()
            .position(|byte| *byte == b'=')
            .filter(|_| matches!(name, "env" | "sudo" | "doas"));
        if let Some(end) = assigned {
            assigns.extend(word.lead.get(..end).map(<[u8]>::to_vec));
            at = next + 1;
            // What stands after an assignment is the command, whatever it looks like.
            continue;
        }
        own = next;
        break;
    }
    let wrapped = match (wrapper.then, script) {
        _ if asks => Wrapped::Nothing,
        (_, Some(script)) if script < words.len() => Wrapped::Script(script),
        (Then::Elsewhere, _) => Wrapped::Elsewhere,
        _ if own >= words.len() => Wrapped::Nothing,
        (Then::Either, _) if own + 1 == words.len() => Wrapped::Script(own),
        _ => Wrapped::Command(own),
    };
    Some(Unwrapped {
        wrapped,
        own,
        flags,
        assigns,
    })
}

/// Returns the word that a shell such as `bash -c` is given to read.
pub(crate) fn script(name: &str, words: &[Word]) -> Option<usize> {
    let shells = ["bash", "sh", "dash", "su", "runuser", "ash"];
    if !shells.contains(&name) {
        return None;
    }
    for (at, word) in words.iter().enumerate().skip(1) {
        let lead = word.literal()?;
        if lead == b"--command" && name.ends_with('u') {
            return Some(at + 1);
        }
        if !lead.starts_with(b"-") || lead.starts_with(b"--") {
            // `su USER -c …` has its user first.
            if lead.starts_with(b"--") || name == "su" || name == "runuser" {
                continue;
            }
            return None;
        }
        if lead.ends_with(b"c") {
            return Some(at + 1);
        }
        if lead.ends_with(b"o") {
            return None;
        }
    }
    None
}

/// Returns the ranges of words that `find` gives to `-exec` and its kin: from the command's name to
/// what ends it.
pub(crate) fn executed(words: &[Word]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 1;
    while at < words.len() {
        let starts = matches!(
            words[at].literal(),
            Some(b"-exec" | b"-execdir" | b"-ok" | b"-okdir")
        );
        at += 1;
        if starts {
            let end = (at..words.len())
                .find(|nth| matches!(words[*nth].literal(), Some(b";" | b"+")))
                .unwrap_or(words.len());
            found.push(at..end);
            at = end;
        }
    }
    found
}
