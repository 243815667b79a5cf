//! What a server says on its error stream: kept for when it fails.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Enough for the message that a program ends with.
const KEPT: usize = 4096;

/// How long a program that closed its output may take to end.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The last of a stream.
#[derive(Clone, Default)]
pub(super) struct Tail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// Reads it.
    reader: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Tail {
    /// Reads the stream to its end, whoever looks.
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

    /// Waits until a program that ends has said its last.
    pub(super) async fn settle(&self) {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(reader) = reader {
            // One that lives on may say more: that is read on, too.
            let _ = timeout(LAST_WORDS, reader).await;
        }
    }

    /// The last lines with what is secret blotted out, indented to go below a message; empty if nothing was said.
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
        // Whoever panicked left whole bytes.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
