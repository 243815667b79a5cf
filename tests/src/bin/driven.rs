//! Drives a session with slow models and tools that keep a log, for a test that kills it: `driven SESSION LOG`.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use callsheet::conversation::{ModelAnswer, ModelRequest, Role, ToolAnswer, ToolCall, ToolRequest, ToolSpec};
use callsheet::delegation::{Bounds, ModelChoice, Outcome, PermissionMode, Settings, Task};
use callsheet::drive::{About, Clock, Options, Saved, Saver, Silent, block_on, drive};
use callsheet::{Answer, Callsheet, Catalog, Heard, Models, Session, Tools};

const AGENT: &str = "---\nname: worker\ndescription: Works\n---\nWork.\n";

/// Turns in which tools are called, and calls in each.
const TURNS: usize = 8;
const CALLS: usize = 3;

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
    fn complete<'a>(&'a self, request: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, ModelAnswer> {
        let said = |message: &&callsheet::conversation::Message| message.role == Role::Assistant;
        let turn = request.messages.iter().filter(said).count();
        let calls = (0..CALLS).map(|at| ToolCall {
            id: format!("{turn}.{at}"),
            name: "Bash".to_owned(),
            arguments: format!(r#"{{"command": "{turn}.{at}"}}"#),
        });
        let calls: Vec<ToolCall> = if turn < TURNS { calls.collect() } else { Vec::new() };
        Box::pin(async move {
            tokio::time::sleep(PAUSE).await;
            Ok(ModelAnswer {
                text: "done".to_owned(),
                calls,
                input_tokens: 1,
                output_tokens: 1,
                cost: None,
            })
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

    fn call<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, ToolAnswer> {
        Box::pin(async move {
            self.log(&format!("begun {}\n", request.call.id));
            tokio::time::sleep(PAUSE).await;
            self.log(&format!("finished {}\n", request.call.id));
            Ok(ToolAnswer {
                text: request.call.id.clone(),
                is_error: false,
            })
        })
    }
}

fn settings() -> Settings {
    Settings {
        bounds: Bounds {
            depth: 1,
            turns: 100,
            total_turns: 100,
            children: 1,
            parallel: 1,
            tokens: None,
            cost: None,
            deadline: None,
            result_bytes: 1000,
        },
        attenuate: false,
        mode: PermissionMode::Bypass,
        allow: Vec::new(),
        trusted: Vec::new(),
        root: "/work/project".to_owned(),
        home: None,
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
    let session = match Saved::load(path) {
        Ok(saved) => {
            options.clock = Clock::at(saved.now);
            options.in_doubt = saved.in_flight;
            catalog.restore(&saved.snapshot)
        }
        Err(_) => {
            let task = Task {
                agent: "worker".to_owned(),
                prompt: "Work.".to_owned(),
                description: None,
                model: None,
            };
            catalog.session(&task, &slow.specs(), &settings())
        }
    };
    options.saver = Some(Saver {
        path: path.to_owned(),
        about: About::default(),
        always: true,
    });
    (session.expect("it can be begun"), options)
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let mut next = || PathBuf::from(arguments.next().expect("two files are named"));
    let (path, log) = (next(), next());
    let callsheet = Callsheet::builder().without_home().build();
    let mut catalog = callsheet
        .and_then(|callsheet| callsheet.open("claude-code"))
        .expect("the component runs");
    catalog.register("worker", AGENT).expect("it is an agent");
    let slow = Arc::new(Slow(log));
    let (mut session, options) = begin(&mut catalog, &path, &slow);
    let models = Arc::clone(&slow);
    let driven = drive(&mut session, models, slow, options, Arc::new(Silent));
    let ended = block_on(driven)
        .expect("there are threads")
        .expect("it can be kept");
    match ended.outcome {
        Some(Outcome::Answer(_)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
