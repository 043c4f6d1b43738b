//! Settings: `.surefoot.toml`, then the environment, then options.
//!
//! Naming a policy sets every dial, so that a dial in a lighter place never loosens a policy that a
//! weightier place chose.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice as _};
use serde::Deserialize;
use surefoot_engine::outcome::Quoted;
use surefoot_engine::policy::{Policy, Score};

use crate::args::{ApplyArguments, OutputFormat, SCORE, score, score_of};
use crate::trouble::Trouble;

/// The name of the configuration file.
const FILE: &str = ".surefoot.toml";

/// The largest configuration file that is read, in bytes.
const MOST: u64 = 1 << 20;

/// Every setting, after all places that set them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The dials.
    pub(crate) policy: Policy,
    /// Globs over paths that may be edited; none: all may.
    pub(crate) allow: Vec<String>,
    /// The edits' format; `None`: told from the text.
    pub(crate) format: Option<String>,
    /// How to report.
    pub(crate) output: OutputFormat,
}

impl Settings {
    /// Returns the settings for `arguments` where the search for a file starts in `dir`.
    ///
    /// # Errors
    ///
    /// Where a place cannot be read, names an unknown setting or has a value out of bounds.
    pub(crate) fn load(arguments: &ApplyArguments, dir: &Path) -> Result<Self, Trouble> {
        let variables = std::env::vars_os().filter_map(|(name, value)| {
            Some((
                name.into_string()
                    .ok()?
                    .strip_prefix("SUREFOOT_")?
                    .to_owned(),
                value,
            ))
        });
        let layers = [
            nearest(dir)?.map_or_else(|| Ok(Layer::default()), |path| from_file(&path))?,
            from_environment(variables)?,
            from_arguments(arguments)?,
        ];
        Ok(layers.into_iter().fold(Self::preset(), Self::outweighed_by))
    }

    fn preset() -> Self {
        let (allow, format) = (Vec::new(), None);
        Self {
            policy: Policy::BALANCED,
            allow,
            format,
            output: OutputFormat::Text,
        }
    }

    fn outweighed_by(self, layer: Layer) -> Self {
        let mut policy = layer.policy.unwrap_or(self.policy);
        policy.min_anchor = layer.min_anchor.unwrap_or(policy.min_anchor);
        policy.floor = layer.floor.unwrap_or(policy.floor);
        policy.margin = layer.margin.unwrap_or(policy.margin);
        Self {
            policy,
            allow: layer.allow.unwrap_or(self.allow),
            format: layer
                .format
                .map_or(self.format, |name| (name != "auto").then_some(name)),
            output: layer.output.unwrap_or(self.output),
        }
    }
}

/// What one place sets.
#[derive(Clone, Debug, Default)]
struct Layer {
    policy: Option<Policy>,
    min_anchor: Option<usize>,
    floor: Option<Score>,
    margin: Option<Score>,
    allow: Option<Vec<String>>,
    format: Option<String>,
    output: Option<OutputFormat>,
}

/// The configuration file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    policy: Option<String>,
    min_anchor: Option<u32>,
    floor: Option<f64>,
    margin: Option<f64>,
    allow: Option<Vec<String>>,
    format: Option<String>,
    output_format: Option<String>,
}

impl Written {
    fn layer(self) -> Result<Layer, String> {
        let score = |name: &str, number: Option<f64>| {
            number
                .map(|n| score_of(n).ok_or_else(|| format!("`{name}` {SCORE}")))
                .transpose()
        };
        Ok(Layer {
            policy: self.policy.as_deref().map(policy).transpose()?,
            min_anchor: self.min_anchor.map(min_anchor).transpose()?,
            floor: score("floor", self.floor)?,
            margin: score("margin", self.margin)?,
            allow: self.allow,
            format: self.format,
            output: self.output_format.as_deref().map(output).transpose()?,
        })
    }
}

/// Returns the configuration file nearest above `dir`, itself included.
fn nearest(dir: &Path) -> Result<Option<PathBuf>, Trouble> {
    for folder in dir.ancestors() {
        let path = folder.join(FILE);
        match path.try_exists() {
            Ok(true) => return Ok(Some(path)),
            Ok(false) => {}
            Err(error) => {
                return Err(Trouble::new(
                    format!("cannot look for {}", show(&path)),
                    error,
                ));
            }
        }
    }
    Ok(None)
}

fn from_file(path: &Path) -> Result<Layer, Trouble> {
    let text = read(path).map_err(|e| Trouble::new(format!("cannot read {}", show(path)), e))?;
    let refuse = |line: Option<usize>, message: &str| {
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        Trouble::plain(format!("{}{line}: {}", show(path), Quoted(message.into())))
    };
    let written: Written = toml::from_str(&text).map_err(|error| {
        let before = error
            .span()
            .and_then(|span| text.as_bytes().get(..span.start));
        let line = before.map(|before| before.find_iter("\n").count() + 1);
        refuse(line, error.message())
    })?;
    written.layer().map_err(|message| refuse(None, &message))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the configuration file is the command line's own"
)]
fn read(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?
        .take(MOST + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > MOST {
        return Err(std::io::Error::other("larger than 1 MiB"));
    }
    Ok(text)
}

/// Reads `SUREFOOT_*` variables, their names without that prefix. One that is no setting is said
/// and ignored: it may be another program's.
fn from_environment(variables: impl Iterator<Item = (String, OsString)>) -> Result<Layer, Trouble> {
    let mut layer = Layer::default();
    for (name, value) in variables {
        let value = value
            .into_string()
            .map_err(|_| Trouble::plain(format!("SUREFOOT_{name}: is not UTF-8")))?;
        if value.is_empty() {
            continue;
        }
        layer
            .set(&name, value)
            .map_err(|message| Trouble::plain(format!("SUREFOOT_{name}: {message}")))?;
    }
    Ok(layer)
}

impl Layer {
    fn set(&mut self, name: &str, value: String) -> Result<(), String> {
        match name {
            "POLICY" => self.policy = Some(policy(&value)?),
            "MIN_ANCHOR" => {
                let number = value.parse().map_err(|_| MIN_ANCHOR.to_owned())?;
                self.min_anchor = Some(min_anchor(number)?);
            }
            "FLOOR" => self.floor = Some(score(&value)?),
            "MARGIN" => self.margin = Some(score(&value)?),
            "ALLOW" => self.allow = Some(value.split(':').map(str::to_owned).collect()),
            "FORMAT" => self.format = Some(value),
            "OUTPUT_FORMAT" => self.output = Some(output(&value)?),
            _ => crate::trouble::tell(&format!(
                "surefoot: SUREFOOT_{} is no setting, and is ignored\n",
                Quoted(name.into())
            )),
        }
        Ok(())
    }
}

fn from_arguments(arguments: &ApplyArguments) -> Result<Layer, Trouble> {
    let named = arguments.policy.as_deref().map(policy).transpose();
    let allow = &arguments.allow;
    Ok(Layer {
        policy: named.map_err(|message| Trouble::plain(format!("--policy: {message}")))?,
        min_anchor: arguments.min_anchor.and_then(|n| usize::try_from(n).ok()),
        floor: arguments.floor,
        margin: arguments.margin,
        allow: (!allow.is_empty()).then(|| allow.clone()),
        format: arguments.format.clone(),
        output: if arguments.json {
            Some(OutputFormat::Json)
        } else {
            arguments.output_format
        },
    })
}

const MIN_ANCHOR: &str = "must be a number of lines, 1 or more";

fn min_anchor(number: u32) -> Result<usize, String> {
    usize::try_from(number)
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| MIN_ANCHOR.to_owned())
}

fn policy(name: &str) -> Result<Policy, String> {
    Policy::ALL
        .into_iter()
        .find(|policy| policy.name == name)
        .ok_or_else(|| {
            let names: Vec<_> = Policy::ALL.iter().map(|policy| policy.name).collect();
            format!(
                "no policy is named `{}`; there are {}",
                Quoted(name.into()),
                names.join(", ")
            )
        })
}

fn output(name: &str) -> Result<OutputFormat, String> {
    clap::ValueEnum::from_str(name, false).map_err(|_| {
        format!(
            "no report is named `{}`; there are text, json",
            Quoted(name.into())
        )
    })
}

/// Returns `path` in backticks, safe for a terminal.
fn show(path: &Path) -> String {
    let bytes: BString = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).into();
    format!("`{}`", Quoted(bytes.as_bstr()))
}

#[cfg(test)]
mod tests;
