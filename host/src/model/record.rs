//! Records requests to models and their answers.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::recording::{Answered, Header, Line, Question, Said, VERSION};
use crate::conversation::{CallError, ModelRequest};
use crate::delegation::Surroundings;
use crate::{Answer, Completion, Heard, Models};
use crate::{keys, private};

/// How every recording starts.
const START: &str = "{\"callsheet-recording\":";

/// Asks other models, and writes each answer to a file at once, for [`Replay`](super::Replay).
pub struct Recorder {
    inner: Arc<dyn Models>,
    path: PathBuf,
    tape: Mutex<Tape>,
}

struct Tape {
    path: PathBuf,
    /// None until there is an answer, if it replaces another recording.
    file: Option<File>,
    header: Header,
    /// The number of the last line.
    line: usize,
    /// The lines of earlier requests by their messages.
    earlier: HashMap<u64, usize>,
}

impl Recorder {
    /// Starts a recording of sessions in these surroundings. An existing one is replaced once there is an answer.
    ///
    /// Fails if the file cannot be written, or is no recording.
    pub fn new(
        inner: Arc<dyn Models>,
        path: impl AsRef<Path>,
        surroundings: Option<&Surroundings>,
    ) -> io::Result<Self> {
        let path = path.as_ref().to_owned();
        let header = Header {
            version: VERSION,
            surroundings: surroundings.map(Into::into),
        };
        let mut tape = Tape {
            path: path.clone(),
            file: None,
            header,
            line: 0,
            earlier: HashMap::new(),
        };
        if !replaces(&path)? {
            tape.open()?;
        }
        let tape = Mutex::new(tape);
        Ok(Self { inner, path, tape })
    }

    async fn ask(&self, request: &ModelRequest, heard: Heard<'_>) -> Result<Completion, CallError> {
        let result = self.inner.complete(request, heard).await;
        let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        if result.is_err() && tape.file.is_none() {
            // The recording that is there is worth more than a failure.
            return result;
        }
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

/// Whether there is a recording at a path. Fails if there is something else.
fn replaces(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    match path.metadata() {
        // Opening a pipe waits for its other end.
        Ok(there) if there.is_file() => {
            let file = OpenOptions::new().read(true).write(true).open(path)?;
            file.take(START.len() as u64).read_to_end(&mut start)?
        }
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    if start.is_empty() || start == START.as_bytes() {
        return Ok(!start.is_empty());
    }
    Err(io::Error::other("the file exists and is not a recording"))
}

impl Tape {
    /// Begins the file.
    fn open(&mut self) -> io::Result<()> {
        let mut file = private::open(&self.path, false)?;
        file.write_all(&line(&self.header)?)?;
        self.file = Some(file);
        self.line = 1;
        Ok(())
    }

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
        if self.file.is_none() {
            self.open()?;
        }
        let said = line(&Line {
            agent,
            model,
            tools,
            after,
            messages,
            answer,
        })?;
        if let Some(file) = &mut self.file {
            file.write_all(&said)?;
            self.line += 1;
        }
        if let Some(mark) = marks.last() {
            self.earlier.insert(*mark, self.line);
        }
        Ok(())
    }
}

/// A line, for one write, so that a killed run leaves no partial one.
fn line(value: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    let mut text = keys::masked(serde_json::to_string(value)?);
    text.push('\n');
    Ok(text.into_bytes())
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
