//! The rules: one file each. A file's documentation is the rule's page.

use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::{Diagnostic, Finding, Severity};
use crate::subject::Subject;

mod allowed_and_denied;
mod ambiguous_value;
pub(crate) mod broken_winner;
pub(crate) mod byte_order_mark;
pub(crate) mod closing_fence;
pub(crate) mod control_character;
mod delegation_cycle;
mod description_budget;
pub(crate) mod duplicate_key;
pub(crate) mod duplicate_name;
mod duplicate_tool;
pub(crate) mod empty_prompt;
mod empty_tools;
pub(crate) mod fenced_frontmatter;
pub(crate) mod foreign_frontmatter;
mod foreign_model;
mod foreign_server_tool;
mod foreign_tool;
pub(crate) mod frontmatter_too_long;
mod hidden_character;
mod idle_key;
mod idle_specifier;
pub(crate) mod invalid_toml;
pub(crate) mod invalid_utf8;
pub(crate) mod invalid_yaml;
mod literal_newline;
mod long_description;
mod lost_text;
pub(crate) mod misplaced_fence;
pub(crate) mod missing_field;
mod missing_skill;
pub(crate) mod missing_space;
mod misspelt_key;
pub(crate) mod name_form;
mod name_mismatch;
pub(crate) mod no_frontmatter;
pub(crate) mod not_a_map;
pub(crate) mod passed_over;
mod permission_bypass;
mod pinned_model;
mod plan_mode_tools;
mod provider_mismatch;
mod retired_model;
mod retired_tool;
mod same_description;
mod second_frontmatter;
mod secret;
pub(crate) mod several_lines;
pub(crate) mod shadowed;
mod similar_name;
pub(crate) mod tab_indentation;
pub(crate) mod too_large;
pub(crate) mod too_long;
pub(crate) mod too_short;
pub(crate) mod too_small;
mod tool_list_form;
pub(crate) mod unclosed_frontmatter;
pub(crate) mod unfollowed_link;
pub(crate) mod unindented_text;
mod unknown_agent;
mod unknown_hook;
mod unknown_key;
mod unknown_model;
pub(crate) mod unknown_rule;
mod unknown_server;
mod unknown_tool;
pub(crate) mod unknown_value;
mod unlisted_server;
pub(crate) mod unopened_frontmatter;
pub(crate) mod unquoted_value;
pub(crate) mod unreadable_directory;
pub(crate) mod unreadable_file;
pub(crate) mod unused_ignore;
mod value_on_next_line;
pub(crate) mod wrong_type;

/// What findings can be mended by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mending {
    /// By hand.
    None,
    /// By a fix that may need a look.
    Unsafe,
    /// By a fix that does what the author plainly meant.
    Safe,
}

/// What can be wrong with a file.
#[derive(Debug)]
pub struct Rule {
    /// A stable kebab-case name.
    pub name: &'static str,
    /// How bad it is, unless what a dialect makes of it says otherwise.
    pub severity: Severity,
    /// The best fix that its findings may have.
    pub fix: Mending,
    /// Which reader or document it comes from.
    pub evidence: &'static str,
    /// Its page, in Markdown: a line that sums it up, a blank line, and the rest.
    pub page: &'static str,
}

impl Rule {
    /// What it finds, in a line.
    pub fn summary(&self) -> &'static str {
        self.page.lines().next().unwrap_or_default()
    }
}

/// Makes `RULE` of the file that it stands in, with the file's documentation as the page.
macro_rules! rule {
    (name: $name:literal, severity: $severity:ident, fix: $fix:ident, evidence: $evidence:literal,) => {
        pub(crate) static RULE: $crate::rules::Rule = $crate::rules::Rule {
            name: $name,
            severity: $crate::diagnostic::Severity::$severity,
            fix: $crate::rules::Mending::$fix,
            evidence: $evidence,
            page: include_str!(concat!(env!("OUT_DIR"), "/rules/", $name, ".md")),
        };
    };
}
use rule;

/// Every rule, by name.
pub static RULES: &[&Rule] = &[
    &allowed_and_denied::RULE,
    &ambiguous_value::RULE,
    &broken_winner::RULE,
    &byte_order_mark::RULE,
    &closing_fence::RULE,
    &control_character::RULE,
    &delegation_cycle::RULE,
    &description_budget::RULE,
    &duplicate_key::RULE,
    &duplicate_name::RULE,
    &duplicate_tool::RULE,
    &empty_prompt::RULE,
    &empty_tools::RULE,
    &fenced_frontmatter::RULE,
    &foreign_frontmatter::RULE,
    &foreign_model::RULE,
    &foreign_server_tool::RULE,
    &foreign_tool::RULE,
    &frontmatter_too_long::RULE,
    &hidden_character::RULE,
    &idle_key::RULE,
    &idle_specifier::RULE,
    &invalid_toml::RULE,
    &invalid_utf8::RULE,
    &invalid_yaml::RULE,
    &literal_newline::RULE,
    &long_description::RULE,
    &lost_text::RULE,
    &misplaced_fence::RULE,
    &missing_field::RULE,
    &missing_skill::RULE,
    &missing_space::RULE,
    &misspelt_key::RULE,
    &name_form::RULE,
    &name_mismatch::RULE,
    &no_frontmatter::RULE,
    &not_a_map::RULE,
    &passed_over::RULE,
    &permission_bypass::RULE,
    &pinned_model::RULE,
    &plan_mode_tools::RULE,
    &provider_mismatch::RULE,
    &retired_model::RULE,
    &retired_tool::RULE,
    &same_description::RULE,
    &second_frontmatter::RULE,
    &secret::RULE,
    &several_lines::RULE,
    &shadowed::RULE,
    &similar_name::RULE,
    &tab_indentation::RULE,
    &too_large::RULE,
    &too_long::RULE,
    &too_short::RULE,
    &too_small::RULE,
    &tool_list_form::RULE,
    &unclosed_frontmatter::RULE,
    &unfollowed_link::RULE,
    &unindented_text::RULE,
    &unknown_agent::RULE,
    &unknown_hook::RULE,
    &unknown_key::RULE,
    &unknown_model::RULE,
    &unknown_rule::RULE,
    &unknown_server::RULE,
    &unknown_tool::RULE,
    &unknown_value::RULE,
    &unlisted_server::RULE,
    &unopened_frontmatter::RULE,
    &unquoted_value::RULE,
    &unreadable_directory::RULE,
    &unreadable_file::RULE,
    &unused_ignore::RULE,
    &value_on_next_line::RULE,
    &wrong_type::RULE,
];

/// Rules that no file breaks alone, so that reading one does not tell whether they are broken.
const BETWEEN_FILES: &[&Rule] = &[
    &broken_winner::RULE,
    &delegation_cycle::RULE,
    &description_budget::RULE,
    &duplicate_name::RULE,
    &missing_skill::RULE,
    &passed_over::RULE,
    &same_description::RULE,
    &shadowed::RULE,
    &similar_name::RULE,
    &unfollowed_link::RULE,
    &unknown_agent::RULE,
    &unknown_server::RULE,
    &unreadable_directory::RULE,
    &unreadable_file::RULE,
];

/// Whether there is a rule of this name.
pub(crate) fn is_known(name: &str) -> bool {
    RULES.iter().any(|rule| rule.name == name)
}

/// Whether it takes more than one file to tell if a rule is broken.
pub(crate) fn is_between_files(name: &str) -> bool {
    BETWEEN_FILES.iter().any(|rule| rule.name == name)
}

/// What looks at one file that has been read. The other rules are found while reading, or between files.
type Check = fn(&Subject<'_>, &mut Vec<Finding>);

const FILE_CHECKS: &[Check] = &[
    hidden_character::check,
    secret::check,
    permission_bypass::check,
    idle_key::check,
    long_description::check,
    unknown_hook::check,
    misspelt_key::check,
    unknown_key::check,
    empty_tools::check,
    tool_list_form::check,
    foreign_tool::check,
    unknown_tool::check,
    retired_tool::check,
    foreign_server_tool::check,
    allowed_and_denied::check,
    duplicate_tool::check,
    idle_specifier::check,
    plan_mode_tools::check,
    unlisted_server::check,
    lost_text::check,
    ambiguous_value::check,
    literal_newline::check,
    value_on_next_line::check,
    tab_indentation::check,
    second_frontmatter::check,
    foreign_model::check,
    pinned_model::check,
    provider_mismatch::check,
    retired_model::check,
    unknown_model::check,
    name_mismatch::check,
];

/// What looks at the agents of a catalog together.
type CastCheck = fn(&Cast<'_>, &mut Vec<Diagnostic>);

const CAST_CHECKS: &[CastCheck] = &[
    delegation_cycle::check,
    description_budget::check,
    missing_skill::check,
    same_description::check,
    similar_name::check,
    unknown_agent::check,
    unknown_server::check,
];

/// Holds the agents of a catalog against every rule that looks at them together.
pub(crate) fn check_cast(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    for check in CAST_CHECKS {
        check(cast, found);
    }
}

/// Holds a file against every rule that looks at one.
pub(crate) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for check in FILE_CHECKS {
        check(subject, findings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_sums_up_explains_and_has_evidence() {
        for rule in RULES {
            let mut lines = rule.page.lines();
            let summary = lines.next().unwrap_or_default();
            assert!(
                summary.ends_with('.') && summary.len() <= 90,
                "{}: {summary}",
                rule.name
            );
            assert_eq!(lines.next(), Some(""), "{}", rule.name);
            assert!(lines.next().is_some_and(|line| !line.is_empty()), "{}", rule.name);
            assert!(!rule.evidence.is_empty(), "{}", rule.name);
        }
    }
}
