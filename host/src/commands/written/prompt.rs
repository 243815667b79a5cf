//! A prompt from the command line.

use std::io::{Read as _, stdin};
use std::path::Path;

use callsheet::output::text::clean;

use crate::cli::Prompt;
use crate::exit::Failure;

/// The prompt from any of its options; none if none is given.
pub(in crate::commands) fn given(prompt: &Prompt) -> Result<Option<String>, Failure> {
    let stdin = Path::new("-");
    let text = match (&prompt.prompt, &prompt.prompt_file) {
        (Some(text), _) if text == "-" => read(stdin)?,
        (Some(text), _) => text.clone(),
        (None, Some(file)) => read(file)?,
        (None, None) => return Ok(None),
    };
    Ok(Some(text))
}

/// The prompt with the line ends of new files.
pub(in crate::commands) fn lines(prompt: &str) -> String {
    let mut prompt = prompt.replace("\r\n", "\n");
    if !prompt.is_empty() && !prompt.ends_with('\n') {
        prompt.push('\n');
    }
    prompt
}

fn read(file: &Path) -> Result<String, Failure> {
    if file == Path::new("-") {
        let mut text = String::new();
        let read = stdin().read_to_string(&mut text);
        return read
            .map(|_| text)
            .map_err(|error| Failure::trouble(format!("cannot read standard input: {error}")));
    }
    std::fs::read_to_string(file)
        .map_err(|error| Failure::trouble(format!("cannot read {}: {error}", clean(&file.to_string_lossy()))))
}
