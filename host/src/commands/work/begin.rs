//! Sessions at their beginning, and such as were put away.

use std::path::{Path, PathBuf};

use callsheet::Catalog;
use callsheet::delegation::Task;
use callsheet::drive::{About, Clock, Options, Saved, Saver};
use callsheet::output::text::clean;
use callsheet::tools::Aside;

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
    let mut settings = settings::of(context, work, &project, &trust);
    settings.trusted = trust.agents(&mut context.callsheet, &mut catalog)?;
    let task = Task {
        model: work.model.is_some().then(|| settings::NAMED.to_owned()),
        ..task
    };
    let tools = lend::asking(context, &dialect, aside)?;
    let session = catalog.session(&task, &tools.specs(), &settings)?;
    let models = lend::models(context, work.model.as_deref(), work.record.as_deref())?;
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
    Ok(Begun {
        _catalog: catalog,
        session,
        models: lend::models(context, about.model.as_deref(), work.record.as_deref())?,
        tools: lend::asking(context, &about.dialect, aside)?,
        resume: resume(file),
        options: Options {
            clock: Clock::at(saved.now),
            deadline: about.deadline,
            repeatable: lend::repeatable(context, &about.dialect)?,
            in_doubt: saved.in_flight,
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

/// Where a session is put away if the user says nothing: among the files that the system removes some day.
fn temporary() -> PathBuf {
    std::env::temp_dir().join(format!("callsheet-{}.session", std::process::id()))
}

fn resume(file: &Path) -> String {
    let file = file.display().to_string();
    format!("callsheet run --resume {}", clean(&file))
}
