//! Something that is not quite `---` closes the frontmatter.
//!
//! `----`, `...`, an indented `---` or a word after it closes the frontmatter for some readers and not for others. Where it does not, the
//! prompt is read as YAML, and the agent is lost.
//!
//! Write three hyphens, alone on their line.

crate::diagnostic::rule! {
    name: "closing-fence",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "each loader closes by a rule of its own: gray-matter lets the rest of the line leak into the prompt",
}
