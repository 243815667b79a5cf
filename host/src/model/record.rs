//! Records requests to models and their answers.

use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::recording::{Answered, Header, Line, Question, Said, VERSION};
use crate::conversation::{CallError, ModelRequest};
use crate::delegation::Surroundings;
use crate::{Answer, Completion, Heard, Models};
use crate::{keys, private};

/// Asks other models, and writes each answer to a file at once, for [`Replay`](super::Replay).
pub struct Recorder {
    inner: Arc<dyn Models>,
    path: PathBuf,
    tape: Mutex<Tape>,
}

struct Tape {
    file: File,
    /// The number of the last line.
    line: usize,
    /// The lines of earlier requests by their messages.
    earlier: HashMap<u64, usize>,
}

impl Recorder {
    /// Starts a recording of sessions in these surroundings. An existing file is replaced.
    ///
    /// Fails if the file cannot be written.
    pub fn new(
        inner: Arc<dyn Models>,
        path: impl AsRef<Path>,
        surroundings: Option<&Surroundings>,
    ) -> io::Result<Self> {
        let path = path.as_ref().to_owned();
        let mut tape = Tape {
            file: private::open(&path, false)?,
            line: 0,
            earlier: HashMap::new(),
        };
        tape.write(&Header {
            version: VERSION,
            surroundings: surroundings.map(Into::into),
        })?;
        let tape = Mutex::new(tape);
        Ok(Self { inner, path, tape })
    }

    async fn ask(&self, request: &ModelRequest, heard: Heard<'_>) -> Result<Completion, CallError> {
        let result = self.inner.complete(request, heard).await;
        let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        let written = tape.add(Question::from(request), Answered::from(&result));
        written.map_err(|error| {
            let file = self.path.display();
            CallError::Other(format!("cannot write the recording {file}: {error}"))
        })?;
        result
    }
}

impl Models for Recorder {
    fn complete<'a>(&'a self, request: &'a ModelRequest, heard: Heard<'a>) -> Answer<'a, Completion> {
        Box::pin(self.ask(request, heard))
    }

    fn check(&self, request: &ModelRequest) -> Result<(), CallError> {
        self.inner.check(request)
    }
}

impl Tape {
    fn add(&mut self, question: Question, answer: Answered) -> io::Result<()> {
        let Question {
            agent,
            model,
            tools,
            mut messages,
        } = question;
        let marks = marks(&messages);
        let known = (1..)
            .zip(&marks)
            .filter_map(|(length, mark)| Some((length, *self.earlier.get(mark)?)));
        let (length, after) = known
            .last()
            .map_or((0, None), |(length, line)| (length, Some(line)));
        let messages = messages.split_off(length);
        self.write(&Line {
            agent,
            model,
            tools,
            after,
            messages,
            answer,
        })?;
        if let Some(mark) = marks.last() {
            self.earlier.insert(*mark, self.line);
        }
        Ok(())
    }

    /// In one write, so that a killed run leaves no partial line.
    fn write(&mut self, line: &impl serde::Serialize) -> io::Result<()> {
        let mut text = keys::masked(serde_json::to_string(line)?);
        text.push('\n');
        self.file.write_all(text.as_bytes())?;
        self.line += 1;
        Ok(())
    }
}

/// For every message, a hash of all up to it.
fn marks(messages: &[Said]) -> Vec<u64> {
    let mut hasher = DefaultHasher::new();
    let mark = |message: &Said| {
        message.hash(&mut hasher);
        hasher.finish()
    };
    messages.iter().map(mark).collect()
}
