use super::*;

fn check(is_terminal: bool, variables: &[(&str, &str)], expected: Colour) {
    let variable = |name: &str| {
        variables
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.into())
    };
    assert_eq!(
        Colour::choose(is_terminal, variable),
        expected,
        "{is_terminal} {variables:?}"
    );
}

#[test]
fn colour_is_for_terminals() {
    check(true, &[], Colour::On);
    check(false, &[], Colour::Off);
    check(true, &[("TERM", "dumb")], Colour::Off);
    check(true, &[("CLICOLOR", "0")], Colour::Off);
    check(true, &[("CLICOLOR", "1")], Colour::On);
}

#[test]
fn no_color_is_stronger_than_force() {
    check(true, &[("NO_COLOR", "1")], Colour::Off);
    check(true, &[("NO_COLOR", "")], Colour::On);
    check(
        true,
        &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")],
        Colour::Off,
    );
    check(false, &[("CLICOLOR_FORCE", "1")], Colour::On);
    check(false, &[("CLICOLOR_FORCE", "0")], Colour::Off);
    check(
        false,
        &[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")],
        Colour::On,
    );
}

#[test]
fn without_colour_text_is_as_it_is() {
    assert_eq!(Colour::Off.paint(Style::Bad, "refused"), "refused");
    assert_eq!(
        Colour::On.paint(Style::Bad, "refused"),
        "\x1b[1;31mrefused\x1b[0m"
    );
}
