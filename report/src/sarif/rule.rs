//! SARIF reporting descriptors.

use serde::Serialize;

use callsheet_contract::documents;

use super::places::Message;
use crate::pages::{Page, address};
use crate::words;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule<'a> {
    id: &'a str,
    #[serde(flatten)]
    description: Option<Description<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Description<'a> {
    short_description: Message<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    help: Help<'a>,
    default_configuration: Configuration,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Help<'a> {
    text: &'a str,
    markdown: &'a str,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Properties<'a> {
    evidence: &'a str,
    fix: &'static str,
}

impl<'a> Rule<'a> {
    pub(super) fn new(id: &'a str, rule: Option<&'a documents::Rule>) -> Self {
        let page = Page::of(id);
        let description = rule.map(|rule| Description {
            short_description: Message { text: &rule.summary },
            help_uri: address(id),
            help: Help {
                text: page.text,
                markdown: page.text,
            },
            default_configuration: Configuration {
                level: words::severity(rule.severity),
            },
            properties: Properties {
                evidence: page.evidence,
                fix: words::fix(rule.fix),
            },
        });
        Self { id, description }
    }
}

#[cfg(test)]
mod tests {
    use callsheet_contract::documents::FixAvailability;
    use callsheet_contract::types::Severity;

    use super::*;

    #[test]
    fn a_rule_has_the_address_of_its_page() {
        let rule = documents::Rule {
            name: "unquoted-value".to_owned(),
            summary: "A value that must be quoted.".to_owned(),
            severity: Severity::Error,
            fix: FixAvailability::SafeFix,
        };
        let written = serde_json::to_value(Rule::new(&rule.name, Some(&rule))).unwrap();
        assert_eq!(written["helpUri"], "https://docs.test/rules/unquoted-value/");
    }
}
