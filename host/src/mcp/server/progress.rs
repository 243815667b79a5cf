//! Reports the agents' progress to a client.

use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::delegation::{Event, Happening};
use crate::drive::Observer;
use crate::output::text::shortened;

/// Receives the events of a session.
pub(super) struct Progress {
    number: AtomicU32,
    sender: UnboundedSender<(u32, String)>,
}

impl Progress {
    /// A receiver and its messages.
    pub(super) fn new() -> (Self, UnboundedReceiver<(u32, String)>) {
        let (sender, heard) = unbounded_channel();
        let number = AtomicU32::new(0);
        (Self { number, sender }, heard)
    }
}

impl Observer for Progress {
    fn event(&self, event: &Event) {
        if let Some(words) = words(&event.what) {
            let number = self.number.fetch_add(1, Ordering::Relaxed) + 1;
            // The client may have closed the channel.
            let _ = self
                .sender
                .send((number, format!("{}: {words}", event.agent.join(" › "))));
        }
    }
}

/// Forwards messages until the channel closes.
pub(super) async fn tell(
    client: Peer<RoleServer>,
    token: ProgressToken,
    mut heard: UnboundedReceiver<(u32, String)>,
) {
    while let Some((number, message)) = heard.recv().await {
        let param = ProgressNotificationParam::new(token.clone(), f64::from(number)).with_message(message);
        if client.notify_progress(param).await.is_err() {
            return;
        }
    }
}

/// A short text for events worth a message.
fn words(what: &Happening) -> Option<String> {
    Some(match what {
        Happening::Called(_) => "called".to_owned(),
        Happening::Waits => "waits for others".to_owned(),
        Happening::Ignored(what) => format!("ignored: {what}"),
        Happening::Compacted(results) => shortened(*results),
        Happening::Asked(model) => format!("asks {model}"),
        Happening::Calls(call) => format!("uses {}", call.name),
        Happening::Refused(refused) => format!("may not use {}", refused.tool),
        Happening::Invalid(invalid) => format!("cannot use {}", invalid.tool),
        Happening::Ended(_) => "has ended".to_owned(),
        Happening::Said(_) | Happening::Returned(_) => return None,
    })
}
