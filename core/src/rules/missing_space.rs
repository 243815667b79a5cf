//! A field without a space after its colon, or a comment without a space before it.
//!
//! Without the space after its colon, YAML reads a word that contains a colon, not a field. Without the space before `#`, some readers take
//! the rest of the line as a comment and others refuse the file.
//!
//! ```yaml
//! model:sonnet
//! description: "Reviews code"#every day
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! model: sonnet
//! description: "Reviews code" #every day
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::frontmatter::is_key_character;
use crate::lines::lines;
use crate::span::Span;
use crate::yaml::{requoted, touching_comment};

crate::diagnostic::rule! {
    name: "missing-space",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "YAML 1.2, section 7.4; a report about Kilo, which loses the permissions then",
}

/// Every line that would be a known field, or have a comment, if it had the space.
pub(crate) fn find(text: &str, yaml: Span, is_known: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let (slice, base) = (yaml.of(text), yaml.start.index());
    let found = lines(slice).filter_map(|line| {
        let start = base + line.start.index();
        if let Some(key) = touching(line.of(slice), is_known) {
            let after = start + key.len() + 1;
            let message = format!("no space after `{key}:`");
            let label = "so this is not a field: most readers refuse the file";
            let rest = Span::new(after, base + line.end.index());
            let mut finding = finding(Span::new(start, after), message, label, after);
            // With the space alone, the value would be a comment.
            if rest.of(text).starts_with('#') {
                finding.fixes = vec![Fix {
                    title: "Insert a space and quote the value".to_string(),
                    safe: true,
                    edits: vec![Edit {
                        span: rest,
                        text: format!(" {}", requoted(rest.of(text).trim_end())),
                    }],
                }];
            }
            return Some(finding);
        }
        let before = start + touching_comment(line.of(slice))?;
        let message = "no space before `#`".to_string();
        let label = "to some readers this is a comment, others refuse the file";
        Some(finding(
            Span::new(before, base + line.end.index()),
            message,
            label,
            before,
        ))
    });
    found.collect()
}

fn finding(span: Span, message: String, label: &str, space: usize) -> Finding {
    Finding::new(&RULE, span, message).label(label).fix(Fix {
        title: "Insert a space".to_string(),
        safe: true,
        edits: vec![Edit {
            span: Span::at(space),
            text: " ".to_string(),
        }],
    })
}

/// The key of a line that has something right after its colon.
fn touching<'a>(line: &'a str, is_known: &dyn Fn(&str) -> bool) -> Option<&'a str> {
    let (key, rest) = line.split_once(':')?;
    let touches = !rest.is_empty() && !rest.starts_with([' ', '\t', ':', '/']);
    (touches && !key.is_empty() && key.chars().all(is_key_character) && is_known(key)).then_some(key)
}
