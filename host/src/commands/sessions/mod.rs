//! `sessions`: the saved sessions of `run` and `task`.

pub(super) mod conversation;
mod kept;

use std::path::PathBuf;
use std::time::SystemTime;

use callsheet::drive::Saver;
use callsheet::output::saved::{self, SavedSession};
use callsheet::output::text::{self, clean};

use self::kept::unread;
pub(super) use self::kept::{find, store};
use super::context::Context;
use super::work;
use super::work::begin::Then;
use crate::cli::{self, Action, Format};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: cli::Sessions) -> Result<Exit, Failure> {
    match command.action {
        None => list(context, command.all),
        Some(Action::Show { id }) => conversation::show(context, &id),
        Some(Action::Export { id, output }) => conversation::export(context, &id, output.as_deref()),
        Some(Action::Send(command)) => send(context, *command),
        Some(Action::Rm {
            ids,
            older_than: None,
        }) => remove(context, &ids),
        Some(Action::Rm {
            older_than: Some(age),
            ..
        }) => {
            let pruned = store(context)?.remove_older(age).map_err(unread)?;
            for id in pruned.kept {
                context.remark(&format!(
                    "{id} is kept: a worktree of it has changes; `callsheet sessions show {id}` names it"
                ));
            }
            context.remark(&format!("sessions removed: {}", pruned.removed.len()));
            Ok(Exit::Clean)
        }
    }
}

/// All sessions, the newest first.
pub(super) fn all(context: &Context) -> Result<Vec<SavedSession>, Failure> {
    let kept = store(context)?.all().map_err(unread)?.into_iter();
    Ok(kept.map(SavedSession::from).collect())
}

fn list(context: &mut Context, everywhere: bool) -> Result<Exit, Failure> {
    let project = work::lend::project(context)?;
    let mut sessions = all(context)?;
    // The project of a damaged file is unknown.
    sessions.retain(|it| everywhere || it.about.as_ref().is_none_or(|about| about.project == project));
    if context.format() == Format::Json {
        context.print(&saved::sessions(&sessions))?;
        return Ok(Exit::Clean);
    }
    let listed = match context.format() {
        Format::Concise => sessions.iter().map(saved::concise).collect(),
        _ => saved::list(&context.look, &sessions, everywhere, SystemTime::now()),
    };
    context.print(&listed)?;
    if sessions.is_empty() {
        context.remark(if everywhere {
            "no sessions are saved"
        } else {
            "no sessions of this directory are saved; `--all` lists those of others"
        });
    }
    Ok(Exit::Clean)
}

fn send(context: &mut Context, command: cli::Send) -> Result<Exit, Failure> {
    let message = work::prompt(&command.message)?;
    let resumed = Saver::resume(&find(context, &command.id)?).map_err(callsheet::Error::from)?;
    work::run(context, &command.work, |context, voice| {
        work::begin::again(context, resumed, &command.work, Then::Send(&message), &voice)
    })
}

fn remove(context: &mut Context, ids: &[String]) -> Result<Exit, Failure> {
    let files: Result<Vec<PathBuf>, Failure> = ids.iter().map(|id| find(context, id)).collect();
    let store = store(context)?;
    let (mut exit, mut removed) = (Exit::Clean, 0);
    for file in files? {
        match store.remove(&file) {
            Ok(worktrees) => {
                removed += 1;
                let lines = worktrees.iter().flat_map(text::worktree);
                lines.for_each(|line| context.remark(&line));
            }
            Err(error) => {
                context.complain(&Failure::trouble(clean(&error.to_string())));
                exit = Exit::Trouble;
            }
        }
    }
    context.remark(&format!("sessions removed: {removed}"));
    Ok(exit)
}
