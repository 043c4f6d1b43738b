//! Which tools are never run, not even in the sandbox.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

/// Why a tool is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its name is on the list of those that are never run.
    Listed,
    /// It runs with other rights than its caller's.
    Privileged,
    /// Somebody other than root or the user may change it, or it is not there.
    Unsafe,
}

/// Tools that act when they are started, whatever they are given, or that nobody wants started.
const NEVER: [&str; 84] = [
    "shutdown",
    "reboot",
    "halt",
    "poweroff",
    "init",
    "telinit",
    "systemctl",
    "runlevel",
    "kexec",
    "dd",
    "fdisk",
    "cfdisk",
    "sfdisk",
    "gdisk",
    "cgdisk",
    "sgdisk",
    "parted",
    "wipefs",
    "blkdiscard",
    "hdparm",
    "badblocks",
    "mkswap",
    "swapon",
    "swapoff",
    "shred",
    "rm",
    "rmdir",
    "unlink",
    "mv",
    "passwd",
    "chpasswd",
    "su",
    "sudo",
    "doas",
    "pkexec",
    "chsh",
    "chfn",
    "newgrp",
    "sg",
    "login",
    "visudo",
    "vipw",
    "vigr",
    "useradd",
    "userdel",
    "usermod",
    "groupadd",
    "groupdel",
    "groupmod",
    "adduser",
    "deluser",
    "addgroup",
    "delgroup",
    "vi",
    "vim",
    "vimtutor",
    "nano",
    "emacs",
    "ed",
    "ex",
    "view",
    "rvim",
    "xterm",
    "screen",
    "tmux",
    "kill",
    "killall",
    "pkill",
    "killall5",
    "skill",
    "crontab",
    "at",
    "batch",
    "wall",
    "write",
    "mesg",
    "yes",
    "gcloud",
    "gsutil",
    "bq",
    "cpan",
    "mkhomedir_helper",
    "pam_tally2",
    "sulogin",
];

/// Tells whether `program` may be run in the sandbox.
///
/// # Errors
///
/// Why it may not.
#[expect(clippy::disallowed_methods, reason = "owners and modes decide")]
pub fn may_run(program: &Path) -> Result<(), Refusal> {
    let real = std::fs::canonicalize(program).map_err(|_| Refusal::Unsafe)?;
    for path in [program, real.as_path()] {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .ok_or(Refusal::Unsafe)?;
        if NEVER.contains(&name)
            || name.starts_with("mkfs")
            || name.starts_with("mke2fs")
            || name.starts_with("fsck")
        {
            return Err(Refusal::Listed);
        }
        let folder = path.parent().ok_or(Refusal::Unsafe)?;
        // A folder that others may write to, or that the working folder decides on.
        if !path.is_absolute()
            || path
                .components()
                .any(|part| part.as_os_str() == "node_modules")
        {
            return Err(Refusal::Unsafe);
        }
        for place in [path, folder] {
            let found = std::fs::metadata(place).map_err(|_| Refusal::Unsafe)?;
            let owner = found.uid();
            if (owner != 0 && owner != rustix::process::geteuid().as_raw())
                || found.permissions().mode() & 0o022 != 0
            {
                return Err(Refusal::Unsafe);
            }
        }
    }
    let mode = std::fs::metadata(&real)
        .map_err(|_| Refusal::Unsafe)?
        .permissions()
        .mode();
    if mode & 0o6000 != 0 {
        return Err(Refusal::Privileged);
    }
    Ok(())
}
