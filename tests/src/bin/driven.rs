//! Drives a session with slow models and tools that keep a log, for a test that kills it: `driven SESSION LOG`.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use callsheet::conversation::{ModelAnswer, ModelRequest, Role, ToolAnswer, ToolCall, ToolRequest, ToolSpec};
use callsheet::delegation::{Bounds, Ending, Isolation, ModelChoice, PermissionMode, Settings, Task};
use callsheet::drive::{About, Clock, Options, Saver, Silent, block_on, doubt, drive};
use callsheet::{Answer, Caller, Callsheet, Catalog, Completion, Heard, Models, Session, Tools};

const WORKER: &str = "---\nname: worker\ndescription: Works\n---\nWork.\n";
const HELPER: &str = "---\nname: helper\ndescription: Helps\ntools: Bash\n---\nHelp.\n";

/// Turns of an agent in which tools are called, and commands in each. The worker calls as many helpers as well.
const TURNS: usize = 3;
const CALLS: usize = 2;

const PAUSE: Duration = Duration::from_millis(15);

struct Slow(PathBuf);

impl Slow {
    fn log(&self, line: &str) {
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(&self.0);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.expect("the log is ours");
    }
}

impl Models for Slow {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        let calls = calls(request);
        Box::pin(async move {
            tokio::time::sleep(PAUSE).await;
            Ok(Completion::from(ModelAnswer {
                text: "done".to_owned(),
                calls,
                input_tokens: 1,
                output_tokens: 1,
                cost: None,
            }))
        })
    }
}

impl Tools for Slow {
    fn specs(&self) -> Vec<ToolSpec> {
        vec![ToolSpec {
            name: "Bash".to_owned(),
            description: "Runs a command.".to_owned(),
            schema: r#"{"type":"object"}"#.to_owned(),
        }]
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, _: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(async move {
            self.log(&format!("begun {}\n", request.call.arguments));
            tokio::time::sleep(PAUSE).await;
            self.log(&format!("finished {}\n", request.call.arguments));
            Ok(ToolAnswer {
                text: request.call.id.clone(),
                is_error: false,
            })
        })
    }
}

/// What an agent calls in its next turn. All commands differ.
fn calls(request: &ModelRequest) -> Vec<ToolCall> {
    let of = |role: Role| {
        request
            .messages
            .iter()
            .filter(move |message| message.role == role)
    };
    let turn = of(Role::Assistant).count();
    if turn >= TURNS {
        return Vec::new();
    }
    let task = of(Role::User).next().map_or("", |message| &*message.text);
    let call = |at: usize, name: &str, arguments: String| ToolCall {
        id: format!("{turn}.{at}.{name}"),
        name: name.to_owned(),
        arguments,
    };
    let commands = (0..CALLS).map(|at| call(at, "Bash", format!(r#"{{"command": "{task} {turn}.{at}"}}"#)));
    let helpers = (0..CALLS).map(|at| {
        let arguments =
            format!(r#"{{"description": "x", "subagent_type": "helper", "prompt": "{task} {turn}.{at}"}}"#);
        call(at, "Agent", arguments)
    });
    match request.agent.len() {
        1 => commands.chain(helpers).collect(),
        _ => commands.collect(),
    }
}

fn settings() -> Settings {
    Settings {
        bounds: Bounds {
            depth: 1,
            turns: 100,
            total_turns: 100,
            children: 100,
            parallel: 2,
            tokens: None,
            cost: None,
            context: None,
            deadline: None,
            result_bytes: 1000,
        },
        attenuate: false,
        mode: PermissionMode::Bypass,
        allow: Vec::new(),
        trusted: Vec::new(),
        root: "/work/project".to_owned(),
        isolation: Isolation::Unavailable(String::new()),
        home: None,
        surroundings: None,
        base_prompt: String::new(),
        default_model: ModelChoice {
            provider: None,
            model: "slow".to_owned(),
        },
        aliases: Vec::new(),
    }
}

fn begin(catalog: &mut Catalog, path: &Path, slow: &Slow) -> (Session, Options) {
    let mut options = Options::default();
    let (session, saver) = match Saver::resume(path) {
        Ok((mut saved, saver)) => {
            let mut session = saved.restore(catalog).expect("it is a snapshot");
            let mut left = saved.left;
            doubt(&mut session, &mut left, saved.now).expect("it is at work");
            for call in &left.doubted {
                slow.log(&format!("in doubt {}\n", call.agent.join("/")));
            }
            options.clock = Clock::at(saved.now);
            options.left = left;
            (Ok(session), saver)
        }
        Err(_) => {
            let task = Task {
                agent: "worker".to_owned(),
                prompt: "Work.".to_owned(),
                description: None,
                model: None,
            };
            let saver = Saver::create(path, About::default()).expect("no such file yet");
            (catalog.session(&task, &slow.specs(), &settings()), saver)
        }
    };
    options.saver = Some(saver);
    (session.expect("it starts"), options)
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let mut next = || PathBuf::from(arguments.next().expect("two files are named"));
    let (path, log) = (next(), next());
    let callsheet = Callsheet::builder().without_home().build();
    let mut catalog = callsheet
        .and_then(|callsheet| callsheet.open("claude-code"))
        .expect("the component runs");
    catalog.register("worker", WORKER).expect("it is an agent");
    catalog.register("helper", HELPER).expect("it is an agent");
    let slow = Arc::new(Slow(log));
    let (mut session, options) = begin(&mut catalog, &path, &slow);
    let models = Arc::clone(&slow);
    let driven = drive(&mut session, models, slow, options, Arc::new(Silent));
    let ended = block_on(driven)
        .expect("there are threads")
        .expect("it can be kept");
    match ended.outcome {
        Some(outcome) if outcome.ending == Ending::Answer => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
