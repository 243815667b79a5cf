//! The result of a command that writes.

use serde::Serialize;

use crate::report;

#[derive(Serialize)]
pub(super) struct Written<'a> {
    path: Option<&'a str>,
    from: Option<&'a str>,
    changed: bool,
    also_changed: &'a [String],
    now: Vec<Now<'a>>,
}

#[derive(Serialize)]
struct Now<'a> {
    dialect: &'a str,
    name: &'a str,
    path: Option<&'a str>,
    source: Option<&'a str>,
    others: Vec<&'a str>,
}

impl<'a> From<&'a report::Written> for Written<'a> {
    fn from(written: &'a report::Written) -> Self {
        Self {
            path: written.path.as_deref(),
            from: written.from.as_deref(),
            changed: written.changed,
            also_changed: &written.also,
            now: written.now.iter().map(Into::into).collect(),
        }
    }
}

impl<'a> From<&'a report::Now> for Now<'a> {
    fn from(now: &'a report::Now) -> Self {
        let origin = now.winner.as_ref().map(|entry| &entry.origin);
        Self {
            dialect: &now.dialect,
            name: &now.name,
            path: origin.and_then(|origin| origin.path.as_deref()),
            source: origin.map(|origin| &*origin.source),
            others: now
                .others
                .iter()
                .filter_map(|entry| entry.origin.path.as_deref())
                .collect(),
        }
    }
}
