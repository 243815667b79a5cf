//! The rules, one file each. A file's documentation is the rule's page.

use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::{Diagnostic, Finding};
use crate::dialect::Kind;
use crate::subject::Subject;

pub use crate::diagnostic::{FixAvailability, Page, Rule};

mod allowed_and_denied;
pub(crate) mod also_read;
mod ambiguous_value;
pub(crate) mod broken_winner;
pub(crate) mod byte_order_mark;
pub(crate) mod closing_fence;
pub(crate) mod control_character;
pub(crate) mod dangerous_hook;
mod delegation_cycle;
mod description_budget;
pub(crate) mod drifted_copy;
pub(crate) mod duplicate_key;
pub(crate) mod duplicate_name;
mod duplicate_tool;
pub(crate) mod empty_prompt;
mod empty_tools;
pub(crate) mod extends_cycle;
pub(crate) mod fenced_frontmatter;
mod folder_mismatch;
pub(crate) mod foreign_frontmatter;
mod foreign_model;
mod foreign_server_tool;
mod foreign_tool;
pub(crate) mod frontmatter_too_long;
pub(crate) mod hidden_character;
mod hidden_instruction;
mod idle_key;
mod idle_specifier;
pub(crate) mod ignored_manifest_key;
pub(crate) mod incomplete_hook;
pub(crate) mod invalid_composition;
pub(crate) mod invalid_manifest;
pub(crate) mod invalid_server;
pub(crate) mod invalid_settings;
pub(crate) mod invalid_toml;
pub(crate) mod invalid_utf8;
pub(crate) mod invalid_yaml;
mod literal_newline;
mod locked_skill;
mod long_description;
mod long_listing;
mod long_skill;
mod lost_text;
pub(crate) mod misplaced_fence;
pub(crate) mod missing_field;
pub(crate) mod missing_file;
pub(crate) mod missing_import;
pub(crate) mod missing_parent;
pub(crate) mod missing_plugin_file;
pub(crate) mod missing_script;
pub(crate) mod missing_skill;
pub(crate) mod missing_space;
pub(crate) mod misspelt_key;
pub(crate) mod name_form;
pub(crate) mod name_mismatch;
pub(crate) mod no_frontmatter;
pub(crate) mod not_a_map;
mod overridden_permission;
pub(crate) mod passed_over;
mod permission_bypass;
mod pinned_model;
mod placeholder_description;
mod plan_mode_tools;
mod provider_mismatch;
pub(crate) mod refused_by_release;
mod retired_key;
mod retired_model;
mod retired_tool;
mod same_description;
mod second_frontmatter;
pub(crate) mod secret;
pub(crate) mod several_lines;
pub(crate) mod shadowed;
mod similar_name;
pub(crate) mod tab_indentation;
pub(crate) mod too_large;
pub(crate) mod too_long;
pub(crate) mod too_short;
pub(crate) mod too_small;
mod tool_list_form;
pub(crate) mod unapplied_instructions;
pub(crate) mod unbuildable_source;
pub(crate) mod unclosed_frontmatter;
pub(crate) mod unfollowed_link;
pub(crate) mod unindented_text;
pub(crate) mod unknown_agent;
pub(crate) mod unknown_hook;
mod unknown_key;
mod unknown_model;
pub(crate) mod unknown_rule;
pub(crate) mod unknown_server;
pub(crate) mod unknown_set;
mod unknown_substitution;
mod unknown_tool;
pub(crate) mod unknown_value;
mod unlisted_server;
pub(crate) mod unmatched_hook;
pub(crate) mod unmatched_pattern;
pub(crate) mod unmatched_removal;
pub(crate) mod unopened_frontmatter;
pub(crate) mod unquoted_value;
pub(crate) mod unread_file;
pub(crate) mod unreadable_directory;
pub(crate) mod unreadable_file;
pub(crate) mod unused_ignore;
pub(crate) mod value_on_next_line;
pub(crate) mod wider_than_parent;
pub(crate) mod wrong_type;

// `RULES` and `PAGES` by name, and the checks of files and agents, by the stage of each rule.
include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// Whether a rule has this name.
pub(crate) fn is_known(name: &str) -> bool {
    RULES.iter().any(|rule| rule.name == name)
}

/// Whether a rule compares files.
pub(crate) fn is_between_files(name: &str) -> bool {
    BETWEEN_FILES.iter().any(|rule| rule.name == name)
}

/// Checks one file after it was read.
type Check = fn(&Subject<'_>, &mut Vec<Finding>);

/// A check of all agents of a catalog together.
type CastCheck = fn(&Cast<'_>, &mut Vec<Diagnostic>);

/// Runs every rule that compares the files of a catalog.
pub(crate) fn check_cast(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let checks: &[CastCheck] = match cast.dialect.kind {
        Kind::Agent => CAST_CHECKS,
        Kind::Skill | Kind::Command => &[description_budget::check, similar_name::check],
    };
    for check in checks {
        check(cast, found);
    }
}

/// Runs every rule that checks one file.
pub(crate) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let checks = match subject.dialect.kind {
        Kind::Agent => AGENT_CHECKS,
        Kind::Skill | Kind::Command => OTHER_CHECKS,
    };
    for check in checks {
        check(subject, findings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_summary_an_explanation_and_evidence() {
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
