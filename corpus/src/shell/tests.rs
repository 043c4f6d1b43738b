use super::*;

fn row(page: &str, raw: &str) -> Row {
    Row {
        page: page.to_owned(),
        index: 0,
        raw: raw.to_owned(),
    }
}

#[test]
fn placeholders_are_filled_in() {
    let check = |raw: &str, expected: Option<&str>| {
        assert_eq!(render(raw, Dialect::Long).as_deref(), expected, "{raw}");
    };
    check(
        "x {{[-a|--all]}} {{path/to/file}}",
        Some("x --all path/to/file"),
    );
    check("x {{one|two}} {{file[.gz|.xz]}}", Some("x one file"));
    check("x {{a b ...}} -n{{5}}", Some("x a b -n5"));
    check("x '\\{\\{.Name\\}\\}'", Some("x '{{.Name}}'"));
    check("x ${{{name}}}", Some("x ${name}"));
    check("x --{{n}}", None);
    check("x <Enter>", None);
    check("x < {{file}} > {{other}}", Some("x < file > other"));
    assert_eq!(
        render("x {{[-a|--all]}}", Dialect::Short).as_deref(),
        Some("x -a")
    );
}

#[test]
fn the_tool_and_its_subcommand_are_found() {
    let check = |page: &str, raw: &str, tool: &str, subcommands: &[&str], path: &str| {
        let command = row(page, raw).command().unwrap();
        assert_eq!(command.tool, tool);
        assert_eq!(command.subcommands, subcommands);
        assert_eq!(command.text.get(..command.path_end), Some(path));
    };
    check(
        "frob-make-all",
        "sudo -E A=b frob make-all -x",
        "frob",
        &["make-all"],
        "sudo -E A=b frob make-all",
    );
    check("frob", "frob make -x", "frob", &[], "frob");
    check("frob-make", "frob -C x make", "frob", &[], "frob");
}

#[test]
fn flags_end_where_the_command_does() {
    let command = row("frob", "frob -a --bee=c x -- -d | other -e")
        .command()
        .unwrap();
    assert_eq!(command.flags(), ["-a", "--bee"]);
}

#[test]
fn choices_follow_from_the_text_alone() {
    let command = row("frob-make", "frob make -v --colour-mode x 'y'")
        .command()
        .unwrap();
    let pool = vec![("other".to_owned(), "quux".to_owned())];
    for kind in Kind::ALL {
        let first = mutants(&command, kind, &pool);
        assert_eq!(first, mutants(&command, kind, &pool));
        assert!(!first.is_empty(), "{kind:?}");
        for mutant in first {
            assert_ne!(mutant.text, command.text);
        }
    }
    let long = mutants(&command, Kind::Long, &pool);
    assert!(
        long.iter()
            .all(|mutant| mutant.text.starts_with("frob make --"))
    );
}

#[test]
fn an_extract_and_a_page_give_rows() {
    let extract = "{\"_\":\"whose it is\"}\n[\"c\",\"frob\",0,\"frob {{x}}\"]\nnonsense\n";
    assert_eq!(rows(extract), [row("frob", "frob {{x}}")]);
    assert_eq!(
        page_rows("frob", "# frob\n\n- Do:\n\n`frob {{x}}`\n"),
        [row("frob", "frob {{x}}")]
    );
}

#[test]
fn names_are_looked_for_where_commands_begin() {
    let command = row(
        "a",
        "sudo -E A=b a x | c 'd | e' && (f) | xargs -n 1 g; h=$(i)",
    )
    .command()
    .unwrap();
    assert_eq!(command.names(), ["sudo", "a", "c", "f", "xargs", "g", "i"]);
    let bare = command.bare();
    assert_eq!(
        (bare.tool_at, bare.text.get(..bare.path_end)),
        (0, Some("a"))
    );
}
