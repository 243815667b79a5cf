//! A value of the wrong type.
//!
//! With a number instead of text, or a list instead of a word, some readers convert the value, some drop the field, some the agent. In a
//! list of tools, this decides what the agent may do.
//!
//! Use the form in the message.

crate::diagnostic::rule! {
    name: "wrong-type",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "the dialect's document; measured on the loaders",
}
