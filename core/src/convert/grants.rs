//! The permissions of a definition, as rights that mean the same in every dialect.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::{Definition, ToolFilter, ToolRule};
use crate::dialect::{Canonical, Dialect, Extent};
use crate::vocabulary::words::{self, Mode};
use crate::vocabulary::{self, Mcp, Rights, Vocabulary};

/// A tool that may be used only within a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Within {
    pub(super) tool: String,
    pub(crate) rights: Rights,
    pub(crate) pattern: String,
}

/// Tools of MCP servers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Served {
    All,
    Server(String),
    Tool(String, String),
}

impl Served {
    pub(super) fn as_mcp(&self) -> Mcp<'_> {
        match self {
            Self::All => Mcp::All,
            Self::Server(server) => Mcp::Server(server),
            Self::Tool(server, tool) => Mcp::Tool(server, tool),
        }
    }

    /// All that cover it.
    pub(super) fn wider(&self) -> Vec<Self> {
        let server = match self {
            Self::Tool(server, _) => Some(Self::Server(server.clone())),
            Self::All | Self::Server(_) => None,
        };
        [Self::All, self.clone()].into_iter().chain(server).collect()
    }

    /// Whether the other is all or a part of it.
    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::All, _) => true,
            (Self::Server(server), Self::Server(other) | Self::Tool(other, _)) => server == other,
            _ => self == other,
        }
    }
}

impl From<Mcp<'_>> for Served {
    fn from(mcp: Mcp<'_>) -> Self {
        match mcp {
            Mcp::All => Self::All,
            Mcp::Server(server) => Self::Server(server.to_owned()),
            Mcp::Tool(server, tool) => Self::Tool(server.to_owned(), tool.to_owned()),
        }
    }
}

/// The permissions of an agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grants {
    /// Whether everything is allowed except what is denied, known here or not.
    pub(crate) all: bool,
    /// The tools that remain of all tools.
    left: Vec<(String, Rights)>,
    /// Otherwise, the tools that are listed.
    pub(super) tools: Vec<(String, Rights)>,
    /// What is denied.
    pub(super) denied: Rights,
    /// What is allowed within patterns.
    pub(crate) within: Vec<Within>,
    pub(crate) served: Vec<(String, Served)>,
    pub(crate) denied_served: Vec<(String, Served)>,
    /// Names without a meaning in other dialects.
    pub(crate) others: Vec<String>,
    pub(super) denied_others: Vec<String>,
    /// Names of other dialects, which grant nothing.
    pub(super) foreign: Vec<String>,
    pub(super) mode: Option<&'static Mode>,
    /// Whether a sandbox limits it, which no other setting extends.
    pub(super) bound: bool,
    /// Whether the tools were derived from all tools, so that none was named.
    pub(super) unnamed: bool,
}

impl Grants {
    /// What a definition grants in its dialect.
    pub(crate) fn of(dialect: &Dialect, definition: &Definition) -> Self {
        let mut grants = Self {
            mode: mode(dialect, definition),
            ..Self::default()
        };
        let Some(vocabulary) = vocabulary::of(dialect.product()) else {
            return grants;
        };
        let extent = |extent| extent == Extent::All;
        match &definition.tools {
            ToolFilter::Absent => grants.all = extent(dialect.tools.absent),
            ToolFilter::Null => grants.all = extent(dialect.tools.null),
            ToolFilter::None => grants.all = extent(dialect.tools.empty),
            ToolFilter::All => grants.all = true,
            ToolFilter::Only(rules) => rules.iter().for_each(|rule| grants.allow(vocabulary, rule)),
        }
        for rule in &definition.denied_tools {
            grants.deny(vocabulary, &rule.tool);
        }
        grants.bind(vocabulary, definition);
        grants.settle(vocabulary);
        // A tool that is denied in part is denied.
        let denied = grants.denied;
        grants.within.retain(|within| !within.rights.meets(denied));
        if let Some(commands) = &definition.allowed_commands {
            grants.limit_shell(commands);
        }
        let whole = grants.listed();
        grants.within.retain(|within| !whole.contains(within.rights));
        grants
    }

    fn allow(&mut self, vocabulary: &Vocabulary, rule: &ToolRule) {
        let name = rule.tool.clone();
        if let Some(mcp) = vocabulary.mcp(&rule.tool) {
            self.served.push((name, mcp.into()));
            return;
        }
        let rights = vocabulary.find(&rule.tool).map(|tool| tool.rights);
        let pattern = rule.specifier.as_deref();
        // `Bash(*)` is `Bash`.
        let pattern = pattern.filter(|pattern| !vocabulary.specifiers || !matches!(*pattern, "*" | ":*"));
        match (rights.filter(|rights| !rights.is_empty()), pattern) {
            (None, _) if vocabulary.is_foreign(&rule.tool) => self.foreign.push(rule.written()),
            (None, _) => self.others.push(rule.written()),
            (Some(rights), None) => self.tools.push((name, rights)),
            (Some(rights), Some(pattern)) => self.within.push(Within {
                tool: name,
                rights,
                pattern: pattern.to_owned(),
            }),
        }
    }

    fn deny(&mut self, vocabulary: &Vocabulary, name: &str) {
        if let Some(mcp) = vocabulary.mcp(name) {
            self.denied_served.push((name.to_owned(), mcp.into()));
            return;
        }
        match vocabulary.find(name).map(|tool| tool.rights) {
            Some(rights) if !rights.is_empty() => self.denied = self.denied.with(rights),
            _ => self.denied_others.push(name.to_owned()),
        }
    }

    /// Limits the grants of a sandbox to its table, plus what a key of its own turns on.
    fn bind(&mut self, vocabulary: &Vocabulary, definition: &Definition) {
        let word = self.mode.and_then(|mode| mode.name(vocabulary.dialect));
        let Some((_, rights)) = vocabulary.bounded.iter().find(|(name, _)| Some(*name) == word) else {
            return;
        };
        let on = |field: Canonical, off: &str| {
            let field = definition.field(field);
            field.is_some_and(|field| field.unquoted() != off)
        };
        let switches = vocabulary.switches.iter();
        let turned_on = switches.filter(|switch| on(switch.field, switch.off));
        let rights = turned_on.fold(*rights, |rights, switch| rights.with(switch.right));
        self.all = false;
        self.bound = true;
        self.unnamed = true;
        self.mode = self.mode.filter(|mode| !mode.reads_only);
        self.tools = each(rights);
    }

    /// The implied rights that are denied too, since no remaining tool has them; and the remaining tools.
    fn settle(&mut self, vocabulary: &Vocabulary) {
        let current = vocabulary.current();
        let left = current.filter(|tool| !tool.rights.is_empty() && !tool.rights.meets(self.denied));
        self.left = left.map(|tool| (tool.name.to_owned(), tool.rights)).collect();
        let carried = together(&self.left).closed();
        self.denied = self.denied.with(self.denied.closed().without(carried));
    }

    /// Patterns of commands limit the shell to what they match.
    fn limit_shell(&mut self, commands: &[String]) {
        let shell = Rights::SHELL;
        if !self.allowed().contains(shell) {
            return;
        }
        self.denied = self.denied.with(shell.closed());
        self.within.extend(commands.iter().map(|command| Within {
            tool: String::new(),
            rights: shell,
            pattern: command.clone(),
        }));
    }

    /// The rights that tools were made for, without implied ones.
    pub(crate) fn named(&self) -> Rights {
        let tools = if self.all { &self.left } else { &self.tools };
        together(tools).without(self.denied)
    }

    /// The tools that are listed, or remain of all tools.
    pub(super) fn named_tools(&self) -> impl Iterator<Item = (&str, Rights)> {
        let tools = if self.all { &self.left } else { &self.tools };
        tools.iter().map(|(name, rights)| (&**name, *rights))
    }

    /// Whether its author named its tools.
    pub(super) fn names_tools(&self) -> bool {
        !self.all && !self.unnamed
    }

    /// The rights of the tools that are listed.
    pub(super) fn listed(&self) -> Rights {
        together(&self.tools).closed().without(self.denied)
    }

    /// All unconditional rights, implied ones included.
    pub(super) fn allowed(&self) -> Rights {
        if !self.all {
            self.listed()
        } else if self.denied.is_empty() {
            Rights::all()
        } else {
            together(&self.left).closed().without(self.denied)
        }
    }

    /// Whether nothing is denied.
    pub(crate) fn is_everything(&self) -> bool {
        self.all
            && self.denied.is_empty()
            && self.denied_served.is_empty()
            && self.denied_others.is_empty()
            && self.within.is_empty()
    }

    /// Whether it may change files or run commands. If not, a deny list would leave it tools that no table knows.
    pub(super) fn acts(&self) -> bool {
        self.allowed().act()
    }

    /// The same without anything that makes changes.
    pub(super) fn reading_only(&self) -> Self {
        let tools = if self.all { &self.left } else { &self.tools };
        let harmless = tools.iter().filter(|(_, rights)| rights.change_nothing());
        Self {
            all: false,
            unnamed: self.all || self.unnamed,
            tools: harmless.cloned().collect(),
            within: Vec::new(),
            served: Vec::new(),
            mode: None,
            ..self.clone()
        }
    }
}

/// Each right as if one tool had it alone.
fn each(rights: Rights) -> Vec<(String, Rights)> {
    let named = |right: Rights| right.ids().map(move |id| (id.to_owned(), right));
    rights.each().flat_map(named).collect()
}

/// The rights of several tools together.
fn together(tools: &[(String, Rights)]) -> Rights {
    let rights = tools.iter().map(|(_, rights)| *rights);
    rights.fold(Rights::default(), Rights::with)
}

/// The permission mode, from any of its keys.
fn mode(dialect: &Dialect, definition: &Definition) -> Option<&'static Mode> {
    let bridged = |(field, other): (Canonical, &str)| words::mode(other, definition.field(field)?.unquoted());
    let own = definition.permission_mode.as_deref();
    own.and_then(|word| words::mode(dialect.product(), word))
        .or_else(|| bridged((Canonical::ClaudePermissionMode, "claude-code")))
        .or_else(|| bridged((Canonical::ReadOnly, dialect.product())))
}
