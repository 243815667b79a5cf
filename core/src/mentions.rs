//! The agents, skills, MCP servers and files that a file names, and where it does.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::calls::{calls, name_at};
use crate::definition::Definition;
use crate::diagnostic::Anchor;
use crate::dialect::{Canonical, Kind as FileKind, Shape};
use crate::hooks::{Matched, matched};
use crate::limits::{LINKS, NAMES, TOOLS};
use crate::markdown::outline;
use crate::scripts::{Script, of_hooks};
use crate::source::Source;
use crate::span::Span;
use crate::subject::Subject;
use crate::tool_lists::{Entry, Meaning};
use crate::vocabulary::{self, Mcp, Rights};
use crate::yaml::{Kind, Node};

/// What a text or a permission names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Agent,
    /// An agent, if there is one of that name.
    PerhapsAgent,
    Skill,
    /// A command, or a skill that is called like one.
    Command,
    Server,
}

/// A name and its place.
#[derive(Debug)]
pub(crate) struct Mention {
    /// The name.
    pub(crate) name: String,
    /// Its place.
    pub(crate) at: Anchor,
}

/// What a file names.
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
    pub(crate) own_servers: Vec<Mention>,
    /// The files that a skill links to, as written.
    pub(crate) files: Vec<Mention>,
    /// The scripts that its hooks run, as written.
    pub(crate) scripts: Vec<Mention>,
    /// What its text and its permissions name. A command is one only if there is one of that name: it may be a path.
    pub(crate) said: Vec<(Said, Mention)>,
    /// Its display name, by which others may name it.
    pub(crate) title: Option<String>,
}

impl Mentions {
    /// The agents that it or its text names.
    pub(crate) fn every_agent(&self) -> impl Iterator<Item = &Mention> {
        self.agents.iter().chain(self.said_agents())
    }

    /// The agents that its text names.
    pub(crate) fn said_agents(&self) -> impl Iterator<Item = &Mention> {
        let said = self.said.iter().filter(|(said, _)| *said == Said::Agent);
        said.map(|(_, mention)| mention)
    }
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
    mentions.title = subject.text_of(Canonical::DisplayName);
    for field in [Canonical::Agent, Canonical::SubAgents] {
        mentions
            .agents
            .extend(listed(subject, field).into_iter().map(mention));
    }
    mentions.agents.extend(handoffs(subject).into_iter().map(mention));
    mentions.files.extend(links(subject).into_iter().map(mention));
    let scripts = subject.hooks();
    let scripts = scripts
        .flat_map(|hooks| of_hooks(subject.dialect, hooks))
        .take(LINKS);
    let script = |script: Script<'_>| Mention {
        at: Anchor::new(source, script.at),
        name: script.path,
    };
    mentions.scripts = scripts.map(script).collect();
    let said = said(subject).into_iter();
    let said = said.chain(permitted(subject)).chain(hooked(subject));
    mentions.said = said.map(|(said, name)| (said, mention(name))).collect();
    let lists = subject.tools.iter();
    for (entry, denied) in lists.flat_map(|list| list.entries.iter().map(|entry| (entry, list.denied))) {
        let agents = agents(subject, entry).into_iter().map(mention);
        if denied {
            let agents = agents.map(|agent| (Said::PerhapsAgent, agent));
            let servers = server(subject, entry).map(|server| (Said::Server, mention(server)));
            mentions.said.extend(agents.chain(servers));
        } else {
            mentions.agents.extend(agents);
            mentions.servers.extend(server(subject, entry).map(mention));
        }
        let skills = skill(subject, entry).map(mention);
        mentions.said.extend(skills.map(|skill| (Said::Skill, skill)));
    }
    mentions
        .skills
        .extend(listed(subject, Canonical::Skills).into_iter().map(mention));
    if let Some(node) = subject
        .definition
        .field(Canonical::McpServers)
        .and_then(|field| subject.node(field))
    {
        let items = node.items().unwrap_or_default();
        let names = items.iter().filter_map(|item| Some((item.as_text()?, item.span)));
        mentions.servers.extend(names.take(TOOLS).map(mention));
        let key = subject.dialect.keys.iter();
        let mut key = key.filter(|key| key.field == Canonical::McpServers);
        let whole = key.any(|key| !key.list_only).then_some(node);
        let maps = items.iter().chain(whole).flat_map(Node::entries);
        let own = maps.filter(|entry| matches!(entry.value.kind, Kind::Mapping(_)));
        let own = own.filter_map(|entry| Some((entry.key.as_text()?, entry.key.span)));
        mentions.own_servers.extend(own.take(TOOLS).map(mention));
    }
    mentions
}

/// The names in a field; `*` is none.
fn listed<'a>(subject: &Subject<'a>, field: Canonical) -> Vec<(&'a str, Span)> {
    let key = subject.dialect.of_field(field);
    let shape = key.map_or(&Shape::Words, |key| &key.shape);
    let node = subject
        .definition
        .field(field)
        .and_then(|field| subject.node(field));
    let mut names = node.map(|node| words(subject, shape, node)).unwrap_or_default();
    names.retain(|(name, _)| !name.is_empty() && *name != "*");
    names
}

/// The agents that VS Code offers as next steps.
fn handoffs<'a>(subject: &Subject<'a>) -> Vec<(&'a str, Span)> {
    let field = subject.definition.field(Canonical::Handoffs);
    let node = field.and_then(|field| subject.node(field));
    let items = node.and_then(Node::items).unwrap_or_default().iter().take(TOOLS);
    let agents = items.filter_map(|item| item.get("agent"));
    agents
        .filter_map(|agent| Some((agent.as_text()?, agent.span)))
        .collect()
}

/// The files beside a skill that its text links to. Only relative paths without variables and patterns are one file for certain; without
/// any dot, a path may be a page of a wiki.
fn links<'a>(subject: &Subject<'a>) -> Vec<(&'a str, Span)> {
    let has_links = ["](", "]:"].iter().any(|mark| subject.body().contains(mark));
    if subject.dialect.kind != FileKind::Skill || !has_links {
        return Vec::new();
    }
    let is_file = |target: &str| {
        let is_plain = !target.contains(['$', '{', '<', '*', '?', '\\', ' ', '%']);
        is_plain && !target.starts_with(['/', '#', '~']) && !target.contains(':') && target.contains('.')
    };
    let links = outline(subject.text, subject.parts.body).links.into_iter();
    let mut found: Vec<(&str, Span)> = Vec::new();
    for link in links.filter(|link| is_file(&link.target) && !link.is_note) {
        let path = link.target.split('#').next().unwrap_or_default();
        let span = target(link.written.of(subject.text), path).map_or(link.written, |at| {
            let start = link.written.start.index() + at;
            Span::new(start, start + path.len())
        });
        let written = span.of(subject.text);
        if written == path && found.iter().all(|(known, _)| *known != written) && found.len() < LINKS {
            found.push((written, span));
        }
    }
    found
}

/// Where a link or a definition of one has its path: its text may be the same.
fn target(written: &str, path: &str) -> Option<usize> {
    let ends = ["](", "]:"]
        .into_iter()
        .flat_map(|mark| written.match_indices(mark));
    let starts = ends.filter_map(|(at, mark)| {
        let rest = written[at + mark.len()..].trim_start_matches(|c: char| c.is_whitespace() || c == '<');
        rest.starts_with(path).then(|| written.len() - rest.len())
    });
    starts.max().or_else(|| written.find(path))
}

/// The agents and skills that it has a permission for, unless as a pattern.
fn permitted<'a>(subject: &Subject<'a>) -> Vec<(Said, (&'a str, Span))> {
    let dialect = subject.dialect;
    let loads = dialect.skill_tool.as_ref().map(|tool| &*tool.tool);
    let tools = [
        (Some(&*dialect.delegation.tool), Said::Agent),
        (loads, Said::Skill),
    ];
    let field = subject.definition.field(Canonical::Permissions);
    let node = field.and_then(|field| subject.node(field));
    let mut found = Vec::new();
    for entry in node.map(Node::entries).unwrap_or_default() {
        let mut tools = tools.iter();
        let Some((_, said)) = tools.find(|(tool, _)| *tool == entry.key.as_text()) else {
            continue;
        };
        let names = entry.value.entries().iter();
        let names = names.filter_map(|rule| Some((rule.key.as_text()?, rule.key.span)));
        let names = names.filter(|(name, _)| !name.contains(['*', '?']));
        found.extend(names.take(NAMES).map(|name| (*said, name)));
    }
    found
}

/// What the matchers of its hooks name.
fn hooked<'a>(subject: &Subject<'a>) -> Vec<(Said, (&'a str, Span))> {
    let rules = &subject.dialect.hooks;
    let found = subject
        .hooks()
        .flat_map(|hooks| matched(rules, hooks, subject.text));
    let named = found.map(|(kind, name, at)| {
        let said = match kind {
            Matched::Agent => Said::PerhapsAgent,
            Matched::Command => Said::Command,
            Matched::Server => Said::Server,
        };
        (said, (name, at))
    });
    named.take(NAMES).collect()
}

/// What its text names.
fn said<'a>(subject: &Subject<'a>) -> Vec<(Said, (&'a str, Span))> {
    let (body, start) = (subject.body(), subject.parts.body.start.index());
    let names = &subject.dialect.text_names;
    let spot = |name: &'a str, at: usize| (name, Span::new(start + at, start + at + name.len()));
    let mut found = Vec::new();
    if let Some(argument) = &names.agents {
        let arguments = body.match_indices(&**argument);
        let agents = arguments.filter_map(|(at, _)| {
            let (name, value) = argument_at(body, at + argument.len())?;
            Some((Said::Agent, spot(name, value)))
        });
        found.extend(agents.take(NAMES));
    }
    if let Some(mark) = names.commands {
        let commands = calls(body, mark).map(|(name, at)| (Said::Command, spot(name, at)));
        found.extend(commands.take(NAMES));
    }
    if let Some(mark) = names
        .mentions
        .filter(|_| subject.dialect.kind == FileKind::Command)
    {
        let agents = body.match_indices(mark).filter_map(|(at, _)| {
            let is_free = !body[..at].ends_with(|c: char| c.is_alphanumeric() || c == '`');
            let name = name_at(&body[at + mark.len_utf8()..]).filter(|_| is_free)?;
            Some((Said::PerhapsAgent, spot(name, at + mark.len_utf8())))
        });
        found.extend(agents.take(NAMES));
    }
    if let (Some(mark), Some(vocabulary)) = (&names.tools, vocabulary::of(subject.dialect.product())) {
        let tools = body.match_indices(&**mark).filter_map(|(at, _)| {
            let tool = name_at(&body[at + mark.len()..])?;
            let (server, _) = tool.split_once('/')?;
            let is_known = |name: &str| vocabulary.find(name).is_some();
            let is_server = !is_known(tool) && !is_known(server);
            is_server.then(|| (Said::Server, spot(server, at + mark.len())))
        });
        found.extend(tools.take(NAMES));
    }
    found
}

/// The value of an argument whose name ends here: `="name"` or `: name`.
fn argument_at(text: &str, at: usize) -> Option<(&str, usize)> {
    const QUOTES: [char; 4] = ['"', '\'', '`', ' '];
    let rest = text[at..].trim_start_matches(QUOTES);
    let value = rest.strip_prefix(['=', ':'])?;
    let is_bare = rest.starts_with(':') && !value.trim_start().starts_with(&QUOTES[..3]);
    let value = value.trim_start_matches(QUOTES);
    let name = name_at(value)?;
    let after = &value[name.len()..];
    // In prose, other words follow.
    let is_prose = is_bare && after.starts_with(' ');
    let is_whole = !after.starts_with(['[', '(', '{', '<', '$', '*']);
    (is_whole && !is_prose).then_some((name, text.len() - value.len()))
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

/// Where the specifier of a tool is: behind its parenthesis, as the tool's name may contain the same.
fn specified(subject: &Subject<'_>, entry: &Entry<'_>, specifier: &str) -> Option<usize> {
    let (tool, rest) = entry.rule.span.of(subject.text).split_once('(')?;
    Some(entry.rule.span.start.index() + tool.len() + 1 + rest.find(specifier)?)
}

/// The skill in `Skill(name)` or `Skill(name *)`.
fn skill<'a>(subject: &Subject<'_>, entry: &Entry<'a>) -> Option<(&'a str, Span)> {
    let tool = subject.dialect.skill_tool.as_ref()?;
    let specifier = entry
        .rule
        .specifier
        .as_deref()
        .filter(|_| entry.rule.tool == tool.tool)?;
    let name = specifier.split(' ').next().unwrap_or_default();
    let name = name.strip_suffix(":*").unwrap_or(name);
    let start = specified(subject, entry, specifier)?;
    (!name.is_empty() && !name.contains('*')).then(|| (name, Span::new(start, start + name.len())))
}

/// The agents in `Agent(a, b)`.
fn agents<'a>(subject: &Subject<'_>, entry: &Entry<'a>) -> Vec<(&'a str, Span)> {
    let calls = matches!(entry.meaning, Meaning::Known(tool) if tool.rights.contains(Rights::DELEGATE));
    let Some(specifier) = entry.rule.specifier.as_deref().filter(|_| calls) else {
        return Vec::new();
    };
    let mut at = specified(subject, entry, specifier);
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
    let style = vocabulary::of(subject.dialect.product())?.mcp?;
    match style
        .parse(&entry.rule.tool)
        .filter(|_| matches!(entry.meaning, Meaning::Server))?
    {
        Mcp::Server(server) | Mcp::Tool(server, _) => Some((server, entry.rule.span)),
        Mcp::All => None,
    }
}

/// The items of a list, or of a text.
fn words<'a>(subject: &Subject<'_>, shape: &Shape, node: &'a Node) -> Vec<(&'a str, Span)> {
    let parts = |text: &'a str, span: Span| span.places(subject.text, shape.words(text).take(TOOLS));
    match &node.kind {
        Kind::Scalar { text, .. } => parts(text, node.span).collect(),
        _ => {
            let items = node.items().unwrap_or_default().iter().take(TOOLS);
            let texts = items.filter_map(|item| Some((item.as_text()?.trim(), item.span)));
            if matches!(shape, Shape::Spaced) {
                texts.flat_map(|(text, span)| parts(text, span)).collect()
            } else {
                texts.collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_behind_texts() {
        for (written, expected) in [
            ("[a.md](a.md)", 7),
            ("[a.md](<a.md#a.md> \"a.md\")", 8),
            ("[a.md]: a.md 'a.md'", 8),
            ("[![a.md](a.md)](a.md)", 16),
        ] {
            assert_eq!(target(written, "a.md"), Some(expected), "{written}");
        }
        assert_eq!(target("[a](b%20c.md)", "b c.md"), None);
    }
}
