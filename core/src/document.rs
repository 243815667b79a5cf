//! One file: bytes to a definition, what becomes of it, and what is wrong with it.

mod fences;
mod findings;
mod inline;
mod loose_text;
mod syntax;
mod toml;

pub use inline::read_inline;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::catalog::Origin;
use crate::decode::{Input, check_enumerations, decode};
use crate::definition::Definition;
use crate::diagnostic::{self, Diagnostic, Finding, Place, Placer};
use crate::dialect::{Dialect, Dialects, Format, Level, NoFrontmatter, UnknownDialect, Verdict};
use crate::frontmatter::{Frontmatter, Parts, split};
use crate::ignore::{self, Ignore, Ignores};
use crate::limits::FILE_BYTES;
use crate::lines::{LineIndex, Position};
use crate::markdown::{Outline, outline};
use crate::mentions::{self, Mentions};
use crate::reader::overlay;
use crate::rules;
use crate::source::Source;
use crate::span::Span;
use crate::subject::Subject;
use crate::tool_lists;
use crate::verdict::{Judgement, Outcome};
use crate::yaml::{Document as Yaml, Kind, Problem, Reading, climb};

/// Where a definition's name stands, or what comes nearest to it.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    span: Span,
    start: Position,
    end: Position,
}

impl Anchor {
    pub(crate) fn new(source: &Source<'_>, span: Span) -> Self {
        // Only what stands before the name is looked at: there is no need to find every line of the file.
        let before = &source.text[..span.end.index()];
        let lines = LineIndex::new(before);
        Self {
            span: source.stored(span),
            start: lines.position(before, span.start),
            end: lines.position(before, span.end),
        }
    }

    /// As a place in a file.
    pub fn in_file(&self, path: &str) -> Place {
        Place {
            path: path.to_owned(),
            span: self.span,
            start: self.start,
            end: self.end,
        }
    }
}

impl Default for Anchor {
    fn default() -> Self {
        let beginning = Place::beginning("");
        Self {
            span: beginning.span,
            start: beginning.start,
            end: beginning.end,
        }
    }
}

/// What one file says, as one dialect reads it.
#[derive(Debug)]
pub struct Document {
    /// Where its name stands.
    pub anchor: Anchor,
    /// How the frontmatter had to be read.
    pub reading: Reading,
    /// What becomes of it.
    pub outcome: Outcome,
    /// The definition, as far as it could be made out.
    pub definition: Definition,
    /// What is wrong, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
    /// What comments in the file want left, sorted by place.
    pub suppressed: Vec<Diagnostic>,
    /// What comments in the file want left of what is found between files.
    pub(crate) ignores: Vec<Ignore>,
    /// Whom and what it names, where it is held against every rule.
    pub(crate) mentions: Mentions,
}

/// Reads a file. Whatever the bytes, this succeeds; of a file that is too large, only the beginning is read.
///
/// With the kind of place that it lies in, it is held against every rule. Without, only what decides how it loads is found.
pub fn read(
    path: &str,
    bytes: &[u8],
    checked_at: Option<Level>,
    dialect: &Dialect,
    dialects: &Dialects,
) -> Document {
    let mut document = read_source(path, &source(bytes), bytes, checked_at, dialect, dialects);
    as_read(&mut document, path, bytes, dialect, dialects);
    document
}

/// An edition reads as its release does.
fn as_read(document: &mut Document, path: &str, bytes: &[u8], dialect: &Dialect, dialects: &Dialects) {
    if let Some(reader) = dialects.reader(&dialect.id) {
        overlay(document, path, bytes, reader, dialect);
    }
}

/// Reads a file unchecked, with the values of its frontmatter.
pub(crate) fn read_with_values(
    path: &str,
    bytes: &[u8],
    dialect: &Dialect,
    dialects: &Dialects,
) -> (Document, Option<Yaml>) {
    let draft = draft(path, &source(bytes), bytes, None, dialect, dialects);
    (draft.document, draft.values)
}

fn read_source(
    path: &str,
    source: &Source<'_>,
    bytes: &[u8],
    checked_at: Option<Level>,
    dialect: &Dialect,
    dialects: &Dialects,
) -> Document {
    let draft = |dialect: &Dialect| draft(path, source, bytes, checked_at, dialect, dialects);
    let Draft {
        mut document,
        findings,
        mut ignores,
        values: _,
    } = draft(dialect);
    let mut settled = ignores.settle(findings);
    let reads_too = |other: &&alloc::rc::Rc<Dialect>| other.id != dialect.id && other.looks_at(path);
    let mut others = dialects.iter().filter(reads_too);
    // What is of no use for one dialect may be for another.
    while ignores.has_unused()
        && let Some(other) = others.next()
    {
        ignores.settle(draft(other).findings);
    }
    let about_comments = ignores.findings();
    settled.extend(ignores.settle(about_comments));
    document.diagnostics = place(path, source, settled.kept);
    document.suppressed = place(path, source, settled.suppressed);
    document.ignores = ignores.between_files(|span| source.stored(span));
    document
}

/// A document whose findings are not settled yet.
struct Draft {
    document: Document,
    findings: Vec<Finding>,
    ignores: Ignores,
    /// What the frontmatter says.
    values: Option<Yaml>,
}

/// As much of a file as is read, cut between characters: a cut within one would look like bytes that are not UTF-8.
pub(crate) fn source(bytes: &[u8]) -> Source<'_> {
    let is_continuation = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
    let mut end = bytes.len().min(FILE_BYTES);
    while end > 0 && bytes.get(end).is_some_and(is_continuation) {
        end -= 1;
    }
    Source::new(&bytes[..end])
}

fn draft(
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
            // Why there are no keys is said already; that each of them is missing goes without saying.
            decode(dialect, &input, &mut Judgement::default())
        }
    } else {
        if !misplaced && !findings::is_other_document(stem) {
            findings::no_frontmatter(stem, &text[start..], Span::at(start), dialect, &mut judgement);
        }
        Definition {
            name: stem.to_owned(),
            ..Definition::default()
        }
    };
    definition.body = parts.body;
    let body = prompt(dialect, parts.body.of(text));
    // Where a key may hold the prompt, a body goes before it.
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
    if checked_at.is_some()
        && is_agent
        && judgement.outcome().loads()
        && let Some(reader) = dialects.reader(&dialect.id)
    {
        let span = name_span(&definition).unwrap_or(opening);
        judgement
            .findings
            .extend(rules::refused_by_release::find(path, bytes, reader, span));
    }
    if reading == Reading::LineByLine {
        // What was made out in a frontmatter that is no YAML may be something else once that is mended.
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
    let anchor = Anchor::new(source, name_span(&definition).unwrap_or(opening));
    let ignores = match checked_at {
        Some(_) => ignore::comments(text, &parts, yaml.as_ref().map_or(&[], |yaml| &yaml.comments)),
        None => Ignores::default(),
    };
    if !source.invalid.is_empty() {
        definition.map_spans(|span| source.stored(span));
    }
    Draft {
        document: Document {
            anchor,
            reading,
            outcome,
            definition,
            diagnostics: Vec::new(),
            suppressed: Vec::new(),
            ignores: Vec::new(),
            mentions: named,
        },
        findings: judgement.findings,
        ignores,
        values: yaml,
    }
}

/// The parts of a Markdown file, what its frontmatter says, and how that had to be read.
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

/// A file by itself, with all that can be said of it.
#[derive(Debug)]
pub struct Parsed {
    /// What it says.
    pub document: Document,
    /// The Markdown of its body.
    pub outline: Outline,
    /// Where it comes from: a place that a dialect owns, else the project.
    pub origin: Origin,
}

/// Reads a file by itself. Without a dialect, the one that owns its place reads it.
pub fn parse(
    path: &str,
    bytes: &[u8],
    dialect: Option<&str>,
    dialects: &Dialects,
) -> Result<Parsed, UnknownDialect> {
    let source = source(bytes);
    let dialect = match dialect {
        Some(id) => dialects.get(id)?,
        None => dialects.of_file(path, &source.text),
    };
    let directory = path.rsplit_once('/').map_or(".", |(directory, _)| directory);
    let level = Some(Level::Project);
    let mut document = read_source(path, &source, bytes, level, dialect, dialects);
    as_read(&mut document, path, bytes, dialect, dialects);
    Ok(Parsed {
        outline: outline_of(&source, dialect, &document),
        document,
        origin: Origin {
            dialect: dialect.id.clone(),
            level: Level::Project,
            source: directory.to_owned(),
            path: Some(path.to_owned()),
        },
    })
}

fn outline_of(source: &Source<'_>, dialect: &Dialect, document: &Document) -> Outline {
    let start = source.byte_order_mark().map_or(0, |mark| mark.end.index());
    let body = match dialect.format {
        Format::Markdown => split(&source.text, start).body,
        Format::Toml => document.definition.body,
    };
    let mut outline = outline(&source.text, body);
    if !source.invalid.is_empty() {
        outline.map_spans(|span| source.stored(span));
    }
    outline
}

/// What stands for the path of agents given on the command line.
pub const INLINE_PATH: &str = "--agents";

/// The file's name without its ending.
pub(crate) fn stem(path: &str) -> &str {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}

fn name_span(definition: &Definition) -> Option<Span> {
    let field = definition.field("name")?;
    (!field.value_span.is_empty()).then_some(field.value_span)
}

fn prompt(dialect: &Dialect, body: &str) -> String {
    if dialect.body.trim { body.trim() } else { body }.to_owned()
}

fn place(path: &str, source: &Source<'_>, findings: Vec<Finding>) -> Vec<Diagnostic> {
    if findings.is_empty() {
        return Vec::new();
    }
    let placer = Placer::new(path, source);
    let diagnostics = findings.into_iter().map(|finding| placer.diagnostic(finding));
    diagnostic::sorted(diagnostics.collect())
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
    match &ladder.problem {
        None => {}
        Some(Problem::Unquoted(values, error)) => {
            findings::unquoted(text, values, error, dialect, dialects, judgement);
        }
        Some(Problem::Syntax(error)) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_too_large_is_cut_between_characters() {
        let dialects = Dialects::embedded();
        let kode = dialects.get("kode").expect("it is built in");
        for padding in 0..4 {
            let mut text = String::from("---\nname: a\ndescription: D\n---\n");
            text.push_str(&"x".repeat(padding));
            text.push_str(&"\u{1f3ac}".repeat(FILE_BYTES / 4));
            let document = read("a.md", text.as_bytes(), None, kode, &dialects);
            let rules: Vec<&str> = document.diagnostics.iter().map(|found| found.rule).collect();
            assert_eq!(rules, ["too-large"]);
            assert!(matches!(document.outcome, Outcome::Dropped(_)));
        }
    }
}
