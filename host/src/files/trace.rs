//! What the component asked about files, to tell later whether it would be told the same.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::bindings::callsheet::agents::files::{Entry, FileError};

/// The questions of a call about files, in order, and a digest of the project and of all answers. Besides the request, the component has no
/// other inputs: the same answers lead to the same questions and to the same result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    pub(super) asked: Vec<Question>,
    answers: String,
}

/// A question, by its path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Question {
    /// What is in a directory?
    #[serde(rename = "d")]
    Directory(String),
    /// What is in a file?
    #[serde(rename = "f")]
    File(String),
}

/// Records a trace.
#[derive(Default)]
pub(super) struct Tracer {
    asked: Vec<Question>,
    answers: Sha256,
}

impl Tracer {
    /// For a project, with the directories above it.
    pub(super) fn of(project: &str) -> Self {
        let mut tracer = Self::default();
        tracer.add(project.as_bytes());
        tracer
    }

    /// Times and sizes are left out: they only tell the component which files to read again.
    pub(super) fn listed(&mut self, path: &str, answer: &Result<Vec<Entry>, FileError>) {
        self.asked.push(Question::Directory(path.to_owned()));
        match answer {
            Ok(entries) => {
                self.add(b"d");
                self.add(&entries.len().to_le_bytes());
                for entry in entries {
                    self.add(entry.name.as_bytes());
                    self.add(&[entry.kind as u8]);
                }
            }
            Err(error) => self.failed(error),
        }
    }

    pub(super) fn read(&mut self, path: &str, answer: &Result<Vec<u8>, FileError>) {
        self.asked.push(Question::File(path.to_owned()));
        match answer {
            Ok(contents) => {
                self.add(b"f");
                self.add(contents);
            }
            Err(error) => self.failed(error),
        }
    }

    fn failed(&mut self, error: &FileError) {
        self.add(b"e");
        self.add(format!("{error:?}").as_bytes());
    }

    /// With the length, so that two answers cannot look like another two.
    fn add(&mut self, bytes: &[u8]) {
        self.answers.update(bytes.len().to_le_bytes());
        self.answers.update(bytes);
    }

    pub(super) fn finish(self) -> Trace {
        let mut answers = String::new();
        for byte in self.answers.finalize() {
            let _ = write!(answers, "{byte:02x}");
        }
        Trace {
            asked: self.asked,
            answers,
        }
    }
}
