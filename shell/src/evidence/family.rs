//! What no page says of certain tools: which stop at their first operand, which flags are families
//! that nobody lists, which take every subcommand's flags from elsewhere.
//!
//! The tables are our own knowledge of the tools. They only ever add flags, or take certainty away.

use super::builtin::getopt_into;
use crate::flags::{Flags, Operands, Takes};

/// What is known of a tool beside what is written about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family {
    tools: &'static [&'static str],
    /// Where its flags may stand.
    operands: Operands,
    /// Whether its first operand is a subcommand with flags of its own.
    pub(crate) subcommands: Subcommands,
    /// Families of flags with their dashes, separated by blanks.
    families: &'static str,
    /// More long flags, separated by blanks; `=` where one takes a value.
    long: &'static str,
    /// More letters, as getopt has them.
    short: &'static str,
}

/// How a tool treats its first operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subcommands {
    /// As an operand, as far as is known.
    None,
    /// As the name of a subcommand, with flags of its own on a page of its own.
    Pages,
    /// As the name of a subcommand; all flags are on the tool's page.
    OnePage,
}

const fn plain(tools: &'static [&'static str]) -> Family {
    Family {
        tools,
        operands: Operands::Among,
        subcommands: Subcommands::None,
        families: "",
        long: "",
        short: "",
    }
}

const fn first(tools: &'static [&'static str], families: &'static str) -> Family {
    Family {
        operands: Operands::After,
        families,
        ..plain(tools)
    }
}

const fn open(tools: &'static [&'static str], families: &'static str) -> Family {
    Family {
        families,
        ..plain(tools)
    }
}

const fn sub(tools: &'static [&'static str], long: &'static str, short: &'static str) -> Family {
    Family {
        subcommands: Subcommands::Pages,
        long,
        short,
        ..plain(tools)
    }
}

/// The letters that stand for file modes.
const MODES: &str = "-r -w -x -X -s -t -u -g -o -a";

const FAMILIES: [Family; 26] = [
    first(&["python", "python2", "python3", "pypy", "pypy3"], "-X -W"),
    first(&["perl"], "-i -M -m -0 -l -D -x -I -F -C -V -d"),
    first(
        &[
            "ruby", "lua", "luajit", "tclsh", "wish", "Rscript", "php", "expect", "awk", "gawk",
            "mawk", "nawk",
        ],
        "-W -d",
    ),
    first(
        &["node", "nodejs", "deno", "bun", "ts-node"],
        "--no- --trace --max --harmony --stack --v8 --inspect --experimental --jitless --turbo",
    ),
    first(
        &["bash", "sh", "dash", "zsh", "ksh", "fish", "ash"],
        "-o -O",
    ),
    first(
        &["java"],
        "-X -D -agentlib -agentpath -javaagent -ea -da -esa -dsa -verbose -splash --add- --list --show --limit --patch --enable- --illegal --class --module",
    ),
    first(&["ssh", "slogin", "mosh", "autossh", "sshpass", "rsh"], ""),
    first(
        &[
            "strace",
            "ltrace",
            "gdb",
            "valgrind",
            "perf",
            "screen",
            "fakeroot",
            "proot",
            "firejail",
            "bwrap",
            "torsocks",
            "proxychains",
            "proxychains4",
            "pkexec",
            "ssh-agent",
            "dbus-launch",
            "dbus-run-session",
            "xvfb-run",
            "npx",
            "entr",
            "parallel",
            "cgexec",
            "capsh",
            "rlwrap",
            "unbuffer",
            "script",
            "ts",
            "hyperfine",
            "systemd-run",
            "systemd-inhibit",
            "systemd-cat",
            "cpulimit",
            "schroot",
            "linux32",
            "linux64",
            "setarch",
            "i386",
            "x86_64",
            "catchsegv",
            "xterm",
            "x-terminal-emulator",
        ],
        "",
    ),
    open(
        &[
            "gcc", "g++", "cc", "c++", "cpp", "clang", "clang++", "gfortran", "gnat", "c89", "c99",
            "gcc-12", "g++-12", "tcc", "mpicc",
        ],
        "-f -W -m -O -D -I -L -l -g -s -U -x -d -M -E -i -n -p -r -t --param -T -u -X -z -A -B --sysroot -std",
    ),
    open(
        &["ld", "ld.bfd", "ld.gold", "ld.lld", "gold", "as"],
        "-z -l -L -m -O -b -T -y -h -I -D -a -G -e -g -R -u -w",
    ),
    open(
        &["javac", "javadoc", "jar", "jshell", "jarsigner", "keytool"],
        "-X -J -A",
    ),
    open(
        &[
            "ffmpeg",
            "ffprobe",
            "ffplay",
            "mplayer",
            "mpv",
            "convert",
            "magick",
            "mogrify",
            "identify",
            "montage",
            "composite",
            "gst-launch-1.0",
            "llc",
            "opt",
            "clang-format",
        ],
        "- --",
    ),
    open(
        &["7z", "7za", "7zr", "rar", "unrar"],
        "-m -o -p -x -i -v -t -s -a -r -y -w -b -d -e -f -g -h -k -l -n -u",
    ),
    open(&["gs", "ps2pdf"], "-d -s -c -g -r -I -P -S -Z"),
    open(&["chmod", "setfacl", "mkdir", "umask"], MODES),
    open(
        &["chattr"],
        "-a -A -c -C -d -D -e -E -F -i -I -j -m -N -P -s -S -t -T -u -V -x",
    ),
    open(
        &[
            "kill", "pkill", "killall", "killall5", "skill", "snice", "fuser", "timeout",
        ],
        "-SIG -HUP -INT -QUIT -KILL -TERM -STOP -CONT -USR -ABRT -ALRM -CHLD -PIPE -TSTP -TTIN -TTOU -WINCH -SEGV -TRAP -BUS -FPE -ILL -IO -PROF -PWR -SYS -URG -VTALRM -XCPU -XFSZ -RTM --SIG --HUP --KILL --CONT --TERM --STOP",
    ),
    open(
        &[
            "stty",
            "xset",
            "expr",
            "test",
            "[",
            "echo",
            "printf",
            "dd",
            "xrandr",
            "setterm",
            "tput",
            "find",
            "bfs",
            "openssl",
            "ip",
            "tc",
            "nft",
            "iptables",
            "ip6tables",
            "iptables-save",
            "ebtables",
            "pdftk",
            "sox",
            "play",
            "rec",
            "xdotool",
            "wmctrl",
        ],
        "-no",
    ),
    sub(
        &["git"],
        "git-dir= work-tree= namespace= exec-path= html-path man-path info-path paginate no-pager no-replace-objects bare literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks list-cmds= attr-source= super-prefix= config-env= no-lazy-fetch no-advice",
        "C:c:pPvh",
    ),
    sub(
        &["docker", "podman", "nerdctl"],
        "config= context= debug host= log-level= tls tlscacert= tlscert= tlskey= tlsverify",
        "c:DH:l:vh",
    ),
    sub(
        &["kubectl", "oc"],
        "as= as-group= as-uid= cache-dir= certificate-authority= client-certificate= client-key= cluster= context= disable-compression insecure-skip-tls-verify kubeconfig= log-flush-frequency= match-server-version namespace= password= profile= profile-output= request-timeout= server= tls-server-name= token= user= username= v= vmodule= warnings-as-errors",
        "n:s:v:h",
    ),
    sub(
        &["aws"],
        "debug endpoint-url= no-verify-ssl no-paginate output= query= profile= region= color= no-sign-request ca-bundle= cli-read-timeout= cli-connect-timeout= cli-binary-format= no-cli-pager cli-auto-prompt no-cli-auto-prompt",
        "",
    ),
    sub(
        &["cargo"],
        "list explain= color= config= frozen locked offline verbose quiet manifest-path= target-dir= jobs=",
        "C:Z:vqVh",
    ),
    sub(
        &[
            "npm",
            "pnpm",
            "yarn",
            "gcloud",
            "gsutil",
            "bq",
            "az",
            "gh",
            "glab",
            "helm",
            "terraform",
            "heroku",
            "go",
            "rustup",
            "poetry",
            "conda",
            "brew",
            "flatpak",
            "snap",
            "pip",
            "pip3",
            "uv",
            "pipx",
            "dotnet",
            "composer",
            "mvn",
            "gradle",
            "hg",
            "svn",
            "bundle",
            "gem",
            "corepack",
            "tmux",
            "virsh",
            "vagrant",
            "minikube",
            "bazel",
            "meson",
            "pyenv",
            "nvm",
            "apptainer",
            "ollama",
            "ansible-galaxy",
            "flask",
            "django-admin",
            "doctl",
            "linode-cli",
            "gdbus",
            "perf",
        ],
        "",
        "hV",
    ),
    Family {
        subcommands: Subcommands::OnePage,
        ..plain(&[
            "apt",
            "apt-get",
            "apt-cache",
            "apt-mark",
            "apt-key",
            "systemctl",
            "journalctl",
            "loginctl",
            "hostnamectl",
            "timedatectl",
            "localectl",
            "networkctl",
            "resolvectl",
            "machinectl",
            "busctl",
            "bootctl",
            "coredumpctl",
            "homectl",
            "nmcli",
            "dpkg",
            "update-alternatives",
            "service",
            "ufw",
        ])
    },
    open(&["tar"], "-I"),
];

/// Returns what is known of `tool`.
pub(crate) fn of(tool: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.tools.contains(&tool))
}

impl Family {
    /// Returns what it adds to the flags of a tool.
    pub(crate) fn flags(&self) -> Flags {
        let mut flags = Flags {
            operands: self.operands,
            families: self
                .families
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            ..Flags::default()
        };
        for name in self.long.split_whitespace() {
            match name.strip_suffix('=') {
                Some(name) => flags.add_long(name, Takes::Required),
                None => flags.add_long(name, Takes::Nothing),
            }
        }
        getopt_into(self.short, &mut flags);
        flags
    }
}

/// Tools that hand their flags on to others.
const DELEGATES: [(&str, &[&str]); 21] = [
    ("egrep", &["grep"]),
    ("fgrep", &["grep"]),
    ("zgrep", &["grep"]),
    ("zegrep", &["grep"]),
    ("zfgrep", &["grep"]),
    ("bzgrep", &["grep"]),
    ("xzgrep", &["grep"]),
    ("xzegrep", &["grep"]),
    ("xzfgrep", &["grep"]),
    ("zipgrep", &["grep", "unzip"]),
    ("zdiff", &["diff"]),
    ("xzdiff", &["diff"]),
    ("bzdiff", &["diff"]),
    ("zcmp", &["cmp"]),
    ("xzcmp", &["cmp"]),
    ("bzcmp", &["cmp"]),
    ("zless", &["less"]),
    ("xzless", &["less"]),
    ("zmore", &["more"]),
    ("rgrep", &["grep"]),
    ("slogin", &["ssh"]),
];

/// Returns the tools whose flags `tool` takes too.
pub(crate) fn delegates(tool: &str) -> &'static [&'static str] {
    DELEGATES
        .iter()
        .find(|(name, _)| *name == tool)
        .map_or(&[], |(_, others)| others)
}
