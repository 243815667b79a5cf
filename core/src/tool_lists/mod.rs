//! The lists of tools of a file, with the meaning of every entry. Several rules use them.

mod edit;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::closest::alike;
use crate::definition::{Definition, Field, ToolFilter, ToolRule};
use crate::diagnostic::{Edit, Severity};
use crate::dialect::{Canonical, Dialect, Kind, Verdict};
use crate::limits::TOOLS;
use crate::span::Span;
use crate::vocabulary::{self, Mcp, McpStyle, Rights, Standing, Tool, Vocabulary};

/// The meaning of an entry in the dialect.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A known tool, maybe by an old name.
    Known(&'static Tool),
    /// Tools of an MCP server.
    Server,
    /// Tools of an MCP server in a foreign spelling; with the dialect's own, if known.
    ForeignServer(Option<String>),
    /// Several names in one entry.
    Several,
    /// A known tool in another case.
    OtherCase(&'static str),
    /// Another dialect's tool, and its rights.
    Foreign(&'static str, Rights),
    /// Unknown.
    Unknown,
}

/// An entry.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    /// As read.
    pub(crate) rule: &'a ToolRule,
    /// Where the tool's name is; none if it is not written as such, as with escapes.
    name: Option<Span>,
    /// Its meaning.
    pub(crate) meaning: Meaning,
}

/// A list.
#[derive(Debug)]
pub(crate) struct ToolList<'a> {
    /// Its key.
    pub(crate) field: &'a Field,
    /// Whether its tools are denied.
    pub(crate) denied: bool,
    /// What its file defines. A skill's list only saves questions.
    kind: Kind,
    /// The consequence of an unknown name for the agent.
    unknown: Verdict,
    /// The tools of its dialect.
    pub(crate) vocabulary: &'static Vocabulary,
    /// Its entries.
    pub(crate) entries: Vec<Entry<'a>>,
}

/// The lists of a definition that are not empty.
pub(crate) fn lists<'a>(
    definition: &'a Definition,
    dialect: &Dialect,
    path: &str,
    text: &str,
) -> Vec<ToolList<'a>> {
    let Some(vocabulary) = vocabulary::of(dialect.product()) else {
        return Vec::new();
    };
    let aliases = path.contains(vocabulary.aliases_in);
    let allowed = match &definition.tools {
        ToolFilter::Only(rules) => rules.as_slice(),
        _ => &[],
    };
    let lists = [
        (Canonical::Tools, allowed),
        (Canonical::DeniedTools, &*definition.denied_tools),
    ];
    let lists = lists.into_iter().filter(|(_, rules)| !rules.is_empty());
    lists
        .filter_map(|(key, rules)| {
            Some(ToolList {
                field: definition.field(key)?,
                denied: key == Canonical::DeniedTools,
                kind: dialect.kind,
                unknown: dialect.tools.unknown,
                vocabulary,
                entries: entries(vocabulary, &rules[..rules.len().min(TOOLS)], text, aliases),
            })
        })
        .collect()
}

fn entries<'a>(
    vocabulary: &'static Vocabulary,
    rules: &'a [ToolRule],
    text: &str,
    aliases: bool,
) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = rules
        .iter()
        .map(|rule| Entry {
            rule,
            name: name(rule, text),
            meaning: native(vocabulary, &rule.tool, aliases),
        })
        .collect();
    // An unknown name may be another dialect's: the one that knows the most of the list.
    while let Some((other, _)) = vocabulary::all()
        .map(|other| (other, strangers(&entries, other)))
        .filter(|(_, known)| *known > 0)
        .reduce(|most, next| if next.1 > most.1 { next } else { most })
    {
        for entry in &mut entries {
            if let Some(tool) = stranger(entry, other) {
                entry.meaning = Meaning::Foreign(other.dialect, tool.rights);
            }
        }
    }
    for entry in entries
        .iter_mut()
        .filter(|entry| matches!(entry.meaning, Meaning::Unknown))
    {
        if let Some(spelling) = foreign_server(vocabulary, &entry.rule.tool) {
            entry.meaning = Meaning::ForeignServer(spelling);
        }
    }
    entries
}

/// How many entries only another dialect knows. Entries that differ only in case do not count alone.
fn strangers(entries: &[Entry<'_>], other: &'static Vocabulary) -> usize {
    let known = |entry: &&Entry<'_>| stranger(entry, other).is_some();
    let certain = |entry: &Entry<'_>| matches!(entry.meaning, Meaning::Unknown);
    if entries.iter().filter(known).any(certain) {
        entries.iter().filter(known).count()
    } else {
        0
    }
}

fn stranger(entry: &Entry<'_>, other: &'static Vocabulary) -> Option<&'static Tool> {
    match entry.meaning {
        Meaning::Unknown | Meaning::OtherCase(_) => other.find(&entry.rule.tool),
        _ => None,
    }
}

/// The meaning of a name, as far as the dialect itself knows.
fn native(vocabulary: &'static Vocabulary, tool: &str, aliases: bool) -> Meaning {
    let known = vocabulary.find(tool);
    if let Some(known) = known.filter(|known| aliases || !matches!(known.standing, Standing::Alias(_))) {
        return Meaning::Known(known);
    }
    let marked = vocabulary.mcp == Some(McpStyle::DoubleUnderscore) && tool.starts_with("mcp__");
    if marked || vocabulary.mcp(tool).is_some() {
        return Meaning::Server;
    }
    if let Some(known) = in_other_case(vocabulary, tool) {
        return Meaning::OtherCase(known);
    }
    let marks = tool.contains([',', '[', ']', '"', '\'']);
    let mut parts = words(tool).peekable();
    let all_known = |vocabulary: &'static Vocabulary| {
        let known = |part| vocabulary.find(part).is_some() || in_other_case(vocabulary, part).is_some();
        words(tool).count() > 1 && words(tool).all(known)
    };
    if parts.peek().is_some() && (marks || all_known(vocabulary)) {
        Meaning::Several
    } else {
        Meaning::Unknown
    }
}

fn in_other_case(vocabulary: &'static Vocabulary, tool: &str) -> Option<&'static str> {
    let mut current = vocabulary.current();
    let known = current.find(|known| alike(known.name, tool))?;
    Some(known.name)
}

/// The words between whitespace, commas, quotes and brackets.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let between = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '"' | '\'');
    text.split(between).filter(|word| !word.is_empty())
}

/// Whether a name is an MCP server's tool in a foreign spelling, and the dialect's spelling of it.
fn foreign_server(vocabulary: &'static Vocabulary, tool: &str) -> Option<Option<String>> {
    let own = vocabulary.mcp?;
    let path = tool.strip_prefix("mcp:").unwrap_or(tool);
    let path = path.strip_prefix('@').unwrap_or(path);
    let whole = path.len() < tool.len() && !path.contains('/') && !path.is_empty();
    let meant = match McpStyle::Slash.parse(path) {
        None if whole => Some(Mcp::Server(path)),
        meant => meant,
    };
    // A set of tools, as in `search/codebase`, is not a server.
    if let Some(Mcp::Server(server) | Mcp::Tool(server, _)) = meant
        && vocabulary::all().any(|other| other.find(server).is_some())
    {
        return None;
    }
    if meant.is_some() && !path.contains(char::is_whitespace) {
        return Some(meant.and_then(|meant| own.spell(meant)));
    }
    let others = [McpStyle::DoubleUnderscore, McpStyle::PrefixedUnderscore];
    let mut meant = others.iter().filter_map(|style| style.parse(tool));
    meant.next().map(|meant| own.spell(meant))
}

/// Where the tool's name is.
fn name(rule: &ToolRule, text: &str) -> Option<Span> {
    let written = rule.span.of(text);
    let quote = usize::from(written.starts_with(['"', '\'']));
    let rest = written.get(quote..)?.strip_prefix(&*rule.tool)?;
    // Several tools of one text may have its place.
    let is_whole = rest.trim_start().is_empty() || rest.trim_start().starts_with(['(', '"', '\'']);
    let start = rule.span.start.index() + quote;
    is_whole.then(|| Span::new(start, start + rule.tool.len()))
}

impl Entry<'_> {
    /// Where the tool's name is, or all that it is a part of.
    pub(crate) fn place(&self) -> Span {
        self.name.unwrap_or(self.rule.span)
    }

    /// Another name for its tool, if its place is known.
    pub(crate) fn renamed(&self, to: &str) -> Option<Edit> {
        self.name.map(|span| Edit {
            span,
            text: to.to_string(),
        })
    }
}

impl ToolList<'_> {
    /// Whether any entry gives a tool.
    pub(crate) fn has_effect(&self) -> bool {
        let gives = |entry: &Entry<'_>| match entry.meaning {
            Meaning::Known(tool) => !matches!(tool.standing, Standing::Retired(_)),
            Meaning::Server => true,
            _ => false,
        };
        self.entries.iter().any(gives)
    }

    /// The consequence of an unknown entry.
    pub(crate) fn consequence(&self) -> &'static str {
        match (self.denied, self.has_effect()) {
            (true, _) => "this denies nothing",
            (false, _) if self.kind != Kind::Agent => "this allows nothing",
            (false, _) if self.unknown != Verdict::Fine => self.unknown.consequence(self.kind),
            (false, true) => "this gives no tool",
            (false, false) => "the list gives no tool at all",
        }
    }

    /// Its severity.
    pub(crate) fn severity(&self) -> Severity {
        if self.kind != Kind::Agent && !self.denied {
            return Severity::Warning;
        }
        if self.denied || self.unknown != Verdict::Fine || !self.has_effect() {
            Severity::Error
        } else {
            Severity::Warning
        }
    }
}
