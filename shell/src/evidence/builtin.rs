//! What bash does itself, and the flags of what it does.

use crate::flags::{Flags, Takes};
use crate::verdict::{Kind, Level, Source};

/// bash's builtins with their flags, as `help` gives them; `None` where a word with a dash is no flag.
const BUILTINS: [(&str, Option<&str>); 61] = [
    (":", None),
    (".", None),
    ("[", None),
    ("alias", Some("p")),
    ("bg", None),
    ("bind", Some("lpsvPSVXf:q:u:m:r:x:")),
    ("break", None),
    ("builtin", None),
    ("caller", None),
    ("cd", Some("LPe@")),
    ("command", Some("pVv")),
    ("compgen", Some("abcdefgjksuvo:A:G:W:F:C:X:P:S:V:")),
    ("complete", Some("abcdefgjksuvprDEIo:A:G:W:F:C:X:P:S:")),
    ("compopt", Some("o:DEI")),
    ("continue", None),
    ("declare", Some("aAfFgiIlnrtuxp")),
    ("dirs", None),
    ("disown", Some("ahr")),
    ("echo", None),
    ("enable", Some("adnpsf:")),
    ("eval", None),
    ("exec", Some("cla:")),
    ("exit", None),
    ("export", Some("fnp")),
    ("false", None),
    ("fc", None),
    ("fg", None),
    ("getopts", None),
    ("hash", Some("lrp:dt")),
    ("help", Some("dms")),
    ("history", None),
    ("jobs", Some("lnprsx:")),
    ("kill", None),
    ("let", None),
    ("local", Some("aAfFgiIlnrtuxp")),
    ("logout", None),
    ("mapfile", Some("d:n:O:s:tu:C:c:")),
    ("popd", None),
    ("printf", None),
    ("pushd", None),
    ("pwd", Some("LP")),
    ("read", Some("ersa:d:i:n:N:p:t:u:")),
    ("readarray", Some("d:n:O:s:tu:C:c:")),
    ("readonly", Some("aAfp")),
    ("return", None),
    ("set", None),
    ("shift", None),
    ("shopt", Some("pqsuo")),
    ("source", None),
    ("suspend", Some("f")),
    ("test", None),
    ("times", None),
    ("trap", None),
    ("true", None),
    ("type", Some("afptP")),
    ("typeset", Some("aAfFgiIlnrtuxp")),
    ("ulimit", Some("SHabcdefiklmnpqrstuvxPRT")),
    ("umask", Some("pS")),
    ("unalias", Some("a")),
    ("unset", Some("fvn")),
    ("wait", Some("fnp:")),
];

/// Tells whether bash does `name` itself.
pub(crate) fn is_builtin(name: &[u8]) -> bool {
    BUILTINS
        .iter()
        .any(|(builtin, _)| builtin.as_bytes() == name)
}

/// Returns the flags of a builtin; `None` where it has none that could be checked.
pub(crate) fn flags(name: &[u8]) -> Option<Flags> {
    let (_, letters) = BUILTINS
        .iter()
        .find(|(builtin, _)| builtin.as_bytes() == name)?;
    let mut flags = Flags::default();
    getopt_into((*letters)?, &mut flags);
    flags.level = Some(Level::Closed);
    flags.sources.push(Source {
        kind: Kind::BuiltIn,
        path: std::path::PathBuf::new(),
        flags: flags.len(),
    });
    Some(flags)
}

/// Adds the flags of a string as getopt reads it.
pub(crate) fn getopt_into(letters: &str, flags: &mut Flags) {
    let mut chars = letters.chars().peekable();
    while let Some(letter) = chars.next() {
        let mut colons = 0;
        while chars.peek() == Some(&':') {
            chars.next();
            colons += 1;
        }
        let takes = match colons {
            0 => Takes::Nothing,
            1 => Takes::Required,
            _ => Takes::Optional,
        };
        flags.short.insert(letter, takes);
    }
}
