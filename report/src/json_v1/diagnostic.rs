//! Findings and their places.

use serde::Serialize;
use serde_json::value::RawValue;

use callsheet_contract::types as wit;

use super::accepted::Accepted;
use super::fixed::{self, Fixed};
use super::repository::Repository;
use crate::{pages, report, words};

#[derive(Serialize)]
pub(super) struct Check<'a> {
    files: usize,
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<Vec<Fixed<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Accepted<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<Suppressed>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unowned: &'a [String],
    diagnostics: Vec<Finding<'a>>,
}

impl<'a> From<&'a report::Checked> for Check<'a> {
    fn from(checked: &'a report::Checked) -> Self {
        Self {
            files: checked.files,
            counts: Counts {
                errors: checked.count(wit::Severity::Error),
                warnings: checked.count(wit::Severity::Warning),
                notes: checked.count(wit::Severity::Note),
            },
            fixed: checked.fixed.as_deref().map(fixed::list),
            baseline: checked.accepted.as_ref().map(Into::into),
            suppressed: Suppressed::of(checked),
            unowned: &checked.unowned,
            diagnostics: checked.reported().map(Into::into).collect(),
        }
    }
}

/// The checks of several repositories.
#[derive(Serialize)]
pub(super) struct Repositories<'a> {
    counts: Counts,
    repositories: Vec<Repository<'a>>,
}

impl<'a> Repositories<'a> {
    pub(super) fn new(
        [errors, warnings, notes]: [usize; 3],
        repositories: impl Iterator<Item = (&'a str, Result<&'a RawValue, &'a str>)>,
    ) -> Self {
        Self {
            counts: Counts {
                errors,
                warnings,
                notes,
            },
            repositories: repositories.map(Into::into).collect(),
        }
    }
}

#[derive(Serialize)]
struct Counts {
    errors: usize,
    warnings: usize,
    notes: usize,
}

/// The number of findings that are not reported, by reason.
#[derive(Serialize)]
struct Suppressed {
    comments: usize,
    configuration: usize,
    baseline: usize,
}

impl Suppressed {
    fn of(checked: &report::Checked) -> Option<Self> {
        let suppressed = Self {
            comments: checked.suppressed(report::Suppression::Comment),
            configuration: checked.suppressed(report::Suppression::Configuration),
            baseline: checked.suppressed(report::Suppression::Baseline),
        };
        let any = checked.findings.iter().any(|finding| !finding.is_reported());
        any.then_some(suppressed)
    }
}

#[derive(Serialize)]
pub(super) struct Finding<'a> {
    dialects: &'a [String],
    /// Only written if false.
    #[serde(skip_serializing_if = "Clone::clone")]
    in_project: bool,
    #[serde(flatten)]
    diagnostic: Diagnostic<'a>,
}

impl<'a> From<&'a report::Finding> for Finding<'a> {
    fn from(finding: &'a report::Finding) -> Self {
        Self {
            dialects: &finding.dialects,
            in_project: finding.in_project,
            diagnostic: (&finding.diagnostic).into(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Diagnostic<'a> {
    rule: &'a str,
    docs_url: Option<String>,
    severity: &'static str,
    message: &'a str,
    primary: Label<'a>,
    related: Vec<Label<'a>>,
    note: Option<&'a str>,
    help: Option<&'a str>,
    fixes: Vec<Fix<'a>>,
}

impl<'a> From<&'a wit::Diagnostic> for Diagnostic<'a> {
    fn from(diagnostic: &'a wit::Diagnostic) -> Self {
        Self {
            rule: &diagnostic.rule,
            docs_url: pages::address(&diagnostic.rule),
            severity: words::severity(diagnostic.severity),
            message: &diagnostic.message,
            primary: (&diagnostic.primary).into(),
            related: diagnostic.related.iter().map(Into::into).collect(),
            note: diagnostic.note.as_deref(),
            help: diagnostic.help.as_deref(),
            fixes: diagnostic.fixes.iter().map(Into::into).collect(),
        }
    }
}

#[derive(Serialize)]
struct Label<'a> {
    path: &'a str,
    span: Span,
    start: Position,
    end: Position,
    text: &'a str,
}

impl<'a> From<&'a wit::Label> for Label<'a> {
    fn from(label: &'a wit::Label) -> Self {
        let place = &label.place;
        Self {
            path: &place.path,
            span: place.span.into(),
            start: place.start.into(),
            end: place.end.into(),
            text: &label.text,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

impl From<wit::Span> for Span {
    fn from(span: wit::Span) -> Self {
        Self {
            start: span.start,
            end: span.end,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Position {
    line: u32,
    column: u32,
}

impl From<wit::Position> for Position {
    fn from(position: wit::Position) -> Self {
        Self {
            line: position.line,
            column: position.column,
        }
    }
}

#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<Edit<'a>>,
}

impl<'a> From<&'a wit::Fix> for Fix<'a> {
    fn from(fix: &'a wit::Fix) -> Self {
        let edit = |edit: &'a wit::Edit| Edit {
            span: edit.span.into(),
            text: &edit.text,
        };
        Self {
            title: &fix.title,
            safe: fix.safe,
            edits: fix.edits.iter().map(edit).collect(),
        }
    }
}

#[derive(Serialize)]
struct Edit<'a> {
    span: Span,
    text: &'a str,
}
