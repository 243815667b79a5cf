//! Frontmatter in a language other than YAML.
//!
//! `---js`, `---json`, `+++` and the like are not agent frontmatter. Some readers execute the content. Callsheet never does.
//!
//! Write it as YAML between two lines of `---`.

crate::diagnostic::rule! {
    name: "foreign-frontmatter",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "gray-matter evaluates `---js` as a program; no agent format asks for TOML in Markdown",
}
