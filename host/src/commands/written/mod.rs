//! What the commands that write share: the file that a name calls, and what the name calls afterwards.

mod aftermath;
mod naming;
mod place;
pub(super) mod prompt;
mod target;

pub(super) use aftermath::Watch;
pub(super) use naming::Naming;
pub(super) use place::directory;
pub(super) use target::Target;

use std::collections::BTreeSet;

use callsheet::output::report::{Checked, Finding};
use callsheet::output::text::clean;
use callsheet::types::{Diagnostic, Severity};

use super::context::Context;
use crate::exit::Failure;

/// Says what `check` would find in what is written now, and did not before.
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
        context.remark(&format!("note: `callsheet check {path}` finds {rules} now"));
    }
}

/// Why a file could not be made. That there is one already is nothing to be solved by force.
pub(super) fn not_made(error: callsheet::Error) -> Failure {
    match &error {
        callsheet::Error::Write { path, source } if source.kind() == std::io::ErrorKind::AlreadyExists => {
            let failure = Failure::trouble(format!("there is a file {} already", clean(path)));
            failure.help("nothing was written; take another name, or remove that file first")
        }
        _ => error.into(),
    }
}
