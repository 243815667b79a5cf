//! The files that a source compiles to, and what is in their places now.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::family::Ground;
use super::mark::{mark, marked};
use crate::convert::{self, ConvertError, Fate, Loss};
use crate::dialect::Dialect;
use crate::files::{FileError, join};
use crate::places::{file_name, normal};

/// What is in the place of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    New,
    /// What the source compiles to.
    Unchanged,
    /// What the source compiled to before.
    Changed,
    /// What the source compiled to before, edited since.
    Edited,
    /// Something else.
    Foreign,
}

/// What a source compiles to for one target.
#[derive(Debug)]
pub struct Compiled {
    /// The target.
    pub dialect: String,
    /// The file.
    pub path: String,
    /// Its contents; none if the target cannot express the source.
    pub contents: Option<Vec<u8>>,
    /// What is in its place.
    pub state: State,
    /// That file's contents, if it can be read.
    pub before: Option<Vec<u8>>,
    /// The fate of each field, in file order.
    pub report: Vec<Loss>,
}

/// Writes the results of one source.
pub(super) struct Writer<'a> {
    pub(super) ground: Ground<'a>,
    pub(super) allow_loss: bool,
}

impl Writer<'_> {
    /// The file of a target. The reason is why there is none, or none with contents.
    pub(super) fn compiled(
        &self,
        path: &str,
        source: &str,
        text: &str,
        target: &Dialect,
    ) -> Result<(Compiled, Option<String>), String> {
        let Ground {
            dialect, dialects, ..
        } = self.ground;
        let from = Some(&*dialect.id);
        let converted = convert::convert(path, text.as_bytes(), from, &target.id, self.allow_loss, dialects);
        let (file, contents, report) = match converted {
            Ok(converted) => (converted.file, Some(converted.contents), converted.report),
            Err(ConvertError::Refused(report)) => (String::new(), None, report),
            Err(ConvertError::Unusable(reason)) => return Err(reason),
            Err(ConvertError::UnknownDialect(_)) => return Err(String::new()),
        };
        let refused = report.iter().find(|loss| loss.fate == Fate::Refused);
        let reason = refused.map(|loss| match &*loss.reason {
            "" => format!("{} cannot express `{}`", target.id, loss.field),
            reason => format!("{} cannot express `{}`: {reason}", target.id, loss.field),
        });
        let file = self.file(path, file, target);
        let place = normal(&join(convert::directory(target), &file));
        let place = join(self.ground.directory, &place);
        let contents = contents.map(|contents| {
            let text = String::from_utf8_lossy(&contents);
            marked(&text, target.format, source).into_bytes()
        });
        let (state, before) = self.state(&place, source, contents.as_deref());
        let compiled = Compiled {
            dialect: target.id.clone(),
            path: place,
            contents,
            state,
            before,
            report,
        };
        Ok((compiled, reason))
    }

    /// The name of the file, which the target has to read.
    fn file(&self, path: &str, file: String, target: &Dialect) -> String {
        let name = file_name(&file);
        if !name.is_empty() && target.reads(name) {
            return file;
        }
        let stem = self.ground.dialect.stem(path);
        let ending = target.endings().next().unwrap_or_default();
        format!("{}{ending}", file_name(&stem))
    }

    /// What is at a path. Git may write other line ends.
    fn state(&self, path: &str, source: &str, contents: Option<&[u8]>) -> (State, Option<Vec<u8>>) {
        let before = match self.ground.files.read(path) {
            Ok(before) => before,
            Err(FileError::NotFound) => return (State::New, None),
            Err(_) => return (State::Foreign, None),
        };
        let state = match mark(&before) {
            _ if contents.is_some_and(|contents| are_alike(contents, &before)) => State::Unchanged,
            Some(mark) if mark.source != source => State::Foreign,
            Some(mark) if mark.is_intact => State::Changed,
            Some(_) => State::Edited,
            None => State::Foreign,
        };
        (state, Some(before))
    }
}

/// Whether two texts have the same lines.
fn are_alike(a: &[u8], b: &[u8]) -> bool {
    a == b || lines_of(a).eq(lines_of(b))
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}
