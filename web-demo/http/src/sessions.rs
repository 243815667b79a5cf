//! Sessions held by clients: requests and responses contain the whole session.

mod settings;
mod wire;

use callsheet_contract::delegation::{Session, SessionError};
use serde_json::{Value, json};
use wasip2::clocks::wall_clock;

use self::settings::{Open, Reply};
use crate::answers::{project, provide};
use crate::body::compact;
use crate::limits::SNAPSHOT_BYTES;
use crate::problem::Problem;
use crate::requests::{decoded, encoded};

/// A session with the start of its clock, in nanoseconds since 1970.
struct Kept {
    session: Session,
    opened: u64,
}

pub(crate) fn open(body: Value) -> Result<String, Problem> {
    let request: Open = settings::request(body);
    provide(request.files, Some(&request.dialect), 1)?;
    let catalog = project().open(&request.dialect, false)?;
    let (task, tools, settings) = (
        request.task.into(),
        settings::tools(request.tools),
        request.settings.into(),
    );
    let session = Session::open(&catalog, &task, &tools, &settings)?;
    let opened = now();
    Kept { session, opened }.told(0)
}

pub(crate) fn poll(body: &Value) -> Result<String, Problem> {
    restored(body)?.told(from(body))
}

pub(crate) fn reply(body: &Value) -> Result<String, Problem> {
    let kept = restored(body)?;
    let Reply { step, answer } = settings::reply(body["reply"].clone());
    kept.session.reply(step, &answer, kept.clock())?;
    kept.told(0)
}

pub(crate) fn cancel(body: &Value) -> Result<String, Problem> {
    let kept = restored(body)?;
    kept.session.cancel();
    kept.told(0)
}

pub(crate) fn events(body: &Value) -> Result<String, Problem> {
    let kept = restored(body)?;
    kept.session.poll(kept.clock(), 0);
    let from = u64::from(from(body));
    let events = kept
        .session
        .events()
        .into_iter()
        .filter(|event| event.number >= from);
    let events: Vec<Value> = events.map(|event| wire::event(&event)).collect();
    Ok(compact(&json!({ "events": events }).to_string()))
}

impl Kept {
    /// The session for a response, with the steps from number `from`.
    fn told(&self, from: u32) -> Result<String, Problem> {
        let steps = self.session.poll(self.clock(), from);
        let snapshot = self.session.snapshot();
        if snapshot.len() > SNAPSHOT_BYTES {
            let detail = format!(
                "the session would be larger than {SNAPSHOT_BYTES} bytes; end it and open a smaller one"
            );
            return Err(Problem::new(413, "session-too-large", detail));
        }
        let kept = [&self.opened.to_le_bytes()[..], &snapshot].concat();
        let answer = json!({
            "snapshot": encoded(&kept),
            "steps": steps.iter().map(wire::step).collect::<Vec<_>>(),
            "outcome": self.session.outcome().as_ref().map(wire::outcome),
            "usage": wire::usage(&self.session.usage()),
        });
        Ok(compact(&answer.to_string()))
    }

    fn clock(&self) -> u64 {
        now().saturating_sub(self.opened)
    }
}

fn restored(body: &Value) -> Result<Kept, Problem> {
    let kept = decoded(body["snapshot"].as_str().unwrap_or_default())?;
    let (opened, snapshot) = kept.split_first_chunk::<8>().ok_or(SessionError::BadSnapshot)?;
    Ok(Kept {
        session: Session::restore(snapshot)?,
        opened: u64::from_le_bytes(*opened),
    })
}

fn from(body: &Value) -> u32 {
    body["from"]
        .as_u64()
        .and_then(|from| u32::try_from(from).ok())
        .unwrap_or(0)
}

fn now() -> u64 {
    let now = wall_clock::now();
    now.seconds
        .saturating_mul(1_000_000_000)
        .saturating_add(now.nanoseconds.into())
}
