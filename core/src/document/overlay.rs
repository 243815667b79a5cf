//! A document as a reader holds it, for the catalog of an edition.

use alloc::string::String;

use super::Document;
use crate::decode;
use crate::definition::ToolFilter;
use crate::dialect::{Canonical, Dialect};
use crate::reader::{Held, HeldTools, Reader, read};
use crate::span::Span;

/// Replaces what the dialect documents by what the reader holds.
pub(super) fn overlay(document: &mut Document, path: &str, bytes: &[u8], reader: &Reader, dialect: &Dialect) {
    let reading = match read(path, bytes, reader) {
        Ok(reading) => reading,
        Err(outcome) => {
            if document.outcome.is_agent() {
                document.outcome = outcome;
            }
            return;
        }
    };
    let text = |held: &Held| String::from(held.shown());
    let (agent, definition) = (reading.agent, &mut document.definition);
    document.outcome = reading.outcome;
    // Otherwise its place is its name, which a reader does not know.
    let is_named = definition.field(Canonical::Name).is_some() || dialect.identity.separator().is_none();
    if is_named {
        definition.name = text(&agent.name);
    }
    definition.description = text(&agent.description);
    definition.model = decode::model(dialect, agent.model.as_ref().map(text).unwrap_or_default());
    definition.model_name = None;
    definition.color = agent.color.as_ref().map(text);
    definition.system_prompt = String::from_utf8_lossy(&agent.prompt).into_owned();
    let rule = |name: &String| decode::tool_rule(name, Span::default());
    if reader.tools.keys.is_empty() {
        // Other keys, which behave as documented, set the permissions.
        return;
    }
    definition.tools = match agent.tools {
        HeldTools::Nothing => ToolFilter::Absent,
        HeldTools::All => ToolFilter::All,
        HeldTools::Only(names) if names.is_empty() => ToolFilter::None,
        HeldTools::Only(names) => ToolFilter::Only(names.iter().map(rule).collect()),
    };
    definition.denied_tools = match agent.denied {
        HeldTools::Only(names) => names.iter().map(rule).collect(),
        _ => alloc::vec::Vec::new(),
    };
}
