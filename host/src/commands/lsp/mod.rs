//! `lsp`: a language server on standard input and output. The server is a crate of its own; here are its files, threads and streams.

mod folder;
mod stdio;
mod surroundings;

use std::io::{IsTerminal as _, stdin};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use callsheet::output::text::clean;
use callsheet_server::{Handshake, Host, Look, Seen, Server};
use crossbeam_channel::{Receiver, at, bounded, never, select};
use lsp_server::{Connection, Message, ProtocolError};

use self::surroundings::Surroundings;
use crate::commands::context::Context;
use crate::exit::{Exit, Failure};

/// How long a look at the whole project waits for the next change, which makes its result old.
const PAUSE: Duration = Duration::from_millis(150);

/// Serves one client on standard input and output.
pub(super) fn run(context: &Context) -> Result<Exit, Failure> {
    let options = &context.options;
    if stdin().is_terminal() {
        context.remark("note: waiting for an editor, which starts this command itself: see docs/editors.md; press Ctrl-C to stop");
    }
    let (connection, streams) = stdio::open();
    let (id, params) = connection.initialize_start().map_err(broken)?;
    let handshake = match Handshake::read(params) {
        Ok(handshake) => handshake,
        Err(failure) => {
            let code = lsp_server::ErrorCode::InvalidParams as i32;
            let response = lsp_server::Response::new_err(id, code, failure.clone());
            // It fails for the same reason.
            let _ = connection.sender.send(response.into());
            return Err(Failure::trouble(clean(&failure)));
        }
    };
    connection
        .initialize_finish(id, handshake.result.clone())
        .map_err(broken)?;
    let Connection { sender, receiver } = connection;
    let host: Rc<dyn Host> = Rc::new(Surroundings::new(options.clone(), sender));
    let directories = handshake.directories(&*host);
    let mut server = Server::new(host, handshake.client, &directories)?;
    serve(&mut server, &receiver);
    let is_shut_down = server.is_shut_down();
    drop((server, receiver));
    streams.join().map_err(|error| {
        let reason = clean(&error.to_string());
        Failure::trouble(format!("cannot read what the client sent: {reason}"))
    })?;
    // The protocol: without a request to shut down, the end is an error.
    Ok(if is_shut_down { Exit::Clean } else { Exit::Findings })
}

fn broken(error: ProtocolError) -> Failure {
    let reason = if error.channel_is_disconnected() {
        "the client ended the connection before `initialize`".to_owned()
    } else {
        let reason = error.to_string();
        // The message itself may be as long as a file.
        let reason = reason.split(", got ").next().unwrap_or_default();
        format!("the client does not follow the protocol: {}", clean(reason))
    };
    Failure::trouble(reason).help("an editor starts `callsheet lsp`: see docs/editors.md")
}

/// The result of a look that another thread takes.
struct Looking {
    number: u64,
    seen: Receiver<Vec<Seen>>,
}

/// Gives the server its messages until the client ends.
fn serve(server: &mut Server, receiver: &Receiver<Message>) {
    server.start();
    let (mut due, mut glances) = (Instant::now(), 0);
    let mut looking: Option<Looking> = None;
    loop {
        if server.glances() != glances {
            glances = server.glances();
            due = Instant::now() + PAUSE;
        }
        let pause = if server.is_pausing() { at(due) } else { never() };
        let seen = looking
            .as_ref()
            .map_or_else(never, |looking| looking.seen.clone());
        select! {
            recv(receiver) -> first => {
                let Ok(first) = first else { return };
                let batch = [first].into_iter().chain(receiver.try_iter()).collect();
                if server.take(batch).is_break() {
                    return;
                }
            }
            recv(seen) -> seen => {
                if let Some(Looking { number, .. }) = looking.take() {
                    // A thread that panicked has seen nothing.
                    server.see(number, seen.unwrap_or_default());
                }
            }
            recv(pause) -> _ => looking = Some(look(server)),
        }
    }
}

fn look(server: &mut Server) -> Looking {
    let (number, looks) = server.look();
    let (sender, seen) = bounded(1);
    // A later look drops the receiver.
    thread::spawn(move || sender.send(looks.into_iter().map(Look::run).collect()));
    Looking { number, seen }
}
