//! The recording that comes with the examples answers what its agent asks today.
//!
//! `BLESS=1` records it again, with the answers below.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use callsheet::conversation::{CallError, ModelAnswer, ModelRequest, ToolCall};
use callsheet::delegation::{
    Bounds, Ending, Isolation, ModelChoice, Outcome, PermissionMode, Reply, Settings, Step, Task,
};
use callsheet::model::{Recorder, Replay};
use callsheet::tools::{LocalTools, Options};
use callsheet::{Answer, Caller, Callsheet, Completion, Heard, Models, Tools};

/// What the documents say to try.
const AGENT: &str = "code-reviewer";
const PROMPT: &str = "Review harbour.toml";

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/workspace")
}

/// What a model would say.
fn answers() -> VecDeque<ModelAnswer> {
    let call = |id: &str, name: &str, arguments: &str| ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
    };
    let asks = ModelAnswer {
        text: "I read the station file, and look for a test that uses it.".into(),
        calls: vec![
            call("call_1", "Read", r#"{"file_path":"harbour.toml"}"#),
            call("call_2", "Grep", r#"{"pattern":"harbour","path":"tests"}"#),
        ],
        input_tokens: 412,
        output_tokens: 71,
        cost: None,
    };
    let says = ModelAnswer {
        text: "harbour.toml: nothing wrong with the numbers. The mean level is in metres, and the phases lie between 0 and 360 \
               degrees.\n\ntests: no test reads harbour.toml. A typing error in it would go unnoticed; the smallest change is a \
               test that loads it and asks for one day."
            .into(),
        calls: Vec::new(),
        input_tokens: 655,
        output_tokens: 62,
        cost: None,
    };
    VecDeque::from([asks, says])
}

struct Script(Mutex<VecDeque<ModelAnswer>>);

impl Models for Script {
    fn complete<'a>(&'a self, _: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        let next = self.0.lock().expect("no thread panics").pop_front();
        Box::pin(std::future::ready(
            next.map(Completion::from).ok_or(CallError::TimedOut),
        ))
    }
}

fn settings() -> Settings {
    Settings {
        bounds: Bounds {
            depth: 3,
            turns: 50,
            total_turns: 200,
            children: 50,
            parallel: 4,
            tokens: None,
            cost: None,
            context: None,
            deadline: None,
            result_bytes: 64 * 1024,
        },
        attenuate: false,
        mode: PermissionMode::Default,
        allow: Vec::new(),
        trusted: Vec::new(),
        root: examples().to_string_lossy().into_owned(),
        isolation: Isolation::Unavailable(String::new()),
        home: None,
        surroundings: None,
        base_prompt: "Help.".into(),
        default_model: ModelChoice {
            provider: None,
            model: String::new(),
        },
        aliases: Vec::new(),
    }
}

/// Runs the agent to its end.
async fn run(models: &dyn Models, model: Option<&str>) -> Outcome {
    let mut callsheet = Callsheet::builder()
        .project(examples().to_string_lossy())
        .without_home()
        .build()
        .expect("the component is embedded");
    let dialects = callsheet.dialects().expect("it has them");
    let dialect = dialects.iter().find(|dialect| dialect.id == "claude-code");
    let dialect = dialect.expect("it is one of them");
    let tools = LocalTools::new(&examples(), dialect, Options::default()).expect("the examples are there");
    let mut catalog = callsheet.open("claude-code").expect("the dialect is known");
    let task = Task {
        agent: AGENT.into(),
        prompt: PROMPT.into(),
        description: None,
        model: model.map(str::to_owned),
    };
    let mut settings = settings();
    if let Some(model) = model {
        settings
            .aliases
            .push((model.into(), callsheet::model::parse(model)));
    }
    let mut session = catalog
        .session(&task, &tools.specs(), &settings)
        .expect("the agent is active");
    loop {
        if let Some(outcome) = session.outcome().expect("it does not trap") {
            return outcome;
        }
        for outstanding in session.poll(0, 0).expect("it does not trap") {
            let reply = match &outstanding.step {
                Step::AskModel(request) => models
                    .complete(request, &|_| {})
                    .await
                    .map(|it| Reply::Model(it.answer)),
                Step::CallTool(request) => tools.call(request, &Caller::default()).await.map(Reply::Tool),
            };
            let reply = reply.unwrap_or_else(Reply::Failed);
            session
                .reply(outstanding.id, &reply, 0)
                .expect("it is outstanding");
        }
    }
}

#[tokio::test]
async fn the_example_runs_without_a_network() {
    let file = examples().join("review.jsonl");
    let expected = Outcome {
        ending: Ending::Answer,
        text: answers()[1].text.clone(),
    };
    if std::env::var_os("BLESS").is_some() {
        let script = Arc::new(Script(Mutex::new(answers())));
        let recorder = Recorder::new(script, &file, None).expect("the examples can be written");
        assert_eq!(run(&recorder, None).await, expected);
    }
    // With the recording named as the model, and without.
    for model in [None, Some("replay:review.jsonl")] {
        let replay = Replay::open(&file).expect("it is a recording");
        assert_eq!(
            run(&replay, model).await,
            expected,
            "{model:?}: run with BLESS=1 to record it"
        );
        assert_eq!(replay.left(), 0);
    }
}
