//! The files that the editor shows.

use std::fmt;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent_client_protocol::v1::schema::{ReadTextFileRequest, SessionId, WriteTextFileRequest};
use agent_client_protocol::{JsonRpcRequest, JsonRpcResponse};
use callsheet::tools;

use super::screen::Editor;

/// How long a tool waits for the editor, which has the file in memory.
const PATIENCE: Duration = Duration::from_secs(5);

const CANCELED: &str = "it was canceled";

/// The tools that wait for the editor.
#[derive(Default)]
pub(super) struct Waiting(Mutex<State>);

#[derive(Default)]
struct State {
    is_canceled: bool,
    /// Each ends a wait; nothing happens if that has ended.
    wakes: Vec<Box<dyn FnOnce() + Send>>,
}

impl Waiting {
    /// A message is going to be answered: tools may wait.
    pub(super) fn begin(&self) {
        *self.state() = State::default();
    }

    /// Ends all waits. There are none until the next message.
    pub(super) fn cancel(&self) {
        let mut state = self.state();
        state.is_canceled = true;
        state.wakes.drain(..).for_each(|wake| wake());
    }

    pub(super) fn is_canceled(&self) -> bool {
        self.state().is_canceled
    }

    /// A poisoned lock is safe: it is changed in single steps.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiting").finish_non_exhaustive()
    }
}

/// The files of the editor of a conversation.
#[derive(Debug)]
pub(super) struct Unsaved {
    editor: Editor,
    id: SessionId,
    waiting: Arc<Waiting>,
}

impl Unsaved {
    pub(super) fn of(editor: &Editor, id: &SessionId, waiting: Arc<Waiting>) -> Arc<dyn tools::Unsaved> {
        let (editor, id) = (editor.clone(), id.clone());
        Arc::new(Self { editor, id, waiting })
    }

    /// The answer to a request. Tools wait on threads that serve no messages.
    fn ask<R>(&self, request: R) -> Result<R::Response, String>
    where
        R: JsonRpcRequest,
        R::Response: JsonRpcResponse + Send + 'static,
    {
        let (answers, answer) = sync_channel(2);
        let canceled = answers.clone();
        let mut state = self.waiting.state();
        if state.is_canceled {
            return Err(CANCELED.into());
        }
        state.wakes.push(Box::new(move || {
            let _ = canceled.try_send(Err(CANCELED.to_owned()));
        }));
        drop(state);
        let sent = self
            .editor
            .send_request(request)
            .on_receiving_result(async move |result| {
                // A tool that has given up misses nothing.
                let _ = answers.try_send(result.map_err(|error| error.message));
                Ok(())
            });
        sent.map_err(|error| error.message)?;
        match answer.recv_timeout(PATIENCE) {
            Ok(answered) => answered,
            Err(_) => Err("the editor does not answer".into()),
        }
    }
}

impl tools::Unsaved for Unsaved {
    fn text(&self, path: &Path) -> Result<Option<String>, String> {
        let asked = self.ask(ReadTextFileRequest::new(self.id.clone(), path));
        match asked {
            Err(_) if self.waiting.is_canceled() => Err(CANCELED.to_owned()),
            asked => Ok(asked.ok().map(|answer| answer.content)),
        }
    }

    fn replace(&self, path: &Path, text: &str) -> Result<(), String> {
        self.ask(WriteTextFileRequest::new(self.id.clone(), path, text))
            .map(drop)
    }
}
