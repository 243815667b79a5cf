//! Blocking work on separate threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Handle;

use crate::conversation::CallError;

/// Whether the result is no longer needed.
#[derive(Clone, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Sets it when dropped.
struct OnDrop(Stop);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Does the work on a thread of its own, if there is a runtime with some.
pub(super) async fn apart<T: Send + 'static>(
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> Result<T, CallError> {
    let stop = Stop::default();
    let _guard = OnDrop(stop.clone());
    let Ok(runtime) = Handle::try_current() else {
        return Ok(work(&stop));
    };
    let given_up = || CallError::Other("it was cancelled".into());
    let work = move || {
        if stop.is_set() {
            Err(given_up())
        } else {
            Ok(work(&stop))
        }
    };
    let failed = |error: tokio::task::JoinError| CallError::Other(error.to_string());
    runtime.spawn_blocking(work).await.map_err(failed)?
}
