//! Whether a file loads is decided by the measured release, regardless of its documentation. The findings follow.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::vec::Vec;

use super::syntax;
use crate::diagnostic::{Finding, Rule, Severity};
use crate::dialect::{Dialect, Kind, Verdict};
use crate::reader::{Reader, frontmatter_error, frontmatter_keys, read};
use crate::rules;
use crate::span::Span;
use crate::verdict::Outcome;

/// Rules whose errors mean that the file does not load. Those of other rules state it in their label.
const ABOUT_LOADING: &[&Rule] = &[
    &rules::closing_fence::RULE,
    &rules::control_character::RULE,
    &rules::duplicate_key::RULE,
    &rules::empty_prompt::RULE,
    &rules::fenced_frontmatter::RULE,
    &rules::foreign_frontmatter::RULE,
    &rules::frontmatter_too_long::RULE,
    &rules::invalid_toml::RULE,
    &rules::invalid_utf8::RULE,
    &rules::invalid_yaml::RULE,
    &rules::misplaced_fence::RULE,
    &rules::missing_field::RULE,
    &rules::misspelt_key::RULE,
    &rules::missing_space::RULE,
    &rules::not_a_map::RULE,
    &rules::tab_indentation::RULE,
    &rules::unclosed_frontmatter::RULE,
    &rules::unindented_text::RULE,
    &rules::unopened_frontmatter::RULE,
    &rules::unquoted_value::RULE,
    &rules::value_on_next_line::RULE,
];

/// The file as a whole.
pub(super) struct Whole<'file> {
    pub(super) path: &'file str,
    pub(super) bytes: &'file [u8],
    /// Where a finding about it points.
    pub(super) place: Span,
    /// Whether nothing of the project loads if the file is refused.
    pub(super) is_fatal: bool,
    pub(super) dialect: &'file Dialect,
    /// Whether it has frontmatter with more than unknown fields.
    pub(super) may_lose: bool,
    /// Whether it has a field that the dialect knows.
    pub(super) has_fields: bool,
}

/// The outcome of a file in the release, and whether that loads the text without fields where the dialect may; later findings do not
/// contradict it.
pub(super) fn settle(
    whole: &Whole<'_>,
    reader: &Reader,
    documented: Outcome,
    findings: &mut Vec<Finding>,
    place_of: &dyn Fn(&str) -> Option<Span>,
) -> (Outcome, bool) {
    let mut loses = false;
    let outcome = match read(whole.path, whole.bytes, reader) {
        Ok(reading) => {
            let mut keys = reading.keys.iter();
            loses = whole.may_lose
                && whole.dialect.unread_frontmatter == Verdict::Ignored
                && !keys.any(|key| whole.dialect.key(key).is_some());
            reading.outcome
        }
        Err(outcome) => outcome,
    };
    let (Outcome::Dropped(reason) | Outcome::Withheld(reason)) = &outcome else {
        if loses {
            without_fields(whole, reader, findings);
            return (outcome, true);
        }
        if outcome == Outcome::Loads {
            with_fields(whole, reader, findings);
        }
        findings
            .iter_mut()
            .for_each(|found| of_release(found, reader, outcome.loads()));
        return (outcome, false);
    };
    findings
        .iter_mut()
        .for_each(|found| of_release(found, reader, false));
    if !findings.iter().any(refuses) && documented.is_agent() {
        let place = key_in(reason).and_then(place_of).unwrap_or(whole.place);
        findings.push(rules::refused_by_release::finding(
            reader,
            reason,
            place,
            whole.is_fatal,
        ));
    }
    if whole.is_fatal && matches!(outcome, Outcome::Dropped(_)) {
        loads_nothing(&reader.title, findings);
    }
    let outcome = match documented {
        // Both refuse it, and the dialect has its own message.
        Outcome::Dropped(_) | Outcome::NotAnAgent(_) if !outcome.loads() => documented,
        _ => outcome,
    };
    (outcome, false)
}

/// Whether every reader splits a text alike and sees the same keys: plain lines between the first two fences.
pub(super) fn is_clear(text: &str) -> bool {
    let yaml = text.strip_prefix("---\n").and_then(|rest| rest.split_once("---"));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" \n:_.,;()/-+=".contains(&byte);
    yaml.is_some_and(|(yaml, rest)| {
        yaml.ends_with('\n') && rest.starts_with('\n') && yaml.bytes().all(is_plain)
    })
}

/// Whether a file that loads anyway does so without its fields, as the release reads frontmatter; later findings do not contradict it.
pub(super) fn settle_fields(
    whole: &Whole<'_>,
    reader: &Reader,
    is_ignored: bool,
    findings: &mut Vec<Finding>,
) -> bool {
    if !whole.has_fields {
        return is_ignored;
    }
    let keys = frontmatter_keys(whole.bytes, reader);
    let loses = !keys.iter().any(|key| whole.dialect.key(key).is_some());
    if loses && !is_ignored {
        without_fields(whole, reader, findings);
    } else if !loses && is_ignored {
        with_fields(whole, reader, findings);
    }
    loses
}

/// The release loads the file with its fields.
fn with_fields(whole: &Whole<'_>, reader: &Reader, findings: &mut [Finding]) {
    let note = syntax::without_fields(whole.dialect);
    for found in findings.iter_mut().filter(|found| refuses(found)) {
        loads(found, reader);
        found.note = found.note.take().filter(|known| *known != note);
    }
}

/// The release loads the text without its fields. One finding at least says so.
fn without_fields(whole: &Whole<'_>, reader: &Reader, findings: &mut Vec<Finding>) {
    let note = syntax::without_fields(whole.dialect);
    let empty_prompt = rules::empty_prompt::RULE.name;
    // Neither a field nor an empty body is one there, and the file name is the name.
    findings.retain(|found| {
        let is_lost = found.rule == empty_prompt || found.rule == rules::name_mismatch::RULE.name;
        !(states_consequence(found) || whole.has_fields && is_lost)
    });
    let mut is_said = false;
    // These are about one field or the body.
    let of_others = [
        rules::misspelt_key::RULE.name,
        rules::missing_field::RULE.name,
        empty_prompt,
    ];
    let is_reason = |found: &&mut Finding| is_about_loading(found) && !of_others.contains(&found.rule);
    for found in findings.iter_mut().filter(is_reason) {
        is_said = true;
        found.severity = Severity::Error;
        found.note = Some(note.clone());
        if found.rule == rules::duplicate_key::RULE.name {
            found.label = "given again here".to_owned();
        }
    }
    if whole.has_fields && !is_said {
        let mut message = format!("{} does not read this frontmatter", reader.title);
        if let Some(error) = frontmatter_error(whole.bytes, reader) {
            message.extend([": ", &error]);
        }
        findings.push(Finding::new(&rules::invalid_yaml::RULE, whole.place, message).note(note));
    }
}

/// Says that a refused file keeps a product from loading the others.
pub(super) fn loads_nothing(title: &str, findings: &mut [Finding]) {
    let refusing = findings.iter_mut().filter(|found| refuses(found));
    if let Some(first) = refusing.min_by_key(|found| found.span) {
        first.note = Some(format!(
            "{title} loads nothing of the project while it refuses this file"
        ));
    }
}

/// The key that a reason starts with or quotes in backticks.
fn key_in(reason: &str) -> Option<&str> {
    let quoted = || reason.split('`').nth(1);
    let begins = reason.split([':', '.']).next().filter(|key| !key.contains(' '));
    begins.or_else(quoted)
}

/// Whether a finding means that the file does not load.
fn refuses(found: &Finding) -> bool {
    found.severity == Severity::Error
        && (is_about_loading(found)
            || found.rule == rules::refused_by_release::RULE.name
            || states_consequence(found))
}

fn is_about_loading(found: &Finding) -> bool {
    ABOUT_LOADING.iter().any(|rule| rule.name == found.rule)
}

fn states_consequence(found: &Finding) -> bool {
    let kinds = [Kind::Agent, Kind::Skill, Kind::Command].into_iter();
    kinds
        .flat_map(|kind| [Verdict::Dropped, Verdict::Withheld].map(|verdict| verdict.consequence(kind)))
        .any(|consequence| found.label == consequence)
}

/// The release loads the file anyway.
fn loads(found: &mut Finding, reader: &Reader) {
    found.severity = Severity::Warning;
    if states_consequence(found) || found.rule == rules::missing_field::RULE.name {
        found.label = format!("{} loads the file anyway", reader.title);
    }
}

/// What the release does with a file that has an unquoted value. Comments beside one keep no reader from the file.
fn of_release(found: &mut Finding, reader: &Reader, loads: bool) {
    if found.rule == rules::unquoted_value::RULE.name && !found.fixes.is_empty() {
        found.note = Some(if loads {
            syntax::loads_anyway(&reader.title)
        } else {
            format!("{} does not load the file", reader.title)
        });
    }
}
