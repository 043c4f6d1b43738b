use super::*;

#[test]
fn brackets_blanks_and_lone_keywords_say_nothing() {
    for line in [
        "",
        "  ",
        "}",
        "});",
        "  else {",
        "end",
        "return None",
        "} finally {",
        "pass",
        "`",
    ] {
        assert!(!is_informative(line.as_bytes()), "{line:?}");
    }
    for line in [
        "x",
        "return x",
        "else if a",
        "b",
        "7",
        "é",
        "end_of_line()",
        "} else if (n) {",
    ] {
        assert!(is_informative(line.as_bytes()), "{line:?}");
    }
}

fn check(file: &str, anchor: &[&str], expected: &[usize]) {
    let file = File::new(file.as_bytes());
    let anchor: Vec<&[u8]> = anchor.iter().map(|line| line.as_bytes()).collect();
    assert_eq!(
        depth_twins(&file, &anchor, &Budget::for_bytes(0)).unwrap(),
        expected
    );
}

#[test]
fn a_twin_is_shifted_by_the_same_on_every_line() {
    check("a:\n  b\n  a:\n    b\n", &["a:", "  b"], &[2]);
    check("  a:\n    b\n", &["a:", "  b"], &[0]);
    check("a:\n  b\n", &["a:", "  b"], &[]);
    check("  a:\n  b\n", &["a:", "  b"], &[]);
    check("\ta:\n\n\t  b\n", &["a:", "", "  b"], &[0]);
}
