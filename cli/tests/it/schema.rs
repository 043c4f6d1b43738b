//! Every report is what `surefoot schema` says, field by field.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::scratch::{Scratch, finish, surefoot};

/// Checks `value` against the part of JSON Schema that our schema uses. Unknown keywords fail, so
/// that a schema that says more than is checked here is noticed.
fn check(schema: &Value, value: &Value, root: &Value, at: &str) {
    let schema = schema
        .as_object()
        .unwrap_or_else(|| panic!("{at}: {schema}"));
    for (keyword, said) in schema {
        match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" | "format" => {}
            "$ref" => {
                let name = said.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                check(&root["$defs"][name], value, root, at);
            }
            "type" => check_type(said, value, at),
            "minimum" => assert!(
                value.as_f64() >= said.as_f64() || value.is_null(),
                "{at}: {value}"
            ),
            "minItems" => assert!(len(value) >= said.as_u64(), "{at}: {value}"),
            "maxItems" => assert!(len(value) <= said.as_u64(), "{at}: {value}"),
            "enum" => assert!(said.as_array().unwrap().contains(value), "{at}: {value}"),
            "const" => assert_eq!(said, value, "{at}"),
            "items" => {
                for (n, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(said, item, root, &format!("{at}[{n}]"));
                }
            }
            "anyOf" | "oneOf" => {
                let fits = said
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|one| fits(one, value, root));
                assert!(fits, "{at}: {value}");
            }
            "required" => {
                for name in said.as_array().unwrap() {
                    assert!(
                        value.get(name.as_str().unwrap()).is_some(),
                        "{at}: no {name}"
                    );
                }
            }
            "properties" => check_properties(said, value, root, at),
            other => panic!("{at}: the keyword {other} is not checked"),
        }
    }
}

fn check_properties(said: &Value, value: &Value, root: &Value, at: &str) {
    for (name, value) in value.as_object().unwrap() {
        let schema = said
            .get(name)
            .unwrap_or_else(|| panic!("{at}: {name} is not in the schema"));
        check(schema, value, root, &format!("{at}.{name}"));
    }
}

fn check_type(said: &Value, value: &Value, at: &str) {
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{at}: type {other}"),
    };
    let names: Vec<&str> = match said {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        name => name.as_str().into_iter().collect(),
    };
    assert!(names.into_iter().any(is), "{at}: {value} is no {said}");
}

fn fits(schema: &Value, value: &Value, root: &Value) -> bool {
    match schema {
        Value::Object(map) if map.contains_key("const") => map["const"] == *value,
        Value::Object(map) if map.get("type") == Some(&"null".into()) => value.is_null(),
        schema => {
            // Our alternatives are null, one word, or something that is not null.
            if value.is_null() {
                return false;
            }
            check(schema, value, root, "alternative");
            true
        }
    }
}

fn len(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}

fn schema() -> Value {
    let mut command = surefoot();
    finish(command.arg("schema"), b"").report()
}

#[test]
fn every_kind_of_report_is_as_the_schema_says() {
    let schema = schema();
    let scratch = Scratch::git(&[
        ("a.py", "x = 1\nif y:\n    x = 1\nz = 3\n"),
        ("b.py", "b = 1\n"),
    ]);
    let edits = [
        // Lands, with a stated place.
        "--- a/a.py\n+++ b/a.py\n@@ -9 +9 @@\n-z = 3\n+z = 4\n",
        // Two places.
        r#"{"path":"a.py","old":"x = 1","new":"x = 2"}"#,
        // Nowhere.
        r#"{"path":"a.py","old":"x = 1\nif z:\n","new":"x = 2\n"}"#,
        // No proof of the place.
        r#"{"path":"a.py","lines":[1,1],"new":"x = 2"}"#,
        // No file; no edit at all.
        r#"{"path":"none.py","old":"x = 1","new":"x = 2"}"#,
        "",
        // A rename, a creation and a deletion.
        "diff --git a/b.py b/c.py\nsimilarity index 100%\nrename from b.py\nrename to c.py\n",
        "--- /dev/null\n+++ b/d.py\n@@ -0,0 +1 @@\n+d = 1\n",
        "--- a/a.py\n+++ /dev/null\n@@ -1,4 +0,0 @@\n-x = 1\n-if y:\n-    x = 1\n-z = 3\n",
    ];
    let mut outcomes = BTreeSet::new();
    for edit in edits {
        let done = scratch.apply(&["--json", "--check"], edit);
        let report = done.report();
        check(&schema, &report, &schema, "report");
        let outcome = report["outcome"].as_str().unwrap().to_owned();
        assert_eq!(done.status, i32::from(outcome == "refused"), "{done:?}");
        assert_eq!(
            outcome == "refused",
            !report["refusals"].as_array().unwrap().is_empty()
        );
        outcomes.insert(outcome);
    }
    assert_eq!(outcomes.len(), 2, "both outcomes must occur");
}

#[test]
fn the_schema_names_every_field_of_the_contract() {
    let schema = schema();
    let names = |name: &str| -> BTreeSet<String> {
        let part = if name.is_empty() {
            &schema
        } else {
            &schema["$defs"][name]
        };
        part["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    let check = |name: &str, fields: &[&str]| {
        let wanted: BTreeSet<String> = fields.iter().map(|field| (*field).to_owned()).collect();
        assert_eq!(names(name), wanted, "{name}");
    };
    let top = [
        "version",
        "outcome",
        "written",
        "transaction",
        "format",
        "policy",
        "files",
        "recoveries",
        "warnings",
        "refusals",
    ];
    check("", &top);
    check(
        "FileReport",
        &["path", "action", "from", "before", "after", "hunks"],
    );
    let hunk = [
        "hunk",
        "tier",
        "evidence",
        "lines",
        "offset",
        "similarity",
        "runner_up",
        "reindent",
        "scope",
    ];
    check("HunkReport", &hunk);
    check("WarningReport", &["code", "path", "message"]);
    check(
        "RefusalReport",
        &["code", "path", "hunk", "message", "candidates", "fix"],
    );
    let candidate = [
        "lines",
        "similarity",
        "text",
        "scope",
        "first_difference",
        "distinguish",
        "distinguish_side",
    ];
    check("CandidateReport", &candidate);
    check("DifferenceReport", &["line", "wanted", "found"]);
}
