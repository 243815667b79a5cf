//! The keys of a frontmatter as written.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry as Place;

use crate::definition::Field;
use crate::diagnostic::{Finding, Severity};
use crate::dialect::{Dialect, Format, Key, Verdict};
use crate::rules;
use crate::span::Span;
use crate::verdict::Judgement;
use crate::yaml::{Entry, Node, Plain};

/// Every key in file order.
pub(super) fn fields(dialect: &Dialect, text: &str, entries: &[Entry]) -> Vec<Field> {
    let mut fields: Vec<Field> = entries
        .iter()
        .map(|entry| {
            let key = entry.key.as_text().unwrap_or_else(|| entry.key.span.of(text));
            let value_span = match dialect.format {
                Format::Markdown => value_span(text, entry),
                Format::Toml => entry.value.span,
            };
            let canonical = dialect.key(key).map(|known| known.field);
            Field {
                counts: canonical.is_none(),
                canonical,
                key: key.to_owned(),
                value: value_span.of(text).to_owned(),
                key_span: entry.key.span,
                value_span,
            }
        })
        .collect();
    for key in &dialect.keys {
        if let Some(at) = position(key, &fields) {
            fields[at].counts = true;
        }
    }
    fields
}

/// The entry that counts for a key, and its field.
pub(super) fn find<'a>(
    key: &Key,
    entries: &'a [Entry],
    fields: &'a [Field],
) -> Option<(&'a Entry, &'a Field)> {
    // Each field is made of one entry.
    let at = position(key, fields)?;
    Some((&entries[at], &fields[at]))
}

/// The value that counts for a key: the last of the first spelling present.
fn position(key: &Key, fields: &[Field]) -> Option<usize> {
    let spelled = |spelling: &String| fields.iter().rposition(|field| field.key == *spelling);
    key.spellings.iter().find_map(spelled)
}

pub(super) fn report_duplicates(dialect: &Dialect, fields: &[Field], judgement: &mut Judgement) {
    let mut firsts: HashMap<&str, &Field> = HashMap::with_capacity(fields.len());
    for field in fields {
        let first = match firsts.entry(&field.key) {
            Place::Occupied(first) => *first.get(),
            Place::Vacant(place) => {
                place.insert(field);
                continue;
            }
        };
        let message = format!("duplicate `{}`", field.key);
        let finding = Finding::new(&rules::duplicate_key::RULE, field.key_span, message)
            .label(match dialect.duplicate_keys {
                Verdict::Dropped => Verdict::Dropped.consequence(dialect.kind),
                _ => "this one counts here; other readers refuse the file",
            })
            .related(first.key_span, "first here")
            .help("remove one of the two");
        judgement.judge(dialect.duplicate_keys, &finding.message);
        judgement.find(finding);
    }
}

/// Other spellings of a key that is set have no effect.
pub(super) fn report_other_spellings(dialect: &Dialect, fields: &[Field], judgement: &mut Judgement) {
    let spelled = dialect.keys.iter().filter(|key| key.spellings.len() > 1);
    for key in spelled {
        let Some(counting) = position(key, fields).map(|at| &fields[at]) else {
            continue;
        };
        let others = fields
            .iter()
            .filter(|field| field.key != counting.key && key.spellings.contains(&field.key));
        for other in others {
            let message = format!("`{}` is ignored: `{}` counts", other.key, counting.key);
            let finding = Finding::new(&rules::duplicate_key::RULE, other.key_span, message)
                .severity(Severity::Warning)
                .label("this has no effect")
                .related(counting.key_span, "this counts")
                .help("remove one of the two");
            judgement.find(finding);
        }
    }
}

/// Where unknown keys are refused, one of them decides. The rule about unknown keys reports where.
pub(super) fn judge_unknown(dialect: &Dialect, fields: &[Field], judgement: &mut Judgement) {
    if dialect.unknown_keys == Verdict::Fine {
        return;
    }
    let is_unknown = |field: &&Field| field.canonical.is_none() && !dialect.other_keys.contains(&field.key);
    if let Some(field) = fields.iter().find(is_unknown) {
        let reason = format!("{} has no field `{}`", dialect.id, field.key);
        judgement.judge(dialect.unknown_keys, &reason);
    }
}

/// From the first byte after the colon to the end of the value, block headers, tags and anchors included.
pub(crate) fn value_span(text: &str, entry: &Entry) -> Span {
    let key_end = entry.key.span.end.index();
    let node = entry.value.span;
    let colon = text[key_end..].find(':').map_or(key_end, |at| key_end + at + 1);
    if is_empty(&entry.value) || node.start.index() < colon {
        return Span::at(colon);
    }
    let between = &text[colon..node.start.index()];
    let header = between.trim_start();
    let start = if header.is_empty() || header.starts_with('#') {
        node.start.index()
    } else {
        colon + between.len() - header.len()
    };
    let end = start + text[start..node.end.index()].trim_end().len();
    Span::new(start, end)
}

fn is_empty(value: &Node) -> bool {
    value.as_text().is_some_and(str::is_empty) && value.plain() == Some(Plain::Null)
}
