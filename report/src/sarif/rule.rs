//! SARIF reporting descriptors.

use serde::Serialize;

use callsheet_contract::documents;

use super::places::Message;
use crate::pages::Page;
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
