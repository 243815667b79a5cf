//! A rule.

use serde::Serialize;

use callsheet_contract::documents as wit;

use crate::pages::Page;
use crate::words;

#[derive(Serialize)]
pub(super) struct Rule<'a> {
    name: &'a str,
    summary: &'a str,
    severity: &'static str,
    fix: &'static str,
    evidence: &'a str,
    page: &'a str,
}

impl<'a> From<&'a wit::Rule> for Rule<'a> {
    fn from(rule: &'a wit::Rule) -> Self {
        let page = Page::of(&rule.name);
        Self {
            name: &rule.name,
            summary: &rule.summary,
            severity: words::severity(rule.severity),
            fix: words::fix(rule.fix),
            evidence: page.evidence,
            page: page.text,
        }
    }
}
