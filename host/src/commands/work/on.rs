//! Runs an agent on the workers of a durable engine, and shows the session here.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use callsheet::Say;
use callsheet::drive::{self, Ended, INTERRUPT, InFlight, Interrupts, Observer, Since, Spent};
use callsheet::output::report::AgentUsage;
use callsheet::output::text::clean;
use callsheet::processes::Ending;
use callsheet_restate::{Known, Note, Open, Remote, RemoteError};
use tokio::time::{Instant, sleep};

use super::super::context::Context;
use super::watch::{Kept, Screen};
use super::{finish, observers, prompt, summarize};
use crate::cli::{Limits, Run, Work};
use crate::exit::{Exit, Failure};

/// The time between two questions to the engine: short after news, longer otherwise.
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(1);

/// How long to wait for an engine that was there before.
const PATIENCE: Duration = Duration::from_secs(60);

pub(in crate::commands) fn run(context: &mut Context, command: &Run, engine: &str) -> Result<Exit, Failure> {
    let Run { label, work, .. } = command;
    let remote = Remote::new(engine, label.as_deref())
        .map_err(|reason| Failure::trouble(format!("`{}` cannot be used: {reason}", clean(engine))))?;
    let ending = Ending::watch();
    let _guard = ending.guard();
    let interrupts = Interrupts::listen(ending)?;
    let (id, open) = match &command.resume {
        Some(id) => (resumed(&id.to_string_lossy(), work)?, None),
        None => (random()?, Some(opened(context, command)?)),
    };
    let Screen {
        observer,
        view,
        voice,
    } = Screen::of(context, work, &interrupts)?;
    // Workers send no pieces of text.
    let (json, _, mut observers) = observers(context, work, observer);
    let transcript = Kept::open(work, false)?;
    observers.extend(transcript.iter().map(Kept::observer));
    context.pause()?;
    view.as_ref().map_or(Ok(()), |view| view.open(0))?;
    let follow = Follow {
        label: label.as_deref(),
        engine,
        id: &id,
        remote: &remote,
        say: voice.say,
        has_answered: Cell::new(false),
    };
    let mut shown = Shown::new(observers);
    let followed = drive::block_on(async {
        let stop = interrupts.stop();
        tokio::select! {
            biased;
            () = stop.notified() => Ok(None),
            followed = follow.to_end(open.as_ref(), &mut shown) => followed.map(Some),
        }
    })?;
    shown.observers.end();
    if let Some(view) = view {
        view.close(followed.is_ok());
    }
    if let Some(transcript) = &transcript {
        transcript.finish(context);
    }
    let Some(known) = followed? else {
        let what = if follow.has_answered.get() {
            "interrupted here; the session continues"
        } else {
            "interrupted before the engine answered; it may know the session"
        };
        context.complain(&Failure::trouble(what).help(follow.again()));
        return Ok(Exit::Interrupted(interrupts.signal().unwrap_or(INTERRUPT)));
    };
    let ended = Ended {
        outcome: known.outcome,
        usage: known.usage,
        agents: shown.spent.0,
        refused: shown.refused,
        worktrees: Vec::new(),
    };
    summarize(context, &ended, json, Some(&id), known.now)?;
    finish(context, &ended, json, None, INTERRUPT)
}

/// The ID of a session that runs elsewhere, where its options are.
fn resumed(id: &str, work: &Work) -> Result<String, Failure> {
    if work.models.is_empty() && work.limits == Limits::default() {
        return Ok(id.to_owned());
    }
    let failure = Failure::trouble("the model and the limits of a session on workers cannot be changed");
    Err(failure.help("`--resume ID --on ENGINE` only follows it"))
}

fn opened(context: &Context, command: &Run) -> Result<Open, Failure> {
    if context.options.gives_agents() {
        let failure = Failure::trouble("agents that are given here are not sent to workers");
        return Err(failure.help("workers have those of their checkout"));
    }
    let options = serde_json::to_value(&command.work);
    Ok(Open {
        agent: command.agent.clone().unwrap_or_default(),
        prompt: prompt(&command.task)?,
        dialect: context.options.dialect.clone(),
        options: options.map_err(|error| Failure::trouble(error.to_string()))?,
    })
}

fn random() -> Result<String, Failure> {
    let id = getrandom::u64().map_err(|error| Failure::trouble(format!("no random number: {error}")))?;
    Ok(format!("{id:016x}"))
}

/// A session on workers.
struct Follow<'a> {
    remote: &'a Remote,
    id: &'a str,
    engine: &'a str,
    label: Option<&'a str>,
    say: Say,
    has_answered: Cell<bool>,
}

impl Follow<'_> {
    /// Opens it if that is to be done, and shows it until its end.
    async fn to_end(&self, open: Option<&Open>, shown: &mut Shown) -> Result<Known, Failure> {
        if let Some(open) = open {
            self.patiently(async || self.remote.open(self.id, open).await)
                .await?;
        }
        let (mut next, mut pause) = (0, SHORT);
        loop {
            let told = self
                .patiently(async || self.remote.told(self.id, next).await)
                .await?;
            let Some(known) = told.state else {
                let failure = Failure::trouble(format!("the engine has no session {}", clean(self.id)));
                return Err(failure.help("sessions are forgotten a week after their end"));
            };
            let is_news = !told.notes.is_empty();
            told.notes.into_iter().for_each(|note| shown.show(note));
            shown.observers.used(&known.usage);
            next = told.next;
            if !told.all {
                continue;
            }
            if known.outcome.is_some() {
                return Ok(known);
            }
            pause = if is_news { SHORT } else { (pause * 2).min(LONG) };
            sleep(pause).await;
        }
    }

    /// Asks the engine again while it gives no answer. Before it has given one, only if it may have been asked.
    async fn patiently<T>(&self, mut ask: impl AsyncFnMut() -> Result<T, RemoteError>) -> Result<T, Failure> {
        let until = Instant::now() + PATIENCE;
        let mut is_open = self.has_answered.get();
        let mut has_said = false;
        loop {
            let error = match ask().await {
                Ok(answer) => {
                    self.has_answered.set(true);
                    return Ok(answer);
                }
                Err(error) => error,
            };
            is_open |= matches!(error, RemoteError::Silent(_));
            let may_pass = matches!(error, RemoteError::Silent(_) | RemoteError::NotThere(_));
            if !may_pass || !is_open || Instant::now() >= until {
                return Err(self.failure(error, is_open));
            }
            if !has_said {
                let seconds = PATIENCE.as_secs();
                (self.say)(&format!(
                    "note: {}; it is asked again for {seconds} s",
                    clean(&error.to_string())
                ));
                has_said = true;
            }
            sleep(LONG).await;
        }
    }

    fn failure(&self, error: RemoteError, is_open: bool) -> Failure {
        let message = clean(&error.to_string());
        let failure = match &error {
            RemoteError::Refused(refused) if refused.is_missing => Failure::nothing_found(message),
            _ => Failure::trouble(message),
        };
        match error {
            RemoteError::NotThere(_) | RemoteError::Silent(_) if is_open => failure.help(self.again()),
            RemoteError::NotThere(_) => failure.help(format!("is this its ingress? {}", clean(self.engine))),
            RemoteError::NoWorkers => {
                failure.help("start `callsheet worker`, and register its address with the engine")
            }
            RemoteError::Refused(refused) => refused
                .help
                .iter()
                .fold(failure, |failure, help| failure.help(clean(help))),
            RemoteError::Silent(_) | RemoteError::Other(_) => failure,
        }
    }

    /// How to see the rest.
    fn again(&self) -> String {
        let label = self
            .label
            .map(|label| format!(" --label {label}"))
            .unwrap_or_default();
        format!(
            "to follow it: callsheet run --on restate:{}{label} --resume {}",
            clean(self.engine),
            clean(self.id)
        )
    }
}

/// What was shown.
struct Shown {
    observers: Vec<Arc<dyn Observer>>,
    since: Since,
    spent: Spent,
    refused: bool,
}

impl Shown {
    fn new(observers: Vec<Arc<dyn Observer>>) -> Self {
        Self {
            observers,
            since: Since::default(),
            spent: Spent::default(),
            refused: false,
        }
    }

    fn show(&mut self, note: Note) {
        match note {
            Note::Event(event) => {
                self.observers.event(&event);
                self.spent.add(&self.since.usage(&event));
                if matches!(event.what, callsheet::delegation::Happening::Refused(_)) {
                    self.denied(event.agent);
                }
            }
            Note::Answered(agent, call, answer) => self.observers.answered(&agent, &call, &answer),
            Note::Denied(agent, call, reason) => {
                self.observers.denied(&agent, &call, &reason);
                self.denied(agent);
            }
            Note::InDoubt(id, agent, call) => self.observers.in_doubt(&InFlight {
                id,
                agent,
                tool: call.name,
                arguments: call.arguments,
            }),
            // Of another version, it may be unreadable: the sum is in the session's usage.
            Note::Spent(usage) => {
                if let Ok(usage) = serde_json::from_value::<AgentUsage>(usage) {
                    self.spent.add(&usage);
                }
            }
        }
    }

    fn denied(&mut self, agent: Vec<String>) {
        self.refused = true;
        self.spent.add(&drive::denied(agent));
    }
}
