//! Sessions at their beginning, and such as were put away.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use callsheet::delegation::Task;
use callsheet::drive::{self, About, Clock, Options, Saved, Saver};
use callsheet::output::text::clean;
use callsheet::tools::Aside;
use callsheet::{Catalog, Models, Say, Session};

use super::super::context::Context;
use super::{Begun, lend, settings};
use crate::cli::Work;
use crate::exit::Failure;

/// A new session.
pub(in crate::commands) fn anew(
    context: &mut Context,
    dialect: String,
    mut catalog: Catalog,
    task: Task,
    work: &Work,
    aside: Aside,
) -> Result<Begun, Failure> {
    let project = lend::project(context)?;
    let trust = lend::trust(context)?;
    let mut settings = settings::of(context, work, &project, &trust)?;
    let say = lend::saying(Arc::clone(&aside));
    let lent = lend::tools(context, &mut catalog, Arc::clone(&say))?;
    lend::remark_distrust(context, &mut catalog, &lent.trusted, &task.agent)?;
    settings.trusted = lent.trusted;
    let task = Task {
        model: work.model.is_some().then(|| settings::NAMED.to_owned()),
        ..task
    };
    let tools = lend::asking(context, lent.tools, aside)?;
    let mut session = catalog.session(&task, &tools.specs(), &settings)?;
    let models = models(context, &mut session, work.model.as_deref(), work, 0, say)?;
    let about = About {
        model: work.model.clone(),
        deadline: settings.bounds.deadline,
        dialect,
        project,
    };
    let path = work.snapshot.clone().unwrap_or_else(temporary);
    Ok(Begun {
        _catalog: catalog,
        session,
        models,
        tools,
        resume: resume(&path),
        options: Options {
            deadline: about.deadline,
            repeatable: lend::repeatable(context, &about.dialect)?,
            saver: Some(Saver {
                path,
                about,
                always: work.snapshot.is_some(),
            }),
            ..Options::default()
        },
        again: false,
    })
}

/// A session that was put away in this file.
pub(in crate::commands) fn again(
    context: &mut Context,
    file: &Path,
    saved: Saved,
    work: &Work,
    aside: Aside,
) -> Result<Begun, Failure> {
    let about = saved.about;
    if about.project != lend::project(context)? {
        let project = about.project.display().to_string();
        let failure = Failure::trouble("that session is of another project");
        return Err(failure.help(format!("`--project {}` goes there", clean(&project))));
    }
    let mut catalog = context.callsheet.open(&about.dialect)?;
    let mut session = catalog.restore(&saved.snapshot)?;
    if session.outcome()?.is_some() {
        context.remark("that session has ended before; this is what came of it");
    }
    let say = lend::saying(Arc::clone(&aside));
    let models = models(
        context,
        &mut session,
        about.model.as_deref(),
        work,
        saved.now,
        Arc::clone(&say),
    )?;
    let lent = lend::tools(context, &mut catalog, say)?;
    Ok(Begun {
        _catalog: catalog,
        session,
        models,
        tools: lend::asking(context, lent.tools, aside)?,
        resume: resume(file),
        options: Options {
            clock: Clock::at(saved.now),
            deadline: about.deadline,
            repeatable: lend::repeatable(context, &about.dialect)?,
            left: saved.left,
            saver: Some(Saver {
                path: file.to_owned(),
                about,
                always: true,
            }),
            ..Options::default()
        },
        again: true,
    })
}

/// Those that answer, if it is not known already that they cannot be asked: then nothing is begun.
fn models(
    context: &Context,
    session: &mut Session,
    named: Option<&str>,
    work: &Work,
    now: u64,
    say: Say,
) -> Result<Arc<dyn Models>, Failure> {
    let models = lend::models(context, named, say)?;
    match drive::obstacle(session, &*models, now)? {
        Some(reason) => Err(Failure::trouble(clean(&reason))),
        // A recording that is there is lost only for another one.
        None => lend::recorded(models, work.record.as_deref()),
    }
}

/// Where a session is put away if the user says nothing: among the files that the system removes some day.
fn temporary() -> PathBuf {
    std::env::temp_dir().join(format!("callsheet-{}.session", std::process::id()))
}

fn resume(file: &Path) -> String {
    let file = file.display().to_string();
    format!("callsheet run --resume {}", clean(&file))
}
