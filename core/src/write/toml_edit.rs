//! Changes to a TOML file. Values on lines of their own are edited, values spread over tables are refused.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::target::{Target, last, targets};
use super::unchanged::{are_unchanged, edited, entangled, joined, says_the_same};
use super::{Change, EditError, Value, toml};
use crate::diagnostic::Edit;
use crate::dialect::{Canonical, Dialect, Key};
use crate::frontmatter::next_line;
use crate::source::Source;
use crate::span::Span;
use crate::toml::read;
use crate::yaml::{Entry, Kind, Node};

/// The edits, in bytes of the text.
pub(super) fn edits(
    source: &Source<'_>,
    dialect: &Dialect,
    changes: &[Change],
    prompt: Option<&str>,
) -> Result<Vec<Edit>, EditError> {
    let text = &*source.text;
    let start = source.byte_order_mark().map_or(0, |mark| mark.end.index());
    let page = Page::open(text, start)?;
    let prompt = prompt.map(|prompt| Change {
        key: "prompt".to_owned(),
        value: Some(Value::Text(prompt.to_owned())),
    });
    let changes: Vec<Change> = changes.iter().cloned().chain(prompt).collect();
    let targets = targets(&page.entries, dialect, &changes).map_err(EditError::Refused)?;
    let mut edits = Vec::new();
    for target in &targets {
        edits.extend(page.edit(target, dialect).map_err(EditError::Unreadable)?);
    }
    let edits = joined(edits);
    let after = Page::open(&edited(text, &edits), start)?.entries;
    let meant = |spelling: &str| targets.iter().any(|target| target.is(spelling));
    if are_unchanged(&page.entries, &after, &meant) {
        Ok(edits)
    } else {
        Err(entangled())
    }
}

struct Page<'a> {
    text: &'a str,
    start: usize,
    entries: Vec<Entry>,
}

impl<'a> Page<'a> {
    fn open(text: &'a str, start: usize) -> Result<Self, EditError> {
        match read(text, start) {
            (_, Some(error)) => Err(EditError::Unreadable(format!("invalid TOML: {}", error.message))),
            (root, None) => Ok(Self {
                text,
                start,
                entries: match root.kind {
                    Kind::Mapping(entries) => entries,
                    _ => Vec::new(),
                },
            }),
        }
    }

    fn edit(&self, target: &Target<'_>, dialect: &Dialect) -> Result<Option<Edit>, String> {
        let spelling = &*target.spelling;
        let entry = last(&self.entries, spelling);
        let lines = entry.map(|entry| {
            let lines = self.lines(entry);
            lines.ok_or_else(|| format!("`{spelling}` is spread over a table; edit it by hand"))
        });
        let lines = lines.transpose()?;
        let new = match &target.value {
            None => None,
            Some(value) => {
                let is_prompt = target.key.is_some_and(|key| key.field == Canonical::Prompt);
                let new = self.written(value, is_prompt);
                Some(new.ok_or_else(|| format!("`{spelling}` has no form in TOML"))?)
            }
        };
        Ok(match (entry.zip(lines), new) {
            (Some((entry, _)), Some(new)) => self.replace(entry, &new)?,
            (Some((_, span)), None) => Some(Edit {
                span,
                text: String::new(),
            }),
            (None, Some(new)) => Some(self.insert(spelling, &new, dialect)),
            (None, None) => None,
        })
    }

    /// Multi-line text gets the line ends of the file: only in a prompt can they matter.
    fn written(&self, value: &Value, is_prompt: bool) -> Option<String> {
        let windows = self.has_windows_lines();
        match value {
            Value::Text(words) if is_prompt && windows => {
                let text = toml::text(&words.replace("\r\n", "\n"), true);
                Some(self.with_newlines(&text))
            }
            value => toml::value(value, !windows),
        }
    }

    /// None if the value is the same, in any quotes.
    fn replace(&self, entry: &Entry, new: &str) -> Result<Option<Edit>, String> {
        let value = read(&format!("_ = {new}"), 0).0;
        let is_same = |value| says_the_same(value, &entry.value);
        if value.get("_").is_some_and(is_same) {
            return Ok(None);
        }
        if holds_comment(&entry.value, self.text) {
            let key = entry.key.as_text().unwrap_or_default();
            return Err(format!("a comment within `{key}` would be lost; edit it by hand"));
        }
        Ok(Some(Edit {
            span: entry.value.span,
            text: new.to_owned(),
        }))
    }

    /// A line after the nearest key before it in the table, otherwise before the first.
    fn insert(&self, spelling: &str, new: &str, dialect: &Dialect) -> Edit {
        let before = dialect.keys.iter();
        let before: Vec<&Key> = before
            .take_while(|key| key.spellings.iter().all(|known| known != spelling))
            .collect();
        let before = before.iter().rev().flat_map(|key| &key.spellings);
        let mut before = before.filter_map(|known| self.lines(last(&self.entries, known)?));
        let first = || self.entries.first().and_then(|entry| self.lines(entry));
        let at = match before.next() {
            Some(lines) => lines.end.index(),
            None => first().map_or(self.start, |lines| lines.start.index()),
        };
        let newline = self.with_newlines("\n");
        let text = if self.text[self.start..at].ends_with(|c| c != '\n') {
            format!("{newline}{spelling} = {new}")
        } else {
            format!("{spelling} = {new}{newline}")
        };
        Edit {
            span: Span::at(at),
            text,
        }
    }

    /// The lines of `key = value`; none if it has another form.
    fn lines(&self, entry: &Entry) -> Option<Span> {
        let (key, value) = (entry.key.span, entry.value.span);
        let before = &self.text[self.start..key.start.index()];
        let line = before.rfind('\n').map_or(self.start, |at| self.start + at + 1);
        let between = self.text.get(key.end.index()..value.start.index())?;
        let is_alone = before[line - self.start..].trim().is_empty() && between.trim() == "=";
        is_alone.then(|| Span::new(line, next_line(self.text, value.end.index())))
    }

    fn with_newlines(&self, text: &str) -> String {
        if self.has_windows_lines() {
            text.replace('\n', "\r\n")
        } else {
            text.to_owned()
        }
    }

    fn has_windows_lines(&self) -> bool {
        let first = self.text.split_once('\n').map_or("", |(line, _)| line);
        first.ends_with('\r')
    }
}

/// Whether a comment is between the values of a list or a table.
fn holds_comment(node: &Node, text: &str) -> bool {
    let parts: Vec<&Node> = match &node.kind {
        Kind::Scalar { .. } => return false,
        Kind::Sequence(items) => items.iter().collect(),
        Kind::Mapping(entries) => {
            let both = entries.iter().map(|entry| [&entry.key, &entry.value]);
            both.flatten().collect()
        }
    };
    let mut at = node.span.start;
    let within = parts.iter().any(|part| {
        let before = Span {
            start: at,
            end: part.span.start,
        };
        at = part.span.end;
        before.of(text).contains('#') || holds_comment(part, text)
    });
    let end = node.span.end;
    within || Span { start: at, end }.of(text).contains('#')
}

#[cfg(test)]
mod tests {
    use super::super::{Change, EditError, edit};
    use super::*;
    use crate::dialect::Dialects;

    const ROLE: &str = "# A role\nname = 'a' # short\ndescription = \"D\"\ndeveloper_instructions = \"\"\"\nSay \"hi\".\n\"\"\"\n\n[mcp_servers.x]\ncommand = \"c\"\n";

    /// `key=value` sets, `key` alone unsets.
    fn edit_as_codex(text: &str, changes: &[&str]) -> Result<String, EditError> {
        let dialects = Dialects::embedded();
        let codex = dialects.get("codex").expect("it is built in");
        let change = |text: &&str| match text.split_once('=') {
            Some((key, value)) => Change {
                key: key.to_owned(),
                value: Some(Value::Entered(value.to_owned())),
            },
            None => Change {
                key: (*text).to_owned(),
                value: None,
            },
        };
        let changes: Vec<Change> = changes.iter().map(change).collect();
        edit(text.as_bytes(), codex, &changes, None).map(|edits| edited(text, &edits))
    }

    #[track_caller]
    fn check(before: [&str; 2], changes: &[&str], after: [&str; 2]) {
        let file = |[old, new]: [&str; 2]| ROLE.replacen(old, new, 1);
        assert_eq!(edit_as_codex(&file(before), changes), Ok(file(after)));
    }

    #[test]
    fn only_the_intended_key_changes() {
        const SAME: [&str; 2] = ["", ""];
        const LINE: &str = "description = \"D\"\n";
        check(SAME, &["name=b: #\"c\""], ["'a'", "\"b: #\\\"c\\\"\""]);
        check(SAME, &["name=a", "description=D"], SAME);
        let model = [LINE, "description = \"D\"\nmodel = \"x\"\n"];
        check(SAME, &["model=x"], model);
        let comment = [LINE, "description = \"D\"\nmodel = \"x\" # best\n"];
        check(comment, &["model"], SAME);
        let prompt = "\"\"\"\nSay \"hi\".\n\"\"\"";
        check(SAME, &["prompt=one\n'two' "], [prompt, "'''\none\n'two' '''"]);
        let nameless = ["name = 'a' # short\n", ""];
        check(
            nameless,
            &["name=z"],
            ["# A role\nname = 'a' # short\n", "# A role\nname = \"z\"\n"],
        );
        let words = [
            LINE,
            "description = \"D\"\nnickname_candidates = [\"b\", \"c\"]\n",
        ];
        check(SAME, &["nickname_candidates=b, c"], words);
    }

    #[test]
    fn line_endings_and_byte_order_marks_are_kept() {
        let crlf = ROLE.replace('\n', "\r\n");
        let after = edit_as_codex(&crlf, &["model=x", "prompt=1\n2"]).expect("it can be edited");
        assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
        assert!(after.contains("\r\nmodel = \"x\"\r\n") && after.contains("'''\r\n1\r\n2'''"));
        let again = edit_as_codex(&after, &["model=x", "prompt=1\n2"]);
        assert_eq!(again.as_deref(), Ok(&*after), "once is enough");
        let quoted = edit_as_codex(&crlf, &["prompt=Say \"hi\".\r\n"]);
        assert_eq!(quoted.as_deref(), Ok(&*crlf), "it says so already");
        let text = edit_as_codex("# A role\r\n", &["description=1\n2\r\n"]);
        let expected = "description = \"1\\n2\\r\\n\"\r\n# A role\r\n";
        assert_eq!(text.as_deref(), Ok(expected));
        let after = edit_as_codex("\u{feff}name = 'a'", &["description=D", "model=x"]);
        let expected = "\u{feff}name = 'a'\ndescription = \"D\"\nmodel = \"x\"";
        assert_eq!(after.as_deref(), Ok(expected));
    }

    #[test]
    fn impossible_changes_are_refused() {
        let reason = |text: &str, change: &str| match edit_as_codex(text, &[change]) {
            Err(EditError::Unreadable(reason)) => reason,
            Err(EditError::Refused(mut refusals)) => refusals.remove(0).reason,
            Ok(text) => text,
        };
        let spread = "is spread over a table; edit it by hand";
        assert!(reason(ROLE, "mcp_servers={x: {command: d}}").ends_with(spread));
        assert!(reason("agents.b = 1\nname = 'a'\n", "agents").ends_with(spread));
        assert!(reason(ROLE, "sandbox_mode=all").starts_with("invalid value `all` of `sandbox_mode`"));
        assert!(reason(ROLE, "prompt").ends_with("without `developer_instructions`"));
        assert!(reason("name = a", "name=b").starts_with("invalid TOML: "));
        let lost = "a comment within `nickname_candidates` would be lost; edit it by hand";
        for list in [
            "[\n  \"b\", # best\n]",
            "[ # two\n  \"b\", \"c\"]",
            "[\n \"b\",\n  # no more\n]",
        ] {
            let text = ROLE.replacen("[mcp", &format!("nickname_candidates = {list}\n\n[mcp"), 1);
            assert_eq!(reason(&text, "nickname_candidates=d"), lost);
        }
        let text = ROLE.replacen("[mcp", "nickname_candidates = [\"#b\"] # kept\n\n[mcp", 1);
        assert!(reason(&text, "nickname_candidates=d").contains("= [\"d\"] # kept\n"));
    }
}
