//! Servers that break the protocol, and our client.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use callsheet::conversation::{CallError, ToolAnswer, ToolCall, ToolRequest};
use callsheet::drive::block_on;
use callsheet::mcp::{Server, Servers, ServersConfig, Transport};
use callsheet::{Caller, Tools as _};
use proptest::collection::vec;
use proptest::prelude::{prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::{Just, Strategy};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{config, message};

const SEEDS: &str = include_str!("server.jsonl");

/// Ends a test that hangs, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// It first prints the file of the number of the call, if there is one.
fn noisy() -> String {
    let stub = include_str!("../../stub.sh");
    let noise = r#"*tools/call*) calls=$((calls+1)); cat "$calls" 2>/dev/null; printf"#;
    let script = stub.replace("*tools/call*) printf", noise);
    assert_ne!(script, stub);
    script
}

fn stdio(folder: &Path, script: &str) -> ServersConfig {
    let transport = Transport::Stdio {
        command: "sh".into(),
        args: vec!["-c".into(), script.into()],
        env: [("SECRET".to_owned(), "s3cr3t-t0k3n".to_owned())].into(),
    };
    settings(folder, transport)
}

fn settings(folder: &Path, transport: Transport) -> ServersConfig {
    let server = Server {
        name: "h".into(),
        source: ".mcp.json".into(),
        transport,
    };
    let mut config = ServersConfig::new(vec![server], folder, Arc::new(|_| {}));
    config.start_timeout = PATIENCE;
    config.call_timeout = PATIENCE;
    config
}

/// What is reported.
fn heard(config: &mut ServersConfig) -> Arc<Mutex<Vec<String>>> {
    let said = Arc::<Mutex<Vec<String>>>::default();
    let to = Arc::clone(&said);
    config.say = Arc::new(move |text| to.lock().expect("no thread panics").push(text.to_owned()));
    said
}

async fn call(servers: &Servers, name: &str) -> Result<ToolAnswer, CallError> {
    let request = ToolRequest {
        agent: vec!["tester".into()],
        call: ToolCall {
            id: "1".into(),
            name: name.into(),
            arguments: "{}".into(),
        },
        permitted: true,
        workspace: None,
    };
    servers.call(&request, &Caller::default()).await
}

const CALLED: &str = "mcp__h__a_b";

fn folder(files: &[Vec<Vec<u8>>]) -> TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    for (number, lines) in files.iter().enumerate() {
        let mut text = lines.join(&b'\n');
        text.push(b'\n');
        std::fs::write(folder.path().join((number + 1).to_string()), text).expect("a file");
    }
    folder
}

/// Calls with noise before their answers; the result of one without.
fn after_noise(files: &[Vec<Vec<u8>>]) -> String {
    let folder = folder(files);
    let config = stdio(folder.path(), &noisy());
    let answer = block_on(async {
        let servers = Servers::connect(config, &|_| true).await;
        for _ in files {
            call(&servers, CALLED).await.expect("it is answered");
        }
        let answer = call(&servers, CALLED).await.expect("it is answered");
        servers.close().await;
        answer.text
    });
    answer.expect("there are threads")
}

#[test]
fn lines_of_servers_are_survived() {
    let lines = SEEDS.lines().map(|line| line.as_bytes().to_vec());
    let mut lines: Vec<Vec<u8>> = lines.collect();
    lines.extend([
        vec![b'['; 100_000],
        b"\xff\xfe".to_vec(),
        b"\0".to_vec(),
        Vec::new(),
    ]);
    let once: Vec<_> = lines.iter().map(|line| vec![line.clone()]).collect();
    let often: Vec<_> = lines.iter().map(|line| vec![line.clone(); 500]).collect();
    for files in [once, often] {
        assert!(after_noise(&files).starts_with("alive\n"));
    }
}

proptest! {
    #![proptest_config(config(32))]

    #[test]
    fn invalid_messages_of_servers_are_survived(files in vec(vec(message(SEEDS), 1..20), 1..6)) {
        prop_assert!(after_noise(&files).starts_with("alive\n"));
    }

    /// Such a start fails with a reason, or the server can be called.
    #[test]
    fn invalid_starts_of_servers_are_survived(noise in vec(message(SEEDS), 1..20)) {
        let folder = folder(&[noise]);
        let mut config = stdio(folder.path(), &format!("cat 1\n{}", include_str!("../../stub.sh")));
        let said = heard(&mut config);
        block_on(async {
            let servers = Servers::connect(config, &|_| true).await;
            if let Some(tool) = servers.specs().first() {
                call(&servers, &tool.name).await.expect("it is answered");
            } else {
                assert!(!said.lock().expect("no thread panics").is_empty());
            }
            servers.close().await;
        }).expect("there are threads");
    }

    /// The call after such an answer has its own.
    #[test]
    fn invalid_answers_over_http_are_survived(answer in answer()) {
        let config = settings(Path::new("."), Transport::Http { url: served(answer), headers: [].into() });
        let text = block_on(async {
            let servers = Servers::connect(config, &|_| true).await;
            // Some answer to nothing.
            let _ = tokio::time::timeout(Duration::from_millis(200), call(&servers, "mcp__h__t")).await;
            let answer = call(&servers, "mcp__h__t").await.expect("it is answered");
            servers.close().await;
            answer.text
        }).expect("there are threads");
        prop_assert_eq!(text, "alive");
    }
}

/// An answer of HTTP: the status and headers, and the body.
type Answer = (String, Vec<u8>);

fn answer() -> impl Strategy<Value = Answer> {
    let status = prop_oneof![4 => Just("200 OK"), 1 => Just("202 Accepted"), 1 => Just("404 Not Found"), 1 => Just("500 No")];
    let stream = vec(message(SEEDS), 0..9).prop_map(|messages| {
        let events = messages
            .into_iter()
            .flat_map(|message| [&b"id: 1\ndata: "[..], &message, b"\n\n"].concat());
        ("text/event-stream", events.collect())
    });
    let json = message(SEEDS).prop_map(|message| ("application/json", message));
    let other = message(SEEDS).prop_map(|message| ("text/html", message));
    let body = prop_oneof![4 => stream, 4 => json, 1 => other];
    (status, body).prop_map(|(status, (kind, body))| (format!("{status}\r\nContent-Type: {kind}"), body))
}

/// The address of a server that gives this answer to the first call. It ends with the process.
fn served(first: Answer) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it has one");
    let mut first = Some(first);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a client");
            let (head, body) = answered(&request(&stream), &mut first);
            let length = body.len();
            let head = format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            // The client may have given up.
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
        }
    });
    format!("http://{address}/mcp")
}

fn answered(request: &Value, first: &mut Option<Answer>) -> Answer {
    let ok = "200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: 1";
    let result = match request["method"].as_str() {
        Some("initialize") => json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
            "serverInfo": {"name": "stub", "version": "1"}}),
        Some("tools/list") => json!({"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}),
        Some("tools/call") if first.is_some() => return first.take().unwrap_or_default(),
        Some("tools/call") => json!({"content": [{"type": "text", "text": "alive"}]}),
        Some(_) => return ("202 Accepted".into(), Vec::new()),
        None => return ("405 Method Not Allowed".into(), Vec::new()),
    };
    let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
    (ok.into(), answer.to_string().into_bytes())
}

/// The message of a request; null if it has none.
fn request(stream: &TcpStream) -> Value {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        let read = reader.read_line(&mut line).unwrap_or_default();
        if read == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(given) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = given.trim().parse().unwrap_or_default();
        }
    }
    let mut body = vec![0; length];
    let _ = reader.read_exact(&mut body);
    serde_json::from_slice(&body).unwrap_or_default()
}

/// A list without an end is refused, and so is one that is too long to be used.
#[test]
fn endless_lists_are_refused() {
    let about = "x".repeat(100_000);
    for (tools, cursor, reason) in [
        (String::new(), true, "its list of tools has more than 1000 pages"),
        (tool("t", "").repeat(999), true, "it has more than 1000 tools"),
        (tool("t", "").repeat(1001), false, "it has more than 1000 tools"),
        (
            tool("t", &about).repeat(50),
            false,
            "its tools are defined by more than 4 MB",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a directory");
        let tools = tools.trim_end_matches(',');
        let end = if cursor { r#","nextCursor":"again""# } else { "" };
        let page = format!(r#""result":{{"tools":[{tools}]{end}}}}}"#) + "\n";
        std::fs::write(folder.path().join("page"), page).expect("a file");
        let stub = include_str!("../../stub.sh");
        let script = stub.replace(
            "*tools/list*)",
            r#"*tools/list*) printf '{"jsonrpc":"2.0","id":%s,' "$id"; cat page ;; -)"#,
        );
        let mut config = stdio(folder.path(), &script);
        let said = heard(&mut config);
        let servers = block_on(Servers::connect(config, &|_| true)).expect("there are threads");
        assert!(servers.specs().is_empty());
        let said = said.lock().expect("no thread panics").join("\n");
        assert_eq!(
            said,
            format!(".mcp.json: the server `h` does not start: {reason}")
        );
    }
}

fn tool(name: &str, description: &str) -> String {
    let tool = json!({"name": name, "description": description, "inputSchema": {"type": "object"}});
    format!("{tool},")
}

/// Neither an error nor the reason of a failure has secrets of the definition, or quotes the server at length.
#[test]
fn errors_of_servers_are_shortened_without_secrets() {
    let stub = include_str!("../../stub.sh");
    let error = r#"*'"ring"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":"no %s"}}\n' "$id" "$SECRET" ;;"#;
    let ring = stub
        .lines()
        .find(|line| line.contains("\"ring\"'"))
        .expect("it rings");
    let folder = tempfile::tempdir().expect("a directory");
    let config = stdio(folder.path(), &stub.replace(ring, error));
    let answer = block_on(async {
        let servers = Servers::connect(config, &|_| true).await;
        let answer = call(&servers, "mcp__h__ring").await.expect("it is answered");
        servers.close().await;
        answer
    });
    let expected = ToolAnswer {
        text: "no ***".into(),
        is_error: true,
    };
    assert_eq!(answer.expect("there are threads"), expected);

    let start = r#"read -r line; x=$(head -c 100000 /dev/zero | tr '\0' x)
        printf '{"jsonrpc":"2.0","id":0,"result":{"%s":"%s"}}\n' "$SECRET" "$x""#;
    let mut config = stdio(folder.path(), start);
    let said = heard(&mut config);
    block_on(Servers::connect(config, &|_| true)).expect("there are threads");
    let said = said.lock().expect("no thread panics").join("\n");
    assert!(
        said.contains("***") && !said.contains("s3cr3t") && said.len() < 2000,
        "{said}"
    );
}
