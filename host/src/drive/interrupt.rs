//! Runs sessions, and interrupts them.

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;

use super::claim;
use crate::processes::Ending;
use crate::screen;

/// How long to wait for threads that cannot be stopped, such as one that reads a terminal.
const LEAVING: Duration = Duration::from_millis(200);

/// Ctrl-C.
pub const INTERRUPT: i32 = 2;

/// Runs a future to its end on threads of its own. Unfinished work is then aborted.
pub fn block_on<F: Future>(future: F) -> io::Result<F::Output> {
    let threads = Threads(Some(
        Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?,
    ));
    let runtime = threads.0.as_ref().expect("they are there until they are dropped");
    Ok(runtime.block_on(future))
}

/// Threads that are joined when dropped, so that tasks end their processes, but with a time limit.
struct Threads(Option<Runtime>);

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_timeout(LEAVING);
        }
    }
}

/// Handles Ctrl-C and, on Unix, SIGTERM and SIGHUP. The first is a request if the program handles it; any other one ends the program and
/// its processes.
#[derive(Clone, Debug)]
pub struct Interrupts(Arc<State>);

#[derive(Debug)]
struct State {
    ending: Ending,
    stop: Arc<Notify>,
    /// Locked while the program ends, so that no work continues.
    heeded: Mutex<bool>,
    /// The first signal; 0 if none.
    first: AtomicI32,
}

impl Interrupts {
    /// Listens from now on.
    pub fn listen(ending: Ending) -> io::Result<Self> {
        let heard = Self(Arc::new(State {
            ending,
            stop: Arc::default(),
            heeded: Mutex::default(),
            first: AtomicI32::new(0),
        }));
        let this = heard.clone();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let mut signals = {
            let _inside = runtime.enter();
            Signals::new()?
        };
        std::thread::spawn(move || {
            runtime.block_on(async {
                loop {
                    this.hear(signals.next().await);
                }
            });
        });
        Ok(heard)
    }

    /// Notified by the first signal, which does nothing else from now on.
    pub fn stop(&self) -> Arc<Notify> {
        *self.heeded() = true;
        Arc::clone(&self.0.stop)
    }

    /// The first signal.
    pub fn signal(&self) -> Option<i32> {
        Some(self.0.first.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
    }

    /// Acts as for Ctrl-C, on a terminal that reports it as a key.
    pub fn interrupt(&self) {
        self.hear(INTERRUPT);
    }

    fn heeded(&self) -> MutexGuard<'_, bool> {
        self.0.heeded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, signal: i32) {
        let first = self.0.first.swap(signal, Ordering::SeqCst) == 0;
        let heeded = self.heeded();
        if first && *heeded {
            self.0.stop.notify_one();
        } else {
            self.0.ending.end();
            quit(signal);
        }
    }
}

/// The shell convention: 128 and the number of the signal.
#[expect(clippy::exit, reason = "a second interrupt ends the program at once")]
fn quit(signal: i32) {
    claim::release_all();
    screen::restore();
    std::process::exit(128 + signal);
}

#[cfg(unix)]
struct Signals([Option<tokio::signal::unix::Signal>; 4]);

#[cfg(unix)]
const NUMBERS: [i32; 4] = [INTERRUPT, 15, 1, 3];

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let [interrupt, terminate, hangup, quit] = NUMBERS.map(SignalKind::from_raw);
        let hangup = (!outlives_terminal()).then(|| signal(hangup)).transpose()?;
        let always = |kind| signal(kind).map(Some);
        Ok(Self([
            always(interrupt)?,
            always(terminate)?,
            hangup,
            always(quit)?,
        ]))
    }

    async fn next(&mut self) -> i32 {
        let [interrupt, terminate, hangup, quit] = &mut self.0;
        tokio::select! {
            () = received(interrupt) => NUMBERS[0],
            () = received(terminate) => NUMBERS[1],
            () = received(hangup) => NUMBERS[2],
            () = received(quit) => NUMBERS[3],
        }
    }
}

#[cfg(unix)]
async fn received(signal: &mut Option<tokio::signal::unix::Signal>) {
    if let Some(signal) = signal
        && signal.recv().await.is_some()
    {
        return;
    }
    std::future::pending().await
}

/// Whether SIGHUP is ignored, as under `nohup`. Known on Linux only: the mask is in the status.
#[cfg(unix)]
fn outlives_terminal() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 == 1)
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> i32 {
        match tokio::signal::ctrl_c().await {
            Ok(()) => INTERRUPT,
            Err(_) => std::future::pending().await,
        }
    }
}
