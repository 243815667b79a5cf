//! The messages of the language server on standard input and output.
//!
//! Like `Connection::stdio`, except that a message that cannot be read is answered, and memory is only used for bytes that arrive.

use std::io::{self, BufRead, Read as _, Write as _, stdin, stdout};
use std::thread::{self, JoinHandle};

use crossbeam_channel::bounded;
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

/// The longest message, in bytes: a document of 100 MB with every character escaped has fewer.
const LONGEST: usize = 1 << 30;

/// The longest line of a message's head, in bytes.
const LINE: u64 = 4096;

/// The threads of a connection. They end with its channels.
pub(super) struct Streams {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Streams {
    /// Waits for their end. Fails if the client sent what is no message.
    pub(super) fn join(self) -> io::Result<()> {
        let ended = |thread: JoinHandle<io::Result<()>>| thread.join().unwrap_or(Ok(()));
        ended(self.reader).and(ended(self.writer))
    }
}

/// The client on standard input and output.
pub(super) fn open() -> (Connection, Streams) {
    let (sender, told) = bounded::<Message>(0);
    let (heard, receiver) = bounded(0);
    let writer = thread::spawn(move || {
        told.into_iter()
            .try_for_each(|message| message.write(&mut stdout().lock()))
    });
    let reader = thread::spawn(move || {
        let mut input = stdin().lock();
        while let Some(body) = read(&mut input)? {
            match serde_json::from_slice(&body) {
                Ok(message) => {
                    let is_last = matches!(&message, Message::Notification(it) if it.method == "exit");
                    if heard.send(message).is_err() || is_last {
                        break;
                    }
                }
                Err(_) => refuse(&body)?,
            }
        }
        Ok(())
    });
    (Connection { sender, receiver }, Streams { reader, writer })
}

/// Answers what is no message. It has no number that an answer could have.
fn refuse(body: &[u8]) -> io::Result<()> {
    let (code, message) = match serde_json::from_slice::<Value>(body) {
        Ok(_) => (
            ErrorCode::InvalidRequest,
            "this is not a message of JSON-RPC".to_owned(),
        ),
        Err(error) => (
            ErrorCode::ParseError,
            format!("the message cannot be read: {error}"),
        ),
    };
    let error = json!({"code": code as i32, "message": message});
    let text = json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string();
    let mut output = stdout().lock();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

/// The next message's body; none at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length: Option<usize> = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let Some(line) = line.strip_suffix("\r\n") else {
            return Err(io::Error::other(
                "a line of a message's head is too long, or does not end with CRLF",
            ));
        };
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            let value = value.trim();
            let number: Option<usize> = value.parse().ok().filter(|length| *length <= LONGEST);
            let number = number.ok_or_else(|| {
                io::Error::other(format!(
                    "the length of a message is `{value}`, not a number up to {LONGEST}"
                ))
            });
            length = Some(number?);
        }
    }
    let length = length.ok_or_else(|| io::Error::other("a message's head has no `Content-Length`"))?;
    let mut body = Vec::new();
    let read = input.by_ref().take(length as u64).read_to_end(&mut body)?;
    // The client ended in the middle of it.
    Ok((read == length).then_some(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> Result<Vec<String>, String> {
        let mut bodies = Vec::new();
        while let Some(body) = read(&mut input).map_err(|error| error.to_string())? {
            bodies.push(String::from_utf8_lossy(&body).into_owned());
        }
        Ok(bodies)
    }

    #[test]
    fn messages_are_read_one_after_the_other() {
        let two = b"Content-Length: 2\r\n\r\n{}content-length:4\r\nContent-Type: x\r\n\r\nnull";
        assert_eq!(all(two).unwrap(), ["{}", "null"]);
        for cut in 0..two.len() {
            assert!(all(&two[..cut]).unwrap_or_default().len() < 2, "{cut}");
        }
    }

    #[test]
    fn heads_that_promise_too_much_are_refused() {
        for (input, expected) in [
            ("Content-Length: 99999999999999\r\n\r\n", "`99999999999999`"),
            (
                "Content-Length: 99999999999999999999999\r\n\r\n",
                "`99999999999999999999999`",
            ),
            ("Content-Length: -1\r\n\r\n", "`-1`"),
            ("Content-Length: two\r\n\r\n{}", "`two`"),
            ("Content-Type: x\r\n\r\n{}", "no `Content-Length`"),
            ("{\"jsonrpc\":\"2.0\"}\n", "CRLF"),
        ] {
            let problem = all(input.as_bytes()).unwrap_err();
            assert!(problem.contains(expected), "{input}: {problem}");
        }
        let endless = [b'x'; 5000];
        assert!(all(&endless).unwrap_err().contains("too long"));
    }

    #[test]
    fn a_promised_length_takes_no_memory() {
        assert_eq!(all(b"Content-Length: 1000000000\r\n\r\n{}").unwrap(), [""; 0]);
    }
}
