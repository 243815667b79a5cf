//! Progress on the terminal during long work.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, park_timeout, spawn};
use std::time::{Duration, Instant};

/// Shorter work shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(200);
const CLEAR: &str = "\r\x1b[K";

/// Shows the number of files read, after one second, until it is dropped.
pub(crate) struct Progress {
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    files: usize,
    visible: bool,
    done: bool,
}

impl Progress {
    /// Shows nothing if it is disabled, or without a terminal.
    pub(crate) fn start(wanted: bool) -> Self {
        let state = Arc::<Mutex<State>>::default();
        let thread = (wanted && stderr().is_terminal()).then(|| {
            let state = Arc::clone(&state);
            spawn(move || show(&state))
        });
        Self { state, thread }
    }

    /// Counts a file per call.
    pub(crate) fn counter(&self) -> impl Fn(&str) + Clone + Send + Sync + use<> {
        let state = Arc::clone(&self.state);
        move |_| lock(&state).files += 1
    }

    /// Clears the line while something else is printed.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        let mut state = lock(&self.state);
        hide(&mut state);
        print()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        lock(&self.state).done = true;
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn show(state: &Mutex<State>) {
    let start = Instant::now();
    loop {
        park_timeout(TICK);
        let mut state = lock(state);
        if state.done {
            return hide(&mut state);
        }
        if start.elapsed() >= PATIENCE {
            let _ = write!(
                stderr(),
                "{CLEAR}{} files read, {} s",
                state.files,
                start.elapsed().as_secs()
            );
            state.visible = true;
        }
    }
}

fn hide(state: &mut State) {
    if std::mem::take(&mut state.visible) {
        let _ = write!(stderr(), "{CLEAR}");
    }
}

/// A poisoned lock is safe: the state is always whole.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
