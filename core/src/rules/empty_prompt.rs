//! No text after the frontmatter.
//!
//! The body is the agent's prompt. Without one it does not know what to do.
//!
//! Say after the closing `---` what the agent is to do.

crate::diagnostic::rule! {
    name: "empty-prompt",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "kodelet does not offer such an agent; the others start it without instructions",
}
