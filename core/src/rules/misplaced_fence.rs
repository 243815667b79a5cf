//! The opening `---` is not the first line, or not alone on it.
//!
//! Most readers look for the frontmatter at the first byte of the file. A blank line or a space before it, or a word after it,
//! and there is none for them.
//!
//! Let the file begin with a line of `---`.

super::rule! {
    name: "misplaced-fence",
    severity: Error,
    fix: Safe,
    evidence: "gray-matter, front-matter and serde-based loaders look for `---` at the very beginning",
}
