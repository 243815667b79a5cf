//! A session as a Markdown file: tasks, messages and calls.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::conversation::{ToolAnswer, ToolCall};
use crate::delegation::{Ending, Event, Happening};
use crate::drive::{InFlight, Observer};
use crate::output::text::shortened;
use crate::{keys, private};

/// Writes a transcript during the session.
pub struct Transcript(Mutex<Writing>);

struct Writing {
    file: File,
    /// Calls without a result, and the numbers of their agents.
    calls: Vec<(Vec<String>, ToolCall, u32)>,
    /// The first failure: a full disk must not end the work.
    failure: Option<io::Error>,
}

impl Transcript {
    /// Creates a file, or appends to it.
    pub fn open(path: &Path, go_on: bool) -> io::Result<Self> {
        let file = private::open(path, go_on)?;
        Ok(Self(Mutex::new(Writing {
            file,
            calls: Vec::new(),
            failure: None,
        })))
    }

    /// Why a part of it is missing, if one is.
    pub fn failure(&self) -> Option<io::Error> {
        self.writing().failure.take()
    }

    /// A poisoned lock is safe: parts are written as a whole.
    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A part of a call, which is like the one that its agent made first.
    fn of_call(&self, agent: &[String], call: &ToolCall, what: &str, text: &str) {
        let run = {
            let calls = &mut self.writing().calls;
            let at = calls
                .iter()
                .position(|(who, known, _)| who == agent && known == call);
            at.map(|at| calls.remove(at).2)
        };
        self.part(agent, run, what, text);
    }

    /// Called agents have their numbers: several may have one name.
    fn part(&self, agent: &[String], run: Option<u32>, what: &str, text: &str) {
        let number = run.filter(|run| *run > 0).map(|run| format!(" #{run}"));
        let who = agent.join(" / ") + &number.unwrap_or_default();
        let text = keys::masked(text.to_owned());
        let mut writing = self.writing();
        let written = write!(writing.file, "## {who}: {what}\n\n{}\n\n", text.trim_end());
        if let Err(error) = written {
            writing.failure.get_or_insert(error);
        }
    }
}

impl Observer for Transcript {
    fn event(&self, event: &Event) {
        let part = |what: &str, text: &str| self.part(&event.agent, Some(event.run), what, text);
        match &event.what {
            Happening::Called(task) => part("is called", task),
            Happening::Ignored(what) => part("ignored", what),
            Happening::Compacted(results) => part("shortened", &shortened(*results)),
            Happening::Said(said) if !said.text.trim().is_empty() => part("says", &said.text),
            Happening::Calls(call) => {
                part(&format!("calls {}", call.name), &fenced(&call.arguments));
                let known = (event.agent.clone(), call.clone(), event.run);
                self.writing().calls.push(known);
            }
            Happening::Refused(refused) => part(&format!("is denied {}", refused.tool), &refused.reason),
            Happening::Invalid(invalid) => part(&format!("cannot call {}", invalid.tool), &invalid.reason),
            Happening::Ended(outcome) => {
                match &outcome.ending {
                    Ending::Bound(exceeded) => part("stopped at a limit", &exceeded.bound),
                    Ending::Failed => part("failed", &outcome.text),
                    _ => {}
                }
                self.writing().calls.retain(|(_, _, run)| *run != event.run);
            }
            _ => {}
        }
    }

    fn answered(&self, agent: &[String], call: &ToolCall, answer: &ToolAnswer) {
        let how = if answer.is_error { "fails" } else { "answers" };
        self.of_call(
            agent,
            call,
            &format!("{} {how}", call.name),
            &fenced(&answer.text),
        );
    }

    fn denied(&self, agent: &[String], call: &ToolCall, reason: &str) {
        self.of_call(agent, call, &format!("is denied {}", call.name), reason);
    }

    fn in_doubt(&self, call: &InFlight) {
        let what = format!("was interrupted during {}", call.tool);
        self.part(&call.agent, None, &what, &fenced(&call.arguments));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_of_one_name_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("transcript.md");
        let transcript = Transcript::open(&path, false).unwrap();
        let agent = ["lead", "helper"].map(str::to_owned);
        let event = |run, what| Event {
            number: 0,
            at: 0,
            run,
            agent: agent.to_vec(),
            what,
        };
        let call = |arguments: &str| ToolCall {
            id: "1".into(),
            name: "Read".into(),
            arguments: arguments.into(),
        };
        for (run, arguments) in [(1, "a"), (2, "b")] {
            transcript.event(&event(run, Happening::Calls(call(arguments))));
        }
        for (arguments, text) in [("b", "of b"), ("a", "of a")] {
            let answer = ToolAnswer {
                text: text.into(),
                is_error: false,
            };
            transcript.answered(&agent, &call(arguments), &answer);
        }
        let written = std::fs::read_to_string(path).unwrap();
        let headings: Vec<&str> = written.lines().filter(|line| line.starts_with('#')).collect();
        let expected = [
            "## lead / helper #1: calls Read",
            "## lead / helper #2: calls Read",
            "## lead / helper #2: Read answers",
            "## lead / helper #1: Read answers",
        ];
        assert_eq!(headings, expected);
    }
}
