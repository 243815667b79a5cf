//! What a text without a path is.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::convert::for_file;
use crate::dialect::{Dialect, Dialects, Format, Kind};
use crate::files::join;
use crate::limits::GUESSED_KEYS;
use crate::lines::lines;
use crate::source::Source;

/// What a text looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guessed {
    /// The file that it would be, below the project.
    pub path: String,
    /// What it defines.
    pub kind: Kind,
    /// Its dialect.
    pub dialect: String,
}

/// How well a dialect fits: the keys that it knows, whether it is used, whether its file names are usual, and its kind.
type Fit = (usize, bool, bool, Reverse<Kind>);

/// What a text without a path looks like, by the keys of its frontmatter, which need not be closed yet; none if it does not look like a
/// definition. Between dialects that fit alike, one that is used counts.
pub fn guess(dialects: &Dialects, bytes: &[u8], used: &[String]) -> Option<Guessed> {
    let source = Source::of_file(bytes);
    let head = Head::of(&source.text)?;
    let mut best: Option<(Fit, &Rc<Dialect>)> = None;
    for dialect in dialects.every() {
        let Some(known) = head.known(dialect) else {
            continue;
        };
        let file = dialect.files.name.as_deref().unwrap_or_default();
        let is_usual = dialects.of_file(file, "").id == dialect.id;
        let fit = (known, used.contains(&dialect.id), is_usual, Reverse(dialect.kind));
        if best.as_ref().is_none_or(|(best, _)| *best < fit) {
            best = Some((fit, dialect));
        }
    }
    let (_, dialect) = best?;
    Some(Guessed {
        path: join(dialect.own_directories().next()?, &head.file(dialect)),
        kind: dialect.kind,
        dialect: dialect.id.clone(),
    })
}

/// What is written at the beginning of a text.
struct Head<'a> {
    keys: Vec<&'a str>,
    name: &'a str,
}

impl<'a> Head<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let text = text.trim_start_matches(['\u{feff}', '\r', '\n']);
        let mut head = Self {
            keys: Vec::new(),
            name: "",
        };
        let mut is_open = false;
        for line in lines(text) {
            let line = line.of(text).trim_end();
            match (line == "---", is_open) {
                (true, false) => is_open = true,
                (false, true) if head.keys.len() < GUESSED_KEYS => head.read(line),
                _ => break,
            }
        }
        is_open.then_some(head)
    }

    fn read(&mut self, line: &'a str) {
        let Some((key, value)) = line.split_once(':') else {
            return;
        };
        if !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        {
            if key == "name" {
                self.name = value.trim().trim_matches(['"', '\'']);
            }
            self.keys.push(key);
        }
    }

    /// How many keys a dialect reads. None unless it has a name or a description, another key that the dialect reads, and fewer keys that it
    /// does not read: notes of other programs have frontmatter, too.
    fn known(&self, dialect: &Dialect) -> Option<usize> {
        let known = self.keys.iter().filter(|key| dialect.key(key).is_some()).count();
        let is_introduced = self.keys.iter().any(|key| matches!(*key, "name" | "description"));
        let has_place = dialect.own_directories().next().is_some();
        let fits = is_introduced && known > 1 && self.keys.len() < 2 * known;
        (fits && has_place && dialect.format == Format::Markdown).then_some(known)
    }

    /// The file below the directory of the dialect.
    fn file(&self, dialect: &Dialect) -> String {
        let name = for_file(self.name);
        match &dialect.files.name {
            Some(file) => join(&name, file),
            None => [name, dialect.endings().next().unwrap_or_default()].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use super::guess;
    use crate::dialect::Dialects;

    /// `path dialect`, or nothing.
    fn guessed(used: &[&str], text: &str) -> String {
        let used: Vec<String> = used.iter().map(ToString::to_string).collect();
        let found = guess(&Dialects::embedded(), text.as_bytes(), &used);
        found.map_or(String::new(), |found| [&*found.path, &*found.dialect].join(" "))
    }

    #[test]
    fn a_text_is_the_definition_that_its_keys_fit() {
        for (text, expected) in [
            (
                "---\nname: x\ndescription: D\n---\nDo it.\n",
                ".claude/agents/x.md claude-code",
            ),
            (
                "---\nname: x\ndescription: D\n",
                ".claude/agents/x.md claude-code",
            ),
            (
                "\u{feff}\r\n---\r\nname: 'x'\r\ntools: Read\r\n---\r\n",
                ".claude/agents/x.md claude-code",
            ),
            (
                "---\ndescription: D\nmodel: sonnet\ncolor: red\n---\n",
                ".claude/agents/agent.md claude-code",
            ),
            (
                "---\nname: ../x\ndescription: D\n---\n",
                ".claude/agents/x.md claude-code",
            ),
            (
                "---\nname: x\ndescription: D\nlicense: MIT\n---\n",
                ".agents/skills/x/SKILL.md agent-skills",
            ),
            (
                "---\nname: x\ndescription: D\nuser-invocable: false\nallowed-tools: Read\n---\n",
                ".claude/skills/x/SKILL.md claude-code",
            ),
            (
                "---\ndescription: D\nargument-hint: FILE\n---\n",
                ".claude/commands/agent.md claude-code",
            ),
            (
                "---\nname: x\ndescription: D\nprovider: openai\nmax_tokens: 9\n---\n",
                "agents/x.md kodelet",
            ),
        ] {
            assert_eq!(guessed(&[], text), expected, "{text}");
        }
    }

    #[test]
    fn a_dialect_in_use_counts_among_those_that_fit_alike() {
        let text = "---\nname: x\ndescription: D\ntools: [read]\n---\n";
        assert_eq!(guessed(&["copilot"], text), ".github/agents/x.agent.md copilot");
        assert_eq!(
            guessed(&["claude-code", "copilot"], text),
            ".claude/agents/x.md claude-code"
        );
        assert_eq!(guessed(&["kode@2.0.2"], text), ".claude/agents/x.md claude-code");
        let skill = "---\nname: x\ndescription: D\nlicense: MIT\n---\n";
        assert_eq!(
            guessed(&["claude-code"], skill),
            ".claude/skills/x/SKILL.md claude-code"
        );
        assert_eq!(
            guessed(&["codex"], "---\nname: x\ndescription: D\n---\n"),
            ".codex/skills/x/SKILL.md codex"
        );
    }

    #[test]
    fn other_texts_are_nothing() {
        for text in [
            "",
            "---",
            "---\n",
            "---\n---\n",
            "# Notes\n",
            "name: x\ndescription: D\n",
            "---\nname: x\n",
            "---\nname: x\n---\ndescription: D\ntools: Read\n",
            "---\ntools: Read\nmodel: sonnet\n---\n",
            "---\ntitle: A day\ndescription: At sea\ndate: 2026-01-01\n---\n",
            "---\ntitle: A day\nname: x\ntags: [sea]\ndescription: At sea\n---\n",
            "---\n  name: x\n  description: D\n---\n",
            "---js\nname: x\ndescription: D\n---\n",
            "+++\nname: x\ndescription: D\n+++\n",
        ] {
            assert_eq!(guessed(&[], text), "", "{text}");
        }
    }
}
