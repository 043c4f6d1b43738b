use super::super::c::LIBRARY;
use super::*;

const TEXT: &str = r#"#ifndef ROWS_H
#define ROWS_H

/* Counts
   rows. */
static inline unsigned
rows_count(const struct rows *rows, size_t by) {
  size_t total = rows->len / by;
  if (by == 0)
    return 0;
  switch (total) {
    case 1:
      note(rows);
      break;
  }
#ifdef DEBUG
  note(rows);
#endif
  return total;
}

#endif

char **rows_names(void) {
  static char *names[] = {"a"};
  return 'n' ? names : NULL;
}
"#;

#[test]
fn functions_are_found_with_what_belongs_to_them() {
    assert_eq!(
        outlined(LIBRARY.language, TEXT),
        [
            "rows_count 4/6-20 [8, 13, 19] home 21 level none",
            "rows_names 24/24-27 [25] home 27 level none",
        ]
    );
}

#[test]
fn no_edit_and_no_drift_makes_a_fault() {
    assert_eq!(all_is_whole(LIBRARY.language, TEXT), ["nested"]);
}
