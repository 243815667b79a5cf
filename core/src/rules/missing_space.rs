//! A key whose colon touches its value.
//!
//! Without a blank after the colon there is no key, only a word with a colon in it.
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

/// Every line that is a known key but for the blank.
pub(crate) fn find(text: &str, yaml: Span, is_known: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let (slice, base) = (yaml.of(text), yaml.start.index());
    let found = lines(slice).filter_map(|line| {
        let key = touching(line.of(slice), is_known)?;
        let start = base + line.start.index();
        let after = start + key.len() + 1;
        let message = format!("there is no blank after `{key}:`");
        let finding = Finding::new(&RULE, Span::new(start, after), message)
            .label("without one this is no key, so most readers refuse the file");
        Some(finding.fix(Fix {
            title: "Insert a blank".to_string(),
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
