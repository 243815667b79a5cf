//! The code quality report of GitLab.

use serde::Serialize;

use callsheet_contract::types::Severity;

use super::json;
use super::located::Located;

/// The report, which is one list.
pub fn report(located: &[Located<'_>]) -> String {
    json::pretty(&located.iter().map(Issue::from).collect::<Vec<_>>())
}

#[derive(Serialize)]
struct Issue<'a> {
    description: &'a str,
    check_name: &'a str,
    fingerprint: &'a str,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

impl<'a> From<&'a Located<'_>> for Issue<'a> {
    fn from(located: &'a Located<'_>) -> Self {
        let diagnostic = &located.finding.diagnostic;
        let place = &diagnostic.primary.place;
        Self {
            description: &diagnostic.message,
            check_name: &diagnostic.rule,
            fingerprint: &located.fingerprint,
            severity: match diagnostic.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            location: Location {
                path: &place.path,
                lines: Lines {
                    begin: place.start.line,
                    end: place.end.line,
                },
            },
        }
    }
}
