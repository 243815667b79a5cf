//! A value of another type than the key takes.
//!
//! A number where text is wanted, a list where a word is wanted: some readers convert it, some drop the key, some the agent. What
//! stands in a list of tools decides what the agent may do.
//!
//! Write the value in the form that the message names.

crate::diagnostic::rule! {
    name: "wrong-type",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "the dialect's document; measured on the loaders",
}
