//! What a server may tell its client.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, Tool};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};

use crate::Say;

/// Callsheet, as a server sees it.
pub(super) struct Handler {
    server: String,
    say: Say,
    /// The tools of its start.
    tools: OnceLock<Vec<Tool>>,
    /// Whether the user was told that tools changed.
    told: AtomicBool,
}

impl Handler {
    pub(super) fn new(server: String, say: Say) -> Self {
        Self {
            server,
            say,
            tools: OnceLock::new(),
            told: AtomicBool::new(false),
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
        let Ok(now) = context.peer.list_all_tools().await else {
            return;
        };
        if now != *tools && !self.told.swap(true, Ordering::Relaxed) {
            (self.say)(&format!(
                "the server `{}` changed its tools; agents keep those of its start until you restart Callsheet",
                self.server
            ));
        }
    }
}
