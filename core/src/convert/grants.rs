//! What a definition lets an agent do, in rights that mean the same in every dialect.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::tables::{self, Mode};
use crate::definition::{Definition, ToolFilter, ToolRule};
use crate::dialect::{Dialect, Extent};
use crate::vocabulary::{self, Mcp, Rights, Vocabulary};

/// A tool that may be used only for what a pattern says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Within {
    pub(super) tool: String,
    pub(super) rights: Rights,
    pub(super) pattern: String,
}

/// Tools of MCP servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Served {
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

/// What an agent may do.
#[derive(Clone, Debug, Default)]
pub(super) struct Grants {
    /// Everything but what is denied, known here or not.
    pub(super) all: bool,
    /// What the tools that are left of everything may do.
    left: Rights,
    /// Otherwise, the tools that are listed.
    pub(super) tools: Vec<(String, Rights)>,
    /// What is taken away.
    pub(super) denied: Rights,
    /// What is given within patterns.
    pub(super) within: Vec<Within>,
    pub(super) served: Vec<(String, Served)>,
    pub(super) denied_served: Vec<(String, Served)>,
    /// Names that mean nothing elsewhere.
    pub(super) others: Vec<String>,
    pub(super) denied_others: Vec<String>,
    pub(super) mode: Option<&'static Mode>,
    /// Whether the tools were made out of all tools, so that none of them was named.
    pub(super) unnamed: bool,
}

impl Grants {
    /// What a definition grants in its dialect.
    pub(super) fn of(dialect: &Dialect, definition: &Definition) -> Self {
        let mut grants = Self {
            mode: mode(dialect, definition),
            ..Self::default()
        };
        let Some(vocabulary) = vocabulary::of(&dialect.id) else {
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
        // A tool that is denied is so in part, too.
        let denied = grants.denied;
        grants.within.retain(|within| !within.rights.meets(denied));
        if let Some(commands) = &definition.allowed_commands {
            grants.limit_shell(commands);
        }
        let tools = vocabulary.current().map(|tool| tool.rights);
        let left = tools.filter(|rights| !rights.meets(grants.denied));
        grants.left = left.fold(Rights::default(), Rights::with).closed();
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
        match (rights.filter(|rights| !rights.is_empty()), &rule.specifier) {
            (None, _) => self.others.push(rule.written()),
            (Some(rights), None) => self.tools.push((name, rights)),
            (Some(rights), Some(pattern)) => self.within.push(Within {
                tool: name,
                rights,
                pattern: pattern.clone(),
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

    /// Patterns of commands leave nothing of the shell but what they match.
    fn limit_shell(&mut self, commands: &[String]) {
        let shell = Rights::of("shell").unwrap_or_default();
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

    /// The rights of the tools that are listed.
    pub(super) fn listed(&self) -> Rights {
        let rights = self.tools.iter().map(|(_, rights)| *rights);
        let rights = rights.fold(Rights::default(), Rights::with).closed();
        rights.without(self.denied)
    }

    /// All that may be done without conditions, what is implied included.
    pub(super) fn allowed(&self) -> Rights {
        match self.all {
            true if self.denied.is_empty() => Rights::all(),
            true => self.left.without(self.denied),
            false => self.listed(),
        }
    }

    /// Whether nothing is taken away.
    pub(super) fn is_everything(&self) -> bool {
        self.all
            && self.denied.is_empty()
            && self.denied_served.is_empty()
            && self.denied_others.is_empty()
            && self.within.is_empty()
    }

    /// The same with nothing that changes anything.
    pub(super) fn reading_only(&self) -> Self {
        let harmless: Vec<(String, Rights)> = match self.all {
            true => (self.allowed().iter())
                .filter(|right| right.changes_nothing)
                .filter_map(|right| Some((right.id.to_owned(), Rights::of(right.id)?)))
                .collect(),
            false => {
                let tools = self.tools.iter().filter(|(_, rights)| rights.change_nothing());
                tools.cloned().collect()
            }
        };
        Self {
            all: false,
            unnamed: self.all,
            tools: harmless,
            within: Vec::new(),
            served: Vec::new(),
            mode: None,
            ..self.clone()
        }
    }
}

/// The permission mode, by whichever key says it.
fn mode(dialect: &Dialect, definition: &Definition) -> Option<&'static Mode> {
    let bridged = |(field, other): (&str, &str)| {
        let value = &definition.field(field)?.value;
        tables::mode(other, value.trim_matches(['"', '\'']))
    };
    let own = definition.permission_mode.as_deref();
    own.and_then(|word| tables::mode(&dialect.id, word))
        .or_else(|| bridged(("claude-permission-mode", "claude-code")))
        .or_else(|| bridged(("read-only", &dialect.id)))
}
