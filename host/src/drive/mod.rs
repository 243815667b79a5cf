//! Runs a session to its end, with all possible steps in parallel.

mod about;
mod claim;
mod clock;
mod conversations;
mod frame;
mod glance;
mod input;
mod interrupt;
mod observer;
mod older;
mod reachable;
mod saved;
mod saver;
mod spent;
mod store;
mod work;

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio::sync::Notify;

pub use self::about::{About, Asked, InFlight, Left, Limits, Saved, title};
pub use self::clock::Clock;
use self::conversations::Conversations;
pub use self::glance::Glance;
use self::input::Input;
pub use self::interrupt::{INTERRUPT, Interrupts, block_on};
use self::observer::Refusals;
pub use self::observer::{Observer, Silent};
pub use self::reachable::{Unavailable, unavailable, without_limits};
pub use self::saved::{Status, Stopped};
use self::saver::News;
pub use self::saver::Saver;
pub use self::spent::{Since, Spent, denied, usage};
pub use self::store::{DAYS, Kept, MOST, NotFound, Pruned, Sessions};
use self::work::{Finished, Work};
use crate::conversation::{ModelAnswer, ModelRequest, ToolAnswer, ToolRequest};
use crate::delegation::{Ending, Happening, Outcome, Outstanding, Reply, SessionError, Step};
pub use crate::error::SaveError;
pub use crate::output::report::{AgentUsage, Ended};
use crate::{Error, Models, Result, Session, Tools};

/// The result of a call whose effect is unknown.
pub const IN_DOUBT: &str = "The session was interrupted during this call. It may have taken effect, wholly or in part: check before \
                        you repeat it.";

/// Options of a run.
#[derive(Default)]
pub struct Options {
    /// The session's clock.
    pub clock: Clock,
    /// The latest end, by that clock: the `deadline` of its limits.
    pub deadline: Option<u64>,
    /// Saves it for resuming.
    pub saver: Option<Saver>,
    /// Tools that may be called twice because they change nothing.
    pub repeatable: BTreeSet<String>,
    /// Its unfinished work when it was saved. See [`doubt`].
    pub left: Left,
    /// The usage of its agents when it was saved.
    pub spent: Spent,
    /// Notified when the session is to be saved.
    pub stop: Arc<Notify>,
}

/// The result of a call that was interrupted before it began.
const NOT_MADE: &str = "The session was interrupted before this call.";

/// The answer of an interrupted agent.
const INTERRUPTED: &str = "[interrupted]";

/// Whether a session is finished: after a limit or a failure it can be resumed.
pub fn is_over(outcome: Option<&Outcome>) -> bool {
    outcome.is_some_and(|it| matches!(it.ending, Ending::Answer | Ending::Cancelled))
}

/// Answers unfinished calls with an error: whether they took effect is unknown. Calls that a stopped session does not accept stay
/// unfinished.
pub fn doubt(session: &mut Session, left: &mut Left, now: u64) -> Result<()> {
    let in_flight = std::mem::take(&mut left.in_flight);
    // Skipped if there are none: the time limit is not checked here.
    let steps = if in_flight.is_empty() {
        Vec::new()
    } else {
        session.poll_brief(now, 0)?
    };
    let request = |id: u32| {
        steps.iter().find_map(|it| match &it.step {
            Step::CallTool(request) if it.id == id => Some(InFlight::new(id, request)),
            _ => None,
        })
    };
    for id in in_flight {
        let reply = Reply::Tool(ToolAnswer {
            text: IN_DOUBT.to_owned(),
            is_error: true,
        });
        match session.reply(id, &reply, now) {
            Err(Error::Session(SessionError::Finished)) => left.in_flight.push(id),
            replied => {
                known(replied)?;
                left.doubted.extend(request(id));
            }
        }
    }
    Ok(())
}

/// Ends what was interrupted, so that a message can follow it: agents answer that they were interrupted, and so do calls. The first
/// agent's turns are counted for each message, so that they do not stop it here. Returns the limit that does.
pub fn give_up(session: &mut Session, limits: &Limits, left: Left, now: u64) -> Result<Option<String>> {
    let limits = Limits {
        turns: u32::MAX,
        ..limits.clone()
    };
    session.go_on(Some((&limits).into()), None)?;
    conclude(session, left, now)?;
    let outcome = session.outcome()?;
    Ok(outcome.filter(|it| !is_over(Some(it))).map(|it| it.text))
}

fn conclude(session: &mut Session, left: Left, now: u64) -> Result<()> {
    while !is_over(session.outcome()?.as_ref()) {
        let steps = session.poll_brief(now, 0)?;
        if steps.is_empty() {
            // Only a limit leaves no step.
            break;
        }
        for step in steps {
            let reply = match step.step {
                Step::AskModel(_) => Reply::Model(ModelAnswer {
                    text: INTERRUPTED.to_owned(),
                    calls: Vec::new(),
                    input_tokens: 0,
                    output_tokens: 0,
                    cost: Some(0),
                }),
                Step::CallTool(_) => {
                    let is_in_doubt = left.in_flight.contains(&step.id);
                    Reply::Tool(ToolAnswer {
                        text: if is_in_doubt { IN_DOUBT } else { NOT_MADE }.to_owned(),
                        is_error: true,
                    })
                }
            };
            known(session.reply(step.id, &reply, now))?;
        }
    }
    Ok(())
}

/// A late answer to an aborted step is ignored.
fn known(replied: Result<()>) -> Result<()> {
    match replied {
        Err(Error::Session(SessionError::NotOutstanding(_) | SessionError::Finished)) => Ok(()),
        other => other,
    }
}

/// Why the models of outstanding requests are unavailable, as far as that is known without asking; none if unknown.
pub fn obstacle(session: &mut Session, models: &dyn Models, now: u64) -> Result<Option<String>> {
    let steps = session.poll_brief(now, 0)?;
    let mut requests = steps.iter().filter_map(|step| match &step.step {
        Step::AskModel(request) => Some(request),
        Step::CallTool(_) => None,
    });
    Ok(requests.find_map(|request| models.check(request).err().map(reachable::reason)))
}

/// Runs a session until it ends or is to be saved. Unfinished work is then aborted.
///
/// Fails with [`Error::Save`] if it cannot be saved: then no further step starts.
pub async fn drive(
    session: &mut Session,
    models: Arc<dyn Models>,
    tools: Arc<dyn Tools>,
    options: Options,
    observer: Arc<dyn Observer>,
) -> Result<Ended> {
    let Options {
        clock,
        deadline,
        saver,
        repeatable,
        left,
        spent,
        stop,
    } = options;
    let refusals = Arc::new(Refusals::new(left.refused));
    let observer: Arc<dyn Observer> = Arc::new(vec![observer, Arc::clone(&refusals) as Arc<dyn Observer>]);
    let mut driver = Driver {
        session,
        work: Work::new(models, tools, Arc::clone(&observer)),
        clock,
        saver,
        repeatable,
        observer: Arc::clone(&observer),
        refusals,
        permitted: Vec::new(),
        conversations: Conversations::default(),
        inputs: Vec::new(),
        spent,
        newly_spent: Spent::default(),
        since: Since::continued(clock.now()),
        known: 0,
        stale: true,
    };
    let ended = AssertUnwindSafe(driver.run(left, deadline, &stop)).catch_unwind();
    let ended = match ended.await {
        Ok(ended) => ended,
        // A panic of the observer or of this loop must not lose the session.
        Err(_) => {
            driver.work.give_up().await;
            driver.put_away(None).and(Err(Error::Driver))
        }
    };
    observer.end();
    ended
}

struct Driver<'a> {
    session: &'a mut Session,
    work: Work,
    clock: Clock,
    saver: Option<Saver>,
    repeatable: BTreeSet<String>,
    observer: Arc<dyn Observer>,
    refusals: Arc<Refusals>,
    /// Calls that the user confirmed and that are not made yet.
    permitted: Steps<ToolRequest>,
    conversations: Conversations,
    /// The replies since the last save.
    inputs: Vec<Input>,
    /// The usage of each agent, in all and since the last save.
    spent: Spent,
    newly_spent: Spent,
    since: Since,
    /// Steps below this number are known.
    known: u32,
    /// Whether there are unsaved changes.
    stale: bool,
}

impl Driver<'_> {
    async fn run(&mut self, left: Left, deadline: Option<u64>, stop: &Notify) -> Result<Ended> {
        left.asked.into_iter().for_each(|asked| self.work.asks(asked));
        left.doubted.iter().for_each(|call| self.observer.in_doubt(call));
        left.in_flight.into_iter().for_each(|id| self.work.record(id));
        loop {
            self.begin()?;
            if let Some(outcome) = self.session.outcome()? {
                return self.end(Some(outcome)).await;
            }
            tokio::select! {
                biased;
                () = stop.notified() => return self.end(None).await,
                () = self.clock.reaches(deadline) => {}
                finished = self.work.next() => self.answer(finished)?,
            }
        }
    }

    /// Starts every new step. A call that must not be repeated is recorded before it is made.
    fn begin(&mut self) -> Result<()> {
        let now = self.clock.now();
        let (mut models, calls) = apart(self.poll(now)?);
        let (mut calls, questions): (Vec<_>, Vec<_>) =
            calls.into_iter().partition(|(_, request)| request.permitted);
        // Events may end an agent whose call was just confirmed. Such a call is not made, and none after the end of all.
        self.tell()?;
        if self.session.outcome()?.is_none() {
            calls.append(&mut self.permitted);
        }
        calls
            .iter()
            .for_each(|(asked, request)| self.record(asked.id, request));
        for (asked, request) in &mut models {
            if self.work.has_asked(asked.id) {
                self.observer.again(asked.run, now, request);
            } else {
                self.work.asks(*asked);
                self.observer.asks(asked.run, request);
            }
            request.messages = self
                .conversations
                .lend(self.session, asked.run, request.changed_from)?;
        }
        self.save(now)?;
        models
            .into_iter()
            .for_each(|(asked, request)| self.work.ask(asked, request));
        questions
            .into_iter()
            .for_each(|(asked, request)| self.work.permit(asked, request));
        for (asked, request) in calls {
            let reach = self.session.reach(asked.id)?;
            self.work.call(asked, request, reach);
        }
        Ok(())
    }

    fn record(&mut self, id: u32, request: &ToolRequest) {
        if !self.repeatable.contains(&request.call.name) {
            self.work.record(id);
            self.stale = true;
        }
    }

    fn answer(&mut self, finished: Finished) -> Result<()> {
        let mut finished = Some(finished);
        // Including the ones that are ready: one write saves all of them.
        while let Some(next) = finished {
            match next {
                Finished::Answered(id, reply) => drop(self.reply(id, reply)?),
                Finished::Asked(id, said) => {
                    self.conversations.keep(said.run, said.messages);
                    if self.reply(id, said.reply)?
                        && let Some(used) = said.used
                    {
                        self.observer.spent(said.run, &used);
                        self.count(&used);
                    }
                }
                Finished::Permitted(asked, request) => self.permitted.push((asked, request)),
            }
            finished = self.work.ready();
        }
        Ok(())
    }

    /// A reply that the stopped session refuses stays recorded: the session will ask for it again. Returns whether it was accepted.
    fn reply(&mut self, id: u32, reply: Reply) -> Result<bool> {
        self.stale = true;
        let now = self.clock.now();
        let replied = self.session.reply(id, &reply, now);
        if replied.is_ok() && self.saver.as_ref().is_some_and(|saver| saver.always) {
            self.inputs.push(Input::new(id, now, reply));
        }
        if !matches!(replied, Err(Error::Session(SessionError::Finished))) {
            self.work.forget(id);
        }
        let is_accepted = replied.is_ok();
        known(replied).map(|()| is_accepted)
    }

    /// Passes on events.
    fn tell(&mut self) -> Result<()> {
        let events = self.session.events()?;
        for event in &events {
            self.observer.event(event);
            let more = self.since.usage(event);
            self.count(&more);
            if matches!(event.what, Happening::Ended(_)) {
                self.conversations.forget(event.run);
                self.permitted
                    .retain(|(asked, _)| asked.run != event.run || event.run == 0);
                self.work.ended(event.run);
            }
        }
        for agent in self.refusals.take() {
            self.count(&denied(agent));
        }
        self.observer.used(&self.session.usage()?);
        Ok(())
    }

    fn count(&mut self, more: &AgentUsage) {
        self.spent.add(more);
        self.newly_spent.add(more);
    }

    /// The new steps.
    fn poll(&mut self, now: u64) -> Result<Vec<Outstanding>> {
        let steps = self.session.poll_brief(now, self.known)?;
        self.known = steps.last().map_or(self.known, |step| step.id + 1);
        Ok(steps)
    }

    /// Saves the changes, as of the time of the last poll.
    fn save(&mut self, now: u64) -> Result<()> {
        if !self.saver.as_ref().is_some_and(|saver| saver.always) || !std::mem::take(&mut self.stale) {
            return Ok(());
        }
        self.write(now, self.left())
    }

    fn write(&mut self, now: u64, left: Left) -> Result<()> {
        let Some(saver) = &self.saver else {
            return Ok(());
        };
        let status = Status::of(self.session.outcome()?.as_ref(), &self.session.usage()?);
        let news = News {
            now,
            left,
            known: self.known,
            status,
            inputs: std::mem::take(&mut self.inputs),
            spent: std::mem::take(&mut self.newly_spent),
            spent_in_all: &self.spent,
        };
        saver.save(news, || self.session.snapshot())
    }

    fn left(&self) -> Left {
        Left {
            refused: self.refusals.any(),
            ..self.work.left()
        }
    }

    async fn end(&mut self, outcome: Option<Outcome>) -> Result<Ended> {
        if outcome.is_none()
            && let Some(ready) = self.work.ready()
        {
            self.answer(ready)?;
        }
        self.work.give_up().await;
        self.tell()?;
        self.put_away(outcome)
    }

    fn put_away(&mut self, outcome: Option<Outcome>) -> Result<Ended> {
        let over = is_over(outcome.as_ref());
        if let Some(saver) = &self.saver
            && (saver.always || !over)
        {
            let now = self.clock.now();
            self.poll(now)?;
            // Aborted calls stay in doubt.
            let left = if over {
                Left {
                    refused: self.refusals.any(),
                    ..Left::default()
                }
            } else {
                self.left()
            };
            self.write(now, left)?;
        }
        Ok(Ended {
            outcome,
            usage: self.session.usage()?,
            agents: std::mem::take(&mut self.spent.0),
            refused: self.refusals.any(),
            worktrees: Vec::new(),
        })
    }
}

/// Requests of one kind, each with its step and agent.
type Steps<T> = Vec<(Asked, T)>;

/// The models to ask, and the calls to make.
fn apart(steps: Vec<Outstanding>) -> (Steps<ModelRequest>, Steps<ToolRequest>) {
    let (mut models, mut calls) = (Vec::new(), Vec::new());
    for Outstanding { id, run, step } in steps {
        match step {
            Step::AskModel(request) => models.push((Asked { id, run }, request)),
            Step::CallTool(request) => calls.push((Asked { id, run }, request)),
        }
    }
    (models, calls)
}
