//! Traces for a collector of OpenTelemetry.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::json;

use super::spent::{RUN, world};

/// A collector for one program.
struct Collector {
    address: String,
    listener: TcpListener,
    thread: thread::JoinHandle<Vec<Request>>,
}

/// A head, and a body.
type Request = (String, Vec<u8>);

impl Collector {
    /// One that answers with this status.
    fn start(status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = listener.local_addr().expect("it has an address");
        let accepting = listener.try_clone().expect("it can be shared");
        let thread = thread::spawn(move || {
            let mut requests = Vec::new();
            for stream in accepting.incoming() {
                let mut stream = stream.expect("a connection");
                let Some(request) = read(&mut stream) else { break };
                requests.push(request);
                let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                stream.write_all(answer.as_bytes()).expect("it is read");
            }
            requests
        });
        Self {
            address: format!("http://{address}"),
            listener,
            thread,
        }
    }

    /// What it got.
    fn end(self) -> Vec<Request> {
        drop(TcpStream::connect(
            self.listener.local_addr().expect("it has an address"),
        ));
        self.thread.join().expect("it ends")
    }
}

/// A request; none if the connection has none, which ends the collector.
fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).expect("it is text") == 0 {
            return None;
        }
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))?;
    let mut body = vec![0; length.parse().expect("it is a number")];
    reader.read_exact(&mut body).expect("it is complete");
    Some((head, body))
}

/// The messages of a run with these variables, and what a collector got.
fn collected(variables: &[(&str, &str)]) -> (String, Vec<Request>) {
    let collector = Collector::start("200 OK");
    let world = world();
    let mut command = world.callsheet(&[&RUN[..], &["--otlp", &collector.address]].concat());
    let run = command.envs(variables.iter().copied()).output().expect("it runs");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(0), "{said}");
    (said, collector.end())
}

fn requests(bodies: &[Request]) -> Vec<ExportTraceServiceRequest> {
    let decode = |(_, body): &Request| ExportTraceServiceRequest::decode(&**body).expect("it is valid");
    bodies.iter().map(decode).collect()
}

fn spans(bodies: &[Request]) -> Vec<Span> {
    let resources = requests(bodies)
        .into_iter()
        .flat_map(|request| request.resource_spans);
    let scopes = resources.flat_map(|resource| resource.scope_spans);
    scopes.flat_map(|scope| scope.spans).collect()
}

fn shown(value: &KeyValue) -> String {
    let said = match &value.value {
        Some(AnyValue {
            value: Some(Value::StringValue(text)),
        }) => text.clone(),
        Some(AnyValue {
            value: Some(Value::IntValue(number)),
        }) => number.to_string(),
        other => format!("{other:?}"),
    };
    format!("{}={said}", value.key)
}

/// The spans as a tree, in the order of their begin.
fn tree(spans: &[Span]) -> String {
    fn below(parent: &[u8], by: &BTreeMap<&[u8], Vec<&Span>>, depth: usize, out: &mut String) {
        for span in by.get(parent).into_iter().flatten() {
            let mut about: Vec<String> = span.attributes.iter().map(shown).collect();
            about.retain(|one| {
                !one.starts_with("gen_ai.conversation.id=") && !one.starts_with("gen_ai.operation.name=")
            });
            about.sort();
            let line = format!("{:1$}{2} {3}", "", depth * 2, span.name, about.join(" "));
            out.push_str(line.trim_end());
            out.push('\n');
            below(&span.span_id, by, depth + 1, out);
        }
    }
    let known: Vec<&[u8]> = spans.iter().map(|span| &*span.span_id).collect();
    let mut sorted: Vec<&Span> = spans.iter().collect();
    sorted.sort_by_key(|span| span.start_time_unix_nano);
    let mut by: BTreeMap<&[u8], Vec<&Span>> = BTreeMap::new();
    for span in sorted {
        let parent: &[u8] = if known.contains(&&*span.parent_span_id) {
            &span.parent_span_id
        } else {
            &[]
        };
        by.entry(parent).or_default().push(span);
    }
    let mut out = String::new();
    below(&[], &by, 0, &mut out);
    out
}

#[test]
fn a_session_is_a_tree_of_spans() {
    let (_, bodies) = collected(&[]);
    let expected = "\
invoke_agent lead gen_ai.agent.name=lead
  chat replay.jsonl gen_ai.provider.name=replay gen_ai.request.model=replay.jsonl gen_ai.usage.input_tokens=2000 gen_ai.usage.output_tokens=10
  invoke_agent reader gen_ai.agent.name=reader
    chat sonnet gen_ai.request.model=sonnet gen_ai.usage.input_tokens=400 gen_ai.usage.output_tokens=1
  execute_tool Agent gen_ai.tool.call.id=1 gen_ai.tool.name=Agent gen_ai.tool.type=function
  chat replay.jsonl gen_ai.provider.name=replay gen_ai.request.model=replay.jsonl gen_ai.usage.input_tokens=2100 gen_ai.usage.output_tokens=20
";
    let spans = spans(&bodies);
    assert_eq!(tree(&spans), expected);
    for span in &spans {
        assert!(span.start_time_unix_nano <= span.end_time_unix_nano, "{span:?}");
        assert!(
            span.attributes
                .iter()
                .any(|one| one.key == "gen_ai.conversation.id"),
            "{span:?}"
        );
        assert_eq!(span.trace_id, spans[0].trace_id);
    }
    let (head, _) = &bodies[0];
    assert!(head.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{head}");
    assert!(
        head.contains("content-type: application/x-protobuf\r\n"),
        "{head}"
    );
}

#[test]
fn texts_are_not_sent() {
    let (_, bodies) = collected(&[]);
    for (_, body) in &bodies {
        for text in ["Go.", "Count", "Three.", "There are three.", "Lead.", "Read."] {
            let is_there = body.windows(text.len()).any(|part| part == text.as_bytes());
            assert!(!is_there, "{text}");
        }
    }
}

#[test]
fn the_usual_variables_are_read() {
    let variables = [
        ("OTEL_SERVICE_NAME", "reviews"),
        ("OTEL_RESOURCE_ATTRIBUTES", "team=a,service.name=other"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "api-key=secret"),
        (
            "TRACEPARENT",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ),
    ];
    let (said, bodies) = collected(&variables);
    assert!(!said.contains("secret"), "{said}");
    assert!(bodies[0].0.contains("api-key: secret\r\n"), "{}", bodies[0].0);
    let resource = requests(&bodies)[0].resource_spans[0]
        .resource
        .clone()
        .expect("it has one");
    let mut about: Vec<String> = resource.attributes.iter().map(shown).collect();
    about.sort();
    assert_eq!(
        about,
        [
            "service.name=reviews",
            concat!("service.version=", env!("CARGO_PKG_VERSION")),
            "team=a"
        ]
    );
    let spans = spans(&bodies);
    let root = spans
        .iter()
        .find(|span| span.name == "invoke_agent lead")
        .expect("it is there");
    assert_eq!(
        root.parent_span_id,
        [0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7]
    );
    assert_eq!(root.trace_id[..4], [0x4b, 0xf9, 0x2f, 0x35]);
}

/// A wrong value of a variable is ignored, as everywhere.
#[test]
fn a_wrong_parent_is_ignored() {
    let (_, bodies) = collected(&[("TRACEPARENT", "00-none")]);
    let spans = spans(&bodies);
    let roots = spans.iter().filter(|span| span.parent_span_id.is_empty());
    assert_eq!(roots.count(), 1);
}

#[test]
fn denied_and_invalid_calls_are_failures() {
    let world = super::spent::denied();
    let collector = Collector::start("200 OK");
    let run = world.run(&[
        "run",
        "reader",
        "Write.",
        "--model",
        "replay:denied.jsonl",
        "--otlp",
        &collector.address,
    ]);
    assert_eq!(run.code, Some(5), "{}", run.err);
    let bodies = collector.end();
    let tree = tree(&spans(&bodies));
    assert!(tree.contains("  execute_tool Write error.type=denied "), "{tree}");
}

/// Without an answer, the session still has its result.
#[test]
fn a_collector_that_fails_only_costs_the_trace() {
    let collector = Collector::start("401 Unauthorized");
    let world = world();
    let address = collector.address.clone();
    let reason = |said: &str| {
        let run = world.run(&[&RUN[..], &["--otlp", &address]].concat());
        assert_eq!(
            (run.code, &*run.out),
            (Some(0), "There are three.\n"),
            "{}",
            run.err
        );
        let is_there = run
            .err
            .contains(&format!("the trace was not sent completely: {said}"));
        assert!(is_there, "{}", run.err);
    };
    reason("the collector answers 401 Unauthorized\n");
    collector.end();
    reason("");
}

#[test]
fn a_collector_that_never_answers_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = format!("http://{}", listener.local_addr().expect("it has an address"));
    let run = world().run(&[&RUN[..], &["--otlp", &address]].concat());
    assert_eq!(
        (run.code, &*run.out),
        (Some(0), "There are three.\n"),
        "{}",
        run.err
    );
    let reason = "the trace was not sent completely: the collector did not answer within 5 s\n";
    assert!(run.err.contains(reason), "{}", run.err);
}

#[test]
fn an_address_that_cannot_be_used_is_refused_first() {
    for address in [
        "127.0.0.1:4318",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "",
        "http://",
    ] {
        let run = world().run(&[&RUN[..], &["--otlp", address]].concat());
        assert_eq!((run.code, &*run.out), (Some(2), ""), "{address}: {}", run.err);
        assert!(run.err.contains("cannot be used: "), "{address}: {}", run.err);
    }
}

/// Sends messages to a server, each after the answer to the one before; `$SESSION` is its session. Returns what it printed at its end.
fn served(command: &mut Command, messages: &[serde_json::Value]) -> String {
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut server = piped.spawn().expect("it starts");
    let mut input = server.stdin.take().expect("it is piped");
    let mut lines = BufReader::new(server.stdout.take().expect("it is piped")).lines();
    let mut session = String::new();
    for message in messages {
        let line = message.to_string().replace("$SESSION", &session);
        writeln!(input, "{line}").expect("it is read");
        while message.get("id").is_some() {
            let line = lines.next().expect("there is an answer").expect("it is text");
            let answer: serde_json::Value = serde_json::from_str(&line).expect("it is JSON");
            if answer["id"] != message["id"] {
                continue;
            }
            assert!(answer["result"].is_object(), "{line}");
            if let Some(id) = answer["result"]["sessionId"].as_str() {
                session = id.to_owned();
            }
            break;
        }
    }
    drop(input);
    let output = server.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A trace for each session, which is that of `run`.
#[test]
fn servers_send_the_traces_of_their_sessions() {
    let (_, bodies) = collected(&[]);
    let expected = tree(&spans(&bodies));
    let client = json!({"name": "test", "version": "1"});
    let begin = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let call = json!({"name": "lead", "arguments": {"task": "Go."}});
    let mcp = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call}),
    ];
    // A recording answers each of its requests once.
    let recording = String::from_utf8(world().bytes("replay.jsonl")).expect("it is text");
    let (_, requests) = recording.split_once('\n').expect("a header");
    let world = world().file("replay.jsonl", [&*recording, requests].concat());
    let mode = json!({"sessionId": "$SESSION", "modeId": "lead"});
    let prompt = json!({"sessionId": "$SESSION", "prompt": [{"type": "text", "text": "Go."}]});
    let open = json!({"cwd": world.at(""), "mcpServers": []});
    let one = |first: u32| {
        [
            json!({"jsonrpc": "2.0", "id": first, "method": "session/new", "params": open}),
            json!({"jsonrpc": "2.0", "id": first + 1, "method": "session/set_mode", "params": mode}),
            json!({"jsonrpc": "2.0", "id": first + 2, "method": "session/prompt", "params": prompt}),
        ]
    };
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}});
    let acp: Vec<_> = [begin].into_iter().chain(one(2)).chain(one(5)).collect();
    for (server, messages) in [("mcp", &mcp[..]), ("acp", &acp)] {
        let collector = Collector::start("200 OK");
        let words = [&[server][..], &RUN[3..], &["--otlp", &collector.address]].concat();
        let said = served(&mut world.callsheet(&words), messages);
        let all = spans(&collector.end());
        let mut traces: BTreeMap<&[u8], Vec<Span>> = BTreeMap::new();
        for span in &all {
            traces.entry(&span.trace_id).or_default().push(span.clone());
        }
        assert_eq!(traces.len(), 2, "{server}: {said}");
        for spans in traces.values() {
            assert_eq!(tree(spans), expected, "{server}: {said}");
        }
        let ids = all.iter().flat_map(|span| &span.attributes);
        let ids: BTreeSet<String> = ids
            .filter(|one| one.key == "gen_ai.conversation.id")
            .map(shown)
            .collect();
        assert_eq!(ids.len(), 2, "{server}: {ids:?}");
    }
}

#[test]
fn a_server_reports_an_address_that_cannot_be_used_and_a_collector_that_fails() {
    for server in ["mcp", "acp"] {
        let run = world().run(&[server, "--as", "claude-code", "--otlp", "http://"]);
        assert_eq!(run.code, Some(2), "{server}: {}", run.err);
        assert!(run.err.contains("cannot be used: "), "{server}: {}", run.err);
    }
    let collector = Collector::start("500 Internal Server Error");
    let client = json!({"name": "test", "version": "1"});
    let begin = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let call = json!({"name": "lead", "arguments": {"task": "Go."}});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    ];
    let words = [&["mcp"][..], &RUN[3..], &["--otlp", &collector.address]].concat();
    let said = served(&mut world().callsheet(&words), &messages);
    assert!(said.contains("the traces were not sent completely: "), "{said}");
    collector.end();
}
