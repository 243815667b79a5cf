//! A value that must be quoted.
//!
//! An unquoted value must not contain a colon followed by a space, nor start with a character that YAML reserves. This is the most
//! common mistake. Strict YAML readers refuse the whole file. Claude Code, OpenCode, Qwen Code and Neovate parse such frontmatter a
//! second time and usually load the file: then this is a warning.
//!
//! ```yaml
//! description: Use it when: tests fail
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! description: "Use it when: tests fail"
//! ```

crate::diagnostic::rule! {
    name: "unquoted-value",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "61 of the 66 broken files in ten public collections; YAML 1.2 section 7.3.3",
}
