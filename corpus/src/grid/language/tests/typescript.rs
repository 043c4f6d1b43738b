use super::super::typescript::LIBRARY;
use super::*;

const TEXT: &str = r#"export function first(rows: Row[]): Row;
export function first(rows: Row[], by?: By): Row {
  const found: Row = rows[0] as Row;
  type Local = string;
  return by!(found);
}

export namespace tools {
  export const note = <T>(text: T): void => {
    console.log(text);
    void text;
  };
}

abstract class Rows<T> {
  @logged()
  protected get sum(): number {
    const total: number = this.all<T>().length;
    return total;
  }
}
"#;

#[test]
fn functions_are_found_with_what_belongs_to_them() {
    assert_eq!(
        outlined(LIBRARY.language, TEXT),
        [
            "first 2/2-6 [3, 5] home 21 level none",
            "tools.note 9/9-12 [10, 11] home 12 level none",
            "Rows.sum 16/17-20 [18, 19] home 20 level none",
        ]
    );
}

#[test]
fn no_edit_and_no_drift_makes_a_fault() {
    assert_eq!(all_is_whole(LIBRARY.language, TEXT), ["nested"]);
}
