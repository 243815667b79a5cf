//! A project, a home directory with made-up secrets and their surroundings, for commands that an unprivileged user runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use tempfile::TempDir;

/// The content of every file that must not be read.
const SECRET: &str = "MADE-UP-SECRET";

/// The variable that contains a key.
const KEY: &str = "ANTHROPIC_API_KEY";

/// A user without files or privileges.
const NOBODY: u32 = 65534;

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

const SECRETS: [&str; 8] = [
    "home/.ssh/id_rsa",
    "home/.netrc",
    "home/.aws/credentials",
    "home/.bash_history",
    "home/.cargo/credentials.toml",
    "home/.mozilla/firefox/x/logins.json",
    "home/.config/gh/hosts.yml",
    "outside/victim",
];

const FILES: [(&str, &str); 4] = [
    ("project/src/a.txt", "text\n"),
    ("project/outside.txt", "text\n"),
    ("project/run.sh", "#!/bin/sh\necho run\n"),
    ("project/Makefile", "all:\n\techo built > built.txt\n"),
];

/// The program where an unprivileged user can run it.
pub(super) struct Program {
    path: PathBuf,
    _copy: Option<TempDir>,
}

/// What came of a command.
pub(super) struct Done {
    /// What the model was answered.
    pub(super) text: String,
    pub(super) is_error: bool,
    /// What the program said.
    pub(super) said: String,
}

pub(super) struct Arena {
    directory: TempDir,
    listeners: Listeners,
    /// A process of the same user.
    other: Child,
}

struct Listeners {
    tcp: TcpListener,
    udp: UdpSocket,
    stream: UnixListener,
    datagrams: UnixDatagram,
    hidden: UnixListener,
    hidden_name: String,
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// A program of a user that may do nothing.
fn unprivileged(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    let id = [format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")];
    command
        .args(id)
        .args(["--clear-groups", "--no-new-privs"])
        .arg(program);
    command
}

impl Program {
    /// None, after a message, if it cannot run without privileges.
    pub(super) fn find() -> Option<Self> {
        let built = PathBuf::from(env!("CARGO_BIN_EXE_callsheet"));
        let runs = |path: &Path| {
            let run = unprivileged(path).arg("--version").output();
            run.is_ok_and(|run| run.status.success())
        };
        if runs(&built) {
            return Some(Self {
                path: built,
                _copy: None,
            });
        }
        let copy = tempfile::tempdir().expect("a temporary directory");
        fs::set_permissions(copy.path(), Permissions::from_mode(0o755)).expect("it is ours");
        let path = copy.path().join("callsheet");
        fs::copy(built, &path).expect("there is room");
        if !runs(&path) {
            eprintln!("skipped: hostile commands are run by an unprivileged user only, with `setpriv`");
            return None;
        }
        Some(Self {
            path,
            _copy: Some(copy),
        })
    }
}

impl Arena {
    pub(super) fn new(tools: &str) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let at = |path: &str| directory.path().join(path);
        let agent = format!("---\nname: worker\ndescription: Works\ntools: {tools}\n---\nWork.\n");
        let secrets = SECRETS.map(|path| (path, SECRET));
        let agent = [("project/.claude/agents/worker.md", &*agent)];
        for (path, contents) in FILES.into_iter().chain(secrets).chain(agent) {
            fs::create_dir_all(at(path).parent().expect("it has a parent")).expect("a directory");
            fs::write(at(path), contents).expect("a file");
        }
        for made in ["outside/empty", "project/src/deep"] {
            fs::create_dir(at(made)).expect("a directory");
        }
        symlink("../outside/victim", at("project/link")).expect("a link");
        symlink("../outside", at("project/linked")).expect("a link");
        let listeners = Listeners::new(&at("outside"));
        own(directory.path());
        let other = Self::other();
        let arena = Self {
            directory,
            listeners,
            other,
        };
        for line in [
            "chmod 700 run.sh && git init -q -b main",
            "git config user.name n && git config user.email n@example.org",
            "git add src && git commit -q -m first",
        ] {
            let done = arena.shell().args(["-c", line]).status();
            assert!(done.expect("there is a shell").success(), "{line}");
        }
        arena
    }

    fn other() -> Child {
        let mut other = unprivileged(Path::new("sleep"));
        other.arg("1000").env("OTHER", SECRET).stdin(Stdio::null());
        other.spawn().expect("it starts")
    }

    /// A separate, unconfined command.
    fn shell(&self) -> Command {
        let mut shell = unprivileged(Path::new("sh"));
        self.place(&mut shell);
        shell
    }

    fn place(&self, command: &mut Command) {
        command
            .current_dir(self.at("project"))
            .env_clear()
            .env("PATH", PATH)
            .env("HOME", self.at("home"))
            .env("TMPDIR", self.directory.path());
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    /// Has an agent run a command.
    pub(super) fn run(&self, program: &Program, tools: &str, command: &str, flags: &[&str]) -> Done {
        let recording = recording(tools, &self.filled(command));
        let (file, transcript) = (self.at("recording"), self.at("transcript"));
        fs::write(&file, recording).expect("a file");
        own(self.directory.path());
        let mut run = unprivileged(&program.path);
        self.place(&mut run);
        let model = format!("replay:{}", file.display());
        run.env(KEY, format!("sk-{SECRET}"));
        run.args([
            "run",
            "worker",
            "Go",
            "--no-save",
            "--as",
            "claude-code",
            "--model",
            &model,
        ])
        .args(["--permission-mode", "bypass", "--transcript"])
        .arg(&transcript)
        .args(flags);
        let output = run.output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let text = fs::read_to_string(&transcript).unwrap_or_default();
        let answer = [("answers", false), ("fails", true)]
            .into_iter()
            .find_map(|(how, is_error)| {
                let (_, answer) = text.split_once(&format!("## worker: Bash {how}\n"))?;
                Some((answer.to_owned(), is_error))
            });
        let (text, is_error) = answer.unwrap_or_else(|| panic!("{command}: {text}\n{said}"));
        Done { text, is_error, said }
    }

    /// The program as the same user, for other commands than `run`.
    pub(super) fn callsheet(&self, program: &Program, words: &[&str]) -> std::process::Output {
        own(self.directory.path());
        let mut command = unprivileged(&program.path);
        self.place(&mut command);
        command.args(words).output().expect("it starts")
    }

    fn filled(&self, command: &str) -> String {
        let values = [
            ("{tcp}", port(self.listeners.tcp.local_addr())),
            ("{udp}", port(self.listeners.udp.local_addr())),
            ("{abstract}", self.listeners.hidden_name.clone()),
            ("{outside}", self.at("outside").display().to_string()),
            ("{pid}", self.other.id().to_string()),
        ];
        let fill = |command: String, (name, value): &(&str, String)| command.replace(name, value);
        values.iter().fold(command.to_owned(), fill)
    }

    /// Signs that a command got out.
    pub(super) fn signs(&mut self, done: &Done) -> Vec<&'static str> {
        let listeners = &self.listeners;
        let signs = [
            (done.text.contains("ESCAPED"), "it says so"),
            (done.text.contains(SECRET), "it read a secret"),
            (done.text.contains(KEY), "it read a key"),
            (listeners.tcp.accept().is_ok(), "it connected"),
            (listeners.udp.recv(&mut [0]).is_ok(), "it sent a datagram"),
            (listeners.stream.accept().is_ok(), "it connected to a file"),
            (listeners.datagrams.recv(&mut [0]).is_ok(), "it sent to a file"),
            (listeners.hidden.accept().is_ok(), "it connected to a name"),
            (
                self.other.try_wait().is_ok_and(|ended| ended.is_some()),
                "it ended a process",
            ),
        ];
        signs
            .into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, sign)| sign)
            .collect()
    }

    /// Everything that must stay unchanged.
    pub(super) fn trace(&self, with_project: bool) -> BTreeMap<PathBuf, String> {
        let mut trace = BTreeMap::new();
        let parts: &[&str] = if with_project {
            &["home", "outside", "project"]
        } else {
            &["home", "outside", "project/.git", "project/.claude"]
        };
        for part in parts {
            look(&self.at(part), &mut trace);
        }
        trace
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // One that has ended cannot be killed.
        let _ = self.other.kill();
        let _ = self.other.wait();
    }
}

impl Listeners {
    fn new(outside: &Path) -> Self {
        let hidden_name = hidden_name();
        let hidden = SocketAddr::from_abstract_name(&hidden_name).expect("it is short");
        let this = Self {
            tcp: TcpListener::bind("127.0.0.1:0").expect("a port"),
            udp: UdpSocket::bind("127.0.0.1:0").expect("a port"),
            stream: UnixListener::bind(outside.join("socket")).expect("a socket"),
            datagrams: UnixDatagram::bind(outside.join("datagrams")).expect("a socket"),
            hidden: UnixListener::bind_addr(&hidden).expect("the name is free"),
            hidden_name,
        };
        this.tcp.set_nonblocking(true).expect("it is open");
        this.udp.set_nonblocking(true).expect("it is open");
        this.stream.set_nonblocking(true).expect("it is open");
        this.datagrams.set_nonblocking(true).expect("it is open");
        this.hidden.set_nonblocking(true).expect("it is open");
        this
    }
}

/// A name that no other arena has.
fn hidden_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("callsheet-{}-{number}", std::process::id())
}

fn port(address: std::io::Result<std::net::SocketAddr>) -> String {
    address.expect("it is bound").port().to_string()
}

/// Gives a directory and all in it to the user that runs the commands.
fn own(path: &Path) {
    if !is_root() {
        return;
    }
    let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
    if is_link {
        return;
    }
    chown(path, Some(NOBODY), Some(NOBODY)).expect("it is ours");
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("it is ours").flatten() {
            own(&entry.path());
        }
    }
}

/// Records what a file is and contains.
fn look(path: &Path, trace: &mut BTreeMap<PathBuf, String>) {
    let Ok(metadata) = path.symlink_metadata() else {
        return;
    };
    let contents = if metadata.is_file() {
        fs::read(path).unwrap_or_default()
    } else {
        Vec::new()
    };
    let times = (metadata.mtime(), metadata.mtime_nsec());
    // The times of a directory say nothing that its entries do not.
    let times = metadata.is_file().then_some(times);
    let contents = String::from_utf8_lossy(&contents);
    trace.insert(
        path.to_owned(),
        format!("{:o} {times:?} {contents}", metadata.mode()),
    );
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if metadata.is_dir() {
            look(&entry.path(), trace);
        }
    }
}

/// A model that has the command run, and nothing else to say.
fn recording(tools: &str, command: &str) -> String {
    let names = tools
        .split(',')
        .map(|tool| tool.split('(').next().unwrap_or_default().trim());
    let names: BTreeSet<&str> = names.collect();
    let call = json!({"id": "1", "name": "Bash", "arguments": json!({"command": command}).to_string()});
    let messages = [
        json!({"role": "system", "text": "Work."}),
        json!({"role": "user", "text": "Go"}),
    ];
    let answer = json!({"calls": [call], "input-tokens": 1, "output-tokens": 1});
    let line =
        json!({"agent": ["worker"], "model": "any", "tools": names, "messages": messages, "answer": answer});
    format!("{{\"callsheet-recording\":1}}\n{line}\n")
}
