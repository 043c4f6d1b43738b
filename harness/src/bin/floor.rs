//! The floor that speed is measured from: reads a file, changes one line, renames the result over
//! it. Usage: `floor FILE OLD NEW`.

use std::process::ExitCode;

#[expect(
    clippy::disallowed_methods,
    reason = "this program is what the disk alone costs"
)]
fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(old), Some(new)) = (args.next(), args.next(), args.next()) else {
        return ExitCode::from(2);
    };
    let Ok(text) = std::fs::read(&path) else {
        return ExitCode::from(2);
    };
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let changed = line.strip_suffix(b"\n") == Some(old.as_bytes());
        out.extend_from_slice(if changed { new.as_bytes() } else { line });
        if changed {
            out.push(b'\n');
        }
    }
    let beside = format!("{path}.tmp");
    let written = std::fs::write(&beside, out).and_then(|()| std::fs::rename(&beside, &path));
    if written.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(2)
    }
}
