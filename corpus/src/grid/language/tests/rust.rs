use super::super::rust::LIBRARY;
use super::*;

const TEXT: &str = r#"//! Text.

#[derive(Debug)]
struct Rows<T>(Vec<T>);

impl<T> Rows<T> {
    /// Counts.
    #[inline]
    pub fn count(&self, by: usize) -> usize {
        let all = self.0.len();
        if by == 0 { return all; }
        let text = "a
            b";
        self.note(text); // Behind.
        let Some(part) = all.checked_div(by) else {
            return b'x'.into();
        };
        println!("{part}");
        part
    }
}

fn outer() -> usize {
    fn inner(value: usize) -> usize {
        let one = 1;
        let two = one + value;
        two + one
    }
    inner(2)
}
"#;

#[test]
fn functions_are_found_with_what_belongs_to_them() {
    assert_eq!(
        outlined(LIBRARY.language, TEXT),
        [
            "Rows.count 7/9-20 [10, 18] home 20 level none",
            "outer 23/23-30 [] home 30 level mod sf_nested {",
            "outer.inner 24/24-28 [25, 26] home none level mod sf_nested {",
        ]
    );
}

#[test]
fn no_edit_and_no_drift_makes_a_fault() {
    let unfit = all_is_whole(LIBRARY.language, TEXT);
    assert_eq!(unfit, ["function-moved", "nested"]);
}
