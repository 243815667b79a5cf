//! A permission that a later one overrides.
//!
//! The last entry that matches a call decides. An entry has no effect if a later one matches all of the same calls.
//!
//! ```yaml
//! permission:
//!   bash:
//!     "git *": allow
//!     "*": deny
//! ```
//!
//! Put the general entry first:
//!
//! ```yaml
//! permission:
//!   bash:
//!     "*": deny
//!     "git *": allow
//! ```

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::{Effect, Permission};
use crate::diagnostic::Finding;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "overridden-permission",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "OpenCode documentation of permissions: the last matching rule wins",
}

/// Longer patterns are not compared, to keep the time linear.
const LONGEST: usize = 256;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let mut later: BTreeMap<(&str, Pattern<'_>), &Permission> = BTreeMap::new();
    let mut overridden = Vec::new();
    let compared = subject.definition.permissions.iter();
    let compared = compared.filter(|permission| permission.pattern.len() <= LONGEST);
    for permission in compared.rev() {
        let tool = &*permission.tool;
        let by = wider(&permission.pattern)
            .flat_map(|pattern| [(tool, pattern), ("*", pattern)])
            .find_map(|wider| later.get(&wider));
        let by = by.filter(|by| by.effect != permission.effect);
        overridden.extend(by.map(|by| (permission, *by)));
        later
            .entry((tool, Pattern::of(&permission.pattern)))
            .or_insert(permission);
    }
    let found = overridden.into_iter().rev().map(|(permission, by)| {
        Finding::new(
            &RULE,
            permission.span,
            format!("{} has no effect", words(permission)),
        )
        .label("the last matching entry decides")
        .related(by.span, format!("{} matches the same calls", words(by)))
        .help("put the more general entry first")
    });
    findings.extend(found);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pattern<'a> {
    All,
    /// The part before the ` *` at the end.
    Beginning(&'a str),
    Other(&'a str),
}

impl<'a> Pattern<'a> {
    fn of(pattern: &'a str) -> Self {
        match pattern.strip_suffix(" *") {
            _ if pattern == "*" => Self::All,
            Some(beginning) => Self::Beginning(beginning),
            None => Self::Other(pattern),
        }
    }
}

/// The pattern itself, and those that match everything it matches.
fn wider(pattern: &str) -> impl Iterator<Item = Pattern<'_>> {
    let blanks = pattern.match_indices(' ');
    let beginnings = blanks.map(|(at, _)| Pattern::Beginning(&pattern[..at]));
    [Pattern::All, Pattern::of(pattern)].into_iter().chain(beginnings)
}

fn words(permission: &Permission) -> String {
    let Permission { tool, pattern, .. } = permission;
    let effect = match permission.effect {
        Effect::Allow => "allow",
        Effect::Ask => "ask",
        Effect::Deny => "deny",
    };
    match &**pattern {
        "*" => format!("`{tool}: {effect}`"),
        _ => format!("`{tool}: {pattern}: {effect}`"),
    }
}
