use super::super::java::LIBRARY;
use super::*;

const TEXT: &str = r#"package rows;

class Rows {
  Rows(int size) {
    super();
    this.size = size;
    check(size);
  }

  /** Counts. */
  @Override
  @Named("count") public int count(int by)
      throws RowError {
    int total = size / by;
    if (by == 0) return 0;
    switch (total) {
      case 1:
        note(total);
    }
    each(new Each() {
      public void row(Row row) {
        note(row);
        done();
      }
    });
    return total;
  }
}

enum Kind {
  ONE;

  static Kind of(int number) {
    Kind found = ONE;
    return found;
  }
}
"#;

#[test]
fn functions_are_found_with_what_belongs_to_them() {
    assert_eq!(
        outlined(LIBRARY.language, TEXT),
        [
            "Rows.Rows 4/4-8 [6, 7] home 27 level class SfNested {",
            "Rows.count 10/12-27 [14, 18, 26] home 27 level class SfNested {",
            "Rows.count.row 21/21-24 [22, 23] home 24 level class SfNested {",
            "Kind.of 33/33-36 [34, 35] home none level class SfNested {",
        ]
    );
}

#[test]
fn no_edit_and_no_drift_makes_a_fault() {
    let unfit = all_is_whole(LIBRARY.language, TEXT);
    assert_eq!(unfit, ["function-moved"]);
}
