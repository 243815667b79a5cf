//! New sessions, and resumed ones.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::PathBuf;
use std::sync::Arc;

use callsheet::delegation::{Settings, Surroundings, Task};
use callsheet::drive::{self, About, Clock, Limits, Options, Saved, Saver, Sessions};
use callsheet::model;
use callsheet::output::text::{self, clean};
use callsheet::worktrees::{self, Worktrees};
use callsheet::{Catalog, Models, Say, Session, Tools};

use super::super::context::Context;
use super::lend::{Isolated, Lent};
use super::{Voice, called, lend, settings};
use crate::cli::Work;
use crate::exit::Failure;

/// A session that can be run.
pub(in crate::commands) struct Begun {
    /// Must outlive the session: they share an instance of the component.
    pub(in crate::commands) _catalog: Catalog,
    pub(in crate::commands) session: Session,
    pub(in crate::commands) models: Arc<dyn Models>,
    pub(in crate::commands) tools: Arc<dyn Tools>,
    pub(in crate::commands) options: Options,
    /// The ID that it is saved by; none if it is not saved, or to a file that the user named.
    pub(in crate::commands) id: Option<String>,
    /// How to resume after an interruption; none if nothing is saved.
    pub(in crate::commands) resume: Option<String>,
    /// Whether it was interrupted before.
    pub(in crate::commands) again: bool,
    /// The directory of its worktrees; none if it has none.
    pub(in crate::commands) worktrees: Option<PathBuf>,
}

/// A session whose models are not asked yet.
pub(in crate::commands) struct Opened {
    pub(in crate::commands) session: Session,
    pub(in crate::commands) tools: Arc<dyn Tools>,
    task: Task,
    settings: Settings,
    project: PathBuf,
}

impl Opened {
    pub(in crate::commands) fn surroundings(&self) -> Option<&Surroundings> {
        self.settings.surroundings.as_ref()
    }

    pub(in crate::commands) fn limits(&self) -> Limits {
        Limits::from(&self.settings.bounds)
    }

    /// Fails if a model is known to be unavailable, also that of an agent that the first one may call.
    pub(in crate::commands) fn check(
        &mut self,
        context: &Context,
        catalog: &mut Catalog,
        models: &dyn Models,
    ) -> Result<(), Failure> {
        if let Some(reason) = drive::obstacle(&mut self.session, models, 0)? {
            return Err(Failure::trouble(clean(&reason)));
        }
        let specs = self.tools.specs();
        let settings = Settings {
            bounds: drive::without_limits(&self.settings.bounds),
            ..self.settings.clone()
        };
        let played = catalog.session(&self.task, &specs, &settings)?;
        called::refuse(
            context,
            catalog,
            &self.task.agent,
            drive::unavailable(played, &specs, models)?,
        )
    }
}

/// Opens a session with the tools of this machine.
pub(in crate::commands) fn open(
    context: &mut Context,
    catalog: &mut Catalog,
    task: &Task,
    work: &Work,
    voice: &Voice,
    isolated: &Isolated,
) -> Result<Opened, Failure> {
    let (say, worktrees) = (Arc::clone(&voice.say), isolated.clone().ok());
    let mut lent = lend::tools(context, catalog, say, work.confined.into(), worktrees)?;
    lend::remark_distrust(context, catalog, &lent.trusted, &task.agent)?;
    let dialect = catalog.dialect().to_owned();
    lend::remark_missing(context, catalog, &lent, (&dialect, &task.agent))?;
    lent.tools = lend::asking(context, lent.tools, Arc::clone(&voice.asker))?;
    open_with(context, catalog, task, work, lent, isolated)
}

/// The same, with these tools.
pub(in crate::commands) fn open_with(
    context: &mut Context,
    catalog: &mut Catalog,
    task: &Task,
    work: &Work,
    lent: Lent,
    isolated: &Isolated,
) -> Result<Opened, Failure> {
    let project = lend::project(context)?;
    let trust = lend::trust(context)?;
    let mut settings = settings::of(context, work, &project, &trust)?;
    lent.name_read_only(&mut settings.allow);
    settings.trusted = lent.trusted;
    let tools = lent.tools;
    settings.isolation = lend::isolation(isolated);
    let session = if work.is_baseline {
        catalog.baseline(task, &tools.specs(), &settings)?
    } else {
        catalog.session(task, &tools.specs(), &settings)?
    };
    Ok(Opened {
        session,
        tools,
        task: task.clone(),
        settings,
        project,
    })
}

/// A new session.
pub(in crate::commands) fn anew(
    context: &mut Context,
    dialect: String,
    mut catalog: Catalog,
    task: Task,
    work: &Work,
    voice: &Voice,
    isolated: Isolated,
) -> Result<Begun, Failure> {
    let task = with_model(task, work);
    let mut opened = open(context, &mut catalog, &task, work, voice, &isolated)?;
    let worktrees = isolated.ok().map(|it| it.directory().to_owned());
    let limits = opened.limits();
    let models = lend::models(
        context,
        work.model(),
        limits.cost.is_some(),
        Arc::clone(&voice.say),
    )?;
    opened.check(context, &mut catalog, &*models)?;
    // An existing recording is only replaced by a new one.
    let models = lend::recorded(models, work.record.as_deref(), opened.surroundings())?;
    let Opened {
        session,
        tools,
        project,
        ..
    } = opened;
    let about = About {
        model: work.model().map(str::to_owned),
        limits,
        dialect,
        project,
        agent: task.agent,
        task: drive::title(&task.prompt),
        thread: context.thread.clone(),
        worktrees: worktrees.clone(),
    };
    let (deadline, repeatable) = (about.limits.deadline, lend::repeatable(context, &about.dialect)?);
    let saver = saver(context, work, about)?;
    Ok(Begun {
        _catalog: catalog,
        session,
        models,
        tools,
        id: saver.as_ref().and_then(id),
        resume: saver.as_ref().map(resume),
        options: Options {
            deadline,
            repeatable,
            saver,
            ..Options::default()
        },
        again: false,
        worktrees,
    })
}

/// The task, with the model that the user named.
pub(in crate::commands) fn with_model(task: Task, work: &Work) -> Task {
    Task {
        model: work.model().is_some().then(|| settings::NAMED.to_owned()),
        ..task
    }
}

/// What to do with a saved session.
pub(in crate::commands) enum Then<'a> {
    /// Finish what was interrupted.
    GoOn,
    /// Send a message after its answer.
    Send(&'a str),
    /// Send a message, and give up what was interrupted before.
    Interject(&'a str),
}

/// A session that was saved in this file.
pub(in crate::commands) fn again(
    context: &mut Context,
    (mut saved, mut saver): (Saved, Saver),
    work: &Work,
    then: Then<'_>,
    voice: &Voice,
) -> Result<Begun, Failure> {
    let about = &mut saver.about;
    if about.project != lend::project(context)? {
        let project = about.project.display().to_string();
        let failure = Failure::trouble("the session belongs to another project");
        return Err(failure.help(format!("use `--project {}`", clean(&project))));
    }
    if let Some((word, _)) = work.aliases().next() {
        let failure = Failure::trouble(format!(
            "the alias `{}` cannot be changed in a saved session",
            clean(word)
        ));
        return Err(failure.help("`--model PROVIDER:NAME` replaces the model of the first agent"));
    }
    let mut catalog = context.callsheet.open(&about.dialect)?;
    let mut session = saved.restore(&mut catalog)?;
    let is_over = drive::is_over(session.outcome()?.as_ref());
    let worktrees = match then {
        // Its result is printed again.
        Then::GoOn if is_over => None,
        _ => worktrees(about, &mut session, is_over, &voice.say)?,
    };
    if saved.is_cut {
        context
            .remark("note: the last record was not written completely; the run resumes from the one before");
    }
    about.limits = settings::limits(&work.limits, about.limits.clone(), saved.now);
    about.model = work.model().map(str::to_owned).or(about.model.take());
    let choice = work.model().map(model::parse);
    match then {
        Then::Send(_) if !is_over => {
            let failure = Failure::trouble("the session has not finished");
            return Err(failure.help(format!("to resume: {}", resume(&saver))));
        }
        Then::Send(message) | Then::Interject(message) => {
            let left = std::mem::take(&mut saved.left);
            if !is_over && let Some(limit) = drive::give_up(&mut session, &about.limits, left, saved.now)? {
                let failure = Failure::trouble(clean(&limit));
                return Err(failure.help("raise the limit, or start another session"));
            }
            session.send(message)?;
            session.go_on(Some((&about.limits).into()), choice.as_ref())?;
        }
        Then::GoOn if is_over => context.remark("this run already finished; its result:"),
        Then::GoOn => {
            session.go_on(Some((&about.limits).into()), choice.as_ref())?;
            drive::doubt(&mut session, &mut saved.left, saved.now)?;
        }
    }
    let say = Arc::clone(&voice.say);
    let limits_cost = about.limits.cost.is_some();
    let models = lend::models(context, about.model.as_deref(), limits_cost, Arc::clone(&say))?;
    if let Some(reason) = drive::obstacle(&mut session, &*models, saved.now)? {
        return Err(Failure::trouble(clean(&reason)));
    }
    let models = lend::recorded(models, work.record.as_deref(), None)?;
    let lent = lend::tools(context, &mut catalog, say, work.confined.into(), worktrees)?;
    Ok(Begun {
        _catalog: catalog,
        session,
        models,
        tools: lend::asking(context, lent.tools, Arc::clone(&voice.asker))?,
        id: id(&saver),
        resume: Some(resume(&saver)),
        worktrees: saver.about.worktrees.clone(),
        options: Options {
            clock: Clock::at(saved.now),
            deadline: saver.about.limits.deadline,
            repeatable: lend::repeatable(context, &saver.about.dialect)?,
            left: saved.left,
            spent: saved.spent,
            saver: Some(saver),
            ..Options::default()
        },
        again: true,
    })
}

/// The worktrees of a saved session. Fails if one that is still needed is missing: an agent would continue without its changes. Those of
/// a finished session may have been merged and deleted since.
fn worktrees(
    about: &About,
    session: &mut Session,
    is_over: bool,
    say: &Say,
) -> Result<Option<Arc<Worktrees>>, Failure> {
    let needed = session.workspaces()?;
    let Some(directory) = about.worktrees.as_ref().filter(|_| !needed.is_empty()) else {
        return Ok(None);
    };
    let failed = |reason: String| {
        let failure = Failure::trouble(format!(
            "the session cannot use its worktrees: {}",
            clean(&reason)
        ));
        failure.help("restore what is missing, or start another session")
    };
    if is_over {
        worktrees::settle(directory);
    }
    let worktrees = Worktrees::at(directory, &about.project, Arc::clone(say)).map_err(failed)?;
    for workspace in &needed {
        worktrees.check(workspace).map_err(failed)?;
    }
    Ok(Some(Arc::new(worktrees)))
}

/// Saves a new session, unless that is disabled.
fn saver(context: &Context, work: &Work, about: About) -> Result<Option<Saver>, Failure> {
    if work.no_save {
        return Ok(None);
    }
    if let Some(path) = &work.snapshot {
        return Ok(Some(Saver::create(path, about).map_err(callsheet::Error::from)?));
    }
    let Some(sessions) = Sessions::of(context.options.home.as_deref()) else {
        return Ok(Some(Saver::when_put_away(&temporary(), about)));
    };
    match sessions.create(about.clone()) {
        Ok(saver) => {
            prune(context, &sessions);
            Ok(Some(saver))
        }
        // A home directory that cannot be written does not stop the run.
        Err(error) => {
            context.remark(&format!("note: {}", clean(&error.to_string())));
            Ok(Some(Saver::when_put_away(&temporary(), about)))
        }
    }
}

/// Removes old sessions.
pub(in crate::commands) fn prune(context: &Context, sessions: &Sessions) {
    let removed = sessions.prune().map_or(0, |pruned| pruned.removed.len());
    if removed > 0 {
        context.remark(&format!(
            "note: removed {}: the newest {} are kept for {} days",
            text::plural(removed, "saved session"),
            drive::MOST,
            drive::DAYS
        ));
    }
}

/// The fallback for saving a session: a temporary file.
fn temporary() -> PathBuf {
    let name = RandomState::new().build_hasher().finish();
    std::env::temp_dir().join(format!("callsheet-{name:016x}.session"))
}

/// The session's ID, if it can be found by it.
fn id(saver: &Saver) -> Option<String> {
    saver.is_named().then(|| saver.id().to_owned())
}

fn resume(saver: &Saver) -> String {
    let file = || saver.path().display().to_string();
    format!(
        "callsheet run --resume {}",
        clean(&id(saver).unwrap_or_else(file))
    )
}
