//! A machine made up for a test: its programs, and what is written about them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use surefoot_engine::verify::{Verdict, Verifier as _};
use surefoot_shell::{Code, Machine, Report, ShellVerifier};

/// A folder with `bin` and `share` below it.
#[derive(Debug)]
pub(crate) struct World {
    folder: tempfile::TempDir,
}

impl World {
    /// Makes one with the machine's bash, and programs of these names that nobody may run.
    pub(crate) fn new(programs: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("bin")).unwrap();
        let bash = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"]
            .into_iter()
            .find(|path| Path::new(path).exists());
        if let Some(bash) = bash {
            std::os::unix::fs::symlink(bash, folder.path().join("bin/bash")).unwrap();
        }
        let world = Self { folder };
        for program in programs {
            // Whoever runs it leaves a trace.
            world.program(program, "#!/bin/sh\ntouch \"$0.was-run\"\n");
        }
        world
    }

    pub(crate) fn program(&self, name: &str, text: &str) {
        let path = self.folder.path().join("bin").join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn share(&self, name: &str, text: &str) {
        let path = self.folder.path().join("share").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn page(&self, name: &str, text: &str) {
        self.share(&format!("man/man1/{name}.1"), text);
    }

    pub(crate) fn machine(&self) -> Machine {
        Machine::new(self.folder.path().join("bin").as_os_str())
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the programs that were run.
    pub(crate) fn traces(&self) -> Vec<String> {
        std::fs::read_dir(self.folder.path().join("bin"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".was-run"))
            .collect()
    }

    pub(crate) fn verdict(&self, command: &str) -> (&'static str, Report) {
        verdict(command.as_bytes(), &self.machine())
    }

    /// Asserts the verdict on `command`, and its findings: code and token.
    pub(crate) fn check(&self, command: &str, expected: &str, findings: &[(Code, &str)]) {
        let (verdict, report) = self.verdict(command);
        let found: Vec<(Code, String)> = report
            .findings
            .iter()
            .map(|finding| (finding.code, finding.token.to_string()))
            .collect();
        let wanted: Vec<(Code, String)> = findings
            .iter()
            .map(|(code, token)| (*code, (*token).to_owned()))
            .collect();
        assert_eq!(
            (verdict, found),
            (expected, wanted),
            "{command}\n{report:#?}"
        );
    }
}

/// Returns the verdict in a word, and the report.
pub(crate) fn verdict(command: &[u8], machine: &Machine) -> (&'static str, Report) {
    match ShellVerifier.verify(command, machine) {
        Verdict::Admit(report) => ("admit", report),
        Verdict::Warn(report, _) => ("warn", report),
        Verdict::Refuse(report) => ("block", report),
        Verdict::Abstain(report) => ("abstain", report),
    }
}
