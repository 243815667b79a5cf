//! Models that answer from a recording.

mod difference;
mod load;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use self::difference::{explain, fits};
use self::load::Recorded;
use super::RecordingError;
use super::recording::Question;
use crate::conversation::{CallError, ModelRequest};
use crate::{Answer, Completion, Heard, Models, regular};

/// The provider whose requests are answered with any recorded model.
pub(super) const PROVIDER: &str = "replay";

/// Answers requests from a recording, in any order. Identical requests get their answers in the order of the recording.
#[derive(Debug)]
pub struct Replay {
    file: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    recorded: Vec<Recorded>,
    /// Requests so far.
    asked: usize,
}

impl Replay {
    /// Reads a recording. An unfinished last line, as of a killed run, is ignored.
    ///
    /// Fails if the file cannot be read or is not a recording.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        let path = path.as_ref();
        let file = path.to_string_lossy().into_owned();
        let text = regular::whole(path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        let text = text.map_err(|error| RecordingError {
            file: file.clone(),
            line: None,
            message: format!("cannot be read: {error}"),
        })?;
        Self::parse(file, &text)
    }

    /// Parses a recording; `file` is its name in errors.
    pub fn parse(file: impl Into<String>, text: &str) -> Result<Self, RecordingError> {
        let file = file.into();
        let recorded = load::lines(&file, text)?;
        let state = Mutex::new(State { recorded, asked: 0 });
        Ok(Self { file, state })
    }

    /// The number of recorded answers without a request.
    pub fn left(&self) -> usize {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.recorded.iter().filter(|one| !one.given).count()
    }

    fn answer(&self, request: &ModelRequest) -> Result<Completion, CallError> {
        let any_model = request.provider.as_deref() == Some(PROVIDER);
        let question = Question::from(request);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.asked += 1;
        let recorded = &state.recorded;
        let is_free = |at: &usize| !recorded[*at].given && fits(recorded, *at, &question, any_model);
        let found = (0..recorded.len()).find(is_free);
        let Some(found) = found else {
            let reason = explain(&state.recorded, &question, any_model);
            let agent = question.agent.join(" › ");
            let (asked, file) = (state.asked, &self.file);
            return Err(CallError::Other(format!(
                "request {asked}, by {agent}, is not in {file}: {reason}"
            )));
        };
        let found = &mut state.recorded[found];
        found.given = true;
        found.answer.clone().into()
    }
}

impl Models for Replay {
    fn complete<'a>(&'a self, request: &'a ModelRequest, heard: Heard<'a>) -> Answer<'a, Completion> {
        let answer = self.answer(request);
        if let Ok(Completion { answer, .. }) = &answer
            && !answer.text.is_empty()
        {
            heard(&answer.text);
        }
        Box::pin(std::future::ready(answer))
    }
}
