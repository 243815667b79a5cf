//! The agents, and what they work with.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use rmcp::service::SubscriptionSink;
use rmcp::{Peer, RoleServer};

use super::permitted::Permitted;
use crate::delegation::Settings;
use crate::{Catalog, Models, Result, Tools};

/// What a server needs to let agents work. Clients share it.
pub struct Office {
    catalog: Mutex<Catalog>,
    pub(super) models: Arc<dyn Models>,
    pub(super) tools: Arc<dyn Tools>,
    settings: Mutex<Settings>,
    /// A word for the model that goes before the agents' own.
    pub(super) model: Option<String>,
    clients: Mutex<Vec<Client>>,
}

/// One who wants to know when there are other tools.
#[derive(Clone)]
enum Client {
    /// Who is told without asking, as until the protocol of 2025.
    Peer(Peer<RoleServer>),
    /// Who asked, as since that of 2026. Whoever listens holds it.
    Subscriber(Weak<SubscriptionSink>),
}

impl Client {
    fn is_gone(&self) -> bool {
        match self {
            Self::Peer(peer) => peer.is_transport_closed(),
            Self::Subscriber(sink) => sink.strong_count() == 0,
        }
    }

    async fn tell(&self) {
        // One that went away is no longer told.
        match self {
            Self::Peer(peer) => drop(peer.notify_tool_list_changed().await),
            Self::Subscriber(sink) => {
                if let Some(sink) = sink.upgrade() {
                    drop(sink.notify_tool_list_changed().await);
                }
            }
        }
    }
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
            settings: Mutex::new(settings),
            model,
            clients: Mutex::default(),
        }
    }

    /// Looks at the agents again, and tells the clients if there is anything else. What is under way goes on as it began. An
    /// agent that is another one now is not the one that the user trusted.
    pub async fn refresh(&self) -> Result<()> {
        let changes = self.catalog().refresh()?;
        if changes.is_empty() {
            return Ok(());
        }
        let is_as_it_was = |name: &String| changes.iter().all(|change| change.name != *name);
        lock(&self.settings).trusted.retain(is_as_it_was);
        let clients = lock(&self.clients).clone();
        for client in clients {
            client.tell().await;
        }
        Ok(())
    }

    pub(super) fn welcome(&self, client: Peer<RoleServer>) {
        self.add(Client::Peer(client));
    }

    pub(super) fn subscribe(&self, sink: &Arc<SubscriptionSink>) {
        self.add(Client::Subscriber(Arc::downgrade(sink)));
    }

    fn add(&self, client: Client) {
        let mut clients = lock(&self.clients);
        clients.retain(|client| !client.is_gone());
        clients.push(client);
    }

    pub(super) fn settings(&self) -> Settings {
        lock(&self.settings).clone()
    }

    pub(super) fn catalog(&self) -> MutexGuard<'_, Catalog> {
        lock(&self.catalog)
    }
}

/// Whoever panicked left nothing half done: a catalog is replaced as a whole.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
