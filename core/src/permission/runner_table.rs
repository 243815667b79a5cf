//! The commands that are known to run other commands.

/// How the arguments before the command are written.
pub(super) struct Runner {
    pub(super) name: &'static str,
    /// Options without a value, as prefixes.
    pub(super) alone: &'static [&'static str],
    /// Options with a value in the next word.
    pub(super) valued: &'static [&'static str],
    /// Words before the command that are not part of it.
    pub(super) operands: usize,
}

/// Commands that run what comes after their options.
pub(super) const RUNNERS: &[Runner] = &[
    Runner {
        name: "time",
        alone: &["-p"],
        valued: &[],
        operands: 0,
    },
    Runner {
        name: "nohup",
        alone: &[],
        valued: &[],
        operands: 0,
    },
    Runner {
        name: "nice",
        alone: &["-n", "--adjustment="],
        valued: &["-n"],
        operands: 0,
    },
    Runner {
        name: "timeout",
        alone: &[
            "--foreground",
            "--preserve-status",
            "-v",
            "--verbose",
            "--signal=",
            "--kill-after=",
        ],
        valued: &["-s", "-k"],
        operands: 1,
    },
    Runner {
        name: "stdbuf",
        alone: &["-i", "-o", "-e", "--input=", "--output=", "--error="],
        valued: &[],
        operands: 0,
    },
    Runner {
        name: "command",
        alone: &[],
        valued: &[],
        operands: 0,
    },
    Runner {
        name: "builtin",
        alone: &[],
        valued: &[],
        operands: 0,
    },
    Runner {
        name: "exec",
        alone: &[],
        valued: &[],
        operands: 0,
    },
    Runner {
        name: "env",
        alone: &["-i", "--ignore-environment", "--unset="],
        valued: &["-u"],
        operands: 0,
    },
    Runner {
        name: "xargs",
        alone: &[
            "-0",
            "-r",
            "-t",
            "-n",
            "-P",
            "-L",
            "--null",
            "--no-run-if-empty",
            "--verbose",
            "--max-args=",
            "--max-procs=",
        ],
        valued: &["-n", "-P", "-L"],
        operands: 0,
    },
];

/// Commands that run their input in ways that their arguments do not show, or as another user. Some set variables that affect the rest
/// of the line, and expand the names of variables: `a[$(rm)]` is one.
pub(super) const OPAQUE: &str = ". alias at batch bind busybox bwrap caffeinate capsh cgexec choom chpst chronic chroot chrt compgen complete \
    crontab dbus-run-session declare doas eatmydata enable entr expect export fakeroot faketime fc firejail flock \
    gdb getopts hash hyperfine i386 ifne ionice jobs let linux32 linux64 local ltrace mapfile mpirun nsenter \
    numactl parallel perf pkexec prlimit proot proxychains proxychains4 read readarray readonly rlwrap rsh \
    run-parts runcon runuser scp screen script setarch setlock setpriv setsid sftp sg softlimit source ssh sshpass \
    start-stop-daemon strace su sudo systemd-run taskset tmux torify torsocks toybox trap typeset uname26 unbuffer \
    unset unshare valgrind wait watch x86_64";

/// Shells.
pub(super) const SHELLS: &[&str] = &["ash", "bash", "dash", "fish", "ksh", "mksh", "sh", "zsh"];
