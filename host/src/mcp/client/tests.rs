//! Files with servers, and what is not started.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{ProjectServers, Server, Servers, ServersConfig, Transport, servers_of_file};
use crate::conversation::{CallError, ToolAnswer, ToolCall, ToolRequest};
use crate::{Caller, Tools as _};

const FILE: &str = r#"{"mcpServers": {
    "files": {"command": "npx", "args": ["-y", "server", "${ROOT:-.}"], "env": {"TOKEN": "${TOKEN}"}},
    "far": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}},
    "old": {"type": "sse", "url": "https://example.com/sse"},
    "odd": {"type": "carrier-pigeon", "url": "x"},
    "both": {"command": "a", "url": "b"},
    "none": {},
    "typed": {"command": 7}
}}"#;

#[test]
fn servers_are_read_from_a_file() {
    let (servers, problems) = servers_of_file(".mcp.json", FILE).unwrap();
    let names: Vec<&str> = servers.iter().map(|server| &*server.name).collect();
    assert_eq!(names, ["far", "files"]);
    assert_eq!(servers[1].deed(), "run `npx -y server ${ROOT:-.}` with TOKEN");
    assert_eq!(servers[0].deed(), "ask https://example.com/mcp");
    let of = |name: &str| {
        problems
            .iter()
            .filter(|problem| problem.contains(&format!("`{name}`")))
            .count()
    };
    assert_eq!(
        ["old", "odd", "both", "none", "typed"].map(of),
        [1; 5],
        "{problems:#?}"
    );
    assert!(servers_of_file("x", "7").unwrap_err().starts_with("x: "));
    assert!(servers_of_file("x", "{").is_err());
    assert_eq!(servers_of_file("x", "{}").unwrap().0, []);
}

#[test]
fn approval_covers_the_whole_definition() {
    let one = servers_of_file("a", FILE).unwrap().0;
    let other = servers_of_file("a", &FILE.replace("Bearer", "bearer").replace("-y", "-Y"))
        .unwrap()
        .0;
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one.definition(), one.clone().definition());
        assert_ne!(one.definition(), other.definition());
    }
}

/// The message, and a configuration that causes it.
fn config(servers: Vec<Server>) -> (ServersConfig, Arc<Mutex<Vec<String>>>) {
    let said = Arc::<Mutex<Vec<String>>>::default();
    let to = Arc::clone(&said);
    let say = Arc::new(move |text: &str| to.lock().unwrap().push(text.to_owned()));
    let mut config = ServersConfig::new(servers, ".", say);
    config.environment = Arc::new(|name| (name == "TOKEN").then(|| "s3cr3t-t0k3n".to_owned()));
    (config, said)
}

fn shell(script: &str) -> Server {
    Server {
        name: "shell".into(),
        source: ".mcp.json".into(),
        transport: Transport::Stdio {
            command: "sh".into(),
            args: vec!["-c".into(), script.into()],
            env: [("GIVEN".to_owned(), "${TOKEN}".to_owned())].into(),
        },
    }
}

#[tokio::test]
async fn unapproved_servers_are_not_started() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("ran");
    let (config, said) = config(vec![shell(&format!("touch {}", trace.display()))]);
    let servers = Servers::connect(config, &|_| false).await;
    assert!(servers.specs().is_empty() && !trace.exists());
    let said = said.lock().unwrap();
    assert!(
        said[0].starts_with(".mcp.json: the server `shell` is ignored"),
        "{said:?}"
    );
    assert!(!said[0].contains("s3cr3t"));
}

#[tokio::test]
async fn a_failed_start_is_reported_without_secrets() {
    // What it inherits is what it needs to run, and what it was given by name.
    let script = "echo \"oh no: $GIVEN ${CARGO_PKG_NAME-nothing}\" >&2; exit 3";
    let (config, said) = config(vec![shell(script)]);
    let servers = Servers::connect(config, &|_| true).await;
    assert!(servers.specs().is_empty());
    let said = said.lock().unwrap();
    assert!(
        said[0].contains("does not start") && said[0].ends_with("\n  oh no: *** nothing"),
        "{said:?}"
    );
}

#[tokio::test]
async fn a_missing_variable_is_reported() {
    let (mut config, said) = config(vec![shell("true")]);
    config.environment = Arc::new(|_| None);
    Servers::connect(config, &|_| true).await;
    assert!(said.lock().unwrap()[0].ends_with("the variable `TOKEN` is not set"));
}

/// A server that answers one call, and ends at the next.
const FRAIL: &str = include_str!("../../../tests/stub.sh");

fn request(name: &str, arguments: &str) -> ToolRequest {
    ToolRequest {
        agent: vec!["tester".into()],
        call: ToolCall {
            id: "1".into(),
            name: name.into(),
            arguments: arguments.into(),
        },
        permitted: true,
        workspace: None,
    }
}

async fn call(servers: &Servers, name: &str, arguments: &str) -> ToolAnswer {
    servers
        .call(&request(name, arguments), &Caller::default())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_server_that_exits_is_restarted_once() {
    let (config, said) = config(vec![shell(FRAIL)]);
    let servers = Servers::connect(config, &|_| true).await;
    let names: Vec<String> = servers.specs().into_iter().map(|spec| spec.name).collect();
    assert_eq!(
        names,
        ["mcp__shell__a_b", "mcp__shell__die", "mcp__shell__ring"],
        "{:?}",
        said.lock().unwrap()
    );
    assert!(said.lock().unwrap()[0].contains("`a/b` of the server `shell` is left out"));
    let alive = "alive\n[an image of type image/png, 3 bytes, which cannot be shown here]";
    assert_eq!(call(&servers, "mcp__shell__a_b", "{}").await.text, alive);
    let bad = call(&servers, "mcp__shell__a_b", "[1]").await;
    assert!(bad.is_error && bad.text.contains("not a JSON object"), "{bad:?}");
    for ends in [false, true] {
        let died = call(&servers, "mcp__shell__die", "").await;
        assert!(
            died.is_error && died.text.contains("failed during the call"),
            "{died:?}"
        );
        let next = call(&servers, "mcp__shell__a_b", "").await;
        assert_eq!(next.is_error, ends, "{next:?}");
    }
    servers.close().await;
}

/// A message that is too long is an immediate error, and the server continues.
#[tokio::test]
async fn a_result_that_is_too_long_is_an_error() {
    let long = r#"*'"die"'*) head -c 17000000 /dev/zero | tr '\0' x; echo ;;"#;
    let script = FRAIL.replace(r#"*'"die"'*) echo 'I am dying' >&2; exit 1 ;;"#, long);
    assert_ne!(script, FRAIL);
    let (config, said) = config(vec![shell(&script)]);
    let servers = Servers::connect(config, &|_| true).await;
    let answer = call(&servers, "mcp__shell__die", "{}").await;
    assert!(
        answer.is_error && answer.text.contains("more than 16 MB"),
        "{answer:?}: {:?}",
        said.lock().unwrap()
    );
    let alive = call(&servers, "mcp__shell__a_b", "{}").await;
    assert!(alive.text.starts_with("alive"), "{alive:?}");
    servers.close().await;
}

/// So is an answer that the library drops, but not a log on the same stream.
#[tokio::test]
async fn an_answer_that_cannot_be_read_is_an_error() {
    let answers = [
        (
            r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"\ud800x"}]}}"#,
            "hex escape",
        ),
        (r#"{"jsonrpc":"2.0","id":7,"result":{"content":"#, "EOF"),
        (r#"{"jsonrpc":"2.0","id":null,"result":{}}"#, "no valid id"),
        (r#"{"jsonrpc":"2.0","id":7}"#, "`result` and `error`"),
    ];
    for (sent, reason) in answers {
        let sends = format!("*'\"die\"'*) echo log; echo '{{\"level\":1'; printf '%s\\n' '{sent}' ;;");
        let script = FRAIL.replace(r#"*'"die"'*) echo 'I am dying' >&2; exit 1 ;;"#, &sends);
        assert_ne!(script, FRAIL);
        let (config, said) = config(vec![shell(&script)]);
        let servers = Servers::connect(config, &|_| true).await;
        let answer = call(&servers, "mcp__shell__die", "{}").await;
        assert!(
            answer.is_error && answer.text.contains("cannot be read") && answer.text.contains(reason),
            "{answer:?}: {:?}",
            said.lock().unwrap()
        );
        let alive = call(&servers, "mcp__shell__a_b", "{}").await;
        assert!(alive.text.starts_with("alive"), "{alive:?}");
        servers.close().await;
    }
}

/// The list of tools stays that of the start, and a change is reported once; an announcement without one is not.
#[tokio::test]
async fn changed_tools_are_reported() {
    let about =
        "the server `shell` changed its tools; agents keep those of its start until you restart Callsheet";
    for (new, expected) in [("bell", 1), ("ring", 0)] {
        let (config, said) = config(vec![shell(&announcing(new))]);
        let servers = Servers::connect(config, &|_| true).await;
        let count = || said.lock().unwrap().iter().filter(|text| *text == about).count();
        // Each call announces a change twice. The list is read beside the calls.
        for _ in 0..50 {
            assert!(!call(&servers, "mcp__shell__die", "{}").await.is_error);
        }
        servers.close().await;
        assert_eq!(count(), expected, "{:?}", said.lock().unwrap());
    }
}

/// The server, with a tool that renames `ring` and announces a change.
fn announcing(new: &str) -> String {
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let result = r#"{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}\n"#;
    let announce =
        format!(r#"*'"die"'*) NEW={new}; echo '{changed}'; echo '{changed}'; printf '{result}' "$id" ;;"#);
    let script = FRAIL.replace(r#"*'"die"'*) echo 'I am dying' >&2; exit 1 ;;"#, &announce);
    let script = script.replace(r#"{"name":"ring""#, r#"{"name":"'"$NEW"'""#);
    assert!(script.contains("NEW=") && script.contains("$NEW"));
    format!("NEW=ring\n{script}")
}

#[tokio::test]
async fn a_server_that_never_answers_times_out() {
    let silent = FRAIL.replace("echo 'I am dying' >&2; exit 1 ;;", "sleep 100000 ;;");
    assert_ne!(silent, FRAIL);
    for (script, starts) in [("while :; do sleep 100000; done", false), (&silent, true)] {
        let (mut config, said) = config(vec![shell(script)]);
        config.call_timeout = Duration::from_millis(300);
        if !starts {
            config.start_timeout = Duration::from_millis(300);
        }
        let servers = Servers::connect(config, &|_| true).await;
        assert_eq!(servers.specs().is_empty(), !starts, "{:?}", said.lock().unwrap());
        if starts {
            let answer = servers
                .call(&request("mcp__shell__die", "{}"), &Caller::default())
                .await;
            assert_eq!(answer, Err(CallError::TimedOut));
        }
        servers.close().await;
    }
}

#[test]
fn servers_end_with_their_client() {
    let folder = tempfile::tempdir().unwrap();
    let end = folder.path().join("ended");
    let (config, said) = config(vec![shell(&format!("{FRAIL}\ntouch {}", end.display()))]);
    let servers = Servers::start(config, &|_| true).unwrap();
    assert_eq!(servers.specs().len(), 3, "{:?}", said.lock().unwrap());
    let request = request("mcp__shell__a_b", "");
    // Whatever runs the call: the connection has threads of its own.
    let answer = futures_executor::block_on(servers.call(&request, &Caller::default())).unwrap();
    assert!(answer.text.starts_with("alive"));
    drop(servers);
    assert!(end.exists());
}

#[test]
fn servers_are_read_from_a_project() {
    let folder = tempfile::tempdir().unwrap();
    assert!(ProjectServers::read(folder.path()).unwrap().is_none());
    std::fs::write(folder.path().join(".mcp.json"), FILE).unwrap();
    let found = ProjectServers::read(folder.path()).unwrap().unwrap();
    assert_eq!((found.servers.len(), found.problems.len()), (2, 5));
    assert_eq!(found.contents, FILE.as_bytes());
    std::fs::write(folder.path().join(".mcp.json"), "{").unwrap();
    assert!(
        ProjectServers::read(folder.path())
            .unwrap_err()
            .starts_with(".mcp.json: ")
    );
}
