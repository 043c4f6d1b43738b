use crate::testing::check_format;

/// Reads the operations in `ops`.
fn check(ops: &str, expected: &str) {
    let input = format!("*** Begin Patch\n{ops}*** End Patch\n");
    check_format(Some("v4a"), None, &input, expected);
}

#[test]
fn operations_are_read() {
    check("*** Add File: a\n+x\n+\n", "a\ncreate Exists \"x\\n\\n\"\n");
    check(
        "*** Add File: a\n+x\n\n*** Delete File: b\n",
        "a\ncreate Exists \"x\\n\"\nb\ndelete\n",
    );
    check("*** Create File: a\n", "a\ncreate Exists \"\"\n");
    check("*** Delete File: a b\n", "a b\ndelete\n");
    check("*** Update File: a\n*** Move to: b\n", "a => b\nkeep\n");
    check(
        "*** Update File: a\n*** Move to: b\n@@\n-x\n",
        "a => b\n@\n-x\n",
    );
    check("*** Update File: a\n-x\n+y\n", "a\n@\n-x\n+y\n");
    check(
        "*** Update File: a\n-x\n*** Update File: a\n-y\n",
        "a\n@\n-x\na\n@\n-y\n",
    );
}

#[test]
fn headers_say_where() {
    let check = |header: &str, expected: &str| {
        check(
            &format!("*** Update File: a\n{header}-x\n"),
            &format!("a\n@{expected}\n-x\n"),
        );
    };
    check("@@\n", "");
    check("@@ @@\n", "");
    check("@@ class A\n", " [class A]");
    check(
        "@@ class A:\n@@     def f(self):\n",
        " [class A:] [    def f(self):]",
    );
    check("@@ class A @@\n", " [class A]");
    check("@@ -12,4 +12,5 @@\n", "12");
    check("@@ -12,4 +12,5 @@ def f():\n", "12 (def f():)");
    check("@@ -12,0 +13 @@\n", "13");
    check("@@ class A\n@@ -3 +3 @@\n", "3 [class A]");
    check("@@ -x\n", " [-x]");
}

#[test]
fn marks_count_at_the_start_of_a_line_only() {
    check(
        "*** Update File: a\n *** End Patch\n-x\n",
        "a\n@\n *** End Patch\n-x\n",
    );
    check("*** Update File: a\n @@ x\n-x\n", "a\n@\n @@ x\n-x\n");
    check(
        "*** Update File: a\n-x\n*** End of File\n",
        "a\n@ end\n-x\n",
    );
    check(
        "*** Update File: a\n-x\n*** End of File\n@@\n-y\n",
        "a\n@ end\n-x\n@\n-y\n",
    );
}

#[test]
fn empty_lines_are_context_or_room() {
    check("*** Update File: a\n-x\n\n y\n", "a\n@\n-x\n\u{20}\n y\n");
    check(
        "*** Update File: a\n-x\n\n@@\n-y\n",
        "a\n@\n-x\n\u{20}\n@\n-y\n--\na\n@\n-x\n@\n-y\n",
    );
    check(
        "*** Update File: a\n@@\n\n-x\n",
        "a\n@\n\u{20}\n-x\n--\na\n@\n-x\n",
    );
}

#[test]
fn what_has_no_place_is_refused() {
    let check = |ops: &str, expected: &str| check(ops, &format!("Malformed: {expected}"));
    check("", "the patch holds no operation");
    check(
        "*** Add File: a\n+x\ny\n",
        "line 4: a line of a new file has no `+`",
    );
    check(
        "*** Add File: a\n+x\n\n+y\n",
        "line 4: a line of a new file has no `+`",
    );
    check("*** Update File: a\n", "line 2: the update has no hunk");
    check(
        "*** Update File: a\n@@ f\n",
        "line 3: the hunk has no lines",
    );
    check(
        "*** Update File: a\n@@ f\n*** End of File\n",
        "line 4: `*** End of File` stands without lines above it",
    );
    check(
        "*** Update File: a\nx\n",
        "line 3: a line of a hunk begins with none of ` `, `-` and `+`",
    );
    check(
        "*** Update File: a\n\tx\n",
        "line 3: a line of a hunk begins with none of ` `, `-` and `+`",
    );
    check(
        "*** Delete File: a\nx\n",
        "line 3: a line follows the deletion of a file",
    );
    check("*** Delete File:\n", "line 2: the operation names no file");
    check("x\n", "line 2: a line stands before the first operation");
    check("*** Begin Patch\n", "line 2: this marker has no place here");
    check(
        "*** Update File: a\n-x\n*** Move to: b\n",
        "line 4: this marker has no place in a hunk",
    );
}

#[test]
fn the_ends_of_a_patch() {
    let check = |input: &str, expected: &str| check_format(Some("v4a"), None, input, expected);
    let ops = "*** Update File: a\n-x\n";
    let read = "a\n@\n-x\n";
    check(
        &format!("So:\n*** Begin Patch\n{ops}*** End Patch\nDone.\n"),
        read,
    );
    check(&format!("  *** begin patch  \n{ops}*** End Patch"), read);
    check(&format!("{ops}*** End Patch\n"), read);
    check(
        &format!("*** Begin Patch\n{ops}"),
        "Malformed: line 1: `*** End Patch` is missing: the patch is cut off",
    );
    check(
        ops,
        "Malformed: line 1: `*** End Patch` is missing: the patch is cut off",
    );
    check(
        &format!("*** Begin Patch\n{ops}*** End Patch\n*** End Patch\n"),
        "Malformed: line 5: a patch's marker stands outside of the patch",
    );
    let two = format!("*** Begin Patch\n{ops}*** End Patch\n").repeat(2);
    check(&two, &read.repeat(2));
    check(
        "    *** Begin Patch\n    *** Update File: a\n    -x\n    *** End Patch\n",
        read,
    );
    check(
        "*** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** End Patch\r\n",
        "a\ncreate Exists \"x\\n\"\n",
    );
    check(
        "*** Begin Patch\n*** Add File: a\n+x\r\n*** End Patch\n",
        "a\ncreate Exists \"x\\r\\n\"\n",
    );
}

#[test]
fn unknown_operations_are_unsupported() {
    check(
        "*** Rename File: a\n",
        "Unsupported: line 2: this operation is not one of add, update and delete",
    );
}

#[test]
fn a_session_with_every_operation_is_read() {
    let first = "~/service/src/queue.rs\n@ [impl Queue {] [    pub fn pop(&mut self) -> Option<Job> {]\n\
                 -        self.jobs.pop_front()\n+        let job = self.jobs.pop_front()?;\n\
                 +        self.popped += 1;\n+        Some(job)\n     }\n";
    let rest = "@41 (mod tests {) end\n     fn drains() {\n-        let mut queue = Queue::new();\n\
                +        let mut queue = Queue::default();\n     }\n\
                ~/service/src/stats.rs\ncreate Exists \"//! What the queue counts.\\n\\npub struct Stats;\\n\"\n\
                ~/service/src/old_name.rs => ~/service/src/new_name.rs\n@\n-use crate::old;\n+use crate::new;\n\
                ~/service/src/unused.rs\ndelete\n";
    check_format(
        None,
        None,
        include_str!("../../fixtures/v4a/session.txt"),
        &format!("{first}\u{20}\n{rest}--\n{first}{rest}"),
    );
}
