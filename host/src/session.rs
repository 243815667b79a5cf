//! A running delegation.

use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::bindings::exports::callsheet::agents::delegation::GuestSession;
use crate::conversation::{Message, Workspace};
use crate::delegation::{Bounds, Event, ModelChoice, Outcome, Outstanding, Reach, Reply, Usage};
use crate::lent::State;
use crate::sandbox::{Shared, lock};
use crate::{Error, Result};

/// A running delegation, kept until dropped. It uses the instance of the catalog that opened it.
///
/// Every call fails with [`Error::Trap`] if the component fails, and with [`Error::Lost`] if it failed before: only the last
/// [`snapshot`](Self::snapshot) remains then.
pub struct Session {
    sandbox: Shared,
    handle: ResourceAny,
    /// Its instance.
    instance: u64,
}

impl Session {
    pub(crate) fn new(sandbox: &Shared, handle: ResourceAny) -> Self {
        let instance = lock(sandbox).instance();
        Self {
            sandbox: Arc::clone(sandbox),
            handle,
            instance,
        }
    }

    /// All outstanding steps at `now`, in nanoseconds of the caller's clock, from number `from`.
    pub fn poll(&mut self, now: u64, from: u32) -> Result<Vec<Outstanding>> {
        self.call("polling a session", |session, store, handle| {
            session.call_poll(store, handle, now, from)
        })
    }

    /// Like [`poll`](Self::poll), but requests to models have no messages.
    pub fn poll_brief(&mut self, now: u64, from: u32) -> Result<Vec<Outstanding>> {
        self.call("polling a session", |session, store, handle| {
            session.call_poll_brief(store, handle, now, from)
        })
    }

    /// The messages of an agent from this one on, counted from 0. `run` is the number in its events.
    pub fn messages(&mut self, run: u32, from: u32) -> Result<Vec<Message>> {
        self.call("reading a conversation", |session, store, handle| {
            session.call_messages(store, handle, run, from)
        })
    }

    /// The files that the command of an outstanding tool call may change, and its network access. None if the step runs no command.
    pub fn reach(&mut self, id: u32) -> Result<Option<Reach>> {
        self.call("asking what a command may reach", |session, store, handle| {
            session.call_reach(store, handle, id)
        })
    }

    /// The workspaces of agents that have not ended, and the first agent's.
    pub fn workspaces(&mut self) -> Result<Vec<Workspace>> {
        self.call("asking for workspaces", |session, store, handle| {
            session.call_workspaces(store, handle)
        })
    }

    /// Answers one step.
    ///
    /// Fails with [`Error::Session`] if the step is not outstanding or needs another kind of answer, and after the end.
    pub fn reply(&mut self, id: u32, reply: &Reply, now: u64) -> Result<()> {
        self.call("replying to a session", |session, store, handle| {
            session.call_reply(store, handle, id, reply, now)
        })?
        .map_err(Error::Session)
    }

    /// Resumes a session that stopped at a limit or failed, with new limits and another model if given.
    ///
    /// Fails with [`Error::Session`] after an answer and after [`cancel`](Self::cancel).
    pub fn go_on(&mut self, bounds: Option<Bounds>, model: Option<&ModelChoice>) -> Result<()> {
        self.call("going on with a session", |session, store, handle| {
            session.call_go_on(store, handle, bounds, model)
        })?
        .map_err(Error::Session)
    }

    /// Sends the first agent another message of the user after its answer, and continues the session.
    ///
    /// Fails with [`Error::Session`] before there is an answer, and if the conversation was not kept.
    pub fn send(&mut self, message: &str) -> Result<()> {
        self.call("sending a message", |session, store, handle| {
            session.call_send(store, handle, message)
        })?
        .map_err(Error::Session)
    }

    /// Ends the session.
    pub fn cancel(&mut self) -> Result<()> {
        self.call("cancelling a session", |session, store, handle| {
            session.call_cancel(store, handle)
        })
    }

    /// How it ended; none while it runs.
    pub fn outcome(&mut self) -> Result<Option<Outcome>> {
        self.call("asking for an outcome", |session, store, handle| {
            session.call_outcome(store, handle)
        })
    }

    /// Its usage so far.
    pub fn usage(&mut self) -> Result<Usage> {
        self.call("asking for usage", |session, store, handle| {
            session.call_usage(store, handle)
        })
    }

    /// The events since the last call.
    pub fn events(&mut self) -> Result<Vec<Event>> {
        self.call("asking for events", |session, store, handle| {
            session.call_events(store, handle)
        })
    }

    /// The whole state, for [`Catalog::restore`](crate::Catalog::restore).
    pub fn snapshot(&mut self) -> Result<Vec<u8>> {
        self.call("putting a session away", |session, store, handle| {
            session.call_snapshot(store, handle)
        })
    }

    fn call<T>(
        &mut self,
        doing: &str,
        call: impl FnOnce(GuestSession<'_>, &mut Store<State>, ResourceAny) -> wasmtime::Result<T>,
    ) -> Result<T> {
        let mut sandbox = lock(&self.sandbox);
        if sandbox.instance() != self.instance {
            return Err(Error::Lost);
        }
        let handle = self.handle;
        sandbox.call(doing, |world, store| {
            call(world.callsheet_agents_delegation().session(), store, handle)
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let mut sandbox = lock(&self.sandbox);
        if sandbox.instance() == self.instance {
            let handle = self.handle;
            // A component that fails here is replaced at the next call.
            let _ = sandbox.call("ending a session", |_, store| handle.resource_drop(store));
        }
    }
}
