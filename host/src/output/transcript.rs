//! A session as a Markdown file: tasks, messages and calls.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::conversation::{ToolAnswer, ToolCall};
use crate::delegation::{Ending, Event, Happening};
use crate::drive::{InFlight, Observer};
use crate::{keys, private};

/// Writes a transcript during the session.
pub struct Transcript(Mutex<Writing>);

struct Writing {
    file: File,
    /// The first failure: a full disk must not end the work.
    failure: Option<io::Error>,
}

impl Transcript {
    /// Creates a file, or appends to it.
    pub fn open(path: &Path, go_on: bool) -> io::Result<Self> {
        let file = private::open(path, go_on)?;
        Ok(Self(Mutex::new(Writing { file, failure: None })))
    }

    /// Why a part of it is missing, if one is.
    pub fn failure(&self) -> Option<io::Error> {
        let mut writing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writing.failure.take()
    }

    fn part(&self, agent: &[String], what: &str, text: &str) {
        let who = agent.join(" / ");
        let text = keys::masked(text.to_owned());
        let mut writing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = write!(writing.file, "## {who}: {what}\n\n{}\n\n", text.trim_end());
        if let Err(error) = written {
            writing.failure.get_or_insert(error);
        }
    }
}

impl Observer for Transcript {
    fn event(&self, event: &Event) {
        let part = |what: &str, text: &str| self.part(&event.agent, what, text);
        match &event.what {
            Happening::Called(task) => part("is called", task),
            Happening::Ignored(what) => part("ignored", what),
            Happening::Said(said) if !said.text.trim().is_empty() => part("says", &said.text),
            Happening::Calls(call) => part(&format!("calls {}", call.name), &fenced(&call.arguments)),
            Happening::Refused(refused) => part(&format!("is denied {}", refused.tool), &refused.reason),
            Happening::Invalid(invalid) => part(&format!("cannot call {}", invalid.tool), &invalid.reason),
            Happening::Ended(outcome) => match &outcome.ending {
                Ending::Bound(exceeded) => part("stopped at a limit", &exceeded.bound),
                Ending::Failed => part("failed", &outcome.text),
                _ => {}
            },
            _ => {}
        }
    }

    fn answered(&self, agent: &[String], call: &ToolCall, answer: &ToolAnswer) {
        let how = if answer.is_error { "fails" } else { "answers" };
        self.part(agent, &format!("{} {how}", call.name), &fenced(&answer.text));
    }

    fn denied(&self, agent: &[String], call: &ToolCall, reason: &str) {
        self.part(agent, &format!("is denied {}", call.name), reason);
    }

    fn in_doubt(&self, call: &InFlight) {
        let what = format!("was interrupted during {}", call.tool);
        self.part(&call.agent, &what, &fenced(&call.arguments));
    }
}

/// The text in a fence that it does not contain.
pub(super) fn fenced(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}\n{}\n{fence}", text.trim_end())
}
