//! A connection whose other side may send without reading.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::service::{RxJsonRpcMessage, ServiceRole, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::Notify;
use tokio::task::yield_now;

/// The most messages that wait to be sent.
const UNSENT: usize = 256;

/// Receives no message before the last one had its turn, or while too many wait to be sent: the library starts a task for each, and keeps
/// its answer in memory.
pub(super) struct Paced<T> {
    transport: T,
    unsent: Arc<Unsent>,
    /// Whether other tasks ran since the last message.
    yielded: bool,
}

#[derive(Default)]
struct Unsent {
    count: AtomicUsize,
    fewer: Notify,
}

/// A message that waits until this is dropped.
struct Waiting(Arc<Unsent>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::SeqCst);
        self.0.fewer.notify_one();
    }
}

impl<T> Paced<T> {
    pub(super) fn new(transport: T) -> Self {
        Self {
            transport,
            unsent: Arc::default(),
            yielded: false,
        }
    }
}

impl<R: ServiceRole, T: Transport<R>> Transport<R> for Paced<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<R>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.unsent.count.fetch_add(1, Ordering::SeqCst);
        let waiting = Waiting(Arc::clone(&self.unsent));
        let sending = self.transport.send(item);
        async move {
            let _waiting = waiting;
            sending.await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<R>> {
        while self.unsent.count.load(Ordering::SeqCst) >= UNSENT {
            self.unsent.fewer.notified().await;
        }
        // Set before: this may be dropped while it waits.
        if !std::mem::replace(&mut self.yielded, true) {
            yield_now().await;
        }
        let message = self.transport.receive().await;
        self.yielded = false;
        message
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::future::{pending, ready};

    use futures_util::FutureExt as _;
    use rmcp::RoleClient;
    use rmcp::model::{EmptyResult, NumberOrString};

    use super::*;

    /// Another side that never reads, and never stops sending.
    struct Flood;

    fn message() -> RxJsonRpcMessage<RoleClient> {
        RxJsonRpcMessage::<RoleClient>::response(EmptyResult {}.into(), NumberOrString::Number(1))
    }

    impl Transport<RoleClient> for Flood {
        type Error = Infallible;

        fn send(
            &mut self,
            _: TxJsonRpcMessage<RoleClient>,
        ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
            pending()
        }

        fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
            ready(Some(message()))
        }

        async fn close(&mut self) -> Result<(), Infallible> {
            Ok(())
        }
    }

    /// Whether a message is received, after other tasks ran.
    fn receives(paced: &mut Paced<Flood>) -> bool {
        [(); 2].iter().any(|()| paced.receive().now_or_never().is_some())
    }

    #[test]
    fn others_run_between_messages() {
        let mut paced = Paced::new(Flood);
        for _ in 0..3 {
            assert!(paced.receive().now_or_never().is_none());
            assert!(paced.receive().now_or_never().is_some());
        }
    }

    #[test]
    fn a_side_that_does_not_read_is_not_read() {
        let mut paced = Paced::new(Flood);
        let answer =
            || TxJsonRpcMessage::<RoleClient>::response(EmptyResult {}.into(), NumberOrString::Number(1));
        let mut unsent = Vec::new();
        while unsent.len() < UNSENT - 1 {
            unsent.push(paced.send(answer()).boxed());
        }
        assert!(receives(&mut paced));
        unsent.push(paced.send(answer()).boxed());
        assert!(!receives(&mut paced));
        unsent.pop();
        assert!(receives(&mut paced));
    }
}
