//! The directories of runs, and the program in them.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use tempfile::TempDir;

use super::model::Model;

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The variable with the key of the model.
const KEY: &str = "SOAK_API_KEY";

/// The start of every key.
const SECRET: &str = "sk-soak-";

const WORKER: &str = "---\nname: worker\ndescription: Works\n---\nWork.\n";

const HELPER: &str = "---\nname: helper\ndescription: Helps\n---\nHelp.\n";

/// A slow MCP server that records each call, and leaves a process that has to end with it.
const SERVER: &str = r#"
(setsid sleep "$(cat mark)" &)
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"soak","version":"1"}}}\n' "$id" ;;
    *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"ring","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
    *tools/call*)
      call=$(printf '%s' "$line" | sed -n 's/.*"call":"\([^"]*\)".*/\1/p')
      echo "$call" >> effects
      sleep 0.1
      printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"ok:%s"}]}}\n' "$id" "$call" ;;
    *'"id":'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}\n' "$id" ;;
  esac
done
"#;

/// What all runs share: the program, the configurations, and a home directory in which these are trusted.
pub(crate) struct Shared {
    program: PathBuf,
    directory: TempDir,
}

/// The directories of one run.
pub(crate) struct World {
    pub(crate) directory: PathBuf,
    program: PathBuf,
    home: PathBuf,
    key: String,
}

impl Shared {
    pub(crate) fn new(program: &Path, model: &Model) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let at = |path: &str| directory.path().join(path);
        fs::create_dir(at("home")).expect("an empty directory");
        let provider = format!(
            "[providers.soak]\nbase_url = \"http://{}/v1\"\nkey_variable = \"{KEY}\"\n",
            model.address
        );
        let server = format!("{provider}\n[mcp.servers.soak]\ncommand = \"sh\"\nargs = [\"server.sh\"]\n");
        for (path, text) in [
            ("plain/callsheet.toml", &*provider),
            ("server/callsheet.toml", &server),
        ] {
            let path = at(path);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
        let this = Self {
            program: program.to_owned(),
            directory,
        };
        for has_server in [false, true] {
            let mut trust = command(this.program.as_os_str(), &this.home());
            trust.current_dir(this.config(has_server).parent().expect("a directory"));
            let trusted = trust.args(["trust", "callsheet.toml", "--yes"]).output();
            let trusted = trusted.expect("the program starts");
            let said = String::from_utf8_lossy(&trusted.stderr);
            assert!(trusted.status.success(), "{said}");
        }
        this
    }

    fn home(&self) -> PathBuf {
        self.directory.path().join("home")
    }

    pub(crate) fn config(&self, has_server: bool) -> PathBuf {
        let folder = if has_server { "server" } else { "plain" };
        self.directory.path().join(folder).join("callsheet.toml")
    }

    pub(crate) fn world(&self, name: &str, mark: &str) -> World {
        let directory = self.directory.path().join(name);
        for folder in ["project/.claude/agents", "tmp", "state/callsheet/sessions"] {
            fs::create_dir_all(directory.join(folder)).expect("a directory");
        }
        for (path, text) in [
            ("project/.claude/agents/worker.md", WORKER),
            ("project/.claude/agents/helper.md", HELPER),
            ("project/notes.txt", "Notes.\n"),
            ("project/server.sh", SERVER),
            ("project/mark", mark),
        ] {
            fs::write(directory.join(path), text).expect("a file");
        }
        World {
            key: format!("{SECRET}{name}"),
            program: self.program.clone(),
            home: self.home(),
            directory,
        }
    }

    /// Keys in the home directory.
    pub(crate) fn leaks(&self) -> Vec<String> {
        containing(&self.home(), SECRET.as_bytes())
    }
}

/// A program in an environment that contains little.
fn command(program: &OsStr, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", PATH).env("HOME", home);
    command
}

impl World {
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.directory.join(path)
    }

    /// Starts the program. With `full`, it cannot write more than that many blocks of 512 bytes to a file.
    pub(crate) fn start(&self, words: &[String], full: Option<u32>) -> io::Result<Child> {
        let mut command = match full {
            None => command(self.program.as_os_str(), &self.home),
            Some(blocks) => {
                let mut command = command("sh".as_ref(), &self.home);
                let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
                command.args(["-c", &limit]).arg(&self.program);
                command
            }
        };
        self.place(&mut command);
        command
            .args(words)
            .stdin(Stdio::piped())
            .stdout(File::create(self.at("out"))?)
            .stderr(File::create(self.at("err"))?);
        command.spawn()
    }

    /// Runs the program to its end beside the one that was started.
    pub(crate) fn rival(&self, words: &[String]) -> io::Result<ExitStatus> {
        let mut command = command(self.program.as_os_str(), &self.home);
        self.place(&mut command);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(File::create(self.at("rival"))?).status()
    }

    fn place(&self, command: &mut Command) {
        command
            .current_dir(self.at("project"))
            .env("TMPDIR", self.at("tmp"))
            .env("XDG_STATE_HOME", self.at("state"))
            .env(KEY, &self.key);
    }

    pub(crate) fn read(&self, path: &str) -> String {
        let bytes = fs::read(self.at(path)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The calls that were made, in order.
    pub(crate) fn effects(&self) -> Vec<String> {
        self.read("project/effects").lines().map(str::to_owned).collect()
    }

    /// Makes the directory of sessions read-only, or writable.
    pub(crate) fn lock(&self, is_locked: bool) {
        let mode = if is_locked { 0o500 } else { 0o700 };
        let changed = fs::set_permissions(self.at("state/callsheet/sessions"), Permissions::from_mode(mode));
        changed.expect("it is ours");
    }

    pub(crate) fn sessions(&self) -> Vec<PathBuf> {
        let mut found = entries(&self.at("state/callsheet/sessions"));
        found.extend(entries(&self.at("tmp")));
        found.retain(|path| path.extension().is_some_and(|it| it == "session"));
        found
    }

    /// Everything in the directories that should not be there.
    ///
    /// After `kill -9`, files of a session that was never saved stay for a day, and temporary files of commands for longer.
    pub(crate) fn leaks(&self, is_confined: bool, was_killed: bool) -> Vec<String> {
        let mut leaks = containing(&self.directory, self.key.as_bytes());
        let mut others = entries(&self.at("state/callsheet/sessions"));
        others.retain(|path| !was_killed || path.with_extension("").exists());
        // Without confinement, temporary files of commands are where those of all programs are.
        if is_confined && !was_killed {
            others.extend(entries(&self.at("tmp")));
        }
        others.retain(|path| path.extension().is_none_or(|it| it != "session"));
        leaks.extend(others.iter().map(|path| path.display().to_string()));
        for path in self.sessions().into_iter().chain([self.at("transcript")]) {
            let mode = fs::metadata(&path).map(|it| it.permissions().mode() & 0o777);
            if mode.is_ok_and(|mode| mode != 0o600) {
                leaks.push(format!("{} can be read by others", path.display()));
            }
        }
        leaks
    }

    pub(crate) fn remove(self) {
        self.lock(false);
        let removed = fs::remove_dir_all(&self.directory);
        removed.expect("it is ours");
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// The files below a folder that contain these bytes.
fn containing(folder: &Path, bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for path in entries(folder) {
        let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
        if is_link {
            continue;
        }
        if path.is_dir() {
            found.extend(containing(&path, bytes));
        } else if fs::read(&path).is_ok_and(|text| text.windows(bytes.len()).any(|part| part == bytes)) {
            found.push(format!("a key in {}", path.display()));
        }
    }
    found
}
