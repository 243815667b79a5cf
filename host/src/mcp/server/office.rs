//! The agents, and their models and tools.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use rmcp::service::SubscriptionSink;
use rmcp::{Peer, RoleServer};

use super::permitted::Permitted;
use super::shelf::Shelf;
use crate::delegation::Settings;
use crate::drive::{About, Sessions};
use crate::traces::Collector;
use crate::{Catalog, Models, Result, Tools, surroundings};

/// What a server needs to run agents. Clients share it.
pub struct Office {
    catalog: Mutex<Catalog>,
    pub(super) models: Arc<dyn Models>,
    pub(super) tools: Arc<dyn Tools>,
    settings: Mutex<Settings>,
    /// A model that overrides the agents' own.
    pub(super) model: Option<String>,
    /// The saved sessions; none if they are not saved.
    pub(super) shelf: Option<Shelf>,
    /// The collector of traces; none if there are none.
    pub(super) collector: Option<Arc<Collector>>,
    /// Each session is told what is so here at its start; none if the settings say it for all.
    place: Option<PathBuf>,
    /// Tools that may be called twice, so that no call of them is recorded before it is made.
    pub(super) repeatable: BTreeSet<String>,
    clients: Mutex<Vec<Client>>,
}

/// A client that wants to know about changed tools.
#[derive(Clone)]
enum Client {
    /// Notified without a subscription, in protocols until 2025.
    Peer(Peer<RoleServer>),
    /// Subscribed, in protocols since 2026. The subscription is held by the client's task.
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
        // Disconnected clients are not notified.
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
    /// Agents of this catalog with these models and tools. Calls that the settings do not allow are denied without asking.
    ///
    /// `model` overrides the models of the agents.
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
            shelf: None,
            collector: None,
            place: None,
            repeatable: BTreeSet::new(),
            clients: Mutex::default(),
        }
    }

    /// Tells each session what is so in this directory at its start.
    #[must_use]
    pub fn at(mut self, place: Option<PathBuf>) -> Self {
        self.place = place;
        self
    }

    /// Does not record calls of these tools before they are made, since they may be made twice.
    #[must_use]
    pub fn repeat(mut self, tools: BTreeSet<String>) -> Self {
        self.repeatable = tools;
        self
    }

    /// Saves sessions, with what all of them have, so that clients can send a message after an answer.
    #[must_use]
    pub fn keep(mut self, sessions: Sessions, about: About) -> Self {
        self.shelf = Some(Shelf::new(sessions, about));
        self
    }

    /// Sends a trace of each session to this collector.
    #[must_use]
    pub fn trace(mut self, collector: Arc<Collector>) -> Self {
        self.collector = Some(collector);
        self
    }

    /// Refreshes the agents, and notifies the clients of changes. Running work continues unchanged. A changed agent is no longer the one that
    /// the user trusted.
    pub async fn refresh(&self) -> Result<()> {
        {
            // Locked until trust is withdrawn: no session begins with a changed agent in between.
            let mut catalog = self.catalog();
            let changes = catalog.refresh()?;
            if changes.is_empty() {
                return Ok(());
            }
            let is_as_it_was = |name: &String| changes.iter().all(|change| change.name != *name);
            lock(&self.settings).trusted.retain(is_as_it_was);
        }
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
        let mut settings = lock(&self.settings).clone();
        if let Some(place) = &self.place {
            settings.surroundings = Some(surroundings(place));
        }
        settings
    }

    pub(super) fn catalog(&self) -> MutexGuard<'_, Catalog> {
        lock(&self.catalog)
    }
}

/// A poisoned lock is safe: a catalog is replaced as a whole.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
