//! Runs agents that are disturbed at random, and counts what they leave behind: `cargo xtask soak`.
//!
//! Everything is local: the model is a server on the loopback interface that fails often, and the commands are written here. They run
//! as a user without privileges, in directories that are removed.

mod model;
mod plan;
mod processes;
mod run;
mod totals;
mod world;

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use self::model::Model;
use self::totals::Totals;
use self::world::Shared;

const HELP: &str =
    "Usage: soak --program CALLSHEET [--runs N] [--seconds N] [--seed N] [--jobs N] [--only N]";

/// A user without files or privileges.
const NOBODY: u32 = 65534;

/// How often the progress is printed.
const PROGRESS: u64 = 50;

#[derive(Clone, Debug)]
struct Options {
    program: PathBuf,
    runs: u64,
    seconds: Option<u64>,
    seed: u64,
    jobs: usize,
    /// Repeats the run with this number instead of making different ones.
    only: Option<u64>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(options) = options(&words) else {
        eprintln!("{HELP}");
        return ExitCode::from(2);
    };
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    if is_root {
        return unprivileged(&options, &words);
    }
    let totals = soak(&options);
    print!("{totals}");
    ExitCode::from(u8::from(!totals.is_clean()))
}

fn options(words: &[String]) -> Option<Options> {
    let mut options = Options {
        program: PathBuf::new(),
        runs: 1000,
        seconds: None,
        seed: 1,
        jobs: 2 * thread::available_parallelism().map_or(1, usize::from),
        only: None,
    };
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            return None;
        };
        match &**name {
            "--program" => options.program = value.into(),
            "--runs" => options.runs = value.parse().ok()?,
            "--seconds" => options.seconds = Some(value.parse().ok()?),
            "--seed" => options.seed = value.parse().ok()?,
            "--jobs" => options.jobs = value.parse().ok()?,
            "--only" => options.only = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    (!options.program.as_os_str().is_empty()).then_some(options)
}

/// Starts this program again as a user without privileges, from a directory that this user can read.
fn unprivileged(options: &Options, words: &[String]) -> ExitCode {
    let copies = tempfile::tempdir().expect("a temporary directory");
    fs::set_permissions(copies.path(), Permissions::from_mode(0o755)).expect("it is ours");
    let copy = |from: &Path, name: &str| {
        let to = copies.path().join(name);
        fs::copy(from, &to).expect("there is room");
        to
    };
    let soak = copy(&std::env::current_exe().expect("it is running"), "soak");
    let program = copy(&options.program, "callsheet");
    let id = [format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")];
    let mut command = Command::new("setpriv");
    command.args(id).args(["--clear-groups", "--no-new-privs"]);
    command.arg(soak).args(words).arg("--program").arg(program);
    let ended = command.current_dir("/").status();
    let code = ended.ok().and_then(|status| status.code());
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(2))
}

fn soak(options: &Options) -> Totals {
    let began = Instant::now();
    let model = Model::start();
    let shared = Shared::new(&options.program, &model);
    let (next, totals) = (AtomicU64::new(0), Mutex::new(Totals::default()));
    let is_late = || {
        options
            .seconds
            .is_some_and(|seconds| began.elapsed() >= Duration::from_secs(seconds))
    };
    thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while !is_late() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= options.runs {
                        break;
                    }
                    let like = options.only.unwrap_or(number);
                    let found = run::one(&shared, &model, options.seed, number, like);
                    let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
                    totals.add(found);
                    if totals.runs() % PROGRESS == 0 {
                        eprintln!("{} runs, {} s", totals.runs(), began.elapsed().as_secs());
                    }
                }
            });
        }
    });
    let mut totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    totals.add_leaks(shared.leaks());
    totals.took(began.elapsed(), options.seed);
    totals
}
