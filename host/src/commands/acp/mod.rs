//! `acp`: runs agents in an editor that speaks the Agent Client Protocol.
//!
//! A thread of its own serves each conversation, so that they do not wait for each other.

mod agents;
mod calls;
mod desk;
mod desks;
mod errors;
mod history;
mod question;
mod screen;
mod shown;
mod start;
mod unsaved;
mod words;

use std::io;
use std::sync::Arc;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::{
    AgentCapabilities, AuthMethod, AuthMethodAgent, AuthenticateRequest, AuthenticateResponse,
    CancelNotification, CloseSessionRequest, DeleteSessionRequest, Implementation, InitializeRequest,
    InitializeResponse, ListSessionsRequest, LoadSessionRequest, McpCapabilities, NewSessionRequest,
    PromptCapabilities, PromptRequest, ResumeSessionRequest, SessionCapabilities, SessionCloseCapabilities,
    SessionDeleteCapabilities, SessionListCapabilities, SessionResumeCapabilities, SetSessionModeRequest,
};
use agent_client_protocol::{Agent, Lines, on_receive_notification, on_receive_request};
use callsheet::drive::{self, Interrupts};
use callsheet::processes::Ending;
use futures_util::{sink, stream};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

use self::desks::Desks;
use self::start::Start;
use super::context::Context;
use super::work;
use crate::cli;
use crate::exit::{Exit, Failure};

/// The longest message, in bytes: files that an editor attaches are far smaller.
const LONGEST: u64 = 64 << 20;

pub(super) fn run(context: &mut Context, command: cli::Acp) -> Result<Exit, Failure> {
    work::serves_many(&command.work)?;
    if command.work.no_save {
        return Err(Failure::trouble("conversations with an editor are always saved"));
    }
    if command.work.record.is_some() {
        let failure = Failure::trouble("`--record` is for one session, but an editor has many");
        return Err(failure.help("`callsheet run --record` makes a recording"));
    }
    let ending = Ending::watch();
    let _guard = ending.guard();
    let interrupts = Interrupts::listen(ending.clone())?;
    context.pause()?;
    let collector = work::watch::collector(&command.work)?;
    let desks = Arc::new(Desks::new(
        context.options.clone(),
        command.work,
        collector.clone(),
    ));
    let served = drive::block_on(async {
        let stop = interrupts.stop();
        tokio::select! {
            served = serve(Arc::clone(&desks)) => served,
            () = stop.notified() => Ok(()),
        }
    })?;
    // Conversations are saved before their processes end.
    desks.close();
    ending.end_soon();
    if let Some(collector) = collector {
        work::watch::finish(&collector, |words| context.remark(words));
    }
    served.map_err(|error| {
        Failure::trouble(format!("the editor's messages cannot be read: {}", error.message))
    })?;
    Ok(Exit::Clean)
}

/// Serves until the editor closes the connection.
async fn serve(desks: Arc<Desks>) -> agent_client_protocol::Result<()> {
    let each = || Arc::clone(&desks);
    let (meet, new, load, resume) = (each(), each(), each(), each());
    let (prompt, mode, cancel) = (each(), each(), each());
    let (list, close, delete) = (each(), each(), each());
    Agent
        .v1()
        .name("callsheet")
        .on_receive_request(
            async move |request: InitializeRequest, responder, _| {
                meet.meet(&request.client_capabilities);
                responder.respond(initialized())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |_: AuthenticateRequest, responder, _| responder.respond(AuthenticateResponse::new()),
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: NewSessionRequest, responder, editor| {
                new.start(Start::New(request, responder), editor);
                Ok(())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: LoadSessionRequest, responder, editor| {
                load.start(Start::Load(request, responder), editor);
                Ok(())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ResumeSessionRequest, responder, editor| {
                resume.start(Start::Resume(request, responder), editor);
                Ok(())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, _| prompt.prompt(request, responder),
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: SetSessionModeRequest, responder, _| {
                responder.respond_with_result(mode.choose(&request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ListSessionsRequest, responder, _| {
                responder.respond_with_result(list.list(&request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CloseSessionRequest, responder, _| {
                responder.respond_with_result(close.leave(&request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: DeleteSessionRequest, responder, _| delete.delete(request, responder),
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |notification: CancelNotification, _| {
                cancel.cancel(&notification.session_id);
                Ok(())
            },
            on_receive_notification!(),
        )
        .connect_to(lines())
        .await
}

fn initialized() -> InitializeResponse {
    let sessions = SessionCapabilities::new()
        .list(SessionListCapabilities::new())
        .resume(SessionResumeCapabilities::new())
        .close(SessionCloseCapabilities::new())
        .delete(SessionDeleteCapabilities::new());
    let capabilities = AgentCapabilities::new()
        .load_session(true)
        .prompt_capabilities(PromptCapabilities::new().embedded_context(true))
        .mcp_capabilities(McpCapabilities::new().http(true))
        .session_capabilities(sessions);
    let keys = AuthMethodAgent::new("environment", "API keys in environment variables").description(
        "`callsheet doctor` shows which models are configured, and which variables they need".to_owned(),
    );
    InitializeResponse::new(ProtocolVersion::V1)
        .agent_info(Implementation::new("callsheet", env!("CARGO_PKG_VERSION")).title("Callsheet".to_owned()))
        .agent_capabilities(capabilities)
        .auth_methods(vec![AuthMethod::Agent(keys)])
}

/// Standard input and output, a message on each line.
fn lines() -> Lines<
    impl futures_util::Sink<String, Error = io::Error> + Send + 'static,
    impl futures_util::Stream<Item = io::Result<String>> + Send + 'static,
> {
    let outgoing = sink::unfold(tokio::io::stdout(), |mut out, line: String| async move {
        out.write_all(line.as_bytes()).await?;
        out.write_all(b"\n").await?;
        out.flush().await?;
        Ok(out)
    });
    let incoming = stream::try_unfold(BufReader::new(tokio::io::stdin()), |mut input| async move {
        let mut line = Vec::new();
        let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line).await?;
        if read as u64 == LONGEST {
            return Err(io::Error::other(format!(
                "a message is longer than {} MB",
                LONGEST >> 20
            )));
        }
        let line = String::from_utf8(line).map_err(|_| io::Error::other("a message is not UTF-8"))?;
        Ok((read > 0).then_some((line, input)))
    });
    Lines::new(Box::pin(outgoing), Box::pin(incoming))
}
