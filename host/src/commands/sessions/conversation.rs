//! Shows one session, without resuming it.

use std::path::Path;
use std::time::SystemTime;

use callsheet::conversation::Message;
use callsheet::drive::{Kept, Saved};
use callsheet::keys;
use callsheet::output::saved::{self, Conversation, SavedSession};
use callsheet::output::secrets::Secrets;
use callsheet::worktrees::kept;

use super::super::context::Context;
pub(in crate::commands) use super::kept::unread;
use super::kept::{find, store};
use crate::cli::{Format, Output};
use crate::exit::{Exit, Failure};

/// Prefix of a message, so that it is checked for secrets like an agent's prompt.
const PROMPT: &str = "---\nname: a\ndescription: a\n---\n";

pub(super) fn show(context: &mut Context, id: &str) -> Result<Exit, Failure> {
    let conversation = read(context, id)?;
    match context.format() {
        Format::Json => context.print(&saved::one(&conversation))?,
        _ => {
            let shown = saved::show(&context.look, &conversation, SystemTime::now());
            context.print(&shown)?;
        }
    }
    Ok(Exit::Clean)
}

pub(super) fn export(context: &mut Context, id: &str, output: Option<&Path>) -> Result<Exit, Failure> {
    let conversation = read(context, id)?;
    if let Some(file) = output {
        context.print_to(file)?;
    }
    let exported = match context.options.format {
        Output::Json => saved::conversation(&conversation),
        Output::Html => saved::html(&conversation),
        _ => saved::markdown(&conversation),
    };
    context.print(&exported)?;
    Ok(Exit::Clean)
}

pub(in crate::commands) fn read(context: &mut Context, id: &str) -> Result<Conversation, Failure> {
    let path = find(context, id)?;
    let all = store(context)?.all().map_err(unread)?;
    let found = all.into_iter().find(|kept: &Kept| kept.path == path);
    let found = found.ok_or_else(|| Failure::nothing_found("the session was removed"))?;
    let mut saved = Saved::load(&path).map_err(callsheet::Error::from)?;
    let mut catalog = context.callsheet.open(&saved.about.dialect)?;
    let mut session = saved.restore(&mut catalog)?;
    let mut messages = session.messages(0, 0)?;
    for message in &mut messages {
        mask(context, message)?;
    }
    let stopped = session.outcome()?.map(|outcome| outcome.text);
    let stopped = stopped.map(|text| masked(context, text)).transpose()?;
    Ok(Conversation {
        session: SavedSession::from(found),
        messages,
        stopped,
        worktrees: saved.about.worktrees.as_deref().map(kept).unwrap_or_default(),
    })
}

fn mask(context: &mut Context, message: &mut Message) -> Result<(), Failure> {
    message.text = masked(context, std::mem::take(&mut message.text))?;
    for call in &mut message.calls {
        call.arguments = masked(context, std::mem::take(&mut call.arguments))?;
    }
    Ok(())
}

fn masked(context: &mut Context, text: String) -> Result<String, Failure> {
    let contents = [PROMPT, &text].concat();
    let parsed = context
        .callsheet
        .parse("message.md", contents.as_bytes(), Some("claude-code"))?;
    let text = Secrets::of(contents.as_bytes(), &parsed.diagnostics).masked(&text);
    Ok(keys::masked(text))
}
