//! Reads the lines of a recording.

use crate::model::RecordingError;
use crate::model::recording::{Answered, Header, Line, Question, VERSION};

/// One line of the recording.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) line: usize,
    pub(super) question: Question,
    pub(super) answer: Answered,
    pub(super) given: bool,
}

pub(super) fn lines(file: &str, text: &str) -> Result<Vec<Recorded>, RecordingError> {
    let wrong = |line: usize, message: String| RecordingError {
        file: file.to_owned(),
        line: Some(line),
        message,
    };
    let mut lines = (1..).zip(finished(text).lines());
    let header = lines.next().map_or("", |(_, line)| line);
    match serde_json::from_str::<Header>(header) {
        Ok(header) if header.version == VERSION => {}
        Ok(header) => {
            return Err(wrong(
                1,
                format!("has format {}; only {VERSION} is supported", header.version),
            ));
        }
        Err(_) => {
            let expected =
                format!("is not a recording: it must start with `{{\"callsheet-recording\":{VERSION}}}`");
            return Err(wrong(1, expected));
        }
    }
    let mut recorded = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let line = serde_json::from_str(line).map_err(|error| wrong(number, no_request(&error)))?;
        let one = whole(number, line, &recorded).map_err(|message| wrong(number, message))?;
        recorded.push(one);
    }
    Ok(recorded)
}

/// Lines with a line feed: a line is written at once, so one without is incomplete.
fn finished(text: &str) -> &str {
    text.rfind('\n').map_or(text, |end| &text[..=end])
}

/// Puts the messages of the earlier request before those of this line.
fn whole(number: usize, line: Line, before: &[Recorded]) -> Result<Recorded, String> {
    let mut messages = match line.after {
        None => Vec::new(),
        Some(after) => {
            let earlier = before.iter().find(|one| one.line == after);
            let earlier =
                earlier.ok_or_else(|| format!("continues line {after}, which is not an earlier request"))?;
            earlier.question.messages.clone()
        }
    };
    messages.extend(line.messages);
    let question = Question {
        agent: line.agent,
        model: line.model,
        tools: line.tools,
        messages,
    };
    Ok(Recorded {
        line: number,
        question,
        answer: line.answer,
        given: false,
    })
}

/// The parser sees only this line.
fn no_request(error: &serde_json::Error) -> String {
    format!("is not a request: {error}").replace(" at line 1 column ", ", in column ")
}
