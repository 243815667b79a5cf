//! Converting an agent to the file of another tool.

use std::path::Path;

use callsheet_contract::types::{Kind, Level};
use gen_lsp_types::{CodeAction, CodeActionKind, WorkspaceEdit};

use super::marks;
use super::spot::{Refused, failed};
use super::state::State;

/// One action for each tool that keeps what the file of an agent grants and limits, and has no file of its name.
pub(super) fn conversions(state: &mut State, path: &Path) -> Result<Vec<CodeAction>, Refused> {
    let bytes = state.bytes(path);
    let root = state.root(path);
    let is_agent = root.known(path).is_some_and(|file| file.kind == Kind::Agent);
    let Some(found) = root.found_as(path).filter(|_| is_agent && state.client.creates) else {
        return Ok(Vec::new());
    };
    let owner = found.dialect.as_deref().unwrap_or_default();
    let host = std::rc::Rc::clone(&state.host);
    let folder = &mut state.root(path).folder;
    let dialects = folder.dialects(Kind::Agent).map_err(failed)?;
    let mut actions = Vec::new();
    for dialect in dialects.into_iter().filter(|dialect| dialect.id != owner) {
        let directory = folder.own_directory(&dialect.id, Kind::Agent, Level::Project);
        let directory = directory.map_err(failed)?;
        let converted = folder.convert(&found.path, &bytes, owner, &dialect.id);
        let (Some(directory), Ok(converted)) = (directory, converted) else {
            continue;
        };
        let new = folder.locate(&format!("{directory}/{}", converted.file));
        let uri = new
            .filter(|path| !host.exists(path))
            .and_then(|path| host.address(&path));
        let Some(uri) = uri else { continue };
        let text = String::from_utf8_lossy(&converted.contents).into_owned();
        actions.push(CodeAction {
            title: format!("Convert to {}", dialect.title),
            kind: Some(CodeActionKind::Refactor),
            edit: Some(WorkspaceEdit {
                document_changes: Some(marks::new_file(uri, text)),
                ..WorkspaceEdit::default()
            }),
            ..CodeAction::default()
        });
    }
    Ok(actions)
}
