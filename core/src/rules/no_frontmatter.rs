//! A Markdown file without frontmatter in a folder of agents.
//!
//! Without `name` and `description` between two lines of `---` it is no agent. Files that are plainly something else, such as a
//! README, are not reported; a text that neither speaks to a model nor has keys is a note.
//!
//! ```markdown
//! ---
//! name: reviewer
//! description: Reviews changes. Use after each commit.
//! ---
//!
//! You review code.
//! ```

crate::diagnostic::rule! {
    name: "no-frontmatter",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "Claude Code, Kode and Neovate leave such files out without a word",
}
