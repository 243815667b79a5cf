//! There is no closing `---` after the frontmatter.
//!
//! Without it, fields and prompt cannot be told apart. Readers drop the file, take all of it as the prompt, or load an agent without a
//! prompt.
//!
//! Put a line of `---` between the last key and the prompt.

crate::diagnostic::rule! {
    name: "unclosed-frontmatter",
    severity: Error,
    fix: Unsafe,
    found: reading,
    evidence: "no loader reads such a file as intended; gray-matter loads it with an empty prompt",
}
