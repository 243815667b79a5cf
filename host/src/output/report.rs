//! What a command found, before it is shown in any format.

use std::collections::BTreeMap;

use crate::baseline::Accepted;
use crate::bindings::exports::callsheet::agents::catalogs::{
    Entry, Explanation, Location, Standing, Visited,
};
use crate::bindings::exports::callsheet::agents::documents::{Carried, Converted, Parsed, Reader, Seen};
use crate::bindings::exports::callsheet::agents::types::{Agent, Diagnostic, Severity};
use crate::fix::Mended;
use crate::projects::{self, Report};

/// What the readers make of files.
#[derive(Clone, Debug)]
pub struct Readers {
    /// Every reader, sorted by name.
    pub readers: Vec<Reader>,
    /// The files, in order.
    pub files: Vec<Readings>,
    /// Whether the prompts are shown, too.
    pub prompts: bool,
}

/// What the readers make of one file.
#[derive(Clone, Debug)]
pub struct Readings {
    /// The file.
    pub path: String,
    /// What each reader makes of it, in the order of the readers.
    pub seen: Vec<Seen>,
}

/// What `check` found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// How many files were checked.
    pub files: usize,
    /// What is wrong with them, sorted by place, what is suppressed included.
    pub findings: Vec<Finding>,
    /// The files that were mended before; none if that was not asked for.
    pub fixed: Option<Vec<Mended>>,
    /// Markdown files that were named, and that no dialect owns.
    pub unowned: Vec<String>,
    /// What a baseline came to; none without one.
    pub accepted: Option<Accepted>,
}

/// Why a finding is not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suppression {
    /// A comment in the file says so.
    Comment,
    /// The configuration turns its rule off there.
    Configuration,
    /// The baseline accepts it.
    Baseline,
}

/// A diagnostic, and who reports it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub diagnostic: Diagnostic,
    /// The dialects that say so, in the order in which they were gone through; none if it holds for any.
    pub dialects: Vec<String>,
    /// Whether its file belongs to the project; only then it counts.
    pub in_project: bool,
    /// Why it is not reported; none if it is.
    pub suppressed: Option<Suppression>,
}

impl Checked {
    /// What a report says, with what comments suppress at its place.
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
        findings.sort_by(|a, b| order(a).cmp(&order(b)));
        Self {
            files: report.files.len(),
            findings,
            fixed: None,
            unowned: report.unowned,
            accepted: None,
        }
    }

    /// Diagnostics that one dialect reports, or that hold for any.
    pub fn from_diagnostics(diagnostics: Vec<Diagnostic>, dialect: Option<&str>) -> Self {
        let finding = |diagnostic| Finding {
            diagnostic,
            dialects: dialect.map(str::to_owned).into_iter().collect(),
            in_project: true,
            suppressed: None,
        };
        let mut findings: Vec<Finding> = diagnostics.into_iter().map(finding).collect();
        findings.sort_by(|a, b| order(a).cmp(&order(b)));
        Self {
            findings,
            ..Self::default()
        }
    }

    /// The findings that are not suppressed.
    pub fn reported(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_reported())
    }

    /// Everything that was found in one file, what is suppressed included.
    pub fn of(&self, path: &str) -> impl Iterator<Item = &Diagnostic> {
        let before = |finding: &Finding| &*finding.diagnostic.primary.place.path < path;
        let first = self.findings.partition_point(before);
        let found = self.findings[first..].iter().map(|finding| &finding.diagnostic);
        found.take_while(move |diagnostic| diagnostic.primary.place.path == path)
    }

    /// How many reported findings in the project are of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        let findings = self.reported().filter(|finding| finding.in_project);
        findings
            .filter(|finding| finding.diagnostic.severity == severity)
            .count()
    }

    /// How many reported findings are outside the project and do not count.
    pub fn outside(&self) -> usize {
        self.reported().filter(|finding| !finding.in_project).count()
    }

    /// How many findings are not reported for this reason.
    pub fn suppressed(&self, by: Suppression) -> usize {
        let findings = self.findings.iter();
        findings.filter(|finding| finding.suppressed == Some(by)).count()
    }

    /// The findings to be shown each, and of every rule the others: nobody reads the same advice a hundred times.
    pub fn grouped(&self) -> (Vec<&Finding>, Vec<Vec<&Finding>>) {
        let mut shown = Vec::new();
        let mut rest: BTreeMap<(u8, &str), Vec<&Finding>> = BTreeMap::new();
        let mut counts: BTreeMap<(u8, &str), usize> = BTreeMap::new();
        for finding in self.reported() {
            let diagnostic = &finding.diagnostic;
            let key = (diagnostic.severity as u8, &*diagnostic.rule);
            let count = counts.entry(key).or_default();
            *count += 1;
            match *count <= at_most(diagnostic.severity) {
                true => shown.push(finding),
                false => rest.entry(key).or_default().push(finding),
            }
        }
        (shown, rest.into_values().collect())
    }

    /// How many reported findings in the project a safe fix mends.
    pub fn fixable(&self) -> usize {
        let findings = self.reported().filter(|finding| finding.in_project);
        findings
            .filter(|finding| finding.diagnostic.fixes.iter().any(|fix| fix.safe))
            .count()
    }

    /// Whether findings differ from dialect to dialect, so that it has to be said whose they are.
    pub fn is_mixed(&self) -> bool {
        let mut findings = self.reported();
        let first = findings.next();
        findings.any(|finding| first.is_some_and(|first| finding.dialects != first.dialects))
    }
}

impl Finding {
    /// Whether nothing suppresses it.
    pub fn is_reported(&self) -> bool {
        self.suppressed.is_none()
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

fn order(finding: &Finding) -> (&str, u32, u32, u8, &str, &str, Option<Suppression>) {
    let diagnostic = &finding.diagnostic;
    let place = &diagnostic.primary.place;
    let (start, end) = (place.span.start, place.span.end);
    (
        &place.path,
        start,
        end,
        diagnostic.severity as u8,
        &diagnostic.rule,
        &diagnostic.message,
        finding.suppressed,
    )
}

/// The catalog of one dialect, for `list`.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Whose rules hold.
    pub dialect: String,
    /// Where it looked, the weakest first.
    pub visited: Vec<Visited>,
    /// Every definition, those that are not in force included.
    pub entries: Vec<Entry>,
}

impl Listing {
    /// How many definitions stand so.
    pub fn count(&self, standing: Standing) -> usize {
        self.entries
            .iter()
            .filter(|entry| entry.standing == standing)
            .count()
    }
}

/// Where a dialect looks, for a `list` that found no dialect in use.
#[derive(Clone, Debug)]
pub struct Lookout {
    /// The dialect.
    pub dialect: String,
    /// Its directories, the weakest first.
    pub locations: Vec<Location>,
}

/// One agent, for `show`.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Whose rules hold.
    pub dialect: String,
    /// The definition in force.
    pub agent: Agent,
    /// Its file read on its own; none if no file holds it.
    pub document: Option<Parsed>,
    /// The line of that file where the name stands, or the first.
    pub line: Option<usize>,
    /// Other dialects in use that have an agent of this name.
    pub also: Vec<String>,
}

/// Who carries a name in one dialect, for `why`.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Whose rules hold.
    pub dialect: String,
    /// Who carries the name.
    pub explanation: Explanation,
}

/// What fits a query in one dialect, for `search`.
#[derive(Clone, Debug)]
pub struct Hits {
    /// Whose rules hold.
    pub dialect: String,
    /// The definitions that fit, the best first.
    pub entries: Vec<Entry>,
}

/// What a command that writes has done.
#[derive(Clone, Debug)]
pub struct Written {
    /// The command.
    pub command: &'static str,
    /// The file that was made or changed; none if one was only removed.
    pub path: Option<String>,
    /// The file that it was made from, or that is gone.
    pub from: Option<String>,
    /// Whether anything had to be done.
    pub changed: bool,
    /// What the names call now.
    pub now: Vec<Now>,
}

/// What a name calls.
#[derive(Clone, Debug)]
pub struct Now {
    /// By whose rules.
    pub dialect: String,
    /// The name.
    pub name: String,
    /// The definition in force.
    pub winner: Option<Entry>,
    /// The others of the name, the strongest first.
    pub others: Vec<Entry>,
}

impl Now {
    /// The files that carry the name.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let entries = self.winner.iter().chain(&self.others);
        entries.filter_map(|entry| entry.origin.path.as_deref())
    }
}

/// What a conversion came to.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The file.
    pub path: String,
    /// The dialect that it was to be said in.
    pub to: String,
    /// The result; none if it is refused.
    pub converted: Option<Converted>,
    /// The file that was written.
    pub written: Option<String>,
    /// What became of each field where it is refused.
    refused: Vec<Carried>,
}

/// The conversions of a whole directory.
#[derive(Clone, Debug)]
pub struct Conversions {
    /// The dialect of the results.
    pub to: String,
    /// The files, sorted by path.
    pub files: Vec<Conversion>,
    /// Where each result goes; none where it is refused.
    pub targets: Vec<Option<String>>,
}

impl Conversions {
    /// None yet.
    pub fn new(to: &str) -> Self {
        Self {
            to: to.into(),
            files: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// How many files there is no result of.
    pub fn refused(&self) -> usize {
        let refused = self.files.iter().filter(|file| file.converted.is_none());
        refused.count()
    }
}

impl Conversion {
    /// What became of each field.
    pub fn report_mut(&mut self) -> &mut [Carried] {
        match &mut self.converted {
            Some(converted) => &mut converted.report,
            None => &mut self.refused,
        }
    }

    /// There is a result.
    pub fn done(path: String, to: &str, converted: Converted) -> Self {
        Self {
            path,
            to: to.into(),
            converted: Some(converted),
            written: None,
            refused: Vec::new(),
        }
    }

    /// There is none.
    pub fn refused(path: String, to: &str, report: Vec<Carried>) -> Self {
        Self {
            path,
            to: to.into(),
            converted: None,
            written: None,
            refused: report,
        }
    }

    /// What became of each field.
    pub fn report(&self) -> &[Carried] {
        let done = self.converted.as_ref().map(|converted| &converted.report);
        done.unwrap_or(&self.refused)
    }
}

/// What an agent gets of the tools that there are.
#[derive(Debug)]
pub struct Granted {
    /// Whose rules hold.
    pub dialect: String,
    /// The agent.
    pub name: String,
    /// Tool by tool.
    pub grants: crate::catalogs::Grants,
}

/// A file that the user trusts or not.
#[derive(Clone, Debug)]
pub struct Trusted {
    /// The file.
    pub path: String,
    /// Whether it counts as it is now.
    pub trusted: bool,
    /// What it would have a say in, and what it says of that.
    pub stakes: Vec<(&'static str, String)>,
}
