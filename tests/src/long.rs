//! A session of many turns with long results, to measure a turn late in a conversation.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use callsheet::conversation::{ModelAnswer, ModelRequest, ToolAnswer, ToolCall, ToolRequest, ToolSpec};
use callsheet::delegation::{Bounds, PermissionMode, Settings, Task};
use callsheet::{Answer, Caller, Callsheet, Catalog, Completion, Heard, Models, Session, Tools};

/// Bytes of each result.
pub const RESULT: usize = 50_000;

const WORKER: &str = "---\nname: worker\ndescription: Works\ntools: Bash\n---\nWork.\n";

/// A model that calls a tool in every turn but the last one, and that tool. Both answer at once.
pub struct Long {
    turns: usize,
    asked: Mutex<Vec<Asked>>,
}

/// When a model was asked, and the address of the first message then.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The time.
    pub at: Instant,
    /// The address.
    pub first: usize,
    /// The number of messages.
    pub messages: usize,
}

impl Long {
    /// A session of so many turns.
    pub fn new(turns: usize) -> Self {
        let asked = Mutex::default();
        Self { turns, asked }
    }

    /// The requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.log().clone()
    }

    /// A session of it, with the catalog that must outlive it.
    pub fn session(&self) -> (Session, Catalog) {
        let callsheet = Callsheet::builder().without_home().build();
        let mut callsheet = callsheet.expect("the component is embedded");
        let settings = self.settings(&mut callsheet);
        let mut catalog = callsheet.open("claude-code").expect("the dialect is known");
        catalog.register("worker", WORKER).expect("it is an agent");
        let task = Task {
            agent: "worker".to_owned(),
            prompt: "Work.".to_owned(),
            description: None,
            model: None,
        };
        let session = catalog.session(&task, &self.specs(), &settings);
        (session.expect("it starts"), catalog)
    }

    fn settings(&self, callsheet: &mut Callsheet) -> Settings {
        let usual = callsheet.default_settings("/work/project", None);
        let usual = usual.expect("the component answers");
        let turns = u32::try_from(self.turns).expect("there are few");
        Settings {
            bounds: Bounds {
                turns,
                total_turns: turns,
                ..usual.bounds
            },
            mode: PermissionMode::Bypass,
            ..usual
        }
    }

    fn log(&self) -> MutexGuard<'_, Vec<Asked>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Models for Long {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        let mut asked = self.log();
        asked.push(Asked {
            at: Instant::now(),
            first: request
                .messages
                .first()
                .map_or(0, |first| first.text.as_ptr() as usize),
            messages: request.messages.len(),
        });
        let turn = asked.len();
        let call = ToolCall {
            id: turn.to_string(),
            name: "Bash".to_owned(),
            arguments: format!(r#"{{"command": "echo {turn}"}}"#),
        };
        let answer = ModelAnswer {
            text: "On it.".to_owned(),
            calls: if turn < self.turns { vec![call] } else { Vec::new() },
            input_tokens: 1,
            output_tokens: 1,
            cost: None,
        };
        Box::pin(std::future::ready(Ok(answer.into())))
    }
}

impl Tools for Long {
    fn specs(&self) -> Vec<ToolSpec> {
        vec![ToolSpec {
            name: "Bash".to_owned(),
            description: "Runs a command.".to_owned(),
            schema: r#"{"type":"object"}"#.to_owned(),
        }]
    }

    fn call<'a>(&'a self, _: &'a ToolRequest, _: &'a Caller) -> Answer<'a, ToolAnswer> {
        let line = "a line of what a command prints\n";
        let text = line.repeat(RESULT / line.len());
        Box::pin(std::future::ready(Ok(ToolAnswer {
            text,
            is_error: false,
        })))
    }
}

/// Bytes that this thread wrote: the loop over a session writes on the thread that waits for it.
#[cfg(target_os = "linux")]
pub fn written() -> u64 {
    let io = std::fs::read_to_string("/proc/thread-self/io").expect("it is there");
    let line = io.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|count| count.parse().ok()).expect("it is a number")
}
