//! Where a session is driven, and how the user interrupts it.

use std::io;
use std::sync::Arc;

use tokio::sync::Notify;

/// How a program ends that the user interrupts, as shells say it: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// Runs a future to its end on threads of its own. What is still under way then is given up.
pub fn block_on<F: Future>(future: F) -> io::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let output = runtime.block_on(future);
    // Somebody may still read a terminal: nobody waits for that.
    runtime.shutdown_background();
    Ok(output)
}

/// Rings at the first Ctrl-C, and ends the program at the second. Needs the threads of [`block_on`].
pub fn on_interrupt() -> Arc<Notify> {
    let stop = Arc::new(Notify::new());
    let ring = Arc::clone(&stop);
    tokio::spawn(async move {
        // Where signals cannot be heard they do what they always do.
        if tokio::signal::ctrl_c().await.is_ok() {
            ring.notify_one();
        }
        if tokio::signal::ctrl_c().await.is_ok() {
            quit();
        }
    });
    stop
}

#[expect(clippy::exit, reason = "who interrupts twice wants it to end at once")]
fn quit() {
    std::process::exit(INTERRUPTED);
}
