//! A session as a virtual object: the engine calls its handlers one after another.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;

use crate::names::Names;
use crate::wire::{Answered, Change, Known, Open, Refused, Told, Turned};
use crate::worker::Turns;

const STATE: &str = "state";
const SNAPSHOT: &str = "snapshot";
/// Invocations of outstanding steps.
const STEPS: &str = "steps";
/// The number of lists of notes.
const TOLD: &str = "told";

/// Lists of notes in one answer.
const MOST: u32 = 200;

/// How long a session is kept after its end.
const KEPT: Duration = Duration::from_hours(7 * 24);

pub(crate) struct Session {
    pub(crate) names: Names,
    pub(crate) turns: Arc<dyn Turns>,
}

// The default of the engine is to wait longer and longer: a worker that is started again is soon asked.
#[restate_sdk::object(
    name = "CallsheetSession",
    lazy_state,
    invocation_retry_policy(initial_interval = "100ms", factor = 2.0, max_interval = "10s")
)]
impl Session {
    /// Opens the session, unless it is open.
    #[handler]
    async fn open(&self, ctx: ObjectContext<'_>, Json(open): Json<Open>) -> HandlerResult<()> {
        if state(&ctx).await?.is_some() {
            return Ok(());
        }
        let (turns, session) = (Arc::clone(&self.turns), ctx.key().to_owned());
        let opened = ctx.run(async move || {
            let opened = turns.open(session, open).await;
            opened.map(Json).map_err(|refused| told_to_client(&refused))
        });
        let Json(opened) = opened.name("open").await?;
        self.go_on(&ctx, opened, BTreeMap::new()).await
    }

    /// The answer to a step.
    #[handler]
    async fn reply(
        &self,
        ctx: ObjectContext<'_>,
        Json((id, answered)): Json<(u32, Answered)>,
    ) -> HandlerResult<()> {
        self.change(&ctx, Change::Reply { id, answered }).await
    }

    /// Another message of the user.
    #[handler]
    async fn send(&self, ctx: ObjectContext<'_>, Json(message): Json<String>) -> HandlerResult<()> {
        self.change(&ctx, Change::Send(message)).await
    }

    /// Ends the session.
    #[handler]
    async fn cancel(&self, ctx: ObjectContext<'_>) -> HandlerResult<()> {
        self.change(&ctx, Change::Cancel).await
    }

    /// Ends the session if its time is over.
    #[handler]
    async fn wake(&self, ctx: ObjectContext<'_>) -> HandlerResult<()> {
        self.change(&ctx, Change::Time).await
    }

    /// Forgets the session, unless it went on since.
    #[handler]
    async fn forget(&self, ctx: ObjectContext<'_>, told: u32) -> HandlerResult<()> {
        if ctx.get(TOLD).await? == Some(told) {
            ctx.clear_all();
        }
        Ok(())
    }

    /// What happened, from a list of notes on.
    #[handler]
    async fn told(&self, ctx: SharedObjectContext<'_>, from: u32) -> HandlerResult<Json<Told>> {
        // First: the session may go on meanwhile, and an end must not hide what was before.
        let state: Option<Json<Known>> = ctx.get(STATE).await?;
        let told: u32 = ctx.get(TOLD).await?.unwrap_or_default();
        let next = told.min(from.saturating_add(MOST)).max(from);
        let mut notes = Vec::new();
        for list in from..next {
            let list = ctx.get(&notes_of(list)).await?;
            notes.extend(list.map(|Json(list): Json<Vec<_>>| list).unwrap_or_default());
        }
        Ok(Json(Told {
            notes,
            next,
            state: state.map(Json::into_inner),
            all: next == told,
        }))
    }
}

impl Session {
    async fn change(&self, ctx: &ObjectContext<'_>, change: Change) -> HandlerResult<()> {
        let is_message = matches!(change, Change::Send(_));
        let known = match state(ctx).await? {
            Some(known) if known.outcome.is_none() || is_message => known,
            None if is_message => {
                return Err(TerminalError::new_with_code(404, "there is no such session").into());
            }
            // It is over, and may be forgotten.
            _ => return Ok(()),
        };
        let snapshot: Vec<u8> = ctx.get(SNAPSHOT).await?.unwrap_or_default();
        let steps: Option<Json<BTreeMap<u32, String>>> = ctx.get(STEPS).await?;
        let mut steps = steps.map(Json::into_inner).unwrap_or_default();
        if let Change::Reply { id, .. } = &change {
            steps.remove(id);
        }
        let (turns, session) = (Arc::clone(&self.turns), ctx.key().to_owned());
        let turned = ctx.run(async move || {
            match turns.change(session, known, snapshot, change).await {
                Ok(turned) => Ok(Json(turned)),
                Err(refused) if is_message => Err(told_to_client(&refused)),
                // Another worker may have the version that can read it.
                Err(refused) => Err(refused.message.into()),
            }
        });
        let Json(turned) = turned.name("change").await?;
        self.go_on(ctx, turned, steps).await
    }

    /// Keeps the new state, and starts the new steps.
    async fn go_on(
        &self,
        ctx: &ObjectContext<'_>,
        turned: Turned,
        mut started: BTreeMap<u32, String>,
    ) -> HandlerResult<()> {
        let Turned {
            state,
            snapshot,
            steps,
            notes,
            wake,
        } = turned;
        for step in steps {
            let id = step.id;
            let target = RequestTarget::service(&*self.names.step, "take");
            let invocation = ctx.request::<_, ()>(target, Json(step)).send().await?;
            started.insert(id, invocation.invocation_id().to_owned());
        }
        let object = |handler| RequestTarget::object(&*self.names.session, ctx.key(), handler);
        if let Some(wake) = wake {
            let wake = Duration::from_nanos(wake);
            drop(ctx.request::<_, ()>(object("wake"), ()).send_after(wake));
        }
        let mut told: u32 = ctx.get(TOLD).await?.unwrap_or_default();
        if !notes.is_empty() {
            ctx.set(&notes_of(told), Json(notes));
            told += 1;
            ctx.set(TOLD, told);
        }
        if state.outcome.is_some() {
            for invocation in std::mem::take(&mut started).into_values() {
                ctx.invocation_handle(invocation).cancel();
            }
            drop(ctx.request::<_, ()>(object("forget"), told).send_after(KEPT));
        }
        ctx.set(STEPS, Json(started));
        ctx.set(SNAPSHOT, snapshot);
        ctx.set(STATE, Json(state));
        Ok(())
    }
}

fn told_to_client(refused: &Refused) -> HandlerError {
    let refused = serde_json::to_string(refused).unwrap_or_default();
    TerminalError::new_with_code(422, refused).into()
}

async fn state(ctx: &ObjectContext<'_>) -> HandlerResult<Option<Known>> {
    let state: Option<Json<Known>> = ctx.get(STATE).await?;
    Ok(state.map(Json::into_inner))
}

fn notes_of(list: u32) -> String {
    format!("notes/{list}")
}
