//! What a client tells: open files and their changes, files that changed on disk, and folders.

use std::path::{Path, PathBuf};

use gen_lsp_types::{
    DidChangeTextDocumentNotification, DidChangeWatchedFilesNotification,
    DidChangeWorkspaceFoldersNotification, DidCloseTextDocumentNotification, DidOpenTextDocumentNotification,
    DidSaveTextDocumentNotification, MessageType, Notification, ShowMessageNotification, ShowMessageParams,
    TextDocumentContentChangeEvent, Uri,
};
use lsp_server::ErrorCode;
use serde_json::Value;

use super::Server;
use crate::lines::{Encoding, Lines};
use crate::root::Root;
use crate::spot::{Refused, failed};
use crate::state::{Document, State};

/// The name of the configuration of a project.
const CONFIGURATION: &str = "callsheet.toml";

impl Server {
    pub(super) fn notice(&mut self, notification: lsp_server::Notification) -> Result<(), Refused> {
        let lsp_server::Notification { method, params } = notification;
        let is = |known: &str| known == method;
        if is(DidOpenTextDocumentNotification::METHOD.as_str()) {
            self.open(params)
        } else if is(DidChangeTextDocumentNotification::METHOD.as_str()) {
            self.change(params)
        } else if is(DidCloseTextDocumentNotification::METHOD.as_str()) {
            self.close(params)
        } else if is(DidSaveTextDocumentNotification::METHOD.as_str()) {
            // The findings in other files may depend on it.
            self.is_stale = true;
            Ok(())
        } else if is(DidChangeWatchedFilesNotification::METHOD.as_str()) {
            self.files_changed(params)
        } else if is(DidChangeWorkspaceFoldersNotification::METHOD.as_str()) {
            self.folders_changed(params)
        } else {
            // Others are not for this server.
            Ok(())
        }
    }

    fn open(&mut self, params: Value) -> Result<(), Refused> {
        let opened = read::<DidOpenTextDocumentNotification>(params)?.text_document;
        let document = Document {
            uri: opened.uri.clone(),
            version: opened.version,
            text: opened.text,
        };
        if let Some(path) = self.state.path(&opened.uri) {
            self.state.documents.insert(path.clone(), document);
            self.set(&path);
        }
        Ok(())
    }

    fn change(&mut self, params: Value) -> Result<(), Refused> {
        let changed = read::<DidChangeTextDocumentNotification>(params)?;
        let identifier = changed.text_document;
        let uri = identifier.text_document_identifier.uri;
        let encoding = self.state.client.encoding;
        let Some(path) = self.state.path(&uri) else {
            return Ok(());
        };
        let Some(document) = self.state.documents.get_mut(&path) else {
            return Ok(());
        };
        document.version = identifier.version;
        for change in changed.content_changes {
            apply(&mut document.text, change, encoding);
        }
        self.set(&path);
        Ok(())
    }

    fn close(&mut self, params: Value) -> Result<(), Refused> {
        let closed = read::<DidCloseTextDocumentNotification>(params)?.text_document;
        // By its address: its directory may be gone.
        let mut open = self.state.documents.iter();
        let path = open.find_map(|(path, document)| (document.uri == closed.uri).then(|| path.clone()));
        if let Some(path) = path {
            self.state.documents.remove(&path);
            for root in &mut self.state.roots {
                root.set_unsaved(&path, None);
            }
            self.is_stale = true;
        }
        Ok(())
    }

    fn files_changed(&mut self, params: Value) -> Result<(), Refused> {
        let changes = read::<DidChangeWatchedFilesNotification>(params)?.changes;
        let is_configuration = changes
            .iter()
            .any(|change| change.uri.path().ends_with(CONFIGURATION));
        if is_configuration {
            self.configure();
        }
        self.is_stale |= !changes.is_empty();
        Ok(())
    }

    fn folders_changed(&mut self, params: Value) -> Result<(), Refused> {
        let event = read::<DidChangeWorkspaceFoldersNotification>(params)?.event;
        let removed = event
            .removed
            .iter()
            .filter_map(|folder| self.state.path(&folder.uri));
        let removed: Vec<PathBuf> = removed.collect();
        let is_fallback = !event.added.is_empty() && !self.state.client.names_folders;
        self.state.client.names_folders |= is_fallback;
        let before = std::mem::take(&mut self.state.roots).into_iter();
        let (gone, kept) = before.partition(|root| is_fallback || removed.contains(&root.directory));
        self.state.roots = kept;
        for folder in event.added {
            self.add(&folder.uri);
        }
        self.is_stale = true;
        if self.state.roots.is_empty() {
            self.state.client.names_folders = false;
            match Root::open(&self.state.host, &self.state.host.fallback()) {
                Ok(root) => self.state.roots.push(root),
                Err(failure) => {
                    // There is always one.
                    self.state.roots = gone;
                    return Err(failed(failure));
                }
            }
            self.configure();
        }
        Ok(())
    }

    /// Reads the configurations, and shows the user what is wrong with them.
    pub(super) fn configure(&mut self) {
        let read = self.state.roots.iter_mut().map(Root::configure);
        for failure in read.filter_map(Result::err).collect::<Vec<_>>() {
            self.notify::<ShowMessageNotification>(ShowMessageParams {
                kind: MessageType::Error,
                message: failure.message,
            });
        }
    }

    fn add(&mut self, folder: &Uri) {
        let Some(directory) = self.state.host.path(folder) else {
            return;
        };
        match Root::open(&self.state.host, &directory) {
            Ok(mut root) => {
                let documents = self.state.documents.iter();
                for (path, document) in documents.filter(|(path, _)| !State::is_untitled(path)) {
                    root.set_unsaved(path, Some(&document.text));
                }
                self.state.roots.push(root);
                self.configure();
            }
            Err(failure) => self.complain(&failure.message),
        }
    }

    fn set(&mut self, path: &Path) {
        if !State::is_untitled(path) {
            let text = self.state.documents.get(path).map(|document| &*document.text);
            for root in &mut self.state.roots {
                root.set_unsaved(path, text);
            }
        }
        if self.is_checked(path) {
            self.changed.insert(path.to_owned());
        }
    }
}

/// The parameters of a notification.
fn read<N: Notification>(params: Value) -> Result<N::Params, Refused> {
    serde_json::from_value(params).map_err(|error| {
        let method = N::METHOD;
        (
            ErrorCode::InvalidParams,
            format!("`{method}` cannot be read: {error}"),
        )
    })
}

fn apply(text: &mut String, change: TextDocumentContentChangeEvent, encoding: Encoding) {
    match change {
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
            let span = Lines::new(text.as_bytes(), encoding).span(change.range);
            text.replace_range(span, &change.text);
        }
        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => *text = change.text,
    }
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{Position, Range, TextDocumentContentChangePartial};
    use proptest::collection::vec;
    use proptest::sample::{Index, select};
    use proptest::{prop_assert_eq, proptest};

    use super::{Encoding, apply};

    const CHARACTERS: &[char] = &['a', 'b', ' ', '\u{e9}', '\u{2028}', '\u{1f600}', '\n', '\r'];

    /// Every offset at which an editor may change a text, with its position.
    fn places(text: &[char], encoding: Encoding) -> Vec<(usize, Position)> {
        let (mut line, mut character) = (0, 0);
        let mut places = Vec::new();
        for at in 0..=text.len() {
            let (before, after) = (at.checked_sub(1).map(|at| text[at]), text.get(at));
            let is_in_line_end = before == Some('\r') && after == Some(&'\n');
            if !is_in_line_end && matches!(before, Some('\n' | '\r')) {
                (line, character) = (line + 1, 0);
            }
            if !is_in_line_end {
                places.push((at, Position { line, character }));
            }
            character += after.map_or(0, |char| match encoding {
                Encoding::Utf8 => char.to_string().len(),
                Encoding::Utf16 => char.to_string().encode_utf16().count(),
                Encoding::Utf32 => 1,
            } as u32);
        }
        places
    }

    proptest! {
        #[test]
        fn a_change_replaces_its_range(
            mut expected in vec(select(CHARACTERS), 0..24),
            edits in vec((proptest::arbitrary::any::<Index>(), proptest::arbitrary::any::<Index>(), vec(select(CHARACTERS), 0..4)), 1..6),
        ) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let mut text: String = expected.iter().collect();
                for (one, other, new) in &edits {
                    let places = places(&expected, encoding);
                    let (one, other) = (one.get(&places), other.get(&places));
                    let (start, end) = if one.0 <= other.0 { (one, other) } else { (other, one) };
                    let change = TextDocumentContentChangePartial {
                        range: Range { start: start.1, end: end.1 },
                        text: new.iter().collect(),
                        ..TextDocumentContentChangePartial::default()
                    };
                    apply(&mut text, change.into(), encoding);
                    expected.splice(start.0..end.0, new.iter().copied());
                    prop_assert_eq!(&text, &expected.iter().collect::<String>());
                }
            }
        }
    }
}
