//! What the provider's cache saves: a server that bills like Anthropic, and a session of 60 turns.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use callsheet::conversation::{ToolAnswer, ToolRequest, ToolSpec};
use callsheet::delegation::{PermissionMode, Settings, Task};
use callsheet::drive::{Ended, Options, Silent, drive};
use callsheet::model::{Kind, Price, ProviderConfig, Providers};
use callsheet::{Answer, Cached, Caller, Callsheet, Models as _, Tools};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use super::ask::{KEY, config, providers, request};
use super::socket::{EVENTS, Socket, Then, whole_request};

const TURNS: u32 = 60;

/// Bytes of each tool result, of the system prompt, and of a token.
const RESULT: usize = 2_000;
const PROMPT: usize = 6_000;
const TOKEN: usize = 4;

/// Anthropic's limits: marks in a request, parts before a mark that are compared with the cache, and tokens worth caching.
const MARKS: usize = 4;
const LOOKBACK: usize = 20;
const LEAST: usize = 1_024;

/// What a request is billed for, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bill {
    read: usize,
    written: usize,
    plain: usize,
}

impl Bill {
    fn all(self) -> usize {
        self.read + self.written + self.plain
    }
}

/// A provider with a cache.
struct Till {
    /// Calls in each answer but the last one.
    calls: usize,
    books: Mutex<Books>,
}

#[derive(Default)]
struct Books {
    /// Cached beginnings of requests.
    cache: HashSet<u64>,
    bills: Vec<Bill>,
}

impl Till {
    async fn open(calls: usize) -> (Arc<Self>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a port");
        let address = listener.local_addr().expect("it has one");
        let books = Mutex::default();
        let till = Arc::new(Self { calls, books });
        let serving = Arc::clone(&till);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                serving.serve(stream).await.expect("the client stays");
            }
        });
        (till, format!("http://{address}"))
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let request = whole_request(&mut stream).await?;
        let request: Value = serde_json::from_str(&request).expect("it is JSON");
        let (bill, turn) = self.books().bill(&request);
        let calls = if turn < TURNS as usize { self.calls } else { 0 };
        stream.write_all(answer(bill, calls).as_bytes()).await?;
        stream.shutdown().await
    }
}

impl Books {
    fn bill(&mut self, request: &Value) -> (Bill, usize) {
        let mut hasher = DefaultHasher::new();
        let mut tokens = 0;
        let mut beginnings = vec![(0, 0)];
        let mut marks = Vec::new();
        for mut part in parts(request) {
            let mark = part.as_object_mut().and_then(|part| part.remove("cache_control"));
            let text = part.to_string();
            text.hash(&mut hasher);
            tokens += text.len() / TOKEN;
            if mark.is_some() {
                marks.push(beginnings.len());
            }
            beginnings.push((hasher.finish(), tokens));
        }
        assert!(
            marks.len() <= MARKS,
            "a request may have {MARKS} marks: {marks:?}"
        );
        let is_cached = |at: &usize| self.cache.contains(&beginnings[*at].0);
        let near = |mark: &usize| (mark.saturating_sub(LOOKBACK)..=*mark).rev().find(is_cached);
        let read = marks.iter().filter_map(near).max().unwrap_or_default();
        let read = beginnings[read].1;
        let worth = marks
            .iter()
            .map(|at| beginnings[*at])
            .filter(|(_, tokens)| *tokens >= LEAST);
        let marked = worth.clone().map(|(_, tokens)| tokens).max().unwrap_or_default();
        self.cache.extend(worth.map(|(hash, _)| hash));
        let bill = Bill {
            read,
            written: marked.saturating_sub(read),
            plain: tokens - marked.max(read),
        };
        self.bills.push(bill);
        (bill, self.bills.len())
    }
}

/// The parts of a request in the order of Anthropic's cache.
fn parts(request: &Value) -> Vec<Value> {
    let several = |value: &Value| match value {
        Value::Array(parts) => parts.clone(),
        Value::Null => Vec::new(),
        text => vec![json!({"type": "text", "text": text})],
    };
    let mut all = [several(&request["tools"]), several(&request["system"])].concat();
    for message in several(&request["messages"]) {
        for mut part in several(&message["content"]) {
            part["role"] = message["role"].clone();
            all.push(part);
        }
    }
    all
}

fn answer(bill: Bill, calls: usize) -> String {
    let usage = json!({
        "input_tokens": bill.plain,
        "cache_read_input_tokens": bill.read,
        "cache_creation_input_tokens": bill.written,
        "output_tokens": 1,
    });
    let mut events = vec![json!({"type": "message_start", "message": {"usage": usage}})];
    let text = json!({"type": "text", "text": ""});
    let call =
        |at: usize| json!({"type": "tool_use", "id": format!("toolu_{at}"), "name": "Bash", "input": {}});
    let word = json!({"type": "text_delta", "text": "Working."});
    let line = json!({"type": "input_json_delta", "partial_json": r#"{"command": "make"}"#});
    let blocks = [(text, word)];
    let blocks = blocks
        .into_iter()
        .chain((0..calls).map(|at| (call(at), line.clone())));
    for (index, (block, delta)) in blocks.enumerate() {
        events.extend([
            json!({"type": "content_block_start", "index": index, "content_block": block}),
            json!({"type": "content_block_delta", "index": index, "delta": delta}),
            json!({"type": "content_block_stop", "index": index}),
        ]);
    }
    let reason = if calls > 0 { "tool_use" } else { "end_turn" };
    events.extend([
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 1}}),
        json!({"type": "message_stop"}),
    ]);
    let mut says = EVENTS.to_owned();
    for event in events {
        let kind = event["type"].as_str().expect("each has one");
        let _ = write!(says, "event: {kind}\ndata: {event}\n\n");
    }
    says
}

/// A tool whose results are long and alike: with several calls, they share the bytes.
struct Make {
    calls: usize,
}

impl Tools for Make {
    fn specs(&self) -> Vec<ToolSpec> {
        vec![ToolSpec {
            name: "Bash".to_owned(),
            description: "Runs a command.".to_owned(),
            schema: r#"{"type":"object","properties":{"command":{"type":"string"}}}"#.to_owned(),
        }]
    }

    fn call<'a>(&'a self, _: &'a ToolRequest, _: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(std::future::ready(Ok(ToolAnswer {
            text: "made ".repeat(RESULT / 5 / self.calls),
            is_error: false,
        })))
    }
}

/// Runs an agent at the server's prices: a token that is read costs a millionth.
async fn run(url: &str, calls: usize) -> Ended {
    let make = Make { calls };
    let price = Price {
        input: 1.0,
        ..Price::default()
    };
    let models = Providers::new(ProviderConfig {
        prices: BTreeMap::from([("wire:model-1".to_owned(), price)]),
        ..config(Kind::Anthropic, url, KEY)
    });
    let callsheet = Callsheet::builder().without_home().build();
    let mut callsheet = callsheet.expect("the component is embedded");
    let usual = callsheet.default_settings("/work/project", None);
    let mut settings = Settings {
        mode: PermissionMode::Bypass,
        default_model: callsheet::model::parse("wire:model-1"),
        ..usual.expect("the component answers")
    };
    settings.bounds.turns = TURNS;
    let mut catalog = callsheet.open("claude-code").expect("the dialect is known");
    let prompt = "Work. ".repeat(PROMPT / 6);
    let file = format!("---\nname: worker\ndescription: Works\ntools: Bash\n---\n{prompt}\n");
    catalog.register("worker", &file).expect("it is an agent");
    let task = Task {
        agent: "worker".to_owned(),
        prompt: "Work.".to_owned(),
        description: None,
        model: None,
    };
    let session = catalog.session(&task, &make.specs(), &settings);
    let mut session = session.expect("it starts");
    let (tools, options) = (Arc::new(make), Options::default());
    let ended = drive(&mut session, Arc::new(models), tools, options, Arc::new(Silent)).await;
    ended.expect("the session runs")
}

#[tokio::test]
async fn every_turn_reads_the_one_before_from_the_cache() {
    // More calls have more parts than a mark looks back.
    for calls in [1, 12] {
        let (till, url) = Till::open(calls).await;
        let ended = run(&url, calls).await;
        let bills = &till.books().bills;
        assert_eq!(bills.len(), TURNS as usize);
        for pair in bills.windows(2) {
            assert_eq!(pair[1].read, pair[0].read + pair[0].written, "{calls}: {pair:?}");
        }
        let sum = |of: fn(&Bill) -> usize| bills.iter().map(of).sum::<usize>() as u64;
        let [agent] = &*ended.agents else {
            panic!("{:?}", ended.agents)
        };
        assert_eq!(agent.cache_read_tokens, sum(|bill| bill.read));
        assert_eq!(agent.cache_write_tokens, sum(|bill| bill.written));
        assert_eq!(agent.input_tokens, sum(|bill| bill.all()));
        assert_eq!(ended.usage.input_tokens, agent.input_tokens);
        let (cost, without) = (ended.usage.cost as f64, agent.input_tokens as f64);
        println!("{calls} calls a turn: {without} tokens read cost {cost} instead of {without}");
        assert!(cost < 0.15 * without, "{calls}: {cost} of {without}");
    }
}

/// A stream of one answer for which each format reports 100 tokens read, 80 of them from the cache.
fn reported(kind: Kind) -> String {
    let says = match kind {
        Kind::Anthropic => {
            let bill = Bill {
                read: 80,
                written: 5,
                plain: 15,
            };
            return answer(bill, 0);
        }
        Kind::OpenAi => concat!(
            r#"data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}"#,
            "\n\n",
            r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
            "\n\n",
            r#"data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":80}}}"#,
            "\n\ndata: [DONE]\n\n",
        ),
        Kind::OpenAiResponses => concat!(
            "event: response.output_text.delta\n",
            r#"data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hello"}"#,
            "\n\nevent: response.completed\n",
            r#"data: {"type":"response.completed","response":{"id":"r","status":"completed","model":"m","output":[],"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":80},"output_tokens":7,"total_tokens":107}}}"#,
            "\n\n",
        ),
        Kind::Gemini => concat!(
            r#"data: {"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":80,"candidatesTokenCount":7,"totalTokenCount":107}}"#,
            "\r\n\r\n",
        ),
    };
    format!("{EVENTS}{says}")
}

#[tokio::test]
async fn every_format_reports_cached_tokens() {
    for kind in Kind::ALL {
        let socket = Socket::open(reported(kind), Then::Close).await;
        let models = providers(kind, &socket.url(), KEY);
        let completion = models.complete(&request("x"), &|_| {}).await;
        let completion = completion.unwrap_or_else(|error| panic!("{kind:?}: {error:?}"));
        let written = if kind == Kind::Anthropic { 5 } else { 0 };
        assert_eq!(completion.cached, Cached { read: 80, written }, "{kind:?}");
        assert_eq!(completion.answer.input_tokens, 100, "{kind:?}");
    }
}
