//! A server that does what no well-behaved one does.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch::Sender;

/// What becomes of one connection after its request was read.
#[derive(Clone, Copy)]
pub(crate) enum Then {
    /// It ends.
    Close,
    /// Nothing more comes.
    Hang,
    /// More of the same comes for ever.
    Drip(&'static str),
}

/// A server that answers with what it was given, the last of it again and again.
pub(crate) struct Socket {
    pub(crate) address: SocketAddr,
    /// Requests so far.
    asked: Sender<usize>,
    /// Connections that the other side ended.
    left: Sender<usize>,
}

impl Socket {
    pub(crate) async fn open(says: impl Into<String>, then: Then) -> Self {
        Self::open_with(vec![says.into()], then).await
    }

    pub(crate) async fn open_with(says: Vec<String>, then: Then) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a port");
        let address = listener.local_addr().expect("it has one");
        let (asked, left) = (Sender::new(0), Sender::new(0));
        let (says, counts) = (Arc::new(says), (asked.clone(), left.clone()));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (says, (asked, left)) = (says.clone(), counts.clone());
                tokio::spawn(async move {
                    if serve(stream, &says, then, &asked).await.is_err() {
                        left.send_modify(|left| *left += 1);
                    }
                });
            }
        });
        Self { address, asked, left }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(crate) fn times(&self) -> usize {
        *self.asked.borrow()
    }

    /// Ends when there was a request.
    pub(crate) async fn is_asked(&self) {
        until_some(&self.asked).await;
    }

    /// Ends when the other side ended a connection.
    pub(crate) async fn is_left(&self) {
        until_some(&self.left).await;
    }
}

async fn until_some(count: &Sender<usize>) {
    let mut count = count.subscribe();
    count
        .wait_for(|count| *count > 0)
        .await
        .expect("the socket holds the sender");
}

/// Fails when the other side has disconnected.
async fn serve(
    mut stream: TcpStream,
    says: &[String],
    then: Then,
    asked: &Sender<usize>,
) -> std::io::Result<()> {
    whole_request(&mut stream).await?;
    let number = *asked.borrow();
    asked.send_modify(|asked| *asked += 1);
    let says = says.get(number).or(says.last()).map_or("", |says| says);
    stream.write_all(says.as_bytes()).await?;
    match then {
        Then::Close => stream.shutdown().await,
        Then::Hang => match stream.read(&mut [0]).await? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        },
        Then::Drip(piece) => loop {
            stream.write_all(piece.as_bytes()).await?;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        },
    }
}

/// Reads until the body is as long as its header says, and returns it.
pub(crate) async fn whole_request(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece).await?;
        bytes.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let head = head.to_lowercase();
        let announced = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if length == 0 || body.len() >= announced.unwrap_or(0) {
            return Ok(body.to_owned());
        }
    }
}

/// The beginning of a stream of events.
pub(crate) const EVENTS: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// One piece of text, as OpenAI says it.
pub(crate) const PIECE: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"more \"}}]}\n\n";
