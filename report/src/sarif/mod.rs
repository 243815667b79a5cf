//! SARIF 2.1.0, for code scanning services and editors.

mod places;
mod rule;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use callsheet_contract::{documents, types};

use self::places::{ArtifactLocation, Location, Message, Region};
use self::rule::Rule;
use super::located::Located;
use super::{json, words};

/// The log with one run. It describes the `rules` with findings.
pub fn log(located: &[Located<'_>], rules: &[documents::Rule]) -> String {
    let found: BTreeSet<&str> = located
        .iter()
        .map(|located| located.finding.diagnostic.rule.as_str())
        .collect();
    let order: BTreeMap<&str, usize> = found.iter().copied().zip(0..).collect();
    let described = |name: &&str| rules.iter().find(|rule| rule.name == **name);
    json::pretty(&Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "callsheet",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: found
                        .iter()
                        .map(|name| Rule::new(name, described(name)))
                        .collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results: located
                .iter()
                .map(|located| Finding::new(located, &order))
                .collect(),
        }],
    })
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    results: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule<'a>>,
}

/// A SARIF result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Message<'a>,
    locations: [Location<'a>; 1],
    related_locations: Vec<Location<'a>>,
    partial_fingerprints: Fingerprint<'a>,
    fixes: Vec<Fix<'a>>,
    properties: Properties<'a>,
}

impl<'a> Finding<'a> {
    fn new(located: &'a Located<'_>, order: &BTreeMap<&str, usize>) -> Self {
        let diagnostic = &located.finding.diagnostic;
        let positions = located.edits.iter().flatten();
        let fixes = diagnostic.fixes.iter().zip(positions);
        let path = diagnostic.primary.place.path.as_str();
        Self {
            rule_id: &diagnostic.rule,
            rule_index: order[diagnostic.rule.as_str()],
            level: words::severity(diagnostic.severity),
            message: Message {
                text: &diagnostic.message,
            },
            locations: [(&diagnostic.primary).into()],
            related_locations: diagnostic.related.iter().map(Into::into).collect(),
            partial_fingerprints: Fingerprint {
                line: &located.fingerprint,
            },
            fixes: fixes
                .map(|(fix, positions)| Fix::new(path, fix, positions))
                .collect(),
            properties: Properties {
                dialects: &located.finding.dialects,
                note: diagnostic.note.as_deref(),
                help: diagnostic.help.as_deref(),
            },
        }
    }
}

#[derive(Serialize)]
struct Fingerprint<'a> {
    #[serde(rename = "callsheetLine/v1")]
    line: &'a str,
}

#[derive(Serialize)]
struct Properties<'a> {
    dialects: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix<'a> {
    description: Message<'a>,
    artifact_changes: [Change<'a>; 1],
    properties: Safety,
}

#[derive(Serialize)]
struct Safety {
    safe: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Message<'a>,
}

impl<'a> Fix<'a> {
    fn new(path: &str, fix: &'a types::Fix, positions: &[(types::Position, types::Position)]) -> Self {
        let replacement =
            |(edit, (start, end)): (&'a types::Edit, &(types::Position, types::Position))| Replacement {
                deleted_region: Region::new(edit.span, *start, *end),
                inserted_content: Message { text: &edit.text },
            };
        Self {
            description: Message { text: &fix.title },
            artifact_changes: [Change {
                artifact_location: ArtifactLocation::new(path),
                replacements: fix.edits.iter().zip(positions).map(replacement).collect(),
            }],
            properties: Safety { safe: fix.safe },
        }
    }
}
