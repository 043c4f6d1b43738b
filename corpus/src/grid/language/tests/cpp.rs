use super::super::cpp::LIBRARY;
use super::*;

const TEXT: &str = r#"namespace a::b {

class Rows {
 public:
  // Counts.
  int count(int by) const override {
    auto total = all_.size();
    each([&](const Row &row) {
      total += row.size();
    });
    return total / by;
  }

 private:
  std::vector<Row> all_;
};

template <typename T>
T Rows::Inner<T>::first(
    const std::vector<T> &rows) {
  std::unique_ptr<T> found{rows[0]};
  throw std::move(*found);
}

Rows::~Rows() {
  all_.clear();
}

} // namespace a::b

void Outer::Rows::plain() {
  all_ = {};
}
"#;

#[test]
fn functions_are_found_with_what_belongs_to_them() {
    assert_eq!(
        outlined(LIBRARY.language, TEXT),
        [
            "a.b.Rows.count 5/6-12 [7, 9, 11] home 15 level none",
            "a.b.Rows.Inner<T>.first 18/19-23 [21, 22] home 28 level namespace sf_nested {",
            "Outer.Rows.plain 31/31-33 [32] home 33 level namespace sf_nested {",
        ]
    );
}

#[test]
fn no_edit_and_no_drift_makes_a_fault() {
    assert_eq!(all_is_whole(LIBRARY.language, TEXT), ["nested"]);
}
