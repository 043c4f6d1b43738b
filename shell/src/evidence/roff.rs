//! Takes a manual page apart by its structure: what is a heading of a flag, and what is prose.
//!
//! Reads the `man` and the `mdoc` macros as far as flags need it. A change of font is kept as
//! [`FONT`], since `-n`*NUM* and `-name` differ in nothing else.

use super::roff_text::{arguments, plain};

/// Stands where the font changes.
pub(crate) const FONT: char = '\u{1}';

/// A line of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) place: Place,
    pub(crate) text: String,
}

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At the head of a paragraph, or of an entry in a list.
    Head,
    /// The one usage line, or one of several.
    Synopsis,
    /// Anywhere else.
    Prose,
}

/// A page as it was taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) lines: Vec<Line>,
    /// The page that this one stands for, as `.so` names it.
    pub(crate) stands_for: Option<String>,
}

#[derive(Debug)]
struct Reader {
    page: Page,
    section: Section,
    /// The next line of text begins a paragraph.
    fresh: bool,
    /// The next line of text is a list entry's tag.
    tag: bool,
    /// Lines are kept as they are.
    kept: bool,
    /// In the definition of a macro.
    defining: bool,
    /// Blocks that are for a printer only.
    skipping: usize,
    mdoc: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Synopsis,
    Examples,
    Other,
}

/// Takes `source` apart.
pub(crate) fn read(source: &[u8]) -> Page {
    let source = String::from_utf8_lossy(source);
    let mut reader = Reader {
        page: Page::default(),
        section: Section::Other,
        fresh: true,
        tag: false,
        kept: false,
        defining: false,
        skipping: 0,
        mdoc: false,
    };
    let mut held = String::new();
    for line in source.lines() {
        // A backslash at the end of a line joins the next one to it.
        if line.ends_with('\\') && !line.ends_with("\\\\") {
            held.push_str(line.strip_suffix('\\').unwrap_or(line));
            continue;
        }
        if held.is_empty() {
            reader.line(line);
        } else {
            held.push_str(line);
            reader.line(&std::mem::take(&mut held));
        }
    }
    reader.page
}

impl Reader {
    fn line(&mut self, line: &str) {
        if self.defining {
            self.defining = !line.starts_with("..");
            return;
        }
        if self.skipping > 0 {
            self.skipping += line.matches("\\{").count();
            self.skipping = self.skipping.saturating_sub(line.matches("\\}").count());
            return;
        }
        match line.strip_prefix(['.', '\'']) {
            Some(request) => self.request(request.trim_start()),
            None => self.text(line),
        }
    }

    fn request(&mut self, request: &str) {
        let name_end = request
            .find(|c: char| c.is_whitespace() || c == '\\')
            .unwrap_or(request.len());
        let (name, rest) = request.split_at(name_end);
        match name {
            "de" | "de1" | "ig" | "am" => self.defining = true,
            "so" => self.page.stands_for = Some(rest.trim().to_owned()),
            "if" | "ie" => self.condition(rest),
            "el" => self.line(rest.trim_start().trim_start_matches("\\{")),
            "SH" | "Sh" | "SS" | "Ss" => self.heading(name, rest),
            "TP" | "TQ" => {
                self.fresh = true;
                self.tag = true;
            }
            "IP" | "HP" if name == "HP" => {
                self.fresh = true;
                self.tag = true;
            }
            "IP" => {
                let tag = arguments(rest).into_iter().next().unwrap_or_default();
                self.put(Place::Head, &plain(&tag));
                self.fresh = true;
            }
            "PP" | "P" | "LP" | "sp" | "br" | "RS" | "RE" | "Pp" | "in" | "ti" | "Bl" | "El"
            | "It" | "TS" | "TE" => self.break_line(name, rest),
            "nf" | "EX" | "Vb" | "Bd" => self.kept = true,
            "fi" | "EE" | "Ve" | "Ed" => {
                self.kept = false;
                self.fresh = true;
            }
            "Dd" | "Dt" => self.mdoc = true,
            "OP" => {
                let words = arguments(rest).join(" ");
                self.put(Place::Synopsis, &format!("[{}]", plain(&words)));
            }
            "SY" => self.put(Place::Synopsis, &plain(rest)),
            _ => self.font_or_mdoc(name, rest),
        }
    }

    fn condition(&mut self, rest: &str) {
        let rest = rest.trim_start();
        let for_terminals = rest.starts_with('n') && !rest.starts_with("nr");
        let body = rest
            .find(char::is_whitespace)
            .map_or("", |at| rest.get(at..).unwrap_or(""));
        let opens = body.matches("\\{").count();
        let closes = body.matches("\\}").count();
        if for_terminals {
            self.line(body.trim_start().trim_start_matches("\\{"));
        } else {
            self.skipping = opens.saturating_sub(closes);
        }
    }

    fn heading(&mut self, name: &str, rest: &str) {
        self.kept = false;
        self.fresh = true;
        self.tag = false;
        if name.eq_ignore_ascii_case("SH") {
            let title = plain(rest).replace(FONT, "").to_uppercase();
            let title = title.trim().trim_matches('"');
            self.section = if title.starts_with("SYNOPSIS") || title.starts_with("USAGE") {
                Section::Synopsis
            } else if title.contains("EXAMPLE") {
                Section::Examples
            } else {
                Section::Other
            };
        }
    }

    fn break_line(&mut self, name: &str, rest: &str) {
        self.fresh = true;
        self.tag = false;
        if name == "It" {
            let text = super::mdoc::text(rest);
            self.put(Place::Head, &text);
        }
    }

    fn font_or_mdoc(&mut self, name: &str, rest: &str) {
        let text = match name {
            "B" | "I" | "SM" | "SB" | "CW" | "C" => {
                format!("{FONT}{}{FONT}", plain(&arguments(rest).join(" ")))
            }
            "BR" | "BI" | "IB" | "IR" | "RB" | "RI" => {
                let parts: Vec<String> = arguments(rest).iter().map(|part| plain(part)).collect();
                parts.join(&FONT.to_string())
            }
            _ if self.mdoc && super::mdoc::is_macro(name) => {
                super::mdoc::text(&format!("{name}{rest}"))
            }
            _ => return,
        };
        self.put_text(&text);
    }

    fn text(&mut self, line: &str) {
        if line.trim().is_empty() {
            self.fresh = true;
            return;
        }
        let text = plain(line);
        if line.starts_with([' ', '\t']) {
            self.fresh = true;
        }
        self.put_text(&text);
    }

    fn put_text(&mut self, text: &str) {
        let starts_with_flag = text
            .trim_start_matches(|c: char| c.is_whitespace() || c == FONT || c == '[' || c == '|')
            .starts_with('-');
        let place = if self.section == Section::Synopsis {
            Place::Synopsis
        } else if self.tag || ((self.fresh || self.kept) && starts_with_flag) {
            Place::Head
        } else {
            Place::Prose
        };
        self.put(place, text);
        // A heading may go on, on the next line: `-r,` and then `--release`.
        self.fresh = place == Place::Head && text.trim_end_matches([' ', FONT]).ends_with(',');
        self.tag = false;
    }

    fn put(&mut self, place: Place, text: &str) {
        if self.section == Section::Examples && place == Place::Head {
            return;
        }
        self.page.lines.push(Line {
            place,
            text: text.to_owned(),
        });
    }
}
