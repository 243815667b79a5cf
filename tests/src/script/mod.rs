//! Delegations with a scripted model: what agents are asked, and what becomes of it, is data.

mod account;
mod cast;
mod play;
mod program;
mod stage;

use std::collections::BTreeMap;
use std::path::Path;

use callsheet::delegation::{Bounds, ModelChoice, PermissionMode, Settings, Task};
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
    /// Tools, and what they answer: one that answers nothing is denied. Without them, agents get the host's tools, which
    /// work on the case's project.
    tools: Option<BTreeMap<String, String>>,
    #[serde(default)]
    bounds: BTreeMap<String, u64>,
    #[serde(default)]
    attenuate: bool,
    #[serde(default)]
    aliases: BTreeMap<String, String>,
    /// The prompt of those without one, if not the program's.
    base_prompt: Option<String>,
    /// What is done without asking.
    mode: Option<String>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    trusted: Vec<String>,
    /// Whether the account says how agents are offered.
    #[serde(default)]
    describe: bool,
    /// What models say: the first line that fits is it.
    #[serde(default)]
    says: Vec<Line>,
    /// What the user writes after each answer.
    #[serde(default)]
    then: Vec<String>,
    /// Whether the order of the replies may make a difference: a bound on all of the session does.
    #[serde(default)]
    ordered: bool,
}

/// What a model says.
#[derive(Clone, Debug, Deserialize)]
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

impl Script {
    /// Whether the order of replies does not matter.
    pub fn any_order(&self) -> bool {
        !self.ordered
    }

    /// Whether it begins, and can be played again: the host's tools may change files.
    pub fn repeats(&self) -> bool {
        self.tools.is_some() && !self.says.is_empty()
    }

    /// The same, and the account does not say how agents are offered: that has the order of the requests.
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

    /// Whether time plays a part.
    pub fn has_deadline(&self) -> bool {
        self.bounds.contains_key("deadline")
    }

    /// Whether the program can run it. It has tools, a prompt and a clock of its own, and its user trusts no file here.
    pub fn is_for_the_program(&self) -> bool {
        let brings = self.tools.is_some() || self.base_prompt.is_some();
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

    /// What the host says of it. Scripted tools have no files: the places may be any.
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
            Some(other) => panic!("there is no mode `{other}`"),
        }
    }
}
