use super::super::go::LIBRARY;
use super::*;

const TEXT: &str = "package rows

// Count counts.
func (r *Rows[T]) Count(by int) (n int, err error) {
\tn = len(r.all) / by
\tif by == 0 {
\t\treturn 0, errDivide
\t}
\ttext := `a
b`
\tgo r.note(text)
\tr.each(func(row T) {
\t\tn++ // Behind.
\t\tr.out <- row
\t})
\treturn
}

func plain() {
\tvar one = 1; var two = 2
\tprintln(one, two)
}
";

#[test]
fn functions_are_found_with_what_belongs_to_them() {
    assert_eq!(
        outlined(LIBRARY.language, TEXT),
        [
            "Rows.Count 3/4-17 [5, 7, 14] home 22 level none",
            "plain 19/19-22 [21] home 22 level none",
        ]
    );
}

#[test]
fn no_edit_and_no_drift_makes_a_fault() {
    let unfit = all_is_whole(LIBRARY.language, TEXT);
    assert_eq!(unfit, ["half-indent", "nested", "tabs"]);
}

#[test]
fn tabs_are_for_indentation_alone() {
    let takes = |text: &str| LIBRARY.language.takes("x.go", text);
    assert!(takes("func f() {\n\t\tg()\n}\n"));
    assert!(!takes("func f() {\n\tg()\t// Behind.\n}\n"));
    assert!(!takes("func f() {\r\n}\r\n"));
}
