//! The result of a check, before it is formatted.

use std::collections::BTreeMap;

use callsheet_contract::projects::{self, Report};
use callsheet_contract::types::{Diagnostic, Severity};
use serde::{Deserialize, Serialize};

/// The result of `check`.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The number of checked files, with settings, instructions and manifests.
    pub files: usize,
    /// Findings, sorted by place, including suppressed ones.
    pub findings: Vec<Finding>,
    /// The files that were fixed before; none without `--fix`.
    pub fixed: Option<Vec<FixedFile>>,
    /// Markdown files that were named, and that no dialect owns.
    pub unowned: Vec<String>,
    /// The effect of a baseline; none without one.
    pub accepted: Option<Accepted>,
}

/// The effect of a baseline on a report.
#[derive(Clone, Debug, Default)]
pub struct Accepted {
    /// The number of accepted findings.
    pub suppressed: usize,
    /// The entries without a finding.
    pub stale: Vec<AcceptedFinding>,
}

/// An accepted finding.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AcceptedFinding {
    /// Its file.
    pub path: String,
    /// Its rule.
    pub rule: String,
    /// Its fingerprint, which survives changes above it.
    pub fingerprint: String,
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule whose finding it fixes.
    pub rule: String,
    /// What it does, as an imperative sentence.
    pub title: String,
    /// Whether it keeps the author's intent.
    pub safe: bool,
}

/// A file and its fixes.
#[derive(Clone, Debug)]
pub struct FixedFile {
    /// The file.
    pub path: String,
    /// Its contents as stored.
    pub before: Vec<u8>,
    /// Its fixed contents.
    pub after: Vec<u8>,
    /// The applied fixes, in order.
    pub applied: Vec<Applied>,
}

impl From<projects::Fixed> for FixedFile {
    fn from(fixed: projects::Fixed) -> Self {
        let applied = fixed.applied.into_iter().map(|applied| Applied {
            rule: applied.rule,
            title: applied.title,
            safe: applied.safe,
        });
        Self {
            path: fixed.path,
            before: fixed.before,
            after: fixed.after,
            applied: applied.collect(),
        }
    }
}

/// Why a finding is not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suppression {
    /// By a comment in the file.
    Comment,
    /// By the configuration, which turns its rule off there.
    Configuration,
    /// By the baseline.
    Baseline,
}

/// A diagnostic, and the dialects that report it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The dialects that report it, in the order of the check; none if it does not depend on one.
    pub dialects: Vec<String>,
    /// Whether its file belongs to the project; others do not count.
    pub in_project: bool,
    /// Why it is not reported; none if it is.
    pub suppressed: Option<Suppression>,
}

impl Checked {
    /// The findings of a report, with suppressed ones in their places.
    pub fn new(report: Report) -> Self {
        let finding = |finding: projects::Finding, suppressed| Finding {
            diagnostic: finding.diagnostic,
            dialects: finding.dialects,
            in_project: finding.in_project,
            suppressed,
        };
        let found = report.findings.into_iter().map(|found| finding(found, None));
        let suppressed = report.suppressed.into_iter();
        let suppressed = suppressed.map(|found| finding(found, Some(Suppression::Comment)));
        let mut findings: Vec<Finding> = found.chain(suppressed).collect();
        findings.sort_by(|a, b| a.order().cmp(&b.order()));
        Self {
            files: report.files.len() + report.others.len(),
            findings,
            fixed: None,
            unowned: report.unowned,
            accepted: None,
        }
    }

    /// Diagnostics that one dialect reports, or that do not depend on one.
    pub fn from_diagnostics(diagnostics: Vec<Diagnostic>, dialect: Option<&str>) -> Self {
        let finding = |diagnostic| Finding {
            diagnostic,
            dialects: dialect.map(str::to_owned).into_iter().collect(),
            in_project: true,
            suppressed: None,
        };
        let mut findings: Vec<Finding> = diagnostics.into_iter().map(finding).collect();
        findings.sort_by(|a, b| a.order().cmp(&b.order()));
        Self {
            findings,
            ..Self::default()
        }
    }

    /// The findings that are not suppressed.
    pub fn reported(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_reported())
    }

    /// All findings in one file, including suppressed ones.
    pub fn of(&self, path: &str) -> impl Iterator<Item = &Diagnostic> {
        let before = |finding: &Finding| &*finding.diagnostic.primary.place.path < path;
        let first = self.findings.partition_point(before);
        let found = self.findings[first..].iter().map(|finding| &finding.diagnostic);
        found.take_while(move |diagnostic| diagnostic.primary.place.path == path)
    }

    /// The number of reported findings in the project with this severity.
    pub fn count(&self, severity: Severity) -> usize {
        let findings = self.reported().filter(|finding| finding.in_project);
        findings
            .filter(|finding| finding.diagnostic.severity == severity)
            .count()
    }

    /// The number of reported findings outside the project, which do not count.
    pub fn outside(&self) -> usize {
        self.reported().filter(|finding| !finding.in_project).count()
    }

    /// The number of findings that are not reported for this reason.
    pub fn suppressed(&self, by: Suppression) -> usize {
        let findings = self.findings.iter();
        findings.filter(|finding| finding.suppressed == Some(by)).count()
    }

    /// The findings to show in full, and the others by rule: repeated advice is not useful.
    pub fn grouped(&self) -> (Vec<&Finding>, Vec<Vec<&Finding>>) {
        let mut shown = Vec::new();
        let mut rest: BTreeMap<(u8, &str), Vec<&Finding>> = BTreeMap::new();
        let mut counts: BTreeMap<(u8, &str), usize> = BTreeMap::new();
        for finding in self.reported() {
            let diagnostic = &finding.diagnostic;
            let key = (diagnostic.severity as u8, &*diagnostic.rule);
            let count = counts.entry(key).or_default();
            *count += 1;
            if *count <= at_most(diagnostic.severity) {
                shown.push(finding)
            } else {
                rest.entry(key).or_default().push(finding)
            }
        }
        (shown, rest.into_values().collect())
    }

    /// The number of reported findings in the project with a safe fix, and of those with unsafe fixes only.
    pub fn fixable(&self) -> (usize, usize) {
        let findings = self.reported().filter(|finding| finding.in_project);
        let fixes = findings.map(|finding| &finding.diagnostic.fixes);
        let (safe, other): (Vec<_>, Vec<_>) = fixes
            .filter(|fixes| !fixes.is_empty())
            .partition(|fixes| fixes.iter().any(|fix| fix.safe));
        (safe.len(), other.len())
    }

    /// Whether findings differ between dialects, so that their dialects must be shown.
    pub fn is_mixed(&self) -> bool {
        let mut findings = self.reported();
        let first = findings.next();
        findings.any(|finding| first.is_some_and(|first| finding.dialects != first.dialects))
    }
}

/// How many findings of one rule are shown with their lines.
fn at_most(severity: Severity) -> usize {
    match severity {
        Severity::Error => 10,
        Severity::Warning => 5,
        Severity::Note => 2,
    }
}

impl Finding {
    /// Whether it is not suppressed.
    pub fn is_reported(&self) -> bool {
        self.suppressed.is_none()
    }

    /// What findings are sorted by.
    pub fn order(&self) -> impl Ord + use<'_> {
        let diagnostic = &self.diagnostic;
        let place = &diagnostic.primary.place;
        (
            &place.path,
            place.span.start,
            place.span.end,
            diagnostic.severity as u8,
            &diagnostic.rule,
            &diagnostic.message,
            self.suppressed,
        )
    }
}
