use proptest::prelude::*;

use super::*;

fn outcome(input: &[u8]) -> String {
    match read(input, 0) {
        Ok((value, end)) => format!("{} to {end}", value.noun()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn values_end_where_they_end() {
    let check =
        |input: &str, expected: &str| assert_eq!(outcome(input.as_bytes()), expected, "{input}");
    check("null", "null to 4");
    check(" {\"a\": [1, -2.5e+3, true]} x", "an object to 26");
    check("\"\\u00e9\\ud83d\\ude00\"", "a string to 20");
    check("[]", "an array to 2");
    check("{}", "an object to 2");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let check =
        |input: &str, expected: &str| assert_eq!(outcome(input.as_bytes()), expected, "{input}");
    check("", "line 1: the JSON is cut off: a value is missing");
    check(
        "{\"a\": 1",
        "line 1: the JSON is cut off: `,` or `}` is missing",
    );
    check(
        "{\n\"a\": \"b",
        "line 2: the JSON is cut off: the end of a string is missing",
    );
    check(
        "{\"a\":1,\n\"a\":1}",
        "line 2: the key `a` stands twice in one object",
    );
    check(
        "{\"b\":{\"a\":1,\"\\u0061\":2}}",
        "line 1: the key `a` stands twice in one object",
    );
    check(
        "\"\\ud800\"",
        "line 1: a JSON escape is half of a surrogate pair",
    );
    check(
        "\"\\ud800\\u0041\"",
        "line 1: a JSON escape is half of a surrogate pair",
    );
    check(
        "\"\\udc00\"",
        "line 1: a JSON escape is half of a surrogate pair",
    );
    check(
        "\"\\x\"",
        "line 1: the JSON has `x` instead of an escape that JSON knows",
    );
    check(
        "\"a\nb\"",
        "line 1: a JSON string holds a control byte that must be escaped",
    );
    check(
        "01",
        "line 1: the JSON has `1` instead of a number without leading zero",
    );
    check("[1,]", "line 1: the JSON has `]` instead of a value");
    check(&"[".repeat(200), "line 1: the JSON nests deeper than 64");
}

#[test]
fn bytes_that_are_not_utf8_are_kept() {
    let (value, _) = read(b"\"a\xFFb\"", 0).unwrap();
    assert_eq!(value.kind, Kind::String(b"a\xFFb".into()));
}

/// Says the same with serde_json's types.
fn same(ours: &Value, theirs: &serde_json::Value) -> bool {
    use serde_json::Value as Their;
    match (&ours.kind, theirs) {
        (Kind::Null, Their::Null) => true,
        (Kind::Bool(a), Their::Bool(b)) => a == b,
        (Kind::Number(a), Their::Number(b)) => a.to_string().parse::<f64>().ok() == b.as_f64(),
        (Kind::String(a), Their::String(b)) => a.as_slice() == b.as_bytes(),
        (Kind::Array(a), Their::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Kind::Object(a), Their::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(name, value)| {
                    b.get(&name.to_string())
                        .is_some_and(|other| same(value, other))
                })
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn agrees_with_serde_json(pieces in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "\"\\u0041\\n\"", "1", "-0.5e1", "0", "true", "null",
        "false", " ", "\n", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "é", "\"é\"", "\t", "-", ".", "\"", "\\",
    ]), 0..12)) {
        let text = pieces.concat();
        let ours = read(text.as_bytes(), 0)
            .ok()
            .filter(|(_, end)| text.as_bytes()[*end..].trim_ascii().is_empty());
        let theirs: Option<serde_json::Value> = serde_json::from_str(&text).ok();
        match (ours, theirs) {
            (Some((ours, _)), Some(theirs)) => prop_assert!(same(&ours, &theirs), "{}", text),
            (None, Some(_)) => {
                let twice = read(text.as_bytes(), 0).is_err_and(|e| e.message.contains("twice"));
                prop_assert!(twice, "{}", text);
            }
            (ours, None) => prop_assert!(ours.is_none(), "{}", text),
        }
    }
}
