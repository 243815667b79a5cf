//! The offered tools that an agent gets, and why.

use callsheet_contract::catalogs::Grant;

use super::cell::{clean, wrap};
use super::look::Look;
use crate::report::Granted;

/// The granted ones, the denied ones, and unknown entries.
pub fn grants(look: &Look, granted: &Granted) -> String {
    let Granted {
        dialect,
        name,
        grants,
    } = granted;
    let (yes, no): (Vec<&Grant>, Vec<&Grant>) = grants.offered.iter().partition(|grant| grant.granted);
    let (name, total) = (look.heading(clean(name)), grants.offered.len());
    let mut out = format!("{name} ({dialect}) gets {} of {total} tools\n", yes.len());
    let widest = grants.offered.iter().map(|grant| clean(&grant.tool).len()).max();
    let column = widest.unwrap_or(0).min(30);
    for (mark, grants) in [(look.good('+'), yes), (look.bad('-'), no)] {
        for grant in grants {
            out.push_str(&line(look, &mark, grant, column));
        }
    }
    if !grants.unmatched.is_empty() {
        let entries: Vec<String> = grants.unmatched.iter().map(|entry| clean(entry)).collect();
        out.push_str(&format!(
            "\nIn its list, but not in a run: {}\n",
            entries.join(", ")
        ));
    }
    for (at, ignored) in grants.ignored.iter().enumerate() {
        let gap = if at == 0 { "\n" } else { "" };
        out.push_str(&format!("{gap}Ignored: {}\n", clean(ignored)));
    }
    out
}

fn line(look: &Look, mark: &str, grant: &Grant, column: usize) -> String {
    let mut reason = clean(&grant.reason);
    if !grant.specifiers.is_empty() {
        let specifiers: Vec<String> = grant.specifiers.iter().map(|it| clean(it)).collect();
        reason = format!("{reason}; only {}", specifiers.join(", "));
    }
    let indent = column + 6;
    let mut lines = wrap(&reason, look.width.saturating_sub(indent).max(20)).into_iter();
    let tool = clean(&grant.tool);
    let first = lines.next().unwrap_or_default();
    let mut out = format!("  {mark} {tool:column$}  {first}\n");
    for line in lines {
        out.push_str(&format!("{:indent$}{line}\n", ""));
    }
    out
}
