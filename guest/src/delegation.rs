//! Exports `delegation`: sessions.

use std::cell::RefCell;

use callsheet_core::catalog::Catalog;
use callsheet_core::session;

use crate::bindings::exports::callsheet::agents::delegation::{
    Bounds, CatalogBorrow, Event, Guest, GuestSession, Isolation, Message, ModelChoice, Outcome, Outstanding,
    PermissionMode, Reach, Reply, Session, SessionError, Settings, Task, ToolSpec, Usage, Workspace,
};
use crate::catalogs::OpenCatalog;
use crate::{Component, conversation, dialects, sessions};

impl Guest for Component {
    type Session = OpenSession;

    fn default_settings(root: String, home: Option<String>) -> Settings {
        let settings = session::Settings::new(root, home);
        let bounds = settings.bounds;
        Settings {
            bounds: Bounds {
                depth: bounds.depth,
                turns: bounds.turns,
                total_turns: bounds.total_turns,
                children: bounds.children,
                parallel: bounds.parallel,
                tokens: bounds.tokens,
                cost: bounds.cost,
                context: bounds.context,
                deadline: bounds.deadline,
                result_bytes: bounds.result_bytes,
            },
            attenuate: settings.attenuate,
            mode: PermissionMode::Default,
            allow: settings.allow,
            trusted: settings.trusted,
            root: settings.root,
            isolation: Isolation::Unavailable(session::Isolation::UNSUPPORTED.to_owned()),
            surroundings: None,
            home: settings.home,
            base_prompt: settings.base_prompt,
            default_model: ModelChoice {
                provider: settings.default_model.provider,
                model: settings.default_model.model,
            },
            // The host adds modes and models.
            aliases: Vec::new(),
        }
    }

    fn server_reach(root: String) -> Reach {
        sessions::reach(callsheet_core::permission::Reach::of_server(root))
    }
}

/// A session that stays open.
pub(crate) struct OpenSession(RefCell<session::Session>);

/// How the core starts a session.
type Start = fn(
    &mut Catalog,
    &session::Task,
    Vec<session::ToolSpec>,
    session::Settings,
) -> Result<session::Session, session::SessionError>;

/// Starts a session over an open catalog.
pub(crate) fn open(
    from: CatalogBorrow<'_>,
    task: Task,
    tools: Vec<ToolSpec>,
    settings: Settings,
) -> Result<session::Session, SessionError> {
    start(session::Session::open, from, task, tools, settings)
}

fn start(
    start: Start,
    from: CatalogBorrow<'_>,
    task: Task,
    tools: Vec<ToolSpec>,
    settings: Settings,
) -> Result<session::Session, SessionError> {
    let mut catalog = from.get::<OpenCatalog>().0.borrow_mut();
    let opened = start(
        &mut catalog,
        &sessions::task(task),
        conversation::specs(tools),
        sessions::settings(settings),
    );
    opened.map_err(sessions::error)
}

impl OpenSession {
    fn resource(session: session::Session) -> Session {
        Session::new(Self(RefCell::new(session)))
    }
}

impl GuestSession for OpenSession {
    fn open(
        from: CatalogBorrow<'_>,
        task: Task,
        tools: Vec<ToolSpec>,
        settings: Settings,
    ) -> Result<Session, SessionError> {
        open(from, task, tools, settings).map(Self::resource)
    }

    fn open_baseline(
        from: CatalogBorrow<'_>,
        task: Task,
        tools: Vec<ToolSpec>,
        settings: Settings,
    ) -> Result<Session, SessionError> {
        start(session::Session::open_baseline, from, task, tools, settings).map(Self::resource)
    }

    fn poll(&self, now: u64, from: u32) -> Vec<Outstanding> {
        let steps = self.0.borrow_mut().poll(now, from);
        steps.into_iter().map(sessions::outstanding).collect()
    }

    fn poll_brief(&self, now: u64, from: u32) -> Vec<Outstanding> {
        let steps = self.0.borrow_mut().poll_brief(now, from);
        steps.into_iter().map(sessions::outstanding).collect()
    }

    fn messages(&self, run: u32, from: u32) -> Vec<Message> {
        conversation::messages(self.0.borrow().messages(run, from))
    }

    fn reach(&self, id: u32) -> Option<Reach> {
        self.0.borrow().reach(id).map(sessions::reach)
    }

    fn workspaces(&self) -> Vec<Workspace> {
        let workspaces = self.0.borrow().workspaces();
        workspaces.into_iter().map(conversation::workspace).collect()
    }

    fn reply(&self, id: u32, reply: Reply, now: u64) -> Result<(), SessionError> {
        let replied = self.0.borrow_mut().reply(id, sessions::reply(reply), now);
        replied.map_err(sessions::error)
    }

    fn go_on(&self, bounds: Option<Bounds>, model: Option<ModelChoice>) -> Result<(), SessionError> {
        let bounds = bounds.map(sessions::bounds);
        let gone_on = self.0.borrow_mut().go_on(bounds, model.map(sessions::model));
        gone_on.map_err(sessions::error)
    }

    fn send(&self, message: String) -> Result<(), SessionError> {
        self.0.borrow_mut().send(message).map_err(sessions::error)
    }

    fn cancel(&self) {
        self.0.borrow_mut().cancel();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.borrow().outcome().cloned().map(sessions::outcome)
    }

    fn usage(&self) -> Usage {
        sessions::usage(self.0.borrow().usage())
    }

    fn events(&self) -> Vec<Event> {
        let events = self.0.borrow_mut().events();
        events.into_iter().map(sessions::event).collect()
    }

    fn snapshot(&self) -> Vec<u8> {
        self.0.borrow().snapshot()
    }

    fn restore(snapshot: Vec<u8>) -> Result<Session, SessionError> {
        let restored = session::Session::restore(&dialects(), &snapshot);
        restored.map(Self::resource).map_err(sessions::error)
    }
}
