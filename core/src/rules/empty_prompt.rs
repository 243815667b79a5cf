//! No text after the frontmatter.
//!
//! The body is the agent's prompt. Without one the agent has no instructions.
//!
//! Add a prompt below the closing `---`.

crate::diagnostic::rule! {
    name: "empty-prompt",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "kodelet does not offer such an agent; the others start it without instructions",
}
