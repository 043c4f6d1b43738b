//! git's binary patches: base 85 lines of a zlib stream, for one direction or both.

use std::io::{Read as _, Write as _};

use bstr::BString;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use surefoot_engine::patch::BinaryPatch;

use super::cursor::Cursor;
use super::hunk_header::number;
use super::parser::{Trouble, malformed, too_costly};

const ALPHABET: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// The most bytes that a binary patch may inflate to, as for any file.
const MOST_BYTES: u64 = 1 << 30;

/// Reads what follows `GIT binary patch`: the change forward, and backward where it is given.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<(BinaryPatch, Option<BinaryPatch>), Trouble> {
    let Some(forward) = direction(cursor)? else {
        return Err(malformed(*cursor, "a binary patch without content"));
    };
    Ok((forward, direction(cursor)?))
}

fn direction(cursor: &mut Cursor<'_>) -> Result<Option<BinaryPatch>, Trouble> {
    let line = cursor.text().unwrap_or_default();
    let (literal, size) = match (line.strip_prefix(b"literal "), line.strip_prefix(b"delta ")) {
        (Some(size), _) => (true, size),
        (_, Some(size)) => (false, size),
        _ => return Ok(None),
    };
    let start = *cursor;
    let size = number(size).ok_or_else(|| malformed(start, "a binary patch without a size"))?;
    if size > MOST_BYTES {
        return Err(too_costly(start, "a binary patch of more than 1 GiB"));
    }
    cursor.advance();
    let mut packed = Vec::new();
    loop {
        match cursor.text() {
            None => return Err(malformed(start, "the binary patch is cut off")),
            Some(b"") => break,
            Some(line) => decode_line(line, &mut packed)
                .ok_or_else(|| malformed(*cursor, "no line of a binary patch"))?,
        }
        cursor.advance();
    }
    cursor.advance();
    let content = inflate(&packed, size)
        .ok_or_else(|| malformed(start, "the binary patch does not inflate to its size"))?;
    Ok(Some(if literal {
        BinaryPatch::Literal(content)
    } else {
        BinaryPatch::Delta(content)
    }))
}

/// Inflates all of `packed`, which must come to `size` bytes.
fn inflate(packed: &[u8], size: u64) -> Option<BString> {
    let mut content = Vec::new();
    let mut decoder = ZlibDecoder::new(packed);
    decoder
        .by_ref()
        .take(size.checked_add(1)?)
        .read_to_end(&mut content)
        .ok()?;
    let whole = usize::try_from(decoder.total_in()).is_ok_and(|read| read == packed.len());
    (whole && content.len() as u64 == size).then(|| content.into())
}

/// Appends the bytes that one line of base 85 stands for.
fn decode_line(line: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let (length, digits) = line.split_first()?;
    let length = match length {
        b'A'..=b'Z' => usize::from(length - b'A') + 1,
        b'a'..=b'z' => usize::from(length - b'a') + 27,
        _ => return None,
    };
    if digits.len() != length.div_ceil(4) * 5 {
        return None;
    }
    let mut left = length;
    for group in digits.chunks(5) {
        let value = group.iter().try_fold(0_u32, |value, digit| {
            let digit = memchr::memchr(*digit, ALPHABET)?;
            value
                .checked_mul(85)?
                .checked_add(u32::try_from(digit).ok()?)
        })?;
        let bytes = value.to_be_bytes();
        let wanted = left.min(bytes.len());
        out.extend(bytes.get(..wanted)?);
        left -= wanted;
    }
    Some(())
}

/// Writes one direction as git does, with the empty line behind it.
pub(super) fn print(out: &mut Vec<u8>, patch: &BinaryPatch) {
    let (word, content) = match patch {
        BinaryPatch::Literal(content) => ("literal", content),
        BinaryPatch::Delta(content) => ("delta", content),
    };
    out.extend(format!("{word} {}\n", content.len()).bytes());
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    let packed = encoder
        .write_all(content)
        .and_then(|()| encoder.finish())
        .unwrap_or_default();
    for line in packed.chunks(52) {
        encode_line(line, out);
    }
    out.push(b'\n');
}

fn encode_line(line: &[u8], out: &mut Vec<u8>) {
    let letters = (b'A'..=b'Z').chain(b'a'..=b'z');
    out.extend(letters.skip(line.len().saturating_sub(1)).take(1));
    for group in line.chunks(4) {
        let mut bytes = [0; 4];
        bytes
            .iter_mut()
            .zip(group)
            .for_each(|(to, from)| *to = *from);
        let value = u32::from_be_bytes(bytes);
        for power in [85_u32.pow(4), 85_u32.pow(3), 85_u32.pow(2), 85, 1] {
            let digit = (value / power % 85) as usize;
            out.extend(ALPHABET.get(digit));
        }
    }
    out.push(b'\n');
}
