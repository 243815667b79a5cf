//! What can be written at a place in a frontmatter.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::dialect::{Canonical, Dialect, Format, Key, Level, Shape};
use crate::lines::lines;
use crate::source::Source;
use crate::span::Span;
use crate::vocabulary::{self, Mcp, Rights};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A key.
    Key,
    /// A value of a key.
    Value,
    /// A tool.
    Tool,
    /// A model, or an alias of one.
    Model,
    /// Something that the project defines.
    Name(Named),
}

/// What a name in a file is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// An agent.
    Agent,
    /// A skill.
    Skill,
    /// An MCP server.
    Server,
}

/// A word that fits a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The word.
    pub word: String,
    /// What to write for it, such as a key with its colon.
    pub text: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A remark: the rights of a tool, the default of a key, or the description of an agent.
    pub detail: String,
    /// Whether the file does not load without it.
    pub is_required: bool,
}

/// The words that fit a place, the usual ones first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The bytes that a word replaces.
    pub span: Span,
    /// The words.
    pub words: Vec<Completion>,
}

/// The keys or values that fit the byte `at` of a file; none outside of its frontmatter, which need not be closed yet. `names` lists what the
/// project defines, with descriptions.
pub fn completions(
    bytes: &[u8],
    at: usize,
    dialect: &Dialect,
    level: Level,
    names: &dyn Fn(Named) -> Vec<(String, String)>,
) -> Completions {
    let source = Source::of_file(bytes);
    let start = source.byte_order_mark().map_or(0, |mark| mark.end.index());
    // Invalid UTF-8 moves offsets; no editor shows such text as it is stored.
    let place = (source.invalid.is_empty() && source.text.is_char_boundary(at))
        .then(|| Place::find(&source.text, start, at, dialect.format))
        .flatten();
    place.map_or_else(Completions::default, |place| {
        let words = match place.key.map(|key| dialect.key(key)) {
            None => keys(dialect, level, &place),
            Some(None) => Vec::new(),
            Some(Some(key)) => match named(dialect, key, &place) {
                Some(named) => {
                    // A name with permissions is a key.
                    let is_key = matches!(key.shape, Shape::Permissions);
                    place.names(named, names(named), if is_key { place.colon() } else { "" })
                }
                None => {
                    let mut words = values(dialect, key, &place);
                    if matches!(key.shape, Shape::Tools(_)) && place.specified().is_none() {
                        words.extend(server_tools(dialect, &place, &names(Named::Server)));
                    }
                    words
                }
            },
        };
        Completions {
            span: place.word,
            words,
        }
    })
}

/// A place in a frontmatter.
struct Place<'a> {
    /// The word there.
    word: Span,
    /// The key whose value it is in; none where a key begins.
    key: Option<&'a str>,
    /// The key within that value which its line is below.
    parent: Option<&'a str>,
    /// The text of its line before the word.
    before: &'a str,
    /// The text of its line after the word.
    after: &'a str,
    /// The other keys.
    keys: Vec<&'a str>,
    /// The words of the same value.
    siblings: Vec<&'a str>,
    format: Format,
}

impl<'a> Place<'a> {
    fn find(text: &'a str, start: usize, at: usize, format: Format) -> Option<Self> {
        let mut keys: Vec<(Span, &str)> = Vec::new();
        let (mut line, mut is_open) = (None, format == Format::Toml);
        let (mut has_gap, mut end) = (false, None);
        let rest = &text[start..];
        // The cursor may be after the last line end.
        let last = rest.ends_with(['\n', '\r']).then(|| Span::at(rest.len()));
        for span in lines(rest).chain(last) {
            let span = Span::new(start + span.start.index(), start + span.end.index());
            let content = span.of(text);
            let is_here = span.start.index() <= at && at <= span.end.index();
            if !is_open {
                is_open = content.trim_end() == "---" && !is_here;
                if !is_open {
                    return None;
                }
                continue;
            }
            let ends = match format {
                Format::Markdown => content.trim_end() == "---",
                Format::Toml => content.starts_with('['),
            };
            if ends {
                line.as_ref()?;
                (has_gap, end) = (false, Some(span.start.index()));
                break;
            }
            if is_here {
                line = Some(span);
            } else if content.trim().is_empty() && format == Format::Markdown {
                has_gap |= line.is_none();
                end = end.or(line.map(|_| span.start.index()));
            }
            keys.extend(key_of(content, format).map(|key| (span, key)));
        }
        // Without an end, the first empty line begins the prompt.
        let line = line.filter(|_| !has_gap)?;
        let content = line.of(text);
        let cursor = at - line.start.index();
        let mut from = content[..cursor].trim_end_matches(is_of_word).len();
        if is_comment(&content[..from]) {
            return None;
        }
        // The dash of an item is not part of its word.
        if content[..from].trim().is_empty() && content[from..cursor].starts_with('-') {
            from += 1;
        }
        let rest = content[cursor..].trim_start_matches(is_of_word);
        let word = Span::new(line.start.index() + from, line.end.index() - rest.len());
        let begins_key = from == 0 && key_of(content, format).is_none_or(|key| cursor <= key.len());
        let end = end.unwrap_or(text.len());
        let own = keys.iter().rposition(|(span, _)| span.start <= line.start);
        let value = own.map(|own| {
            let end = keys
                .get(own + 1)
                .map_or(end, |(next, _)| next.start.index().min(end));
            &text[keys[own].0.start.index()..end]
        });
        let above = own.map(|own| {
            Span::new(
                keys[own].0.end.index(),
                line.start.index().max(keys[own].0.end.index()),
            )
        });
        let parent = above.and_then(|above| parent_of(above.of(text), content));
        let siblings = value.unwrap_or_default().split(|char| !is_of_word(char));
        let others = keys.iter().filter(|(span, _)| *span != line || !begins_key);
        Some(Self {
            word,
            key: own.map(|own| keys[own].1).filter(|_| !begins_key),
            parent,
            before: &content[..from],
            after: rest,
            keys: others.map(|(_, key)| *key).collect(),
            siblings: siblings.filter(|sibling| *sibling != word.of(text)).collect(),
            format,
        })
    }

    /// After a key in a value, unless it is there.
    fn colon(&self) -> &'static str {
        if self.after.starts_with(':') { "" } else { ": " }
    }

    /// Between the key and its value.
    fn separator(&self) -> &'static str {
        match self.format {
            Format::Markdown => ": ",
            Format::Toml => " = ",
        }
    }
}

/// Whether a comment begins in this part of a line, which a quote does not contain.
fn is_comment(before: &str) -> bool {
    let (mut quote, mut last) = (None, ' ');
    for c in before.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '#' && last.is_whitespace() => return true,
            // Within a word it is an apostrophe.
            None if matches!(c, '"' | '\'') && !last.is_alphanumeric() => quote = Some(c),
            None => {}
        }
        last = c;
    }
    false
}

/// The key of the nearest line above that is indented less than this one.
fn parent_of<'a>(above: &'a str, line: &str) -> Option<&'a str> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let own = indent(line);
    let mut lines = above.lines().rev().filter(|line| !line.trim().is_empty());
    let parent = lines.find(|line| indent(line) < own)?;
    key_of(parent.trim_start(), Format::Markdown)
}

fn is_of_word(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '*')
}

/// The key that a line begins with.
fn key_of(line: &str, format: Format) -> Option<&str> {
    let mark = match format {
        Format::Markdown => ':',
        Format::Toml => '=',
    };
    let (key, _) = line.split_once(mark)?;
    let key = key.trim_end();
    (!key.is_empty() && key.chars().all(is_of_word)).then_some(key)
}

fn keys(dialect: &Dialect, level: Level, place: &Place<'_>) -> Vec<Completion> {
    let is_there = |key: &&Key| {
        place
            .keys
            .iter()
            .any(|there| key.spellings.iter().any(|known| known == there))
    };
    let is_useful = |key: &&Key| key.replaced_by.is_none() && !key.ignored_at.contains(&level);
    let separator = if place.after.is_empty() {
        place.separator()
    } else {
        ""
    };
    let keys = dialect.keys.iter().filter(|key| is_useful(key) && !is_there(key));
    let mut words: Vec<Completion> = keys
        .map(|key| Completion {
            word: key.written().to_string(),
            text: format!("{}{separator}", key.written()),
            kind: CompletionKind::Key,
            detail: if key.is_required() {
                "required".to_string()
            } else {
                key.default.clone()
            },
            is_required: key.is_required(),
        })
        .collect();
    words.sort_by_key(|word| !word.is_required);
    words
}

fn values(dialect: &Dialect, key: &Key, place: &Place<'_>) -> Vec<Completion> {
    let plain = |kind: CompletionKind, words: &[String]| {
        words.iter().map(|word| place.value(kind, word, "")).collect()
    };
    let all = |words: &[&str]| {
        words
            .iter()
            .map(|word| place.value(CompletionKind::Value, word, ""))
            .collect()
    };
    match key.shape {
        Shape::Tools(_) => tools(dialect, place, ""),
        Shape::Switches | Shape::Permissions if !is_indented(place.before) => match key.shape {
            Shape::Permissions => all(&["allow", "ask", "deny"]),
            _ => Vec::new(),
        },
        // What is below a tool is a pattern of the user.
        Shape::Switches | Shape::Permissions if !place.before.contains(':') => match place.parent {
            Some(_) => Vec::new(),
            None => tools(dialect, place, place.colon()),
        },
        Shape::Switches => all(&["true", "false"]),
        Shape::Permissions => all(&["allow", "ask", "deny"]),
        Shape::Boolean => all(&["true", "false"]),
        _ if key.field == Canonical::Model => {
            let is_word = !key.default.is_empty() && key.default.chars().all(is_of_word);
            let default = is_word.then(|| place.value(CompletionKind::Model, &key.default, ""));
            let mut words: Vec<Completion> = plain(CompletionKind::Model, &dialect.model_aliases);
            words.extend(default);
            words
        }
        _ => plain(CompletionKind::Value, &key.one_of),
    }
}

/// What a name there is the name of; none where no name fits.
fn named(dialect: &Dialect, key: &Key, place: &Place<'_>) -> Option<Named> {
    let item = place.before.trim_start_matches([' ', '-']);
    match (key.field, &key.shape) {
        (_, Shape::Permissions) if is_indented(place.before) && !place.before.contains(':') => {
            let tool = place.parent?;
            let loads = dialect
                .skill_tool
                .as_ref()
                .is_some_and(|skills| skills.tool == tool);
            let calls = dialect.delegation.tool == tool;
            calls.then_some(Named::Agent).or(loads.then_some(Named::Skill))
        }
        (Canonical::Skills, _) => Some(Named::Skill),
        (Canonical::Agent | Canonical::SubAgents, _) => Some(Named::Agent),
        (Canonical::Handoffs, _) => item.starts_with("agent:").then_some(Named::Agent),
        // An item is the name of a server, or a new one.
        (Canonical::McpServers, _) => (item.is_empty() || item.contains('[')).then_some(Named::Server),
        (_, Shape::Tools(_)) => {
            let tool = place.specified()?;
            let vocabulary = vocabulary::of(dialect.product())?;
            let calls = |tool: &vocabulary::Tool| tool.rights.contains(Rights::DELEGATE);
            vocabulary.find(tool).is_some_and(calls).then_some(Named::Agent)
        }
        _ => None,
    }
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// The tools that the value does not name yet.
fn tools(dialect: &Dialect, place: &Place<'_>, suffix: &str) -> Vec<Completion> {
    if place.specified().is_some() {
        return Vec::new();
    }
    let new = vocabulary::current(dialect.product()).filter(|tool| !place.siblings.contains(&tool.name));
    new.map(|tool| {
        let rights: Vec<&str> = tool.rights.iter().map(|right| right.words).collect();
        let mut word = place.value(CompletionKind::Tool, tool.name, suffix);
        word.detail = rights.join(", ");
        word
    })
    .collect()
}

/// The tools of the project's MCP servers, all of each.
fn server_tools(dialect: &Dialect, place: &Place<'_>, servers: &[(String, String)]) -> Vec<Completion> {
    let style = vocabulary::of(dialect.product()).and_then(|vocabulary| vocabulary.mcp);
    let names = servers
        .iter()
        .filter_map(|(server, _)| style?.spell(Mcp::Server(server)));
    let new = names.filter(|name| !place.siblings.contains(&&**name));
    new.map(|name| place.value(CompletionKind::Tool, &name, ""))
        .collect()
}

impl Place<'_> {
    /// The tool whose parentheses it is in.
    fn specified(&self) -> Option<&str> {
        let (list, inside) = self.before.rsplit_once('(')?;
        let tool = list.rsplit(|char| !is_of_word(char)).next();
        tool.filter(|_| !inside.contains(')'))
    }

    /// The names that the value does not have yet.
    fn names(&self, named: Named, mut names: Vec<(String, String)>, suffix: &str) -> Vec<Completion> {
        names.retain(|(name, _)| !self.siblings.contains(&&**name));
        let words = names.into_iter().map(|(name, description)| Completion {
            detail: description,
            ..self.value(CompletionKind::Name(named), &name, suffix)
        });
        words.collect()
    }

    /// A value, in quotes where the format wants them.
    fn value(&self, kind: CompletionKind, word: &str, suffix: &str) -> Completion {
        let is_text = !matches!(word, "true" | "false");
        let quote = match self.format {
            Format::Toml if is_text && !self.before.ends_with(['"', '\'']) => "\"",
            _ => "",
        };
        // YAML wants a space after a colon and a dash.
        let touches = self.before.trim_start() == "-" || self.before.ends_with([':', '=']);
        let space = if touches && !self.before.ends_with(' ') {
            " "
        } else {
            ""
        };
        Completion {
            word: word.to_string(),
            text: format!("{space}{quote}{word}{quote}{suffix}"),
            kind,
            detail: String::new(),
            is_required: false,
        }
    }
}
