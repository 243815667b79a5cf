//! How agents load skills.

use alloc::string::{String, ToString};

use serde::{Deserialize, Serialize};

/// How the agents of a dialect load skills.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SkillTool {
    /// The tool that loads a skill by its name.
    pub tool: String,
    /// The tool's description; `{skills}` is filled in.
    #[serde(default = "tool_text")]
    pub tool_text: String,
    /// One skill in that text, with `{name}` and `{description}`.
    #[serde(default = "skill_line")]
    pub skill_line: String,
    /// The argument that names the skill.
    pub name: String,
    /// The argument with a text for the skill, if there is one.
    #[serde(default)]
    pub arguments: Option<String>,
    /// Whether commands are loaded in the same way.
    #[serde(default)]
    pub commands: bool,
    /// Whether `$ARGUMENTS` and the like are replaced in the text.
    #[serde(default)]
    pub replaces: bool,
    /// What the agent gets, with `{name}`, `{directory}` and `{text}`; of a command, only its text.
    #[serde(default = "result")]
    pub result: String,
    /// A skill in the first message of an agent that lists it, with `{name}` and `{text}`, which is `result`.
    #[serde(default)]
    pub preloaded: String,
    /// The agent of a skill that runs in one and does not name it. Empty where skills do not run in agents.
    #[serde(default)]
    pub default_agent: String,
}

fn tool_text() -> String {
    "Loads a skill: instructions for a kind of task. Call it first if the task is one that a skill describes.\n\nAvailable skills:\n{skills}"
        .to_string()
}

fn skill_line() -> String {
    "- {name}: {description}".to_string()
}

fn result() -> String {
    "Base directory for this skill: {directory}\n\n{text}".to_string()
}
