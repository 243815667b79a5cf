//! An agent whose copy for another tool says something else.
//!
//! Many projects keep the same agents for several tools, each in its own directory. Whoever changes one copy and forgets the other gets
//! two agents of one name. What is compared is the description and the prompt, but for blanks.
//!
//! Make the copies say the same, or give one of them a name of its own where they are meant to differ.

crate::diagnostic::rule! {
    name: "drifted-copy",
    severity: Note,
    fix: None,
    found: between,
    evidence: "agent-ready-repo#263, ruler#85: copies for several tools are kept by hand or by converters, and drift",
}
