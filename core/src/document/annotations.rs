//! What an editor shows in a file besides its text: what its words are, and what it leaves unsaid.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::draft::{Draft, File, draft};
use crate::definition::Definition;
use crate::dialect::{Canonical, Dialect, Dialects, Kind, Level, UnknownDialect};
use crate::frontmatter::Parts;
use crate::mentions::{Mention, Mentions, Said};
use crate::source::Source;
use crate::span::{Offset, Span};
use crate::tool_lists::{Meaning, ToolList, lists};
use crate::vocabulary::Standing;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A key.
    Key,
    /// A key that the dialect does not read.
    UnreadKey,
    /// A tool.
    Tool,
    /// A model.
    Model,
    /// The name of an agent.
    Agent,
    /// The name of a skill.
    Skill,
    /// The name of an MCP server.
    Server,
}

/// A word with a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
    /// The rights of a tool, in words; else empty.
    pub rights: String,
}

impl Token {
    fn new(span: Span, kind: TokenKind) -> Self {
        Self {
            span,
            kind,
            rights: String::new(),
        }
    }
}

/// A text to show between others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The byte that it is shown before.
    pub at: Offset,
    /// The text.
    pub text: String,
}

/// What to show in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Words, sorted by place and apart from each other.
    pub tokens: Vec<Token>,
    /// Hints, sorted by place.
    pub hints: Vec<Hint>,
}

/// The annotations of a file; none for one that is not an agent, and no hints for one that does not load. The dialect and the level are as for
/// [`parse`](super::parse).
pub fn annotations(
    path: &str,
    bytes: &[u8],
    dialect: Option<&str>,
    level: Option<Level>,
    dialects: &Dialects,
) -> Result<Annotations, UnknownDialect> {
    let source = &Source::of_file(bytes);
    let dialect = dialects.choose(dialect, path, &source.text)?;
    let level = level.unwrap_or(Level::Project);
    let there = dialect.at(level);
    let dialect = there.as_ref().unwrap_or(dialect);
    let file = File {
        path,
        source,
        bytes,
        dialect,
        dialects,
    };
    let Draft { document, parts, .. } = draft(&file, Some(level));
    // Invalid UTF-8 moves offsets; no editor shows such text as it is stored.
    if !source.invalid.is_empty() || !document.outcome.is_agent() {
        return Ok(Annotations::default());
    }
    let definition = &document.definition;
    let lists = lists(definition, dialect, path, &source.text);
    let mut hints = Vec::new();
    if document.outcome.loads() {
        hints.extend(defaults(definition, dialect, &parts, &source.text));
        hints.extend(current_names(&lists));
        hints.sort_by_key(|hint| hint.at);
    }
    Ok(Annotations {
        tokens: tokens(definition, &lists, &document.mentions, &source.text),
        hints,
    })
}

/// The tools and the model of an agent that does not set them, beside the fences: editors cut what is too long for one line.
fn defaults(definition: &Definition, dialect: &Dialect, parts: &Parts, text: &str) -> Vec<Hint> {
    let Some(frontmatter) = parts.frontmatter.filter(|_| dialect.kind == Kind::Agent) else {
        return Vec::new();
    };
    // Another format's fence has none that closes it.
    let start = frontmatter.yaml.end.index();
    let closing = text.get(start..parts.body.start.index()).unwrap_or_default();
    let closing = start + closing.trim_end().len();
    let places = [
        (Canonical::Tools, frontmatter.opening.end),
        (Canonical::Model, Offset::new(closing)),
    ];
    let unset = places
        .into_iter()
        .filter(|(canonical, _)| definition.field(*canonical).is_none());
    let hints = unset.filter_map(|(canonical, at)| {
        let key = dialect.of_field(canonical)?;
        let text = format!("{}: {}", key.written(), key.default);
        (!key.default.is_empty()).then_some(Hint { at, text })
    });
    hints.collect()
}

/// The current names of tools that are listed by other ones.
fn current_names(lists: &[ToolList<'_>]) -> impl Iterator<Item = Hint> {
    let entries = lists.iter().flat_map(|list| &list.entries);
    entries.filter_map(|entry| match entry.meaning {
        Meaning::Known(tool) => match tool.standing {
            Standing::Alias(current) | Standing::Renamed(current) => Some(Hint {
                at: entry.place().end,
                text: format!("= {current}"),
            }),
            Standing::Current | Standing::Retired(_) => None,
        },
        _ => None,
    })
}

fn tokens(definition: &Definition, lists: &[ToolList<'_>], mentions: &Mentions, text: &str) -> Vec<Token> {
    let keys = definition.fields.iter().map(|field| match field.canonical {
        Some(_) => Token::new(field.key_span, TokenKind::Key),
        None => Token::new(field.key_span, TokenKind::UnreadKey),
    });
    let mut tokens: Vec<Token> = keys.collect();
    let model = definition.field(Canonical::Model).map(|field| field.value_span);
    // A comment may follow a value.
    let is_word = |span: &Span| !span.of(text).contains(char::is_whitespace);
    tokens.extend(
        model
            .filter(is_word)
            .map(|span| Token::new(span, TokenKind::Model)),
    );
    let entries = lists.iter().flat_map(|list| &list.entries);
    tokens.extend(entries.filter_map(|entry| match entry.meaning {
        Meaning::Known(tool) => Some(Token {
            rights: tool.rights.words(),
            ..Token::new(entry.place(), TokenKind::Tool)
        }),
        _ => None,
    }));
    let named: [(TokenKind, &[Mention]); 4] = [
        (TokenKind::Agent, &mentions.agents),
        (TokenKind::Skill, &mentions.skills),
        (TokenKind::Server, &mentions.servers),
        (TokenKind::Server, &mentions.own_servers),
    ];
    for (kind, mentions) in named {
        tokens.extend(mentions.iter().map(|mention| Token::new(mention.at.span(), kind)));
    }
    let said = mentions.said.iter().filter_map(|(said, mention)| {
        let kind = match said {
            Said::Agent => TokenKind::Agent,
            Said::Skill => TokenKind::Skill,
            Said::Server => TokenKind::Server,
            // It may be something else.
            Said::Command | Said::PerhapsAgent => return None,
        };
        Some(Token::new(mention.at.span(), kind))
    });
    tokens.extend(said);
    tokens.retain(|token| !token.span.is_empty());
    tokens.sort_by_key(|token| (token.span.start, token.span.end));
    // A name whose place is not known has that of all its text.
    tokens.dedup_by(|next, last| next.span.start < last.span.end);
    tokens
}
