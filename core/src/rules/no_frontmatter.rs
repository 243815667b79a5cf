//! A Markdown file without frontmatter in a folder of agents.
//!
//! Without `name` and `description` between two lines of `---`, it is not an agent. Files that are clearly something else, such as a
//! README, are not reported; text without fields or instructions to a model is reported as a note.
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
    evidence: "Claude Code, Kode and Neovate silently skip such files",
}
