//! Lines of the `mdoc` macros as text: `Fl` marks flags up, so nothing has to be guessed.

use super::roff::FONT;
use super::roff_text::{arguments, plain};

/// The macros that may stand among another's arguments.
const MACROS: [&str; 40] = [
    "Ad", "An", "Ao", "Ac", "Aq", "Ar", "Bo", "Bc", "Bq", "Brq", "Bro", "Brc", "Cm", "Dq", "Do",
    "Dc", "Em", "Ev", "Fa", "Fl", "Ic", "Li", "Nm", "No", "Ns", "Op", "Oo", "Oc", "Pa", "Pf", "Po",
    "Pc", "Pq", "Ql", "Qq", "Sq", "Sy", "Va", "Xo", "Xc",
];

/// Tells whether `name` is a macro that makes text.
pub(crate) fn is_macro(name: &str) -> bool {
    MACROS.contains(&name)
}

/// Returns the text that the macros in `line` make.
pub(crate) fn text(line: &str) -> String {
    let mut out = String::new();
    let mut closers: Vec<char> = Vec::new();
    let mut glue = true;
    let mut flag = false;
    // Whether `Fl` still waits for its name.
    let mut waiting = false;
    for word in arguments(line) {
        if is_macro(&word) {
            if word == "Ns" {
                glue = true;
                flag = false;
                continue;
            }
            if waiting && word != "Fl" {
                out.push('-');
                waiting = false;
            }
            match word.as_str() {
                "Fl" if waiting => {
                    put(&mut out, &mut glue, "-");
                    glue = true;
                    continue;
                }
                "Fl" => {
                    flag = true;
                    waiting = true;
                    continue;
                }
                "Op" | "Oo" | "Bq" | "Bo" => {
                    put(&mut out, &mut glue, "[");
                    glue = true;
                    if word == "Op" || word == "Bq" {
                        closers.push(']');
                    }
                }
                "Oc" | "Bc" => out.push(']'),
                _ => {}
            }
            flag = false;
            if word == "Ar" {
                out.push(FONT);
            }
            continue;
        }
        let word = plain(&word);
        let punctuation = matches!(
            word.as_str(),
            "," | "." | ";" | ":" | ")" | "]" | "|" | "(" | "["
        );
        if punctuation {
            if waiting {
                put(&mut out, &mut glue, "-");
                waiting = false;
            }
            glue = glue || word != "|";
            put(&mut out, &mut glue, &word);
            continue;
        }
        if flag {
            let dashed = format!("-{word}");
            put(&mut out, &mut glue, &dashed);
            waiting = false;
        } else {
            put(&mut out, &mut glue, &word);
        }
    }
    if waiting {
        put(&mut out, &mut glue, "-");
    }
    out.extend(closers.iter().rev());
    out
}

fn put(out: &mut String, glue: &mut bool, text: &str) {
    if !*glue && !out.is_empty() {
        out.push(' ');
    }
    out.push_str(text);
    *glue = false;
}
