//! The error stream of a server, kept for error messages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Enough for the final message of a program.
const KEPT: usize = 4096;

/// How long a program that closed its output may take to exit.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The end of a stream.
#[derive(Clone, Default)]
pub(super) struct Tail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// The task that reads it.
    reader: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Tail {
    /// Reads the stream to its end.
    pub(super) fn follow(&self, mut stream: impl AsyncRead + Unpin + Send + 'static) {
        let tail = self.clone();
        let reader = tokio::spawn(async move {
            let mut buffer = [0; 1024];
            while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                let mut kept = tail.lock();
                kept.extend(&buffer[..read]);
                let over = kept.len().saturating_sub(KEPT);
                kept.drain(..over);
            }
        });
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = Some(reader);
    }

    /// Waits until an exiting program has closed the stream.
    pub(super) async fn settle(&self) {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(reader) = reader {
            // A running program may print more, which is read, too.
            let _ = timeout(LAST_WORDS, reader).await;
        }
    }

    /// The last lines with secrets masked, indented for a message; empty if there are none.
    pub(super) fn lines(&self, secrets: &[String]) -> String {
        let bytes: Vec<u8> = self.lock().iter().copied().collect();
        let text = secrets
            .iter()
            .fold(String::from_utf8_lossy(&bytes).into_owned(), |text, secret| {
                text.replace(secret.as_str(), "***")
            });
        let lines: Vec<&str> = text.trim().lines().collect();
        let last = lines.len().saturating_sub(10);
        lines[last..].iter().map(|line| format!("\n  {line}")).collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<u8>> {
        // A poisoned lock is safe: the bytes are always whole.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
