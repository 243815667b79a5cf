//! A runtime for callers without one, such as a component that asks a model or calls a tool itself.

use std::pin::pin;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::conversation::CallError;

/// Polls within the caller's runtime, else within our own.
pub(crate) async fn entered<T>(future: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
    if Handle::try_current().is_ok() {
        return future.await;
    }
    let runtime =
        own().ok_or_else(|| CallError::Other("the system gives no thread to wait for answers".into()))?;
    let mut future = pin!(future);
    std::future::poll_fn(move |context| {
        let _entered = runtime.enter();
        future.as_mut().poll(context)
    })
    .await
}

fn own() -> Option<&'static Runtime> {
    static OWN: OnceLock<Option<Runtime>> = OnceLock::new();
    let new = || {
        Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .ok()
    };
    OWN.get_or_init(new).as_ref()
}
