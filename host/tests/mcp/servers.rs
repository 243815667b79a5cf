//! Our client and servers that are not ours.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use callsheet::conversation::{CallError, ToolAnswer, ToolCall, ToolRequest};
use callsheet::mcp::{Server, Servers, ServersConfig, Transport, servers_of_file};
use callsheet::{Caller, Tools as _};
use tokio::io::{AsyncBufReadExt as _, BufReader};

/// Longer than any machine takes to answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Connected servers, and what was said about them.
async fn connect(server: Server, patience: Duration) -> (Servers, Arc<Mutex<Vec<String>>>) {
    let said = Arc::<Mutex<Vec<String>>>::default();
    let to = Arc::clone(&said);
    let say = Arc::new(move |text: &str| to.lock().expect("no thread panics").push(text.to_owned()));
    let mut config = ServersConfig::new(vec![server], ".", say);
    config.call_timeout = patience;
    (Servers::connect(config, &|_| true).await, said)
}

fn node(place: &Path, package: &str, arguments: &[&str]) -> Server {
    let program = place.join(format!(
        "node_modules/@modelcontextprotocol/{package}/dist/index.js"
    ));
    let program = program.to_string_lossy();
    let arguments = [&[&*program], arguments].concat();
    let file = serde_json::json!({"mcpServers": {package: {"command": "node", "args": arguments}}});
    let (servers, problems) = servers_of_file(".mcp.json", &file.to_string()).expect("it is one");
    assert_eq!(problems, [""; 0]);
    servers.into_iter().next().expect("it names one")
}

async fn call(servers: &Servers, name: &str, arguments: serde_json::Value) -> Result<ToolAnswer, CallError> {
    let request = ToolRequest {
        agent: vec!["tester".into()],
        call: ToolCall {
            id: "1".into(),
            name: name.into(),
            arguments: arguments.to_string(),
        },
        permitted: true,
        workspace: None,
    };
    servers.call(&request, &Caller::default()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_filesystem_server_can_be_used() {
    let Some(place) = super::installed() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    let root = folder.path().canonicalize().expect("it is there");
    std::fs::write(root.join("greeting.txt"), "hello\n").expect("a file");
    let server = node(
        &place,
        "server-filesystem",
        &[root.to_str().expect("it is UTF-8")],
    );
    let (servers, said) = connect(server, PATIENCE).await;
    let specs = servers.specs();
    let read = "mcp__server-filesystem__read_text_file";
    let spec = specs.iter().find(|spec| spec.name == read);
    let spec = spec.unwrap_or_else(|| panic!("{specs:?}, {said:?}"));
    let schema: serde_json::Value = serde_json::from_str(&spec.schema).expect("it is JSON");
    assert_eq!(schema["properties"]["path"]["type"], "string");
    assert!(!spec.description.is_empty());

    let path = |name: &str| serde_json::json!({"path": root.join(name)});
    let answer = call(&servers, read, path("greeting.txt"))
        .await
        .expect("it answers");
    assert_eq!((&*answer.text, answer.is_error), ("hello\n", false));
    let missing = call(&servers, read, path("nothing.txt"))
        .await
        .expect("it answers");
    assert!(
        missing.is_error && missing.text.contains("nothing.txt"),
        "{missing:?}"
    );
    let outside = serde_json::json!({"path": "/etc/passwd"});
    let outside = call(&servers, read, outside).await.expect("it answers");
    assert!(outside.is_error, "{outside:?}");
    let wrong = call(&servers, read, serde_json::json!({}))
        .await
        .expect("it answers");
    assert!(wrong.is_error, "{wrong:?}");
    servers.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_everything_server_works_over_standard_streams() {
    let Some(place) = super::installed() else { return };
    everything(&node(&place, "server-everything", &[])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_everything_server_works_over_http() {
    let Some(place) = super::installed() else { return };
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let port = port.expect("there is a port").port();
    let program = place.join("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    let mut child = tokio::process::Command::new("node")
        .arg(program)
        .arg("streamableHttp")
        .env("PORT", port.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("there is node");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    while let Some(line) = lines.next_line().await.expect("it is text") {
        if line.contains("listening") {
            break;
        }
    }
    let server = Server {
        name: "server-everything".into(),
        source: ".mcp.json".into(),
        transport: Transport::Http {
            url: format!("http://127.0.0.1:{port}/mcp"),
            headers: [("X-Test".to_owned(), "yes".to_owned())].into(),
        },
    };
    everything(&server).await;
}

async fn everything(server: &Server) {
    let (servers, said) = connect(server.clone(), PATIENCE).await;
    answers(&servers).await;
    servers.close().await;
    assert_eq!(*said.lock().expect("no thread panics"), [""; 0]);

    let (hurried, _) = connect(server.clone(), Duration::from_millis(100)).await;
    let late = call(&hurried, LONG, long()).await;
    assert!(matches!(late, Err(CallError::TimedOut)), "{late:?}");
    hurried.close().await;
}

/// A call that takes a minute.
const LONG: &str = "mcp__server-everything__trigger-long-running-operation";

fn long() -> serde_json::Value {
    serde_json::json!({"duration": 60, "steps": 60})
}

async fn answers(servers: &Servers) {
    let name = |tool: &str| format!("mcp__server-everything__{tool}");
    let arguments = serde_json::json!({"message": "hello"});
    let echo = call(servers, &name("echo"), arguments).await.expect("it answers");
    assert_eq!(echo.text, "Echo: hello");
    let image = call(servers, &name("get-tiny-image"), serde_json::json!({})).await;
    let image = image.expect("it answers").text;
    assert!(image.contains("[an image of type image/png, "), "{image}");
    let arguments = serde_json::json!({"location": "New York"});
    let structured = call(servers, &name("get-structured-content"), arguments)
        .await
        .expect("it answers");
    assert!(structured.text.contains("temperature"), "{structured:?}");

    // We gave up: the server continues.
    tokio::time::timeout(Duration::from_millis(200), call(servers, LONG, long()))
        .await
        .expect_err("it takes a minute");
    let arguments = serde_json::json!({"a": 2, "b": 3});
    let sum = call(servers, &name("get-sum"), arguments)
        .await
        .expect("it answers");
    assert!(sum.text.contains('5'), "{sum:?}");
}
