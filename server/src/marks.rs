//! Findings and their fixes, in the words of the protocol.

use std::path::Path;

use callsheet_contract::types::{self, Edit, Severity};
use callsheet_report::pages::address;
use callsheet_report::report::Finding;
use gen_lsp_types::{
    Code, CodeDescription, CreateFile, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    DocumentChange, Location, Message, OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit,
    TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::lines::Lines;
use super::state::State;

/// The findings in a file.
pub(super) fn diagnostics(state: &mut State, path: &Path) -> Vec<Diagnostic> {
    let found = state.root(path).findings(path).to_vec();
    if found.is_empty() {
        return Vec::new();
    }
    let bytes = state.bytes(path);
    let lines = Lines::new(&bytes, state.client.encoding);
    let diagnostic = |finding| diagnostic(state, path, finding, &lines);
    found.iter().map(diagnostic).collect()
}

pub(super) fn diagnostic(state: &mut State, path: &Path, finding: &Finding, lines: &Lines<'_>) -> Diagnostic {
    let found = &finding.diagnostic;
    let related: Vec<DiagnosticRelatedInformation> = found
        .related
        .iter()
        .filter_map(|label| related(state, path, label))
        .collect();
    Diagnostic {
        range: lines.range(bytes(&found.primary.place.span)),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Note => DiagnosticSeverity::Information,
        }),
        code: Some(Code::String(found.rule.clone())),
        code_description: page(&found.rule),
        source: Some("callsheet".into()),
        message: Message::String(message(state, path, finding)),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

fn page(rule: &str) -> Option<CodeDescription> {
    let href = Uri::parse(&address(rule)?).ok()?;
    Some(CodeDescription::new(href))
}

/// The message with its advice. Paths are shown from the folder that the editor shows.
fn message(state: &mut State, path: &Path, finding: &Finding) -> String {
    let found = &finding.diagnostic;
    let mut text = found.message.clone();
    if !found.primary.text.is_empty() && !text.contains(&found.primary.text) {
        text = format!("{text}\n{}", found.primary.text);
    }
    for (label, line) in [("note", &found.note), ("help", &found.help)] {
        if let Some(line) = line {
            text = format!("{text}\n{label}: {line}");
        }
    }
    let root = state.root(path);
    text.replace(&format!("{}/", root.directory.to_string_lossy()), "")
}

fn related(state: &mut State, from: &Path, label: &types::Label) -> Option<DiagnosticRelatedInformation> {
    let root = state.root(from);
    let is_here = root.known(from).is_some_and(|file| file.path == label.place.path);
    let path = if is_here {
        from.to_owned()
    } else {
        root.system_path(&label.place.path)?
    };
    let contents = state.bytes(&path);
    let lines = Lines::new(&contents, state.client.encoding);
    Some(DiagnosticRelatedInformation {
        location: Location {
            uri: state.uri(&path)?,
            range: lines.range(bytes(&label.place.span)),
        },
        message: if label.text.is_empty() {
            "here".into()
        } else {
            label.text.clone()
        },
    })
}

/// A change of one file. The client refuses it if the file has changed since.
pub(super) fn edit(state: &State, path: &Path, edits: Vec<TextEdit>) -> Option<WorkspaceEdit> {
    state
        .uri(path)
        .is_some()
        .then(|| edit_all(state, vec![(path, edits)]))
}

/// A change of several files.
pub(super) fn edit_all(state: &State, files: Vec<(&Path, Vec<TextEdit>)>) -> WorkspaceEdit {
    let files = files
        .into_iter()
        .filter_map(|(path, edits)| Some((path, state.uri(path)?, edits)));
    if !state.client.versions {
        return WorkspaceEdit {
            changes: Some(files.map(|(_, uri, edits)| (uri, edits)).collect()),
            ..WorkspaceEdit::default()
        };
    }
    let change = |(path, uri, edits): (&Path, Uri, Vec<TextEdit>)| {
        let version = state.documents.get(path).map(|document| document.version);
        change(uri, version, edits)
    };
    WorkspaceEdit {
        document_changes: Some(files.map(change).collect()),
        ..WorkspaceEdit::default()
    }
}

/// The changes that create a file.
pub(super) fn new_file(uri: Uri, text: String) -> Vec<DocumentChange> {
    let create = CreateFile {
        uri: uri.clone(),
        options: None,
        annotation_id: None,
    };
    let text = TextEdit {
        range: Range::default(),
        new_text: text,
    };
    vec![create.into(), change(uri, None, vec![text])]
}

/// A change of one file.
pub(super) fn change(uri: Uri, version: Option<i32>, edits: Vec<TextEdit>) -> DocumentChange {
    let change = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            version,
            text_document_identifier: TextDocumentIdentifier { uri },
        },
        edits: edits.into_iter().map(Into::into).collect(),
    };
    change.into()
}

/// The edits that replace what differs, in each line or in several.
pub(super) fn differences(before: &[u8], after: &[u8], lines: &Lines<'_>) -> Vec<TextEdit> {
    let split = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect::<Vec<_>>();
    let (old, new) = (split(before), split(after));
    let length = |lines: &[&[u8]]| lines.iter().map(|line| line.len()).sum::<usize>();
    let mut edits = Vec::new();
    let changes = capture_diff_slices(Algorithm::Myers, &old, &new).into_iter();
    for change in changes.filter(|change| change.tag() != DiffTag::Equal) {
        let mut start = length(&old[..change.old_range().start]);
        let (old, new) = (&old[change.old_range()], &new[change.new_range()]);
        let whole = || vec![(old.concat(), new.concat())];
        let pair = |(old, new): (&&[u8], &&[u8])| (old.to_vec(), new.to_vec());
        let pairs = if old.len() == new.len() {
            old.iter().zip(new).map(pair).collect()
        } else {
            whole()
        };
        for (old, new) in pairs {
            let (head, tail) = in_common(&old, &new);
            edits.push(TextEdit {
                range: lines.range(start + head..start + old.len() - tail),
                new_text: String::from_utf8_lossy(&new[head..new.len() - tail]).into_owned(),
            });
            start += old.len();
        }
    }
    edits
}

/// How many bytes two lines have in common at their beginnings and at their ends, without a part of a character or of a line end.
fn in_common(old: &[u8], new: &[u8]) -> (usize, usize) {
    let ending = |line: &[u8]| line.len() - line.trim_ascii_end().len();
    let (Ok(old_text), Ok(new_text)) = (str::from_utf8(old), str::from_utf8(new)) else {
        return (0, 0);
    };
    if old[old.len() - ending(old)..] != new[new.len() - ending(new)..] {
        return (0, 0);
    }
    let same = |(one, other): &(char, char)| one == other;
    let length = |(one, _): (char, char)| one.len_utf8();
    let head: usize = old_text
        .chars()
        .zip(new_text.chars())
        .take_while(same)
        .map(length)
        .sum();
    let rest = (old_text[head..].chars().rev()).zip(new_text[head..].chars().rev());
    (head, rest.take_while(same).map(length).sum())
}

pub(super) fn edits(edits: &[Edit], lines: &Lines<'_>) -> Vec<TextEdit> {
    let change = |edit: &Edit| TextEdit {
        range: lines.range(bytes(&edit.span)),
        new_text: edit.text.clone(),
    };
    edits.iter().map(change).collect()
}

pub(super) fn bytes(span: &types::Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}
