use super::*;

#[test]
fn placeholders_are_told_from_comments() {
    for line in [
        "...",
        "  ...",
        "…",
        "// ...",
        "# ...",
        "// ... existing code ...",
        "# ... rest of the function",
        "/* ... */",
        "<!-- ... -->",
        "{/* ... existing code ... */}",
        "// rest of the function",
        "# existing code here...",
        "// ... (unchanged)",
        "-- ... rest of file",
        "// Rest of the code",
        "// remaining methods unchanged",
        "# unchanged code",
        "// ... existing parser code ...",
        "# ... same as before",
    ] {
        assert!(is_placeholder(line.as_bytes()), "{line:?}");
    }
    for line in [
        "x...",
        "f(...)",
        "...args",
        "// see RFC 7231",
        "# TODO: the rest of the cases",
        "// wait for the others...",
        "#include <x>",
        "// other threads may hold the lock",
        "# existing users keep their quota",
        "print('...')",
        "## ...and so on, as Alice said to Bob and all of the others, twice",
        "// remaining bytes in the buffer",
        "// generate code...",
        "# same as above",
        "",
        "//",
        "# previous value, for undo",
    ] {
        assert!(!is_placeholder(line.as_bytes()), "{line:?}");
    }
}

#[test]
fn a_bare_ellipsis_is_code_where_it_is_a_blocks_whole_body() {
    let lines: [&[u8]; 4] = [b"def f():", b"    ...", b"", b"def g():"];
    assert!(is_body(&lines, 1));
    assert!(!is_body(&[b"def f():", b"    ...", b"    x"], 1));
    assert!(!is_body(&[b"    a", b"    ..."], 1));
    assert!(!is_body(&[b"..."], 0));
}
