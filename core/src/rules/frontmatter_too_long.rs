//! Frontmatter too long to be parsed as YAML.
//!
//! It is read line by line instead. Descriptions and examples of this size are sent with every request to the model.
//!
//! Move text into the body.

crate::diagnostic::rule! {
    name: "frontmatter-too-long",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "the limit is Callsheet's own; text of this length belongs in the body",
}
