//! Findings about invalid YAML: common mistakes by name, otherwise the parser's message.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::loose_text;
use crate::diagnostic::{Edit, Finding, Severity};
use crate::dialect::{Dialect, Tolerance, Verdict};
use crate::limits::FRONTMATTER_BYTES;
use crate::reader;
use crate::rules::{control_character, invalid_yaml, missing_space, tab_indentation};
use crate::span::{Offset, Span};
use crate::verdict::Judgement;
use crate::yaml::{Document, Problem, SyntaxError, climb};

/// Reports why. Returns the content of the frontmatter with the mistakes fixed, if that is all of it.
pub(super) fn report(
    text: &str,
    yaml: Span,
    error: &SyntaxError,
    dialect: &Dialect,
    is_known: &dyn Fn(&str) -> bool,
    is_repaired: bool,
    judgement: &mut Judgement,
) -> Option<Repaired> {
    let mut found: Vec<Finding> = Vec::new();
    found.extend(control_character::find(text, yaml));
    found.extend(tab_indentation::find(text, yaml, is_known));
    found.extend(missing_space::find(text, yaml, is_known));
    found.extend(loose_text::find(text, yaml, is_known));
    let repaired = read_repaired(text, yaml, &found, is_known);
    if repaired.is_none() {
        // If some content may be lost, the fix is left to the author.
        found
            .iter_mut()
            .flat_map(|found| &mut found.fixes)
            .for_each(|fix| fix.safe = false);
        let message = format!("the frontmatter is not valid YAML: {}", error.message);
        let finding = Finding::new(&invalid_yaml::RULE, error.span, message)
            .label("parsing fails here")
            .note("values shown elsewhere were read line by line; other readers may not do that");
        found.insert(0, finding);
    }
    for mut finding in found {
        if is_repaired {
            finding.severity = Severity::Warning;
            finding.note = Some(loads_anyway(&dialect.id));
            judgement.find(finding);
            continue;
        }
        judgement.judge(dialect.bad_frontmatter, &finding.message);
        if dialect.bad_frontmatter == Verdict::Ignored {
            finding.note = Some(without_fields(dialect));
        }
        judgement.find(finding);
    }
    repaired
}

/// What is loaded of a file whose frontmatter is ignored.
pub(super) fn without_fields(dialect: &Dialect) -> String {
    format!("{} loads the text without any of these fields", dialect.id)
}

/// Whether the dialect reads a frontmatter that is not valid YAML as Claude Code does, and that succeeds.
pub(super) fn is_repaired(text: &str, yaml: Span, dialect: &Dialect) -> bool {
    let yaml = yaml.of(text);
    let is_short = yaml.len() <= FRONTMATTER_BYTES;
    dialect.tolerates == Tolerance::UnquotedLines && is_short && reader::is_repaired(yaml)
}

/// A product repairs the frontmatter.
pub(super) fn loads_anyway(product: &str) -> String {
    format!("{product} loads the file anyway; strict YAML readers refuse it")
}

/// The content of a frontmatter with every fix applied, with spans of the original text.
pub(super) struct Repaired {
    pub(super) document: Document,
    /// Values that must be quoted even so, with YAML's message about the first.
    pub(super) unquoted: Option<(Vec<Span>, SyntaxError)>,
}

fn read_repaired(
    text: &str,
    yaml: Span,
    found: &[Finding],
    is_known: &dyn Fn(&str) -> bool,
) -> Option<Repaired> {
    let edits = edits(found);
    if edits.is_empty() {
        return None;
    }
    let repaired = repaired(text, yaml, &edits);
    let ladder = climb(&repaired, Span::new(0, repaired.len()), is_known);
    let back = |span: Span| {
        let place = |offset: Offset| original(yaml, &edits, offset.index());
        Span::new(place(span.start), place(span.end))
    };
    let unquoted = match ladder.problem {
        None => None,
        Some(Problem::Unquoted(values, error)) => Some((values.into_iter().map(back).collect(), error)),
        Some(Problem::Syntax(_) | Problem::TooLong) => return None,
    };
    let mut document = ladder.document;
    if let Some(root) = &mut document.root {
        root.map_spans(&back);
    }
    for comment in &mut document.comments {
        comment.span = back(comment.span);
    }
    Some(Repaired { document, unquoted })
}

/// The edits of every fix in order, without overlapping ones.
fn edits(found: &[Finding]) -> Vec<&Edit> {
    let mut edits: Vec<&Edit> = Vec::new();
    for edit in found
        .iter()
        .flat_map(|found| &found.fixes)
        .flat_map(|fix| &fix.edits)
    {
        let at = edits.partition_point(|other| other.span < edit.span);
        edits.insert(at, edit);
    }
    let mut done = 0;
    edits.retain(|edit| {
        let apart = edit.span.start.index() >= done;
        done = done.max(edit.span.end.index());
        apart
    });
    edits
}

fn repaired(text: &str, yaml: Span, edits: &[&Edit]) -> String {
    let (mut repaired, mut done) = (String::new(), yaml.start.index());
    for edit in edits {
        repaired.push_str(&text[done..edit.span.start.index()]);
        repaired.push_str(&edit.text);
        done = edit.span.end.index();
    }
    repaired.push_str(&text[done..yaml.end.index()]);
    repaired
}

/// Maps an offset of the fixed frontmatter to the text. Offsets within inserted text map to one of its ends.
fn original(yaml: Span, edits: &[&Edit], offset: usize) -> usize {
    let (mut at, mut left) = (yaml.start.index(), offset);
    for edit in edits {
        let kept = edit.span.start.index() - at;
        if left < kept {
            break;
        }
        left -= kept;
        if left == 0 {
            return edit.span.start.index();
        }
        at = edit.span.end.index();
        if left <= edit.text.len() {
            return at;
        }
        left -= edit.text.len();
    }
    at + left
}
