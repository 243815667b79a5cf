//! The answers to the client's questions.

use gen_lsp_types::{
    CodeActionRequest, CodeLensRequest, CompletionRequest, DefinitionRequest, DocumentDiagnosticParams,
    DocumentDiagnosticReport, DocumentDiagnosticRequest, DocumentHighlightRequest, DocumentLinkRequest,
    DocumentSymbolRequest, FoldingRangeRequest, FullDocumentDiagnosticReport, HoverRequest, InlayHintRequest,
    PrepareRenameRequest, ReferencesRequest, RelatedFullDocumentDiagnosticReport, RenameRequest, Request,
    SemanticTokensRequest, WillRenameFilesRequest, WorkspaceSymbolRequest,
};
use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::spot::Refused;
use super::state::State;
use super::{actions, annotations, completion, creating, hover, lenses, marks, places, renames};

/// An answer; `null` about a file that no tool reads.
pub(super) fn answer(state: &mut State, method: &str, params: Value) -> Result<Value, Refused> {
    let is = |known: gen_lsp_types::LspRequestMethod<'static>| known.as_str() == method;
    if is(HoverRequest::METHOD) {
        reply::<HoverRequest>(state, params, hover::hover)
    } else if is(CompletionRequest::METHOD) {
        reply::<CompletionRequest>(state, params, completion::completions)
    } else if is(DefinitionRequest::METHOD) {
        reply::<DefinitionRequest>(state, params, places::definition)
    } else if is(ReferencesRequest::METHOD) {
        reply::<ReferencesRequest>(state, params, places::references)
    } else if is(DocumentHighlightRequest::METHOD) {
        reply::<DocumentHighlightRequest>(state, params, places::highlights)
    } else if is(DocumentLinkRequest::METHOD) {
        reply::<DocumentLinkRequest>(state, params, places::links)
    } else if is(DocumentSymbolRequest::METHOD) {
        reply::<DocumentSymbolRequest>(state, params, places::symbols)
    } else if is(WorkspaceSymbolRequest::METHOD) {
        reply::<WorkspaceSymbolRequest>(state, params, places::all_symbols)
    } else if is(FoldingRangeRequest::METHOD) {
        reply::<FoldingRangeRequest>(state, params, places::folds)
    } else if is(CodeActionRequest::METHOD) {
        reply::<CodeActionRequest>(state, params, actions::actions)
    } else if is(CodeLensRequest::METHOD) {
        reply::<CodeLensRequest>(state, params, lenses::lenses)
    } else if is(InlayHintRequest::METHOD) {
        reply::<InlayHintRequest>(state, params, annotations::hints)
    } else if is(SemanticTokensRequest::METHOD) {
        reply::<SemanticTokensRequest>(state, params, annotations::tokens)
    } else if is(PrepareRenameRequest::METHOD) {
        reply::<PrepareRenameRequest>(state, params, renames::prepare)
    } else if is(RenameRequest::METHOD) {
        reply::<RenameRequest>(state, params, renames::rename)
    } else if is(WillRenameFilesRequest::METHOD) {
        reply::<WillRenameFilesRequest>(state, params, renames::follow)
    } else if is(DocumentDiagnosticRequest::METHOD) {
        reply::<DocumentDiagnosticRequest>(state, params, diagnostics)
    } else if method == creating::NEW_AGENT {
        written(creating::new_agent(state, read(method, params)?)?)
    } else {
        Err((ErrorCode::MethodNotFound, format!("`{method}` is not supported")))
    }
}

fn reply<R: Request>(
    state: &mut State,
    params: Value,
    answer: fn(&mut State, R::Params) -> Result<R::Result, Refused>,
) -> Result<Value, Refused> {
    let params = read(R::METHOD.as_str(), params)?;
    written(answer(state, params)?)
}

fn read<Params: DeserializeOwned>(method: &str, params: Value) -> Result<Params, Refused> {
    serde_json::from_value(params).map_err(|error| {
        let reason = format!("the parameters of `{method}` cannot be read: {error}");
        (ErrorCode::InvalidParams, reason)
    })
}

fn written(answer: impl Serialize) -> Result<Value, Refused> {
    Ok(serde_json::to_value(answer).expect("the protocol is JSON"))
}

fn diagnostics(
    state: &mut State,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReport, Refused> {
    let path = state.path(&params.text_document.uri);
    let items = path
        .map(|path| marks::diagnostics(state, &path))
        .unwrap_or_default();
    Ok(RelatedFullDocumentDiagnosticReport {
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: None,
            items,
        },
        related_documents: None,
    }
    .into())
}
