//! Watches a server's output for lines that are too long to read.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;

/// The library's limit: it drops a longer line, and the call would wait forever.
pub(super) const LONGEST: usize = 16 << 20;

/// Passes a stream on, and notifies of lines that are too long.
pub(super) struct Lines<R> {
    stream: R,
    length: usize,
    too_long: Arc<Notify>,
}

impl<R> Lines<R> {
    pub(super) fn new(stream: R, too_long: Arc<Notify>) -> Self {
        Self {
            stream,
            length: 0,
            too_long,
        }
    }

    /// Notifies at the end of each such line: an answer to another call may follow at once.
    fn see(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.length += piece.len();
            if piece.ends_with(b"\n") && std::mem::take(&mut self.length) > LONGEST {
                self.too_long.notify_waiters();
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let bytes = &buffer.filled()[before..];
        self.see(bytes);
        Poll::Ready(Ok(()))
    }
}
