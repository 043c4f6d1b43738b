use super::*;

/// A program of a few lines: `$body` answers what it reads, with the id of the request in `$id`.
fn program(body: &str) -> String {
    format!(
        "read hello; echo '{{\"name\":\"x\",\"version\":\"1\",\"formats\":[\"v4a\"]}}'; \
         while read line; do id=$(echo \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/'); {body}; done"
    )
}

fn said(body: &str) -> Result<Said, String> {
    let start = Program::start(&program(body), Duration::from_millis(700));
    let program = start.map_err(|trouble| trouble.to_string())?;
    let request = |id| Request {
        id,
        format: "v4a",
        path: "f",
        file: "",
        edit: "",
        base: None,
    };
    // The second answer shows that the program is still there, or is there again.
    program
        .ask(&request(1))
        .map_err(|trouble| trouble.to_string())?;
    program
        .ask(&request(2))
        .map_err(|trouble| trouble.to_string())
}

#[test]
fn an_answer_is_heard_whatever_came_before_it() {
    let applied = said(r#"echo "{\"id\":$id,\"applied\":\"text\"}""#);
    assert!(matches!(applied, Ok(Said::Answer(Answer::Applied(text), false)) if text == "text"));
    let warned = said(r#"echo "{\"id\":$id,\"refused\":\"no\",\"warnings\":[\"w\"]}""#);
    assert!(matches!(warned, Ok(Said::Answer(Answer::Refused(why), true)) if why == "no"));
    let second = r#"test $id = 1 && exit; echo "{\"id\":$id,\"applied\":\"\"}""#;
    assert!(matches!(
        said(second),
        Ok(Said::Answer(Answer::Applied(_), false))
    ));
}

#[test]
fn a_crash_and_a_time_out_are_told_apart() {
    assert!(matches!(said("exit 3"), Ok(Said::Crashed)));
    assert!(matches!(said("sleep 60"), Ok(Said::TimedOut)));
}

/// What breaks the protocol is the builder's to know, and no outcome.
#[test]
fn an_answer_that_is_none_ends_the_run() {
    for (body, why) in [
        ("echo hello", "expected"),
        (
            r#"echo "{\"id\":77,\"applied\":\"\"}""#,
            "it is for request 77",
        ),
        (r#"echo "{\"id\":$id}""#, "one of"),
    ] {
        let trouble = said(body).unwrap_err();
        assert!(trouble.contains(why), "{trouble}");
    }
    let silent = Program::start("exit", Duration::from_millis(700)).unwrap_err();
    assert!(silent.to_string().contains("ended before"), "{silent}");
}
