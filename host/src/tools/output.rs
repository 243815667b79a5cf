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

    /// What was pushed since the last call. The start of a character waits for its rest.
    pub(super) fn so_far(&mut self) -> String {
        let mut all = std::mem::take(self);
        let last_first = all.tail.iter().rev().chain(all.head.iter().rev());
        let held: Vec<u8> = (0..incomplete(last_first)).filter_map(|_| all.pop()).collect();
        self.head.extend(held.iter().rev());
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

/// The number of last bytes that are the start of a character.
fn incomplete<'a>(last_first: impl Iterator<Item = &'a u8>) -> usize {
    for (byte, count) in last_first.take(3).zip(1..) {
        let length = match byte {
            0x80..=0xbf => continue,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        return if length > count { count } else { 0 };
    }
    0
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
    fn characters_are_read_whole() {
        let all = "aé€😀".repeat(3);
        for pieces in 1..8 {
            let mut output = Output::default();
            let mut read = String::new();
            for piece in all.as_bytes().chunks(pieces) {
                output.push(piece);
                read += &output.so_far();
            }
            assert_eq!(read, all, "{pieces}");
        }
        for wrong in [b"\xff" as &[u8], b"\x80\x80\x80\x80", b"\xc1"] {
            let mut output = Output::default();
            output.push(wrong);
            assert_eq!(output.so_far(), String::from_utf8_lossy(wrong));
        }
    }

    #[test]
    fn short_output_is_kept_whole() {
        let mut output = Output::default();
        let all = "é".repeat(OUTPUT_BYTES / 2 + 10);
        all.as_bytes().chunks(3).for_each(|piece| output.push(piece));
        assert_eq!(output.finish(), all);
    }
}
