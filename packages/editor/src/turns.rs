//! The calls of the editor, one after the other.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use callsheet_server::{Failure, Handshake, Host, Look, Server};
use lsp_server::{ErrorCode, Message, Notification, Response};
use serde_json::Value;

use crate::contract::exports::callsheet::server::server::Turn;
use crate::surroundings::Surroundings;

/// How far the client is.
enum Phase {
    /// Before its `initialize`.
    New,
    /// Before its `initialized`.
    Greeted(Handshake),
    Serving(Box<Server>),
    /// After its `exit`.
    Over,
}

struct Connection {
    surroundings: Rc<Surroundings>,
    phase: Phase,
}

thread_local! {
    static CONNECTION: RefCell<Connection> = RefCell::new(Connection {
        surroundings: Rc::default(),
        phase: Phase::New,
    });
}

pub(crate) fn receive(messages: &[String]) -> Turn {
    CONNECTION.with_borrow_mut(|connection| {
        let mut batch = Vec::new();
        for message in messages {
            match serde_json::from_str::<Message>(message) {
                Ok(message) => batch.push(message),
                Err(error) => {
                    let reason = format!("a message of the client cannot be read: {error}");
                    connection.surroundings.complain(&Failure::new(reason));
                }
            }
        }
        connection.take(batch);
        connection.turn()
    })
}

pub(crate) fn look() -> Turn {
    CONNECTION.with_borrow_mut(|connection| {
        if let Phase::Serving(server) = &mut connection.phase
            && server.is_pausing()
        {
            let (number, looks) = server.look();
            server.see(number, looks.into_iter().map(Look::run).collect());
        }
        connection.turn()
    })
}

/// The addresses here are those of files, but the editor's own ones have other schemes, by which it chooses what it asks about.
fn all_schemes(result: &mut Value) {
    let filters = result.pointer_mut("/capabilities/workspace/fileOperations/willRename/filters");
    let filters = filters.and_then(Value::as_array_mut).into_iter().flatten();
    for filter in filters.filter_map(Value::as_object_mut) {
        filter.remove("scheme");
    }
}

impl Connection {
    fn take(&mut self, batch: Vec<Message>) {
        let mut batch = batch.into_iter();
        while !matches!(self.phase, Phase::Serving(_)) {
            match batch.next() {
                Some(message) => self.greet(message),
                None => return,
            }
        }
        if let Phase::Serving(server) = &mut self.phase
            && let ControlFlow::Break(()) = server.take(batch.collect())
        {
            self.phase = Phase::Over;
        }
    }

    /// Takes a message of the handshake.
    fn greet(&mut self, message: Message) {
        let phase = std::mem::replace(&mut self.phase, Phase::New);
        self.phase = match (phase, message) {
            (Phase::New, Message::Request(request)) if request.method == "initialize" => {
                match Handshake::read(request.params) {
                    Ok(mut handshake) => {
                        all_schemes(&mut handshake.result);
                        let response = Response::new_ok(request.id, handshake.result.clone());
                        self.surroundings.send(response.into());
                        Phase::Greeted(handshake)
                    }
                    Err(reason) => {
                        let code = ErrorCode::InvalidParams as i32;
                        self.surroundings
                            .send(Response::new_err(request.id, code, reason).into());
                        Phase::New
                    }
                }
            }
            (Phase::Greeted(handshake), Message::Notification(Notification { method, .. }))
                if method == "initialized" =>
            {
                self.serve(handshake)
            }
            (phase, Message::Request(request)) => {
                let (code, reason) = match phase {
                    Phase::Over => (ErrorCode::InvalidRequest, "the server has ended"),
                    _ => (ErrorCode::ServerNotInitialized, "`initialize` comes first"),
                };
                let response = Response::new_err(request.id, code as i32, reason.to_owned());
                self.surroundings.send(response.into());
                phase
            }
            (phase, _) => phase,
        };
    }

    fn serve(&self, handshake: Handshake) -> Phase {
        let host: Rc<dyn Host> = Rc::<Surroundings>::clone(&self.surroundings);
        let directories = handshake.directories(&*host);
        match Server::new(host, handshake.client, &directories) {
            Ok(mut server) => {
                server.start();
                Phase::Serving(Box::new(server))
            }
            Err(failure) => {
                self.surroundings.complain(&failure);
                Phase::Over
            }
        }
    }

    fn turn(&self) -> Turn {
        let pause = match &self.phase {
            Phase::Serving(server) if server.is_pausing() => Some(server.glances()),
            _ => None,
        };
        Turn {
            messages: self.surroundings.messages(),
            failures: self.surroundings.failures(),
            pause,
        }
    }
}
