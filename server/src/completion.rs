//! What can be written at a place.

use callsheet_contract::projects::{Completion, CompletionKind, Spot as Place};
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionRequest, Range, Request, TextEdit,
};

use super::lines::Lines;
use super::marks;
use super::spot::{Refused, Spot, failed};
use super::state::State;

/// The keys, values and names that fit there.
pub(super) fn completions(
    state: &mut State,
    params: CompletionParams,
) -> Result<<CompletionRequest as Request>::Result, Refused> {
    let Some(spot) = Spot::of(state, &params.text_document_position_params) else {
        return Ok(None);
    };
    let root = state.root(&spot.path);
    let Some(found) = root.found_as(&spot.path) else {
        return Ok(None);
    };
    let place = Place {
        path: found.path,
        contents: spot.bytes,
        at: u32::try_from(spot.offset).unwrap_or(u32::MAX),
        dialect: found.dialect,
        level: found.level,
    };
    let completions = root.folder.complete(&place);
    let completions = completions.map_err(failed)?;
    let lines = Lines::new(&place.contents, state.client.encoding);
    let range = lines.range(marks::bytes(&completions.span));
    let words = completions.words.into_iter().enumerate();
    let items = words.map(|(number, word)| item(number, word, range));
    Ok(Some(items.collect::<Vec<_>>().into()))
}

fn item(number: usize, word: Completion, range: Range) -> CompletionItem {
    let remark = (!word.detail.is_empty()).then_some(word.detail);
    // A description takes more than the line of a word.
    let (detail, documentation) = match word.kind {
        CompletionKind::Agent => (None, remark),
        _ => (remark, None),
    };
    CompletionItem {
        label: word.word,
        kind: Some(match word.kind {
            CompletionKind::Key => CompletionItemKind::Property,
            CompletionKind::Value => CompletionItemKind::EnumMember,
            CompletionKind::Tool => CompletionItemKind::Function,
            CompletionKind::Model => CompletionItemKind::Constant,
            CompletionKind::Agent | CompletionKind::Skill | CompletionKind::Server => {
                CompletionItemKind::Reference
            }
        }),
        detail,
        documentation: documentation.map(Into::into),
        // In the order of the component.
        sort_text: Some(format!("{number:04}")),
        text_edit: Some(
            TextEdit {
                range,
                new_text: word.text,
            }
            .into(),
        ),
        ..CompletionItem::default()
    }
}
