use super::*;

/// Returns what three places make of the settings: a file's text, variables, options.
fn settle(file: &str, variables: &[(&str, &str)], options: &[&str]) -> Result<Settings, String> {
    use clap::Parser as _;

    let written: Written = toml::from_str(file).map_err(|error| error.message().to_owned())?;
    let variables = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.into()));
    let line = ["surefoot", "apply"].iter().chain(options);
    let crate::args::Command::Apply(arguments) = crate::args::Arguments::parse_from(line).command
    else {
        return Err("not apply".to_owned());
    };
    let said = |trouble: Trouble| format!("{trouble:?}");
    let layers = [
        written.layer()?,
        from_environment(variables).map_err(said)?,
        from_arguments(&arguments).map_err(said)?,
    ];
    Ok(layers
        .into_iter()
        .fold(Settings::preset(), Settings::outweighed_by))
}

fn check(file: &str, variables: &[(&str, &str)], options: &[&str], expected: Settings) {
    assert_eq!(
        settle(file, variables, options),
        Ok(expected),
        "{file} {variables:?} {options:?}"
    );
}

fn check_refused(file: &str, variables: &[(&str, &str)], options: &[&str], part: &str) {
    let refused = settle(file, variables, options).unwrap_err();
    assert!(refused.contains(part), "{refused}");
}

fn with_policy(policy: Policy) -> Settings {
    Settings {
        policy,
        ..Settings::preset()
    }
}

#[test]
fn nothing_set_is_balanced_text_and_any_format() {
    check("", &[], &[], Settings::preset());
    let settings = Settings::preset();
    assert_eq!(settings.policy, Policy::BALANCED);
    assert_eq!(
        (settings.format, settings.output),
        (None, OutputFormat::Text)
    );
}

#[test]
fn the_environment_outweighs_the_file_and_options_outweigh_both() {
    let strict = with_policy(Policy::STRICT);
    let robust = with_policy(Policy::ROBUST);
    check("policy = 'strict'", &[], &[], strict.clone());
    check("policy = 'robust'", &[("POLICY", "strict")], &[], strict);
    check(
        "policy = 'strict'",
        &[("POLICY", "balanced")],
        &["--policy", "robust"],
        robust,
    );
}

#[test]
fn naming_a_policy_forgets_the_dials_of_lighter_places() {
    check(
        "floor = 0.5",
        &[],
        &["--policy", "robust"],
        with_policy(Policy::ROBUST),
    );
    let lower = Policy {
        floor: Score(700),
        ..Policy::ROBUST
    };
    check(
        "policy = 'robust'",
        &[("FLOOR", "0.7")],
        &[],
        with_policy(lower),
    );
    check(
        "",
        &[("FLOOR", "0.5")],
        &["--policy", "robust", "--floor", "0.7"],
        with_policy(lower),
    );
}

#[test]
fn each_dial_can_be_set_in_each_place() {
    let policy = Policy {
        min_anchor: 3,
        floor: Score(800),
        margin: Score(100),
        ..Policy::BALANCED
    };
    let all = Settings {
        policy,
        allow: vec!["src/**".to_owned(), "*.md".to_owned()],
        format: Some("v4a".to_owned()),
        output: OutputFormat::Json,
    };
    let file = "min_anchor = 3\nfloor = 0.8\nmargin = 0.1\nallow = ['src/**', '*.md']\n\
        format = 'v4a'\noutput_format = 'json'\n";
    check(file, &[], &[], all.clone());
    let variables = [
        ("MIN_ANCHOR", "3"),
        ("FLOOR", "0.8"),
        ("MARGIN", "0.1"),
        ("ALLOW", "src/**:*.md"),
        ("FORMAT", "v4a"),
        ("OUTPUT_FORMAT", "json"),
    ];
    check("", &variables, &[], all.clone());
    let options = [
        "--min-anchor=3",
        "--floor=0.8",
        "--margin=0.1",
        "--allow=src/**",
        "--allow=*.md",
        "--format=v4a",
        "--json",
    ];
    check("", &[], &options, all);
}

#[test]
fn a_weightier_place_takes_a_format_back() {
    check(
        "format = 'v4a'",
        &[],
        &["--format", "auto"],
        Settings::preset(),
    );
    check(
        "output_format = 'json'",
        &[],
        &["--output-format", "text"],
        Settings::preset(),
    );
}

#[test]
fn an_empty_variable_sets_nothing() {
    check(
        "",
        &[("POLICY", ""), ("FLOOR", "")],
        &[],
        Settings::preset(),
    );
}

#[test]
fn a_variable_of_another_program_is_no_setting() {
    check("", &[("SHELL_TOOL", "1")], &[], Settings::preset());
}

#[test]
fn a_setting_that_is_none_is_refused() {
    check_refused("polcy = 'strict'", &[], &[], "unknown field `polcy`");
    check_refused("policy = 'lax'", &[], &[], "no policy is named `lax`");
    check_refused("policy = 3", &[], &[], "invalid type");
    check_refused("min_anchor = 0", &[], &[], "1 or more");
    check_refused("min_anchor = -1", &[], &[], "invalid value");
    check_refused(
        "floor = 1.5",
        &[],
        &[],
        "`floor` must be a number from 0 to 1",
    );
    check_refused("floor = nan", &[], &[], "`floor` must be");
    check_refused(
        "output_format = 'sarif'",
        &[],
        &[],
        "no report is named `sarif`",
    );
    check_refused("policy =", &[], &[], "");
    check_refused("", &[("POLICY", "lax")], &[], "no policy is named `lax`");
    check_refused("", &[("MIN_ANCHOR", "0")], &[], "1 or more");
    check_refused("", &[("MIN_ANCHOR", "many")], &[], "1 or more");
    check_refused("", &[("FLOOR", "90%")], &[], "from 0 to 1");
    check_refused("", &[], &["--policy", "lax"], "no policy is named `lax`");
}
