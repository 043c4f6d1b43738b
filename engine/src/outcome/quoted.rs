//! Text of others in our messages.

use std::fmt;

use bstr::{BStr, ByteSlice as _};

/// Untrusted text in a message: control bytes escaped, at most 200 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a BStr);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 200;
        for (at, _, character) in self.0.char_indices() {
            if at >= MOST {
                return f.write_str("…");
            }
            if character.is_control() || is_bidi(character) {
                write!(f, "{}", character.escape_unicode())?;
            } else {
                write!(f, "{character}")?;
            }
        }
        Ok(())
    }
}

/// Tells whether `character` would reorder or hide what stands beside it on a terminal.
fn is_bidi(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
