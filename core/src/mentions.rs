//! The agents, skills and MCP servers that an agent names, and where it does.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::Definition;
use crate::diagnostic::Anchor;
use crate::dialect::Canonical;
use crate::limits::TOOLS;
use crate::source::Source;
use crate::span::Span;
use crate::subject::Subject;
use crate::tool_lists::{Entry, Meaning};
use crate::vocabulary::{Mcp, Rights};
use crate::yaml::{Kind, Node};

/// A name and its place.
#[derive(Debug)]
pub(crate) struct Mention {
    /// The name.
    pub(crate) name: String,
    /// Its place.
    pub(crate) at: Anchor,
}

/// The agents, skills and servers that an agent names.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    /// Where its description is.
    pub(crate) description: Anchor,
    /// Fingerprints of its description and its prompt, to compare copies.
    pub(crate) words: u64,
    /// The agents that it may call.
    pub(crate) agents: Vec<Mention>,
    /// The skills that it loads.
    pub(crate) skills: Vec<Mention>,
    /// The MCP servers that it uses.
    pub(crate) servers: Vec<Mention>,
    /// The MCP servers that it configures itself.
    pub(crate) own_servers: Vec<String>,
}

/// The mentions of the file.
pub(crate) fn of(subject: &Subject<'_>, source: &Source<'_>) -> Mentions {
    let mention = |(name, span): (&str, Span)| Mention {
        name: name.to_owned(),
        at: Anchor::new(source, span),
    };
    let description = subject.definition.field(Canonical::Description);
    let mut mentions = Mentions {
        words: words_of(subject.definition),
        description: Anchor::new(
            source,
            description.map_or(subject.opening(), |field| field.value_span),
        ),
        ..Mentions::default()
    };
    let allowed = subject.tools.iter().filter(|list| !list.denied);
    for entry in allowed.flat_map(|list| &list.entries) {
        mentions
            .agents
            .extend(agents(subject, entry).into_iter().map(mention));
        mentions.servers.extend(server(subject, entry).map(mention));
    }
    if let Some(node) = subject
        .definition
        .field(Canonical::Skills)
        .and_then(|field| subject.node(field))
    {
        mentions
            .skills
            .extend(words(subject, node).into_iter().map(mention));
    }
    if let Some(node) = subject
        .definition
        .field(Canonical::McpServers)
        .and_then(|field| subject.node(field))
    {
        let items = node.items().unwrap_or_default();
        let names = items.iter().filter_map(|item| Some((item.as_text()?, item.span)));
        mentions.servers.extend(names.take(TOOLS).map(mention));
        let maps = items.iter().chain([node]).flat_map(Node::entries);
        let own = maps.filter_map(|entry| entry.key.as_text());
        mentions
            .own_servers
            .extend(own.take(TOOLS).map(ToOwned::to_owned));
    }
    mentions
}

/// A fingerprint of its description and its prompt that ignores whitespace.
pub(crate) fn words_of(definition: &Definition) -> u64 {
    // Fletcher's checksum is cheap, and a collision is harmless.
    let (mut letters, mut places) = (0_u64, 0_u64);
    for text in [&definition.description, &definition.system_prompt] {
        for byte in text.bytes() {
            let is_letter = u64::from(byte > b' ');
            letters = letters.wrapping_add(u64::from(byte) * is_letter);
            places = places.wrapping_add(letters.wrapping_mul(is_letter));
        }
        letters = letters.wrapping_add(1);
    }
    letters.rotate_left(32) ^ places
}

/// The agents in `Agent(a, b)`.
fn agents<'a>(subject: &Subject<'_>, entry: &Entry<'a>) -> Vec<(&'a str, Span)> {
    let calls = matches!(entry.meaning, Meaning::Known(tool) if tool.rights.contains(Rights::DELEGATE));
    let Some(specifier) = entry.rule.specifier.as_deref().filter(|_| calls) else {
        return Vec::new();
    };
    let start = entry.rule.span.of(subject.text).find(specifier);
    let mut at = start.map(|start| entry.rule.span.start.index() + start);
    let mut named = Vec::new();
    for part in specifier.split(',').take(TOOLS) {
        let name = part.trim();
        let place = at.map(|at| at + part.len() - part.trim_start().len());
        at = at.map(|at| at + part.len() + 1);
        if !name.is_empty() && !name.contains('*') {
            let span = place.map_or(entry.rule.span, |start| Span::new(start, start + name.len()));
            named.push((name, span));
        }
    }
    named
}

fn server<'a>(subject: &Subject<'_>, entry: &Entry<'a>) -> Option<(&'a str, Span)> {
    let style = crate::vocabulary::of(&subject.dialect.id)?.mcp?;
    match style
        .parse(&entry.rule.tool)
        .filter(|_| matches!(entry.meaning, Meaning::Server))?
    {
        Mcp::Server(server) | Mcp::Tool(server, _) => Some((server, entry.rule.span)),
        Mcp::All => None,
    }
}

/// The items of a list, or of a comma-separated text.
fn words<'a>(subject: &Subject<'_>, node: &'a Node) -> Vec<(&'a str, Span)> {
    match &node.kind {
        Kind::Scalar { text, .. } => {
            let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
            parts
                .take(TOOLS)
                .map(|part| (part, subject.within(node.span, part)))
                .collect()
        }
        _ => {
            let items = node.items().unwrap_or_default().iter().take(TOOLS);
            items
                .filter_map(|item| Some((item.as_text()?.trim(), item.span)))
                .collect()
        }
    }
}
