//! Findings as plain data. The host renders them.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::lines::{LineIndex, Position};
use crate::order;
use crate::source::Source;
use crate::span::Span;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The agent will not load, or not with the permissions or the prompt that the file states.
    Error,
    /// The agent loads, but not quite as written, or not everywhere.
    Warning,
    /// Worth knowing.
    Note,
}

/// How findings can be fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixAvailability {
    /// By hand only.
    None,
    /// By a fix that needs review.
    Unsafe,
    /// By a fix that keeps the author's intent.
    Safe,
}

/// A kind of problem that files can have.
#[derive(Debug)]
pub struct Rule {
    /// A stable kebab-case name.
    pub name: &'static str,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// The default severity; a dialect may set another.
    pub severity: Severity,
    /// The best fix that its findings may have.
    pub fix: FixAvailability,
}

/// The documentation of a rule.
#[derive(Debug)]
pub struct Page {
    /// Markdown: a summary line, a blank line, and the rest.
    pub text: &'static str,
    /// The reader or document that it is based on.
    pub evidence: &'static str,
}

/// Defines `RULE` and `PAGE` of the file that uses it; the page is the file's documentation.
///
/// The build script makes the tables of all rules. `found` is the stage of a rule: `reading` while a file is read, `file` after it was
/// read, `agent` and `skill` the same for agents only and for skills and commands only, `last` after the other findings of an agent, `cast`
/// among the agents of a catalog, and `between` elsewhere between files.
macro_rules! rule {
    (name: $name:literal, severity: $severity:ident, fix: $fix:ident, found: $found:ident, evidence: $evidence:literal,) => {
        pub(crate) static RULE: $crate::diagnostic::Rule = $crate::diagnostic::Rule {
            name: $name,
            summary: include_str!(concat!(env!("OUT_DIR"), "/rules/", $name, ".txt")),
            severity: $crate::diagnostic::Severity::$severity,
            fix: $crate::diagnostic::FixAvailability::$fix,
        };

        pub(crate) const PAGE: $crate::diagnostic::Page = $crate::diagnostic::Page {
            text: include_str!(concat!(env!("OUT_DIR"), "/rules/", $name, ".md")),
            evidence: $evidence,
        };
    };
}
pub(crate) use rule;

/// One replacement of bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The replaced bytes.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// The contents after edits in order. One that begins within the one before is left out.
    pub(crate) fn apply<'a>(contents: &[u8], edits: impl IntoIterator<Item = &'a Self>) -> Vec<u8> {
        let (mut out, mut done) = (Vec::with_capacity(contents.len()), 0);
        for edit in edits {
            if let Some(kept) = contents.get(done..edit.span.start.index()) {
                out.extend_from_slice(kept);
                out.extend_from_slice(edit.text.as_bytes());
                done = edit.span.end.index();
            }
        }
        out.extend_from_slice(contents.get(done..).unwrap_or_default());
        out
    }
}

/// A fix for a finding. The edits do not overlap and are sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What applying it does, as an imperative sentence.
    pub title: String,
    /// Whether it keeps the author's intent.
    pub safe: bool,
    /// The replacements.
    pub edits: Vec<Edit>,
}

/// A finding in the current file: spans of its text, no path yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// A stable kebab-case name.
    pub rule: &'static str,
    /// The severity.
    pub severity: Severity,
    /// One line that makes sense alone.
    pub message: String,
    /// The offending bytes.
    pub span: Span,
    /// A label for them; may be empty.
    pub label: String,
    /// Other places in the same file.
    pub related: Vec<(Span, String)>,
    /// A fact that explains it.
    pub note: Option<String>,
    /// What to do.
    pub help: Option<String>,
    /// Fixes.
    pub fixes: Vec<Fix>,
}

impl Finding {
    /// A finding of a rule, without label, note, help and fixes.
    pub fn new(rule: &Rule, span: Span, message: String) -> Self {
        Self {
            rule: rule.name,
            severity: rule.severity,
            message,
            span,
            label: String::new(),
            related: Vec::new(),
            note: None,
            help: None,
            fixes: Vec::new(),
        }
    }

    /// Overrides the rule's severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Adds a label for the offending bytes.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds another place in the same file.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }

    /// Adds a fact that explains it.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = Some(text.into());
        self
    }

    /// Adds a help.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds a fix.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }
}

/// A range of bytes in a named file.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The file.
    pub path: String,
    /// The bytes, as stored.
    pub span: Span,
    /// Where the span starts.
    pub start: Position,
    /// Where the span ends.
    pub end: Position,
}

impl Place {
    /// The start of a file whose text is not available.
    pub fn beginning(path: &str) -> Self {
        let first = Position { line: 1, column: 1 };
        Self {
            path: path.to_owned(),
            span: Span::default(),
            start: first,
            end: first,
        }
    }
}

/// Where a definition's name is, or the closest place to it.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    span: Span,
    start: Position,
    end: Position,
}

impl Anchor {
    pub(crate) fn new(source: &Source<'_>, span: Span) -> Self {
        // Only the text before the name is read, to avoid finding every line of the file.
        let before = &source.text[..span.end.index()];
        let lines = LineIndex::new(before);
        Self {
            span: source.stored(span),
            start: lines.position(before, span.start),
            end: lines.position(before, span.end),
        }
    }

    /// The bytes in the file as stored.
    pub(crate) fn span(&self) -> Span {
        self.span
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

/// A label for one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// The label; may be empty.
    pub text: String,
}

/// A finding in a named file.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// A stable kebab-case name.
    pub rule: &'static str,
    /// The severity.
    pub severity: Severity,
    /// One line that makes sense alone.
    pub message: String,
    /// The offending bytes.
    pub primary: Label,
    /// Other places that matter.
    pub related: Vec<Label>,
    /// A fact that explains it.
    pub note: Option<String>,
    /// What to do.
    pub help: Option<String>,
    /// Fixes, in bytes as stored.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A diagnostic of a rule about a place, without labels, note, help and fixes.
    pub fn new(rule: &Rule, place: Place, message: String) -> Self {
        Self {
            rule: rule.name,
            severity: rule.severity,
            message,
            primary: Label {
                place,
                text: String::new(),
            },
            related: Vec::new(),
            note: None,
            help: None,
            fixes: Vec::new(),
        }
    }

    fn order(&self) -> (&str, Span, Severity, &str, &str) {
        let place = &self.primary.place;
        (&place.path, place.span, self.severity, self.rule, &self.message)
    }
}

/// By path, then by place.
pub(crate) fn sorted(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    order::sorted(diagnostics, |a, b| a.order().cmp(&b.order()))
}

/// Turns spans of one file's text into places in that file.
pub(crate) struct Placer<'a> {
    path: &'a str,
    source: &'a Source<'a>,
    lines: LineIndex,
}

impl<'a> Placer<'a> {
    pub(crate) fn new(path: &'a str, source: &'a Source<'a>) -> Self {
        let lines = LineIndex::new(&source.text);
        Self { path, source, lines }
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        Place {
            path: self.path.to_owned(),
            span: self.source.stored(span),
            start: self.lines.position(&self.source.text, span.start),
            end: self.lines.position(&self.source.text, span.end),
        }
    }

    pub(crate) fn diagnostic(&self, finding: Finding) -> Diagnostic {
        let label = |span, text| Label {
            place: self.place(span),
            text,
        };
        let mut fixes = finding.fixes;
        for edit in fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.span = self.source.stored(edit.span);
        }
        Diagnostic {
            rule: finding.rule,
            severity: finding.severity,
            message: finding.message,
            primary: label(finding.span, finding.label),
            related: finding
                .related
                .into_iter()
                .map(|(span, text)| label(span, text))
                .collect(),
            note: finding.note,
            help: finding.help,
            fixes,
        }
    }
}
