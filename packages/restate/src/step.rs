//! A step as an invocation of its own: the engine repeats it until it ends.

use std::sync::Arc;
use std::time::Duration;

use callsheet_contract::conversation::CallError;
use callsheet_contract::delegation::Reply;
use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;
use tokio::sync::Mutex;

use crate::names::Names;
use crate::taken::Taken;
use crate::wire::{Answered, Step};
use crate::worker::Steps;

/// Attempts for what is temporarily unavailable: about four minutes in all.
const ATTEMPTS: u32 = 13;

/// The engine's code of a canceled invocation.
const CANCELLED: u16 = 409;

pub(crate) struct Taking {
    pub(crate) names: Names,
    pub(crate) steps: Arc<dyn Steps>,
}

#[restate_sdk::service(
    name = "CallsheetStep",
    journal_retention = "0s",
    ingress_private,
    invocation_retry_policy(initial_interval = "100ms", factor = 2.0, max_interval = "10s")
)]
impl Taking {
    #[handler]
    async fn take(&self, ctx: Context<'_>, Json(step): Json<Step>) -> HandlerResult<()> {
        self.steps.ready(&step).await?;
        let (id, session) = (step.id, step.session.clone());
        let is_first = step.repeatable || self.begin(&ctx).await?;
        let taken = Arc::new(Mutex::new(Taken::new(Arc::clone(&self.steps), step)));
        let answered = loop {
            // A part of the time: only between two parts does a cancellation arrive.
            let taken = Arc::clone(&taken);
            let part = ctx.run(async move || {
                let part = taken.lock().await.wait(is_first).await;
                part.map(Json).map_err(Into::into)
            });
            let policy = RunRetryPolicy::new()
                .initial_delay(Duration::from_secs(1))
                .exponentiation_factor(2.0)
                .max_delay(Duration::from_secs(30))
                .max_attempts(ATTEMPTS);
            match part.name("take").retry_policy(policy).await {
                Ok(Json(Some(answered))) => break answered,
                Ok(Json(None)) => {}
                Err(error) if error.code() == CANCELLED => return Err(error.into()),
                Err(error) => {
                    break Answered {
                        reply: Reply::Failed(CallError::Unavailable(error.message().to_owned())),
                        notes: Vec::new(),
                    };
                }
            }
        };
        let target = RequestTarget::object(&*self.names.session, session, "reply");
        drop(ctx.request::<_, ()>(target, Json((id, answered))).send());
        Ok(())
    }
}

impl Taking {
    /// Whether this attempt is the first to come here. The engine knows that before the call is made, so that no other attempt makes it.
    async fn begin(&self, ctx: &Context<'_>) -> HandlerResult<bool> {
        let mine = getrandom::u64()?;
        let begun = ctx.run(async move || Ok(mine)).name("begin").await?;
        Ok(begun == mine)
    }
}
