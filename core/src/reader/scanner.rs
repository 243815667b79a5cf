//! Emulates other scanners with ours, by changing the text where ours accepts more or less.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;

use super::engine::{Engine, Scanner};
use super::quoted;
use crate::frontmatter::is_key_character;
use crate::limits::YAML_ATTEMPTS;
use crate::yaml::{self, Document, Kind, Node, Style, SyntaxError};

/// Line ends for these engines, but not for ours.
const OLD_LINE_ENDS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

const MARK: &str = "\u{feff}";

/// Placeholder for a byte order mark during parsing: of the same length, and without a meaning of its own.
const STAND_IN: &str = "\u{f8fe}";

/// Placeholder for a control character, or a comma at the start of a text, during parsing: ours accepts none, others do.
const CONTROL_STAND_IN: u32 = 0xf700;

/// The tree by our scanner, with control characters as plain text. In Bun, plain text may start with a comma, too, and no line within brackets
/// may start in the first column or with a tab.
pub(super) fn scan_own(text: &str, scanner: Scanner) -> Result<Document, String> {
    let is_control = |c: char| c.is_ascii_control() && !matches!(c, '\n' | '\r' | '\t');
    let hide = |c: char| {
        char::from_u32(CONTROL_STAND_IN + u32::from(c))
            .filter(|_| is_control(c))
            .unwrap_or(c)
    };
    let show = |c: char| {
        let hidden = u32::from(c)
            .checked_sub(CONTROL_STAND_IN)
            .and_then(char::from_u32);
        hidden.filter(|c| is_control(*c) || *c == ',').unwrap_or(c)
    };
    let mut hidden = Cow::Borrowed(text);
    if text.contains(is_control) {
        hidden = Cow::Owned(text.chars().map(hide).collect());
    }
    let mut result = yaml::read(&hidden, 0);
    if scanner == Scanner::Bun
        && result.is_err()
        && let Some(text) = with_hidden_commas(&hidden)
    {
        result = yaml::read(&text, 0);
        hidden = Cow::Owned(text);
    }
    let mut document = result.map_err(|error| error.message)?;
    if let Some(root) = &mut document.root {
        if scanner == Scanner::Bun && !is_flow(root, &hidden) && begins_line(root, &hidden) {
            return Err("a line in brackets starts in the first column or with a tab".to_owned());
        }
        if matches!(hidden, Cow::Owned(_)) {
            change_texts(root, &|text| text.chars().map(show).collect());
        }
    }
    Ok(document)
}

/// The text with stand-ins for commas that start the values of unindented keys; none if there are none.
fn with_hidden_commas(text: &str) -> Option<String> {
    let mut result = String::with_capacity(text.len() + 2);
    let mut is_changed = false;
    for line in text.split_inclusive('\n') {
        let value = line
            .split_once(": ")
            .filter(|(key, _)| key.chars().all(is_key_character));
        match value.and_then(|(_, value)| value.trim_start_matches([' ', '\t']).strip_prefix(',')) {
            Some(rest) => {
                result.push_str(&line[..line.len() - rest.len() - 1]);
                result.extend(char::from_u32(CONTROL_STAND_IN + u32::from(',')));
                result.push_str(rest);
                is_changed = true;
            }
            None => result.push_str(line),
        }
    }
    is_changed.then_some(result)
}

fn is_flow(node: &Node, text: &str) -> bool {
    node.span.of(text).starts_with(['[', '{'])
}

/// Whether a value within brackets is the first of its line, in the first column or after a tab.
fn begins_line(node: &Node, text: &str) -> bool {
    let is_flow = is_flow(node, text);
    let begins = |node: &Node| {
        let before = &text[..node.span.start.index()];
        let line = before.trim_end_matches([' ', '\t']);
        let indent = &before[line.len()..];
        let is_early = || line.ends_with(['\n', '\r']) && (indent.is_empty() || indent.starts_with('\t'));
        is_flow && !node.span.is_empty() && is_early() || begins_line(node, text)
    };
    match &node.kind {
        Kind::Scalar { .. } => false,
        Kind::Sequence(items) => items.iter().any(begins),
        Kind::Mapping(entries) => {
            let mut nodes = entries.iter().flat_map(|entry| [&entry.key, &entry.value]);
            nodes.any(begins)
        }
    }
}

/// The tree, or an engine's error.
pub(super) fn scan(text: &str, engine: &Engine) -> Result<Document, String> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let text = &*with_line_ends(text, engine.scanner);
    if begins_with_end(text) {
        return Err("a document ends before it begins".to_owned());
    }
    let (mut document, text) = read(text, engine).map_err(|error| error.message)?;
    let text = &*text;
    if let Some(root) = &mut document.root {
        if lacks_key(root, text) {
            return Err("a mapping entry has no key".to_owned());
        }
        if engine.is_js_yaml() && breaks_too_early(root, text, None) {
            return Err("missed comma between flow collection entries".to_owned());
        }
        if engine.scanner == Scanner::LibYaml {
            refuse_old(text, root, engine)?;
            if text.contains(OLD_LINE_ENDS) {
                change_texts(root, &fold_at_line_ends);
            }
            end_without_line_end(root, text);
        }
    }
    Ok(document)
}

/// libyaml and PyYAML read U+0085 as a line end. U+2028 and U+2029 end lines, too, but are kept in the text.
fn with_line_ends(text: &str, scanner: Scanner) -> Cow<'_, str> {
    if scanner == Scanner::LibYaml && text.contains('\u{85}') {
        Cow::Owned(text.replace('\u{85}', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A line continues after U+2028 and U+2029 without the whitespace around them.
fn fold_at_line_ends(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for (number, line) in text.split_inclusive(OLD_LINE_ENDS).enumerate() {
        let ends = line.ends_with(OLD_LINE_ENDS);
        let line = if number > 0 {
            line.trim_start_matches([' ', '\t'])
        } else {
            line
        };
        let words = line.trim_end_matches(OLD_LINE_ENDS);
        if ends {
            folded.push_str(words.trim_end_matches([' ', '\t']));
            folded.push_str(&line[words.len()..]);
        } else {
            folded.push_str(line);
        }
    }
    folded
}

/// The tree, and the text of its spans.
type Scanned<'t> = Result<(Document, Cow<'t, str>), SyntaxError>;

fn read<'t>(text: &'t str, engine: &Engine) -> Scanned<'t> {
    if !text.contains(MARK) {
        return read_lines(text, engine);
    }
    // Only ours rejects a byte order mark within a text.
    let replaced = text.replace(MARK, STAND_IN);
    let (mut document, text) = read_lines(&replaced, engine)?;
    document.root.iter_mut().for_each(put_marks_back);
    Ok((document, Cow::Owned(text.into_owned())))
}

fn put_marks_back(node: &mut Node) {
    change_texts(node, &|text| text.replace(STAND_IN, MARK));
}

/// Changes the text of every scalar.
fn change_texts(node: &mut Node, change: &impl Fn(&str) -> String) {
    match &mut node.kind {
        Kind::Scalar { text, .. } => *text = change(text),
        Kind::Sequence(items) => items.iter_mut().for_each(|item| change_texts(item, change)),
        Kind::Mapping(entries) => entries.iter_mut().for_each(|entry| {
            change_texts(&mut entry.key, change);
            change_texts(&mut entry.value, change);
        }),
    }
}

fn read_lines<'t>(text: &'t str, engine: &Engine) -> Scanned<'t> {
    let read = |text: &str| {
        if engine.first_document_only {
            yaml::read_first(text)
        } else {
            yaml::read(text, 0)
        }
    };
    let mut result = with_leniency(text, engine.scanner, read);
    if engine.is_js_yaml()
        && let Ok((document, text)) = &mut result
    {
        quoted::keep_blanks(document, text, read);
    }
    if result.is_err()
        && engine.scanner == Scanner::JsYaml3
        && text.contains('\t')
        && let Some(text) = without_leading_tabs(text)
    {
        return read(&text)
            .map(|document| (document, Cow::Owned(text)))
            .or(result);
    }
    result
}

/// Reads with lines changed for our scanner.
fn with_leniency(
    text: &str,
    scanner: Scanner,
    read: impl Fn(&str) -> Result<Document, SyntaxError>,
) -> Scanned<'_> {
    let mut text = Cow::Borrowed(text);
    let mut result = read(&text);
    let mut indented = None;
    for _ in 0..YAML_ATTEMPTS {
        let Err(error) = &result else { break };
        let at = text.floor_char_boundary(error.span.start.index());
        let line = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let is_outermost = !text[line..].starts_with(' ') || indented == Some(line);
        if error.is_indentation {
            // The other engines accept quoted text in any column.
            text.to_mut().insert(line, ' ');
            indented = Some(line);
        } else if is_outermost && !text[at..].starts_with(':') && goes_on(&text[..at], scanner) {
            text.to_mut().insert(at, '\n');
        } else if text[at..].starts_with('#') && text[..at].ends_with(['"', '\'', ']', '}']) {
            // The other engines accept a comment without a space before it.
            text.to_mut().insert(at, ' ');
        } else {
            break;
        }
        result = read(&text);
    }
    result.map(|document| (document, text))
}

/// Whether the next key of the outermost map may follow the quoted text or the brackets at the end: js-yaml 4 accepts that if these have
/// several lines, and js-yaml 3 always.
fn goes_on(text: &str, scanner: Scanner) -> bool {
    if !text
        .trim_end_matches([' ', '\t'])
        .ends_with(['"', '\'', ']', '}'])
    {
        return false;
    }
    let root = yaml::read(text, 0).ok().and_then(|document| document.root);
    let last = root.as_ref().and_then(|root| match &root.kind {
        Kind::Mapping(entries) => Some(entries.last()?.value.span.of(text)),
        _ => None,
    });
    last.is_some_and(|last| match scanner {
        _ if !last.starts_with(['"', '\'', '[', '{']) => false,
        Scanner::JsYaml3 => true,
        Scanner::JsYaml4 => last.contains(['\n', '\r']),
        Scanner::LibYaml | Scanner::Own | Scanner::Bun => false,
    })
}

/// js-yaml 3 ignores tabs at the start of a line: only the spaces before them count. A block below a key starts there only if it is indented
/// by spaces, or a list. It then starts in the column after the tab, so its second line is not in it: none, if there is such a list.
fn without_leading_tabs(text: &str) -> Option<String> {
    let mut result = String::with_capacity(text.len());
    let mut previous = None;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches(' ');
        let words = content.trim();
        let indent = line.len() - content.len();
        result.push_str(&line[..indent]);
        if content.starts_with('\t') && !words.is_empty() {
            let (outer, before): (usize, &str) = previous?;
            let is_item = words
                .strip_prefix('-')
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
            if before.ends_with(':') {
                if is_item || indent > outer {
                    result.push(' ');
                }
            } else if is_item {
                return None;
            }
            result.push_str(content.trim_start_matches([' ', '\t']));
        } else {
            result.push_str(content);
        }
        if !words.is_empty() {
            previous = Some((indent, words));
        }
    }
    Some(result)
}

/// Whether an unquoted text in brackets continues in a line that is indented no more than the block around the brackets.
fn breaks_too_early(node: &Node, text: &str, block: Option<usize>) -> bool {
    let is_flow = is_flow(node, text);
    // One line may have thousands of brackets: searching backwards for its start from each takes too long.
    let block = if is_flow { block } else { Some(column(node, text)) };
    match &node.kind {
        Kind::Scalar { .. } => false,
        Kind::Sequence(items) => items.iter().any(|item| in_block(item, text, is_flow, block)),
        Kind::Mapping(entries) => {
            let mut nodes = entries.iter().flat_map(|entry| [&entry.key, &entry.value]);
            nodes.any(|node| in_block(node, text, is_flow, block))
        }
    }
}

fn column(node: &Node, text: &str) -> usize {
    let before = &text[..node.span.start.index()];
    before.len() - before.rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

fn in_block(node: &Node, text: &str, in_flow: bool, block: Option<usize>) -> bool {
    let Kind::Scalar { style, .. } = &node.kind else {
        return breaks_too_early(node, text, block);
    };
    let mut lines = node.span.of(text).split(['\n', '\r']).skip(1);
    let is_early = |line: &str| {
        let words = line.trim_start_matches(' ');
        !words.is_empty() && block.is_some_and(|block| line.len() - words.len() <= block)
    };
    in_flow && *style == Style::Plain && lines.any(is_early)
}

/// Whether a line of a map starts with its colon. In brackets that is valid.
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

/// Whether a `...` comes first.
fn begins_with_end(text: &str) -> bool {
    let content = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let first = text.lines().find(content);
    first.is_some_and(|line| {
        line.strip_prefix("...")
            .is_some_and(|rest| rest.trim().is_empty())
    })
}

/// Text that libyaml refuses: a tab at the start of a line or after a dash, outside of quotes and brackets, one half of a surrogate pair
/// in JSON escapes, and a text that continues in the first column after an old line end.
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

/// Whether text in double quotes has an escape such as `\ud83d`, which is a character only with the next one.
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

/// A block of text ends like the file: with its line end, or with none.
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
