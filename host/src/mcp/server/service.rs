//! The service of one client.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};

use super::Office;
use super::gone::Gone;
use super::progress::{self, Progress};
use super::results::{answered, failure, outcome, result};
use super::tools::{Meaning, Offer};
use crate::delegation::{Bounds, Task};
use crate::drive::{Clock, Observer, Options, drive, give_up, is_over, obstacle};
use crate::{Result, Session};

const INSTRUCTIONS: &str = "Each agent of this project is a tool that does a task and answers when it is done. It knows nothing of \
                            your conversation: include everything that it needs.";

/// A session to run.
struct Begun {
    session: Session,
    options: Options,
}

/// One client's service.
#[derive(Clone)]
pub(super) struct Service {
    office: Arc<Office>,
    gone: Gone,
}

impl Service {
    pub(super) fn new(office: Arc<Office>, gone: Gone) -> Self {
        Self { office, gone }
    }

    fn offer(&self) -> Result<Offer, ErrorData> {
        let entries = self.office.catalog().entries(false);
        let entries = entries.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(Offer::new(&entries, self.office.shelf.is_some()))
    }

    /// A new session.
    fn begin(&self, agent: String, prompt: String) -> Result<Begun, String> {
        let office = &self.office;
        let saver = office
            .shelf
            .as_ref()
            .and_then(|shelf| shelf.begin(&agent, &prompt));
        let task = Task {
            agent,
            prompt,
            description: None,
            model: office.model.clone(),
        };
        let mut catalog = office.catalog();
        let settings = office.settings();
        let begun = catalog.session(&task, &office.tools.specs(), &settings);
        Ok(Begun {
            session: begun.map_err(|error| error.to_string())?,
            options: Options {
                deadline: settings.bounds.deadline,
                saver,
                repeatable: office.repeatable.clone(),
                ..Options::default()
            },
        })
    }

    /// A session with another message. What was interrupted before is given up.
    fn again(&self, id: &str, message: &str) -> Result<Begun, String> {
        let office = &self.office;
        let shelf = office.shelf.as_ref().ok_or("sessions are not saved here")?;
        let (mut saved, mut saver) = shelf.again(id)?;
        let restored = saved.restore(&mut office.catalog());
        let mut session = restored.map_err(|error| error.to_string())?;
        let limits = &mut saver.about.limits;
        let time = office.settings().bounds.deadline;
        limits.deadline = time.map(|time| saved.now.saturating_add(time));
        let (deadline, bounds) = (limits.deadline, Bounds::from(&*limits));
        let outcome = session.outcome().map_err(|error| error.to_string())?;
        if !is_over(outcome.as_ref()) {
            let given_up = give_up(&mut session, limits, std::mem::take(&mut saved.left), saved.now);
            if let Some(limit) = given_up.map_err(|error| error.to_string())? {
                return Err(limit);
            }
        }
        session
            .send(message)
            .and_then(|()| session.go_on(Some(bounds), None))
            .map_err(|error| error.to_string())?;
        Ok(Begun {
            session,
            options: Options {
                clock: Clock::at(saved.now),
                deadline,
                left: saved.left,
                spent: saved.spent,
                saver: Some(saver),
                repeatable: office.repeatable.clone(),
                ..Options::default()
            },
        })
    }

    async fn work(
        &self,
        begun: Result<Begun, String>,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let Begun { mut session, options } = match begun {
            Ok(begun) => begun,
            Err(reason) => return failure(reason),
        };
        let (office, clock) = (&self.office, options.clock);
        match obstacle(&mut session, &*office.models, clock.now()) {
            Ok(None) => {}
            Ok(Some(reason)) => return failure(reason),
            Err(error) => return failure(error.to_string()),
        }
        let (progress, heard) = Progress::new();
        let tell = |token| tokio::spawn(progress::tell(context.peer.clone(), token, heard));
        let telling = context.meta.get_progress_token().map(tell);
        let (models, tools) = (Arc::clone(&office.models), Arc::clone(&office.tools));
        let id = options.saver.as_ref().map(|saver| saver.id().to_owned());
        let mut observers: Vec<Arc<dyn Observer>> = vec![Arc::new(progress)];
        if let Some(collector) = &office.collector {
            observers.push(Arc::new(collector.session(id.as_deref())));
        }
        let ended = tokio::select! {
            ended = drive(&mut session, models, tools, options, Arc::new(observers)) => ended,
            // Dropping the work aborts it.
            () = context.ct.cancelled() => return outcome(None),
            () = self.gone.wait() => return outcome(None),
        };
        if let Some(telling) = telling {
            // Progress must precede its result.
            let _ = telling.await;
        }
        match ended {
            Ok(ended) => result(&ended, id.as_deref(), clock.now()),
            Err(error) => failure(error.to_string()),
        }
    }
}

impl ServerHandler for Service {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let ourselves = Implementation::new("callsheet", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(ourselves)
            .with_instructions(INSTRUCTIONS)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.office.welcome(context.peer);
    }

    /// Only the list of tools changes: the library derives the capabilities from this.
    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let sink = Arc::new(context.sink().clone());
        self.office.subscribe(&sink);
        context.cancelled().await;
        Ok(())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            self.offer()?.tools().cloned().collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let argument = |name: &str| {
            let arguments = request.arguments.as_ref();
            let text = arguments.and_then(|arguments| arguments.get(name)?.as_str());
            text.filter(|text| !text.trim().is_empty()).map(str::to_owned)
        };
        let missing = |name: &str| failure(format!("the argument `{name}` must be text that is not blank"));
        let result = match self.offer()?.meaning(&request.name) {
            None => {
                let message = format!("unknown tool `{}`", request.name);
                return Err(ErrorData::invalid_params(message, None));
            }
            Some(Meaning::List) => answered(self.office.list()),
            Some(Meaning::Check) => answered(self.office.check()),
            Some(Meaning::Why) => match argument("name") {
                Some(name) => answered(self.office.why(&name)),
                None => missing("name"),
            },
            Some(Meaning::Agent(agent)) => match argument("task") {
                Some(task) => self.work(self.begin(agent.clone(), task), &context).await,
                None => missing("task"),
            },
            Some(Meaning::Continue) => match (argument("session"), argument("message")) {
                (Some(session), Some(message)) => self.work(self.again(&session, &message), &context).await,
                (None, _) => missing("session"),
                (_, None) => missing("message"),
            },
        };
        Ok(CallToolResponse::Complete(result))
    }

    /// The library passes everything on that it does not recognize, such as calls with wrong parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match &*request.method {
            "tools/call" => ErrorData::invalid_params("`name` must be text, and `arguments` an object", None),
            method => ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("unknown method `{method}`"),
                None,
            ),
        })
    }
}
