//! What questions are about: a place in a file, and what is there.

use std::path::{Path, PathBuf};

use callsheet_contract::documents::Parsed;
use callsheet_contract::projects::Edge;
use gen_lsp_types::{TextDocumentPositionParams, Uri};
use lsp_server::ErrorCode;

use super::lines::Lines;
use super::marks;
use super::state::State;
use crate::host::Failure;

/// Why there is no answer: a code of the protocol, and a text.
pub(super) type Refused = (ErrorCode, String);

pub(super) fn failed(failure: Failure) -> Refused {
    (ErrorCode::RequestFailed, failure.message)
}

/// A place in a file that some tool reads.
pub(super) struct Spot {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    pub(super) offset: usize,
}

impl Spot {
    pub(super) fn of(state: &mut State, at: &TextDocumentPositionParams) -> Option<Self> {
        let path = known(state, &at.text_document.uri)?;
        let bytes = state.bytes(&path);
        let offset = Lines::new(&bytes, state.client.encoding).offset(at.position);
        Some(Self { path, bytes, offset })
    }
}

/// The path of a file that some tool reads.
pub(super) fn known(state: &mut State, uri: &Uri) -> Option<PathBuf> {
    let path = state.path(uri)?;
    state.root(&path).reads(&path).then_some(path)
}

/// The reference at a place.
pub(super) fn edge_at(state: &mut State, spot: &Spot) -> Result<Option<Edge>, Refused> {
    let edges = edges_of(state, &spot.path)?;
    Ok(edges.into_iter().find(|edge| {
        let span = marks::bytes(&edge.place.span);
        span.start <= spot.offset && spot.offset <= span.end
    }))
}

/// What a file names, by place.
pub(super) fn edges_of(state: &mut State, path: &Path) -> Result<Vec<Edge>, Refused> {
    state.root(path).edges_in(path).map_err(failed)
}

/// The file that a reference leads to.
pub(super) fn target(state: &mut State, from: &Path, edge: &Edge) -> Result<Option<PathBuf>, Refused> {
    let Some(target) = edge.target else {
        return Ok(None);
    };
    let root = state.root(from);
    let path = root.graph().map_err(failed)?.nodes[target as usize].path.clone();
    Ok(path.and_then(|path| root.system_path(&path)))
}

/// A file as its dialect reads it.
pub(super) fn parsed(state: &mut State, path: &Path) -> Result<Option<Parsed>, Refused> {
    let contents = state.bytes(path);
    let root = state.root(path);
    let Some(found) = root.found_as(path) else {
        return Ok(None);
    };
    let parsed = root.folder.parse(&found, &contents);
    Ok(Some(parsed.map_err(failed)?))
}
