//! Changes of agents while their files change.

use serde::Serialize;

use callsheet_contract::catalogs as wit;

use super::agent::Origin;
use super::diagnostic::Finding;
use crate::report::Checked;
use crate::words;

#[derive(Serialize)]
pub(super) struct Watching<'a> {
    event: &'static str,
    dialects: Vec<Agents<'a>>,
}

#[derive(Serialize)]
struct Agents<'a> {
    dialect: &'a str,
    agents: usize,
}

impl<'a> From<&'a [(String, usize)]> for Watching<'a> {
    fn from(agents: &'a [(String, usize)]) -> Self {
        let one = |(dialect, agents): &'a (String, usize)| Agents {
            dialect,
            agents: *agents,
        };
        Self {
            event: "watching",
            dialects: agents.iter().map(one).collect(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct News<'a> {
    event: &'static str,
    dialect: &'a str,
    changes: Vec<Change<'a>>,
    diagnostics: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Change<'a> {
    name: &'a str,
    kind: &'static str,
    origin: Origin<'a>,
}

impl<'a> News<'a> {
    pub(super) fn new(dialect: &'a str, changes: &'a [wit::Change], checked: &'a Checked) -> Self {
        let change = |change: &'a wit::Change| Change {
            name: &change.name,
            kind: words::change(change.kind),
            origin: (&change.origin).into(),
        };
        Self {
            event: "different",
            dialect,
            changes: changes.iter().map(change).collect(),
            diagnostics: checked.reported().map(Into::into).collect(),
        }
    }
}
