//! Observers of a session on the command line.

use std::io::{IsTerminal as _, Write as _, stderr, stdout};
use std::path::Path;
use std::sync::Arc;

use callsheet::conversation::{ToolAnswer, ToolCall};
use callsheet::delegation::Event;
use callsheet::drive::{InFlight, Observer};
use callsheet::output::json_v1;
use callsheet::output::text::clean;
use callsheet::output::transcript::Transcript;
use callsheet::traces::Traces;

use crate::cli::Work;
use crate::exit::Failure;

/// Whether a tree can be drawn on the error stream.
pub(super) fn draws() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    stderr().is_terminal() && !no_color && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

pub(super) fn transcript(file: &Path, go_on: bool) -> Result<Arc<dyn Observer>, Failure> {
    let opened = Transcript::open(file, go_on);
    let opened =
        opened.map_err(|error| Failure::trouble(format!("cannot write {}: {error}", file.display())))?;
    Ok(Arc::new(opened))
}

/// The trace of a session, if the user wants one.
pub(super) fn traces(work: &Work, session: Option<&str>) -> Result<Option<Arc<Traces>>, Failure> {
    let Some(collector) = &work.otlp else {
        return Ok(None);
    };
    let traces = Traces::to(collector, session)
        .map_err(|reason| Failure::trouble(format!("`{}` cannot be used: {reason}", clean(collector))))?;
    Ok(Some(Arc::new(traces)))
}

/// Prints events as JSON lines.
pub(super) struct JsonLines;

impl Observer for JsonLines {
    fn event(&self, event: &Event) {
        print(&json_v1::event(event));
    }

    fn answered(&self, agent: &[String], call: &ToolCall, answer: &ToolAnswer) {
        print(&json_v1::result(agent, call, answer));
    }

    fn denied(&self, agent: &[String], call: &ToolCall, reason: &str) {
        print(&json_v1::denied(agent, call, reason));
    }

    fn in_doubt(&self, call: &InFlight) {
        print(&json_v1::in_doubt(&call.agent, &call.tool, &call.arguments));
    }
}

/// The reader may close the pipe early.
fn print(line: &str) {
    let mut out = stdout().lock();
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}
