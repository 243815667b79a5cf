//! Runs a session to its end: whatever may happen now happens now, side by side.

mod clock;
mod interrupt;
mod observer;
mod saved;
mod work;

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::Notify;

pub use self::clock::Clock;
pub use self::interrupt::{block_on, on_interrupt};
use self::observer::Refusals;
pub use self::observer::{Observer, Silent};
pub use self::saved::{About, Asked, InFlight, Left, SaveError, Saved, Saver};
use self::work::{Finished, Work};
use crate::conversation::CallError;
use crate::delegation::{Happening, Outcome, Reply, SessionError, Step, Usage};
use crate::{Error, Models, Result, Session, Tools};

/// What the model is told of a call that may have been done or not.
const IN_DOUBT: &str = "The session was interrupted during this call. It may have taken effect, wholly or in part: look before \
                        you do it again.";

/// How a session is to be run.
#[derive(Default)]
pub struct Options {
    /// The clock that it goes by.
    pub clock: Clock,
    /// When it ends at the latest, by that clock: the `deadline` of its bounds.
    pub deadline: Option<u64>,
    /// Keeps it where it can be taken up again.
    pub saver: Option<Saver>,
    /// Tools that may be called twice because they change nothing.
    pub repeatable: BTreeSet<String>,
    /// What was under way when it was put away. Each call is answered with an error: whether it took effect is not known.
    pub left: Left,
    /// Rings when the session is to be put away.
    pub stop: Arc<Notify>,
}

/// How driving a session ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// How the session ended; none if it was put away before.
    pub outcome: Option<Outcome>,
    /// What it used up.
    pub usage: Usage,
    /// Whether a call of a tool was refused.
    pub refused: bool,
}

/// Why the models that a session waits for cannot be asked, as far as that is known without asking; none if nothing is known.
pub fn obstacle(session: &mut Session, models: &dyn Models, now: u64) -> Result<Option<String>> {
    let steps = session.poll(now, 0)?;
    let mut requests = steps.iter().filter_map(|step| match &step.step {
        Step::AskModel(request) => Some(request),
        Step::CallTool(_) => None,
    });
    Ok(requests.find_map(|request| match models.check(request) {
        Ok(()) => None,
        Err(CallError::Unavailable(reason) | CallError::Denied(reason) | CallError::Other(reason)) => {
            Some(reason)
        }
        Err(CallError::TimedOut) => Some("it would take too long".to_owned()),
    }))
}

/// Drives a session until it ends or is to be put away. What is under way then is given up.
///
/// Fails with [`Error::Save`] if it cannot be kept: then nothing further is begun.
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
        stop,
    } = options;
    let refusals = Arc::new(Refusals::new(left.refused));
    let observer: Arc<dyn Observer> = Arc::new(vec![observer, Arc::clone(&refusals) as Arc<dyn Observer>]);
    let driver = Driver {
        session,
        work: Work::new(models, tools, Arc::clone(&observer)),
        clock,
        saver,
        repeatable,
        observer: Arc::clone(&observer),
        refusals,
        known: 0,
        stale: true,
    };
    let ended = driver.run(left, deadline, &stop).await;
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
    /// Steps with smaller names are known.
    known: u32,
    /// Whether what was saved is not what is.
    stale: bool,
}

impl Driver<'_> {
    async fn run(mut self, left: Left, deadline: Option<u64>, stop: &Notify) -> Result<Ended> {
        self.settle(left)?;
        loop {
            self.begin()?;
            if let Some(outcome) = self.session.outcome()? {
                return self.end(Some(outcome));
            }
            tokio::select! {
                biased;
                () = stop.notified() => return self.end(None),
                () = self.clock.reaches(deadline) => {}
                finished = self.work.next() => self.answer(finished)?,
            }
        }
    }

    fn settle(&mut self, left: Left) -> Result<()> {
        left.asked.into_iter().for_each(|asked| self.work.asks(asked));
        for call in left.in_flight {
            let reply = Reply::Tool(crate::conversation::ToolAnswer {
                text: IN_DOUBT.to_owned(),
                is_error: true,
            });
            self.reply(call.id, &reply)?;
            self.observer.in_doubt(&call);
        }
        Ok(())
    }

    /// Starts every step that is new. A call that must not be made twice is on record before it is made.
    fn begin(&mut self) -> Result<()> {
        let steps = self.session.poll(self.clock.now(), self.known)?;
        self.known = steps.last().map_or(self.known, |step| step.id + 1);
        for step in &steps {
            if let Step::CallTool(request) = &step.step
                && !self.repeatable.contains(&request.call.name)
            {
                self.work.record(InFlight::new(step.id, request));
                self.stale = true;
            }
        }
        let mut asked = self.tell()?.into_iter();
        for step in &steps {
            let Step::AskModel(request) = &step.step else {
                continue;
            };
            match self.work.run_of(step.id) {
                Some(run) => self.observer.again(run, self.clock.now(), request),
                // Models are asked in the order in which the events say so.
                None => asked
                    .next()
                    .into_iter()
                    .for_each(|run| self.work.asks(Asked { id: step.id, run })),
            }
        }
        self.save()?;
        for step in steps {
            match step.step {
                Step::AskModel(request) => self.work.ask(step.id, request),
                Step::CallTool(request) => self.work.call(step.id, request),
            }
        }
        Ok(())
    }

    fn answer(&mut self, finished: Finished) -> Result<()> {
        let mut finished = Some(finished);
        // Those that are ready, too: what was kept is written once for all of them.
        while let Some((id, reply)) = finished {
            self.work.forget(id);
            self.reply(id, &reply)?;
            finished = self.work.ready();
        }
        Ok(())
    }

    /// An answer to what the session gave up meanwhile is none.
    fn reply(&mut self, id: u32, reply: &Reply) -> Result<()> {
        self.stale = true;
        match self.session.reply(id, reply, self.clock.now()) {
            Err(Error::Session(SessionError::NotOutstanding(_) | SessionError::Finished)) => Ok(()),
            other => other,
        }
    }

    /// Passes on what happened. Gives the runs whose models are asked.
    fn tell(&mut self) -> Result<Vec<u32>> {
        let events = self.session.events()?;
        for event in &events {
            self.observer.event(event);
        }
        self.observer.used(&self.session.usage()?);
        let asked = events
            .iter()
            .filter(|event| matches!(event.what, Happening::Asked(_)));
        Ok(asked.map(|event| event.run).collect())
    }

    fn save(&mut self) -> Result<()> {
        if let Some(saver) = &self.saver
            && saver.always
            && std::mem::take(&mut self.stale)
        {
            let snapshot = self.session.snapshot()?;
            saver.save(self.clock.now(), self.left(), &snapshot)?;
        }
        Ok(())
    }

    fn left(&self) -> Left {
        Left {
            refused: self.refusals.any(),
            ..self.work.left()
        }
    }

    fn end(mut self, outcome: Option<Outcome>) -> Result<Ended> {
        self.tell()?;
        if let Some(saver) = &self.saver
            && (saver.always || outcome.is_none())
        {
            let snapshot = self.session.snapshot()?;
            // What is still under way is given up when the work is dropped: it stays in doubt.
            let left = match outcome {
                Some(_) => Left {
                    refused: self.refusals.any(),
                    ..Left::default()
                },
                None => self.left(),
            };
            saver.save(self.clock.now(), left, &snapshot)?;
        }
        Ok(Ended {
            outcome,
            usage: self.session.usage()?,
            refused: self.refusals.any(),
        })
    }
}
