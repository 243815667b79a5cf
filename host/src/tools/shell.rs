//! Runs commands, and ends all their processes.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::runtime::{Builder, Handle};
use tokio::time::{interval, sleep, timeout};

use super::arguments::Arguments;
use super::limits::{COMMAND_MS, COMMAND_MS_MOST, DRAIN_MS};
use super::output::Output;
use crate::confine::Confinement;
use crate::delegation::Reach;
use crate::environment;
use crate::lent::Say;
use crate::processes::{self, Group};

/// The environment of commands: harmless variables, and those that the user names.
pub(super) fn environment(named: &[String]) -> Vec<(OsString, OsString)> {
    let mut environment = environment::inherited(named);
    environment.push(("TERM".into(), "dumb".into()));
    environment
}

/// How commands are run.
pub(super) struct Shell<'a> {
    pub(super) directory: &'a Path,
    pub(super) environment: &'a [(OsString, OsString)],
    /// The confinement of the command, and its reach.
    pub(super) confined: Option<(&'a Confinement, Reach)>,
}

impl Shell<'_> {
    fn command(&self, line: &str) -> io::Result<Command> {
        let arguments = ["-c".to_owned(), line.to_owned()];
        let mut command = match &self.confined {
            Some((confinement, reach)) => {
                confinement.command(self.directory, "sh", &arguments, reach, self.environment)?
            }
            None => {
                let mut command = Command::new("sh");
                command
                    .args(arguments)
                    .env_clear()
                    .envs(self.environment.iter().cloned());
                command
            }
        };
        command.current_dir(self.directory);
        Ok(command)
    }

    /// The limits of its confinement.
    pub(super) fn limits(&self) -> Option<String> {
        let (confinement, reach) = self.confined.as_ref()?;
        Some(confinement.explain(self.directory, reach))
    }
}

/// Whether a command may have failed because of its confinement.
pub(super) fn is_refused(text: &str) -> bool {
    REFUSALS.iter().any(|refusal| text.contains(refusal))
}

/// Messages of programs that the system denied something.
const REFUSALS: [&str; 8] = [
    "ermission denied",
    "not permitted",
    "ead-only file system",
    "EACCES",
    "EPERM",
    "EROFS",
    "resolve host",
    "name resolution",
];

/// The argument with the command, and the one with its time limit.
pub(super) const LINE: &[&str] = &["command", "cmd"];
pub(super) const TIMEOUT: &[&str] = &["timeout", "timeout_ms"];

/// Runs a command to its end, and returns its output. Dropping the answer ends it.
pub(super) async fn run(
    shell: &Shell<'_>,
    arguments: &Arguments,
    printed: Option<&Say>,
) -> Result<String, String> {
    if Handle::try_current().is_err() {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot run commands: {error}"))?;
        return runtime.block_on(Box::pin(run(shell, arguments, printed)));
    }
    let line = arguments.demand(LINE)?;
    let limit = arguments.count(TIMEOUT, COMMAND_MS, COMMAND_MS_MOST);
    let output = Printed::default();
    let mut running = Running::start(shell, line, &output)?;
    let status = running.wait(Duration::from_millis(limit as u64), printed).await;
    running.finish(status.is_none()).await;
    let text = output.take();
    told(status, limit, text).map_err(|reason| match shell.limits().filter(|_| is_refused(&reason)) {
        Some(limits) => format!("{reason}\n{limits}"),
        None => reason,
    })
}

fn told(status: Option<io::Result<ExitStatus>>, limit: usize, text: String) -> Result<String, String> {
    let shown = if text.is_empty() {
        "(no output)".into()
    } else {
        text
    };
    match status {
        Some(Ok(status)) if status.success() => Ok(shown),
        status => Err(format!("{}\n{shown}", ending(status, limit))),
    }
}

/// How a command ended. One without a status took longer than its limit in milliseconds.
pub(super) fn ending(status: Option<io::Result<ExitStatus>>, limit: usize) -> String {
    match status {
        None => format!("The command was ended after {limit} ms"),
        Some(Err(error)) => format!("The exit status is unknown: {error}"),
        Some(Ok(status)) => match status.code() {
            Some(code) => format!("Exit code {code}"),
            None => format!("Ended by {status}"),
        },
    }
}

/// What a command has printed.
#[derive(Clone, Default)]
pub(super) struct Printed(Arc<Mutex<Output>>);

impl Printed {
    /// All of it.
    pub(super) fn take(&self) -> String {
        std::mem::take(&mut *self.lock()).finish()
    }

    /// Whole lines of it that are new.
    pub(super) fn so_far(&self) -> String {
        self.lock().so_far()
    }

    /// All whole lines of it so far, if it is longer than it was.
    fn longer(&self, length: &mut u64) -> Option<String> {
        let output = self.lock();
        let before = std::mem::replace(length, output.length());
        let mut text = (*length > before).then(|| output.clone().finish())?;
        text.truncate(text.rfind('\n')? + 1);
        Some(text)
    }

    fn push(&self, bytes: &[u8]) {
        self.lock().push(bytes);
    }

    /// A poisoned lock is safe: an output is changed in memory only.
    fn lock(&self) -> MutexGuard<'_, Output> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often the output of a running command is told, and its orphans that have ended are removed: else a long one may use up the IDs of
/// processes.
const OFTEN: Duration = Duration::from_secs(1);

/// The processes of a command.
#[derive(Clone)]
pub(super) struct Processes(Arc<Mutex<Group>>);

impl Processes {
    /// Ends them, and returns once they have ended.
    pub(super) fn end_all(&self) {
        self.lock().end_all();
    }

    /// A poisoned lock is safe: a group forgets its processes only once they have ended.
    fn lock(&self) -> MutexGuard<'_, Group> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running command, and all its processes.
pub(super) struct Running {
    processes: Processes,
    child: Child,
    out: Option<ChildStdout>,
    err: Option<ChildStderr>,
    buffers: Box<[[u8; 8192]; 2]>,
    output: Printed,
}

impl Running {
    /// Starts a command.
    pub(super) fn start(shell: &Shell<'_>, line: &str, output: &Printed) -> Result<Self, String> {
        Self::try_start(shell, line, output)
            .map_err(|error| format!("the command cannot be started: {error}"))
    }

    fn try_start(shell: &Shell<'_>, line: &str, output: &Printed) -> io::Result<Self> {
        let mut command = shell.command(line)?;
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (mut child, group) = Group::start(&mut command)?;
        Ok(Self {
            processes: Processes(Arc::new(Mutex::new(group))),
            out: child.stdout.take(),
            err: child.stderr.take(),
            child,
            buffers: Box::new([[0; 8192]; 2]),
            output: output.clone(),
        })
    }

    pub(super) fn processes(&self) -> Processes {
        self.processes.clone()
    }

    /// Collects the output until the command ends; none if it takes too long.
    pub(super) async fn wait(
        &mut self,
        limit: Duration,
        printed: Option<&Say>,
    ) -> Option<io::Result<ExitStatus>> {
        let limit = sleep(limit);
        tokio::pin!(limit);
        let (mut often, mut told) = (interval(OFTEN), 0);
        loop {
            let open = self.out.is_some() || self.err.is_some();
            tokio::select! {
                status = self.child.wait() => return Some(status),
                () = &mut limit => return None,
                () = take(&mut self.out, &mut self.err, &mut self.buffers, &self.output), if open => {}
                _ = often.tick() => {
                    processes::collect_orphans();
                    if let Some(printed) = printed
                        && let Some(text) = self.output.longer(&mut told)
                    {
                        printed(&text);
                    }
                }
            }
        }
    }

    /// Ends the remaining processes, and collects the rest of the output. A command that ended may leave detached processes on purpose.
    pub(super) async fn finish(mut self, given_up: bool) {
        if given_up {
            self.processes.end_all()
        } else {
            self.processes.lock().end()
        }
        let rest = async {
            while self.out.is_some() || self.err.is_some() {
                take(&mut self.out, &mut self.err, &mut self.buffers, &self.output).await;
            }
        };
        // A process that left the group may keep the pipe open.
        let _ = timeout(Duration::from_millis(DRAIN_MS), rest).await;
    }
}

/// Reads one piece from any ready stream. Can be aborted at any time without a loss.
async fn take(
    out: &mut Option<ChildStdout>,
    err: &mut Option<ChildStderr>,
    buffers: &mut [[u8; 8192]; 2],
    output: &Printed,
) {
    let [first, second] = buffers;
    tokio::select! {
        read = piece(out, first), if out.is_some() => match read {
            0 => *out = None,
            read => output.push(&first[..read]),
        },
        read = piece(err, second), if err.is_some() => match read {
            0 => *err = None,
            read => output.push(&second[..read]),
        },
        else => {}
    }
}

async fn piece(stream: &mut Option<impl AsyncRead + Unpin>, buffer: &mut [u8]) -> usize {
    match stream {
        Some(stream) => stream.read(buffer).await.unwrap_or(0),
        None => 0,
    }
}
