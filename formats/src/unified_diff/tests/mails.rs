//! Mails: where the diff begins, what the diffstat says, and series.

use super::check;

const DIFF: &str = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";
const EDIT: &str = "modify f @1,1 [-a$|+b$]";
const STAT: &str = " f | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n";
const FROM: &str = "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n";

fn mail(message: &str, stat: &str) -> String {
    format!(
        "From: A <a@example.org>\nSubject: [PATCH] title\n\n{message}---\n{stat}{DIFF}-- \n2.47.3\n\n"
    )
}

#[test]
fn a_mails_diff_begins_behind_its_separator() {
    let edit = format!("== [PATCH] title\n{EDIT}");
    check(mail("", ""), &edit);
    check(mail("message\n", STAT), &edit);
    check(
        mail(
            "tried:\n\n    --- a/g\n    +++ b/g\n    @@ -1 +1 @@\n    -a\n    +b\n\n",
            STAT,
        ),
        &edit,
    );
    let quoted = "people would do:\n\ndiff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-safe\n+sleep(1)\n\nwhich is bad.\n";
    check(
        mail(quoted, STAT),
        "! malformed before the mail's separator",
    );
    check(
        mail("see:\n@@ -1 +1 @@\n", STAT),
        "! malformed outside of any file",
    );
}

#[test]
fn a_diffstat_that_differs_from_the_diff_is_refused() {
    let wrong = |stat: &str| check(mail("", stat), "! malformed the diffstat");
    wrong(" f | 2 +-\n 2 files changed, 1 insertion(+), 1 deletion(-)\n\n");
    wrong(" f | 2 +-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n\n");
    wrong(" f | 1 +\n 1 file changed, 1 insertion(+)\n\n");
    wrong(" g | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n");
    wrong(" f | 3 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n");
    // The same holds for what `git show --stat -p` prints.
    check(format!("commit 1\n---\n{STAT}{DIFF}"), EDIT);
    check(
        format!("commit 1\n---\n 1 file changed, 5 insertions(+)\n\n{DIFF}"),
        "! malformed the diffstat",
    );
}

#[test]
fn a_mailbox_is_a_series() {
    let one = mail("", STAT);
    check(
        format!("{FROM}{one}{FROM}{}", one.replace("title", "long\n title")),
        &format!("== [PATCH] title\n{EDIT}\n== [PATCH] long title\n{EDIT}"),
    );
    let cover = "From: A <a@example.org>\nSubject: [PATCH v2 0/1] all\n\ntext\n\n f | 2 +-\n\n-- \n2.47.3\n\n";
    check(
        format!("{FROM}{cover}{FROM}{one}"),
        &format!("== [PATCH] title\n{EDIT}"),
    );
    check(
        format!("{FROM}{one}{FROM}{}", cover.replace("0/1", "1/1")),
        "! malformed no diff",
    );
    // Not every line that begins with the word begins a mail.
    check(
        mail("From here on: all is well\n", STAT),
        &format!("== [PATCH] title\n{EDIT}"),
    );
}

#[test]
fn encoded_mails_are_not_read() {
    let with =
        |header: &str, expected: &str| check(format!("{header}\n{}", mail("", "")), expected);
    with(
        "Content-Transfer-Encoding: quoted-printable",
        "! unsupported quoted-printable",
    );
    with("Content-Transfer-Encoding: base64", "! unsupported base64");
    with(
        "Content-Type: text/plain; format=flowed",
        "! unsupported flowed",
    );
    with(
        "Content-Type: multipart/mixed; boundary=x",
        "! unsupported several parts",
    );
    with(
        "Content-Transfer-Encoding: 8bit",
        &format!("== [PATCH] title\n{EDIT}"),
    );
}

#[test]
fn a_mails_signature_is_no_removed_line() {
    // One old line too many in the header would take the signature for it.
    let miscounted = mail("", "").replace("@@ -1 +1 @@", "@@ -1,2 +1 @@");
    check(
        miscounted.replace("-a\n+b\n", " c\n-a\n+b\n c\n"),
        "== [PATCH] title\nmodify f @1,1 [ c$|-a$|+b$| c$]",
    );
}
