//! Delegations with a scripted model: requests and results are data.

mod account;
mod cast;
mod play;
mod program;
mod stage;

use std::collections::BTreeMap;
use std::path::Path;

use callsheet::delegation::{
    Bounds, Isolation, ModelChoice, PermissionMode, Repository, Settings, Surroundings, Task, Workspaces,
};
use callsheet::model;
use callsheet_core::session;
use serde::Deserialize;

pub use self::account::Account;
pub use self::cast::Cast;
pub use self::play::{Played, play};
pub use self::program::by_program;
pub use self::stage::Stage;

/// A delegation. Its agents are the case's files.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Script {
    dialect: String,
    agent: String,
    task: String,
    model: Option<String>,
    /// Tools, and their answers: one without an answer is denied. Without them, agents get the host's tools, which
    /// work on the case's project.
    tools: Option<BTreeMap<String, String>>,
    #[serde(default)]
    bounds: BTreeMap<String, u64>,
    #[serde(default)]
    attenuate: bool,
    #[serde(default)]
    aliases: BTreeMap<String, String>,
    /// The prompt of agents without one, if not the program's.
    base_prompt: Option<String>,
    /// What needs no confirmation.
    mode: Option<String>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    trusted: Vec<String>,
    /// Whether the host makes worktrees for agents that ask for isolation.
    #[serde(default)]
    worktrees: bool,
    /// What agents are told about where they work.
    surroundings: Option<Told>,
    /// Whether the account says how agents are offered.
    #[serde(default)]
    describe: bool,
    /// What models say: the first line that fits is used.
    #[serde(default)]
    says: Vec<Line>,
    /// What the user writes after each answer.
    #[serde(default)]
    then: Vec<String>,
    /// Whether the order of the replies may make a difference, as a limit on the whole session does.
    #[serde(default)]
    ordered: bool,
}

/// What agents are told about where they work.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Told {
    directory: String,
    platform: String,
    date: String,
    branch: Option<String>,
    #[serde(default)]
    changes: Vec<String>,
    /// Without them, the directory is in no repository.
    commits: Option<Vec<String>>,
    /// Whether agents get only instructions that are shared.
    #[serde(default)]
    shared: bool,
}

impl From<Told> for Surroundings {
    fn from(told: Told) -> Self {
        Self {
            directory: told.directory,
            platform: told.platform,
            date: told.date,
            personal: !told.shared,
            is_repository: told.commits.is_some(),
            repository: told.commits.map(|commits| Repository {
                branch: told.branch,
                changes: told.changes,
                commits,
            }),
        }
    }
}

/// An answer of a model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Line {
    /// The agent, after its callers' names.
    agent: String,
    /// How often it has answered, this time included.
    turn: Option<usize>,
    /// A part of the last message to it.
    asked: Option<String>,
    #[serde(default)]
    text: String,
    /// Calls: the tool and its arguments.
    #[serde(default)]
    calls: Vec<(String, String)>,
    /// The ids of the calls, if they may be equal.
    id: Option<String>,
    #[serde(default)]
    tokens: (u32, u32),
    cost: Option<u64>,
    fails: Option<String>,
    /// Requests with more bytes of text are refused as too long.
    most_bytes: Option<usize>,
}

impl Script {
    /// Whether the order of replies does not matter.
    pub fn any_order(&self) -> bool {
        !self.ordered
    }

    /// Whether it starts, and can be played again: the host's tools may change files.
    pub fn repeats(&self) -> bool {
        self.tools.is_some() && !self.says.is_empty()
    }

    /// The same, without how agents are offered, which has the order of the requests.
    pub fn without_descriptions(&self) -> Self {
        Self {
            describe: false,
            ..self.clone()
        }
    }

    /// Whether its first answer is its last.
    pub fn ends_at_once(&self) -> bool {
        self.then.is_empty()
    }

    /// Whether time matters.
    pub fn has_deadline(&self) -> bool {
        self.bounds.contains_key("deadline")
    }

    /// Whether the program can run it. It has its own tools, prompt and clock, and trusts no file here.
    pub fn is_for_the_program(&self) -> bool {
        let brings = self.tools.is_some() || self.base_prompt.is_some() || self.worktrees;
        !brings && self.ends_at_once() && !self.has_deadline() && self.trusted.is_empty()
    }

    fn task(&self) -> Task {
        Task {
            agent: self.agent.clone(),
            prompt: self.task.clone(),
            description: None,
            model: self.model.clone(),
        }
    }

    /// Its settings. Scripted tools have no files, so the places may be any.
    pub fn settings(&self, project: &Path) -> Settings {
        let home = || project.with_file_name("home").to_string_lossy().into_owned();
        let (root, home) = match &self.tools {
            Some(_) => ("/work/project".to_owned(), "/home/me".to_owned()),
            None => (project.to_string_lossy().into_owned(), home()),
        };
        let alias = |(name, model): (&String, &String)| (name.clone(), model::parse(model));
        let usual = session::Settings::new(String::new(), None);
        Settings {
            bounds: self.bounds(),
            attenuate: self.attenuate,
            mode: self.mode(),
            allow: self.allow.clone(),
            trusted: self.trusted.clone(),
            root,
            isolation: if self.worktrees {
                Isolation::Worktrees(Workspaces {
                    directory: "/work/trees".to_owned(),
                    project: "app".to_owned(),
                })
            } else {
                Isolation::Unavailable(session::Isolation::UNSUPPORTED.to_owned())
            },
            surroundings: self.surroundings.clone().map(Into::into),
            home: Some(home),
            base_prompt: self.base_prompt.clone().unwrap_or(usual.base_prompt),
            default_model: ModelChoice {
                provider: None,
                model: "default-model".to_owned(),
            },
            aliases: self.aliases.iter().map(alias).collect(),
        }
    }

    fn bounds(&self) -> Bounds {
        let own = |name: &str| self.bounds.get(name).copied();
        let small =
            |name: &str, usual: u32| own(name).map_or(usual, |own| u32::try_from(own).expect("it is small"));
        let usual = session::Bounds::default();
        Bounds {
            depth: small("depth", usual.depth),
            turns: small("turns", usual.turns),
            total_turns: small("total-turns", usual.total_turns),
            children: small("children", usual.children),
            parallel: small("parallel", usual.parallel),
            tokens: own("tokens"),
            cost: own("cost"),
            context: own("context"),
            deadline: own("deadline"),
            result_bytes: small("result-bytes", usual.result_bytes),
        }
    }

    fn mode(&self) -> PermissionMode {
        match self.mode.as_deref() {
            None | Some("default") => PermissionMode::Default,
            Some("plan") => PermissionMode::Plan,
            Some("accept-edits") => PermissionMode::AcceptEdits,
            Some("bypass") => PermissionMode::Bypass,
            Some(other) => panic!("unknown mode `{other}`"),
        }
    }
}
