//! A description left from a template, or that only repeats the name.
//!
//! The model chooses an agent by its description alone. If that does not say when to call the agent, the agent is never called, or
//! called for anything.
//!
//! ```yaml
//! name: code-reviewer
//! description: A code reviewer agent
//! ```
//!
//! State what the agent does and when to call it.
//!
//! ```yaml
//! name: code-reviewer
//! description: Reviews changes for mistakes. Use after each commit.
//! ```

use alloc::format;
use alloc::vec::Vec;

use crate::closest::fold;
use crate::diagnostic::Finding;
use crate::dialect::Canonical;
use crate::lines::find;
use crate::span::Span;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "placeholder-description",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "the description alone decides which agent is called; templates of Claude Code, VS Code and the corpus",
}

/// Text that templates put in place of a description.
const GAPS: &[&str] = &[
    "todo",
    "tbd",
    "fixme",
    "lorem ipsum",
    "placeholder",
    "description here",
    "your description",
    "agent description",
    "description of when this",
    "description of what this",
    "brief description",
    "describe what this",
    "describe when ",
    "insert description",
    "add description",
    "add a description",
];

/// Words without information.
const EMPTY: &[&str] = &[
    "a",
    "ai",
    "an",
    "agent",
    "agents",
    "assistant",
    "custom",
    "default",
    "description",
    "helper",
    "my",
    "new",
    "specialized",
    "sub",
    "subagent",
    "test",
    "the",
    "this",
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let description = subject.definition.description.trim();
    let field = subject.definition.field(Canonical::Description);
    let Some(field) = field.filter(|field| !field.value_span.is_empty() && !description.is_empty()) else {
        return;
    };
    let (what, label) = if is_gap(description) {
        (
            "is still a placeholder",
            "the model cannot tell when to call the agent",
        )
    } else if words(description).next().is_none() {
        ("has no words", "the model cannot tell when to call the agent")
    } else if says_nothing(description, &subject.definition.name) {
        (
            "only repeats the name",
            "the model cannot tell when to call the agent",
        )
    } else {
        return;
    };
    findings.push(
        Finding::new(&RULE, field.value_span, format!("`{}` {what}", field.key))
            .label(label)
            .help("state what the agent does and when to call it"),
    );
}

fn is_gap(description: &str) -> bool {
    let enclosed = [('<', '>'), ('[', ']'), ('{', '}')];
    let is_enclosed = enclosed.iter().any(|(open, close)| {
        let inside = description
            .strip_prefix(*open)
            .and_then(|rest| rest.strip_suffix(*close));
        inside.is_some_and(|inside| !inside.trim_matches(['{', '}']).contains([*open, *close]))
    });
    let lower = description.to_ascii_lowercase();
    let is_said = |gap: &&str| {
        // One word may be the subject of the agent.
        let is_word = !gap.contains(' ');
        let before = if is_word { 0 } else { "a ".len() };
        (0..=before).any(|at| {
            let rest = lower.get(at..).and_then(|rest| rest.strip_prefix(gap));
            rest.is_some_and(|rest| !is_word || !rest.starts_with(' '))
        })
    };
    is_enclosed || GAPS.iter().any(is_said)
}

/// Whether every word is part of the name or without information.
fn says_nothing(description: &str, name: &str) -> bool {
    let (parts, name): (Vec<_>, _) = (words(name).map(fold).collect(), fold(name));
    words(description).all(|word| {
        let word = fold(word);
        // Names such as `codeReviewer` are one word; fewer letters are in many names by chance.
        let is_inside = || word.len() >= 3 && find(&name, Span::new(0, name.len()), &word).is_some();
        EMPTY.contains(&&*word) || parts.contains(&word) || is_inside()
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}
