//! Delegations with a scripted model: what agents are asked, and what becomes of it, is data.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use callsheet::conversation::{
    CallError, ModelAnswer, ModelRequest, Role, ToolAnswer, ToolCall, ToolRequest, ToolSpec,
};
use callsheet::delegation::{
    Bounds, Event, Happening, ModelChoice, Outcome, Outstanding, PermissionMode, Reply, Settings, Step, Task,
};
use callsheet_core::catalog::{Catalog, Options};
use callsheet_core::dialect::{Dialect, Dialects, Level};
use callsheet_core::files::{FileEntry, FileError, FileKind, Files, Stamp};
use serde::Deserialize;

use crate::invariants::with_dialects;
use crate::machine::{Component, Machine, Native};

/// A delegation and those who take part in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Script {
    /// One sentence: what is being pinned.
    pub about: String,
    /// The document and the section that demands it.
    pub seed: Option<String>,
    dialect: String,
    agent: String,
    task: String,
    model: Option<String>,
    /// The host's tools, and what they answer. One that is not here fails.
    tools: BTreeMap<String, String>,
    #[serde(default)]
    bounds: BTreeMap<String, u64>,
    #[serde(default)]
    attenuate: bool,
    #[serde(default)]
    aliases: BTreeMap<String, String>,
    #[serde(default)]
    base_prompt: String,
    /// What is done without asking.
    mode: Option<String>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    trusted: Vec<String>,
    /// Whether the account says what the user is asked.
    #[serde(default)]
    permitted: bool,
    /// Files by name.
    agents: BTreeMap<String, String>,
    /// What models say: the first line that fits is it.
    says: Vec<Line>,
    /// Whether the order of the replies may make a difference: a bound on all of the session does.
    #[serde(default)]
    ordered: bool,
}

/// What a model says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Line {
    /// The agent, its callers' names before it.
    agent: String,
    /// How often it has spoken, this time included.
    turn: Option<usize>,
    /// A part of the last thing that it was asked.
    asked: Option<String>,
    #[serde(default)]
    text: String,
    /// Calls: the tool and its arguments.
    #[serde(default)]
    calls: Vec<(String, String)>,
    /// The names of the calls, if they are not to be told apart.
    id: Option<String>,
    #[serde(default)]
    tokens: (u32, u32),
    cost: Option<u64>,
    fails: Option<String>,
}

/// What becomes of a script.
pub struct Played<M> {
    /// How it ended, what everybody was asked, and what was refused.
    pub account: String,
    /// The session after its end.
    pub session: M,
}

impl Script {
    /// Every script, sorted by name.
    pub fn all() -> Vec<(PathBuf, Self)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/delegation");
        let entries = fs::read_dir(folder).expect("the folder is there");
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.expect("it can be listed").path())
            .collect();
        paths.retain(|path| path.extension().is_some_and(|it| it == "toml"));
        paths.sort();
        let load = |path: PathBuf| {
            let text = fs::read_to_string(&path).expect("it can be read");
            let script = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path, script)
        };
        paths.into_iter().map(load).collect()
    }

    /// Whether the order of replies does not matter.
    pub fn any_order(&self) -> bool {
        !self.ordered
    }

    /// A session at its beginning, on the core.
    pub fn open(&self) -> Native {
        with_dialects(|dialects| {
            let mut catalog = self.catalog(dialects);
            Native::open(&mut catalog, self.task(), self.specs(), self.settings())
        })
        .expect("the agent is in force")
    }

    /// The same on the component.
    pub fn open_component(&self) -> Component {
        let folder = with_dialects(|dialects| {
            folder(dialects.get(&self.dialect).expect("it is a dialect")).to_owned()
        });
        let files = self.agents.iter();
        let files: Vec<_> = files
            .map(|(name, text)| (format!("{folder}/{name}.md"), text.clone()))
            .collect();
        let (task, specs, settings) = (self.task(), self.specs(), self.settings());
        Component::open(&self.dialect, &files, &task, &specs, &settings).expect("the agent is in force")
    }

    fn task(&self) -> Task {
        Task {
            agent: self.agent.clone(),
            prompt: self.task.clone(),
            description: None,
            model: self.model.clone(),
        }
    }

    fn catalog(&self, dialects: &Dialects) -> Catalog {
        let dialect = dialects.get(&self.dialect).expect("it is a dialect");
        let files = Box::new(Shelf::new(dialect, &self.agents));
        let options = Options {
            dialect: self.dialect.clone(),
            project: "p".to_owned(),
            ancestors: Vec::new(),
            home: None,
            plugins: Vec::new(),
            directories: Vec::new(),
            inline: None,
            cache_capacity: 100,
            fail_closed: false,
            check: false,
        };
        Catalog::open(files, dialects, options).expect("there are no inline agents")
    }

    fn specs(&self) -> Vec<ToolSpec> {
        let spec = |name: &String| ToolSpec {
            name: name.clone(),
            description: format!("The tool {name}."),
            schema: r#"{"type":"object"}"#.to_owned(),
        };
        self.tools.keys().map(spec).collect()
    }

    /// What the host says of it.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings {
            bounds: Bounds {
                depth: 3,
                turns: 50,
                total_turns: 500,
                children: 100,
                parallel: 10,
                tokens: None,
                cost: None,
                deadline: None,
                result_bytes: 100_000,
            },
            attenuate: self.attenuate,
            mode: self.mode(),
            allow: self.allow.clone(),
            trusted: self.trusted.clone(),
            root: "/work/project".to_owned(),
            home: Some("/home/me".to_owned()),
            base_prompt: self.base_prompt.clone(),
            default_model: ModelChoice {
                provider: None,
                model: "default-model".to_owned(),
            },
            aliases: self.aliases.iter().map(alias).collect(),
        };
        for (name, value) in &self.bounds {
            let bounds = &mut settings.bounds;
            let small = u32::try_from(*value).expect("it is small");
            match &**name {
                "depth" => bounds.depth = small,
                "turns" => bounds.turns = small,
                "total-turns" => bounds.total_turns = small,
                "children" => bounds.children = small,
                "parallel" => bounds.parallel = small,
                "result-bytes" => bounds.result_bytes = small,
                "tokens" => bounds.tokens = Some(*value),
                "cost" => bounds.cost = Some(*value),
                "deadline" => bounds.deadline = Some(*value),
                other => panic!("there is no bound `{other}`"),
            }
        }
        settings
    }

    fn mode(&self) -> PermissionMode {
        match self.mode.as_deref() {
            None | Some("default") => PermissionMode::Default,
            Some("plan") => PermissionMode::Plan,
            Some("accept-edits") => PermissionMode::AcceptEdits,
            Some("bypass") => PermissionMode::Bypass,
            Some(other) => panic!("there is no mode `{other}`"),
        }
    }

    /// Plays it to its end. `pick` chooses which of several steps is answered; `between` may put the session away and take
    /// it up again.
    pub fn play<M: Machine>(
        &self,
        mut session: M,
        mut pick: impl FnMut(usize) -> usize,
        mut between: impl FnMut(M) -> M,
    ) -> Played<M> {
        let (mut asked, mut refused, mut now, mut known) = (Vec::new(), Vec::new(), 0, 0);
        for _ in 0..10_000 {
            session = between(session);
            now += 1;
            let mut steps = session.poll(now, 0);
            let new = steps.iter().filter(|step| step.id >= known).cloned();
            assert_eq!(session.poll(now, known), new.collect::<Vec<_>>());
            known = steps.last().map_or(known, |step| step.id + 1);
            note(&session.events(), &mut refused);
            if steps.is_empty() {
                break;
            }
            let Outstanding { id, step } = steps.swap_remove(pick(steps.len()));
            let reply = match &step {
                Step::AskModel(request) => {
                    asked.push(self.record(request));
                    self.model(request)
                }
                Step::CallTool(request) => self.tool(request, &mut asked),
            };
            session.reply(id, reply, now).expect("the step is outstanding");
            note(&session.events(), &mut refused);
        }
        asked.sort();
        refused.sort();
        let mut account = String::new();
        for part in asked.into_iter().chain(refused) {
            account.push_str(&part);
            account.push('\n');
        }
        let outcome = match session.outcome() {
            Some(Outcome::Answer(text)) => format!("answer: {text}"),
            Some(Outcome::Bound(end)) => format!("bound {}: {}", end.bound, end.partial),
            Some(Outcome::Failed(text)) => format!("failed: {text}"),
            Some(Outcome::Cancelled) => "cancelled".to_owned(),
            None => "it does not end".to_owned(),
        };
        let _ = writeln!(account, "{outcome}\n{:?}", session.usage());
        Played { account, session }
    }

    /// Whether time plays a part.
    pub fn has_deadline(&self) -> bool {
        self.bounds.contains_key("deadline")
    }

    /// What a model says.
    pub fn model_says(&self, request: &ModelRequest) -> Result<ModelAnswer, CallError> {
        match self.model(request) {
            Reply::Model(answer) => Ok(answer),
            Reply::Failed(error) => Err(error),
            Reply::Tool(_) => unreachable!("models are no tools"),
        }
    }

    /// What a tool answers.
    pub fn tool_says(&self, request: &ToolRequest) -> Result<ToolAnswer, CallError> {
        match self.tool(request, &mut Vec::new()) {
            Reply::Tool(answer) => Ok(answer),
            Reply::Failed(error) => Err(error),
            Reply::Model(_) => unreachable!("tools are no models"),
        }
    }

    fn record(&self, request: &ModelRequest) -> String {
        let mut out = format!("== {}", request.agent.join("/"));
        let provider = request
            .provider
            .as_deref()
            .map_or(String::new(), |it| format!("{it}:"));
        let tools: Vec<&str> = request.tools.iter().map(|tool| &*tool.name).collect();
        let _ = write!(
            out,
            " asks {provider}{} (tools: {})",
            request.model,
            tools.join(", ")
        );
        for (word, value) in [("max", request.max_tokens), ("thinking", request.thinking_budget)] {
            if let Some(value) = value {
                let _ = write!(out, " {word} {value}");
            }
        }
        let endpoint = [("url", &request.base_url), ("key", &request.api_key_variable)];
        for (word, value) in endpoint {
            if let Some(value) = value {
                let _ = write!(out, " {word} {value}");
            }
        }
        if let Some(effort) = &request.effort {
            let _ = write!(out, " effort {effort}");
        }
        for message in &request.messages {
            let failed = if message.is_error { " (error)" } else { "" };
            let calls = message
                .calls
                .iter()
                .map(|call| format!(" -> {} {}", call.name, call.arguments));
            let calls: String = calls.collect();
            let who = match message.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
                Role::Tool => "tool",
            };
            let _ = write!(out, "\n{who}{failed}: {}{calls}", message.text);
        }
        out + "\n"
    }

    fn model(&self, request: &ModelRequest) -> Reply {
        let path = request.agent.join("/");
        let turn = 1 + request
            .messages
            .iter()
            .filter(|message| message.role == Role::Assistant)
            .count();
        let mut users = request
            .messages
            .iter()
            .filter(|message| message.role == Role::User);
        let asked = users.next_back().map_or("", |message| &message.text);
        let fits = |line: &&Line| {
            line.agent == path
                && line.turn.is_none_or(|at| at == turn)
                && line.asked.as_ref().is_none_or(|part| asked.contains(part))
        };
        let line = self.says.iter().find(fits);
        let line = line.unwrap_or_else(|| panic!("{}: {path} has nothing to say at {turn}", self.about));
        if let Some(reason) = &line.fails {
            return Reply::Failed(CallError::Other(reason.clone()));
        }
        let calls = line
            .calls
            .iter()
            .enumerate()
            .map(|(at, (name, arguments))| ToolCall {
                id: line.id.clone().unwrap_or_else(|| format!("{turn}.{at}")),
                name: name.clone(),
                arguments: arguments.clone(),
            });
        Reply::Model(ModelAnswer {
            text: line.text.clone(),
            calls: calls.collect(),
            input_tokens: line.tokens.0,
            output_tokens: line.tokens.1,
            cost: line.cost,
        })
    }

    fn tool(&self, request: &ToolRequest, asked: &mut Vec<String>) -> Reply {
        let call = &request.call;
        let question = match (self.permitted, request.permitted) {
            (true, true) => " (permitted)",
            (true, false) => " (asked for)",
            (false, _) => "",
        };
        asked.push(format!(
            "== {} runs {} {}{question}\n",
            request.agent.join("/"),
            call.name,
            call.arguments
        ));
        match &*self.tools[&call.name] {
            "" => Reply::Failed(CallError::Denied("the user said no".to_owned())),
            text => Reply::Tool(ToolAnswer {
                text: text.to_owned(),
                is_error: false,
            }),
        }
    }
}

fn alias((name, model): (&String, &String)) -> (String, ModelChoice) {
    let (provider, model) = match model.split_once(':') {
        Some((provider, model)) => (Some(provider.to_owned()), model),
        None => (None, &**model),
    };
    let model = model.to_owned();
    (name.clone(), ModelChoice { provider, model })
}

/// What an account keeps of the events: what nobody outside was asked.
fn note(events: &[Event], refused: &mut Vec<String>) {
    for event in events {
        let who = event.agent.join("/");
        match &event.what {
            Happening::Refused(it) => refused.push(format!("-- {who} may not {}: {}", it.tool, it.reason)),
            Happening::Ignored(what) => refused.push(format!("-- {who}: {what} is ignored")),
            _ => {}
        }
    }
}

fn folder(dialect: &Dialect) -> &str {
    let mut sources = dialect.sources.iter();
    let source = sources.find(|source| source.level == Level::Project);
    &source.expect("every dialect has one").directory
}

/// Files in the directory that is strongest for a dialect.
struct Shelf {
    folder: String,
    files: BTreeMap<String, String>,
}

impl Shelf {
    fn new(dialect: &Dialect, agents: &BTreeMap<String, String>) -> Self {
        Self {
            folder: format!("p/{}", folder(dialect)),
            files: agents
                .iter()
                .map(|(name, text)| (format!("{name}.md"), text.clone()))
                .collect(),
        }
    }
}

impl Files for Shelf {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        if path != self.folder {
            return Err(FileError::NotFound);
        }
        let entry = |(name, text): (&String, &String)| FileEntry {
            name: name.clone(),
            kind: FileKind::File,
            stamp: Stamp {
                size: text.len() as u64,
                modified: Some(1),
            },
        };
        Ok(self.files.iter().map(entry).collect())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let text = self.files.get(name).ok_or(FileError::NotFound)?;
        Ok(text.clone().into_bytes())
    }
}
