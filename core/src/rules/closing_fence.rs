//! Something other than `---` closes the frontmatter.
//!
//! `----`, `...`, an indented `---` or a word after it closes the frontmatter for some readers only. For the others, the prompt is read
//! as YAML, and the agent is lost.
//!
//! Write three hyphens alone on a line.

crate::diagnostic::rule! {
    name: "closing-fence",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "each loader has its own rule: gray-matter lets the rest of the line leak into the prompt",
}
