//! New names: the edits of a definition, its file and all references to it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use callsheet_contract::documents::Found;
use callsheet_contract::projects::{NodeKind, Renaming};
use callsheet_contract::types::{Field, Kind};
use gen_lsp_types::{
    MessageType, Notification as _, Position, PrepareRenameParams, PrepareRenamePlaceholder,
    PrepareRenameRequest, RenameFile, RenameFilesParams, RenameParams, Request, ShowMessageNotification,
    ShowMessageParams, TextEdit, WorkspaceEdit,
};
use lsp_server::ErrorCode;

use super::lines::Lines;
use super::marks;
use super::spot::{Refused, Spot, edge_at, failed, parsed, target};
use super::state::State;

/// The edits of files, by path.
type Changes = BTreeMap<PathBuf, Vec<TextEdit>>;

/// The most names that one move changes: for each, the whole project is read while the editor waits.
const MOST_RENAMED: usize = 50;

/// What has a name at a place.
struct Named {
    /// The file that defines it.
    file: PathBuf,
    name: String,
    span: Range<usize>,
}

/// The name at a place, if it can be renamed.
pub(super) fn prepare(
    state: &mut State,
    params: PrepareRenameParams,
) -> Result<<PrepareRenameRequest as Request>::Result, Refused> {
    let Some(spot) = Spot::of(state, &params.text_document_position_params) else {
        return Ok(None);
    };
    let Some(named) = named_at(state, &spot)? else {
        return Ok(None);
    };
    let lines = Lines::new(&spot.bytes, state.client.encoding);
    let found = PrepareRenamePlaceholder {
        range: lines.range(named.span),
        placeholder: named.name,
    };
    Ok(Some(found.into()))
}

pub(super) fn rename(state: &mut State, params: RenameParams) -> Result<Option<WorkspaceEdit>, Refused> {
    let named = match Spot::of(state, &params.text_document_position_params) {
        Some(spot) => named_at(state, &spot)?,
        None => None,
    };
    let Some(named) = named else {
        return Err(refused("there is no name of an agent, a skill or a command"));
    };
    let renaming = renaming(state, &named.file, &params.new_name)?;
    let changes = edits(state, &named.file, &renaming)?;
    let changes = changes.iter().map(|(path, edits)| (&**path, edits.clone()));
    let mut edit = marks::edit_all(state, changes.collect());
    let root = state.root(&named.file);
    let Some((old, new)) = renaming.moved else {
        return Ok(Some(edit));
    };
    let paths = root.system_path(&old).zip(root.system_path(&new));
    let uris = paths.and_then(|(old, new)| Some((state.uri(&old)?, state.uri(&new)?)));
    match (&mut edit.document_changes, uris) {
        (Some(changes), Some((old_uri, new_uri))) if state.client.renames => {
            let moved = RenameFile {
                old_uri,
                new_uri,
                options: None,
                annotation_id: None,
            };
            changes.push(moved.into());
            Ok(Some(edit))
        }
        _ => Err(refused(&format!(
            "this moves {old} to {new}, and the editor cannot move files; run `callsheet rename`"
        ))),
    }
}

/// The edits of files and folders that are about to be moved: those that give their definitions other names. What is refused for one of
/// them is shown to the user, and the others are changed.
pub(super) fn follow(state: &mut State, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>, Refused> {
    let (mut changes, mut refusal, mut renamed) = (Changes::new(), None, 0);
    for file in &params.files {
        let new = state.host.path(&file.new_uri);
        let new = new.and_then(|path| state.host.real(&path));
        let (Some(old), Some(new)) = (state.path(&file.old_uri), new) else {
            continue;
        };
        for subject in state.root(&old).defined_below(&old) {
            if renamed == MOST_RENAMED {
                let reason = format!("more than {MOST_RENAMED} names change: move fewer files at once");
                refusal.get_or_insert(refused(&reason));
                break;
            }
            let added = match following(state, &subject, (&old, &new)) {
                Ok(None) => continue,
                Ok(Some(found)) => add(&mut changes, found),
                Err(refusal) => Err(refusal),
            };
            renamed += 1;
            refusal = refusal.or(added.err());
        }
    }
    // Editors do not show why they get no edit.
    if let Some((_, reason)) = refusal {
        let what = if changes.is_empty() {
            "names and references stay as they are"
        } else {
            "not every reference is changed"
        };
        let params = ShowMessageParams {
            kind: MessageType::Warning,
            message: format!("{what}: {reason}"),
        };
        let method = ShowMessageNotification::METHOD.as_str().to_owned();
        let message = lsp_server::Notification::new(method, params);
        state.host.send(message.into());
    }
    let changes = changes.iter().map(|(path, edits)| (&**path, edits.clone()));
    let changes: Vec<_> = changes.collect();
    Ok((!changes.is_empty()).then(|| marks::edit_all(state, changes)))
}

/// Adds edits that do not overlap with others.
fn add(changes: &mut Changes, added: Changes) -> Result<(), Refused> {
    let is_free = |(path, edits): (&PathBuf, &Vec<TextEdit>)| {
        let others = changes.get(path).map(Vec::as_slice).unwrap_or_default();
        !edits
            .iter()
            .any(|edit| others.iter().any(|other| overlap(edit, other)))
    };
    if !added.iter().all(is_free) {
        return Err(refused(
            "two of the names are in one text: move the files one after the other",
        ));
    }
    for (path, edits) in added {
        changes.entry(path).or_default().extend(edits);
    }
    Ok(())
}

/// The edits if this move gives the definition in `subject` another name, and nothing else; none if it keeps its name.
fn following(
    state: &mut State,
    subject: &Path,
    (old, new): (&Path, &Path),
) -> Result<Option<Changes>, Refused> {
    let there = match subject.strip_prefix(old) {
        Ok(below) if !below.as_os_str().is_empty() => new.join(below),
        _ => new.to_owned(),
    };
    let agent = parsed(state, subject)?.and_then(|parsed| parsed.agent);
    let Some(name) = agent.map(|agent| agent.name) else {
        return Ok(None);
    };
    let by_path = match renamed(old, new, &name) {
        Some(to) => Some(to),
        None => name_at(state, subject, &there)?.filter(|to| *to != name),
    };
    let Some(to) = by_path else {
        return Ok(None);
    };
    let renaming = renaming(state, subject, &to)?;
    let root = state.root(subject);
    let moved = renaming.moved.as_ref();
    let moved = moved.map(|(from, to)| (root.system_path(from), root.system_path(to)));
    let is_this = [(old, new), (subject, &there)]
        .map(|(from, to)| Some((Some(from.to_owned()), Some(to.to_owned()))))
        .contains(&moved);
    is_this.then(|| edits(state, subject, &renaming)).transpose()
}

/// The name that replaces another one at the start of a file name.
fn renamed(old: &Path, new: &Path, name: &str) -> Option<String> {
    let (old, new) = (old.file_name()?.to_str()?, new.file_name()?.to_str()?);
    let ending = old.strip_prefix(name)?;
    let to = new.strip_suffix(ending)?;
    (to != name && !to.is_empty()).then(|| to.to_owned())
}

/// The name of a known definition if its file were at another path.
fn name_at(state: &mut State, subject: &Path, there: &Path) -> Result<Option<String>, Refused> {
    let contents = state.bytes(subject);
    let root = state.root(subject);
    let Some(found) = root.found_as(subject) else {
        return Ok(None);
    };
    let found = Found {
        path: there.to_string_lossy().into_owned(),
        ..found
    };
    let parsed = root.folder.parse(&found, &contents).map_err(failed)?;
    Ok(parsed.agent.map(|agent| agent.name))
}

/// Whether two edits of a file cannot both be made.
fn overlap(one: &TextEdit, other: &TextEdit) -> bool {
    let key = |position: Position| (position.line, position.character);
    let (one, other) = (one.range, other.range);
    key(one.start) < key(other.end) && key(other.start) < key(one.end) || one.start == other.start
}

fn named_at(state: &mut State, spot: &Spot) -> Result<Option<Named>, Refused> {
    if State::is_untitled(&spot.path) {
        return Ok(None);
    }
    if let Some(edge) = edge_at(state, spot)? {
        let Some(file) = target(state, &spot.path, &edge)? else {
            return Ok(None);
        };
        let nodes = &state.root(&spot.path).graph().map_err(failed)?.nodes;
        let node = edge.target.map(|number| &nodes[number as usize]);
        let is_definition = |kind| matches!(kind, NodeKind::Agent | NodeKind::Skill | NodeKind::Command);
        let node = node.filter(|node| is_definition(node.kind));
        return Ok(node.map(|node| Named {
            file,
            name: node.name.clone(),
            span: marks::bytes(&edge.place.span),
        }));
    }
    let Some(agent) = parsed(state, &spot.path)?.and_then(|parsed| parsed.agent) else {
        return Ok(None);
    };
    let kind = state.root(&spot.path).known(&spot.path).map(|file| file.kind);
    let is_name = |field: &&Field| match field.canonical.as_deref() {
        Some("name") => true,
        // A title that is the name of the folder goes with it.
        Some("display-name") if kind == Some(Kind::Skill) => {
            field.value.trim().trim_matches(['"', '\'']) == agent.name
        }
        _ => false,
    };
    let is_here = |field: &&Field| {
        field.key_span.start as usize <= spot.offset && spot.offset <= field.value_span.end as usize
    };
    let field = agent.fields.iter().filter(is_name).find(is_here);
    Ok(field.map(|field| Named {
        file: spot.path.clone(),
        name: agent.name.clone(),
        span: marks::bytes(&field.value_span),
    }))
}

fn renaming(state: &mut State, path: &Path, to: &str) -> Result<Renaming, Refused> {
    let root = state.root(path);
    let Some(found) = root.found_as(path) else {
        return Err(refused("this is defined outside of the project"));
    };
    let renaming = root.folder.rename(&found.path, to);
    renaming.map_err(failed)
}

fn edits(state: &mut State, from: &Path, renaming: &Renaming) -> Result<Changes, Refused> {
    let root = state.root(from);
    let mut files = Vec::new();
    for file in &renaming.files {
        let path = root.system_path(&file.path);
        files.push((
            path.ok_or_else(|| refused(&format!("{} does not exist any more", file.path)))?,
            file,
        ));
    }
    for (path, file) in &files {
        // Settings and manifests are read as stored.
        let open = state.documents.get(path);
        // An editor does not show a byte order mark.
        let before = file.before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&file.before);
        if open.is_some_and(|open| open.text.as_bytes() != before) {
            let reason = format!("{} has changes that are not saved: save it first", file.path);
            return Err(refused(&reason));
        }
    }
    let changes = files.into_iter().map(|(path, file)| {
        let lines = Lines::new(&file.before, state.client.encoding);
        (path, marks::differences(&file.before, &file.after, &lines))
    });
    Ok(changes.collect())
}

fn refused(reason: &str) -> Refused {
    (ErrorCode::RequestFailed, reason.to_owned())
}
