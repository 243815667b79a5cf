//! A field without a space after its colon.
//!
//! Without the space, YAML reads a word that contains a colon, not a field.
//!
//! ```yaml
//! model:sonnet
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! model: sonnet
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::frontmatter::is_key_character;
use crate::lines::lines;
use crate::span::Span;

crate::diagnostic::rule! {
    name: "missing-space",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "YAML 1.2, section 7.4; a report about Kilo, which loses the permissions then",
}

/// Every line that would be a known field if it had the space.
pub(crate) fn find(text: &str, yaml: Span, is_known: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let (slice, base) = (yaml.of(text), yaml.start.index());
    let found = lines(slice).filter_map(|line| {
        let key = touching(line.of(slice), is_known)?;
        let start = base + line.start.index();
        let after = start + key.len() + 1;
        let message = format!("no space after `{key}:`");
        let finding = Finding::new(&RULE, Span::new(start, after), message)
            .label("so this is not a field: most readers refuse the file");
        Some(finding.fix(Fix {
            title: "Insert a space".to_string(),
            safe: true,
            edits: vec![Edit {
                span: Span::at(after),
                text: " ".to_string(),
            }],
        }))
    });
    found.collect()
}

/// The key of a line that has something right after its colon.
fn touching<'a>(line: &'a str, is_known: &dyn Fn(&str) -> bool) -> Option<&'a str> {
    let (key, rest) = line.split_once(':')?;
    let touches = !rest.is_empty() && !rest.starts_with([' ', '\t', ':', '/']);
    (touches && !key.is_empty() && key.chars().all(is_key_character) && is_known(key)).then_some(key)
}
