//! A value or a prompt shorter than the tool takes.
//!
//! Say more. Qwen Code takes names of two characters and prompts of ten.

crate::diagnostic::rule! {
    name: "too-short",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "Qwen Code, subagent validation",
}
