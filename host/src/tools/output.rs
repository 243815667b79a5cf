//! The output of a command: all of it, or the start and the end.

use std::collections::VecDeque;

use super::limits::OUTPUT_BYTES;

/// The start and the end of an output.
#[derive(Clone, Default)]
pub(super) struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Output {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = (OUTPUT_BYTES - self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at(room);
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(OUTPUT_BYTES);
        self.tail.drain(..surplus);
        self.dropped += surplus as u64;
    }

    /// The whole lines that were pushed since the last call: half of a secret is not recognized.
    pub(super) fn so_far(&mut self) -> String {
        let mut last_first = self.tail.iter().rev().chain(self.head.iter().rev());
        let Some(begun) = last_first.position(|byte| *byte == b'\n') else {
            return String::new();
        };
        let mut all = std::mem::take(self);
        let mut line: Vec<u8> = (0..begun).filter_map(|_| all.pop()).collect();
        line.reverse();
        self.push(&line);
        all.finish()
    }

    /// The number of bytes that were pushed.
    pub(super) fn length(&self) -> u64 {
        self.dropped + (self.head.len() + self.tail.len()) as u64
    }

    fn pop(&mut self) -> Option<u8> {
        self.tail.pop_back().or_else(|| self.head.pop())
    }

    pub(super) fn finish(mut self) -> String {
        let tail = self.tail.make_contiguous();
        if self.dropped > 0 {
            let (head, tail) = (String::from_utf8_lossy(&self.head), String::from_utf8_lossy(tail));
            return format!("{head}\n[{} bytes are not shown]\n{tail}", self.dropped);
        }
        self.head.extend_from_slice(tail);
        String::from_utf8_lossy(&self.head).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_both_ends() {
        for pieces in [1, 7, 8192] {
            let mut output = Output::default();
            let all: Vec<u8> = (0..100_000u32).map(|n| b'a' + (n % 26) as u8).collect();
            all.chunks(pieces).for_each(|piece| output.push(piece));
            let text = output.finish();
            assert!(text.as_bytes().starts_with(&all[..OUTPUT_BYTES]));
            assert!(text.as_bytes().ends_with(&all[all.len() - OUTPUT_BYTES..]));
            assert!(text.contains("[70000 bytes are not shown]"), "{pieces}");
        }
    }

    #[test]
    fn lines_are_read_whole() {
        let all = "aé€\n😀\n".repeat(3);
        for pieces in 1..8 {
            let mut output = Output::default();
            let mut read = Vec::new();
            for piece in all.as_bytes().chunks(pieces) {
                output.push(piece);
                read.push(output.so_far());
            }
            assert_eq!(read.concat(), all, "{pieces}");
            assert!(read.iter().all(|read| read.is_empty() || read.ends_with('\n')));
        }
        let mut output = Output::default();
        output.push(&b"x".repeat(3 * OUTPUT_BYTES));
        assert_eq!(output.so_far(), "");
        assert!(output.finish().contains("bytes are not shown"));
    }

    #[test]
    fn short_output_is_kept_whole() {
        let mut output = Output::default();
        let all = "é".repeat(OUTPUT_BYTES / 2 + 10);
        all.as_bytes().chunks(3).for_each(|piece| output.push(piece));
        assert_eq!(output.finish(), all);
    }
}
