//! Watches a server's output for messages that cannot be read: the library drops them, and their calls would wait until their limit.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use memchr::memmem;
use rmcp::model::ServerJsonRpcMessage;
use serde_json::Value;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::watch;

/// The library's limit for a line.
pub(super) const LONGEST: usize = 16 << 20;

/// A message that is dropped.
#[derive(Clone, Debug)]
pub(super) enum Unread {
    /// It is longer than the limit.
    TooLong,
    /// It is none of the protocol, for this reason.
    Malformed(String),
}

/// Passes a stream on, and tells of messages that are dropped. Other lines, such as a log, are no messages.
pub(super) struct Lines<R> {
    stream: R,
    line: Vec<u8>,
    length: usize,
    unread: watch::Sender<Option<Unread>>,
}

impl<R> Lines<R> {
    pub(super) fn new(stream: R, unread: watch::Sender<Option<Unread>>) -> Self {
        Self {
            stream,
            line: Vec::new(),
            length: 0,
            unread,
        }
    }

    fn see(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let before = self.length;
            self.length += piece.len();
            if self.length > LONGEST {
                self.line = Vec::new();
                if before <= LONGEST {
                    self.unread.send_replace(Some(Unread::TooLong));
                }
            } else {
                self.line.extend_from_slice(piece);
            }
            if piece.ends_with(b"\n") {
                if let Some(reason) = malformed(&self.line) {
                    self.unread.send_replace(Some(Unread::Malformed(reason)));
                }
                self.line.clear();
                self.length = 0;
            }
        }
    }
}

/// Why a line that is meant as an answer cannot be read. Notifications that are unknown or malformed have no effect.
fn malformed(line: &[u8]) -> Option<String> {
    if serde_json::from_slice::<ServerJsonRpcMessage>(line).is_ok() {
        return None;
    }
    match serde_json::from_slice::<Value>(line) {
        Ok(value) => {
            let is_answer = value.get("jsonrpc").is_some() && value.get("method").is_none();
            is_answer.then(|| "it has no valid id, or not one of `result` and `error`".to_owned())
        }
        Err(error) => memmem::find(line, b"\"jsonrpc\"").map(|_| error.to_string()),
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
