//! Writing JSON.

use bstr::{BString, ByteSlice as _};

use crate::error::PrintError;

/// A value to be written. Strings are bytes that must be UTF-8.
#[derive(Clone, Debug)]
pub(crate) enum Out {
    Bool(bool),
    Number(u64),
    String(BString),
    Array(Vec<Self>),
    Object(Vec<(&'static str, Self)>),
}

impl Out {
    /// Returns a string.
    pub(crate) fn text(text: impl Into<BString>) -> Self {
        Self::String(text.into())
    }

    /// Returns the value on one line, with its newline.
    ///
    /// # Errors
    ///
    /// For text that is not UTF-8, which JSON cannot hold.
    pub(crate) fn line(&self) -> Result<BString, PrintError> {
        let mut out = String::new();
        self.write(&mut out)?;
        out.push('\n');
        Ok(out.into())
    }

    fn write(&self, out: &mut String) -> Result<(), PrintError> {
        match self {
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(number) => out.push_str(&number.to_string()),
            Self::String(text) => write_string(text, out)?,
            Self::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    out.push(if at == 0 { '[' } else { ',' });
                    item.write(out)?;
                }
                out.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            Self::Object(fields) => {
                for (at, (name, value)) in fields.iter().enumerate() {
                    out.push(if at == 0 { '{' } else { ',' });
                    write_string(name.as_bytes(), out)?;
                    out.push(':');
                    value.write(out)?;
                }
                out.push_str(if fields.is_empty() { "{}" } else { "}" });
            }
        }
        Ok(())
    }
}

fn write_string(text: &[u8], out: &mut String) -> Result<(), PrintError> {
    let text = text
        .to_str()
        .map_err(|_| PrintError("text that is not UTF-8"))?;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let code = u32::from(c);
                out.push_str("\\u00");
                out.extend([code >> 4, code & 15].map(|d| char::from_digit(d, 16).unwrap_or('0')));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    Ok(())
}
