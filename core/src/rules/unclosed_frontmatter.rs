//! There is no line of `---` after the keys.
//!
//! Without it nobody can tell the keys from the prompt. Readers drop the file, take all of it for the prompt, or load an agent
//! without one.
//!
//! Put a line of `---` between the last key and the prompt.

crate::diagnostic::rule! {
    name: "unclosed-frontmatter",
    severity: Error,
    fix: Unsafe,
    found: reading,
    evidence: "no loader reads such a file as it was meant; gray-matter loads it with an empty prompt",
}
