//! Models that answer from a recording.

mod difference;
mod load;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use self::difference::{explain, fits};
use self::load::Recorded;
use super::RecordingError;
use super::recording::Question;
use crate::conversation::{CallError, ModelRequest};
use crate::delegation::Surroundings;
use crate::{Answer, Completion, Heard, Models, regular};

/// The provider whose requests are answered with any recorded model.
pub(super) const PROVIDER: &str = "replay";

/// Answers requests from a recording, in any order. Identical requests get their answers in the order of the recording.
#[derive(Debug)]
pub struct Replay {
    file: String,
    surroundings: Option<Surroundings>,
    /// Whether the models of requests are compared.
    compares_models: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    recorded: Vec<Recorded>,
    /// Requests so far.
    asked: usize,
    /// The first one that is not in the recording.
    misfit: Option<String>,
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
        let (surroundings, recorded) = load::read(&file, text)?;
        let state = Mutex::new(State {
            recorded,
            asked: 0,
            misfit: None,
        });
        Ok(Self {
            file,
            surroundings,
            compares_models: true,
            state,
        })
    }

    /// Does not compare the models of requests.
    #[must_use]
    pub fn for_any_model(mut self) -> Self {
        self.compares_models = false;
        self
    }

    /// What the recorded agents were told about where they worked: a session must tell the same.
    pub fn surroundings(&self) -> Option<&Surroundings> {
        self.surroundings.as_ref()
    }

    /// The first request that was not in the recording, and why; none if there was none.
    pub fn misfit(&self) -> Option<String> {
        self.lock().misfit.clone()
    }

    /// The number of recorded answers without a request.
    pub fn left(&self) -> usize {
        self.lock().recorded.iter().filter(|one| !one.given).count()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: &ModelRequest) -> Result<Completion, CallError> {
        let any_model = !self.compares_models || request.provider.as_deref() == Some(PROVIDER);
        let question = Question::from(request);
        let mut state = self.lock();
        state.asked += 1;
        let recorded = &state.recorded;
        let is_free = |at: &usize| !recorded[*at].given && fits(recorded, *at, &question, any_model);
        let found = (0..recorded.len()).find(is_free);
        let Some(found) = found else {
            let reason = explain(&state.recorded, &question, any_model);
            let agent = question.agent.join(" › ");
            let (asked, file) = (state.asked, &self.file);
            let misfit = format!("request {asked}, by {agent}, is not in {file}: {reason}");
            state.misfit.get_or_insert_with(|| misfit.clone());
            return Err(CallError::Other(misfit));
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
