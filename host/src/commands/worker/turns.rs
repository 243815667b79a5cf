//! Changes of sessions, for the engine.

use callsheet_restate::{Answer, Change, Known, Open, Refused, Turned, Turns};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::desk::Ask;

pub(super) struct Turner(pub(super) UnboundedSender<Ask>);

impl Turns for Turner {
    fn open(&self, session: String, open: Open) -> Answer<'_, Result<Turned, Refused>> {
        Box::pin(ask(&self.0, |to| Ask::Open(session, open, to)))
    }

    fn change(
        &self,
        session: String,
        known: Known,
        snapshot: Vec<u8>,
        change: Change,
    ) -> Answer<'_, Result<Turned, Refused>> {
        Box::pin(ask(&self.0, |to| {
            Ask::Change(session, known, snapshot, change, to)
        }))
    }
}

/// Asks the desk. It answers as long as the worker serves.
pub(super) async fn ask<T>(
    desk: &UnboundedSender<Ask>,
    question: impl FnOnce(oneshot::Sender<Result<T, Refused>>) -> Ask,
) -> Result<T, Refused> {
    let (to, answer) = oneshot::channel();
    let is_there = desk.send(question(to)).is_ok();
    match answer.await {
        Ok(answer) if is_there => answer,
        _ => Err(Refused {
            message: "the worker is stopping".to_owned(),
            help: Vec::new(),
            is_missing: false,
        }),
    }
}
