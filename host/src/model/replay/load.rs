//! Reads the lines of a recording.

use crate::delegation::Surroundings;
use crate::model::RecordingError;
use crate::model::recording::{Answered, Header, Line, Question, Said, VERSION};

/// One line of the recording.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) line: usize,
    /// Its messages are those of this line.
    pub(super) question: Question,
    /// The earlier request with the messages before them, by its position.
    pub(super) after: Option<usize>,
    /// The number of all messages.
    pub(super) length: usize,
    pub(super) answer: Answered,
    pub(super) given: bool,
}

/// All messages of a request. Requests share them, so that a recording takes no more memory than its file.
pub(super) fn messages(recorded: &[Recorded], at: usize) -> Vec<&Said> {
    let mut messages: Vec<&Said> = parts(recorded, at).flat_map(|part| part.iter().rev()).collect();
    messages.reverse();
    messages
}

/// The messages of each line that a request continues, the last line first.
pub(super) fn parts(recorded: &[Recorded], at: usize) -> impl Iterator<Item = &[Said]> {
    let chain = std::iter::successors(Some(&recorded[at]), |one| one.after.map(|at| &recorded[at]));
    chain.map(|one| &*one.question.messages)
}

/// The surroundings and the requests of a recording.
pub(super) fn read(file: &str, text: &str) -> Result<(Option<Surroundings>, Vec<Recorded>), RecordingError> {
    let wrong = |line: usize, message: String| RecordingError {
        file: file.to_owned(),
        line: Some(line),
        message,
    };
    let mut lines = (1..).zip(finished(text).lines());
    let header = lines.next().map_or("", |(_, line)| line);
    let surroundings = match serde_json::from_str::<Header>(header) {
        Ok(header) if header.version == VERSION => header.surroundings.map(Into::into),
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
    };
    let mut recorded = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let line = serde_json::from_str(line).map_err(|error| wrong(number, no_request(&error)))?;
        let one = whole(number, line, &recorded).map_err(|message| wrong(number, message))?;
        recorded.push(one);
    }
    Ok((surroundings, recorded))
}

/// Lines with a line feed: a line is written at once, so one without is incomplete.
fn finished(text: &str) -> &str {
    text.rfind('\n').map_or(text, |end| &text[..=end])
}

/// Finds the earlier request of a line.
fn whole(number: usize, line: Line, before: &[Recorded]) -> Result<Recorded, String> {
    let after = line.after.map(|after| {
        let earlier = before.binary_search_by_key(&after, |one| one.line);
        earlier.map_err(|_| format!("continues line {after}, which is not an earlier request"))
    });
    let after = after.transpose()?;
    let length = after.map_or(0, |at| before[at].length) + line.messages.len();
    let question = Question {
        agent: line.agent,
        model: line.model,
        tools: line.tools,
        messages: line.messages,
    };
    Ok(Recorded {
        line: number,
        question,
        after,
        length,
        answer: line.answer,
        given: false,
    })
}

/// The parser sees only this line.
fn no_request(error: &serde_json::Error) -> String {
    format!("is not a request: {error}").replace(" at line 1 column ", ", in column ")
}
