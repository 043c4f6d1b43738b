//! Lines left out between quoted ones.

use super::*;

#[test]
fn lines_left_out_do_not_leave_what_the_line_above_them_opens() {
    let file = "class A:\n    def a():\n        x = 1\n        return x\n\n    def b():\n        \
                y = 2\n        return y\n";
    let of_b = file.replace("return y", "return z");
    let edit = |body: &str| modify(vec![Hunk::Lines(hunk(body))], Order::Any);
    let go = |body: &str| outcome(&tree(file), edit(body));
    // The header says `a`, and the line below is one of `b`.
    assert_eq!(
        go("     def a():\n ...\n-        return y\n+        return z"),
        Err("not-found")
    );
    // Inside of `b`, and inside of the class, whatever it holds.
    assert_eq!(
        go("     def b():\n ...\n-        return y\n+        return z"),
        Ok(of_b.clone())
    );
    assert_eq!(
        go(" class A:\n ...\n-        return y\n+        return z"),
        Ok(of_b)
    );
    // A line that opens nothing has nothing to be left.
    check_lines(
        "import os\n\ndef f():\n    go(1)\n",
        " import os\n ...\n-    go(1)\n+    go(2)",
        Ok("import os\n\ndef f():\n    go(2)\n"),
    );
}
