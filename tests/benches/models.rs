//! What we add to the model client: both ask the same server, which answers at once, alternating.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use callsheet::Models as _;
use callsheet::conversation::{Message, ModelRequest, Role};
use callsheet::model::{Kind, Provider, ProviderConfig, Providers};
use callsheet_tests::measure;
use futures_util::StreamExt as _;
use genai::adapter::AdapterKind;
use genai::chat::{ChatMessage, ChatOptions, ChatRequest};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};

use super::table::Table;

const CALLS: u32 = 50;
/// Messages of a conversation, and the bytes of each: about 40,000 tokens.
const MESSAGES: usize = 20;
const BYTES: usize = 8 * 1024;

pub(crate) fn measure(table: &mut Table) {
    let url = server();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("the system has timers");
    let (providers, request) = (providers(&url), request());
    let client = Client::new().expect("the system has certificates");
    let (target, chat) = (target(&url), chat());
    let options = ChatOptions::default()
        .with_capture_usage(true)
        .with_capture_content(true);
    let ours = || {
        for _ in 0..CALLS {
            let answer = runtime.block_on(providers.complete(&request, &|_| {}));
            assert_eq!(answer.expect("it answers").answer.text, "done");
        }
    };
    let bare = || {
        for _ in 0..CALLS {
            runtime.block_on(async {
                let asked = client
                    .exec_chat_stream(target.clone(), chat.clone(), Some(&options))
                    .await;
                let mut stream = asked.expect("it answers").stream;
                while let Some(event) = stream.next().await {
                    event.expect("it answers");
                }
            });
        }
    };
    let [bare, ours] = measure::least(
        7,
        [&mut || measure::thread(bare).0, &mut || measure::thread(ours).0],
        |now, best| now < best,
    );
    let micros = |time: std::time::Duration| time.as_secs_f64() * 1e6 / f64::from(CALLS);
    table.report("bare client: one model call", micros(bare), " µs");
    table.at_most(
        "asking a model: what we add to it",
        micros(ours) - micros(bare),
        1000.0,
        " µs",
    );
}

/// Starts a server that answers every request with one word.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it has one");
    std::thread::spawn(move || {
        // A client that disconnects early is not waited for.
        listener
            .incoming()
            .flatten()
            .for_each(|stream| drop(answer(stream)));
    });
    format!("http://{address}/v1/")
}

fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let mut piece = [0; 64 * 1024];
    // The messages come last in the body, which ends with the list and the object.
    while !bytes.ends_with(b"}") || bytes.len() < MESSAGES * BYTES {
        match stream.read(&mut piece)? {
            0 => break,
            length => bytes.extend_from_slice(&piece[..length]),
        }
    }
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let word = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"done\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    stream.write_all(format!("{head}{word}").as_bytes())
}

fn providers(url: &str) -> Providers {
    let provider = Provider {
        kind: Kind::OpenAi,
        base_url: url.to_owned(),
        key_variable: None,
        model: None,
    };
    Providers::new(ProviderConfig {
        providers: BTreeMap::from([("bench".into(), provider)]),
        trusted: true,
        environment: Arc::new(|_| None),
        ..ProviderConfig::default()
    })
}

fn text() -> String {
    "x".repeat(BYTES)
}

fn request() -> ModelRequest {
    let message = Message {
        role: Role::User,
        text: text(),
        calls: Vec::new(),
        answers: None,
        is_error: false,
    };
    ModelRequest {
        agent: vec!["bench".into()],
        provider: Some("bench".into()),
        model: "model".into(),
        messages: vec![message; MESSAGES],
        changed_from: None,
        tools: Vec::new(),
        max_tokens: None,
        effort: None,
        thinking_budget: None,
        base_url: None,
        api_key_variable: None,
    }
}

fn chat() -> ChatRequest {
    ChatRequest::from_messages(vec![ChatMessage::user(text()); MESSAGES])
}

fn target(url: &str) -> ServiceTarget {
    ServiceTarget {
        endpoint: Endpoint::from_owned(url),
        auth: AuthData::from_single("none"),
        model: ModelIden::new(AdapterKind::OpenAI, "model"),
    }
}
