//! Commands for the contract calls that write. The program writes itself, with other commands.

use callsheet::documents::{Draft, DraftField, FieldValue, KeyChange, WriteError};
use callsheet::projects::{Completion, CompletionKind, Renaming, Rewritten, Spot};
use clap::Subcommand;
use serde_json::{Value, json};

use super::{Ran, Room, composing};
use crate::backend::{Answer, Refusal};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// The text of a new file with these fields.
    Render {
        /// `FIELD=VALUE`, as a person enters it.
        fields: Vec<String>,
        #[arg(long, default_value = "Do it.")]
        prompt: String,
    },
    /// What can be written after the first occurrence of a text.
    Complete {
        file: String,
        #[arg(long)]
        after: String,
    },
    /// The edits that make these changes.
    Edits {
        file: String,
        /// `KEY=VALUE`, as a person enters it.
        #[arg(long)]
        set: Vec<String>,
        #[arg(long)]
        unset: Vec<String>,
        #[arg(long)]
        prompt: Option<String>,
    },
    /// What another name of a file's definition changes.
    Renaming { file: String, name: String },
    /// What the sources in a folder compile to.
    Composing(composing::Composing),
}

pub(super) fn run(room: &mut Room, command: &Command, dialect: Option<&String>) -> Answer<Ran> {
    let named = || dialect.ok_or_else(|| Refusal("name a dialect, such as `--as kode`".to_owned()));
    match command {
        Command::Composing(command) => composing::run(room, command, dialect),
        Command::Renaming { file, name } => Ok(match room.runtime.rename(file, name)? {
            Ok(done) => print(Ok(renaming(done))),
            Err(reason) => Ran::exit(1, format!("{reason}\n")),
        }),
        Command::Complete { file, after } => completions(room, file, after, dialect),
        Command::Render { fields, prompt } => {
            let fields = fields.iter().map(|field| pair(field));
            let fields = fields.map(|(canonical, value)| DraftField { canonical, value });
            let draft = Draft {
                fields: fields.collect(),
                prompt: prompt.clone(),
            };
            let text = room.runtime.render(&draft, named()?)?;
            Ok(print(text.map(|text| json!({ "text": text }))))
        }
        Command::Edits {
            file,
            set,
            unset,
            prompt,
        } => {
            let contents = room.runtime.read(file)?;
            let set = set.iter().map(|text| pair(text));
            let set = set.map(|(key, value)| (key, Some(value)));
            let unset = unset.iter().map(|key| (key.clone(), None));
            let changes = set.chain(unset).map(|(key, value)| KeyChange { key, value });
            let changes: Vec<KeyChange> = changes.collect();
            let edits = room
                .runtime
                .revise(&contents, named()?, &changes, prompt.as_deref())?;
            let edits = edits.map(|edits| {
                let edit = |it: callsheet::types::Edit| json!([it.span.start, it.span.end, it.text]);
                json!({ "edits": edits.into_iter().map(edit).collect::<Vec<Value>>() })
            });
            Ok(print(edits))
        }
    }
}

/// The completions that a case shows; the rest is counted.
const SHOWN: usize = 6;

fn completions(room: &mut Room, file: &str, after: &str, dialect: Option<&String>) -> Answer<Ran> {
    let contents = room.runtime.read(file)?;
    let text = String::from_utf8_lossy(&contents);
    let at = text
        .find(after)
        .ok_or_else(|| Refusal(format!("no `{after}` in {file}")))?
        + after.len();
    let completions = room.runtime.complete(&Spot {
        path: file.to_owned(),
        at: u32::try_from(at).expect("a case is small"),
        contents,
        dialect: dialect.cloned(),
        level: None,
    })?;
    let word = |it: Completion| {
        let kind = match it.kind {
            CompletionKind::Key => "key",
            CompletionKind::Value => "value",
            CompletionKind::Tool => "tool",
            CompletionKind::Model => "model",
            CompletionKind::Agent => "agent",
            CompletionKind::Skill => "skill",
            CompletionKind::Server => "server",
        };
        let required = if it.required { " (required)" } else { "" };
        format!("{kind} {} | {} | {}{required}", it.word, it.text, it.detail)
    };
    let span = completions.span;
    let more = completions.words.len().saturating_sub(SHOWN);
    Ok(print(Ok(json!({
        "span": {"start": span.start, "end": span.end},
        "words": completions.words.into_iter().take(SHOWN).map(word).collect::<Vec<String>>(),
        "more": more,
    }))))
}

/// The changed lines of each file.
fn renaming(done: Renaming) -> Value {
    let changed = |file: Rewritten| {
        let (before, after) = (lines(&file.before), lines(&file.after));
        let new = after.iter().filter(|line| !before.contains(line));
        (file.path, new.map(|line| json!(line)).collect::<Value>())
    };
    json!({
        "name": done.name,
        "moved": done.moved,
        "files": done.files.into_iter().map(changed).collect::<serde_json::Map<String, Value>>(),
    })
}

fn lines(contents: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(contents);
    text.lines().map(str::to_owned).collect()
}

fn pair(text: &str) -> (String, FieldValue) {
    let (field, value) = text.split_once('=').unwrap_or((text, ""));
    (field.to_owned(), FieldValue::Entered(value.to_owned()))
}

fn print(written: Result<Value, WriteError>) -> Ran {
    let (exit, document) = match written {
        Ok(document) => (0, document),
        Err(WriteError::Refused(refusals)) => {
            let refusal =
                |it: callsheet::documents::Refusal| json!({ "field": it.field, "reason": it.reason });
            (
                1,
                json!({ "refused": refusals.into_iter().map(refusal).collect::<Vec<Value>>() }),
            )
        }
        Err(WriteError::Unreadable(reason)) => (1, json!({ "unreadable": reason })),
        Err(WriteError::UnknownDialect(_) | WriteError::Other(_)) => return Ran::silent(2),
    };
    let text = serde_json::to_string_pretty(&document).expect("a value has string keys");
    Ran::exit(exit, text + "\n")
}
