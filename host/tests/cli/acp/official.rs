//! The client of the protocol's official crate.

use std::process::Stdio;
use std::sync::{Arc, Mutex};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CloseSessionRequest, ContentBlock, InitializeRequest, LoadSessionRequest, NewSessionRequest,
    PermissionOptionKind, PromptRequest, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, SelectedPermissionOutcome, SessionNotification, SessionUpdate,
    SetSessionModeRequest, StopReason, TextContent,
};
use agent_client_protocol::{Agent, Client, Error, Lines, on_receive_notification, on_receive_request};
use callsheet::drive::block_on;
use futures_util::{sink, stream};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, Command};

use super::super::world::World;

/// The texts of a conversation, in order.
type Texts = Arc<Mutex<Vec<String>>>;

fn text(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        _ => String::new(),
    }
}

fn lines(
    child: &mut Child,
) -> Lines<
    impl futures_util::Sink<String, Error = std::io::Error> + Send + 'static,
    impl futures_util::Stream<Item = std::io::Result<String>> + Send + 'static,
> {
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let sent = sink::unfold(
        input.expect("it is piped"),
        |mut input, line: String| async move {
            input.write_all(format!("{line}\n").as_bytes()).await?;
            Ok(input)
        },
    );
    let output = BufReader::new(output.expect("it is piped")).lines();
    let received = stream::try_unfold(output, |mut output| async move {
        Ok(output.next_line().await?.map(|line| (line, output)))
    });
    Lines::new(Box::pin(sent), Box::pin(received))
}

fn allowed(request: &RequestPermissionRequest) -> RequestPermissionResponse {
    let mut options = request.options.iter();
    let option = options.find(|option| option.kind == PermissionOptionKind::AllowOnce);
    let chosen = SelectedPermissionOutcome::new(option.expect("an option").option_id.clone());
    RequestPermissionResponse::new(RequestPermissionOutcome::Selected(chosen))
}

async fn work(agent: ConnectionTo<Agent>, world: &World, texts: &Texts) -> Result<(), Error> {
    let project = world.at("").canonicalize().expect("the project");
    let about = agent.send_request(InitializeRequest::new(ProtocolVersion::V1));
    assert!(about.block_task().await?.agent_capabilities.load_session);
    let opened = agent.send_request(NewSessionRequest::new(project.clone()));
    let id = opened.block_task().await?.session_id;
    let mode = SetSessionModeRequest::new(id.clone(), "writer");
    agent.send_request(mode).block_task().await?;
    let message = vec![ContentBlock::Text(TextContent::new("One."))];
    let answered = agent.send_request(PromptRequest::new(id.clone(), message));
    assert_eq!(answered.block_task().await?.stop_reason, StopReason::EndTurn);
    assert_eq!(world.bytes("notes.txt"), b"one\n");
    agent
        .send_request(CloseSessionRequest::new(id.clone()))
        .block_task()
        .await?;
    let loaded = agent.send_request(LoadSessionRequest::new(id, project));
    let modes = loaded.block_task().await?.modes.expect("there are modes");
    assert_eq!(&*modes.current_mode_id.0, "writer");
    assert_eq!(*texts.lock().expect("whole"), ["Over.", "One.", "Over."]);
    Ok(())
}

#[test]
fn the_official_client_can_run_an_agent() {
    let (mut world, mut name) = (World::new(), "");
    let conversation = include_str!("allowed.acp");
    for part in conversation.split("\n== ").skip(1) {
        let contents;
        (name, contents) = part.split_once('\n').expect("a name");
        world = world.file(name, format!("{contents}\n"));
    }
    assert_eq!(name, "conversation");
    let command = world.callsheet(&["acp", "--as", "claude-code", "--model", "replay:replay.jsonl"]);
    let mut command = Command::from(command);
    command
        .args(["--confine", "off"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let texts = Texts::default();
    let heard = Arc::clone(&texts);
    let served = block_on(async {
        let mut child = command.spawn().expect("it starts");
        let transport = lines(&mut child);
        Client
            .v1()
            .on_receive_request(
                async move |request: RequestPermissionRequest, responder, _| {
                    responder.respond(allowed(&request))
                },
                on_receive_request!(),
            )
            .on_receive_notification(
                async move |it: SessionNotification, _| {
                    if let SessionUpdate::AgentMessageChunk(chunk) | SessionUpdate::UserMessageChunk(chunk) =
                        it.update
                    {
                        heard.lock().expect("whole").push(text(&chunk.content));
                    }
                    Ok(())
                },
                on_receive_notification!(),
            )
            .connect_with(transport, async |agent: ConnectionTo<Agent>| {
                work(agent, &world, &texts).await
            })
            .await?;
        Ok::<_, Error>(child.wait().await.expect("it ends").code())
    });
    assert_eq!(served.expect("a runtime").expect("no error"), Some(0));
}
