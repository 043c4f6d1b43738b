use crate::testing::check_format;

fn check(input: &str, expected: &str) {
    check_format(Some("whole-file"), None, input, expected);
}

#[test]
fn documents_give_the_whole_or_delete() {
    check(
        r#"{"path":"a","content":"x\n","base":"0123abc"}"#,
        "~/a base 0123abc\nwrite \"x\\n\"\n",
    );
    check(r#"{"file_path":"a","content":""}"#, "~/a\nwrite \"\"\n");
    check(
        r#"{"path":"a","delete":true,"base":"0123abc"}"#,
        "~/a base 0123abc\ndelete\n",
    );
    check(
        r#"{"path":"a","delete":false}"#,
        "Malformed: line 1: the object names no change: no old text, lines or content",
    );
    check(
        r#"{"path":"a","delete":true,"content":"x"}"#,
        "Malformed: line 1: the object names two kinds of change at once",
    );
}

#[test]
fn listings_have_the_path_above_the_fence() {
    check("a.py\n```python\nx\n```\n", "a.py\nwrite \"x\\n\"\n");
    check(
        "Here:\n\n**a.py**\n```\n\n```\nand\n\nb.py\n~~~\n```\n~~~\n",
        "a.py\nwrite \"\\n\"\nb.py\nwrite \"```\\n\"\n",
    );
    check_format(
        Some("whole-file"),
        Some("a"),
        "```\nx\n```\n",
        "~/a\nwrite \"x\\n\"\n",
    );
    check(
        "a.py\n```\nx\n",
        "Malformed: line 2: the code block is never closed: the input is cut off",
    );
    check(
        "a.py\n```\nx\n```\na.py\n```\ny\n```\n",
        "Malformed: line 6: two code blocks give the whole of one file",
    );
    check(
        "Run this:\n```\nx\n```\n",
        "Malformed: there is neither JSON nor a code block below a path",
    );
}

#[test]
fn a_listing_keeps_what_looks_like_a_fence() {
    check(
        include_str!("../../fixtures/whole-file/listing.md"),
        "src/main.py\nwrite \"from greet import greet\\n\\nif __name__ == \\\"__main__\\\":\\n    \
         print(greet(\\\"you\\\"))\\n\"\nsrc/greet.py\nwrite \"def greet(name):\\n    \\\"\\\"\\\"Greets.\\n\\n    \
         ```\\n    greet(\\\"x\\\")\\n    ```\\n    \\\"\\\"\\\"\\n    return f\\\"hello {name}\\\"\\n\"\n",
    );
}
