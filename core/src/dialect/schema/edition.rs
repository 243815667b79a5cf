//! The shape of an edition file: what one release does with a file. Also read by the build script.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{BuiltIn, Clash, FileRule, Source};

/// A reader: one release of one product, as it really reads agent files.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Reader {
    /// Its name: `kode@2.0.2`.
    pub id: String,
    /// The release for people.
    pub title: String,
    /// The dialect that it is an edition of.
    pub dialect: String,
    /// What was run or read to learn the rules.
    pub evidence: String,
    /// Whether the rules were measured by running the release; else they are from documents.
    pub measured: bool,
    /// Whether it decides which files of its dialect load. The newest release does; a branch that was never merged does not.
    #[serde(default = "yes")]
    pub decides: bool,
    /// What it does with bytes that are not UTF-8.
    pub bad_encoding: BadEncoding,
    /// How it finds the frontmatter.
    pub fences: Fences,
    /// How it understands YAML.
    pub yaml: Loader,
    /// What it does with a frontmatter that is no YAML.
    pub bad_yaml: BadYaml,
    /// Which blanks it takes off both ends of the body.
    pub trims: Blanks,
    /// What it says to an empty body, if it drops the file for it.
    #[serde(default)]
    pub empty_body: String,
    /// Names of files that it passes over, whatever their ending.
    #[serde(default)]
    pub skips: Vec<String>,
    /// What the names of files begin with that it passes over, if any are.
    #[serde(default)]
    pub skip_prefix: String,
    /// What stands before the ending of a file and is not part of its stem: `.agent`.
    #[serde(default)]
    pub inner_ending: String,
    /// Whether one file that it refuses keeps it from loading anything of the project.
    #[serde(default)]
    pub fatal: bool,
    /// What it holds as the name.
    pub name: TextRule,
    /// What it holds as the description.
    pub description: TextRule,
    /// What it holds as the model.
    pub model: TextRule,
    /// What it holds as the colour.
    pub color: TextRule,
    /// What it holds as the tools.
    pub tools: ToolRule,
    /// What it holds as the tools that are denied, if it knows any.
    #[serde(default)]
    pub denied: Option<ToolRule>,
    /// What else it insists on.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// Where it looks, if not where its dialect's document says.
    #[serde(default)]
    pub catalog: Option<CatalogRule>,
}

fn yes() -> bool {
    true
}

/// What a release does with bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum BadEncoding {
    /// Each invalid sequence becomes U+FFFD.
    Replaced,
    /// The file is dropped.
    Dropped,
    /// They are kept as they are.
    Kept,
}

/// How a release finds the frontmatter. Each is a file in `fences/`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Fences {
    /// gray-matter 4.
    GrayMatter,
    /// front-matter 4.
    FrontMatter,
    /// python-frontmatter 1.
    PythonFrontmatter,
    /// The text split at its first two `---`, wherever they stand.
    Dashes,
    /// Lines that are `---`; only the closing one may have blanks around it.
    Lines,
    /// goldmark-meta 1, and a body that is found on its own.
    GoldmarkMeta,
    /// `---` on the first line and the next `---`, wherever it is.
    ClaudeCode,
    /// `---` on the first line and the next line that begins with it.
    GeminiCli,
    /// Lines that are exactly `---`; a line must follow the closing one.
    QwenCode,
    /// Lines that are `---`, with blanks behind them at most; there has to be a frontmatter.
    Copilot,
    /// None: the whole file is TOML.
    Toml,
}

/// How a release understands YAML. Each is a row of the table in `engine.rs`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Loader {
    /// js-yaml 3, `safeLoad`.
    JsYaml3,
    /// js-yaml 4 with `JSON_SCHEMA`.
    JsYaml4Json,
    /// js-yaml 4 with its default schema.
    JsYaml4,
    /// The `yaml` package for JavaScript with its core schema.
    NpmYaml,
    /// `Bun.YAML`.
    BunYaml,
    /// PyYAML's `SafeLoader`.
    PyYaml,
    /// serde_yaml 0.9 into a `Value`.
    SerdeYamlValue,
    /// serde_yaml 0.9 into a struct.
    SerdeYamlStruct,
    /// yaml.v2 into a map of strings.
    GoYaml2,
    /// The core schema of YAML 1.2; for a file that is TOML, what TOML means.
    Core,
}

/// What a release does with a frontmatter that is no YAML.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum BadYaml {
    /// The file is dropped.
    Dropped,
    /// The file is read as if it had none.
    Ignored,
    /// Values are quoted and it is read again; if that fails, the file is dropped.
    Repaired,
    /// Values with special characters are quoted and it is read again; if that fails, it is read as if it had none.
    Quoted,
    /// Values with a colon become blocks of text and it is read again; if that fails, the file is dropped.
    InBlocks,
    /// It is read line by line.
    LineByLine,
}

/// Which blanks a language takes off.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Blanks {
    /// None.
    None,
    /// What ECMAScript calls white space.
    EcmaScript,
    /// What Python calls white space.
    Python,
    /// What Unicode calls white space.
    Unicode,
    /// What Unicode calls white space, at the beginning only.
    UnicodeAtStart,
}

/// What a release holds of a key that is text.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TextRule {
    /// The spellings, the preferred one first.
    #[serde(default)]
    pub keys: Vec<String>,
    /// When the next spelling is looked at.
    #[serde(default)]
    pub next: Next,
    /// What it takes.
    #[serde(default)]
    pub takes: Takes,
    /// What it says where the value is missing, if it drops the file for it.
    #[serde(default)]
    pub missing: String,
    /// What it says to a value that it does not take, if it drops the file for it; else the value counts as missing.
    #[serde(default)]
    pub wrong: String,
    /// What it says to a value that it takes and that is no text, if it drops the file for it.
    #[serde(default)]
    pub only_text: String,
    /// What it holds where the value is missing: this text, if it is not empty.
    #[serde(default)]
    pub default: String,
    /// Whether it holds the file's stem where the value is missing.
    #[serde(default)]
    pub stem: bool,
    /// Whether an empty text counts as missing.
    #[serde(default)]
    pub empty_is_missing: bool,
    /// Whether the value is trimmed.
    #[serde(default)]
    pub trimmed: bool,
    /// Whether a backslash and an `n` become a line end.
    #[serde(default)]
    pub unescaped: bool,
    /// The most UTF-16 units, if there is a limit.
    #[serde(default)]
    pub longest: Option<u32>,
    /// What it says to a longer one.
    #[serde(default)]
    pub too_long: String,
    /// What it says to a line end, if it drops the file for it.
    #[serde(default)]
    pub several_lines: String,
    /// What it says to a colon, if it drops the file for it.
    #[serde(default)]
    pub no_colon: String,
    /// The only texts that it holds, if there are any.
    #[serde(default)]
    pub one_of: Vec<String>,
}

/// When the next spelling of a key is looked at.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Next {
    /// Where the key is absent.
    #[default]
    Absent,
    /// Where the key is absent or null.
    Null,
    /// Where the value is no text.
    NotText,
}

/// What is taken as a text.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    /// Text only.
    #[default]
    Text,
    /// Whatever JavaScript holds to be true, of any type.
    Truthy,
    /// Whatever JavaScript holds to be true and can be asked what it includes: a text or a list.
    Includes,
    /// Any value at all, null included.
    Anything,
    /// A scalar, as it is written.
    Written,
    /// A scalar, as it is written, unless it is null.
    WrittenOrNull,
    /// Anything but null, as JavaScript's `String` shows it.
    ScriptTextOrNull,
    /// The first of a list, or text.
    TextOrFirst,
    /// Anything, as Python's `str` shows it.
    PythonText,
    /// Anything but null, as Python's `str` shows it.
    PythonTextOrNull,
}

/// What a release holds of a key that lists tools.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ToolRule {
    /// The spellings, the preferred one first.
    pub keys: Vec<String>,
    /// When the next spelling is looked at.
    #[serde(default)]
    pub next: Next,
    /// Where the key is absent.
    pub absent: Extent,
    /// Where it is null.
    pub null: Extent,
    /// Where it is an empty text.
    #[serde(default)]
    pub empty_text: Option<Extent>,
    /// What text is.
    pub text: ToolText,
    /// What a list is.
    pub list: ToolList,
    /// What a list that names no tool means.
    #[serde(default)]
    pub empty: Option<Extent>,
    /// Texts that mean all tools.
    #[serde(default)]
    pub all: Vec<String>,
    /// What it means that the items have a `*` among them.
    #[serde(default)]
    pub star: Option<Extent>,
    /// Where it is anything else.
    pub other: Extent,
    /// What it says to anything else, if it drops the file for it.
    #[serde(default)]
    pub wrong: String,
    /// Whether what JavaScript holds to be false counts as null.
    #[serde(default)]
    pub falsy_is_null: bool,
}

/// What a release holds where no tools are named.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// All tools.
    All,
    /// No tools.
    None,
    /// Nothing: what it means is settled later.
    Nothing,
}

/// What text is where tools are listed.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ToolText {
    /// One tool.
    One,
    /// Tools with commas between them.
    Commas,
    /// Tools with commas or blanks between them, outside parentheses.
    Words,
}

/// What a list is where tools are listed.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ToolList {
    /// Its items that are text.
    Texts,
    /// Its items that are text, trimmed.
    TrimmedTexts,
    /// Its items that are text, each split as text is.
    Split,
    /// All its items, as Python's `str` shows them.
    PythonTexts,
    /// Nothing that it takes.
    Wrong,
}

/// What else a release insists on. Each is a function in `checks.rs`.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The keys are names that a Python function can take, and none of these.
    PythonKeywords(Vec<String>),
    /// A whole number above zero, where it is a number or text.
    PositiveInteger(String),
    /// A number above zero, where it is a number or text.
    PositiveNumber(String),
    /// One of the words, whatever the case and the blanks around it.
    PythonWord(String, Vec<String>),
    /// A map, by its first spelling that is there.
    Map(Vec<String>),
    /// Text.
    Text(String),
    /// No list and no map.
    Scalar(String),
    /// OpenHands' hooks.
    OpenHandsHooks(String),
    /// OpenHands' condenser.
    OpenHandsCondenser(String),
    /// kodelet's provider, which decides on the default model.
    KodeletProvider,
    /// kodelet's second look: what it fails is listed, but cannot be called.
    KodeletOffer,
    /// A model of its own is not kept where the agent forks its parent's context.
    ForkInherits(String),
    /// No keys but these.
    OnlyKeys(Vec<String>),
    /// A value of a key that is of this kind, where the key is there.
    Is(String, Kind),
    /// One of these words, where the key is there.
    OneOf(String, Vec<String>),
    /// Gemini CLI's agents, local and remote, with the tools that it ships.
    GeminiCliAgent(Vec<String>),
    /// Copilot CLI's servers.
    CopilotServers(String),
    /// Copilot CLI's hooks.
    CopilotHooks(String),
    /// OpenCode's map of tools, which is held as tools and denied tools.
    OpenCodeTools(String),
    /// OpenCode's permissions.
    OpenCodePermissions(String),
    /// OpenCode's colors.
    OpenCodeColor(String),
    /// OpenCode's names: an agent whose name is not text is held, but not listed.
    OpenCodeName,
    /// Qwen Code's names and prompts.
    QwenCodeAgent,
    /// Qwen Code's external executors.
    QwenCodeExecutor(String),
    /// Codex's nicknames.
    CodexNicknames(String),
    /// Codex's servers.
    CodexServers(String),
}

/// A kind of value.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Text.
    Text,
    /// Text that is not blank.
    Words,
    /// True or false.
    Boolean,
    /// Any number.
    Number,
    /// A number that is neither infinite nor undefined.
    Finite,
    /// A whole number.
    Whole,
    /// A whole number above zero.
    Count,
    /// A list of texts.
    Texts,
    /// Text, or a list of texts.
    TextOrTexts,
    /// A map.
    Map,
}

/// Where a release looks, and who wins. Takes the place of what its dialect says.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CatalogRule {
    /// Who wins among equal names.
    pub clash: Clash,
    /// Which files it reads.
    pub files: FileRule,
    /// Where it looks, in order.
    #[serde(rename = "source")]
    pub sources: Vec<Source>,
    /// The agents that it ships, if they are not its dialect's. Filled in by the build script from `builtins/<id>/`.
    #[serde(default)]
    pub built_ins: Vec<BuiltIn>,
}
