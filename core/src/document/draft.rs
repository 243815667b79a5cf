//! One reading of a file: its parts, their content and their problems.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::loose_text::is_unindented;
use super::{Anchor, Document, fences, findings, release, syntax, toml};
use crate::decode::{Input, check_enumerations, decode};
use crate::definition::Definition;
use crate::diagnostic::Finding;
use crate::dialect::{Dialect, Dialects, Format, Level, NoFrontmatter, Verdict};
use crate::frontmatter::{Frontmatter, Parts, split};
use crate::ignore::{self, Ignores};
use crate::limits::FILE_BYTES;
use crate::mentions::{self, Mentions};
use crate::rules;
use crate::source::Source;
use crate::span::Span;
use crate::subject::Subject;
use crate::tool_lists;
use crate::verdict::{Judgement, Outcome};
use crate::yaml::{Document as Yaml, Kind, Problem, Reading, climb};

/// A document whose findings are not final yet.
pub(super) struct Draft {
    pub(super) document: Document,
    pub(super) findings: Vec<Finding>,
    pub(super) ignores: Ignores,
    /// The content of the frontmatter.
    pub(super) values: Option<Yaml>,
}

/// Reads a file by one dialect, and checks it by every rule if the kind of its place is known.
pub(super) fn draft(
    path: &str,
    source: &Source<'_>,
    bytes: &[u8],
    checked_at: Option<Level>,
    dialect: &Dialect,
    dialects: &Dialects,
) -> Draft {
    let mut judgement = Judgement::default();
    findings::encoding(source, &mut judgement);
    findings::size(bytes.len(), &mut judgement);
    let start = source.byte_order_mark().map_or(0, |mark| mark.end.index());
    let text = &*source.text;
    let stem = dialect.stem(path);
    let (parts, yaml, reading) = match dialect.format {
        Format::Markdown => markdown(text, start, dialect, dialects, &mut judgement),
        Format::Toml => toml::parts(text, start, dialect, &mut judgement),
    };
    let of_syntax = judgement.findings.len();
    let root = yaml.as_ref().and_then(|yaml| yaml.root.as_ref());
    let is_map = match &yaml {
        Some(_) => root.is_none_or(|root| matches!(root.kind, Kind::Mapping(_))),
        None => parts.frontmatter.is_none(),
    };
    let opening = parts
        .frontmatter
        .map_or(Span::at(start), |frontmatter| frontmatter.opening);
    let meant = parts.frontmatter.is_none() && !findings::is_other_document(stem);
    let meant = meant
        .then(|| findings::meant_as_frontmatter(text, start))
        .flatten();
    let misplaced = meant.is_some();
    judgement.findings.extend(meant);
    let is_agent = parts.frontmatter.is_some() || dialect.body.no_frontmatter == NoFrontmatter::Agent;
    let mut definition = if is_agent {
        let input = Input {
            text,
            root,
            opening,
            stem,
        };
        let is_whole = dialect.format == Format::Markdown || reading == Reading::Strict;
        if is_map && is_whole {
            decode(dialect, &input, &mut judgement)
        } else {
            // The finding about the frontmatter covers all missing keys.
            decode(dialect, &input, &mut Judgement::default())
        }
    } else {
        if !misplaced && !findings::is_other_document(stem) {
            findings::no_frontmatter(stem, &text[start..], Span::at(start), &mut judgement);
        }
        Definition {
            name: stem.to_owned(),
            ..Definition::default()
        }
    };
    definition.body = parts.body;
    let body = prompt(dialect, parts.body.of(text));
    // A body takes precedence over a key with the prompt.
    if dialect.format == Format::Markdown && !(body.is_empty() && is_agent) {
        definition.system_prompt = body;
    }
    if is_agent {
        findings::prompt_length(&definition, parts.body, dialect, &mut judgement);
    }
    if is_agent && dialect.format == Format::Markdown {
        findings::empty_prompt(&definition, opening, dialect, &mut judgement);
    }
    if is_agent {
        check_enumerations(&mut definition, dialect, &mut judgement);
    }
    let mut named = Mentions::default();
    if is_agent && let Some(level) = checked_at {
        let subject = Subject {
            path,
            level,
            text,
            parts: &parts,
            root,
            comments: yaml.as_ref().map(|yaml| &*yaml.comments).unwrap_or_default(),
            reading,
            definition: &definition,
            tools: tool_lists::lists(&definition, dialect, path, text),
            dialect,
            dialects,
        };
        rules::check(&subject, &mut judgement.findings);
        named = mentions::of(&subject, source);
    }
    if reading == Reading::LineByLine {
        // Keys recovered from invalid YAML may change once it is fixed.
        let fixes = judgement.findings[of_syntax..]
            .iter_mut()
            .flat_map(|found| &mut found.fixes);
        fixes.for_each(|fix| fix.safe = false);
    }
    let outcome = if is_agent {
        judgement.outcome()
    } else {
        Outcome::NotAnAgent("it has no frontmatter".to_owned())
    };
    let place = name_span(&definition).unwrap_or(opening);
    let reader = dialects
        .release(&dialect.id)
        .filter(|_| bytes.len() <= FILE_BYTES && !dialect.unmeasured);
    let outcome = match reader {
        Some(reader) => {
            let place_of = |key: &str| definition.field(key).map(|field| field.key_span);
            let whole = release::Whole { path, bytes, place };
            release::settle(&whole, reader, outcome, &mut judgement.findings, &place_of)
        }
        None => outcome,
    };
    let anchor = Anchor::new(source, place);
    let ignores = match checked_at {
        Some(_) => ignore::comments(text, &parts, yaml.as_ref().map_or(&[], |yaml| &yaml.comments)),
        None => Ignores::default(),
    };
    if !source.invalid.is_empty() {
        definition.map_spans(|span| source.stored(span));
    }
    let document = Document {
        anchor,
        reading,
        outcome,
        definition,
        diagnostics: Vec::new(),
        suppressed: Vec::new(),
        ignores: Vec::new(),
        mentions: named,
    };
    Draft {
        document,
        findings: judgement.findings,
        ignores,
        values: yaml,
    }
}

/// The parts of a Markdown file, the content of its frontmatter, and how that was read.
fn markdown(
    text: &str,
    start: usize,
    dialect: &Dialect,
    dialects: &Dialects,
    judgement: &mut Judgement,
) -> (Parts, Option<Yaml>, Reading) {
    let parts = split(text, start);
    let (yaml, reading) = match &parts.frontmatter {
        Some(frontmatter) => frontmatter_of(text, frontmatter, dialect, dialects, judgement),
        None => (None, Reading::NoFrontmatter),
    };
    (parts, yaml, reading)
}

fn name_span(definition: &Definition) -> Option<Span> {
    let field = definition.field("name")?;
    (!field.value_span.is_empty()).then_some(field.value_span)
}

pub(super) fn prompt(dialect: &Dialect, body: &str) -> String {
    if dialect.body.trim { body.trim() } else { body }.to_owned()
}

fn frontmatter_of(
    text: &str,
    frontmatter: &Frontmatter,
    dialect: &Dialect,
    dialects: &Dialects,
    judgement: &mut Judgement,
) -> (Option<Yaml>, Reading) {
    if !fences::report(text, frontmatter, dialect, judgement) {
        return (None, Reading::NoFrontmatter);
    }
    let is_known = |key: &str| dialects.knows_key(dialect, key);
    let mut ladder = climb(text, frontmatter.yaml, &is_known);
    let reads_text_as_keys = matches!(ladder.problem, Some(Problem::Unquoted(..)))
        && is_unindented(text, frontmatter.yaml, &is_known);
    match &ladder.problem {
        None => {}
        Some(Problem::Unquoted(values, error)) if !reads_text_as_keys => {
            findings::unquoted(text, values, error, dialect, dialects, judgement);
        }
        Some(Problem::Syntax(error) | Problem::Unquoted(_, error)) => {
            let mended = syntax::report(text, frontmatter.yaml, error, &is_known, judgement);
            if let Some(mended) = mended {
                ladder.document = mended.document;
                if let Some((values, error)) = &mended.unquoted {
                    findings::unquoted(text, values, error, dialect, dialects, judgement);
                }
            }
        }
        Some(Problem::TooLong) => findings::too_long(frontmatter.opening, judgement),
    }
    if let Some(root) = &ladder.document.root
        && !matches!(root.kind, Kind::Mapping(_))
    {
        let message = alloc::format!("the frontmatter is {}, not a map of keys", root.describe());
        let finding = Finding::new(&rules::not_a_map::RULE, root.span, message.clone())
            .help("write it as `key: value` lines");
        judgement.find(finding);
        judgement.judge(Verdict::Dropped, &message);
    }
    (Some(ladder.document), ladder.reading)
}
