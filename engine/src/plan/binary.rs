//! Binary changes: git's pack delta, applied with every number checked.
//!
//! Format: gitformat-pack(5), "Deltified representation".

use crate::patch::BinaryPatch;

/// The largest result, as for every file.
const LIMIT: usize = 1 << 30;

/// Returns the content that `change` makes of `before`; `None` where it does not fit it.
pub(crate) fn apply(change: &BinaryPatch, before: &[u8]) -> Option<Vec<u8>> {
    match change {
        BinaryPatch::Literal(content) => Some(content.to_vec()),
        BinaryPatch::Delta(delta) => apply_delta(delta, before),
    }
}

fn apply_delta(delta: &[u8], before: &[u8]) -> Option<Vec<u8>> {
    let mut rest = delta;
    if size(&mut rest)? != before.len() {
        return None;
    }
    let wanted = size(&mut rest)?;
    if wanted > LIMIT {
        return None;
    }
    let mut result = Vec::new();
    while let Some((op, tail)) = rest.split_first() {
        rest = tail;
        let piece = match op {
            0 => return None,
            len @ 1..=0x7f => {
                let (literal, tail) = rest.split_at_checked(usize::from(*len))?;
                rest = tail;
                literal
            }
            copy => {
                let offset = number(&mut rest, *copy & 0x0f)?;
                let len = match number(&mut rest, (*copy >> 4) & 0x07)? {
                    0 => 0x1_0000,
                    len => len,
                };
                before.get(offset..offset.checked_add(len)?)?
            }
        };
        if result.len() + piece.len() > wanted {
            return None;
        }
        result.extend_from_slice(piece);
    }
    (result.len() == wanted).then_some(result)
}

/// Reads a size: 7 bits a byte, least significant first.
fn size(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0usize;
    for shift in (0..usize::BITS).step_by(7) {
        let (byte, tail) = rest.split_first()?;
        *rest = tail;
        let bits = usize::from(byte & 0x7f);
        value |= bits
            .checked_shl(shift)
            .filter(|shifted| shifted >> shift == bits)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Reads the bytes of a number whose bits in `present` are set, least significant first.
fn number(rest: &mut &[u8], present: u8) -> Option<usize> {
    let mut value = 0usize;
    for at in (0..4).filter(|at| present & (1 << at) != 0) {
        let (byte, tail) = rest.split_first()?;
        *rest = tail;
        value |= usize::from(*byte) << (8 * at);
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delta_copies_and_inserts_and_must_fit_both_sizes() {
        // "hello world" -> "hello, world": copy 0..5, insert ",", copy 5..11.
        let delta = b"\x0b\x0c\x90\x05\x01,\x91\x05\x06";
        let change = BinaryPatch::Delta(delta[..].into());
        assert_eq!(apply(&change, b"hello world").unwrap(), b"hello, world");
        assert_eq!(apply(&change, b"hello worl"), None);
        for end in 0..delta.len() {
            assert_eq!(
                apply(&BinaryPatch::Delta(delta[..end].into()), b"hello world"),
                None
            );
        }
        assert_eq!(
            apply(&BinaryPatch::Delta(b"\x00\x01\x00".into()), b""),
            None
        );
    }
}
