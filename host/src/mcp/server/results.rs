//! Results for a client.

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject};
use serde_json::Value;

use super::Office;
use crate::Result;
use crate::delegation::{Ending, Outcome};
use crate::drive::Ended;
use crate::output::report::{Checked, Explained, Listing};
use crate::output::{json_v1, live};
use crate::types::Kind;

/// The JSON documents of the command line: see docs/json.md.
impl Office {
    pub(super) fn list(&self) -> Result<String> {
        let mut catalog = self.catalog();
        let listing = Listing {
            kind: Kind::Agent,
            dialect: catalog.dialect().to_owned(),
            visited: catalog.visited()?,
            entries: catalog.entries(true)?,
        };
        Ok(json_v1::list(&[listing], &[], false))
    }

    pub(super) fn check(&self) -> Result<String> {
        let report = self.catalog().check()?;
        Ok(json_v1::check(&Checked::new(report)))
    }

    pub(super) fn why(&self, name: &str) -> Result<String> {
        let mut catalog = self.catalog();
        let explained = Explained {
            kind: Kind::Agent,
            dialect: catalog.dialect().to_owned(),
            explanation: catalog.explain(name)?,
        };
        Ok(json_v1::why(name, None, &[explained], &[]))
    }
}

/// The result of an agent's work, its session if it is saved, and its usage.
pub(super) fn result(ended: &Ended, session: Option<&str>, nanoseconds: u64) -> CallToolResult {
    let mut result = outcome(ended.outcome.clone());
    let used = live::usage(ended, None, nanoseconds);
    let note = match session {
        Some(id) => format!("Session {id}, for another message with `continue_agent`. {used}."),
        None => format!("{used}."),
    };
    result.content.push(ContentBlock::text(note));
    // As in the command line's document, but for the text, which is there already.
    if let Ok(Value::Object(mut about)) = serde_json::from_str(&json_v1::outcome(ended, session)) {
        about.remove("text");
        let named = JsonObject::from_iter([("callsheet/outcome".to_owned(), Value::Object(about))]);
        result.meta = Some(MetaObject(named));
    }
    result
}

/// The outcome of an agent's work.
pub(super) fn outcome(outcome: Option<Outcome>) -> CallToolResult {
    let Some(outcome) = outcome else {
        return failure("the work was interrupted".into());
    };
    match outcome.ending {
        Ending::Answer => success(outcome.text),
        Ending::Bound(exceeded) => {
            let partial = match exceeded.partial.trim() {
                "" => "There was no answer yet.".to_owned(),
                some => format!("Partial answer:\n\n{some}"),
            };
            failure(format!("The agent stopped: {}. {partial}", outcome.text))
        }
        Ending::Cancelled => failure("the work was cancelled".into()),
        Ending::Failed => failure(outcome.text),
    }
}

pub(super) fn answered(answer: Result<String>) -> CallToolResult {
    match answer {
        Ok(text) => success(text),
        Err(error) => failure(error.to_string()),
    }
}

pub(super) fn failure(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

fn success(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}
