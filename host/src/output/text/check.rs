//! What `check` says at the end.

use super::cell::clean;
use super::look::Look;
use crate::bindings::exports::callsheet::agents::types::Severity;
use crate::fix::Mended;
use crate::output::report::{Checked, Suppression};

/// One line: how many files, and what was found.
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
    let found = [
        plural(errors, "error"),
        plural(warnings, "warning"),
        plural(notes, "note"),
    ]
    .join(", ");
    let line = format!("checked {files}: {found}{suppressed}");
    match (errors, warnings) {
        (0, 0) => look.good(line),
        (0, _) => look.doubtful(line),
        _ => look.bad(line),
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
        1 => "; 1 more outside the project does not count".to_owned(),
        count => format!("; {count} more outside the project do not count"),
    }
}

/// What was fixed in one file.
pub fn fixed(look: &Look, mended: &Mended) -> String {
    let mut out = look.good(format!("fixed {}", clean(&mended.path)));
    out.push('\n');
    for fix in &mended.applied {
        out.push_str(&format!("  {}: {}\n", clean(&fix.rule), clean(&fix.title)));
    }
    out
}

/// A number with its noun.
pub(super) fn plural(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}
