//! What to do about findings.

use std::path::Path;

use callsheet::fix::Which;
use callsheet::projects::Exception;
use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionRequest, Range, Request, TextEdit,
};

use super::lines::Lines;
use super::marks;
use super::spot::{Refused, failed};
use super::state::State;

/// The kind of the action that applies every safe fix of a file.
pub(super) const FIX_ALL: &str = "source.fixAll.callsheet";

/// The fixes of the findings in a range, and every safe fix of the file.
pub(super) fn actions(
    state: &mut State,
    params: CodeActionParams,
) -> Result<<CodeActionRequest as Request>::Result, Refused> {
    let Some(path) = State::path(&params.text_document.uri) else {
        return Ok(None);
    };
    let only = params.context.only.as_deref();
    let wants = |kind: &str| {
        let asked = |wanted: &CodeActionKind| {
            let wanted: String = wanted.clone().into();
            wanted.is_empty() || kind == wanted || kind.starts_with(&format!("{wanted}."))
        };
        only.is_none_or(|only| only.iter().any(asked))
    };
    let mut actions = Vec::new();
    if wants("quickfix") {
        actions.extend(quick(state, &path, params.range));
    }
    if wants(FIX_ALL) {
        actions.extend(fix_all(state, &path)?);
    }
    Ok(Some(actions.into_iter().map(Into::into).collect()))
}

fn quick(state: &mut State, path: &Path, range: Range) -> Vec<CodeAction> {
    let bytes = state.bytes(path);
    let lines = Lines::new(&bytes, state.client.encoding);
    let asked = lines.span(range);
    let mut actions = Vec::new();
    for finding in state.root(path).findings(path).to_vec() {
        let span = marks::bytes(&finding.diagnostic.primary.place.span);
        if span.end < asked.start || asked.end < span.start {
            continue;
        }
        for fix in &finding.diagnostic.fixes {
            let edits = marks::edits(&fix.edits, &lines);
            actions.push(CodeAction {
                title: if fix.safe {
                    fix.title.clone()
                } else {
                    format!("{} (unsafe: review before applying)", fix.title)
                },
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![marks::diagnostic(state, path, &finding, &lines)]),
                is_preferred: Some(fix.safe),
                edit: marks::edit(state, path, edits),
                ..CodeAction::default()
            });
        }
    }
    actions
}

fn fix_all(state: &mut State, path: &Path) -> Result<Option<CodeAction>, Refused> {
    let root = state.root(path);
    if root.findings(path).iter().all(|finding| {
        let fixes = &finding.diagnostic.fixes;
        fixes.iter().all(|fix| !fix.safe)
    }) {
        return Ok(None);
    }
    let name = root.name(path);
    let request = root.request(vec![name.clone()]);
    // Rules that the configuration turns off fix nothing.
    let rules = root
        .context
        .callsheet
        .rules()
        .map_err(|error| failed(error.into()))?;
    let off = rules
        .into_iter()
        .filter(|rule| root.context.config.is_off(&rule.name, &name));
    let off: Vec<Exception> = off
        .map(|rule| Exception {
            path: name.clone(),
            rule: rule.name,
        })
        .collect();
    let fixed = root.context.callsheet.fix(&request, Which::Safe, &off);
    let fixed = fixed.map_err(|error| failed(error.into()))?;
    let mut fixed = fixed.into_iter();
    let Some(fixed) = fixed.find(|file| root.system_path(&file.path).as_deref() == Some(path)) else {
        return Ok(None);
    };
    let lines = Lines::new(&fixed.before, state.client.encoding);
    let edits = marks::edit(
        state,
        path,
        vec![difference_of(&fixed.before, &fixed.after, &lines)],
    );
    Ok(Some(CodeAction {
        title: "Apply all safe fixes of callsheet".into(),
        kind: Some(CodeActionKind::new(FIX_ALL)),
        edit: edits,
        ..CodeAction::default()
    }))
}

/// One edit for everything between the first and the last changed line.
fn difference_of(before: &[u8], after: &[u8], lines: &Lines<'_>) -> TextEdit {
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let start = before[..same]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let (old, new) = (&before[start..], &after[start..]);
    let same = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    // A line that only partly is the same is replaced, so that no character is cut.
    let tail = &old[old.len() - same..];
    let same = tail
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(0, |at| tail.len() - at);
    TextEdit {
        range: lines.range(start..start + old.len() - same),
        new_text: String::from_utf8_lossy(&new[..new.len() - same]).into_owned(),
    }
}
