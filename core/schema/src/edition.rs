//! The schema of an edition file: how one release reads a file.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::verdict::yes;
use crate::{BuiltIn, Clash, FileRule, Kind, Source};

/// A reader: one release of one product, as it reads agent files.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Reader {
    /// Its name: `kode@2.0.2`.
    pub id: String,
    /// The release, for display.
    pub title: String,
    /// The dialect that it is an edition of.
    pub dialect: String,
    /// What the files that it reads define.
    #[serde(default)]
    pub kind: Kind,
    /// What was run or read to learn the rules.
    pub evidence: String,
    /// Whether the rules were measured by running the release; otherwise they are from documents.
    pub measured: bool,
    /// Whether it decides which files of its dialect load. The newest release does; a branch that was never merged does not.
    #[serde(default = "yes")]
    pub decides: bool,
    /// How it reads bytes that are not UTF-8.
    pub bad_encoding: BadEncoding,
    /// How it finds the frontmatter.
    pub fences: Fences,
    /// How it reads YAML.
    pub yaml: Loader,
    /// How it handles frontmatter that is not valid YAML.
    pub bad_yaml: BadYaml,
    /// The whitespace it trims from both ends of the body.
    pub trims: Blanks,
    /// Its message for an empty body, if it drops the file for it.
    #[serde(default)]
    pub empty_body: String,
    /// Names of files that it ignores with any extension.
    #[serde(default)]
    pub skips: Vec<String>,
    /// The prefix of the names of files that it ignores, if any.
    #[serde(default)]
    pub skip_prefix: String,
    /// The part before a file's extension that is not part of its stem: `.agent`.
    #[serde(default)]
    pub inner_ending: String,
    /// Whether one refused file keeps it from loading anything of the project.
    #[serde(default)]
    pub fatal: bool,
    /// What it holds as the name.
    pub name: TextRule,
    /// What it holds as the description.
    pub description: TextRule,
    /// What it holds as the model.
    pub model: TextRule,
    /// What it holds as the color.
    pub color: TextRule,
    /// What it holds as the tools.
    pub tools: ToolRule,
    /// What it holds as the denied tools, if it has any.
    #[serde(default)]
    pub denied: Option<ToolRule>,
    /// Its further checks.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// Its sources, if they differ from its dialect's documentation.
    #[serde(default)]
    pub catalog: Option<CatalogRule>,
}

/// How a release reads bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum BadEncoding {
    /// Each invalid sequence becomes U+FFFD.
    Replaced,
    /// The file is dropped.
    Dropped,
    /// They are kept.
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
    /// The text split at its first two `---`, in any position.
    Dashes,
    /// Lines that are `---`; only the closing one may have spaces around it.
    Lines,
    /// goldmark-meta 1, and a body that is found on its own.
    GoldmarkMeta,
    /// `---` on the first line and the next `---`, in any position.
    ClaudeCode,
    /// `---` on the first line and the next line that starts with it.
    GeminiCli,
    /// Lines that are exactly `---`; a line must follow the closing one.
    QwenCode,
    /// Lines that are `---`, with trailing spaces at most; frontmatter is required.
    Copilot,
    /// Lines that are `---`, with spaces around them, and something between them.
    Codex,
    /// `---` on the first line and the next line that is exactly that, which may be the last one.
    QwenCodeSkill,
    /// The same; a file without such lines is all body.
    QwenCodeCommand,
    /// None: the whole file is TOML.
    Toml,
}

/// How a release reads YAML. Each is a row of the table in `engine.rs`.
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

/// How a release handles frontmatter that is not valid YAML.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum BadYaml {
    /// The file is dropped.
    Dropped,
    /// The file is read as if it had no frontmatter.
    Ignored,
    /// Values are quoted and it is read again; if that fails, the file is dropped.
    Repaired,
    /// Values with special characters are quoted and it is read again; if that fails, the file is dropped.
    Quoted,
    /// Values with a colon and a space are quoted up to a comment and it is read again, also if texts have another type; if that fails, the
    /// file is dropped.
    UpToComments,
    /// Values with a colon become blocks of text and it is read again; if that fails, the file is dropped.
    InBlocks,
    /// It is read line by line.
    LineByLine,
    /// Only the lines with a name and a description are read, also if these are not text.
    NameAndDescription,
}

/// The whitespace that a language trims.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Blanks {
    /// None.
    None,
    /// ECMAScript's whitespace.
    EcmaScript,
    /// Python's whitespace.
    Python,
    /// Unicode's whitespace.
    Unicode,
    /// Unicode's whitespace, at the start only.
    UnicodeAtStart,
}

/// What a release holds of a text key.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TextRule {
    /// The spellings, the preferred one first.
    #[serde(default)]
    pub keys: Vec<String>,
    /// When the next spelling is read.
    #[serde(default)]
    pub next: Next,
    /// The accepted values.
    #[serde(default)]
    pub takes: Takes,
    /// Its message for a missing value, if it drops the file for it.
    #[serde(default)]
    pub missing: String,
    /// Its message for a value that it does not accept, if it drops the file for it; otherwise the value counts as missing.
    #[serde(default)]
    pub wrong: String,
    /// Its message for an accepted value that is not text, if it drops the file for it.
    #[serde(default)]
    pub only_text: String,
    /// The default for a missing value, if not empty.
    #[serde(default)]
    pub default: String,
    /// Whether the file's stem is the default for a missing value.
    #[serde(default)]
    pub stem: bool,
    /// Whether an empty text counts as missing.
    #[serde(default)]
    pub empty_is_missing: bool,
    /// Whether the value is trimmed.
    #[serde(default)]
    pub trimmed: bool,
    /// Whether whitespace within the value becomes one space.
    #[serde(default)]
    pub one_line: bool,
    /// Whether the first paragraph of the body is the default for a missing value.
    #[serde(default)]
    pub first_paragraph: bool,
    /// Whether a backslash and an `n` become a line end.
    #[serde(default)]
    pub unescaped: bool,
    /// The most UTF-16 units, if limited.
    #[serde(default)]
    pub longest: Option<u32>,
    /// Its message for a longer one.
    #[serde(default)]
    pub too_long: String,
    /// Its message for a line end, if it drops the file for it.
    #[serde(default)]
    pub several_lines: String,
    /// Its message for a colon, if it drops the file for it.
    #[serde(default)]
    pub no_colon: String,
    /// The only accepted texts, if limited.
    #[serde(default)]
    pub one_of: Vec<String>,
}

/// When the next spelling of a key is read.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Next {
    /// Where the key is absent.
    #[default]
    Absent,
    /// Where the key is absent or null.
    Null,
    /// Where the value is not text.
    NotText,
}

/// The values read as text.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    /// Text only.
    #[default]
    Text,
    /// Anything truthy in JavaScript, of any type.
    Truthy,
    /// Anything truthy in JavaScript that has `includes`: a text or a list.
    Includes,
    /// Any value, null included.
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
    /// When the next spelling is read.
    #[serde(default)]
    pub next: Next,
    /// Where the key is absent.
    pub absent: Extent,
    /// Where it is null.
    pub null: Extent,
    /// Where it is an empty text.
    #[serde(default)]
    pub empty_text: Option<Extent>,
    /// How text is read.
    pub text: ToolText,
    /// How a list is read.
    pub list: ToolList,
    /// The meaning of a list that names no tool.
    #[serde(default)]
    pub empty: Option<Extent>,
    /// Texts that mean all tools.
    #[serde(default)]
    pub all: Vec<String>,
    /// The meaning of a `*` among the items.
    #[serde(default)]
    pub star: Option<Extent>,
    /// Where it is anything else.
    pub other: Extent,
    /// Its message for anything else, if it drops the file for it.
    #[serde(default)]
    pub wrong: String,
    /// Whether falsy values of JavaScript count as null.
    #[serde(default)]
    pub falsy_is_null: bool,
}

/// What a release holds if no tools are named.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// All tools.
    All,
    /// No tools.
    None,
    /// Nothing: the meaning is settled later.
    Nothing,
}

/// How text is read as a list of tools.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ToolText {
    /// One tool.
    One,
    /// Comma-separated tools.
    Commas,
    /// Tools separated by commas or spaces outside of parentheses.
    Words,
}

/// How a list is read as a list of tools.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ToolList {
    /// Its items that are text.
    Texts,
    /// Its items that are text, trimmed.
    TrimmedTexts,
    /// Its text items, each split like text.
    Split,
    /// All its items, as Python's `str` shows them.
    PythonTexts,
    /// It is not accepted.
    Wrong,
}

/// Further checks of a release. Each is a function in `checks.rs`.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The keys are valid names of Python parameters, and none of these.
    PythonKeywords(Vec<String>),
    /// A whole number above zero, where it is a number or text.
    PositiveInteger(String),
    /// A number above zero, where it is a number or text.
    PositiveNumber(String),
    /// One of the words, ignoring case and surrounding whitespace.
    PythonWord(String, Vec<String>),
    /// A map, by its first spelling present.
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
    /// kodelet's second check: agents that fail it are listed, but cannot be called.
    KodeletOffer,
    /// An agent that forks its parent's context does not keep its own model.
    ForkInherits(String),
    /// Only these keys.
    OnlyKeys(Vec<String>),
    /// A value of this kind, if the key is present. It may be in a map: `github.permissions`.
    Is(String, ValueKind),
    /// A value of this kind, or null.
    IsOrNull(String, ValueKind),
    /// One of these words, if the key is present.
    OneOf(String, Vec<String>),
    /// Gemini CLI's agents, local and remote, with its built-in tools.
    GeminiCliAgent(Vec<String>),
    /// Claude Code's agents: the events whose hooks must be readable.
    ClaudeCodeAgent(Vec<String>),
    /// Copilot CLI's servers.
    CopilotServers(String),
    /// Copilot CLI's hooks.
    CopilotHooks(String),
    /// OpenCode's map of tools, which becomes tools and denied tools.
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
    /// Copilot CLI's names of skills.
    CopilotSkillName,
    /// Gemini CLI's names of skills.
    GeminiCliSkillName,
    /// Qwen Code's names of skills.
    QwenCodeSkillName,
    /// Qwen Code's patterns of the files that a skill is for.
    QwenCodePaths(String),
    /// Codex's nicknames.
    CodexNicknames(String),
    /// Codex's servers.
    CodexServers(String),
    /// Codex's metadata of skills.
    CodexMetadata(String),
}

/// A kind of value.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
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
    /// A list.
    List,
    /// A map.
    Map,
    /// A map of texts.
    TextMap,
}

/// The sources of a release and their precedence. Replaces those of its dialect.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CatalogRule {
    /// The precedence of equal names.
    pub clash: Clash,
    /// Which files it reads.
    pub files: FileRule,
    /// Its sources, in order.
    #[serde(rename = "source")]
    pub sources: Vec<Source>,
    /// Its built-in agents, if they differ from its dialect's. Filled in by the build script from `builtins/<id>/`.
    #[serde(default)]
    pub built_ins: Vec<BuiltIn>,
}

impl Reader {
    /// Whether it ignores files of this name.
    pub fn passes_over(&self, file: &str) -> bool {
        let begins = !self.skip_prefix.is_empty() && file.starts_with(&self.skip_prefix);
        begins || self.skips.iter().any(|skipped| skipped == file)
    }

    /// Whether it reads this key.
    pub fn knows(&self, key: &str) -> bool {
        let texts = [&self.name, &self.description, &self.model, &self.color];
        let mut keys = texts
            .into_iter()
            .flat_map(|rule| &rule.keys)
            .chain(&self.tools.keys);
        let checked = |check: &Check| matches!(check, Check::Scalar(known) | Check::CodexMetadata(known) if known == key);
        keys.any(|known| known == key) || self.checks.iter().any(checked)
    }
}

impl Blanks {
    /// Whether it is trimmed.
    pub fn has(self, c: char) -> bool {
        match self {
            Self::None => false,
            Self::Unicode | Self::UnicodeAtStart => c.is_whitespace(),
            Self::EcmaScript => c == '\u{feff}' || c.is_whitespace() && c != '\u{85}',
            Self::Python => c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c),
        }
    }

    /// The text without whitespace at its ends, or only at its start.
    pub fn trim(self, text: &str) -> &str {
        match self {
            Self::UnicodeAtStart => text.trim_start(),
            _ => text.trim_matches(|c| self.has(c)),
        }
    }
}

impl ValueKind {
    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Words => "text that is not blank",
            Self::Boolean => "a boolean",
            Self::Number | Self::Finite => "a number",
            Self::Whole => "a whole number",
            Self::Count => "a whole number above zero",
            Self::Texts => "a list of texts",
            Self::TextOrTexts => "text or a list of texts",
            Self::List => "a list",
            Self::Map => "a map",
            Self::TextMap => "a map of texts",
        }
    }
}
