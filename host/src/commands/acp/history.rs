//! Saved conversations.

use std::collections::BTreeMap;
use std::path::Path;

use agent_client_protocol::v1::schema::{McpServer, SessionId, SessionInfo};
use callsheet::conversation::Role;
use callsheet::drive::{Kept, Sessions};
use callsheet::mcp::{Server, Transport};
use chrono::{DateTime, SecondsFormat, Utc};

use super::super::context::Context;
use super::super::sessions::{conversation, store};
use super::screen::Screen;
use crate::exit::Failure;

/// A saved session of a conversation.
pub(super) struct Part {
    pub(super) id: String,
    pub(super) agent: String,
    pub(super) dialect: String,
}

/// The saved sessions of a conversation, the oldest first. One that was run without an editor is a conversation of its own.
pub(super) fn of(context: &mut Context, id: &SessionId) -> Result<Vec<Part>, Failure> {
    let all = store(context)?.all().map_err(conversation::unread)?;
    let project = context.options.project.clone();
    let mut parts = Vec::new();
    for kept in all {
        let its = thread(&kept) == *id.0;
        if let (true, Ok(glance)) = (its, kept.glance) {
            if glance.about.project != project {
                let place = glance.about.project.display().to_string();
                return Err(Failure::trouble(format!("the conversation belongs to {place}")));
            }
            parts.push(Part {
                id: kept.id,
                agent: glance.about.agent,
                dialect: glance.about.dialect,
            });
        }
    }
    if parts.is_empty() {
        return Err(Failure::nothing_found("no such conversation is saved"));
    }
    parts.reverse();
    Ok(parts)
}

/// Shows a saved session again.
pub(super) fn show(context: &mut Context, id: &str, screen: &Screen) -> Result<(), Failure> {
    let saved = conversation::read(context, id)?;
    let agent = [saved.session.about.map(|about| about.agent).unwrap_or_default()];
    let mut calls = BTreeMap::new();
    for message in saved.messages {
        match message.role {
            Role::System => {}
            Role::User => screen.quote(&message.text),
            Role::Assistant => {
                if !message.text.is_empty() {
                    screen.say(&message.text);
                }
                for call in message.calls {
                    calls.insert(call.id.clone(), screen.call(0, &agent, &call).id);
                }
            }
            Role::Tool => {
                let id = message.answers.and_then(|id| calls.remove(&id));
                if let Some(id) = id {
                    screen.answer(id.clone(), &message.text);
                    screen.end(id, message.is_error);
                }
            }
        }
    }
    screen.give_up();
    Ok(())
}

/// The saved conversations of a project, or of all, the newest first.
pub(super) fn list(home: Option<&Path>, project: Option<&Path>) -> Result<Vec<SessionInfo>, Failure> {
    // A session has its project's real path.
    let real = project.map(|project| project.canonicalize().unwrap_or_else(|_| project.to_owned()));
    let mut listed: Vec<SessionInfo> = Vec::new();
    for kept in all(home)? {
        let id = SessionId::new(thread(&kept));
        let Ok(glance) = kept.glance else { continue };
        let is_other = real.as_ref().is_some_and(|real| glance.about.project != *real);
        match listed.iter_mut().find(|info| info.session_id == id) {
            _ if is_other => {}
            // The title is the conversation's first task.
            Some(info) => info.title = Some(glance.about.task),
            None => {
                let info = SessionInfo::new(id, glance.about.project).title(glance.about.task);
                let updated = DateTime::<Utc>::from(kept.updated);
                listed.push(info.updated_at(updated.to_rfc3339_opts(SecondsFormat::Secs, true)));
            }
        }
    }
    Ok(listed)
}

/// Removes the saved sessions of a conversation.
pub(super) fn delete(home: Option<&Path>, id: &SessionId) -> Result<(), Failure> {
    let Some(store) = Sessions::of(home) else {
        return Ok(());
    };
    for kept in all(home)? {
        if thread(&kept) == *id.0 {
            store.remove(&kept.path).map_err(callsheet::Error::from)?;
        }
    }
    Ok(())
}

fn all(home: Option<&Path>) -> Result<Vec<Kept>, Failure> {
    Sessions::of(home).map_or_else(
        || Ok(Vec::new()),
        |store| store.all().map_err(conversation::unread),
    )
}

/// The conversation that a saved session is part of.
fn thread(kept: &Kept) -> String {
    let about = kept.glance.as_ref().ok();
    let thread = about.and_then(|glance| glance.about.thread.clone());
    thread.unwrap_or_else(|| kept.id.clone())
}

/// A server that the editor passes; none for transports that are not supported.
pub(super) fn server(server: &McpServer) -> Option<Server> {
    let (name, transport) = match server {
        McpServer::Stdio(server) => (
            &server.name,
            Transport::Stdio {
                command: server.command.to_string_lossy().into_owned(),
                args: server.args.clone(),
                env: server
                    .env
                    .iter()
                    .map(|it| (it.name.clone(), it.value.clone()))
                    .collect(),
            },
        ),
        McpServer::Http(server) => (
            &server.name,
            Transport::Http {
                url: server.url.clone(),
                headers: server
                    .headers
                    .iter()
                    .map(|it| (it.name.clone(), it.value.clone()))
                    .collect(),
            },
        ),
        _ => return None,
    };
    Some(Server {
        name: name.clone(),
        source: "the editor".to_owned(),
        transport,
    })
}
