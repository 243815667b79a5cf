//! A skill with a long body.
//!
//! The whole body enters the conversation when the skill is used. The Agent Skills specification recommends fewer than 500 lines and
//! 5,000 tokens.
//!
//! Move details into files beside the skill, and say in the body when to read each.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::Kind;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "long-skill",
    severity: Note,
    fix: None,
    found: skill,
    evidence: "Agent Skills specification (2026-08)",
}

const LINES: usize = 500;

/// 5,000 tokens, counted as four characters each.
const CHARACTERS: usize = 20_000;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if subject.dialect.kind != Kind::Skill {
        return;
    }
    let body = subject.body().trim();
    let (lines, characters) = (body.lines().count(), body.chars().count());
    let message = if lines > LINES {
        format!("the skill has {lines} lines; up to {LINES} are recommended")
    } else if characters > CHARACTERS {
        let tokens = characters / 4;
        format!("the skill has about {tokens} tokens; up to 5000 are recommended")
    } else {
        return;
    };
    findings.push(
        Finding::new(&RULE, subject.opening(), message)
            .label("all of it enters the conversation")
            .help("move details into files beside it"),
    );
}
