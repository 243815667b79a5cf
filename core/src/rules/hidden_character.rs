//! An invisible character, or one that changes the order in which text is displayed.
//!
//! The displayed text then differs from what the model reads: instructions can hide in tag characters or behind a reversed line, and
//! a zero-width character makes a name a different one. Scripts that need such characters, and the joiners of emoji, are not
//! reported.
//!
//! Remove unintended characters; the fix removes all of one kind.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::span::Span;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "hidden-character",
    severity: Warning,
    fix: Unsafe,
    found: file,
    evidence: "Unicode Technical Report 36; CVE-2021-42574, trojan source",
}

/// The effect of a hidden character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Order,
    Tag,
    Width,
}

/// The most related places shown of one kind.
const PLACES: usize = 5;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if subject.text.is_ascii() {
        return;
    }
    let hidden = hidden(subject.text);
    for kind in [Kind::Order, Kind::Tag, Kind::Width] {
        let spans = hidden
            .iter()
            .filter(|(_, found)| *found == kind)
            .map(|(span, _)| *span);
        findings.extend(finding(kind, &spans.collect::<Vec<Span>>(), subject.text));
    }
}

fn finding(kind: Kind, spans: &[Span], text: &str) -> Option<Finding> {
    let (first, rest) = spans.split_first()?;
    let code = first.of(text).chars().next().map_or(0, u32::from);
    let (what, label) = match kind {
        Kind::Order => (
            "reverses the displayed text",
            "the text after it is displayed out of order",
        ),
        Kind::Tag => ("hides text", "invisible, but the model reads it"),
        Kind::Width => ("is invisible", "invisible, but the model reads it"),
    };
    let severity = match kind {
        Kind::Order | Kind::Tag => Severity::Error,
        Kind::Width => Severity::Warning,
    };
    let times = match spans.len() {
        1 => String::new(),
        2 => ", here and in one more place".to_string(),
        count => format!(", here and in {} more places", count - 1),
    };
    let finding = Finding::new(&RULE, *first, format!("the character U+{code:04X} {what}{times}"))
        .severity(severity)
        .label(label);
    let rest = rest.iter().take(PLACES);
    let finding = rest.fold(finding, |finding, span| finding.related(*span, "here too"));
    let edits = spans.iter().map(|span| Edit {
        span: *span,
        text: String::new(),
    });
    Some(finding.fix(Fix {
        title: "Remove invisible characters".to_string(),
        safe: false,
        edits: edits.collect(),
    }))
}

/// The text without hidden characters.
pub(crate) fn without(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for (span, _) in hidden(text) {
        out.push_str(&text[kept..span.start.index()]);
        kept = span.end.index();
    }
    out.push_str(&text[kept..]);
    out
}

/// Every run of hidden characters of one kind, except a leading byte order mark.
fn hidden(text: &str) -> Vec<(Span, Kind)> {
    let mut found: Vec<(Span, Kind)> = Vec::new();
    let mut before = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let after = characters.peek().map(|(_, c)| *c);
        if let Some(kind) = kind(c, before, after, at) {
            let span = Span::new(at, at + c.len_utf8());
            match found.last_mut() {
                Some((last, same)) if *same == kind && last.end == span.start => *last = last.to(span),
                _ => found.push((span, kind)),
            }
        }
        // The tags of an emoji flag follow its black flag.
        let is_flag = matches!(c, '\u{e0020}'..='\u{e007f}') && before == Some(FLAG);
        before = Some(if is_flag { FLAG } else { c });
    }
    found
}

const FLAG: char = '\u{1f3f4}';

fn kind(c: char, before: Option<char>, after: Option<char>, at: usize) -> Option<Kind> {
    match c {
        '\u{202d}' | '\u{202e}' => Some(Kind::Order),
        '\u{202a}' | '\u{202b}' | '\u{2066}'..='\u{2068}' => {
            (!around(before, after, is_right_to_left)).then_some(Kind::Order)
        }
        '\u{e0000}'..='\u{e007f}' => (before != Some(FLAG)).then_some(Kind::Tag),
        '\u{feff}' => (at > 0).then_some(Kind::Width),
        '\u{200b}' | '\u{2060}' => (!around(before, after, is_without_blanks)).then_some(Kind::Width),
        '\u{200c}' | '\u{200d}' => (!around(before, after, joins)).then_some(Kind::Width),
        '\u{ad}'
        | '\u{34f}'
        | '\u{180e}'
        | '\u{2061}'..='\u{2064}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{ffa0}' => Some(Kind::Width),
        _ => None,
    }
}

fn around(before: Option<char>, after: Option<char>, is: fn(char) -> bool) -> bool {
    before.is_some_and(is) || after.is_some_and(is)
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}

/// Scripts written without spaces between words.
fn is_without_blanks(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}')
}

/// Scripts with joiners, and emoji.
fn joins(c: char) -> bool {
    is_right_to_left(c)
        || matches!(c, '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}
