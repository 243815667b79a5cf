//! One line per event, for pipes and logs.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use super::board::{Board, Row, brief, named, path};
use crate::conversation::{ModelRequest, ToolAnswer, ToolCall};
use crate::delegation::{Event, Happening};
use crate::drive::{InFlight, Observer};
use crate::output::text::{clean, shortened};

/// Writes a line per event.
pub struct Lines<W>(Mutex<(Board, W)>);

impl<W: Write> Lines<W> {
    /// The output.
    pub fn new(to: W) -> Self {
        Self(Mutex::new((Board::default(), to)))
    }

    fn write(&self, line: impl FnOnce(&mut Board) -> Option<String>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (board, to) = &mut *state;
        if let Some(line) = line(board) {
            // Without an error stream, there is no way to report.
            let _ = writeln!(to, "{line}");
        }
    }
}

impl<W: Write + Send> Observer for Lines<W> {
    fn event(&self, event: &Event) {
        self.write(|board| {
            let row = board.take(event);
            lasting(event, &row).or_else(|| passing(event, &row))
        });
    }

    fn answered(&self, agent: &[String], call: &ToolCall, answer: &ToolAnswer) {
        self.write(|_| failed(agent, call, answer));
    }

    fn denied(&self, agent: &[String], call: &ToolCall, reason: &str) {
        self.write(|_| Some(denied(agent, call, reason)));
    }

    fn again(&self, run: u32, at: u64, request: &ModelRequest) {
        self.write(|board| {
            let row = board.again(run, at, &request.agent, &request.model);
            Some(format!("{}: resumed: {}", row.path(), row.doing))
        });
    }

    fn in_doubt(&self, call: &InFlight) {
        self.write(|_| Some(in_doubt(call)));
    }
}

/// Events that need a line even beside a tree.
pub(super) fn lasting(event: &Event, row: &Row) -> Option<String> {
    let path = row.path();
    match &event.what {
        Happening::Ignored(what) => Some(format!("{path}: ignored: {}", clean(what))),
        Happening::Compacted(results) => Some(format!("{path}: {}", shortened(*results))),
        Happening::Refused(refused) => {
            let (tool, reason) = (clean(&refused.tool), clean(&refused.reason));
            Some(format!("{path}: {tool} is denied: {reason}"))
        }
        Happening::Invalid(invalid) => {
            let (tool, reason) = (clean(&invalid.tool), clean(&invalid.reason));
            Some(format!("{path}: {tool} failed: {reason}"))
        }
        // The end of the first agent is the end of the run, which the command reports.
        Happening::Ended(_) if event.run == 0 => None,
        Happening::Ended(outcome) => Some(format!("{path}: {}", row.ended(outcome, event.at))),
        _ => None,
    }
}

fn passing(event: &Event, row: &Row) -> Option<String> {
    let path = row.path();
    match &event.what {
        Happening::Called(task) => Some(format!("{path}: is called: {}", brief(task))),
        Happening::Asked(model) => Some(format!("{path}: asks {}", named(model))),
        Happening::Waits | Happening::Calls(_) => Some(format!("{path}: {}", row.doing)),
        _ => None,
    }
}

pub(super) fn failed(agent: &[String], call: &ToolCall, answer: &ToolAnswer) -> Option<String> {
    let tool = clean(&call.name);
    answer
        .is_error
        .then(|| format!("{}: {tool} failed: {}", path(agent), brief(&answer.text)))
}

pub(super) fn denied(agent: &[String], call: &ToolCall, reason: &str) -> String {
    format!(
        "{}: {} is denied: {}",
        path(agent),
        clean(&call.name),
        clean(reason)
    )
}

pub(super) fn in_doubt(call: &InFlight) -> String {
    let what = format!("{} {}", clean(&call.tool), brief(&call.arguments));
    format!(
        "{}: was interrupted during {what}; it is not repeated",
        path(&call.agent)
    )
}
