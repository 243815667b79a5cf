//! A value that has to be quoted.
//!
//! An unquoted value may not hold a colon followed by a space, nor begin with one of the characters that YAML keeps for itself.
//! It is the commonest mistake there is, and strict readers lose the whole agent for it.
//!
//! ```yaml
//! description: Use it when: tests fail
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! description: "Use it when: tests fail"
//! ```

super::rule! {
    name: "unquoted-value",
    severity: Error,
    fix: Safe,
    evidence: "61 of the 66 broken files in ten public collections; YAML 1.2 section 7.3.3",
}
