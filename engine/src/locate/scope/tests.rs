use super::*;

fn resolved(file: &str, scopes: &[&str]) -> Result<Range<usize>, &'static str> {
    let file = File::new(file.as_bytes());
    let scopes: Vec<BString> = scopes.iter().map(|scope| (*scope).into()).collect();
    resolve(&file, &scopes, &Budget::for_bytes(0)).map_err(|reason| reason.code())
}

#[test]
fn a_scope_ends_before_the_next_line_that_is_no_deeper() {
    let python = "class A:\n    def f(self):\n        x\n\n    def g(self):\n        x\n\nclass B:\n    def f(self):\n        x\n";
    assert_eq!(resolved(python, &["class A:"]), Ok(0..7));
    assert_eq!(resolved(python, &["class A"]), Ok(0..7));
    assert_eq!(resolved(python, &["class A:", "def f(self):"]), Ok(1..4));
    assert_eq!(
        resolved(python, &["class B:", "    def f(self):"]),
        Ok(8..10)
    );
    assert_eq!(resolved(python, &["def f(self):"]), Err("ambiguous"));
    assert_eq!(resolved(python, &["class C:"]), Err("not-found"));
    assert_eq!(resolved(python, &["class"]), Err("ambiguous"));
    assert_eq!(resolved("classes:\n", &["class"]), Err("not-found"));
}

#[test]
fn closers_and_the_rest_of_a_header_belong_to_the_scope() {
    assert_eq!(
        resolved("fn a() {\n  x\n}\nfn b() {\n  x\n}\n", &["fn a() {"]),
        Ok(0..3)
    );
    assert_eq!(
        resolved("void a()\n{\n  x\n}\nvoid b()\n{\n}\n", &["void a()"]),
        Ok(0..4)
    );
    assert_eq!(
        resolved("def f(\n    a,\n) -> int:\n    x\ny\n", &["def f("]),
        Ok(0..4)
    );
    assert_eq!(
        resolved("f(() => {\n  x\n});\ny\n", &["f(() => {"]),
        Ok(0..3)
    );
}

#[test]
fn headers_go_outwards_and_skip_lone_brackets() {
    let file =
        File::new(b"class A\n{\n    void f()\n    {\n        // note\n        x;\n    }\n}\n");
    assert_eq!(headers(&file, 5, &Budget::for_bytes(0)).unwrap(), [2, 0]);
    assert_eq!(
        headers(&file, 0, &Budget::for_bytes(0)).unwrap(),
        [0usize; 0]
    );
}

fn agrees(file: &str, heading: &str, first: usize) -> bool {
    let file = File::new(file.as_bytes());
    heading_agrees(&file, heading.as_bytes(), first, 1, &Budget::for_bytes(0)).unwrap()
}

#[test]
fn a_heading_fits_below_its_line_until_the_next_of_its_kind() {
    let file = "def a():\n    x\n    y\n\ndef b():\n    x\n    y\n";
    assert!(agrees(file, "def a():", 1));
    assert!(agrees(file, "def a():", 2));
    assert!(!agrees(file, "def a():", 6));
    assert!(agrees(file, "def b():", 6));
    assert!(!agrees(file, "def b():", 2));
    assert!(!agrees(file, "def c():", 2));
    assert!(agrees(
        "  def long_name(with, many):\n    x\n",
        "def long_name(wi",
        1
    ));
}
