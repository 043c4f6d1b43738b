//! What is printed about surefoot itself: formats, schema, completions, manual pages.

use clap::CommandFactory as _;
use surefoot_engine::outcome::Quoted;
use surefoot_formats::FORMATS;

use crate::args::Arguments;
use crate::report::Report;
use crate::trouble::Trouble;

/// Returns a line for each format: its name and what it accepts.
pub(crate) fn formats() -> Vec<u8> {
    let width = FORMATS
        .iter()
        .map(|format| format.name().len())
        .max()
        .unwrap_or_default();
    let row = |name: &str, summary: &str| format!("{name:width$}  {summary}\n");
    FORMATS
        .iter()
        .map(|format| row(format.name(), format.summary()))
        .collect::<String>()
        .into_bytes()
}

/// Returns the JSON schema of the report.
pub(crate) fn schema() -> Result<Vec<u8>, Trouble> {
    let schema = schemars::schema_for!(Report);
    let mut page = serde_json::to_vec_pretty(&schema)
        .map_err(|error| Trouble::new("cannot write the schema", error))?;
    page.push(b'\n');
    Ok(page)
}

/// Returns a completion script.
pub(crate) fn completions(shell: clap_complete::Shell) -> Vec<u8> {
    let mut page = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "surefoot", &mut page);
    page
}

/// Returns the manual page of `command`, or of surefoot as a whole.
///
/// # Errors
///
/// Where there is no such command.
pub(crate) fn man(command: Option<&str>) -> Result<Vec<u8>, Trouble> {
    let mut whole = Arguments::command();
    whole.build();
    let page = match command {
        None => whole,
        Some(name) => {
            let found = whole
                .get_subcommands()
                .find(|sub| sub.get_name() == name)
                .cloned();
            found
                .map(|sub| sub.version(env!("CARGO_PKG_VERSION")))
                .ok_or_else(|| {
                    Trouble::plain(format!("no command is named `{}`", Quoted(name.into())))
                })?
        }
    };
    let mut out = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut out)
        .map_err(|error| Trouble::new("cannot write the manual page", error))?;
    Ok(out)
}
