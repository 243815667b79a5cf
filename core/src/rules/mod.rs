//! The rules, one file each. A file's documentation is the rule's page.

use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::{Diagnostic, Finding, Severity};
use crate::subject::Subject;

mod allowed_and_denied;
pub(crate) mod also_read;
mod ambiguous_value;
pub(crate) mod broken_winner;
pub(crate) mod byte_order_mark;
pub(crate) mod closing_fence;
pub(crate) mod control_character;
mod dangerous_hook;
mod delegation_cycle;
mod description_budget;
pub(crate) mod drifted_copy;
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
mod hidden_instruction;
mod idle_key;
mod idle_specifier;
pub(crate) mod invalid_manifest;
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
pub(crate) mod misspelt_key;
pub(crate) mod name_form;
mod name_mismatch;
pub(crate) mod no_frontmatter;
pub(crate) mod not_a_map;
pub(crate) mod passed_over;
mod permission_bypass;
mod pinned_model;
mod placeholder_description;
mod plan_mode_tools;
mod provider_mismatch;
pub(crate) mod refused_by_release;
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
pub(crate) mod unread_file;
pub(crate) mod unreadable_directory;
pub(crate) mod unreadable_file;
pub(crate) mod unused_ignore;
pub(crate) mod value_on_next_line;
pub(crate) mod wrong_type;

/// How findings can be fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mending {
    /// By hand only.
    None,
    /// By a fix that needs review.
    Unsafe,
    /// By a fix that keeps the author's intent.
    Safe,
}

/// A kind of problem that files can have.
#[derive(Debug)]
pub struct Rule {
    /// A stable kebab-case name.
    pub name: &'static str,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// The default severity; a dialect may set another.
    pub severity: Severity,
    /// The best fix that its findings may have.
    pub fix: Mending,
}

/// The documentation of a rule.
#[derive(Debug)]
pub struct Page {
    /// Markdown: a summary line, a blank line, and the rest.
    pub text: &'static str,
    /// The reader or document that it is based on.
    pub evidence: &'static str,
}

/// Defines `RULE` and `PAGE` of the file that uses it; the page is the file's documentation.
macro_rules! rule {
    (name: $name:literal, severity: $severity:ident, fix: $fix:ident, evidence: $evidence:literal,) => {
        pub(crate) static RULE: $crate::rules::Rule = $crate::rules::Rule {
            name: $name,
            summary: include_str!(concat!(env!("OUT_DIR"), "/rules/", $name, ".txt")),
            severity: $crate::diagnostic::Severity::$severity,
            fix: $crate::rules::Mending::$fix,
        };

        pub(crate) const PAGE: $crate::rules::Page = $crate::rules::Page {
            text: include_str!(concat!(env!("OUT_DIR"), "/rules/", $name, ".md")),
            evidence: $evidence,
        };
    };
}
use rule;

/// Defines the tables of all rules.
macro_rules! tables {
    ($($module:ident),* $(,)?) => {
        /// Every rule, by name.
        pub static RULES: &[&Rule] = &[$(&$module::RULE),*];

        /// The page of every rule, in the same order. The component leaves them out.
        pub static PAGES: &[Page] = &[$($module::PAGE),*];
    };
}

tables! {
    allowed_and_denied,
    also_read,
    ambiguous_value,
    broken_winner,
    byte_order_mark,
    closing_fence,
    control_character,
    dangerous_hook,
    delegation_cycle,
    description_budget,
    drifted_copy,
    duplicate_key,
    duplicate_name,
    duplicate_tool,
    empty_prompt,
    empty_tools,
    fenced_frontmatter,
    foreign_frontmatter,
    foreign_model,
    foreign_server_tool,
    foreign_tool,
    frontmatter_too_long,
    hidden_character,
    hidden_instruction,
    idle_key,
    idle_specifier,
    invalid_manifest,
    invalid_toml,
    invalid_utf8,
    invalid_yaml,
    literal_newline,
    long_description,
    lost_text,
    misplaced_fence,
    missing_field,
    missing_skill,
    missing_space,
    misspelt_key,
    name_form,
    name_mismatch,
    no_frontmatter,
    not_a_map,
    passed_over,
    permission_bypass,
    pinned_model,
    placeholder_description,
    plan_mode_tools,
    provider_mismatch,
    refused_by_release,
    retired_model,
    retired_tool,
    same_description,
    second_frontmatter,
    secret,
    several_lines,
    shadowed,
    similar_name,
    tab_indentation,
    too_large,
    too_long,
    too_short,
    too_small,
    tool_list_form,
    unclosed_frontmatter,
    unfollowed_link,
    unindented_text,
    unknown_agent,
    unknown_hook,
    unknown_key,
    unknown_model,
    unknown_rule,
    unknown_server,
    unknown_tool,
    unknown_value,
    unlisted_server,
    unopened_frontmatter,
    unquoted_value,
    unread_file,
    unreadable_directory,
    unreadable_file,
    unused_ignore,
    value_on_next_line,
    wrong_type,
}

/// Rules that compare files, so that one file alone cannot break them.
const BETWEEN_FILES: &[&Rule] = &[
    &also_read::RULE,
    &broken_winner::RULE,
    &delegation_cycle::RULE,
    &description_budget::RULE,
    &drifted_copy::RULE,
    &duplicate_name::RULE,
    &invalid_manifest::RULE,
    &missing_skill::RULE,
    &passed_over::RULE,
    &same_description::RULE,
    &shadowed::RULE,
    &similar_name::RULE,
    &unfollowed_link::RULE,
    &unknown_agent::RULE,
    &unknown_server::RULE,
    &unread_file::RULE,
    &unreadable_directory::RULE,
    &unreadable_file::RULE,
];

/// Whether a rule has this name.
pub(crate) fn is_known(name: &str) -> bool {
    RULES.iter().any(|rule| rule.name == name)
}

/// Whether a rule compares files.
pub(crate) fn is_between_files(name: &str) -> bool {
    BETWEEN_FILES.iter().any(|rule| rule.name == name)
}

/// A check of one file that has been read. The other rules run while reading, or between files.
type Check = fn(&Subject<'_>, &mut Vec<Finding>);

const FILE_CHECKS: &[Check] = &[
    hidden_character::check,
    hidden_instruction::check,
    secret::check,
    dangerous_hook::check,
    placeholder_description::check,
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

/// A check of all agents of a catalog together.
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

/// Runs every rule that compares the agents of a catalog.
pub(crate) fn check_cast(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    for check in CAST_CHECKS {
        check(cast, found);
    }
}

/// Runs every rule that checks one file.
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
        for (rule, page) in RULES.iter().zip(PAGES) {
            let summary = rule.summary;
            assert!(
                summary.ends_with('.') && summary.len() <= 90,
                "{}: {summary}",
                rule.name
            );
            let mut lines = page.text.lines().skip(1);
            assert_eq!(lines.next(), Some(""), "{}", rule.name);
            assert!(lines.next().is_some_and(|line| !line.is_empty()), "{}", rule.name);
            assert!(!page.evidence.is_empty(), "{}", rule.name);
        }
    }
}
