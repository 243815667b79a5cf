//! What a server may tell its client.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, Tool};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};

use super::listing;
use crate::Say;

/// Callsheet, as a server sees it.
pub(super) struct Handler {
    server: String,
    say: Say,
    /// The tools of its start.
    tools: OnceLock<Vec<Tool>>,
    /// Announced changes that the running task has not seen. It ends at 0, or once the user was told.
    announced: AtomicUsize,
}

impl Handler {
    pub(super) fn new(server: String, say: Say) -> Self {
        Self {
            server,
            say,
            tools: OnceLock::new(),
            announced: AtomicUsize::new(0),
        }
    }

    /// The server listed its tools.
    pub(super) fn has_started(&self, tools: &[Tool]) {
        // They are listed once for each start.
        let _ = self.tools.set(tools.to_vec());
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("callsheet", env!("CARGO_PKG_VERSION")),
        )
    }

    /// Agents keep their tools: a changed list would change what they were granted. Some servers announce a change while they start, and
    /// have the same tools afterwards.
    async fn on_tool_list_changed(&self, context: NotificationContext<RoleClient>) {
        let Some(tools) = self.tools.get() else { return };
        // One task for all announcements, which may come without end.
        let mut seen = self.announced.fetch_add(1, Ordering::Relaxed) + 1;
        if seen > 1 {
            return;
        }
        loop {
            if listing::tools_of(&context.peer)
                .await
                .is_ok_and(|now| now != *tools)
            {
                return (self.say)(&format!(
                    "the server `{}` changed its tools; agents keep those of its start until you restart Callsheet",
                    self.server
                ));
            }
            let all = self
                .announced
                .compare_exchange(seen, 0, Ordering::Relaxed, Ordering::Relaxed);
            match all {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }
}
