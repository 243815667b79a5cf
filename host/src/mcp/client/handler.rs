//! What a server may tell its client.

use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{ClientCapabilities, ClientConfig, Implementation};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};

use crate::Say;

/// Callsheet, as a server sees it.
pub(super) struct Handler {
    server: String,
    say: Say,
    /// Whether the user was told that tools changed.
    told: AtomicBool,
}

impl Handler {
    pub(super) fn new(server: String, say: Say) -> Self {
        let told = AtomicBool::new(false);
        Self { server, say, told }
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("callsheet", env!("CARGO_PKG_VERSION")),
        )
    }

    /// Agents keep their tools: a changed list would change what they were granted.
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        if !self.told.swap(true, Ordering::Relaxed) {
            (self.say)(&format!(
                "the server `{}` changed its tools; agents keep those of its start until you restart Callsheet",
                self.server
            ));
        }
    }
}
