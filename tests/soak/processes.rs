//! Processes of a run, found by a mark in their arguments.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long processes of an ended run may take to disappear.
const GRACE: Duration = Duration::from_secs(1);

/// How long to try to end those that are left.
const CLEANUP: Duration = Duration::from_secs(10);

/// Empty searches in a row: one may miss a process that starts another and ends.
const LOOKS: u32 = 3;

/// The processes with this mark: ID and arguments.
fn marked(mark: &str) -> Vec<(String, String)> {
    let processes = fs::read_dir("/proc").expect("it is there").flatten();
    let process = |entry: fs::DirEntry| {
        let id = entry.file_name().into_string().ok()?;
        let arguments = fs::read(entry.path().join("cmdline")).ok()?;
        let arguments = String::from_utf8_lossy(&arguments).replace('\0', " ");
        let is_process = id.bytes().all(|byte| byte.is_ascii_digit());
        (is_process && arguments.contains(mark)).then_some((id, arguments))
    };
    processes.filter_map(process).collect()
}

/// The arguments of the processes with this mark that do not end by themselves in time.
pub(crate) fn left(mark: &str) -> Vec<String> {
    let deadline = Instant::now() + GRACE;
    loop {
        let left = marked(mark);
        if left.is_empty() || Instant::now() >= deadline {
            return left.into_iter().map(|(_, arguments)| arguments).collect();
        }
        sleep(Duration::from_millis(10));
    }
}

/// Ends all processes with this mark. Returns how many there were at first.
pub(crate) fn end(mark: &str) -> usize {
    let (deadline, mut first, mut empty) = (Instant::now() + CLEANUP, None, 0);
    while empty < LOOKS && Instant::now() < deadline {
        let left = marked(mark);
        first = first.or(Some(left.len()));
        empty = if left.is_empty() { empty + 1 } else { 0 };
        if !left.is_empty() {
            signal("-KILL", left.into_iter().map(|(id, _)| id));
        }
        sleep(Duration::from_millis(2));
    }
    first.unwrap_or(0)
}

/// Sends a signal. A process that has ended needs none.
pub(crate) fn signal(name: &str, processes: impl IntoIterator<Item = String>) {
    let mut kill = Command::new("kill");
    kill.arg(name).args(processes).stderr(Stdio::null());
    let _ = kill.status();
}
