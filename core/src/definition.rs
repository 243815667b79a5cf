//! The meaning of an agent file, independent of its dialect.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use serde::{Deserialize, Serialize};

use crate::dialect::{Canonical, Dialect};
use crate::span::Span;
use crate::yaml::{self, Node, Plain};

/// One entry of a tool list: `Bash(git *)` is the tool `Bash` with the specifier `git *`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolRule {
    /// The tool as spelled.
    pub tool: String,
    /// The text between the parentheses.
    pub specifier: Option<String>,
    /// Where the entry is.
    pub span: Span,
}

impl ToolRule {
    /// As written.
    pub fn written(&self) -> String {
        match &self.specifier {
            Some(specifier) => alloc::format!("{}({specifier})", self.tool),
            None => self.tool.clone(),
        }
    }
}

/// The effect of a rule on a call of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// It is allowed.
    Allow,
    /// The user is asked.
    Ask,
    /// It is denied.
    Deny,
}

/// One of several rules about tools; the last match applies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Permission {
    /// The tool, or `*` for all.
    pub tool: String,
    /// The part of the tool, `*` being all of it.
    pub pattern: String,
    /// The effect.
    pub effect: Effect,
    /// Where it is.
    pub span: Span,
}

/// The tools of a definition: five different statements.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum ToolFilter {
    /// The key is absent.
    #[default]
    Absent,
    /// The key has no value.
    Null,
    /// An empty list.
    None,
    /// A word for all tools.
    All,
    /// Only these.
    Only(Vec<ToolRule>),
}

/// The model of a definition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Model {
    /// Nothing.
    #[default]
    Absent,
    /// The parent's model.
    Inherit,
    /// An alias.
    Alias(String),
    /// A model by its own name.
    Id(String),
}

/// An endpoint that a definition names. Inert.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// The base URL.
    pub base_url: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_variable: Option<String>,
}

/// Limits that a definition sets for itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Turns of the conversation with the model.
    pub turns: Option<u32>,
}

/// A key of the frontmatter, verbatim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// The canonical name; none for a key that the dialect does not know.
    pub canonical: Option<Canonical>,
    /// The key as spelled.
    pub key: String,
    /// The value's source text.
    pub value: String,
    /// Where the key is; empty if it is in another file, from which this definition takes what it lacks.
    pub key_span: Span,
    /// Where the value is.
    pub value_span: Span,
    /// Whether it counts, among several fields with the same meaning.
    pub counts: bool,
}

impl Field {
    /// The value without quotes around it.
    pub(crate) fn unquoted(&self) -> &str {
        self.value.trim().trim_matches(['"', '\''])
    }
}

/// A definition as its dialect reads it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// The contents of the `<example>` elements in the description.
    pub examples: Vec<String>,
    /// The tools it may use.
    pub tools: ToolFilter,
    /// The tools it may not use.
    pub denied_tools: Vec<ToolRule>,
    /// The rules that `tools` and `denied_tools` come from, in dialects that have such rules.
    pub permissions: Vec<Permission>,
    /// The model.
    pub model: Model,
    /// A second model key of some dialects.
    pub model_name: Option<String>,
    /// The provider of the model.
    pub provider: Option<String>,
    /// How much effort the model is to spend.
    pub effort: Option<String>,
    /// The longest answer, in tokens, as stated.
    pub max_tokens: Option<i64>,
    /// Tokens for thinking, as stated.
    pub thinking_budget: Option<i64>,
    /// Patterns of shell commands.
    pub allowed_commands: Option<Vec<String>>,
    /// An endpoint of its own.
    pub endpoint: Option<Endpoint>,
    /// Text to be added to the conversation's context.
    pub context: Option<String>,
    /// Whether it starts from a copy of the parent's conversation.
    pub fork_context: Option<bool>,
    /// Its display color.
    pub color: Option<String>,
    /// The permission mode.
    pub permission_mode: Option<String>,
    /// Limits it sets for itself.
    pub limits: Limits,
    /// Skills to load.
    pub skills: Vec<String>,
    /// The events it hooks. Inert.
    pub hooks: Vec<String>,
    /// The MCP servers it names. Inert.
    pub mcp_servers: Vec<String>,
    /// Their configuration as JSON; empty if there is none. Not inherited, and not part of a session.
    #[serde(skip)]
    pub servers: String,
    /// The prompt as the dialect reads it.
    pub system_prompt: String,
    /// Where the body is, untrimmed.
    pub body: Span,
    /// Every key in file order, duplicates and unknown ones included.
    pub fields: Vec<Field>,
}

impl Definition {
    /// The same without what the file tells the model: its prompt, context and list of skills.
    pub(crate) fn without_instructions(&self) -> Self {
        Self {
            system_prompt: String::new(),
            context: None,
            skills: Vec::new(),
            ..self.clone()
        }
    }

    /// Drops what comes from the frontmatter.
    pub(crate) fn forget_fields(&mut self, name: String) {
        *self = Self {
            name,
            system_prompt: mem::take(&mut self.system_prompt),
            body: self.body,
            ..Self::default()
        };
    }

    /// What other agents of its dialect call it.
    pub(crate) fn called(&self, dialect: &Dialect) -> Cow<'_, str> {
        match self.title().filter(|_| dialect.delegation.titles) {
            Some(title) if !title.is_empty() => Cow::Owned(title),
            _ => Cow::Borrowed(&self.name),
        }
    }

    /// Its display name.
    pub(crate) fn title(&self) -> Option<String> {
        let title = self.value(Canonical::DisplayName)?;
        title.as_text().map(ToOwned::to_owned)
    }

    /// The last field of a canonical name that counts.
    pub fn field(&self, canonical: Canonical) -> Option<&Field> {
        let known = |field: &&Field| field.counts && field.canonical == Some(canonical);
        self.fields.iter().rev().find(known)
    }

    /// Whether it disables its agent, if it says so.
    pub(crate) fn disabled(&self) -> Option<bool> {
        self.boolean(Canonical::Disabled)
    }

    /// Whether only users call its agent, and agents that name it.
    pub(crate) fn is_manual(&self) -> bool {
        self.for_models() == Some(false)
    }

    /// Whether models may choose its agent, if it says so.
    pub(crate) fn for_models(&self) -> Option<bool> {
        let mode = self.value(Canonical::Mode);
        let says = [
            self.switch(Canonical::ModelMayNotPick).map(|locked| !locked),
            self.boolean(Canonical::Infer),
            mode.and_then(|mode| Some(mode.as_text()? != "primary")),
        ];
        says.into_iter().flatten().reduce(|a, b| a && b)
    }

    /// Whether users may choose its agent, if it says so.
    pub(crate) fn for_users(&self) -> Option<bool> {
        let hidden = self.boolean(Canonical::Hidden).map(|hidden| !hidden);
        self.switch(Canonical::UserMayPick).or(hidden)
    }

    /// The only agents that it may call, if it names them. A value that cannot be read here, such as an alias, names none.
    pub(crate) fn callees(&self) -> Option<Vec<String>> {
        let field = self.field(Canonical::SubAgents)?;
        if field.value.trim().is_empty() {
            return None;
        }
        let Some(value) = self.value(Canonical::SubAgents) else {
            return Some(Vec::new());
        };
        let names: Vec<&str> = match (value.items(), value.plain()) {
            (Some(items), _) => items.iter().filter_map(Node::as_text).collect(),
            (None, Some(Plain::Text(text))) => text.split(',').collect(),
            _ => return None,
        };
        let names = names.into_iter().map(str::trim);
        (!names.clone().any(|name| name == "*")).then(|| names.map(ToOwned::to_owned).collect())
    }

    /// A boolean in any of the spellings that a product accepts.
    fn switch(&self, field: Canonical) -> Option<bool> {
        let written = || switched(self.value(field)?.as_text()?);
        self.boolean(field).or_else(written)
    }

    fn boolean(&self, field: Canonical) -> Option<bool> {
        match self.value(field)?.plain() {
            Some(Plain::Boolean(value)) => Some(value),
            _ => None,
        }
    }

    /// The value of a field. It begins within a line; the next lines tell how deep.
    fn value(&self, field: Canonical) -> Option<Node> {
        let text = &self.field(field)?.value;
        let more = text.lines().skip(1).filter(|line| !line.trim().is_empty());
        let depth = more.map(|line| line.len() - line.trim_start().len()).min();
        let depth = depth.unwrap_or_default();
        yaml::read(&alloc::format!("{:depth$}{text}", ""), 0).ok()?.root
    }

    /// Gives it a mode, whatever it says.
    pub(crate) fn set_mode(&mut self, mode: &str) {
        let said = self.fields.iter_mut();
        said.filter(|field| field.canonical == Some(Canonical::Mode))
            .for_each(|field| field.counts = false);
        self.fields.push(Field {
            canonical: Some(Canonical::Mode),
            key: Canonical::Mode.name().to_owned(),
            value: mode.to_owned(),
            key_span: Span::default(),
            value_span: Span::default(),
            counts: true,
        });
    }

    /// Forgets what a field says, as it has no effect in its file's place.
    pub(crate) fn forget(&mut self, field: Canonical) {
        let said = self.fields.iter_mut();
        said.filter(|known| known.canonical == Some(field))
            .for_each(|known| known.counts = false);
        match field {
            Canonical::PermissionMode => self.permission_mode = None,
            Canonical::Hooks => self.hooks.clear(),
            Canonical::McpServers => {
                self.mcp_servers.clear();
                self.servers.clear();
            }
            _ => {}
        }
    }

    /// Applies `to` to every span.
    pub(crate) fn map_spans(&mut self, to: impl Fn(Span) -> Span) {
        self.body = to(self.body);
        for field in &mut self.fields {
            field.key_span = to(field.key_span);
            field.value_span = to(field.value_span);
        }
        let allowed = match &mut self.tools {
            ToolFilter::Only(rules) => rules.as_mut_slice(),
            _ => &mut [],
        };
        for rule in allowed.iter_mut().chain(&mut self.denied_tools) {
            rule.span = to(rule.span);
        }
    }

    /// Takes fields that this definition does not set from one of lower precedence.
    pub(crate) fn fill_from(&mut self, weaker: Definition) {
        fn fill<T>(own: &mut Option<T>, other: Option<T>) {
            if own.is_none() {
                *own = other;
            }
        }
        fn fill_list<T>(own: &mut Vec<T>, other: Vec<T>) {
            if own.is_empty() {
                *own = other;
            }
        }
        fn fill_text(own: &mut String, other: String) {
            if own.trim().is_empty() {
                *own = other;
            }
        }
        let is_lacking =
            |field: &Field| field.counts && field.canonical.is_some_and(|known| self.field(known).is_none());
        let lacking = weaker.fields.into_iter().filter(is_lacking);
        // They are in another file.
        let lacking = lacking.map(|field| Field {
            key_span: Span::default(),
            value_span: Span::default(),
            ..field
        });
        let lacking: Vec<Field> = lacking.collect();
        self.fields.extend(lacking);
        fill_text(&mut self.description, weaker.description);
        fill_text(&mut self.system_prompt, weaker.system_prompt);
        if self.tools == ToolFilter::Absent {
            self.tools = weaker.tools;
        }
        if self.model == Model::Absent {
            self.model = weaker.model;
        }
        fill_list(&mut self.examples, weaker.examples);
        fill_list(&mut self.denied_tools, weaker.denied_tools);
        fill(&mut self.model_name, weaker.model_name);
        fill(&mut self.provider, weaker.provider);
        fill(&mut self.effort, weaker.effort);
        fill(&mut self.max_tokens, weaker.max_tokens);
        fill(&mut self.thinking_budget, weaker.thinking_budget);
        fill(&mut self.allowed_commands, weaker.allowed_commands);
        fill(&mut self.endpoint, weaker.endpoint);
        fill(&mut self.context, weaker.context);
        fill(&mut self.fork_context, weaker.fork_context);
        fill(&mut self.color, weaker.color);
        fill(&mut self.permission_mode, weaker.permission_mode);
        fill(&mut self.limits.turns, weaker.limits.turns);
        fill_list(&mut self.skills, weaker.skills);
        fill_list(&mut self.hooks, weaker.hooks);
        fill_list(&mut self.mcp_servers, weaker.mcp_servers);
    }
}

/// A boolean in any of the spellings that a product accepts.
pub(crate) fn switched(value: &str) -> Option<bool> {
    match &*value.to_ascii_lowercase() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}
