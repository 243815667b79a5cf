//! The summary of `check`.

use std::collections::BTreeMap;

use callsheet_contract::types::Severity;

use super::cell::clean;
use super::look::Look;
use crate::report::FixedFile;
use crate::report::{Checked, Finding, Suppression};
use crate::words;

/// One line: the number of files and of findings.
pub fn summary(look: &Look, checked: &Checked) -> String {
    let count = |severity| checked.count(severity);
    let (errors, warnings, notes) = (
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Note),
    );
    let files = plural(checked.files, "file");
    let suppressed = suppressed(checked) + &outside(checked);
    if checked.reported().next().is_none() {
        return look.good(format!("checked {files}: nothing to report{suppressed}"));
    }
    let found = counted(errors, warnings, notes);
    let line = format!("checked {files}: {found}{suppressed}{}", fixable(checked));
    painted(look, errors, warnings, line)
}

/// `PATH: ` and the numbers of findings in a repository.
pub fn repository(look: &Look, path: &str, [errors, warnings, notes]: [usize; 3]) -> String {
    let line = format!("{}: {}", clean(path), counted(errors, warnings, notes));
    painted(look, errors, warnings, line)
}

/// The numbers of repositories, of those with findings, of files and of findings.
pub fn repositories(
    look: &Look,
    [all, with_findings, files]: [usize; 3],
    [errors, warnings, notes]: [usize; 3],
) -> String {
    let repositories = match all {
        1 => "1 repository".to_owned(),
        all => format!("{all} repositories"),
    };
    let checked = format!("checked {repositories} with {}", plural(files, "file"));
    let line = match with_findings {
        0 => format!("{checked}: nothing to report"),
        some => format!("{checked}: {} in {some}", counted(errors, warnings, notes)),
    };
    painted(look, errors, warnings, line)
}

fn counted(errors: usize, warnings: usize, notes: usize) -> String {
    let counted = [
        plural(errors, "error"),
        plural(warnings, "warning"),
        plural(notes, "note"),
    ];
    counted.join(", ")
}

fn painted(look: &Look, errors: usize, warnings: usize, line: String) -> String {
    match (errors, warnings) {
        (0, 0) => look.good(line),
        (0, _) => look.doubtful(line),
        _ => look.bad(line),
    }
}

fn fixable(checked: &Checked) -> String {
    match checked.fixable() {
        (0, 0) => String::new(),
        (safe, 0) => format!("; {safe} fixable with --fix"),
        (0, other) => format!("; {other} fixable with --fix --unsafe-fixes"),
        (safe, other) => format!("; {safe} fixable with --fix, {other} more with --unsafe-fixes"),
    }
}

/// The other findings of one rule: their number, and where the first ones are.
pub fn more(look: &Look, findings: &[&Finding]) -> String {
    const PLACES: usize = 3;
    let Some(first) = findings.first() else {
        return String::new();
    };
    let diagnostic = &first.diagnostic;
    let (severity, rule) = (words::severity(diagnostic.severity), clean(&diagnostic.rule));
    let mut text = graded(
        look,
        diagnostic.severity,
        &format!("{severity}[{rule}]: {} more", findings.len()),
    );
    text.push('\n');
    // Errors are always shown.
    let shown = match diagnostic.severity {
        Severity::Error => findings.len(),
        _ => PLACES.min(findings.len()),
    };
    for finding in &findings[..shown] {
        let place = &finding.diagnostic.primary.place;
        let (line, column) = (place.start.line, place.start.column);
        let message = clean(&finding.diagnostic.message);
        text.push_str(&format!("  {}:{line}:{column}: {message}\n", clean(&place.path)));
    }
    match findings.len() - shown {
        0 => text,
        left => {
            text + &format!("  and {left} more: `--show-all` shows them, `--format concise` a line each\n")
        }
    }
}

/// The number of findings per rule, the most frequent first.
pub fn statistics(look: &Look, checked: &Checked) -> String {
    let mut counts: BTreeMap<(u8, &str), (Severity, usize, usize)> = BTreeMap::new();
    for finding in checked.reported() {
        let diagnostic = &finding.diagnostic;
        let key = (diagnostic.severity as u8, &*diagnostic.rule);
        let count = counts.entry(key).or_insert((diagnostic.severity, 0, 0));
        count.1 += 1;
        count.2 += usize::from(diagnostic.fixes.iter().any(|fix| fix.safe));
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (_, count, _))| std::cmp::Reverse(*count));
    let line = |((_, rule), (severity, count, fixable)): ((u8, &str), (Severity, usize, usize))| {
        let fixable = match fixable {
            0 => String::new(),
            fixable => format!(" ({fixable} fixable)"),
        };
        let line = format!(
            "{count:>6}  {:<7}  {}{fixable}",
            words::severity(severity),
            clean(rule)
        );
        graded(look, severity, &line) + "\n"
    };
    counts.into_iter().map(line).collect()
}

fn graded(look: &Look, severity: Severity, line: &str) -> String {
    match severity {
        Severity::Error => look.bad(line),
        Severity::Warning => look.doubtful(line),
        Severity::Note => line.to_owned(),
    }
}

fn suppressed(checked: &Checked) -> String {
    let by = |(reason, words): (Suppression, &str)| match checked.suppressed(reason) {
        0 => None,
        count => Some((count, words.to_owned())),
    };
    let reasons = [
        (Suppression::Comment, "by comments"),
        (Suppression::Configuration, "by the configuration"),
        (Suppression::Baseline, "by the baseline"),
    ];
    let counts: Vec<(usize, String)> = reasons.into_iter().filter_map(by).collect();
    match counts.as_slice() {
        [] => String::new(),
        [(first, words), rest @ ..] => {
            let rest: String = rest
                .iter()
                .map(|(count, words)| format!(", {count} {words}"))
                .collect();
            format!(" ({first} suppressed {words}{rest})")
        }
    }
}

fn outside(checked: &Checked) -> String {
    match checked.outside() {
        0 => String::new(),
        1 => "; 1 finding outside the project is not counted".to_owned(),
        count => format!("; {count} findings outside the project are not counted"),
    }
}

/// The fixes of one file.
pub fn fixed(look: &Look, file: &FixedFile) -> String {
    let mut out = look.good(format!("fixed {}", clean(&file.path)));
    out.push('\n');
    for fix in &file.applied {
        out.push_str(&format!("  {}: {}\n", clean(&fix.rule), clean(&fix.title)));
    }
    out
}

/// A number with its noun.
pub fn plural(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// What was left out of a conversation.
pub fn shortened(results: u32) -> String {
    let results = plural(results as usize, "earlier tool result");
    format!("the conversation is shortened: {results} left out")
}
