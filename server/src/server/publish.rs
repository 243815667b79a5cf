//! Sends findings to a client, or tells it to ask for them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use gen_lsp_types::{
    Diagnostic, DiagnosticRefreshRequest, PublishDiagnosticsNotification, PublishDiagnosticsParams, Uri,
};

use super::{Published, Server};
use crate::marks;

impl Server {
    /// Sends the findings that changed in these files, or in those that are not open if the client asks for the others. It asks after each
    /// change of an open file, so it only needs to be told after other changes.
    pub(super) fn publish(&mut self, paths: BTreeSet<PathBuf>, is_whole: bool) {
        let mut asks = false;
        for path in paths {
            let document = self.state.documents.get(&path);
            let is_asked = self.state.client.pulls && document.is_some();
            let diagnostics = marks::diagnostics(&mut self.state, &path);
            let sent = self
                .state
                .uri(&path)
                .filter(|_| !is_asked && !diagnostics.is_empty());
            let before = self.published.remove(&path);
            let is_same = before
                .as_ref()
                .is_some_and(|before| before.diagnostics == diagnostics);
            asks |= is_asked && !is_same;
            let before = before.and_then(|before| before.sent);
            if let Some(uri) = before.clone().filter(|before| sent.as_ref() != Some(before)) {
                self.send(uri, Vec::new());
            }
            if let Some(uri) = sent
                .clone()
                .filter(|uri| !is_same || before.as_ref() != Some(uri))
            {
                self.send(uri, diagnostics.clone());
            }
            if !diagnostics.is_empty() {
                self.published.insert(path, Published { diagnostics, sent });
            }
        }
        if asks && is_whole && self.state.client.refreshes {
            self.request::<DiagnosticRefreshRequest>(());
        }
    }

    /// Replaces the findings that the client shows for this address.
    fn send(&self, uri: Uri, diagnostics: Vec<Diagnostic>) {
        let mut open = self.state.documents.values();
        let version = open
            .find(|document| document.uri == uri)
            .map(|document| document.version);
        self.notify::<PublishDiagnosticsNotification>(PublishDiagnosticsParams {
            uri,
            version,
            diagnostics,
        });
    }
}
