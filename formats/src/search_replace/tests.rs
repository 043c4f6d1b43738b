use crate::testing::check_format;

const NAME: Option<&str> = Some("search-replace");

fn check(input: &str, expected: &str) {
    check_format(NAME, None, input, expected);
}

#[test]
fn the_path_stands_above_inside_or_beside_the_fence() {
    let read = "a.py\n@\n-x\n+y\n";
    let block = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n";
    check(&format!("a.py\n{block}"), read);
    check(&format!("a.py\n```python\n{block}```\n"), read);
    check(&format!("```python\na.py\n{block}```\n"), read);
    check(&format!("```python a.py\n{block}```\n"), read);
    check(&format!("```a.py\n{block}```\n"), read);
    check(
        &format!("### `a.py`\n\nHere it is:\n```\n{block}```\n"),
        read,
    );
    check(&format!("a.py\n\n```\n{block}```\n"), read);
    check(
        block,
        "Malformed: line 1: nothing above the block names its file",
    );
    check_format(NAME, Some("a.py"), block, "~/a.py\n@\n-x\n+y\n");
    check_format(NAME, Some("b.py"), &format!("a.py\n{block}"), read);
    check_format(
        NAME,
        Some("a.py"),
        &format!("Changes:\n{block}"),
        "~/a.py\n@\n-x\n+y\n",
    );
}

#[test]
fn a_later_block_is_for_the_file_before() {
    let block = |n: u8| format!("<<<<<<< SEARCH\nx{n}\n=======\ny{n}\n>>>>>>> REPLACE\n");
    let both = "a.py\n@\n-x1\n+y1\n@\n-x2\n+y2\n";
    let apart = "a.py\n@\n-x1\n+y1\nb.py\n@\n-x2\n+y2\n";
    let (one, two) = (block(1), block(2));
    check(&format!("a.py\n```\n{one}{two}```\n"), both);
    check(
        &format!("a.py\n```\n{one}```\n\nAnd then:\n```\n{two}```\n"),
        both,
    );
    check(
        &format!("a.py\n```\n{one}```\n\na.py\n```\n{two}```\n"),
        both,
    );
    check(
        &format!("a.py\n```\n{one}```\n\nb.py\n```\n{two}```\n"),
        apart,
    );
    check(
        &format!("src/a.py\n{one}Next, in a.py:\n{two}"),
        &both.replace("a.py", "src/a.py"),
    );
    check(
        &format!("a.py\n{one}\nNow we have to change b.py too:\n\n{two}"),
        "Malformed: line 10: the text above the block names `b.py`, the block before is for `a.py`; \
         put the path alone on the line above",
    );
}

#[test]
fn every_family_of_markers_is_read() {
    let read = "a.py\n@\n-x\n+y\n";
    check("a.py\n<<<<< SEARCH\nx\n=====\ny\n>>>>> REPLACE\n", read);
    check(
        "a.py\n<<<<<<<<< SEARCH\nx\n=========\ny\n>>>>>>>>> REPLACE\n",
        read,
    );
    check(
        "a.py\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n",
        read,
    );
    check(
        "a.py\n------- SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
        read,
    );
    check(
        "a.py\n<<<<<<< SEARCH>\nx\n=======\ny\n>>>>>>> REPLACE\n",
        read,
    );
    check(
        "a.py\n<<<<<<< ORIGINAL\nx\n=======\ny\n>>>>>>> UPDATED\n",
        read,
    );
    check("a.py\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> updated\n", read);
    check("a.py\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n", read);
    check("a.py\n<<<<\nx\n====\ny\n>>>>\n", read);
    check("a.py\n<<< SEARCH\nx\n===\ny\n>>> REPLACE\n", read);
    check("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE", read);
    check(
        "a.py\r\n<<<<<<< SEARCH\r\nx\r\n=======\r\ny\r\n>>>>>>> REPLACE\r\n",
        "a.py\n@\n-x\r\n+y\r\n",
    );
    check(
        "a.py\n<<<<<<< SEARCH line=\"4\"\nx\n=======\ny\n>>>>>>> REPLACE\n",
        "a.py\n@4\n-x\n+y\n",
    );
}

#[test]
fn empty_sides_create_and_delete() {
    check(
        "a.py\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE\n",
        "a.py\ncreate Malformed \"y\\n\"\n",
    );
    check(
        "a.py\n<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE\n",
        "a.py\n@\n-x\n",
    );
    check(
        "a.py\n<<<<<<< SEARCH\nx\n=======\nx\n>>>>>>> REPLACE\n",
        "a.py\n@\n x\n",
    );
    check(
        "a.py\n<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n",
        "Malformed: line 2: both sides of the block are empty",
    );
}

#[test]
fn headers_are_hints() {
    let read = "a.py\n@4\n-x\n+y\n";
    let block =
        |header: &str| format!("a.py\n<<<<<<< SEARCH\n{header}x\n=======\ny\n>>>>>>> REPLACE\n");
    check(&block(":start_line:4\n-------\n"), read);
    check(&block(":start_line: 4\n:end_line: 4\n-------\n"), read);
    check(&block(":start_line:4\n"), read);
    check(&block(":start_line=4\n-------\n"), read);
    check(&block(":start_line>4\n-------\n"), read);
    check(&block("start_line: 4\n-------\n"), read);
    check(
        &block("start_line: 4\n"),
        "a.py\n@\n-start_line: 4\n-x\n+y\n",
    );
    check(
        &block(":start_line:4\n-------\n-------\n"),
        "a.py\n@4\n--------\n-x\n+y\n",
    );
    check(
        &block("-------\n"),
        "a.py\n@\n--------\n-x\n+y\n--\na.py\n@\n-x\n+y\n",
    );
}

#[test]
fn escaped_markers_are_text() {
    let head = "a.md\n<<<<<<< SEARCH\n";
    let tail = "\\=======\n=======\ny\n>>>>>>> REPLACE\n";
    check(
        &format!("{head}:start_line:4\n-------\n{tail}"),
        "a.md\n@4\n-=======\n+y\n",
    );
    check(
        &format!("{head}{tail}"),
        "a.md\n@\n-\\=======\n+y\n--\na.md\n@\n-=======\n+y\n",
    );
}

#[test]
fn several_dividers_are_several_readings() {
    check(
        "a.rst\n<<<<<<< SEARCH\nOld\n=======\nNew and\n=======\ny\n>>>>>>> REPLACE\n",
        "a.rst\n@\n-Old\n+New and\n+=======\n+y\n--\na.rst\n@\n-Old\n-=======\n-New and\n+y\n",
    );
    check(
        "a.rst\n<<<<<<< SEARCH\nLonger\n==========\n=======\nLonger!\n>>>>>>> REPLACE\n",
        "a.rst\n@\n-Longer\n-==========\n+Longer!\n",
    );
    check(
        "a.rst\n<<<<<<< SEARCH\nAbcde\n=====\n=======\ny\n>>>>>>> REPLACE\n",
        "a.rst\n@\n-Abcde\n-=====\n+y\n",
    );
    check(
        "a.rst\n<<<<<<< SEARCH\nx\n======\ny\n>>>>>>> REPLACE\n",
        "a.rst\n@\n-x\n+y\n",
    );
    let many = "=======\nx\n".repeat(9);
    check(
        &format!("a.rst\n<<<<<<< SEARCH\nx\n{many}>>>>>>> REPLACE\n"),
        "Malformed: line 2: the markers allow more readings than can be tried; escape those in the \
         text with a backslash",
    );
}

#[test]
fn what_is_not_closed_or_divided_is_refused() {
    let check = |body: &str, expected: &str| {
        check(
            &format!("a.py\n{body}"),
            &format!("Malformed: line {expected}"),
        );
    };
    check(
        "<<<<<<< SEARCH\nx\n=======\ny\n",
        "2: the block is never closed: the input is cut off",
    );
    check(
        "<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n",
        "2: the block has no line that divides old from new",
    );
    check(
        "<<<<<<< SEARCH\nx\n=======\ny\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
        "2: the block is not closed before the next one begins in line 6",
    );
    check(
        "<<<<<<< SEARCH\nx\n=======\ny\n<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
        "2: line 6, inside of the block, looks like the marker of another one; escape it with a backslash",
    );
    check(
        "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n>>>>>>> REPLACE\n",
        "2: lines 6 and 7 both look like the end of the block; escape one with a backslash",
    );
    check(
        "<<<<<<< SEARCH\nx\n=======\n=======\ny\n>>>>>>> REPLACE\n",
        "2: two dividers follow each other; escape the one in the text with a backslash",
    );
    check(
        ">>>>>>> REPLACE\n",
        "2: a block's marker stands outside of all blocks",
    );
    check(
        "<<<<<<< SEARCH for it\n",
        "2: a block's marker stands outside of all blocks",
    );
}

#[test]
fn conflicts_in_the_file_are_text() {
    let conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n";
    check(
        &format!("a.c\n<<<<<<< SEARCH\n{conflict}=======\na\n>>>>>>> REPLACE\n"),
        "a.c\n@\n-<<<<<<< HEAD\n a\n-=======\n-b\n->>>>>>> topic\n",
    );
    check(
        &format!("a.c\n<<<<<<< SEARCH\na\n=======\n{conflict}>>>>>>> REPLACE\n"),
        "a.c\n@\n+<<<<<<< HEAD\n a\n+=======\n+b\n+>>>>>>> topic\n",
    );
    check(
        "a.c\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> topic\n=======\nc\n>>>>>>> REPLACE\n",
        "a.c\n@\n-a\n+b\n+>>>>>>> topic\n+=======\n+c\n--\n\
         a.c\n@\n-a\n-=======\n-b\n->>>>>>> topic\n+c\n",
    );
}

#[test]
fn listings_and_lists_are_second_readings() {
    check(
        "a.py\n<<<<<<< SEARCH\n3 | x\n=======\n3 | y\n>>>>>>> REPLACE\n",
        "a.py\n@\n-3 | x\n+3 | y\n--\na.py\n@3\n-x\n+y\n",
    );
    check(
        "1. Do:\n\n   a.py\n   <<<<<<< SEARCH\n   x\n   =======\n   y\n   >>>>>>> REPLACE\n",
        "a.py\n@\n-   x\n+   y\n--\na.py\n@\n-x\n+y\n",
    );
}

#[test]
fn an_answer_with_several_files_is_read() {
    check(
        include_str!("../../fixtures/search-replace/answer.txt"),
        "conf/limits.toml\n@\n [upload]\n retries = 3\n+max_bytes = 1_048_576\n\
         src/upload.py\n@\n def load(settings):\n-    return Upload(settings[\"retries\"])\n\
         +    return Upload(settings[\"retries\"], settings[\"max_bytes\"])\n\
         @\n     def send(self, data):\n+        if len(data) > self.max_bytes:\n\
         +            raise TooLarge(len(data))\n         self.open()\n\
         docs/upload.rst\n@\n Uploads\n ========\n \n-Nothing is checked.\n\
         +A file above ``max_bytes`` is refused.\n\
         tests/test_upload.py\ncreate Malformed \"def test_large_files_are_refused():\\n    ...\\n\"\n",
    );
}
