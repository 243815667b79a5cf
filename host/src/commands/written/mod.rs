//! Common parts of the commands that write: the file of a name, and what the name resolves to afterwards.

mod aftermath;
mod naming;
mod place;
pub(super) mod prompt;
mod target;

pub(super) use aftermath::Watch;
pub(super) use naming::Naming;
pub(super) use place::directory;
pub(super) use target::{Target, secrets};

use std::collections::BTreeSet;

use callsheet::output::report::{Checked, Finding};
use callsheet::output::text::clean;
use callsheet::types::{Diagnostic, Severity};

use super::context::Context;
use crate::exit::Failure;

/// Reports new findings in the written file.
pub(super) fn remark(context: &Context, path: &str, before: &[Diagnostic], after: &[Diagnostic]) {
    let was_there = |found: &Diagnostic| {
        let same = |old: &Diagnostic| old.rule == found.rule && old.message == found.message;
        before.iter().any(same)
    };
    let new = after.iter().filter(|found| !was_there(found)).cloned().collect();
    let mut new = Checked::from_diagnostics(new, None);
    for finding in &mut new.findings {
        context.config.apply(finding);
    }
    let counts = |finding: &&Finding| finding.is_reported() && finding.diagnostic.severity != Severity::Note;
    let rules: BTreeSet<&str> = new
        .findings
        .iter()
        .filter(counts)
        .map(|finding| &*finding.diagnostic.rule)
        .collect();
    if !rules.is_empty() {
        let rules: Vec<&str> = rules.into_iter().collect();
        let (path, rules) = (clean(path), rules.join(", "));
        context.remark(&format!("note: `callsheet check {path}` now reports {rules}"));
    }
}

/// Why a file could not be created. An existing one is never replaced.
pub(super) fn not_made(error: callsheet::Error) -> Failure {
    match &error {
        callsheet::Error::Write { path, source } if source.kind() == std::io::ErrorKind::AlreadyExists => {
            let failure = Failure::trouble(format!("{} already exists", clean(path)));
            failure.help("it was not changed; use another name, or remove it first")
        }
        _ => error.into(),
    }
}
