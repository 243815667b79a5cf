//! A git worktree that is kept, and how to merge or delete it.

use super::check::plural;
use super::clean;
use crate::report::Worktree;

/// The most files that are named.
const NAMED: usize = 5;

/// Its changes, where they are, and what the user can do about them. The commands are for a shell.
pub fn worktree(it: &Worktree) -> Vec<String> {
    let mut parts = Vec::new();
    if it.commits > 0 {
        parts.push(plural(it.commits as usize, "commit"));
    }
    for (what, names) in [
        ("changed", &it.files),
        ("not committed", &it.uncommitted),
        ("ignored by git", &it.ignored),
    ] {
        if !names.is_empty() {
            parts.push(format!("{what}: {}", listed(names)));
        }
    }
    match &it.problem {
        Some(problem) => parts.push(clean(problem)),
        // Nothing is checked out or on a branch, but the reflog has more.
        None if parts.is_empty() => parts.push("undone commits".to_owned()),
        None => {}
    }
    let agent = clean(&it.agent.join(" > "));
    let heading = format!("worktree of {agent} kept: {}", parts.join("; "));
    let lines = [
        ("path", Some(&it.path)),
        ("branch", Some(&it.branch)),
        ("commit", it.commit.as_ref()),
        ("merge", it.merge.as_ref()),
        ("delete", Some(&it.delete)),
    ];
    let lines = lines.into_iter().filter_map(|(name, value)| {
        let value = value.filter(|value| !value.is_empty())?;
        Some(format!("  {name:7} {}", clean(value)))
    });
    [heading].into_iter().chain(lines).collect()
}

fn listed(names: &[String]) -> String {
    let named: Vec<String> = names.iter().take(NAMED).map(|name| clean(name)).collect();
    match names.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
