//! Reads text as other scanners do, with ours: where ours takes more or less than they do, it is said here.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::engine::{Engine, Scanner};
use crate::limits::YAML_ATTEMPTS;
use crate::yaml::{self, Document, Kind, Node, Style, SyntaxError};

/// What these engines call a line end, and ours does not.
const OLD_LINE_ENDS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

const MARK: &str = "\u{feff}";

/// What stands for a byte order mark while the parser looks at the text: as long, and of no meaning to anybody.
const STAND_IN: &str = "\u{f8fe}";

/// The tree, or why an engine's scanner has none.
pub(super) fn scan(text: &str, engine: &Engine) -> Result<Document, String> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    if begins_with_end(text) {
        return Err("a document ends before it begins".to_owned());
    }
    let mut document = read(text, engine).map_err(|error| error.message)?;
    if let Some(root) = &mut document.root {
        if lacks_key(root, text) {
            return Err("a mapping entry has no key".to_owned());
        }
        if engine.scanner == Scanner::LibYaml {
            refuse_old(text, root, engine)?;
            end_without_line_end(root, text);
        }
    }
    Ok(document)
}

fn read(text: &str, engine: &Engine) -> Result<Document, SyntaxError> {
    if !text.contains(MARK) {
        return read_lines(text, engine);
    }
    // Only ours minds a byte order mark within a text.
    let mut document = read_lines(&text.replace(MARK, STAND_IN), engine)?;
    document.root.iter_mut().for_each(put_marks_back);
    Ok(document)
}

fn put_marks_back(node: &mut Node) {
    match &mut node.kind {
        Kind::Scalar { text, .. } => *text = text.replace(STAND_IN, MARK),
        Kind::Sequence(items) => items.iter_mut().for_each(put_marks_back),
        Kind::Mapping(entries) => entries.iter_mut().for_each(|entry| {
            put_marks_back(&mut entry.key);
            put_marks_back(&mut entry.value);
        }),
    }
}

fn read_lines(text: &str, engine: &Engine) -> Result<Document, SyntaxError> {
    let read = |text: &str| {
        if engine.first_document_only {
            yaml::read_first(text)
        } else {
            yaml::read(text, 0)
        }
    };
    let mut result = read(text);
    // The other engines do not mind where the lines of a quoted text begin.
    let mut indented: Option<String> = None;
    for _ in 0..YAML_ATTEMPTS {
        match &result {
            Err(error) if error.is_indentation => {
                let text = indented.get_or_insert_with(|| text.to_owned());
                let at = text[..error.span.start.index()]
                    .rfind('\n')
                    .map_or(0, |end| end + 1);
                text.insert(at, ' ');
                result = read(text);
            }
            _ => break,
        }
    }
    if result.is_err()
        && engine.scanner == Scanner::JsYaml3
        && text.contains('\t')
        && let Some(text) = without_leading_tabs(text)
    {
        return read(&text).or(result);
    }
    result
}

/// js-yaml 3 passes over tabs at the beginning of a line: only the spaces before them count. But a block that begins
/// behind a tab begins in the second column, so that its second line is not in it: none, if there is such a list.
fn without_leading_tabs(text: &str) -> Option<String> {
    let mut result = String::with_capacity(text.len());
    let mut previous = None;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches(' ');
        let words = content.trim();
        result.push_str(&line[..line.len() - content.len()]);
        if content.starts_with('\t') && !words.is_empty() {
            let begins = |previous: &str| previous.ends_with(':');
            match previous.map(begins)? {
                true => result.push(' '),
                false if words.starts_with('-') => return None,
                false => {}
            }
            result.push_str(content.trim_start_matches([' ', '\t']));
        } else {
            result.push_str(content);
        }
        if !words.is_empty() {
            previous = Some(words);
        }
    }
    Some(result)
}

/// Whether a line of a map begins with its colon. In brackets that is no mistake.
fn lacks_key(node: &Node, text: &str) -> bool {
    let after = |node: &Node| text.get(node.span.start.index()..).unwrap_or_default();
    match &node.kind {
        _ if after(node).starts_with(['[', '{']) => false,
        Kind::Scalar { .. } => false,
        Kind::Sequence(items) => items.iter().any(|item| lacks_key(item, text)),
        Kind::Mapping(entries) => entries.iter().any(|entry| {
            let lacks = entry.key.span.is_empty() && after(&entry.key).starts_with(':');
            lacks || lacks_key(&entry.value, text)
        }),
    }
}

/// Whether a `...` stands before anything else.
fn begins_with_end(text: &str) -> bool {
    let content = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let first = text.lines().find(content);
    first.is_some_and(|line| {
        line.strip_prefix("...")
            .is_some_and(|rest| rest.trim().is_empty())
    })
}

/// What libyaml does not take: a tab at the beginning of a line or behind a dash, outside of quotes and brackets, one half
/// of a character as JSON escapes it, and a text that goes on in the first column behind a line end of old.
fn refuse_old(text: &str, root: &Node, engine: &Engine) -> Result<(), String> {
    let ends = ["\n...", "\n---"].into_iter().filter_map(|end| text.find(end));
    let text = match ends.min() {
        Some(end) if engine.first_document_only => &text[..end],
        _ => text,
    };
    let starts = text.match_indices('\n').map(|(at, _)| at + 1).chain([0]);
    let mut tabs = starts.into_iter().filter(|at| {
        let line = &text[*at..];
        let item = line.trim_start_matches([' ', '-']);
        line.starts_with('\t') || item.starts_with('\t') && line[..line.len() - item.len()].contains('-')
    });
    if tabs.any(|at| !is_within(root, at, text)) {
        return Err("found a tab character that violates indentation".to_owned());
    }
    if has_half(root, text) {
        return Err("found invalid Unicode character escape code".to_owned());
    }
    if text.contains(OLD_LINE_ENDS) {
        let broken = text.replace(OLD_LINE_ENDS, "\n");
        read(&broken, engine).map_err(|error| error.message)?;
    }
    Ok(())
}

/// Whether text in double quotes has an escape such as `\ud83d`, which means a character only with the one behind it.
fn has_half(node: &Node, text: &str) -> bool {
    match &node.kind {
        Kind::Scalar { style, .. } => {
            let mut rest = match style {
                Style::DoubleQuoted => node.span.of(text).chars(),
                _ => return false,
            };
            while let Some(c) = rest.next() {
                if c == '\\' && rest.next() == Some('u') {
                    let mut digits = rest.clone();
                    let half = matches!(digits.next(), Some('d' | 'D'))
                        && matches!(digits.next(), Some('8' | '9' | 'a'..='f' | 'A'..='F'));
                    if half {
                        return true;
                    }
                }
            }
            false
        }
        Kind::Sequence(items) => items.iter().any(|item| has_half(item, text)),
        Kind::Mapping(entries) => {
            let mut nodes = entries.iter().flat_map(|entry| [&entry.key, &entry.value]);
            nodes.any(|node| has_half(node, text))
        }
    }
}

/// Whether a place is within quotes, brackets or a block of text.
fn is_within(node: &Node, at: usize, text: &str) -> bool {
    let contains = node.span.start.index() <= at && at < node.span.end.index();
    match &node.kind {
        Kind::Scalar { style, .. } => contains && *style != Style::Plain,
        _ if contains && text[node.span.start.index()..].starts_with(['[', '{']) => true,
        Kind::Sequence(items) => items.iter().any(|item| is_within(item, at, text)),
        Kind::Mapping(entries) => {
            let mut nodes = entries.iter().flat_map(|entry| [&entry.key, &entry.value]);
            nodes.any(|node| is_within(node, at, text))
        }
    }
}

/// A block of text has the line end that the file has, and none where the file ends without one.
fn end_without_line_end(node: &mut Node, text: &str) {
    let end = node.span.end.index();
    match &mut node.kind {
        Kind::Scalar {
            text: block,
            style: Style::Literal | Style::Folded,
        } if end >= text.len() && !text.ends_with(['\n', '\r']) && block.ends_with('\n') => {
            block.pop();
        }
        Kind::Scalar { .. } => {}
        Kind::Sequence(items) => {
            let last = items.last_mut();
            last.into_iter().for_each(|item| end_without_line_end(item, text));
        }
        Kind::Mapping(entries) => {
            let last = entries.last_mut().map(|entry| &mut entry.value);
            last.into_iter()
                .for_each(|value| end_without_line_end(value, text));
        }
    }
}
