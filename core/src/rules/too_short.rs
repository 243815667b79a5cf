//! A value or a prompt shorter than the tool accepts.
//!
//! Make it longer. Qwen Code accepts names from 2 and prompts from 10 characters.

crate::diagnostic::rule! {
    name: "too-short",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "Qwen Code, subagent validation",
}
