//! What a server prints, watched for a line that is too long to be read.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;

/// What the library reads at most: it leaves a longer line out, and the call that it answers would wait in vain.
pub(super) const LONGEST: usize = 16 << 20;

/// Passes a stream on, and rings when a line is too long.
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

    /// Rings once for each such line, when it ends: an answer to another call may follow at once.
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
