//! Flags, against pages made up for the purpose.

use surefoot_shell::Code::{
    FlagOfOtherSubcommand, OptionTakesRest, SubstitutionInText, UnknownFlag, UnknownSubcommand,
};
use surefoot_shell::{Code, Level};

use crate::world::World;

/// A page as they are commonly written.
const PAGE: &str = r#".TH TOOL 1
.SH SYNOPSIS
.B tool
[\fIOPTION\fR]... [\fIFILE\fR]...
.SH DESCRIPTION
Unlike others it has no \fB\-\-other\fR.
.TP
\fB\-a\fR, \fB\-\-all\fR
take all, as with
.B \-q
elsewhere
.TP
\fB\-n\fR, \fB\-\-number\fR=\fINUM\fR
how many
.TP
\fB\-\-color\fR[=\fIWHEN\fR]
colours
.TP
.BR \-v ", " \-\-verbose
say more
.IP "\fB\-o\fR \fIfile\fR" 4
where to
.TP
\fB\-\-[no\-]cache\fR
keep
.TP
\fB\-\-[no\-]pager\fR
page
.TP
\fB\-\-[no\-]edit\fR, \fB\-\-[no\-]sign\fR
change
.TP
\fB\-\-exclude\-dir\fR=\fIGLOB\fR
leave out
"#;

fn world() -> World {
    let world = World::new(&[
        "tool", "bare", "git", "tar", "cat", "sudo", "bsd", "long", "make",
    ]);
    world.page("tool", PAGE);
    world
}

fn is_known(command: &str) {
    world().check(command, "admit", &[]);
}

fn is_unknown(command: &str, flag: &str) {
    world().check(command, "warn", &[(UnknownFlag, flag)]);
}

#[test]
fn what_the_page_defines_is_known() {
    for command in [
        "tool -a",
        "tool --all",
        "tool -av",
        "tool -n5",
        "tool -an5",
        "tool -n 5",
        "tool --number=5",
        "tool --number 5",
        "tool --color",
        "tool --color=auto",
        "tool -ofile",
        "tool -o -x",
        "tool --no-cache",
        "tool --cache",
        "tool --excl=x",
        "tool --no-verbose",
        "tool x --all y",
        "tool -- --amned",
        "tool - -a",
        "tool --help",
        "tool -5",
        "tool -n -5",
        "tool --number=\"$x\"",
        "tool -n$x",
        "tool $x",
        "sudo tool -a",
        "tool --other",
    ] {
        is_known(command);
    }
}

#[test]
fn what_no_source_has_is_doubted() {
    is_unknown("tool --amned", "--amned");
    is_unknown("tool x --amned=y", "--amned");
    is_unknown("tool -z", "-z");
    is_unknown("tool -az", "-z");
    is_unknown("tool -q", "-q");
    is_unknown("tool \"--amned\"", "--amned");
    is_unknown("tool --amned=$x", "--amned");
    is_unknown("sudo tool -z", "-z");
}

#[test]
fn the_value_of_a_flag_is_no_flag() {
    is_known("tool -n --amned");
    is_known("tool --number --amned");
    is_unknown("tool --color --amned", "--amned");
}

#[test]
fn where_nothing_is_written_nothing_is_doubted() {
    let (verdict, report) = world().verdict("bare --amned -z");
    assert_eq!(verdict, "admit");
    assert_eq!(report.commands[0].evidence, Level::None);
    assert!(!report.abstained.is_empty());
}

#[test]
fn a_misspelling_is_told_from_what_was_meant() {
    let (_, report) = world().verdict("tool --vebrose --nocache");
    assert_eq!(report.findings[0].suggestions, ["--verbose"]);
    assert!(
        report.findings[0].evidence[0]
            .path
            .ends_with("share/man/man1/tool.1")
    );
}

#[test]
fn a_subcommand_has_its_page() {
    let world = world();
    let page = |flags: &str| format!(".SH OPTIONS\n{flags}");
    let option = |name: &str| format!(".PP\n\\-\\-{name}\n.RS 4\ntext\n.RE\n");
    let all = |names: &[&str]| names.iter().map(|name| option(name)).collect::<String>();
    world.page(
        "git",
        &page(&all(&[
            "version",
            "bare",
            "paginate",
            "git\\-dir",
            "no\\-pager",
        ])),
    );
    world.page(
        "git-log",
        &page(&all(&["stat", "patch", "oneline", "graph", "decorate"])),
    );
    world.page(
        "git-commit",
        &page(&all(&["amend", "all", "message", "signoff", "fixup"])),
    );
    world.check("git log --stat", "admit", &[]);
    world.check("git --no-pager -C x log --oneline", "admit", &[]);
    world.check(
        "git log --amend",
        "warn",
        &[(FlagOfOtherSubcommand, "--amend")],
    );
    world.check("git log --sttat", "warn", &[(UnknownFlag, "--sttat")]);
    world.check("git frobnicate --stat", "admit", &[]);
    world.check("git comit --amend", "warn", &[(UnknownSubcommand, "comit")]);
    world.check("git lg --stat", "admit", &[]);
    let (_, report) = world.verdict("git -C x log --stat");
    assert_eq!(report.commands[0].subcommand, ["log"]);
}

#[test]
fn a_dash_may_be_set_in_another_font_than_its_letter() {
    let world = World::new(&["mawk", "perl"]);
    world.page(
        "mawk",
        ".SH OPTIONS\n.TP 4\n\\-\\fBF \\fIvalue\\fP\nx\n.TP\n\\-\\fBf \\fIfile\nx\n",
    );
    world.check("mawk -F, -f x", "admit", &[]);
    world.page(
        "perl",
        ".SH SYNOPSIS\n\\fBperl\\fR [ \\fB\\-sTtuUWX\\fR ] [ \\fB\\-pna\\fR ]\n",
    );
    world.check("perl -p -n x", "admit", &[]);
}

#[test]
fn an_mdoc_page_marks_its_flags_up() {
    let world = world();
    world.page(
        "bsd",
        ".Dd today\n.Dt BSD 1\n.Os\n.Sh SYNOPSIS\n.Nm\n.Op Fl abc\n.Op Fl o Ar file\n.Sh DESCRIPTION\n.Bl -tag\n.It Fl a\nx\n.It Fl b , Fl -bold\nas\n.Fl q\n.It Fl o Ar file\n.It Fl Fl long Ns = Ns Ar x\n.El\n",
    );
    for command in ["bsd -abc", "bsd -o x", "bsd --bold", "bsd --long=x"] {
        world.check(command, "admit", &[]);
    }
    world.check("bsd -q", "warn", &[(UnknownFlag, "-q")]);
}

#[test]
fn long_flags_with_one_dash_are_told_from_groups() {
    let world = world();
    let entries: String = ["name pattern", "type c", "print", "prune", "delete"]
        .iter()
        .map(|entry| {
            let (name, value) = entry.split_once(' ').unwrap_or((entry, ""));
            format!(".IP \"\\-{name} \\fI{value}\\fR\"\ntext\n")
        })
        .collect();
    world.page("long", &format!(".SH OPTIONS\n{entries}"));
    world.check("long -nmae x", "warn", &[(UnknownFlag, "-nmae")]);
    world.check("long -type f -prune", "admit", &[]);
}

#[test]
fn completions_are_read_by_their_format() {
    let world = World::new(&["fishy", "zed"]);
    world.share(
        "fish/completions/fishy.fish",
        "complete -c fishy -s a -l all -d 'x -q --quux'\ncomplete -c fishy -l number -r\ncomplete -c fishy -s n -l none\ncomplete -c fishy -o old\ncomplete -c other -s z\ncomplete -c fishy -s b\n",
    );
    world.check("fishy -anb --all --number -z -old", "admit", &[]);
    world.check("fishy -z", "warn", &[(UnknownFlag, "-z")]);
    world.check("fishy --quux", "warn", &[(UnknownFlag, "--quux")]);
    world.share(
        "zsh/vendor-completions/_zed",
        "#compdef zed\n_arguments -C -s \\\n  '(-a --all)'{-a,--all}'[take all -q]' \\\n  '--number=[how many]:n:' \\\n  '-b[x]' '*-c[y]:file:_files' \\\n  '(-d)-d[z]'\ncompadd -P x\n",
    );
    world.check("zed -abd --all --number=3 -c x", "admit", &[]);
    world.check("zed -P", "warn", &[(UnknownFlag, "-P")]);
    world.check("zed -q", "warn", &[(UnknownFlag, "-q")]);
}

#[test]
fn a_script_says_what_it_takes() {
    let world = World::new(&[]);
    world.program(
        "script",
        "#!/bin/sh\nwhile getopts 'ab:c' x; do :; done\ncase $1 in\n  -v|--verbose) ;;\n  --dry-run) ;;\nesac\n",
    );
    world.check("script -ab x --verbose --dry-run -c -v", "admit", &[]);
    world.check("script -z", "warn", &[(UnknownFlag, "-z")]);
}

#[test]
fn commands_in_text_are_warned_of() {
    let world = world();
    let text: &[(Code, &str)] = &[(SubstitutionInText, "`")];
    world.check("cat <<E\nRun `make clean` first.\nE", "warn", text);
    world.check("git commit -m \"use `make` now\"", "warn", text);
    world.check("cat <<'E'\nRun `make clean` first.\nE", "admit", &[]);
    world.check("git commit -m 'use `make` now'", "admit", &[]);
}

#[test]
fn an_archive_named_by_accident_is_warned_of() {
    let world = world();
    let entries: String = ["x", "z", "v", "c"]
        .iter()
        .map(|name| format!(".TP\n\\-{name}\ntext\n"))
        .collect();
    world.page(
        "tar",
        &format!(".SH OPTIONS\n{entries}.TP\n\\-f \\fIFILE\\fR\ntext\n"),
    );
    world.check("tar -xfz a.tgz", "warn", &[(OptionTakesRest, "-xfz")]);
    world.check("tar -xzf a.tgz", "admit", &[]);
    world.check("tar -xzfa.tgz", "admit", &[]);
}
