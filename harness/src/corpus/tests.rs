use super::*;

/// Returns what is said of languages of these names.
fn said(names: &[&str]) -> Result<Vec<&'static str>, String> {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let found = chosen(&names).map_err(|trouble| trouble.to_string())?;
    Ok(found.iter().map(|library| library.language.name).collect())
}

#[test]
fn a_language_that_is_not_there_is_named() {
    let words = said(&["cobol"]).unwrap_err();
    let expected = match LIBRARIES {
        [] => "no language is built in; build with `--features languages`",
        _ => "`cobol` is none of ",
    };
    assert!(words.starts_with(expected), "{words}");
}

#[test]
fn all_languages_are_those_that_are_built_in() {
    let built: Vec<&str> = LIBRARIES.iter().map(|it| it.language.name).collect();
    if let [first, .., last] = built.as_slice() {
        assert_eq!(said(&["all"]).unwrap(), built);
        assert_eq!(said(&[last, first]).unwrap(), [*last, *first]);
    } else {
        assert!(said(&["all"]).is_err());
    }
}
