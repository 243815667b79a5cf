//! Our server and clients that are not ours.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use callsheet::conversation::{ModelAnswer, ModelRequest, Role};
use callsheet::delegation::{Bounds, Isolation, ModelChoice, PermissionMode, Settings};
use callsheet::mcp::{Office, Way, serve};
use callsheet::tools::Joined;
use callsheet::{Answer, Callsheet, Completion, Heard, Models, drive};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt as _, ServiceExt as _};
use tempfile::TempDir;

const TOKEN: &str = "s3cr3t";

/// A project with two agents.
pub(super) struct Project(TempDir);

impl Project {
    pub(super) fn new() -> Self {
        let project = Self(tempfile::tempdir().expect("a directory"));
        std::fs::create_dir_all(project.agents()).expect("a directory");
        for (name, description) in [("reviewer", "Reviews code"), ("sleeper", "Never ends")] {
            let text = format!(
                "---\nname: {name}\ndescription: {description}\ntools: []\n---\nYou are the {name}.\n"
            );
            std::fs::write(project.agents().join(format!("{name}.md")), text).expect("a file");
        }
        project
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    fn agents(&self) -> PathBuf {
        self.0.path().join(".claude/agents")
    }

    fn callsheet(&self) -> Callsheet {
        let builder = Callsheet::builder().project(self.0.path().to_string_lossy());
        builder.without_home().check(true).build().expect("it is there")
    }
}

/// Answers at once, except to the sleeper, which gets no answer. Counts the calls given up.
#[derive(Default)]
pub(super) struct Script(Arc<AtomicUsize>);

struct GivenUp(Arc<AtomicUsize>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Models for Script {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        let sleeps = request.agent == ["sleeper"];
        let task = request
            .messages
            .iter()
            .rfind(|message| message.role == Role::User);
        let text = format!("done: {}", task.map(|message| &*message.text).unwrap_or_default());
        Box::pin(async move {
            if sleeps {
                let _given_up = GivenUp(Arc::clone(&self.0));
                std::future::pending::<()>().await;
            }
            Ok(Completion::from(ModelAnswer {
                text,
                calls: Vec::new(),
                input_tokens: 1,
                output_tokens: 1,
                cost: None,
            }))
        })
    }
}

fn settings(project: &Project) -> Settings {
    Settings {
        bounds: Bounds {
            depth: 3,
            turns: 10,
            total_turns: 10,
            children: 10,
            parallel: 10,
            tokens: None,
            cost: None,
            context: None,
            deadline: None,
            result_bytes: 10_000,
        },
        attenuate: false,
        mode: PermissionMode::Default,
        allow: Vec::new(),
        trusted: Vec::new(),
        root: project.0.path().to_string_lossy().into_owned(),
        isolation: Isolation::Unavailable(String::new()),
        home: None,
        surroundings: None,
        base_prompt: String::new(),
        default_model: ModelChoice {
            provider: None,
            model: "scripted".into(),
        },
        aliases: Vec::new(),
    }
}

/// Serves until the process ends, and says where.
pub(super) fn served(project: &Project, models: Script) -> String {
    served_as(project, "claude-code", models)
}

fn served_as(project: &Project, dialect: &str, models: Script) -> String {
    let catalog = project.callsheet().open(dialect);
    let catalog = catalog.expect("there is this dialect");
    let tools = Arc::new(Joined::new(Vec::new()));
    let office = Arc::new(Office::new(
        catalog,
        Arc::new(models),
        tools,
        settings(project),
        None,
    ));
    let follower = project.callsheet();
    let address = "127.0.0.1:0".parse().expect("it is one");
    let way = Way::Http {
        address,
        token: TOKEN.into(),
    };
    let (sender, said) = channel();
    std::thread::spawn(move || {
        let say = move |words: &str| drop(sender.send(words.to_owned()));
        drive::block_on(serve(office, follower, way, &say, Arc::default()))
    });
    let line = said.recv_timeout(Duration::from_secs(60)).expect("it listens");
    let url = line.split([' ', ';']).find(|word| word.starts_with("http://"));
    url.expect("it says where").to_owned()
}

#[test]
fn the_official_client_can_use_the_server() {
    let Some(place) = super::installed() else { return };
    let project = Project::new();
    let script = Script::default();
    let given_up = Arc::clone(&script.0);
    let url = served(&project, script);
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/mcp/client.mjs");
    let mut node = Command::new("node");
    let out = node
        .arg(client)
        .arg(url)
        .arg(project.agents())
        .arg(TOKEN)
        .env("CALLSHEET_MCP", place)
        .output();
    let out = out.expect("there is node");
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(String::from_utf8_lossy(&out.stdout), "all is well\n", "{err}");
    assert_eq!(
        given_up.load(Ordering::SeqCst),
        1,
        "a cancelled call ends the work"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_get_the_agents_that_models_may_choose() {
    let project = Project::new();
    let folder = project.path().join(".github/agents");
    std::fs::create_dir_all(&folder).expect("a directory");
    for (name, key) in [
        ("anyone", "infer: true"),
        ("manual", "disable-model-invocation: true"),
        ("inner", "user-invocable: false"),
    ] {
        let text = format!("---\ndescription: Helps\n{key}\n---\nHelp.\n");
        std::fs::write(folder.join(format!("{name}.agent.md")), text).expect("a file");
    }
    let url = served_as(&project, "copilot", Script::default());
    let config = StreamableHttpClientTransportConfig::with_uri(url).auth_header(TOKEN);
    let client = ().serve(StreamableHttpClientTransport::from_config(config)).await;
    let client = client.expect("it answers");
    let tools = client.list_all_tools().await.expect("it lists them");
    let agents: Vec<&str> = tools
        .iter()
        .map(|tool| &*tool.name)
        .filter(|name| !name.ends_with("_agents") && !name.ends_with("_agent"))
        .collect();
    assert!(
        agents.contains(&"anyone") && agents.contains(&"inner"),
        "{agents:?}"
    );
    assert!(!agents.contains(&"manual"), "{agents:?}");
}

pub(super) const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#;

/// The status of a server's answer to a request with these headers.
fn status(url: &str, headers: &[&str]) -> String {
    let mut start = [0; 12];
    let headers = [headers, &["Content-Type: application/json"]].concat();
    let mut stream = send(url, &headers, INITIALIZE.as_bytes());
    stream.read_exact(&mut start).expect("it answers");
    String::from_utf8_lossy(&start[9..]).into_owned()
}

pub(super) fn send(url: &str, headers: &[&str], body: &[u8]) -> std::net::TcpStream {
    let host = url.trim_start_matches("http://").trim_end_matches("/mcp");
    let mut stream = std::net::TcpStream::connect(host).expect("it listens");
    let mut given = headers.to_vec();
    let host = format!("Host: {host}");
    if !headers.iter().any(|header| header.starts_with("Host:")) {
        given.push(&host);
    }
    let request = format!(
        "POST /mcp HTTP/1.1\r\n{}\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n",
        given.join("\r\n"),
        body.len()
    );
    stream
        .write_all(&[request.as_bytes(), body].concat())
        .expect("it listens");
    stream
}

#[test]
fn invalid_messages_are_errors_of_json_rpc() {
    let project = Project::new();
    let url = served(&project, Script::default());
    for (kind, body, status) in [
        ("application/json", "{", "400"),
        ("application/json", "[1, 2", "400"),
        ("application/json; charset=utf-8", r#"{"jsonrpc": "1.0"}"#, "400"),
        ("text/plain", INITIALIZE, "415"),
    ] {
        let kind = format!("Content-Type: {kind}");
        let headers = ["Authorization: Bearer s3cr3t", "Connection: close", &kind];
        let mut answer = String::new();
        send(&url, &headers, body.as_bytes())
            .read_to_string(&mut answer)
            .expect("it is text");
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{body}: {answer}"
        );
        let is_error = answer.contains(r#""error":{"code":-32700,"#) && answer.contains("application/json");
        assert_eq!(is_error, status == "400", "{body}: {answer}");
    }
}

#[test]
fn requests_from_other_origins_are_refused() {
    let project = Project::new();
    let url = served(&project, Script::default());
    for foreign in [
        "Origin: https://example.com",
        "Origin: null",
        "Host: rebound.example.com",
    ] {
        assert_eq!(
            status(&url, &["Authorization: Bearer s3cr3t", foreign]),
            "403",
            "{foreign}"
        );
    }
    assert_eq!(status(&url, &[]), "401");
    assert_eq!(status(&url, &["Authorization: Bearer s3cr3T"]), "401");
    assert_eq!(status(&url, &["Authorization: Bearer "]), "401");
    assert_eq!(status(&url, &["Authorization: Bearer s3cr3t"]), "200");
}

#[test]
fn sessions_are_limited() {
    let project = Project::new();
    let url = served(&project, Script::default());
    let bearer = ["Authorization: Bearer s3cr3t"];
    for session in 0..100 {
        assert_eq!(status(&url, &bearer), "200", "{session}");
    }
    assert_eq!(status(&url, &bearer), "503");
}

/// What the inspector's command line says to a method.
fn inspect(place: &Path, project: &Project, arguments: &[&str]) -> serde_json::Value {
    let mut node = Command::new("node");
    node.arg(place.join("node_modules/.bin/inspector"))
        .args([
            "--cli",
            env!("CARGO_BIN_EXE_callsheet"),
            "mcp",
            "--as",
            "claude-code",
            "--home",
            "nobody",
        ])
        .args(arguments)
        .current_dir(project.0.path())
        .env("HOME", project.0.path());
    let out = node.output().expect("there is node");
    let text = String::from_utf8_lossy(&out.stdout);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}\n{}", String::from_utf8_lossy(&out.stderr)))
}

#[test]
fn the_inspector_can_use_the_server() {
    let Some(place) = super::installed() else { return };
    let project = Project::new();
    let tools = inspect(&place, &project, &["--method", "tools/list"]);
    let tools = tools["tools"].as_array().cloned().unwrap_or_default();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    for name in ["check_agents", "list_agents", "reviewer", "sleeper", "why_agent"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let call = [
        "--method",
        "tools/call",
        "--tool-name",
        "why_agent",
        "--tool-arg",
        "name=reviewer",
    ];
    let why = inspect(&place, &project, &call);
    let text = why["content"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains(".claude/agents/reviewer.md"), "{why}");
}

/// A client of the newest protocol, which is told only if it listens. It uses the same library as the server: no other one
/// speaks that protocol yet.
#[test]
fn listening_clients_are_notified() {
    use rmcp::model::{
        ClientCapabilities, ClientConfig, Implementation, ProtocolVersion, ServerNotification,
        SubscriptionFilter,
    };

    // The client below is not one that the library makes.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let project = Project::new();
    let url = served(&project, Script::default());
    let heard = drive::block_on(async {
        let ourselves = Implementation::new("a client", "1");
        let client = ClientConfig::new(ClientCapabilities::default(), ourselves);
        let newest = ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        };
        let config = StreamableHttpClientTransportConfig::with_uri(url).auth_header(TOKEN);
        let client = client
            .serve_with_lifecycle(StreamableHttpClientTransport::from_config(config), newest)
            .await
            .expect("it is served");
        let filter = SubscriptionFilter::builder()
            .tools_list_changed()
            .resources_list_changed()
            .build();
        let mut listening = client.listen(filter).await.expect("it may listen");
        let accepted = SubscriptionFilter::builder().tools_list_changed().build();
        assert_eq!(*listening.acknowledged(), accepted, "resources are not offered");
        let late = "---\nname: late\ndescription: Comes late\n---\nBe late.\n";
        std::fs::write(project.agents().join("late.md"), late).expect("a file");
        let next = tokio::time::timeout(Duration::from_secs(60), listening.next()).await;
        let tools = client.list_all_tools().await.expect("it lists them");
        assert!(tools.iter().any(|tool| tool.name == "late"));
        next.expect("it is notified").expect("it is served")
    });
    let heard = heard.expect("there are threads");
    assert!(
        matches!(heard, Some(ServerNotification::ToolListChangedNotification(_))),
        "{heard:?}"
    );
}
