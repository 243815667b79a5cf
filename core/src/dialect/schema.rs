//! The shape of a dialect file. Also read by the build script, which turns the TOML into what the library embeds.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// A set of rules for reading agent files.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dialect {
    /// Its name.
    pub id: String,
    /// The product for people.
    pub title: String,
    /// The document or the release that the rules come from.
    pub evidence: String,
    /// How its files are written.
    #[serde(default)]
    pub format: Format,
    /// What an agent is called by that does not say.
    #[serde(default)]
    pub identity: Identity,
    /// Who wins among equal names.
    pub clash: Clash,
    /// The strictest reading that the product does without.
    pub tolerates: Tolerance,
    /// What a key that stands twice means. Where it is fine, the last one counts.
    #[serde(default = "fine")]
    pub duplicate_keys: Verdict,
    /// What a key that it does not know means.
    #[serde(default = "fine")]
    pub unknown_keys: Verdict,
    /// What happens to the blanks around the body.
    pub body: BodyRule,
    /// Which files it reads.
    pub files: FileRule,
    /// What `tools` means where it says nothing.
    pub tools: ToolDefaults,
    /// Words that stand for a model.
    #[serde(default)]
    pub model_aliases: Vec<String>,
    /// Whether any word may name a model, as a profile of the user's own.
    #[serde(default)]
    pub any_model: bool,
    /// Whether a model may be called as people call it.
    #[serde(default)]
    pub titled_models: bool,
    /// Whether a broken file keeps its name from weaker ones.
    #[serde(default)]
    pub broken_keeps_name: bool,
    /// Whether an agent of a plugin is called `plugin:name`.
    #[serde(default)]
    pub plugin_prefix: bool,
    /// Whether names that differ only in case and separators are one.
    #[serde(default)]
    pub folds_names: bool,
    /// Agents that it ships and that are not among the built-in ones here.
    #[serde(default)]
    pub other_agents: Vec<String>,
    /// Where it looks for skills, below the project and the home directory.
    #[serde(default)]
    pub skills: Vec<String>,
    /// The project's file of MCP servers.
    #[serde(default)]
    pub server_file: Option<String>,
    /// From how many tokens of all descriptions together it warns.
    #[serde(default)]
    pub description_budget: Option<u32>,
    /// How the sources of its plugins are told.
    #[serde(default)]
    pub plugin_source: Option<PluginSource>,
    /// What it says to a name that no agent has; `{name}` and `{names}` are filled in.
    pub not_found: String,
    /// How its agents call each other.
    pub delegation: Delegation,
    /// Where it looks, in the order that its document gives: the strongest first under `first-wins`, else last.
    #[serde(rename = "source")]
    pub sources: Vec<Source>,
    /// The keys that it knows.
    #[serde(rename = "key")]
    pub keys: Vec<Key>,
    /// The agents that it ships. Filled in by the build script from `builtins/<id>/`.
    #[serde(default)]
    pub built_ins: Vec<BuiltIn>,
}

/// How the source of a plugin is told from other folders.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PluginSource {
    /// The folder that marks one.
    pub mark: String,
    /// The folder beside it that holds the agents.
    pub directory: String,
}

/// How files are written.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Markdown after a frontmatter of YAML.
    #[default]
    Markdown,
    /// TOML, the prompt being one of its values.
    Toml,
}

/// What an agent is called by that does not say.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Identity {
    /// Its file's name, without the ending.
    #[default]
    Stem,
    /// The same with the directories below the source in front.
    Path,
}

/// Who wins among equal names.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Clash {
    /// The first source that has the name.
    FirstWins,
    /// The last source that has the name.
    LastWins,
    /// The last source that has the name, with the keys it lacks taken from the ones before.
    Merge,
}

/// The strictest reading that a product does without.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Tolerance {
    /// None: a frontmatter that is no YAML is refused.
    Strict,
    /// Values that should have been quoted are accepted.
    UnquotedValues,
}

/// What happens to the blanks around a body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BodyRule {
    /// Whether they are trimmed.
    pub trim: bool,
    /// What an empty body means.
    pub empty: Verdict,
    /// What the product says to it.
    #[serde(default)]
    pub empty_text: String,
    /// What a file without frontmatter is.
    pub no_frontmatter: NoFrontmatter,
    /// Whether the closing fence may be indented.
    #[serde(default)]
    pub indented_fence: bool,
    /// The fewest characters.
    #[serde(default)]
    pub shortest: Option<u32>,
    /// The most characters.
    #[serde(default)]
    pub longest: Option<u32>,
    /// What fewer or more mean.
    #[serde(default = "ignored")]
    pub out_of_bounds: Verdict,
}

/// What a file without frontmatter is.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum NoFrontmatter {
    /// No agent, but some other document.
    NotAnAgent,
    /// An agent all of whose keys are absent.
    Agent,
}

/// What something wrong means for the agent.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing.
    Fine,
    /// It loads, as if the key were absent.
    Ignored,
    /// It is listed, but cannot be called.
    Withheld,
    /// It is not loaded.
    Dropped,
}

/// How the agents of a dialect call each other.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Delegation {
    /// The tool that calls any agent. Empty where every agent is a tool of its own, called by its name.
    #[serde(default)]
    pub tool: String,
    /// What the tool says of itself; `{agents}` is filled in. Of an agent that is a tool: what it says where it has no
    /// description, with `{name}`, `{provider}` and `{model}`.
    pub tool_text: String,
    /// One agent in that text, with `{name}`, `{description}` and `{tools}`.
    #[serde(default)]
    pub agent_line: String,
    /// The agent that is called where a call names none.
    #[serde(default)]
    pub default_agent: String,
    /// Where an agent's prompt goes.
    pub prompt: PromptPlace,
    /// What an agent is asked, with `{prompt}` and `{task}`, where its prompt goes there.
    #[serde(default)]
    pub user_text: String,
    /// The model of an agent that names none.
    pub model_absent: ModelAbsent,
    /// How commands are matched.
    pub commands: CommandPatterns,
    /// What the caller gets of an answer, with `{name}` and `{text}`.
    pub result: String,
    /// What it gets instead of an empty one.
    pub empty: String,
    /// What it gets if there is none, with `{name}` and `{text}`.
    pub failed: String,
}

/// Where an agent's prompt goes.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum PromptPlace {
    /// It is the system prompt.
    Replace,
    /// After the caller's system prompt.
    Append,
    /// Into the first message, before the task.
    User,
}

/// The model of an agent that names none.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ModelAbsent {
    /// The caller's.
    Parent,
    /// The default one.
    Default,
}

/// How commands are matched.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum CommandPatterns {
    /// `git *` and `git:*` stand for `git` alone, too, and `*` for any text.
    Prefix,
    /// `*` stands for any text, and nothing else is special.
    Glob,
}

/// Which files a dialect reads.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FileRule {
    /// Endings, without the dot, the strongest first. An empty one stands for a name without a dot.
    pub extensions: Vec<String>,
    /// Names that are skipped, whatever their ending.
    #[serde(default)]
    pub skip: Vec<String>,
    /// What names begin with that are skipped; empty for nothing.
    #[serde(default)]
    pub skip_prefix: String,
    /// Whether names that begin with a dot are read.
    pub hidden: bool,
    /// The rule in words.
    pub words: String,
}

/// What `tools` means where it says nothing.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ToolDefaults {
    /// Where the key is absent.
    pub absent: Extent,
    /// Where it has no value.
    pub null: Extent,
    /// Where the list is empty.
    pub empty: Extent,
    /// What a name that is no tool's means for the agent.
    #[serde(default = "fine")]
    pub unknown: Verdict,
    /// What a specifier does in the list.
    #[serde(default)]
    pub specifiers: Specifiers,
}

/// What a specifier does in a list of tools that are allowed.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Specifiers {
    /// It narrows the tool.
    #[default]
    Narrow,
    /// Nothing: the whole tool is allowed.
    Ignored,
    /// It is part of the name.
    Literal,
}

/// All tools or none.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// All that the parent has.
    All,
    /// None.
    None,
}

/// A place where a dialect looks.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Source {
    /// The kind of place.
    pub level: Level,
    /// The directory, below the project or the home directory or from the root, as `level` says. Empty for the others.
    #[serde(default)]
    pub directory: String,
    /// Whether the directories below are searched too.
    #[serde(default)]
    pub recursive: bool,
    /// Whether the project's ancestors are searched too, the project itself being the strongest.
    #[serde(default)]
    pub ancestors: bool,
    /// Whether the outermost of them is the strongest instead.
    #[serde(default)]
    pub outermost_wins: bool,
    /// Whether the directory is the product's own.
    #[serde(default)]
    pub owned: bool,
}

/// The kind of a place that agents come from.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Shipped with the dialect.
    BuiltIn,
    /// A plugin's agents directory.
    Plugin,
    /// The user's own directories.
    User,
    /// The project's directories.
    Project,
    /// Directories that an administrator manages.
    Policy,
    /// Given on the command line.
    CommandLine,
    /// Registered by the host.
    Programmatic,
}

/// A key that a dialect knows.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Key {
    /// The canonical name.
    pub field: String,
    /// The spellings, the preferred one first; the first that is there counts.
    pub spellings: Vec<String>,
    /// What values it takes.
    pub shape: Shape,
    /// What its absence means.
    #[serde(default = "fine")]
    pub missing: Verdict,
    /// What a value that it does not take means.
    #[serde(default = "ignored")]
    pub wrong: Verdict,
    /// Whether a value that it does not take counts as an empty list rather than as absent.
    #[serde(default)]
    pub wrong_is_empty: bool,
    /// Whether items of a list that are no text are left out.
    #[serde(default)]
    pub text_items: bool,
    /// What holds where it is absent, in words, for people.
    #[serde(default)]
    pub default: String,
    /// The fewest characters.
    #[serde(default)]
    pub shortest: Option<u32>,
    /// What a converted file says where the one that it was made of does not.
    #[serde(default)]
    pub fill: Option<String>,
    /// The most characters.
    #[serde(default)]
    pub longest: Option<u32>,
    /// Values that are not taken.
    #[serde(default)]
    pub none_of: Vec<String>,
    /// Whether line ends are not taken.
    #[serde(default)]
    pub single_line: bool,
    /// Whether releases turn a backslash and an `n` into a line end: text that holds both cannot be written.
    #[serde(default)]
    pub unescapes: bool,
    /// The spelling that is written, where releases do not read the preferred one.
    #[serde(default)]
    pub write_as: Option<String>,
    /// The form that names are to have.
    #[serde(default)]
    pub form: Option<Form>,
    /// What another form means. Where that is nothing, the form is advice.
    #[serde(default = "fine")]
    pub other_form: Verdict,
    /// The only values that are taken, if the condition holds.
    #[serde(default)]
    pub one_of: Vec<String>,
    /// The condition: another canonical field with one of these values.
    #[serde(default)]
    pub if_field: Option<Condition>,
    /// The smallest number that is taken.
    #[serde(default)]
    pub at_least: Option<i64>,
    /// What numbers, enumerations and lengths out of bounds mean.
    #[serde(default = "ignored")]
    pub out_of_bounds: Verdict,
    /// The places where the key has no effect.
    #[serde(default)]
    pub ignored_at: Vec<Level>,
    /// The events that there are, of a map from events.
    #[serde(default)]
    pub events: Vec<String>,
    /// What the product says where the key is missing; `{name}` is filled in.
    #[serde(default)]
    pub missing_text: String,
    /// What the product says to a value out of bounds; `{name}` and `{value}` are filled in.
    #[serde(default)]
    pub bounds_text: String,
}

fn fine() -> Verdict {
    Verdict::Fine
}

fn ignored() -> Verdict {
    Verdict::Ignored
}

/// Another field and what it has to be.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Condition {
    /// The canonical field.
    pub field: String,
    /// Its value.
    pub is: String,
}

/// The form of a name.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Lower-case letters, digits and single hyphens.
    Kebab,
    /// Lower-case letters, digits, hyphens and underscores.
    Slug,
    /// Letters and digits of any script, and hyphens and underscores between them.
    Word,
}

/// What values a key takes.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Text; plain numbers and booleans are not taken.
    Text,
    /// Any scalar, as it is written; null counts as absent.
    Scalar,
    /// A whole number.
    Integer,
    /// A number, whole or not.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A map from tools to `true` or `false`.
    Switches,
    /// An action, a map from tools to actions or to maps from patterns to actions, or a list of rules that say the same.
    Permissions,
    /// Tools, by these rules.
    Tools(ToolShape),
    /// Words: a list, or text with commas.
    Words,
    /// An endpoint: a map of two keys.
    Endpoint,
    /// A map, or a list of names and maps: only the names count.
    Names,
    /// Anything: kept verbatim.
    Any,
}

/// How a list of tools is written.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ToolShape {
    /// What text is.
    pub text: ToolText,
    /// Whether lists are taken.
    pub list: bool,
    /// Words that mean all tools.
    #[serde(default)]
    pub all: Vec<String>,
    /// Whether new files have text where a list would be taken too: other products that read them know only that.
    #[serde(default)]
    pub write_text: bool,
}

/// What text is where tools are listed.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ToolText {
    /// Tools with commas between them.
    Commas,
    /// One tool.
    One,
    /// Nothing: it is not taken.
    Never,
}

/// An agent that a dialect ships.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BuiltIn {
    /// Its file's name.
    pub file: String,
    /// Its file's text.
    pub text: String,
}
