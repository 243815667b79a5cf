//! Where the component is: everything about sessions is computed here, one after the other.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use callsheet::delegation::{Outstanding, SessionError, Step, Task};
use callsheet::{Catalog, Models, Session, Tools};
use callsheet_restate::{self as restate, Change, Known, Note, Open, Refused, Turned};
use tokio::sync::oneshot;

use super::super::context::Context;
use super::super::why;
use super::super::work::confined::Confined;
use super::super::work::{self, Voice, begin, lend};
use crate::cli::{Told, Work};
use crate::exit::{Exit, Failure};

/// A question, and where its answer goes.
pub(super) enum Ask {
    Open(String, Open, oneshot::Sender<Result<Turned, Refused>>),
    Change(
        String,
        Known,
        Vec<u8>,
        Change,
        oneshot::Sender<Result<Turned, Refused>>,
    ),
    Tools(String, oneshot::Sender<Result<Arc<dyn Tools>, Refused>>),
}

pub(super) struct Desk<'a> {
    pub(super) context: &'a mut Context,
    /// The directory of the project.
    pub(super) project: String,
    /// For sessions without and with a limited cost.
    pub(super) models: [Arc<dyn Models>; 2],
    confined: Confined,
    voice: Voice,
    lent: HashMap<String, Dialect>,
}

/// What agents of a dialect share.
struct Dialect {
    /// Sessions are restored in its instance of the component.
    catalog: Catalog,
    lent: lend::Lent,
    tools: Arc<dyn Tools>,
    repeatable: BTreeSet<String>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(context: &'a mut Context, confined: Confined) -> Result<Self, Failure> {
        let voice = Voice::plain();
        let models = |priced| lend::models(context, None, priced, Arc::clone(&voice.say));
        Ok(Self {
            project: lend::project(context)?.to_string_lossy().into_owned(),
            models: [models(false)?, models(true)?],
            context,
            confined,
            voice,
            lent: HashMap::new(),
        })
    }

    pub(super) fn answer(&mut self, ask: Ask) {
        // The caller may have left.
        match ask {
            Ask::Open(session, open, to) => drop(to.send(self.open(&session, open).map_err(refused))),
            Ask::Change(session, known, snapshot, change, to) => {
                drop(to.send(self.change(&session, known, &snapshot, change)));
            }
            Ask::Tools(dialect, to) => {
                let tools = self.dialect(&dialect).map(|it| Arc::clone(&it.tools));
                drop(to.send(tools.map_err(refused)));
            }
        }
    }

    fn open(&mut self, session: &str, open: Open) -> Result<Turned, Failure> {
        let mut work: Work = serde_json::from_value(open.options).map_err(|error| {
            let failure = Failure::trouble(format!("the worker does not know these options: {error}"));
            failure.help("use the same version of Callsheet on both sides")
        })?;
        work.told = Told::Shared;
        let (dialect, mut catalog) = match open.dialect {
            Some(dialect) => {
                let mut catalog = self.context.callsheet.open(&dialect)?;
                if catalog.get(&open.agent)?.is_none() {
                    return Err(why::not_found(self.context, &open.agent)?);
                }
                (dialect, catalog)
            }
            None => work::catalog_of(self.context, &open.agent)?,
        };
        let task = Task {
            agent: open.agent,
            prompt: open.prompt,
            description: None,
            model: None,
        };
        let task = begin::with_model(task, &work);
        let shared = self.dialect(&dialect)?;
        shared.lent.reserve(&mut catalog)?;
        let mut lent = shared.lent.clone();
        lent.tools = Arc::clone(&shared.tools);
        // Their files may have changed since.
        let trust = lend::trust(self.context)?;
        let now = trust.agents(&mut self.context.callsheet, &mut catalog)?;
        lent.trusted
            .retain(|name| now.iter().any(|agent| agent.name == *name));
        let isolated = Err("workers make no worktrees".to_owned());
        let mut opened = begin::open_with(self.context, &mut catalog, &task, &work, lent, &isolated)?;
        let limits = opened.limits();
        let models = &self.models[usize::from(limits.cost.is_some())];
        opened.check(self.context, &mut catalog, &**models)?;
        let known = Known {
            dialect,
            project: self.project.clone(),
            priced: limits.cost.is_some(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            opened: unix(),
            now: 0,
            deadline: limits.deadline,
            next: 0,
            outcome: None,
            usage: opened.session.usage()?,
        };
        let wake = wake(&known);
        let turned = self.turned(session, known, &mut opened.session, Vec::new())?;
        Ok(Turned { wake, ..turned })
    }

    fn change(
        &mut self,
        session: &str,
        mut known: Known,
        snapshot: &[u8],
        change: Change,
    ) -> Result<Turned, Refused> {
        let version = known.version.clone();
        let restored = self
            .dialect(&known.dialect)
            .and_then(|it| Ok(it.catalog.restore(snapshot)?));
        let mut restored = restored.map_err(|failure| Refused {
            message: format!(
                "this worker cannot read a session of version {version}: {}",
                failure.message()
            ),
            help: Vec::new(),
            is_missing: false,
        })?;
        known.now = known.now.max(unix().saturating_sub(known.opened));
        // A worker whose clock is behind was asked too early.
        let wake = matches!(change, Change::Time).then(|| wake(&known)).flatten();
        let notes = apply(&mut restored, known.now, change).map_err(|error| refused(error.into()))?;
        let turned = self
            .turned(session, known, &mut restored, notes)
            .map_err(refused)?;
        let wake = wake.filter(|_| turned.state.outcome.is_none());
        Ok(Turned { wake, ..turned })
    }

    /// A session after a change. `notes` come before its events.
    fn turned(
        &mut self,
        id: &str,
        mut known: Known,
        session: &mut Session,
        mut notes: Vec<Note>,
    ) -> Result<Turned, Failure> {
        let polled = session.poll(known.now, known.next)?;
        known.next = polled.last().map_or(known.next, |step| step.id + 1);
        let repeatable = self.dialect(&known.dialect)?.repeatable.clone();
        let mut steps = Vec::new();
        for Outstanding {
            id: number,
            run,
            step,
        } in polled
        {
            let repeatable = match &step {
                Step::AskModel(_) => true,
                Step::CallTool(request) => repeatable.contains(&request.call.name),
            };
            steps.push(restate::Step {
                session: id.to_owned(),
                dialect: known.dialect.clone(),
                project: known.project.clone(),
                priced: known.priced,
                id: number,
                run,
                reach: session.reach(number)?,
                step,
                repeatable,
            });
        }
        notes.extend(session.events()?.into_iter().map(Note::Event));
        known.outcome = session.outcome()?;
        known.usage = session.usage()?;
        Ok(Turned {
            state: known,
            snapshot: session.snapshot()?,
            steps,
            notes,
            wake: None,
        })
    }

    fn dialect(&mut self, dialect: &str) -> Result<&mut Dialect, Failure> {
        match self.lent.entry(dialect.to_owned()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let mut catalog = self.context.callsheet.open(dialect)?;
                let say = Arc::clone(&self.voice.say);
                let lent = lend::tools(self.context, &mut catalog, say, self.confined, None)?;
                let tools = lend::asking(
                    self.context,
                    Arc::clone(&lent.tools),
                    Arc::clone(&self.voice.asker),
                )?;
                Ok(place.insert(Dialect {
                    repeatable: lend::repeatable(self.context, dialect)?,
                    catalog,
                    lent,
                    tools,
                }))
            }
        }
    }
}

/// Applies a change, and returns what it adds to the notes. A reply that comes too late adds nothing.
fn apply(session: &mut Session, now: u64, change: Change) -> callsheet::Result<Vec<Note>> {
    match change {
        Change::Reply { id, answered } => match session.reply(id, &answered.reply, now) {
            Ok(()) => return Ok(answered.notes),
            Err(callsheet::Error::Session(SessionError::NotOutstanding(_) | SessionError::Finished)) => {}
            Err(error) => return Err(error),
        },
        Change::Send(message) => session.send(&message)?,
        Change::Cancel => session.cancel()?,
        Change::Time => {}
    }
    Ok(Vec::new())
}

/// The time until a session's time is over, in nanoseconds; none if it has no limit, or is over.
fn wake(known: &Known) -> Option<u64> {
    known.deadline?.checked_sub(known.now).filter(|left| *left > 0)
}

/// Nanoseconds since 1970.
fn unix() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

fn refused(failure: Failure) -> Refused {
    Refused {
        message: failure.message().to_owned(),
        help: failure.advice().to_vec(),
        is_missing: failure.exit == Exit::Findings,
    }
}
