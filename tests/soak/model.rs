//! A model on the loopback interface that follows the plans of runs, and fails often.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{sleep, spawn};
use std::time::Duration;

use callsheet_tests::generate::Dice;
use serde_json::{Value, json};

use super::plan::{FIRST, Plan};

const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// Longer than any run takes.
const HANG: Duration = Duration::from_secs(120);

/// How the model behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Mood {
    /// It fails now and then, in all ways.
    #[default]
    Moody,
    /// It refuses the key.
    Refusing,
    /// It never answers.
    Silent,
    /// It answers.
    Calm,
}

/// The server.
pub(crate) struct Model {
    pub(crate) address: SocketAddr,
    runs: Arc<Mutex<HashMap<String, Run>>>,
}

/// What the model knows of a run.
struct Run {
    plan: Plan,
    mood: Mood,
    dice: Dice,
    heard: Heard,
}

/// What the requests of a run contained.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    /// The results of calls by ID.
    pub(crate) results: BTreeMap<String, String>,
    /// The number of answers that each agent had.
    turns: BTreeMap<String, usize>,
    /// Requests in all.
    pub(crate) requests: usize,
    /// Requests that were answered with a failure.
    pub(crate) failures: usize,
    /// Results that were missing or different in a later request.
    pub(crate) forgotten: Vec<String>,
}

/// One request, as far as it matters.
struct Request {
    agent: String,
    turn: usize,
    results: Vec<(String, String)>,
}

/// An answer on the wire.
enum Reply {
    Whole(String),
    /// The pieces of a stream, and the pause between them.
    Slow(Vec<String>, Duration),
    Hang,
}

impl Model {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = listener.local_addr().expect("it has one");
        let runs = Arc::<Mutex<HashMap<String, Run>>>::default();
        let known = Arc::clone(&runs);
        spawn(move || {
            for stream in listener.incoming().flatten() {
                let runs = Arc::clone(&known);
                // A client that leaves is none of the server's business.
                spawn(move || drop(serve(stream, &runs)));
            }
        });
        Self { address, runs }
    }

    /// A run that names its model like this.
    pub(crate) fn expect(&self, name: &str, plan: Plan) {
        let run = Run {
            mood: Mood::default(),
            dice: plan.dice("moods"),
            heard: Heard::default(),
            plan,
        };
        locked(&self.runs).insert(name.to_owned(), run);
    }

    pub(crate) fn becomes(&self, name: &str, mood: Mood) {
        if let Some(run) = locked(&self.runs).get_mut(name) {
            run.mood = mood;
        }
    }

    pub(crate) fn heard(&self, name: &str) -> Heard {
        let runs = locked(&self.runs);
        runs.get(name).map(|run| run.heard.clone()).unwrap_or_default()
    }

    pub(crate) fn forget(&self, name: &str) {
        locked(&self.runs).remove(name);
    }
}

fn locked(runs: &Mutex<HashMap<String, Run>>) -> MutexGuard<'_, HashMap<String, Run>> {
    runs.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(stream: TcpStream, runs: &Mutex<HashMap<String, Run>>) -> io::Result<()> {
    let body = body(&stream)?;
    let body: Value = serde_json::from_slice(&body)?;
    let name = body["model"].as_str().unwrap_or_default();
    let reply = match locked(runs).get_mut(name) {
        Some(run) => run.reply(&body),
        None => Reply::Hang,
    };
    let mut stream = stream;
    match reply {
        Reply::Whole(text) => stream.write_all(text.as_bytes()),
        Reply::Slow(pieces, pause) => pieces.into_iter().try_for_each(|piece| {
            sleep(pause);
            stream.write_all(piece.as_bytes())
        }),
        Reply::Hang => {
            stream.set_read_timeout(Some(HANG))?;
            stream.read(&mut [0]).map(drop)
        }
    }
}

fn body(stream: &TcpStream) -> io::Result<Vec<u8>> {
    let mut reader = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line)? > 2 {
        let lower = line.to_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(body)
}

impl Run {
    fn reply(&mut self, body: &Value) -> Reply {
        let request = Request::read(body);
        self.heard.requests += 1;
        self.heard.note(&request);
        let chosen = match self.mood {
            Mood::Moody => self.dice.below(24),
            Mood::Calm => usize::MAX,
            Mood::Silent => return Reply::Hang,
            Mood::Refusing => return Reply::Whole(status("401 Unauthorized", "", "")),
        };
        let events = self.events(&request);
        let is_failure = chosen < 9;
        self.heard.failures += usize::from(is_failure);
        let all = events.concat();
        let page = |kind: &str, text: &str| {
            let length = text.len();
            format!(
                "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}"
            )
        };
        match chosen {
            0 => Reply::Whole(status("500 Internal Server Error", "", "oops")),
            1 => Reply::Whole(status("503 Service Unavailable", "retry-after: 0\r\n", "")),
            2 => Reply::Whole(status("429 Too Many Requests", "retry-after-ms: 50\r\n", "{}")),
            // Cut in the middle, at the end, and before anything is said.
            3 => Reply::Whole(format!("{EVENTS}{}", events[..events.len() / 2].concat())),
            4 => Reply::Whole(format!("{EVENTS}{}", events[..events.len() - 1].concat())),
            5 => Reply::Whole(EVENTS.to_owned()),
            6 => Reply::Whole(page("text/html", "<html>Log in</html>")),
            7 => Reply::Whole(page("application/json", r#"{"choices":[]}"#)),
            8 => Reply::Whole(format!("{EVENTS}data: {{nonsense\n\n")),
            9..12 => {
                let pieces = [EVENTS.to_owned()].into_iter().chain(events);
                Reply::Slow(pieces.collect(), Duration::from_millis(15))
            }
            _ => Reply::Whole(format!("{EVENTS}{all}")),
        }
    }

    /// The right answer, in pieces.
    fn events(&self, request: &Request) -> Vec<String> {
        let calls = self.plan.calls(&request.agent, request.turn);
        let mut deltas = Vec::new();
        if calls.is_empty() {
            let answer = self.plan.answer(&request.agent);
            let pieces: Vec<char> = answer.chars().collect();
            deltas.extend(
                pieces
                    .chunks(40)
                    .map(|piece| json!({"content": piece.iter().collect::<String>()})),
            );
        }
        let is_done = calls.is_empty();
        if !is_done && self.plan.has_long_answers() {
            deltas.push(json!({"content": self.plan.remark()}));
        }
        for (index, call) in calls.into_iter().enumerate() {
            let function = json!({"name": call.tool, "arguments": call.arguments.to_string()});
            let call = json!({"index": index, "id": call.id, "type": "function", "function": function});
            deltas.push(json!({"tool_calls": [call]}));
        }
        let reason = if is_done { "stop" } else { "tool_calls" };
        let choice = |delta: &Value, reason: &Value| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
            format!("data: {}\n\n", json!({"choices": [choice]}))
        };
        let mut events: Vec<String> = deltas.iter().map(|delta| choice(delta, &Value::Null)).collect();
        events.push(choice(&json!({}), &reason.into()));
        events.push("data: [DONE]\n\n".to_owned());
        events
    }
}

fn status(status: &str, headers: &str, text: &str) -> String {
    let length = text.len();
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{text}")
}

impl Request {
    fn read(body: &Value) -> Self {
        let none = Vec::new();
        let messages = body["messages"].as_array().unwrap_or(&none);
        let of = |role: &'static str| messages.iter().filter(move |message| message["role"] == role);
        let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
        let task = of("user").next().map(text).unwrap_or_default();
        let is_first = of("system").any(|message| text(message).contains("Work."));
        let result = |message: &Value| {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            (id.to_owned(), text(message))
        };
        Self {
            agent: if is_first { FIRST.to_owned() } else { task },
            turn: of("assistant").count(),
            results: of("tool").map(result).collect(),
        }
    }
}

impl Heard {
    /// What a request contained once, later ones contain, too: it was saved before.
    fn note(&mut self, request: &Request) {
        let turns = self.turns.entry(request.agent.clone()).or_default();
        if request.turn < *turns {
            let agent = &request.agent;
            self.forgotten
                .push(format!("{agent}: turn {turns} became {}", request.turn));
        }
        *turns = request.turn.max(*turns);
        for (id, text) in &request.results {
            let before = self.results.insert(id.clone(), text.clone());
            if before.is_some_and(|before| before != *text) {
                self.forgotten.push(format!("{id}: another result"));
            }
        }
    }
}
