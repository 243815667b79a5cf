//! Findings about a frontmatter that is no YAML: what people do to it, each by its name, and else what the parser says.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::loose_text;
use crate::diagnostic::{Edit, Finding};
use crate::dialect::Verdict;
use crate::rules::{control_character, invalid_yaml, missing_space, tab_indentation};
use crate::span::{Offset, Span};
use crate::verdict::Judgement;
use crate::yaml::{Document, Problem, SyntaxError, climb};

/// Reports why. Returns what the frontmatter says once that is mended, if there is no more to it.
pub(super) fn report(
    text: &str,
    yaml: Span,
    error: &SyntaxError,
    is_known: &dyn Fn(&str) -> bool,
    judgement: &mut Judgement,
) -> Option<Mended> {
    let mut found: Vec<Finding> = Vec::new();
    found.extend(control_character::find(text, yaml));
    found.extend(tab_indentation::find(text, yaml, is_known));
    found.extend(missing_space::find(text, yaml, is_known));
    found.extend(loose_text::find(text, yaml, is_known));
    let mended = read_mended(text, yaml, &found, is_known);
    if mended.is_none() {
        // What may not be all of it is mended by hand.
        found
            .iter_mut()
            .flat_map(|found| &mut found.fixes)
            .for_each(|fix| fix.safe = false);
        let message = format!("the frontmatter is no YAML: {}", error.message);
        let finding = Finding::new(&invalid_yaml::RULE, error.span, message)
            .label("reading it fails here")
            .help(
                "the values shown elsewhere were made out line by line; no reader can be relied on to do so",
            );
        found.insert(0, finding);
    }
    for finding in found {
        judgement.judge(Verdict::Dropped, &finding.message);
        judgement.find(finding);
    }
    mended
}

/// What a frontmatter says with every fix applied, its spans being those of the text as it is.
pub(super) struct Mended {
    pub(super) document: Document,
    /// Values that have to be quoted even so, with what YAML says about the first.
    pub(super) unquoted: Option<(Vec<Span>, SyntaxError)>,
}

fn read_mended(text: &str, yaml: Span, found: &[Finding], is_known: &dyn Fn(&str) -> bool) -> Option<Mended> {
    let edits = edits(found);
    if edits.is_empty() {
        return None;
    }
    let mended = mended(text, yaml, &edits);
    let ladder = climb(&mended, Span::new(0, mended.len()), is_known);
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
    Some(Mended { document, unquoted })
}

/// The edits of every fix in order, without those that meet another.
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

fn mended(text: &str, yaml: Span, edits: &[&Edit]) -> String {
    let (mut mended, mut done) = (String::new(), yaml.start.index());
    for edit in edits {
        mended.push_str(&text[done..edit.span.start.index()]);
        mended.push_str(&edit.text);
        done = edit.span.end.index();
    }
    mended.push_str(&text[done..yaml.end.index()]);
    mended
}

/// Where an offset of the mended frontmatter is in the text. Within what was put in, only the two ends are told apart.
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
