//! A byte order mark before the first line.
//!
//! Some editors add the bytes EF BB BF at the start of a file. Readers that do not expect them see no frontmatter: the whole file
//! becomes the prompt, or it is not loaded.
//!
//! Save the file as UTF-8 without a byte order mark, or let the fix remove it.

crate::diagnostic::rule! {
    name: "byte-order-mark",
    severity: Warning,
    fix: Safe,
    found: reading,
    evidence: "python-frontmatter and goldmark-meta see no frontmatter after a mark; Claude Code refused such files until 2.1.239; Gemini CLI 0.61.0 drops TOML with a mark",
}
