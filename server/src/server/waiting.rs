//! Questions that need what all files name: another thread reads it, so that no keystroke waits for them.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use gen_lsp_types::{
    CodeLensRequest, DefinitionRequest, DocumentHighlightRequest, DocumentLinkRequest, HoverRequest,
    PrepareRenameRequest, ReferencesRequest, Request as _, Uri,
};
use lsp_server::{ErrorCode, Request, RequestId};
use serde_json::Value;

use super::Server;
use crate::answers;

impl Server {
    /// Whether a look at the project has to come first.
    pub(super) fn may_wait(&self, request: &Request) -> bool {
        let methods = [
            CodeLensRequest::METHOD,
            DefinitionRequest::METHOD,
            DocumentHighlightRequest::METHOD,
            DocumentLinkRequest::METHOD,
            HoverRequest::METHOD,
            PrepareRenameRequest::METHOD,
            ReferencesRequest::METHOD,
        ];
        let is_asked = methods.iter().any(|method| method.as_str() == request.method);
        let path = self.path(request).filter(|_| is_asked);
        path.is_some_and(|path| {
            let root = &self.state.roots[self.state.root_of(&path)];
            root.reads(&path) && !root.has_graph()
        })
    }

    /// The roots to look at for the questions that wait.
    pub(super) fn wanted(&self) -> BTreeSet<usize> {
        let paths = self.waiting.iter().filter_map(|request| self.path(request));
        paths.map(|path| self.state.root_of(&path)).collect()
    }

    /// Answers what need not wait any longer.
    pub(super) fn answer_waiting(&mut self) {
        for request in std::mem::take(&mut self.waiting) {
            if self.may_wait(&request) {
                self.waiting.push(request);
            } else {
                let answer = answers::answer(&mut self.state, &request.method, request.params);
                self.respond(request.id, answer);
            }
        }
    }

    pub(super) fn cancel(&mut self, ids: &HashSet<RequestId>) {
        let (ended, waiting) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|request| ids.contains(&request.id));
        self.waiting = waiting;
        for request in ended {
            self.respond(
                request.id,
                Err((ErrorCode::RequestCanceled, "cancelled".to_owned())),
            );
        }
    }

    /// Without an answer, a client would wait forever.
    pub(super) fn give_up(&mut self) {
        for request in std::mem::take(&mut self.waiting) {
            let reason = "the project was not read".to_owned();
            self.respond(request.id, Err((ErrorCode::RequestFailed, reason)));
        }
    }

    /// The file of a question about one.
    fn path(&self, request: &Request) -> Option<PathBuf> {
        let uri: &Value = request.params.pointer("/textDocument/uri")?;
        let uri: Uri = serde_json::from_value(uri.clone()).ok()?;
        self.state.path(&uri)
    }
}
