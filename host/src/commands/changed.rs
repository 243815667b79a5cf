//! Output that is printed again and again: in a file or a pipe, what is as before is not repeated. Otherwise, a log in the project would be a
//! change that causes the next one.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes what was printed until each flush, if it differs from what was printed before.
pub(super) struct Changed<W> {
    inner: W,
    now: Vec<u8>,
    before: Vec<u8>,
    /// Whether the next is printed in any case.
    again: Arc<AtomicBool>,
}

impl<W> Changed<W> {
    pub(super) fn new(inner: W, again: Arc<AtomicBool>) -> Self {
        let (now, before) = (Vec::new(), Vec::new());
        Self {
            inner,
            now,
            before,
            again,
        }
    }
}

impl<W: Write> Write for Changed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.now.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let now = std::mem::take(&mut self.now);
        // The blank line between two is no difference.
        let is_new = now.trim_ascii() != self.before.trim_ascii();
        if !now.trim_ascii().is_empty() && (self.again.swap(false, Ordering::Relaxed) || is_new) {
            self.inner.write_all(&now)?;
            self.before = now;
        }
        self.inner.flush()
    }
}

/// Remarks until each flush. Those after one without any are news.
#[derive(Default)]
pub(super) struct Held {
    now: String,
    before: String,
}

impl Held {
    pub(super) fn add(&mut self, text: &str) {
        self.now += text;
    }

    pub(super) fn print(&mut self, to: &mut impl Write) -> io::Result<()> {
        let now = std::mem::take(&mut self.now);
        let before = std::mem::replace(&mut self.before, now);
        if self.before == before {
            return Ok(());
        }
        to.write_all(self.before.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_are_printed() {
        let again = Arc::new(AtomicBool::new(false));
        let mut out = Changed::new(Vec::new(), Arc::clone(&again));
        for text in ["a\n", "\na\n", "\nb\n", "", "\nb\n", "\na\n"] {
            out.write_all(text.as_bytes()).unwrap();
            out.flush().unwrap();
        }
        again.store(true, Ordering::Relaxed);
        out.write_all(b"\n").unwrap();
        out.flush().unwrap();
        out.write_all(b"\na\n").unwrap();
        out.flush().unwrap();
        assert_eq!(String::from_utf8(out.inner).unwrap(), "a\n\nb\n\na\n\na\n");
    }

    #[test]
    fn only_new_remarks_are_printed() {
        let (mut held, mut out) = (Held::default(), Vec::new());
        for text in ["a\n", "a\n", "b\n", "", "b\n"] {
            held.add(text);
            held.print(&mut out).unwrap();
        }
        assert_eq!(String::from_utf8(out).unwrap(), "a\nb\nb\n");
    }
}
