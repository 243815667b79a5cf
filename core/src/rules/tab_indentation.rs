//! A line of the frontmatter that is indented with a tab.
//!
//! YAML is indented with blanks. Some readers take tabs in some places, most refuse the file.
//!
//! ```yaml
//! tools:
//!   - Read
//! ```

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::lines::lines;
use crate::span::Span;
use crate::subject::Subject;
use crate::yaml::Reading;

super::rule! {
    name: "tab-indentation",
    severity: Error,
    fix: Safe,
    evidence: "YAML 1.2, section 6.1; measured: Kode 2, OpenHands, Neovate and Kodelet drop the file",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if let (Some(parts), Reading::Strict | Reading::Quoted) = (subject.parts.frontmatter, subject.reading) {
        findings.extend(find(subject.text, parts.yaml).map(|found| found.severity(Severity::Warning)));
    }
}

/// All of them in the frontmatter, as one finding.
pub(crate) fn find(text: &str, yaml: Span) -> Option<Finding> {
    let (slice, base) = (yaml.of(text), yaml.start.index());
    // Behind a blank a tab may be part of a text.
    let indented =
        lines(slice).filter(|line| line.of(slice).starts_with('\t') && !line.of(slice).trim().is_empty());
    let tabs: Vec<Span> = indented
        .map(|line| {
            let content = line.of(slice);
            let length = content.len() - content.trim_start_matches([' ', '\t']).len();
            Span::new(base + line.start.index(), base + line.start.index() + length)
        })
        .collect();
    let first = *tabs.first()?;
    let edit = |span: &Span| Edit {
        span: *span,
        text: span.of(text).replace('\t', "  "),
    };
    let fix = Fix {
        title: "Indent with blanks".to_string(),
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
