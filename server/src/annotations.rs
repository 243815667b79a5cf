//! Colors of words, and hints between them.

use std::path::Path;

use callsheet_contract::documents::{Annotations, TokenKind};
use gen_lsp_types::{
    InlayHint, InlayHintParams, SemanticToken, SemanticTokens, SemanticTokensParams, TextDocumentIdentifier,
};
use serde_json::{Value, json};

use super::lines::Lines;
use super::marks;
use super::spot::{Refused, failed, known};
use super::state::State;

/// The kinds of words, in the names of the protocol. A theme colors them like those of a program.
const TYPES: [&str; 6] = [
    "property",
    "function",
    "enumMember",
    "class",
    "namespace",
    "interface",
];

/// Of keys without an effect. Many themes strike such words through.
const DEPRECATED: &str = "deprecated";

pub(super) fn legend() -> Value {
    json!({ "tokenTypes": TYPES, "tokenModifiers": [DEPRECATED] })
}

/// The number of a type, and the set of modifiers.
fn color(kind: TokenKind) -> (u32, u32) {
    match kind {
        TokenKind::Key => (0, 0),
        TokenKind::UnreadKey => (0, 1),
        TokenKind::Tool => (1, 0),
        TokenKind::Model => (2, 0),
        TokenKind::Agent => (3, 0),
        TokenKind::Skill => (4, 0),
        TokenKind::Server => (5, 0),
    }
}

pub(super) fn tokens(
    state: &mut State,
    params: SemanticTokensParams,
) -> Result<Option<SemanticTokens>, Refused> {
    let Some((bytes, shown)) = of_document(state, &params.text_document)? else {
        return Ok(None);
    };
    let lines = Lines::new(&bytes, state.client.encoding);
    let (mut line, mut start) = (0, 0);
    let mut data = Vec::new();
    for token in shown.tokens {
        let range = lines.range(marks::bytes(&token.span));
        // Few clients show a token over several lines.
        if range.start.line != range.end.line {
            continue;
        }
        let (token_type, token_modifiers_bitset) = color(token.kind);
        let is_same = range.start.line == line;
        data.push(SemanticToken {
            delta_line: range.start.line - line,
            delta_start: range.start.character - if is_same { start } else { 0 },
            length: range.end.character - range.start.character,
            token_type,
            token_modifiers_bitset,
        });
        (line, start) = (range.start.line, range.start.character);
    }
    Ok(Some(SemanticTokens {
        result_id: None,
        data,
    }))
}

pub(super) fn hints(state: &mut State, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>, Refused> {
    let Some((bytes, shown)) = of_document(state, &params.text_document)? else {
        return Ok(None);
    };
    let lines = Lines::new(&bytes, state.client.encoding);
    let wanted = lines.span(params.range);
    let hints = shown.hints.into_iter().map(|hint| (hint.at as usize, hint.text));
    let hints = hints.filter(|(at, _)| wanted.start <= *at && *at <= wanted.end);
    let hints = hints.map(|(at, text)| InlayHint {
        position: lines.position(at),
        label: text.into(),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    });
    Ok(Some(hints.collect()))
}

/// The contents of a file that some tool reads, and what to show in it.
fn of_document(
    state: &mut State,
    document: &TextDocumentIdentifier,
) -> Result<Option<(Vec<u8>, Annotations)>, Refused> {
    let Some(path) = known(state, &document.uri) else {
        return Ok(None);
    };
    let bytes = state.bytes(&path);
    let shown = of_file(state, &path, &bytes)?;
    Ok(shown.map(|shown| (bytes, shown)))
}

pub(super) fn of_file(state: &mut State, path: &Path, bytes: &[u8]) -> Result<Option<Annotations>, Refused> {
    let root = state.root(path);
    let Some(found) = root.found_as(path) else {
        return Ok(None);
    };
    let shown = root.folder.annotate(&found, bytes);
    Ok(Some(shown.map_err(failed)?))
}
