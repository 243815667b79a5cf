//! Detects that the client disconnected.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::watch;

/// Notifies when the client disconnects.
#[derive(Clone)]
pub(super) struct Gone(watch::Receiver<bool>);

impl Gone {
    /// A client with separate requests.
    pub(super) fn never() -> Self {
        Self(watch::channel(false).1)
    }

    /// Returns once it disconnects.
    pub(super) async fn wait(&self) {
        if self.0.clone().wait_for(|gone| *gone).await.is_err() {
            std::future::pending().await
        }
    }
}

/// The client's stream, and a notification of its end.
pub(super) fn watched<R>(stream: R) -> (Input<R>, Gone) {
    let (gone, tells) = watch::channel(false);
    (Input { stream, gone }, Gone(tells))
}

/// A stream that notifies of its end.
pub(super) struct Input<R> {
    stream: R,
    gone: watch::Sender<bool>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Input<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, buffer));
        if read.is_err() || buffer.filled().len() == before {
            self.gone.send_replace(true);
        }
        Poll::Ready(read)
    }
}
