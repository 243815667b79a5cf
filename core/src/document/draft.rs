//! One reading of a file: its parts, their content and their problems.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use super::loose_text::is_unindented;
use super::{Document, fences, findings, release, syntax, toml};
use crate::decode::{Input, check_enumerations, decode};
use crate::definition::Definition;
use crate::diagnostic::{Anchor, Finding};
use crate::dialect::{Canonical, Dialect, Dialects, Format, Level, NoFrontmatter, Verdict};
use crate::frontmatter::{Frontmatter, Oddity, Parts, split};
use crate::ignore::{self, Ignores};
use crate::limits::FILE_BYTES;
use crate::mentions::{self, Mentions};
use crate::reader;
use crate::rules;
use crate::source::Source;
use crate::span::{Span, Spanned};
use crate::subject::Subject;
use crate::tool_lists;
use crate::verdict::{Judgement, Outcome};
use crate::yaml::{Document as Yaml, Kind, Node, Problem, Reading, climb};

/// A document whose findings are not final yet.
pub(super) struct Draft {
    pub(super) document: Document,
    pub(super) findings: Vec<Finding>,
    pub(super) ignores: Ignores,
    pub(super) parts: Parts,
    /// The content of the frontmatter.
    pub(super) values: Option<Yaml>,
}

/// Reads a file by one dialect, and checks it by every rule if the kind of its place is known.
pub(super) fn draft(file: &File<'_>, checked_at: Option<Level>) -> Draft {
    let source = file.source;
    let mut judgement = Judgement::default();
    let mut content = file.content(&mut judgement);
    let of_syntax = judgement.findings.len();
    let mut ignores_fields = judgement.ignores();
    let mut definition = file.definition(&content, &mut judgement);
    let mentions = checked_at
        .filter(|_| content.is_agent)
        .map(|level| file.check(&content, &definition, level, &mut judgement));
    if content.reading == Reading::LineByLine {
        // Keys recovered from invalid YAML may change once it is fixed.
        let found = judgement.findings[of_syntax..].iter_mut();
        found
            .flat_map(|found| &mut found.fixes)
            .for_each(|fix| fix.safe = false);
    }
    let place = name_span(&definition).unwrap_or(content.opening());
    let outcome;
    (outcome, ignores_fields) = file.outcome(&content, &definition, place, ignores_fields, &mut judgement);
    let comments = |_| ignore::comments(&source.text, &content.parts, content.comments());
    let ignores = checked_at.map(comments).unwrap_or_default();
    // The rules saw what is meant, the definition is what is loaded.
    let yaml = content.parts.frontmatter.map(|frontmatter| frontmatter.yaml);
    if content.reading == Reading::Quoted
        && yaml.is_some_and(|yaml| syntax::is_repaired(file.text(), yaml, file.dialect))
        && let Some(root) = content.yaml.as_mut().and_then(|yaml| yaml.root.as_mut())
    {
        findings::quote_lines(file.text(), root);
        definition = file.definition(&content, &mut Judgement::default());
    }
    if !source.invalid.is_empty() {
        definition.map_spans(|span| source.stored(span));
    }
    let document = Document {
        anchor: Anchor::new(source, place),
        reading: content.reading,
        outcome,
        definition,
        ignores_fields,
        diagnostics: Vec::new(),
        suppressed: Vec::new(),
        ignores: Vec::new(),
        mentions: mentions.unwrap_or_default(),
    };
    Draft {
        document,
        findings: judgement.findings,
        ignores,
        parts: content.parts,
        values: content.yaml,
    }
}

/// A file and its reader.
pub(super) struct File<'a> {
    pub(super) path: &'a str,
    pub(super) source: &'a Source<'a>,
    pub(super) bytes: &'a [u8],
    pub(super) dialect: &'a Dialect,
    pub(super) dialects: &'a Dialects,
}

/// The parts of a file, and their content.
struct Content {
    /// Where the text starts, after a byte order mark.
    start: usize,
    parts: Parts,
    yaml: Option<Yaml>,
    reading: Reading,
    /// Whether the dialect reads it as an agent.
    is_agent: bool,
}

impl Content {
    fn root(&self) -> Option<&Node> {
        self.yaml.as_ref()?.root.as_ref()
    }

    fn comments(&self) -> &[Spanned<String>] {
        self.yaml.as_ref().map_or(&[], |yaml| &yaml.comments)
    }

    /// Where findings without a place are reported.
    fn opening(&self) -> Span {
        let frontmatter = self.parts.frontmatter;
        frontmatter.map_or(Span::at(self.start), |frontmatter| frontmatter.opening)
    }

    fn is_map(&self) -> bool {
        self.root()
            .is_some_and(|root| matches!(root.kind, Kind::Mapping(_)))
    }

    /// Whether it has fields, or could have had some. In broken TOML, only some may be readable.
    fn has_keys(&self, format: Format) -> bool {
        let is_map = match self.yaml {
            Some(_) => self
                .root()
                .is_none_or(|root| matches!(root.kind, Kind::Mapping(_))),
            None => self.parts.frontmatter.is_none(),
        };
        is_map && (format == Format::Markdown || self.reading == Reading::Strict)
    }
}

impl<'a> File<'a> {
    fn text(&self) -> &'a str {
        &self.source.text
    }

    fn stem(&self) -> Cow<'a, str> {
        self.dialect.stem(self.path)
    }

    fn content(&self, judgement: &mut Judgement) -> Content {
        // A measured release decides this later.
        let is_measured = self.dialects.release(self.dialect).is_some();
        let drops_mark = self.dialect.format == Format::Toml && !is_measured;
        findings::encoding(self.source, drops_mark, self.dialect, judgement);
        findings::size(self.bytes.len(), judgement);
        let mark = self.source.byte_order_mark();
        let start = mark.map_or(0, |mark| mark.end.index());
        let (parts, yaml, reading) = match self.dialect.format {
            Format::Markdown => self.markdown(start, judgement),
            Format::Toml => toml::parts(self.text(), start, self.dialect, judgement),
        };
        Content {
            is_agent: parts.frontmatter.is_some() || self.dialect.body.no_frontmatter == NoFrontmatter::Agent,
            start,
            parts,
            yaml,
            reading,
        }
    }

    /// The parts of a Markdown file, the content of its frontmatter, and how that was read.
    fn markdown(&self, start: usize, judgement: &mut Judgement) -> (Parts, Option<Yaml>, Reading) {
        let parts = split(self.text(), start);
        let (mut yaml, reading) = match &parts.frontmatter {
            Some(frontmatter) => {
                frontmatter_of(self.text(), frontmatter, self.dialect, self.dialects, judgement)
            }
            None => (None, Reading::NoFrontmatter),
        };
        let root = yaml.as_mut().and_then(|yaml| yaml.root.as_mut());
        if let Some((root, release)) = root.zip(self.dialects.release(self.dialect)) {
            reader::merge(root, release);
        }
        (parts, yaml, reading)
    }

    fn definition(&self, content: &Content, judgement: &mut Judgement) -> Definition {
        let is_other = findings::is_other_document(&self.stem());
        let meant = match content.parts.frontmatter {
            None if !is_other => findings::meant_as_frontmatter(self.text(), content.start),
            _ => None,
        };
        let is_said = is_other || meant.is_some();
        judgement.findings.extend(meant);
        if content.is_agent {
            return self.agent(content, judgement);
        }
        let text = self.text();
        if !is_said {
            let start = Span::at(content.start);
            findings::no_frontmatter(
                self.dialect,
                &self.stem(),
                &text[content.start..],
                start,
                judgement,
            );
        }
        Definition {
            name: self.stem().into_owned(),
            body: content.parts.body,
            system_prompt: prompt(self.dialect, content.parts.body.of(text)),
            ..Definition::default()
        }
    }

    fn agent(&self, content: &Content, judgement: &mut Judgement) -> Definition {
        let (dialect, body, opening) = (self.dialect, content.parts.body, content.opening());
        let input = Input {
            text: self.text(),
            root: content.root(),
            opening,
            stem: &self.stem(),
        };
        let mut definition = if content.has_keys(dialect.format) {
            decode(dialect, &input, judgement)
        } else {
            // The finding about the frontmatter covers all missing keys.
            decode(dialect, &input, &mut Judgement::default())
        };
        definition.body = body;
        let text = prompt(dialect, body.of(self.text()));
        // A body takes precedence over a key with the prompt.
        if dialect.format == Format::Markdown && !text.is_empty() {
            definition.system_prompt = text;
        }
        findings::prompt_length(&definition, body, dialect, judgement);
        if dialect.format == Format::Markdown {
            findings::empty_prompt(&definition, opening, dialect, judgement);
        }
        check_enumerations(&mut definition, dialect, judgement);
        definition
    }

    /// Checks every rule. Returns the names that it mentions.
    fn check(
        &self,
        content: &Content,
        definition: &Definition,
        level: Level,
        judgement: &mut Judgement,
    ) -> Mentions {
        let subject = Subject {
            path: self.path,
            level,
            text: self.text(),
            parts: &content.parts,
            root: content.root(),
            comments: content.comments(),
            reading: content.reading,
            definition,
            tools: tool_lists::lists(definition, self.dialect, self.path, self.text()),
            dialect: self.dialect,
            dialects: self.dialects,
        };
        rules::check(&subject, &mut judgement.findings);
        mentions::of(&subject, self.source)
    }

    /// Whether it loads, and whether without its fields: by its dialect, unless a release is known to differ.
    fn outcome(
        &self,
        content: &Content,
        definition: &Definition,
        place: Span,
        ignores_fields: bool,
        judgement: &mut Judgement,
    ) -> (Outcome, bool) {
        let documented = if content.is_agent {
            judgement.outcome()
        } else {
            Outcome::NotAnAgent("it has no frontmatter".to_owned())
        };
        let release = self.dialects.release(self.dialect);
        let is_measured = self.bytes.len() <= FILE_BYTES && !self.dialect.unmeasured;
        let known = definition.fields.iter().any(|field| field.canonical.is_some());
        let whole = |is_fatal| release::Whole {
            path: self.path,
            bytes: self.bytes,
            place,
            is_fatal,
            dialect: self.dialect,
            may_lose: content.parts.frontmatter.is_some() && (known || !content.is_map()),
            has_fields: known,
        };
        let Some(release) = release.filter(|_| is_measured) else {
            let findings = &mut judgement.findings;
            if self.dialect.fatal && matches!(documented, Outcome::Dropped(_)) {
                release::loads_nothing(&self.dialect.title, findings);
            }
            let reader = self.dialects.frontmatter_release(self.dialect);
            let is_clear =
                !ignores_fields && content.reading == Reading::Strict && release::is_clear(self.text());
            let is_read = documented == Outcome::Loads && self.bytes.len() <= FILE_BYTES && !is_clear;
            let reader = reader.filter(|_| is_read);
            let settle = |reader| release::settle_fields(&whole(false), reader, ignores_fields, findings);
            return (documented, reader.map_or(ignores_fields, settle));
        };
        let whole = whole(release.fatal && self.dialect.mode_at(self.path).is_none());
        let place_of = |key: &str| Some(definition.field(Canonical::named(key)?)?.key_span);
        let (outcome, loses) =
            release::settle(&whole, release, documented, &mut judgement.findings, &place_of);
        (outcome, loses)
    }
}

fn name_span(definition: &Definition) -> Option<Span> {
    let field = definition.field(Canonical::Name)?;
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
    let mut unread = Judgement::default();
    let is_unclosed = matches!(frontmatter.oddity, Some(Oddity::Unclosed(_)));
    let judgement = if is_unclosed && dialect.unread_frontmatter == Verdict::Ignored {
        // What is in it is a part of the text.
        &mut unread
    } else {
        judgement
    };
    let is_known = |key: &str| dialects.knows_key(dialect, key);
    let mut ladder = climb(text, frontmatter.yaml, &is_known);
    let is_repaired = ladder.problem.is_some() && syntax::is_repaired(text, frontmatter.yaml, dialect);
    let reads_text_as_keys = matches!(ladder.problem, Some(Problem::Unquoted(..)))
        && is_unindented(text, frontmatter.yaml, &is_known);
    match &ladder.problem {
        None => {}
        Some(Problem::Unquoted(values, error)) if !reads_text_as_keys => {
            findings::unquoted(text, values, error, dialect, dialects, is_repaired, judgement);
            if is_repaired {
                findings::quoted_comments(text, &ladder.document.comments, dialect, judgement);
            }
        }
        Some(Problem::Syntax(error) | Problem::Unquoted(_, error)) => {
            let repaired = syntax::report(
                text,
                frontmatter.yaml,
                error,
                dialect,
                &is_known,
                is_repaired,
                judgement,
            );
            if let Some(repaired) = repaired {
                ladder.document = repaired.document;
                if let Some((values, error)) = &repaired.unquoted {
                    findings::unquoted(text, values, error, dialect, dialects, is_repaired, judgement);
                }
            }
        }
        Some(Problem::TooLong) => findings::too_long(frontmatter.opening, judgement),
    }
    not_a_map(ladder.document.root.as_ref(), dialect, judgement);
    (Some(ladder.document), ladder.reading)
}

fn not_a_map(root: Option<&Node>, dialect: &Dialect, judgement: &mut Judgement) {
    if let Some(root) = root.filter(|root| !matches!(root.kind, Kind::Mapping(_))) {
        let message = alloc::format!("the frontmatter is {}, not a map of keys", root.describe());
        let mut finding = Finding::new(&rules::not_a_map::RULE, root.span, message.clone())
            .help("write it as `key: value` lines");
        if dialect.unread_frontmatter == Verdict::Ignored {
            finding.note = Some(syntax::without_fields(dialect));
        }
        judgement.find(finding);
        judgement.judge(dialect.unread_frontmatter, &message);
    }
}
