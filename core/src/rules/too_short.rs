//! A value or a prompt shorter than the tool accepts.
//!
//! Make it longer. Qwen Code requires names of at least 2 characters and prompts of at least 10.

crate::diagnostic::rule! {
    name: "too-short",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "Qwen Code, subagent validation",
}
