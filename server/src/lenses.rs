//! Lines above a definition: what uses it, what it wins over, and how many tools load it.

use std::path::Path;

use callsheet_contract::catalogs::Standing;
use callsheet_contract::documents::Fate;
use callsheet_contract::projects::{Graph, Node, NodeKind};
use callsheet_report::text::plural;
use gen_lsp_types::{CodeLens, CodeLensParams, Command, Location, Range};
use serde_json::json;

use super::lines::Lines;
use super::marks;
use super::spot::{Refused, failed, known};
use super::state::State;

/// Shows locations; its arguments are an address, a position and the locations.
const REFERENCES: &str = "callsheet.references";

/// Explains a name of the open file.
const WHY: &str = "callsheet.why";

/// Runs the agent of the open file.
const RUN: &str = "callsheet.run";

pub(super) fn lenses(state: &mut State, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>, Refused> {
    let uri = &params.text_document.uri;
    let Some(path) = known(state, uri) else {
        return Ok(None);
    };
    let root = state.root(&path);
    let graph = root.graph().map_err(failed)?.clone();
    let is_here = |node: &Node| {
        let named = node.path.as_ref().and_then(|path| root.system_path(path));
        node.kind != NodeKind::Server && named.as_deref() == Some(&*path)
    };
    let mut lenses = Vec::new();
    let mut add = |state: &State, command: &str, title: String, arguments| {
        // A client without the command shows the title.
        let has_it = state.client.commands.iter().any(|known| known == command);
        lenses.push(CodeLens {
            range: Range::default(),
            command: Some(Command {
                title,
                tooltip: None,
                command: if has_it { command.to_owned() } else { String::new() },
                arguments,
            }),
            data: None,
        });
    };
    let Some(number) = graph.nodes.iter().position(is_here) else {
        return Ok(Some(lenses));
    };
    let node = &graph.nodes[number];
    let users = users(state, &path, &graph, number);
    if !users.is_empty() {
        let title = format!("used by {}", users.len());
        let arguments = vec![json!(uri), json!(Range::default().start), json!(users)];
        add(state, REFERENCES, title, Some(arguments));
    }
    if let Some(title) = standing(&graph, node) {
        add(state, WHY, title, None);
    }
    if node.kind == NodeKind::Agent && node.standing != Some(Standing::NotAnAgent) {
        let title = loaded(state, &path)?;
        add(state, WHY, title, None);
        if node.standing == Some(Standing::Active) && state.client.commands.iter().any(|known| known == RUN) {
            add(state, RUN, "run".to_owned(), None);
        }
    }
    Ok(Some(lenses))
}

/// The places that name a file.
fn users(state: &mut State, path: &Path, graph: &Graph, number: usize) -> Vec<Location> {
    let edges = graph.edges.iter();
    let edges = edges.filter(|edge| edge.target.is_some_and(|target| target as usize == number));
    let mut users = Vec::new();
    for edge in edges {
        let Some(from) = state.root(path).system_path(&edge.place.path) else {
            continue;
        };
        let bytes = state.bytes(&from);
        let range = Lines::new(&bytes, state.client.encoding).range(marks::bytes(&edge.place.span));
        users.extend(state.uri(&from).map(|uri| Location { uri, range }));
    }
    users
}

/// Whether a definition is active where several have its name.
fn standing(graph: &Graph, node: &Node) -> Option<String> {
    let is_same =
        |other: &&Node| other.kind == node.kind && other.dialect == node.dialect && other.name == node.name;
    let same = graph.nodes.iter().filter(is_same);
    let shadowed = same
        .filter(|other| other.standing == Some(Standing::Shadowed))
        .count();
    match node.standing? {
        Standing::Active if shadowed > 0 => Some(format!("wins over {}", plural(shadowed, "other"))),
        Standing::Shadowed => Some("shadowed by another file".to_owned()),
        Standing::Broken => Some("not loaded".to_owned()),
        Standing::Withheld => Some("listed, but not callable".to_owned()),
        Standing::Active | Standing::NotAnAgent => None,
    }
}

/// How many of the releases that read the folder load the file.
fn loaded(state: &mut State, path: &Path) -> Result<String, Refused> {
    let bytes = state.bytes(path);
    let root = state.root(path);
    let name = root.known(path).map(|file| file.path.clone()).unwrap_or_default();
    let seen = root.folder.readings(&name, &bytes);
    let seen = seen.map_err(failed)?;
    let looking = seen.iter().filter(|seen| seen.fate != Fate::NotLookedAt);
    let loading = looking.clone().filter(|seen| seen.fate != Fate::Dropped);
    Ok(format!(
        "loaded by {} of {} releases",
        loading.count(),
        looking.count()
    ))
}
