//! The common parts of `run` and `task`: starting a session, watching it, and printing its result.

pub(super) mod begin;
mod called;
pub(super) mod confined;
pub(super) mod coordinator;
pub(super) mod lend;
pub(super) mod on;
pub(super) mod servers;
pub(super) mod settings;
mod voice;
pub(super) mod watch;

use std::io::{IsTerminal as _, Read as _, stdin, stdout};
use std::path::Path;
use std::sync::Arc;

use callsheet::Catalog;
use callsheet::delegation::{self, Outcome, Task};
use callsheet::drive::{self, Ended, INTERRUPT, Interrupts, Observer, drive};
use callsheet::model;
use callsheet::output::report::Worktree;
use callsheet::output::{json_v1, live, text};
use callsheet::processes::Ending;
use callsheet::worktrees;

use self::begin::Begun;
pub(super) use self::voice::Voice;
use self::watch::{JsonLines, Kept, Screen, Streamed};
use super::context::Context;
use super::why;
use crate::cli::{Format, Work};
use crate::exit::{Exit, Failure};

/// The options of the limits.
const FLAGS: [(&str, &str); 5] = [
    ("deadline", "--time"),
    ("tokens", "--tokens"),
    ("cost", "--cost"),
    ("turns", "--turns"),
    ("total-turns", "--total-turns"),
];

/// The task; `-` reads it from standard input.
pub(super) fn prompt(words: &[String]) -> Result<String, Failure> {
    let prompt = match words {
        [dash] if dash == "-" => {
            let mut text = String::new();
            let read = stdin().read_to_string(&mut text);
            read.map_err(|error| Failure::trouble(format!("cannot read standard input: {error}")))?;
            // The final line end belongs to the pipe.
            text.trim_end_matches(['\r', '\n']).to_owned()
        }
        words => words.join(" "),
    };
    if !prompt.trim().is_empty() {
        return Ok(prompt);
    }
    if words == ["-"] {
        return Err(Failure::trouble("no task is given: standard input is empty"));
    }
    Err(Failure::trouble("no task is given").help("add a task, or `-` to read it from standard input"))
}

/// Refuses options for one session in a server.
pub(super) fn serves_many(work: &Work) -> Result<(), Failure> {
    let misplaced = [
        ("--snapshot", work.snapshot.is_some()),
        ("--transcript", work.transcript.is_some()),
        ("--view", work.view),
        ("--json", work.json),
        ("--stream", work.stream),
    ];
    match misplaced.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::trouble(format!(
            "`{flag}` is for one session, but a server has many"
        ))),
        None => Ok(()),
    }
}

/// The first dialect in which this agent is active, and its catalog.
pub(super) fn catalog_of(context: &mut Context, name: &str) -> Result<(String, Catalog), Failure> {
    let mut found = None;
    let mut also = Vec::new();
    for dialect in context.dialects()? {
        let mut catalog = context.callsheet.open(&dialect)?;
        match catalog.get(name)? {
            Some(_) if found.is_some() => also.push(dialect),
            Some(_) => found = Some((dialect, catalog)),
            None => {}
        }
    }
    let Some((dialect, catalog)) = found else {
        return Err(why::not_found(context, name)?);
    };
    if !also.is_empty() {
        context.remark(&format!(
            "using {}'s `{}`; `--as` selects another: {}",
            dialect,
            text::clean(name),
            also.join(", ")
        ));
    }
    Ok((dialect, catalog))
}

/// Starts a session of the chosen agent, and runs it to its end.
pub(super) fn of(
    context: &mut Context,
    words: &[String],
    work: &Work,
    choose: impl FnOnce(&mut Context) -> Result<(String, Catalog, String), Failure>,
) -> Result<Exit, Failure> {
    let prompt = prompt(words)?;
    run(context, work, |context, voice| {
        let (dialect, catalog, agent) = choose(context)?;
        let task = Task {
            agent,
            prompt,
            description: None,
            model: None,
        };
        let isolated = lend::worktrees(context, Arc::clone(&voice.say))?;
        begin::anew(context, dialect, catalog, task, work, &voice, isolated)
    })
}

/// Starts a session and runs it to its end. Its processes end with it, unless there is an answer.
pub(super) fn run(
    context: &mut Context,
    work: &Work,
    begin: impl FnOnce(&mut Context, Voice) -> Result<Begun, Failure>,
) -> Result<Exit, Failure> {
    let ending = Ending::watch();
    let _guard = ending.guard();
    let interrupts = Interrupts::listen(ending.clone())?;
    let exit = drive_to_end(context, work, begin, &ending, &interrupts)?;
    if matches!(exit, Exit::Clean | Exit::Refused) {
        ending.release();
    }
    Ok(exit)
}

fn drive_to_end(
    context: &mut Context,
    work: &Work,
    begin: impl FnOnce(&mut Context, Voice) -> Result<Begun, Failure>,
    ending: &Ending,
    interrupts: &Interrupts,
) -> Result<Exit, Failure> {
    let Screen {
        observer,
        view,
        voice,
    } = Screen::of(context, work, interrupts)?;
    let begun = begin(context, voice)?;
    let (json, streamed, mut observers) = observers(context, work, observer);
    let transcript = Kept::open(work, begun.again)?;
    observers.extend(transcript.iter().map(Kept::observer));
    let collector = watch::collector(work)?;
    let traces = collector.as_ref().map(|it| it.session(begun.id.as_deref()));
    observers.extend(traces.map(|it| Arc::new(it) as Arc<dyn Observer>));
    let Begun {
        _catalog,
        mut session,
        models,
        tools,
        mut options,
        id,
        resume,
        worktrees,
        ..
    } = begun;
    context.pause()?;
    view.as_ref()
        .map_or(Ok(()), |view| view.open(options.clock.now()))?;
    let saver = options.saver.as_ref().filter(|saver| saver.saves_every_state());
    let saved_at = saver.map(|saver| saver.path().to_owned());
    // The outcome decides how long servers get to close.
    let lent = Arc::clone(&tools);
    let (ended, clock) = drive::block_on(async {
        options.stop = interrupts.stop();
        let clock = options.clock;
        let ended = drive(&mut session, models, tools, options, Arc::new(observers)).await;
        (ended, clock)
    })?;
    // Before the program ends its processes.
    let kept = worktrees
        .map(|directory| kept(&ended, &directory))
        .unwrap_or_default();
    if !matches!(&ended, Ok(ended) if matches!(ended.outcome, Some(Outcome { ending: delegation::Ending::Answer, .. })))
    {
        ending.end_soon();
    }
    drop(lent);
    // Sending the rest of the trace is not part of the run.
    let now = clock.now();
    let sent = collector.map_or(Ok(()), |collector| collector.finish());
    if let Some(view) = view {
        view.close(ended.is_ok());
    }
    if let Some(kept) = &transcript {
        kept.finish(context);
    }
    if let Err(reason) = sent {
        context.remark(&format!("the trace was not sent completely: {reason}"));
    }
    if !json {
        kept.iter()
            .flat_map(text::worktree)
            .for_each(|line| context.remark(&line));
    }
    let ended = ended.map(|ended| Ended {
        worktrees: kept,
        ..ended
    });
    let ended = ended.map_err(|error| saved(error, resume.as_deref(), saved_at.as_deref()))?;
    let is_said = json || streamed.is_some_and(|it| it.finish());
    summarize(context, &ended, json, id.as_deref(), now)?;
    let signal = interrupts.signal().unwrap_or(INTERRUPT);
    finish(context, &ended, is_said, resume.as_deref(), signal)
}

/// The worktrees that the user decides about. Those without changes are removed, unless the session is resumed in them.
pub(super) fn kept(ended: &callsheet::Result<Ended>, directory: &Path) -> Vec<Worktree> {
    let is_over = |ended: &Ended| drive::is_over(ended.outcome.as_ref());
    if ended.as_ref().is_ok_and(is_over) {
        worktrees::settle(directory)
    } else {
        worktrees::kept(directory)
    }
}

/// What the user sees of a session, whether it is JSON, and what prints its text while it arrives.
fn observers(
    context: &Context,
    work: &Work,
    screen: Arc<dyn Observer>,
) -> (bool, Option<Arc<Streamed>>, Vec<Arc<dyn Observer>>) {
    let json = work.json || context.format() == Format::Json;
    let streamed = Streamed::of(work, json);
    let mut observers: Vec<Arc<dyn Observer>> = Vec::new();
    if json {
        observers.push(Arc::new(JsonLines { stream: work.stream }));
    } else if work.view || !context.options.quiet {
        observers.push(screen);
    }
    observers.extend(streamed.clone().map(|it| it as Arc<dyn Observer>));
    (json, streamed, observers)
}

/// Prints what a session used. `now` is the time of its clock.
fn summarize(
    context: &mut Context,
    ended: &Ended,
    json: bool,
    id: Option<&str>,
    now: u64,
) -> Result<(), Failure> {
    if json {
        return Ok(context.print(&json_v1::outcome(ended, id))?);
    }
    let priced = model::dates(context.config.prices.values());
    let used = live::usage(ended, priced.as_deref(), now);
    let session = id.map(|id| format!(", session {id}")).unwrap_or_default();
    context.remark(&format!("{used}{session}"));
    for line in live::by_agent(&ended.agents) {
        context.remark(&format!("  {line}"));
    }
    Ok(())
}

/// After a failure of the loop itself, or to save, the session can be resumed from its last save. `saved_at` is the file of a session
/// whose every state is saved.
fn saved(error: callsheet::Error, resume: Option<&str>, saved_at: Option<&Path>) -> Failure {
    let (is_driver, is_save) = (
        matches!(error, callsheet::Error::Driver),
        matches!(error, callsheet::Error::Save(_)),
    );
    let failure = Failure::from(error);
    match saved_at {
        _ if !is_save => resumable(failure, resume.filter(|_| is_driver), ""),
        Some(file) if file.exists() => {
            let failure = failure.help(
                "the session is saved up to its last step; a tool call made since then is not repeated after resuming",
            );
            resumable(failure, resume, "")
        }
        Some(_) => failure.help(
            "nothing of it is saved; `--snapshot FILE` saves to another place, and `--no-save` does not save",
        ),
        None => failure.help("the session is lost"),
    }
}

/// Adds how to resume, if possible.
fn resumable(failure: Failure, resume: Option<&str>, more: &str) -> Failure {
    match resume {
        Some(resume) => failure.help(format!("to resume: {resume}{more}")),
        None => failure,
    }
}

/// `is_said` is whether the answer needs not be printed.
fn finish(
    context: &mut Context,
    ended: &Ended,
    is_said: bool,
    resume: Option<&str>,
    signal: i32,
) -> Result<Exit, Failure> {
    let Some(outcome) = &ended.outcome else {
        context.complain(&resumable(Failure::trouble("interrupted"), resume, ""));
        return Ok(Exit::Interrupted(signal));
    };
    match &outcome.ending {
        delegation::Ending::Answer => {
            say(context, &outcome.text, is_said)?;
            Ok(if ended.refused { Exit::Refused } else { Exit::Clean })
        }
        delegation::Ending::Bound(exceeded) => {
            say(context, &exceeded.partial, is_said)?;
            let failure = Failure::trouble(&*outcome.text);
            let failure = failure.help(match &*exceeded.partial {
                "" => "there was no answer yet",
                _ => "the partial answer is printed",
            });
            let flag = FLAGS.iter().find(|(bound, _)| *bound == exceeded.bound);
            let flag = flag.map(|(_, flag)| format!(" {flag} MORE")).unwrap_or_default();
            context.complain(&resumable(failure, resume, &flag));
            Ok(Exit::Bound)
        }
        delegation::Ending::Cancelled => {
            context.complain(&Failure::trouble("the session was canceled"));
            Ok(Exit::Failed)
        }
        delegation::Ending::Failed => {
            let failure = Failure::trouble(text::clean(&outcome.text));
            context.complain(&resumable(failure, resume, ""));
            Ok(Exit::Failed)
        }
    }
}

/// Control characters are removed for a terminal; a pipe gets the text unchanged.
fn say(context: &mut Context, answer: &str, is_said: bool) -> Result<(), Failure> {
    if is_said || answer.is_empty() {
        return Ok(());
    }
    let mut answer = if stdout().is_terminal() {
        text::clean_lines(answer)
    } else {
        answer.to_owned()
    };
    if !answer.ends_with('\n') {
        answer.push('\n');
    }
    Ok(context.print(&answer)?)
}
