//! The offered tools that an agent gets.

use serde::Serialize;

use crate::report;

#[derive(Serialize)]
pub(super) struct Grants<'a> {
    dialect: &'a str,
    name: &'a str,
    tools: Vec<Grant<'a>>,
    unmatched: &'a [String],
    ignored: &'a [String],
}

#[derive(Serialize)]
struct Grant<'a> {
    tool: &'a str,
    granted: bool,
    reason: &'a str,
    specifiers: &'a [String],
}

impl<'a> From<&'a report::Granted> for Grants<'a> {
    fn from(granted: &'a report::Granted) -> Self {
        let grant = |grant: &'a callsheet_contract::catalogs::Grant| Grant {
            tool: &grant.tool,
            granted: grant.granted,
            reason: &grant.reason,
            specifiers: &grant.specifiers,
        };
        Self {
            dialect: &granted.dialect,
            name: &granted.name,
            tools: granted.grants.offered.iter().map(grant).collect(),
            unmatched: &granted.grants.unmatched,
            ignored: &granted.grants.ignored,
        }
    }
}
