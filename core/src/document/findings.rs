//! Findings about a file as a whole: its encoding, its YAML, its prompt.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::syntax;
use crate::definition::Definition;
use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::dialect::{Canonical, Dialect, Dialects, Format, Kind, Tolerance, Verdict};
use crate::limits::{FILE_BYTES, FRONTMATTER_BYTES};
use crate::lines::find;
use crate::reader::special_value;
use crate::rules;
use crate::source::Source;
use crate::span::{Span, Spanned};
use crate::verdict::Judgement;
use crate::yaml::{Kind as Shape, Node, SyntaxError, read, requoted};

/// Files that are commonly kept beside agents, without their extensions.
const OTHER_DOCUMENTS: &[&str] = &[
    "agents",
    "changelog",
    "claude",
    "code_of_conduct",
    "contributing",
    "gemini",
    "index",
    "license",
    "readme",
    "security",
    "template",
];

pub(super) fn encoding(source: &Source<'_>, drops_mark: bool, dialect: &Dialect, judgement: &mut Judgement) {
    if let Some(mark) = source.byte_order_mark() {
        let mut finding = Finding::new(
            &rules::byte_order_mark::RULE,
            mark,
            "the file starts with a byte order mark".to_owned(),
        )
        .label("some readers take it as text and see no frontmatter")
        .fix(Fix {
            title: "Remove the byte order mark".to_owned(),
            safe: true,
            edits: alloc::vec![Edit {
                span: source.byte_order_marks(),
                text: String::new(),
            }],
        });
        if drops_mark {
            finding.severity = Severity::Error;
            finding.label = Verdict::Dropped.consequence(dialect.kind).to_owned();
            judgement.judge(Verdict::Dropped, &finding.message);
        }
        judgement.find(finding);
    }
    if let Some(first) = source.invalid.first() {
        let count = source.invalid.len();
        let places = if count == 1 { "place" } else { "places" };
        let finding = Finding::new(
            &rules::invalid_utf8::RULE,
            *first,
            format!("the file is not UTF-8 in {count} {places}"),
        )
        .label("some readers replace these bytes, some refuse the file")
        .help("save the file as UTF-8");
        judgement.find(finding);
    }
}

pub(super) fn size(bytes: usize, judgement: &mut Judgement) {
    if bytes <= FILE_BYTES {
        return;
    }
    let message = format!("the file has {bytes} bytes; only {FILE_BYTES} are read");
    judgement.judge(Verdict::Dropped, &message);
    judgement.find(Finding::new(&rules::too_large::RULE, Span::default(), message));
}

/// Intended frontmatter in a file that has none for any reader.
pub(super) fn meant_as_frontmatter(text: &str, start: usize) -> Option<Finding> {
    rules::fenced_frontmatter::find(text, start)
        .or_else(|| rules::unopened_frontmatter::find(text, start))
        .or_else(|| rules::misplaced_fence::find_longer(text, start))
        .or_else(|| rules::misplaced_fence::find(text, start))
}

/// How much of a prompt is searched for an address to the model.
const BEGINNING: usize = 800;

pub(super) fn no_frontmatter(
    dialect: &Dialect,
    stem: &str,
    body: &str,
    span: Span,
    judgement: &mut Judgement,
) {
    // A prompt addresses the model, and an agent has fields. Notes are kept beside agents, too.
    let beginning = Span::new(0, body.floor_char_boundary(BEGINNING));
    let mut words = [
        "You are ",
        "you are ",
        "Your task",
        "Your role",
        "name:",
        "description:",
    ]
    .iter();
    let a = dialect.kind.a();
    let is_prompt = words.any(|words| find(body, beginning, words).is_some());
    let severity = if is_prompt {
        Severity::Warning
    } else {
        Severity::Note
    };
    let finding = Finding::new(
        &rules::no_frontmatter::RULE,
        span,
        format!("`{stem}` has no frontmatter, so it is not {a}"),
    )
    .help(format!(
        "for {a}, add `name:` and `description:` between two lines of `---`; otherwise, move it elsewhere"
    ));
    judgement.find(finding.severity(severity));
}

fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[start..].lines().next().unwrap_or_default()
}

/// Whether a file name indicates something other than an agent.
pub(super) fn is_other_document(stem: &str) -> bool {
    let folded = stem.to_lowercase().replace('-', "_");
    OTHER_DOCUMENTS.contains(&&*folded)
        || folded.starts_with('_')
        || ["readme", "template"].iter().any(|word| folded.starts_with(word))
        || ["_template", ".compact"]
            .iter()
            .any(|word| folded.ends_with(word))
}

pub(super) fn unquoted(
    text: &str,
    values: &[Span],
    error: &SyntaxError,
    dialect: &Dialect,
    dialects: &Dialects,
    is_repaired: bool,
    judgement: &mut Judgement,
) {
    let strict: Vec<&str> = dialects
        .of(dialect.kind)
        .filter(|dialect| dialect.tolerates == Tolerance::Strict && dialect.format == Format::Markdown)
        .map(|dialect| &*dialect.id)
        .collect();
    // Without a measured release, the document decides.
    let is_colon = |value: &Span| !is_unclosed(value.of(text)) && colon(value.of(text)).is_some();
    let is_tolerated = match dialect.tolerates {
        Tolerance::Strict => false,
        Tolerance::UnquotedValues => true,
        Tolerance::UnquotedLines => is_repaired,
        Tolerance::UnquotedColons => values.iter().all(is_colon),
    };
    let is_loaded = is_tolerated && (dialect.kind != Kind::Agent || dialect.unmeasured);
    let note = if !is_tolerated && dialect.bad_frontmatter == Verdict::Ignored {
        syntax::without_fields(dialect)
    } else if is_loaded {
        syntax::loads_anyway(&dialect.id)
    } else {
        format!("refused by {}", strict.join(", "))
    };
    for value in values {
        let written = value.of(text);
        let key = key_of(text, *value);
        let finding = match (colon(written), after_list(written)) {
            _ if is_unclosed(written) => {
                let start = value.start.index();
                let message = format!("`{key}` starts with a quote that is not closed");
                Finding::new(&rules::unquoted_value::RULE, Span::new(start, start + 1), message)
                    .label("no matching quote follows")
            }
            (Some(at), _) => {
                let start = value.start.index() + at;
                let message = format!("unquoted `{key}` contains `: `, which starts a mapping in YAML");
                Finding::new(&rules::unquoted_value::RULE, Span::new(start, start + 1), message)
                    .label("YAML reads this `: ` as a nested key")
            }
            (None, Some(at)) => {
                let start = value.start.index() + at;
                let message = format!("unquoted `{key}` starts with `[`, which starts a list in YAML");
                Finding::new(
                    &rules::unquoted_value::RULE,
                    Span::new(start, value.end.index()),
                    message,
                )
                .label("YAML allows no text after a list")
            }
            (None, None) if begins_block(written) => {
                let start = value.start.index();
                let mark = &written[..1];
                let message =
                    format!("unquoted `{key}` starts with `{mark}`, which starts a block of text in YAML");
                Finding::new(&rules::unquoted_value::RULE, Span::new(start, start + 1), message)
                    .label("YAML allows no text after it on its line")
            }
            (None, None) => {
                let own = read(&format!("{key}: {written}"), 0).err();
                let reason = own.map_or_else(|| error.message.clone(), |own| own.message);
                let message = format!("`{key}` needs quotes: {reason}");
                Finding::new(&rules::unquoted_value::RULE, *value, message)
            }
        };
        let finding = if is_loaded {
            finding.severity(Severity::Warning)
        } else {
            finding
        };
        // A mark of a block is a part of a hint, and a mistake in other texts.
        let is_hint = || {
            dialect
                .key(key)
                .is_some_and(|key| key.field == Canonical::ArgumentHint)
        };
        let before = &text[..value.start.index()];
        // Readers of YAML 1.1 accept no tab before a value.
        let gap = &before[before.trim_end_matches([' ', '\t']).len()..];
        let gap = if gap.contains('\t') { gap.len() } else { 0 };
        let finding = finding.note(note.clone()).fix(Fix {
            title: "Quote the value".to_owned(),
            safe: !is_unfinished(written) && (!begins_block(written) || is_hint()),
            edits: alloc::vec![Edit {
                span: Span::new(value.start.index() - gap, value.end.index()),
                text: [if gap > 0 { " " } else { "" }, &requoted(written)].concat(),
            }],
        });
        judgement.find(finding);
    }
    if !is_tolerated {
        let reason = match dialect.tolerates {
            Tolerance::UnquotedLines => &*error.message,
            _ => "quote a value",
        };
        let reason = format!("the frontmatter is not valid YAML: {reason}");
        judgement.judge(dialect.bad_frontmatter, &reason);
    }
}

/// Comments that are read as parts of values, where lines of invalid YAML are put in quotes.
pub(super) fn quoted_comments(
    text: &str,
    comments: &[Spanned<String>],
    dialect: &Dialect,
    judgement: &mut Judgement,
) {
    for comment in comments {
        let line = line_at(text, comment.span.start.index());
        if let Some((key, _)) = special_value(line) {
            let message = format!("{} reads this comment as a part of `{key}`", dialect.id);
            let finding = Finding::new(&rules::unquoted_value::RULE, comment.span, message)
                .severity(Severity::Warning)
                .label("because another value needs quotes")
                .help("quote that value, or remove the comment");
            judgement.find(finding);
        }
    }
}

/// The values that Claude Code puts in quotes, as it reads them: to the ends of their lines.
pub(super) fn quote_lines(text: &str, root: &mut Node) {
    let Shape::Mapping(entries) = &mut root.kind else {
        return;
    };
    for entry in entries {
        let start = entry.key.span.start.index();
        let line = line_at(text, start);
        if let Some((_, value)) = special_value(line) {
            let start = start + line.len() - value.len();
            entry.value = Node::text(value, Span::new(start, start + value.trim_end().len()));
        }
    }
}

/// Whether it starts with a quote that is not closed.
fn is_unclosed(value: &str) -> bool {
    value.starts_with(['"', '\'']) && is_unfinished(value)
}

/// Whether it starts like a block of text.
fn begins_block(value: &str) -> bool {
    value.starts_with(['|', '>'])
}

/// Where a value has a colon that starts a mapping.
fn colon(value: &str) -> Option<usize> {
    let starts = |(at, _): &(usize, &str)| {
        let rest = &value[at + 1..];
        rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r'])
    };
    value.match_indices(':').find(starts).map(|(at, _)| at)
}

/// Where the text after a list in brackets starts, if there is any.
fn after_list(value: &str) -> Option<usize> {
    let end = value.starts_with('[').then(|| value.find(']'))?? + 1;
    let rest = value[end..].trim_start();
    (!rest.is_empty()).then(|| value.len() - rest.len())
}

/// Whether it starts like a list or a quotation that is not closed, and so may have been meant as one.
fn is_unfinished(value: &str) -> bool {
    let mut rest = value.chars();
    let closing = match rest.next() {
        Some('[') => ']',
        Some('{') => '}',
        Some(quote @ ('"' | '\'')) => quote,
        _ => return false,
    };
    !rest.any(|c| c == closing)
}

/// The key on the line where a value starts.
fn key_of(text: &str, value: Span) -> &str {
    let before = &text[..value.start.index()];
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    line.trim().trim_end_matches(':')
}

pub(super) fn too_long(opening: Span, judgement: &mut Judgement) {
    let message = format!("the frontmatter is longer than {} KB", FRONTMATTER_BYTES >> 10);
    let finding = Finding::new(&rules::frontmatter_too_long::RULE, opening, message.clone())
        .label("it is read line by line")
        .help("move text into the body");
    judgement.find(finding);
    judgement.judge(Verdict::Dropped, &message);
}

pub(super) fn prompt_length(
    definition: &Definition,
    body: Span,
    dialect: &Dialect,
    judgement: &mut Judgement,
) {
    let (rule, id) = (&dialect.body, &dialect.id);
    if rule.shortest.is_none() && rule.longest.is_none() {
        return;
    }
    let length = definition.system_prompt.chars().count();
    let short = rule
        .shortest
        .filter(|least| length > 0 && length < *least as usize);
    let long = rule.longest.filter(|most| length > *most as usize);
    let (found, bound) = match (short, long) {
        (Some(least), _) => (&rules::too_short::RULE, format!("at least {least}")),
        (None, Some(most)) => (&rules::too_long::RULE, format!("at most {most}")),
        (None, None) => return,
    };
    let message = format!("the prompt has {length} characters; {id} accepts {bound}");
    judgement.judge(rule.out_of_bounds, &message);
    let beginning = Span::at(body.start.index());
    let finding = Finding::new(found, beginning, message).severity(rule.out_of_bounds.into());
    judgement.find(match rule.out_of_bounds {
        Verdict::Ignored => finding.label("it starts here"),
        verdict => finding.label(verdict.consequence(dialect.kind)),
    });
}

pub(super) fn empty_prompt(
    definition: &Definition,
    opening: Span,
    dialect: &Dialect,
    judgement: &mut Judgement,
) {
    if !definition.system_prompt.trim().is_empty() {
        return;
    }
    let rule = &dialect.body;
    let text = match dialect.kind {
        Kind::Skill => "instructions",
        Kind::Agent | Kind::Command => "prompt",
    };
    let message = format!("`{}` has no {text}: the body is empty", definition.name);
    let severity = match rule.empty {
        Verdict::Fine | Verdict::Ignored => Severity::Warning,
        Verdict::Withheld | Verdict::Dropped => Severity::Error,
    };
    let reason = match rule.empty_text.as_str() {
        "" => &message,
        text => text,
    };
    judgement.judge(rule.empty, reason);
    let finding = Finding::new(&rules::empty_prompt::RULE, opening, message)
        .severity(severity)
        .label("no text follows this frontmatter")
        .help(match dialect.kind {
            Kind::Skill => "add instructions below the frontmatter",
            Kind::Agent | Kind::Command => "add a prompt below the frontmatter",
        });
    judgement.find(finding);
}
