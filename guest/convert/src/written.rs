//! Writing: contract types to core types, and the results back. No decisions.

use callsheet_core::write::{Change, Draft, EditError, Refusal, Value};
use callsheet_core::{definition, diagnostic, names, span};

use crate::bindings::exports::callsheet::agents::{documents, types};

pub fn draft(draft: documents::Draft) -> Draft {
    let field = |field: documents::DraftField| (field.canonical, value(field.value));
    Draft {
        fields: draft.fields.into_iter().map(field).collect(),
        prompt: draft.prompt,
    }
}

pub fn changes(changes: Vec<documents::KeyChange>) -> Vec<Change> {
    let change = |change: documents::KeyChange| Change {
        key: change.key,
        value: change.value.map(value),
    };
    changes.into_iter().map(change).collect()
}

fn value(given: documents::FieldValue) -> Value {
    match given {
        documents::FieldValue::Text(text) => Value::Text(text),
        documents::FieldValue::Integer(number) => Value::Integer(number),
        documents::FieldValue::Boolean(yes) => Value::Boolean(yes),
        documents::FieldValue::Tools(filter) => Value::Tools(tools(filter)),
        documents::FieldValue::Words(words) => Value::Words(words),
        documents::FieldValue::Entered(text) => Value::Entered(text),
    }
}

fn tools(filter: types::ToolFilter) -> definition::ToolFilter {
    let rule = |rule: types::ToolRule| definition::ToolRule {
        tool: rule.tool,
        specifier: rule.specifier,
        span: span::Span::default(),
    };
    match filter {
        types::ToolFilter::Absent => definition::ToolFilter::Absent,
        types::ToolFilter::Null => definition::ToolFilter::Null,
        types::ToolFilter::None => definition::ToolFilter::None,
        types::ToolFilter::All => definition::ToolFilter::All,
        types::ToolFilter::Only(rules) => definition::ToolFilter::Only(rules.into_iter().map(rule).collect()),
    }
}

pub fn edits(edits: Vec<diagnostic::Edit>) -> Vec<types::Edit> {
    edits.into_iter().map(edit).collect()
}

pub fn edit(edit: diagnostic::Edit) -> types::Edit {
    types::Edit {
        span: crate::common::span(edit.span),
        text: edit.text,
    }
}

pub fn invalid_name(invalid: names::InvalidName) -> documents::NameError {
    documents::NameError::Invalid(documents::InvalidName {
        problem: invalid.problem,
        similar: invalid.similar,
    })
}

pub fn edit_error(error: EditError) -> documents::WriteError {
    match error {
        EditError::Unreadable(reason) => documents::WriteError::Unreadable(reason),
        EditError::Refused(refusals) => refused(refusals),
    }
}

pub fn refused(refusals: Vec<Refusal>) -> documents::WriteError {
    let refusal = |refusal: Refusal| documents::Refusal {
        field: refusal.field,
        reason: refusal.reason,
    };
    documents::WriteError::Refused(refusals.into_iter().map(refusal).collect())
}
