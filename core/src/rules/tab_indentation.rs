//! A line of the frontmatter indented with a tab.
//!
//! YAML is indented with spaces. Some readers accept tabs in some places, most refuse the file. The fix removes the tab of a field
//! below a block of text, because spaces would make the field a part of the text.
//!
//! ```yaml
//! tools:
//!   - Read
//! ```

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::dialect::Format;
use crate::frontmatter::is_key_character;
use crate::lines::lines;
use crate::span::Span;
use crate::subject::Subject;
use crate::yaml::Reading;

crate::diagnostic::rule! {
    name: "tab-indentation",
    severity: Error,
    fix: Safe,
    found: file,
    evidence: "YAML 1.2, section 6.1; measured: Kode 2, OpenHands, Neovate and Kodelet drop the file",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if subject.dialect.format == Format::Toml {
        return;
    }
    if let (Some(parts), Reading::Strict | Reading::Quoted) = (subject.parts.frontmatter, subject.reading) {
        let is_known = |key: &str| subject.dialects.knows_key(subject.dialect, key);
        let found = find(subject.text, parts.yaml, &is_known);
        findings.extend(found.map(|found| found.severity(Severity::Warning)));
    }
}

/// All tabs of the frontmatter, as one finding.
pub(crate) fn find(text: &str, yaml: Span, is_known: &dyn Fn(&str) -> bool) -> Option<Finding> {
    let (slice, base) = (yaml.of(text), yaml.start.index());
    let mut tabs: Vec<(Span, bool)> = Vec::new();
    let mut is_over = false;
    for line in lines(slice) {
        let content = line.of(slice);
        let words = content.trim_start_matches([' ', '\t']);
        if words.trim().is_empty() {
            continue;
        }
        // After a space, a tab may be part of a text.
        if content.starts_with('\t') {
            let start = base + line.start.index();
            let is_key = is_over && key_of(words).is_some_and(is_known);
            tabs.push((Span::new(start, start + content.len() - words.len()), is_key));
            if is_key {
                is_over = takes_no_keys(words);
            }
        } else if words.len() == content.len() {
            is_over = takes_no_keys(content);
        }
    }
    let (first, _) = *tabs.first()?;
    let edit = |(span, is_key): &(Span, bool)| Edit {
        span: *span,
        text: if *is_key {
            String::new()
        } else {
            span.of(text).replace('\t', "  ")
        },
    };
    let fix = Fix {
        title: "Indent with spaces".to_string(),
        safe: true,
        edits: tabs.iter().map(edit).collect(),
    };
    let message = "the frontmatter is indented with a tab".to_string();
    Some(
        Finding::new(&RULE, first, message)
            .label("most readers refuse the file")
            .fix(fix),
    )
}

/// The key of a line, if it has one.
fn key_of(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    (key.chars().all(is_key_character) && (rest.is_empty() || rest.starts_with([' ', '\t']))).then_some(key)
}

/// Whether the value of a line is a block of text, or is there already: a key below it belongs beside it.
fn takes_no_keys(line: &str) -> bool {
    let value = line.split_once(':').map_or("", |(_, value)| value.trim());
    !value.is_empty() && !value.starts_with(['[', '{', '&', '!', '#'])
}
