//! A value of the wrong type.
//!
//! If a value is a number instead of text, or a list instead of a word, some readers convert it, some drop the field, and some drop the agent.
//! In a list of tools, this decides what the agent may do.
//!
//! Use the form in the message.

crate::diagnostic::rule! {
    name: "wrong-type",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "the dialect's document; measured on the loaders",
}
