//! What to do about findings.

use std::path::Path;

use callsheet_contract::projects::Exception;
use callsheet_contract::types::Edit;
use callsheet_report::report::Finding;
use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionRequest, CodeActionTriggerKind, Range, Request,
};

use super::converting::conversions;
use super::extracting::{EXTRACT, extraction};
use super::lines::Lines;
use super::marks;
use super::spot::{Refused, failed};
use super::state::State;

/// The kind of the action that applies every safe fix of a file.
pub(super) const FIX_ALL: &str = "source.fixAll.callsheet";

/// The fixes of the findings in a range, every safe fix of the file, what can be made of its text there, and its conversions.
pub(super) fn actions(
    state: &mut State,
    params: CodeActionParams,
) -> Result<<CodeActionRequest as Request>::Result, Refused> {
    let Some(path) = state.path(&params.text_document.uri) else {
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
        actions.extend(quick(state, &path, params.range)?);
    }
    if wants(FIX_ALL) {
        actions.extend(fix_all(state, &path)?);
    }
    // A mark beside the text must not announce these everywhere.
    let is_automatic = params.context.trigger_kind == Some(CodeActionTriggerKind::Automatic);
    if wants(EXTRACT) && !is_automatic {
        actions.extend(extraction(state, &path, params.range)?);
    }
    if wants("refactor") && !is_automatic {
        actions.extend(conversions(state, &path)?);
    }
    Ok(Some(actions.into_iter().map(Into::into).collect()))
}

/// The fixes of the findings there, and a way to ignore each.
fn quick(state: &mut State, path: &Path, range: Range) -> Result<Vec<CodeAction>, Refused> {
    let bytes = state.bytes(path);
    let lines = Lines::new(&bytes, state.client.encoding);
    let asked = lines.span(range);
    // Fixing comes first.
    let (mut actions, mut ignoring) = (Vec::new(), Vec::<(Edit, CodeAction)>::new());
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
        if let Some(edit) = suppression(state, path, &bytes, &finding)? {
            let found = marks::diagnostic(state, path, &finding, &lines);
            // A comment is for all findings of a rule in its line.
            if let Some((_, action)) = ignoring.iter_mut().find(|(known, _)| *known == edit) {
                action.diagnostics.get_or_insert_default().push(found);
                continue;
            }
            let edits = marks::edits(std::slice::from_ref(&edit), &lines);
            let action = CodeAction {
                title: format!("Ignore this finding here ({})", finding.diagnostic.rule),
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![found]),
                edit: marks::edit(state, path, edits),
                ..CodeAction::default()
            };
            ignoring.push((edit, action));
        }
    }
    actions.extend(ignoring.into_iter().map(|(_, action)| action));
    Ok(actions)
}

/// The comment that suppresses a finding.
fn suppression(
    state: &mut State,
    path: &Path,
    bytes: &[u8],
    finding: &Finding,
) -> Result<Option<Edit>, Refused> {
    let root = state.root(path);
    let Some(mut found) = root.found_as(path) else {
        return Ok(None);
    };
    if let Some(reporter) = finding.dialects.first() {
        found.dialect = Some(reporter.clone());
    }
    let problem = &finding.diagnostic;
    let at = problem.primary.place.span.start;
    let edit = root.folder.suppress(&found, bytes, &problem.rule, at);
    edit.map_err(failed)
}

fn fix_all(state: &mut State, path: &Path) -> Result<Option<CodeAction>, Refused> {
    let root = state.root(path);
    // Only stored files are fixed as a whole.
    let is_untitled = State::is_untitled(path);
    if is_untitled
        || root.findings(path).iter().all(|finding| {
            let fixes = &finding.diagnostic.fixes;
            fixes.iter().all(|fix| !fix.safe)
        })
    {
        return Ok(None);
    }
    let name = root.name(path);
    let request = root.folder.request(vec![name.clone()]);
    // Rules that the configuration turns off fix nothing.
    let rules = root.folder.rules().map_err(failed)?;
    let off = rules
        .into_iter()
        .filter(|rule| root.folder.is_off(&rule.name, &name));
    let off: Vec<Exception> = off
        .map(|rule| Exception {
            path: name.clone(),
            rule: rule.name,
        })
        .collect();
    let fixed = root.folder.fix(&request, &off).map_err(failed)?;
    let mut fixed = fixed.into_iter();
    let Some(fixed) = fixed.find(|file| root.system_path(&file.path).as_deref() == Some(path)) else {
        return Ok(None);
    };
    let lines = Lines::new(&fixed.before, state.client.encoding);
    let edits = marks::differences(&fixed.before, &fixed.after, &lines);
    Ok(Some(CodeAction {
        title: "Apply all safe fixes of callsheet".into(),
        kind: Some(CodeActionKind::new(FIX_ALL)),
        edit: marks::edit(state, path, edits),
        ..CodeAction::default()
    }))
}
