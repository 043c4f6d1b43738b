//! The helper: takes its rights away from itself and becomes the tool.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::error::Error as StdError;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetStatus, Scope,
};
use rustix::process::{Resource, Rlimit};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule};

/// The status of a helper that could not become the tool.
pub(super) const NOT_STARTED: u8 = 125;

/// What every tool may read and execute.
const SYSTEM: [&str; 9] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/opt", "/proc", "/dev",
];

/// Becomes the tool that `arguments` name: the temporary home, the program, and what to give it.
/// Returns the status to exit with where that fails; nothing has been run then.
#[must_use]
pub fn become_tool(arguments: &[OsString]) -> u8 {
    match attempt(arguments) {
        Ok(never) => match never {},
        Err(_) => NOT_STARTED,
    }
}

fn attempt(arguments: &[OsString]) -> Result<Infallible, Box<dyn StdError>> {
    let [home, program, rest @ ..] = arguments else {
        return Err("a home and a program are needed".into());
    };
    let program = PathBuf::from(program);
    rustix::process::setsid()?;
    limit(Resource::Cpu, 2)?;
    limit(Resource::As, 4 << 30)?;
    limit(Resource::Fsize, 1 << 20)?;
    limit(Resource::Core, 0)?;
    limit(Resource::Nproc, 256)?;
    drop_capabilities()?;
    confine(Path::new(home), &program)?;
    let filter = filter()?;
    seccompiler::apply_filter(&filter)?;
    Err(Command::new(&program).args(rest).exec().into())
}

fn limit(resource: Resource, most: u64) -> Result<(), Box<dyn StdError>> {
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    Ok(rustix::process::setrlimit(resource, limit)?)
}

/// Gives up every capability, for what is executed too.
fn drop_capabilities() -> Result<(), Box<dyn StdError>> {
    use rustix::thread::{CapabilitySet, CapabilitySets};
    rustix::thread::set_no_new_privs(true)?;
    if rustix::process::geteuid().is_root() {
        for capability in CapabilitySet::all().iter() {
            // The kernel may know fewer than we do.
            let _unknown = rustix::thread::remove_capability_from_bounding_set(capability);
        }
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    Ok(rustix::thread::set_capabilities(None, none)?)
}

/// Leaves the system's folders to read, and the home to write.
fn confine(home: &Path, program: &Path) -> Result<(), Box<dyn StdError>> {
    let abi = ABI::V6;
    let read = AccessFs::from_read(abi);
    let mut ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?;
    let mut readable: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    #[expect(
        clippy::disallowed_methods,
        reason = "the tool's own folder has to be found"
    )]
    let real = std::fs::canonicalize(program)?;
    // A tool that is installed elsewhere has its library beside it: `bin/..`.
    for path in [program, real.as_path()] {
        let place = path.parent().and_then(Path::parent);
        readable.extend(
            place
                .filter(|place| place.components().count() > 2)
                .map(Path::to_owned),
        );
    }
    for path in readable {
        if let Ok(fd) = PathFd::new(&path) {
            ruleset = ruleset.add_rule(PathBeneath::new(fd, read))?;
        }
    }
    for (path, access) in [
        (home, AccessFs::from_all(abi)),
        (Path::new("/dev/null"), AccessFs::from_file(abi)),
    ] {
        ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new(path)?, access))?;
    }
    match ruleset.restrict_self()?.ruleset {
        RulesetStatus::NotEnforced => Err("the kernel has no landlock".into()),
        _ => Ok(()),
    }
}

/// Calls that change the machine, leave the sandbox, or reach out of it.
const DENIED: [i64; 41] = [
    // No network, and no daemon that listens on a socket either.
    libc::SYS_socket,
    libc::SYS_reboot,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_ptrace,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_open_by_handle_at,
    libc::SYS_process_vm_writev,
    libc::SYS_process_vm_readv,
    libc::SYS_io_uring_setup,
    libc::SYS_userfaultfd,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_fsopen,
    libc::SYS_move_mount,
    libc::SYS_msgget,
];

fn filter() -> Result<BpfProgram, Box<dyn StdError>> {
    let rules: BTreeMap<i64, Vec<SeccompRule>> =
        DENIED.iter().map(|call| (*call, Vec::new())).collect();
    let denied = SeccompAction::Errno(u32::try_from(libc::EPERM)?);
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        denied,
        std::env::consts::ARCH.try_into()?,
    )?;
    Ok(filter.try_into()?)
}
