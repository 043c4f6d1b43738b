use super::super::javascript::LIBRARY;
use super::*;

const TEXT: &str = r#"import { all } from "./all.js";

/**
 * Counts.
 */
export function count(rows, by) {
  if (by)
    return 0;
  const text = `
    ${rows}`;
  $note(text);
  return "text" + rows.length;
}

class Rows extends Array {
  /** Sums. */
  sum(by = (x) => x) {
    let total = 0;
    this.forEach((row) => {
      total += by(row);
    });
    return total;
  }
}

const later = async (rows) => {
  await rows.settle();
  const one = 1, two = (x) => x;
  throw one;
}; // Behind.

var plain = function () {
  all.call(null, () => {
    later([]);
  });
};
"#;

#[test]
fn functions_are_found_with_what_belongs_to_them() {
    assert_eq!(
        outlined(LIBRARY.language, TEXT),
        [
            "count 3/6-13 [11] home 36 level none",
            "Rows.sum 16/17-23 [18, 20, 22] home 23 level none",
            "later 26/26-30 [] home none level none",
            "plain 32/32-36 [34] home 36 level if (true) {",
        ]
    );
}

#[test]
fn no_edit_and_no_drift_makes_a_fault() {
    assert_eq!(all_is_whole(LIBRARY.language, TEXT), ["nested"]);
}
