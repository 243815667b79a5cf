//! The files that the editor shows.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use agent_client_protocol::v1::schema::{ReadTextFileRequest, SessionId, WriteTextFileRequest};
use agent_client_protocol::{JsonRpcRequest, JsonRpcResponse};
use callsheet::tools;

use super::screen::Editor;

/// How long a tool waits for the editor, which has the file in memory.
const PATIENCE: Duration = Duration::from_secs(5);

/// The files of the editor of a conversation.
#[derive(Debug)]
pub(super) struct Unsaved {
    editor: Editor,
    id: SessionId,
}

impl Unsaved {
    pub(super) fn of(editor: &Editor, id: &SessionId) -> Arc<dyn tools::Unsaved> {
        let (editor, id) = (editor.clone(), id.clone());
        Arc::new(Self { editor, id })
    }

    /// The answer to a request. Tools wait on threads that serve no messages.
    fn ask<R>(&self, request: R) -> Result<R::Response, String>
    where
        R: JsonRpcRequest,
        R::Response: JsonRpcResponse + Send + 'static,
    {
        let (answers, answer) = sync_channel(1);
        let sent = self
            .editor
            .send_request(request)
            .on_receiving_result(async move |result| {
                // A tool that has given up misses nothing.
                let _ = answers.send(result);
                Ok(())
            });
        sent.map_err(|error| error.message)?;
        match answer.recv_timeout(PATIENCE) {
            Ok(answered) => answered.map_err(|error| error.message),
            Err(_) => Err("the editor does not answer".into()),
        }
    }
}

impl tools::Unsaved for Unsaved {
    fn text(&self, path: &Path) -> Option<String> {
        let asked = self.ask(ReadTextFileRequest::new(self.id.clone(), path));
        asked.ok().map(|answer| answer.content)
    }

    fn replace(&self, path: &Path, text: &str) -> Result<(), String> {
        self.ask(WriteTextFileRequest::new(self.id.clone(), path, text))
            .map(drop)
    }
}
