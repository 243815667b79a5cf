//! The records of a session's file: each has a line of lengths and checksums, a short head and a body.
//!
//! Records are only ever appended, so a power failure or a kill leaves at most the last one incomplete. Any other difference is damage;
//! the two can be told apart, since unwritten bytes are missing at the end, or zeros.

use std::ops::Range;

/// `HEAD BODY HEAD-CRC BODY-CRC CRC\n`: two lengths and two checksums, and the checksum of these four.
pub(super) const LINE: usize = 45;

/// A run of zeros that no record contains: less than any system writes at once.
const UNWRITTEN: [u8; 512] = [0; 512];

/// One record in the bytes of a file.
pub(super) struct Frame {
    pub(super) head: Range<usize>,
    pub(super) body: Range<usize>,
    /// Where the next one begins.
    pub(super) end: usize,
    head_sum: u32,
    body_sum: u32,
}

/// Why a record cannot be read.
#[derive(Debug, PartialEq)]
pub(super) enum Broken {
    /// It was not written completely.
    Torn,
    /// Its bytes have changed.
    Damaged,
}

/// A record as written.
pub(super) fn encode(head: &[u8], body: &[u8]) -> Vec<u8> {
    let sum = crc32fast::hash;
    let line = line([head.len(), body.len()], [sum(head), sum(body)]);
    [line.as_bytes(), head, b"\n", body, b"\n"].concat()
}

fn line([head, body]: [usize; 2], [head_sum, body_sum]: [u32; 2]) -> String {
    let checked = format!("{head:08x} {body:08x} {head_sum:08x} {body_sum:08x} ");
    format!("{checked}{:08x}\n", crc32fast::hash(checked.as_bytes()))
}

/// The record that starts here; only its lengths are checked. `length` is that of the file, and `bytes` is the part from here on, or
/// the start of it.
pub(super) fn locate(bytes: &[u8], at: usize, length: usize) -> Result<Frame, Broken> {
    let Some(bytes) = bytes.get(..LINE) else {
        return Err(Broken::Torn);
    };
    let text = str::from_utf8(bytes).map_err(|_| Broken::Damaged)?;
    let mut fields = text.split(' ').map(|field| u32::from_str_radix(field, 16).ok());
    let mut next = || fields.next().flatten().ok_or(Broken::Damaged);
    let [head, body, head_sum, body_sum] = [next()?, next()?, next()?, next()?];
    let (head, body) = (head as usize, body as usize);
    if text != line([head, body], [head_sum, body_sum]) {
        return Err(Broken::Damaged);
    }
    let head = at + LINE..at + LINE + head;
    let body = head.end + 1..head.end + 1 + body;
    let end = body.end + 1;
    if end > length {
        return Err(Broken::Torn);
    }
    Ok(Frame {
        head,
        body,
        end,
        head_sum,
        body_sum,
    })
}

impl Frame {
    pub(super) fn has_head(&self, head: &[u8]) -> bool {
        crc32fast::hash(head) == self.head_sum
    }
}

/// The record at a place, whole and checked.
pub(super) fn read(bytes: &[u8], at: usize) -> Result<Frame, Broken> {
    let rest = &bytes[at..];
    let frame = locate(rest, at, bytes.len()).map_err(|broken| judge(broken, rest))?;
    let is_whole = frame.has_head(&bytes[frame.head.clone()])
        && crc32fast::hash(&bytes[frame.body.clone()]) == frame.body_sum
        && bytes[frame.head.end] == b'\n'
        && bytes[frame.end - 1] == b'\n';
    if is_whole {
        return Ok(frame);
    }
    if frame.end < bytes.len() {
        return Err(Broken::Damaged);
    }
    Err(judge(Broken::Damaged, rest))
}

fn judge(broken: Broken, rest: &[u8]) -> Broken {
    let is_unwritten = rest.ends_with(&[0]) || memchr::memmem::find(rest, &UNWRITTEN).is_some();
    if is_unwritten { Broken::Torn } else { broken }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_torn_and_damaged_records_are_distinguished() {
        let one = encode(b"{}", b"first");
        let bytes = [one.clone(), encode(b"{\"a\":1}", b"second")].concat();
        let frame = read(&bytes, one.len()).ok().unwrap();
        assert_eq!(
            (&bytes[frame.head], &bytes[frame.body]),
            (&b"{\"a\":1}"[..], &b"second"[..])
        );
        assert_eq!(frame.end, bytes.len());
        for cut in one.len() + 1..bytes.len() {
            assert_eq!(read(&bytes[..cut], one.len()).err(), Some(Broken::Torn), "{cut}");
            let mut unwritten = bytes.clone();
            unwritten[cut..].fill(0);
            assert_eq!(read(&unwritten, one.len()).err(), Some(Broken::Torn), "{cut}");
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                let from = if at < one.len() { 0 } else { one.len() };
                assert_eq!(read(&damaged, from).err(), Some(Broken::Damaged), "{at} {bit}");
            }
        }
    }
}
