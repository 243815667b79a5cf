//! A conversation as Markdown.

use std::fmt::Write as _;

use super::Conversation;
use crate::conversation::{Message, Role};
use crate::output::text::{clean, clean_lines};
use crate::output::transcript::fenced;

/// The conversation of the first agent, without control characters.
pub fn markdown(conversation: &Conversation) -> String {
    let session = &conversation.session;
    let mut out = String::new();
    let agent = match &session.about {
        Some(about) => {
            let _ = write!(out, "# {}\n\n", clean(&about.task));
            let _ = writeln!(out, "- Agent: {} ({})", clean(&about.agent), about.dialect);
            let _ = writeln!(out, "- Project: {}", clean(&about.project.to_string_lossy()));
            clean(&about.agent)
        }
        None => String::new(),
    };
    let status = &session.status;
    let _ = writeln!(out, "- Session: {} ({})", session.id, session.state);
    let _ = write!(out, "- Turns: {}, tokens: {}\n\n", status.turns, status.tokens);
    for message in &conversation.messages {
        write_message(&mut out, message, &agent, &conversation.messages);
    }
    // Sessions of earlier versions kept only the answer.
    if let Some(stopped) = &conversation.stopped
        && (conversation.messages.is_empty() || session.state != "finished")
    {
        let _ = write!(
            out,
            "## {}\n\n{}\n",
            session.state,
            clean_lines(stopped).trim_end()
        );
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn write_message(out: &mut String, message: &Message, agent: &str, all: &[Message]) {
    let text = clean_lines(&message.text);
    let (who, text) = match message.role {
        Role::System => ("System prompt".to_owned(), text),
        Role::User => ("User".to_owned(), text),
        Role::Assistant => (agent.to_owned(), text),
        Role::Tool => {
            let what = if message.is_error { "Error" } else { "Result" };
            (format!("{what} of {}", tool(message, all)), fenced(&text))
        }
    };
    let _ = write!(out, "## {who}\n\n");
    if !text.trim().is_empty() {
        let _ = write!(out, "{}\n\n", text.trim_end());
    }
    for call in &message.calls {
        let arguments = fenced(&clean_lines(&call.arguments));
        let _ = write!(out, "Calls {}:\n\n{arguments}\n\n", clean(&call.name));
    }
}

/// The tool of the call that a message answers. Call IDs may be repeated, so it is the last one before the message.
pub(super) fn tool(message: &Message, all: &[Message]) -> String {
    let before = all.iter().take_while(|other| !std::ptr::eq(*other, message));
    let mut calls = before
        .flat_map(|message| &message.calls)
        .collect::<Vec<_>>()
        .into_iter()
        .rev();
    let call = calls.find(|call| Some(&call.id) == message.answers.as_ref());
    call.map_or_else(|| "a tool".to_owned(), |call| clean(&call.name))
}
