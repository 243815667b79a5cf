//! How a skill or a command is called, and what is replaced in its text.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// How a product calls a skill or a command.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct CallRules {
    /// Whether only users call it, and never the model.
    pub by_user: bool,
    /// What its list of tools does.
    pub tools: ToolsAre,
    /// The agent that may use every tool, if it names the agent that it runs in.
    pub open_agent: Option<String>,
    /// What is replaced by all arguments.
    pub arguments: Option<String>,
    /// The number of the first argument, if `$` and a number are replaced by one.
    pub first: Option<usize>,
    /// Whether `arguments` declares names, and `$ARGUMENTS[0]` is replaced by an argument.
    pub names: bool,
    /// What surrounds the name of a value that the user is asked for.
    pub asked: Option<[String; 2]>,
    /// What surrounds a command that is replaced by its output. New files have the first.
    pub commands: Vec<[String; 2]>,
    /// When such a command runs.
    pub runs: Runs,
    /// What surrounds the path of a file that is replaced by its contents.
    pub files: Option<[String; 2]>,
}

/// What the list of tools of a skill or a command does.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ToolsAre {
    /// Nothing that is known.
    #[default]
    Ignored,
    /// The tools may be used without asking.
    Approved,
    /// Others may not be used.
    Limited,
}

/// When a command in a text runs, the most cautious first.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Runs {
    /// After asking, with arguments quoted.
    #[default]
    Asked,
    /// If the tools that may be used without asking permit it.
    Approved,
    /// Always.
    Always,
}
