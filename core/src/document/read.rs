//! Reading a file by its dialect, by an edition of it, or without either.

use alloc::borrow::ToOwned;

use super::draft::{Draft, File, draft};
use super::overlay::overlay;
use super::{Document, place};
use crate::dialect::{Dialect, Dialects, Format, Level, Origin, UnknownDialect};
use crate::fix::{self, Fixed, Which};
use crate::frontmatter::split;
use crate::markdown::{Outline, outline};
use crate::places::directory;
use crate::source::Source;
use crate::yaml::Document as Yaml;

/// Reads a file. This succeeds for any bytes; of a file that is too large, only the beginning is read.
///
/// With the kind of its place, it is checked by every rule. Without, only findings that decide how it loads are reported. The definition is
/// the loaded one.
pub fn read(
    path: &str,
    bytes: &[u8],
    checked_at: Option<Level>,
    dialect: &Dialect,
    dialects: &Dialects,
) -> Document {
    let mut document = read_source(
        path,
        &Source::of_file(bytes),
        bytes,
        checked_at,
        dialect,
        dialects,
    );
    document.forget_ignored(path, bytes, dialect, dialects);
    as_read(&mut document, path, bytes, dialect, dialects);
    document
}

/// An edition reads like its release, as far as that was measured.
fn as_read(document: &mut Document, path: &str, bytes: &[u8], dialect: &Dialect, dialects: &Dialects) {
    if let Some(reader) = dialects.reader(dialect).filter(|_| !dialect.unmeasured) {
        overlay(document, path, bytes, reader, dialect);
    }
    if let Some(mode) = dialect.mode_at(path) {
        document.definition.set_mode(mode);
    }
}

/// Reads a file unchecked, with the values of its frontmatter.
pub(crate) fn read_with_values(
    path: &str,
    bytes: &[u8],
    dialect: &Dialect,
    dialects: &Dialects,
) -> (Document, Option<Yaml>) {
    let source = &Source::of_file(bytes);
    let file = File {
        path,
        source,
        bytes,
        dialect,
        dialects,
    };
    let draft = draft(&file, None);
    (draft.document, draft.values)
}

fn read_source(
    path: &str,
    source: &Source<'_>,
    bytes: &[u8],
    checked_at: Option<Level>,
    dialect: &Dialect,
    dialects: &Dialects,
) -> Document {
    let draft = |dialect| {
        let file = File {
            path,
            source,
            bytes,
            dialect,
            dialects,
        };
        draft(&file, checked_at)
    };
    let Draft {
        mut document,
        findings,
        mut ignores,
        ..
    } = draft(dialect);
    let mut settled = ignores.settle(findings);
    let reads_too = |other: &&alloc::rc::Rc<Dialect>| other.id != dialect.id && other.looks_at(path);
    let mut others = dialects.of(dialect.kind).filter(reads_too);
    // A comment that is unused for one dialect may be used for another.
    while ignores.has_unused()
        && let Some(other) = others.next()
    {
        ignores.settle(draft(other).findings);
    }
    let about_comments = ignores.findings();
    settled.extend(ignores.settle(about_comments));
    document.diagnostics = place(path, source, settled.kept);
    document.suppressed = place(path, source, settled.suppressed);
    document.ignores = ignores.between_files(|span| source.stored(span));
    document
}

/// A file on its own, with all findings.
#[derive(Debug)]
pub struct Parsed {
    /// The reading.
    pub document: Document,
    /// The Markdown of its body.
    pub outline: Outline,
    /// Its source: a place that a dialect owns, else the project.
    pub origin: Origin,
}

/// Reads a file on its own. The default dialect is the owner of its place, the default level the project.
pub fn parse(
    path: &str,
    bytes: &[u8],
    dialect: Option<&str>,
    level: Option<Level>,
    dialects: &Dialects,
) -> Result<Parsed, UnknownDialect> {
    let source = Source::of_file(bytes);
    let dialect = dialects.choose(dialect, path, &source.text)?;
    let level = level.unwrap_or(Level::Project);
    let directory = directory(path);
    let there = dialect.at(level);
    let dialect = there.as_ref().unwrap_or(dialect);
    let mut document = read_source(path, &source, bytes, Some(level), dialect, dialects);
    as_read(&mut document, path, bytes, dialect, dialects);
    Ok(Parsed {
        outline: outline_of(&source, dialect, &document),
        document,
        origin: Origin {
            dialect: dialect.id.clone(),
            level,
            source: directory.to_owned(),
            path: Some(path.to_owned()),
        },
    })
}

/// Reads a file on its own by this dialect, with all findings. The default level is the project.
pub(crate) fn read_alone(
    path: &str,
    bytes: &[u8],
    dialect: &Dialect,
    level: Option<Level>,
    dialects: &Dialects,
) -> Document {
    let level = level.unwrap_or(Level::Project);
    let there = dialect.at(level);
    let dialect = there.as_ref().unwrap_or(dialect);
    read(path, bytes, Some(level), dialect, dialects)
}

/// The file after its fixes, as [`parse`] reads it.
pub fn fix(
    path: &str,
    bytes: &[u8],
    dialect: Option<&str>,
    level: Option<Level>,
    which: Which,
    dialects: &Dialects,
) -> Result<Fixed, UnknownDialect> {
    if let Some(id) = dialect {
        dialects.get(id)?;
    }
    let find = |contents: &[u8]| {
        let parsed = parse(path, contents, dialect, level, dialects);
        parsed
            .map(|parsed| parsed.document.diagnostics)
            .unwrap_or_default()
    };
    Ok(fix::fix(bytes, which, find))
}

fn outline_of(source: &Source<'_>, dialect: &Dialect, document: &Document) -> Outline {
    let start = source.byte_order_mark().map_or(0, |mark| mark.end.index());
    let body = match dialect.format {
        Format::Markdown => split(&source.text, start).body,
        Format::Toml => document.definition.body,
    };
    let mut outline = outline(&source.text, body);
    if !source.invalid.is_empty() {
        outline.map_spans(|span| source.stored(span));
    }
    outline
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;
    use crate::limits::FILE_BYTES;
    use crate::verdict::Outcome;

    #[test]
    fn a_large_file_is_truncated_between_characters() {
        let dialects = Dialects::embedded();
        let kode = dialects.get("kode").expect("it is built in");
        for padding in 0..4 {
            let mut text = String::from("---\nname: a\ndescription: D\n---\n");
            text.push_str(&"x".repeat(padding));
            text.push_str(&"\u{1f3ac}".repeat(FILE_BYTES / 4));
            let document = read("a.md", text.as_bytes(), None, kode, &dialects);
            let rules: Vec<&str> = document.diagnostics.iter().map(|found| found.rule).collect();
            assert_eq!(rules, ["too-large"]);
            assert!(matches!(document.outcome, Outcome::Dropped(_)));
        }
    }
}
