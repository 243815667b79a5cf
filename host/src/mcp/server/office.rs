//! The agents, and what they work with.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::{Peer, RoleServer};

use super::permitted::Permitted;
use crate::delegation::Settings;
use crate::{Catalog, Models, Result, Tools};

/// What a server needs to let agents work. Clients share it.
pub struct Office {
    catalog: Mutex<Catalog>,
    pub(super) models: Arc<dyn Models>,
    pub(super) tools: Arc<dyn Tools>,
    pub(super) settings: Settings,
    /// A word for the model that goes before the agents' own.
    pub(super) model: Option<String>,
    clients: Mutex<Vec<Peer<RoleServer>>>,
}

impl Office {
    /// Agents of this catalog with these models and tools. Nobody is asked: what the settings do not permit is refused.
    ///
    /// `model` goes before the models that the agents name.
    pub fn new(
        catalog: Catalog,
        models: Arc<dyn Models>,
        tools: Arc<dyn Tools>,
        settings: Settings,
        model: Option<String>,
    ) -> Self {
        Self {
            catalog: Mutex::new(catalog),
            models,
            tools: Arc::new(Permitted(tools)),
            settings,
            model,
            clients: Mutex::default(),
        }
    }

    /// Looks at the agents again, and tells the clients if there is anything else. What is under way goes on as it began.
    pub async fn refresh(&self) -> Result<()> {
        if self.catalog().refresh()?.is_empty() {
            return Ok(());
        }
        let clients = lock(&self.clients).clone();
        for client in clients {
            // One that went away is no longer told.
            let _ = client.notify_tool_list_changed().await;
        }
        Ok(())
    }

    pub(super) fn welcome(&self, client: Peer<RoleServer>) {
        let mut clients = lock(&self.clients);
        clients.retain(|client| !client.is_transport_closed());
        clients.push(client);
    }

    pub(super) fn catalog(&self) -> MutexGuard<'_, Catalog> {
        lock(&self.catalog)
    }
}

/// Whoever panicked left nothing half done: a catalog is replaced as a whole.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
