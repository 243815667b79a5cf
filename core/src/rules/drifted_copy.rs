//! An agent whose copy for another tool has different content.
//!
//! Many projects keep the same agents for several tools, each in its own directory. Changing only one copy leaves two different agents
//! of one name. The descriptions and prompts are compared, ignoring whitespace.
//!
//! Make the copies the same, or rename one if they are meant to differ.

crate::diagnostic::rule! {
    name: "drifted-copy",
    severity: Note,
    fix: None,
    found: between,
    evidence: "agent-ready-repo#263, ruler#85: copies for several tools are kept by hand or by converters, and drift",
}
