//! A session whose replies and snapshot are made of any bytes.

use callsheet_core::catalog::Catalog;
use callsheet_core::dialect::{Dialect, Dialects};
use callsheet_core::session::{
    Bounds, CallError, ModelAnswer, Reply, Session, Settings, Step, Task, ToolAnswer, ToolCall, ToolSpec,
};

use super::{Heap, options, with_dialects};

/// As both dialects have them, cut at the NUL.
const AGENTS: &str = "---
name: lead
description: Leads.
provider: openai
model: gpt-5
max_tokens: 100
---
Lead.
\0---
name: worker
description: Works.
tools: Read, Bash(git log *)
allowed_tools: Read, Bash
allowed_commands: git log *
provider: anthropic
model: sonnet
max_tokens: 100
---
Work.
";
const CALLED: [&str; 7] = ["Task", "Agent", "task", "worker", "Read", "Bash", ""];
const BOUNDS: Bounds = Bounds {
    depth: 2,
    turns: 5,
    total_turns: 20,
    children: 6,
    parallel: 2,
    tokens: Some(1_000),
    cost: None,
    context: Some(300),
    deadline: Some(200),
    result_bytes: 50,
};

/// No reply makes a session panic, exceed its limits or wait for nothing, and a snapshot changes nothing.
pub fn session(bytes: &[u8]) {
    with_dialects(|dialects| {
        for id in ["claude-code", "kodelet"] {
            let dialect = dialects.get(id).expect("it is built in");
            let mut bytes = Bytes(bytes);
            let kept = converse(open(dialect, dialects), &mut bytes, dialects);
            damaged(kept, &mut bytes, dialects);
        }
    });
}

fn open(dialect: &Dialect, dialects: &Dialects) -> Session {
    let files = Box::new(Heap::new(AGENTS.as_bytes()));
    let mut catalog = Catalog::open(files, dialects, options(dialect)).expect("there are no inline agents");
    let task = Task {
        agent: "lead".to_owned(),
        prompt: "Do it.".to_owned(),
        ..Task::default()
    };
    let tool = |name: &str| ToolSpec {
        name: name.to_owned(),
        description: String::new(),
        schema: "{}".to_owned(),
    };
    let settings = Settings {
        bounds: BOUNDS,
        ..Settings::default()
    };
    Session::open(&mut catalog, &task, ["Read", "Bash"].map(tool).into(), settings).expect("it is active")
}

/// Continues until the bytes or the session end, and gives the last snapshot with an outstanding step.
fn converse(mut session: Session, bytes: &mut Bytes<'_>, dialects: &Dialects) -> Vec<u8> {
    let mut kept = session.snapshot();
    for now in 0.. {
        let steps = session.poll(now, 0);
        assert_eq!(
            steps.is_empty(),
            session.outcome().is_some(),
            "it waits for nothing"
        );
        if steps.is_empty() || bytes.0.is_empty() {
            break;
        }
        let step = &steps[usize::from(bytes.next()) % steps.len()];
        let fits = matches!(step.step, Step::AskModel(_));
        let reply = reply(bytes);
        let fits = match &reply {
            Reply::Model(_) => fits,
            Reply::Tool(_) => !fits,
            Reply::Failed(_) => true,
        };
        assert_eq!(session.reply(step.id, reply, now).is_ok(), fits, "{step:?}");
        let used = session.usage();
        assert!(
            used.children <= BOUNDS.children && used.turns <= BOUNDS.total_turns,
            "{used:?}"
        );
        let snapshot = session.snapshot();
        session = Session::restore(dialects, &snapshot).expect("it is a snapshot");
        assert_eq!(session.snapshot(), snapshot, "what was restored is the same");
        if session.outcome().is_none() {
            kept = snapshot;
        }
    }
    kept
}

/// A snapshot with any byte changed is invalid, or one of another session.
fn damaged(mut snapshot: Vec<u8>, bytes: &mut Bytes<'_>, dialects: &Dialects) {
    while !bytes.0.is_empty() {
        let at = usize::from(bytes.next()) << 8 | usize::from(bytes.next());
        let at = at % snapshot.len();
        snapshot[at] = bytes.next();
        let Ok(mut session) = Session::restore(dialects, &snapshot) else {
            continue;
        };
        for step in session.poll(1, 0) {
            session.reply(step.id, reply(bytes), 1).ok();
        }
        session.events();
    }
}

fn reply(bytes: &mut Bytes<'_>) -> Reply {
    match bytes.next() % 8 {
        0 if bytes.next().is_multiple_of(2) => Reply::Failed(CallError::TooLong(bytes.word())),
        0 => Reply::Failed(CallError::TimedOut),
        1 | 2 => Reply::Tool(ToolAnswer {
            text: bytes.word(),
            is_error: bytes.next().is_multiple_of(2),
        }),
        _ => Reply::Model(ModelAnswer {
            text: bytes.word(),
            calls: (0..bytes.next() % 4).map(|_| call(bytes)).collect(),
            input_tokens: bytes.next().into(),
            output_tokens: 1,
            cost: None,
        }),
    }
}

fn call(bytes: &mut Bytes<'_>) -> ToolCall {
    let name = CALLED[usize::from(bytes.next()) % CALLED.len()];
    let word = bytes.word();
    let arguments = match bytes.next() % 4 {
        0 => word,
        1 => format!("{{\"command\": {word:?}, \"file_path\": {word:?}}}"),
        _ => format!("{{\"prompt\": \"x\", \"query\": {word:?}, \"subagent_type\": \"worker\"}}"),
    };
    ToolCall {
        id: (bytes.next() % 4).to_string(),
        name: name.to_owned(),
        arguments,
    }
}

/// Bytes one after the other; zeros at the end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let (byte, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *byte
    }

    /// Skips to the next byte that is no part of a word.
    fn word(&mut self) -> String {
        let length = self
            .0
            .iter()
            .position(|byte| *byte < b' ')
            .unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(word).into_owned()
    }
}
