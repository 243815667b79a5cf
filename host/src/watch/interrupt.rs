//! Interrupts by the user or the system.

use std::thread;

use crate::{Error, Result};

/// Calls `then` once, on a thread of its own, when the program is asked to end. From now on such a request does not end it.
pub(super) fn on_interrupt(then: impl FnOnce() + Send + 'static) -> Result<()> {
    let failed = |error: std::io::Error| Error::Watch {
        path: None,
        reason: format!("cannot wait for an interrupt: {error}"),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(failed)?;
    let asked = {
        // Signal handlers are installed before this returns.
        let _inside = runtime.enter();
        asked_to_end().map_err(failed)?
    };
    thread::spawn(move || {
        runtime.block_on(asked);
        then();
    });
    Ok(())
}

#[cfg(unix)]
fn asked_to_end() -> std::io::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut end = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = end.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn asked_to_end() -> std::io::Result<impl Future<Output = ()> + Send> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
