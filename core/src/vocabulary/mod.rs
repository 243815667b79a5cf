//! Tools: their names in each dialect, and their rights.

mod mcp;
mod retired;
mod rights;
pub(crate) mod words;

pub use mcp::{Mcp, McpStyle};
pub use retired::{RetiredModel, retired_model};
pub use rights::{Right, Rights};

use alloc::vec;
use alloc::vec::Vec;

use crate::closest::closest;
use crate::dialect::Canonical;

include!(concat!(env!("OUT_DIR"), "/tools.rs"));

/// The tools of a dialect.
#[derive(Debug)]
pub struct Vocabulary {
    /// The dialect.
    pub dialect: &'static str,
    /// The document or the release that it is from.
    pub evidence: &'static str,
    /// Its date.
    pub date: &'static str,
    /// How it spells the tools of MCP servers, if its lists accept them.
    pub mcp: Option<McpStyle>,
    /// Whether upper and lower case are the same to it.
    pub any_case: bool,
    /// Whether a tool with a specifier is granted only that.
    pub specifiers: bool,
    /// The canonical field that limits permissions, if there is no list of tools.
    pub bounds: Option<Canonical>,
    /// Its values, with the rights that they leave, the widest first.
    pub bounded: &'static [(&'static str, Rights)],
    /// The rights that none of these values removes. They have no effect outside.
    pub kept: Rights,
    /// The rights that the user's own settings decide, as they do for MCP servers.
    pub settings: Rights,
    /// The keys that set one right.
    pub switches: &'static [Switch],
    /// The parts that paths must contain for its other names to be accepted.
    pub aliases_in: &'static str,
    /// What still accepts retired names; empty for nothing.
    pub old_names: &'static str,
    /// Sources of tools with other names; empty for none.
    pub more: &'static str,
    /// Its names, the preferred ones first.
    pub tools: &'static [Tool],
}

/// A key that sets one right.
#[derive(Debug)]
pub struct Switch {
    /// The canonical field.
    pub field: Canonical,
    /// The right.
    pub right: Rights,
    /// The value that grants it.
    pub on: &'static str,
    /// The value that denies it.
    pub off: &'static str,
}

/// A name of a tool.
#[derive(Debug)]
pub struct Tool {
    /// The name.
    pub name: &'static str,
    /// Its status.
    pub standing: Standing,
    /// Its rights; empty if no other dialect has an equivalent.
    pub rights: Rights,
}

/// The status of a tool's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is a tool's name.
    Current,
    /// It is accepted for this one.
    Alias(&'static str),
    /// It was renamed to this one, and is still accepted.
    Renamed(&'static str),
    /// It was removed, and replaced by this one, if any.
    Retired(Option<&'static str>),
}

/// Every vocabulary, by dialect.
pub fn all() -> impl Iterator<Item = &'static Vocabulary> {
    VOCABULARIES.iter()
}

/// The vocabulary of a dialect.
pub fn of(dialect: &str) -> Option<&'static Vocabulary> {
    VOCABULARIES
        .iter()
        .find(|vocabulary| vocabulary.dialect == dialect)
}

/// The current tools of a dialect, the preferred ones first.
pub fn current(dialect: &str) -> impl Iterator<Item = &'static Tool> {
    let tools = of(dialect).map_or(&[][..], |vocabulary| vocabulary.tools);
    tools.iter().filter(|tool| tool.standing == Standing::Current)
}

/// The dialects in which this is a tool's name, sorted.
pub fn speakers(tool: &str) -> impl Iterator<Item = &'static str> {
    let speaks = move |vocabulary: &&Vocabulary| {
        let found = vocabulary.find(tool);
        found.is_some_and(|found| found.standing == Standing::Current)
    };
    VOCABULARIES
        .iter()
        .filter(speaks)
        .map(|vocabulary| vocabulary.dialect)
}

/// Whether a dialect knows a tool by this name, including old names and those of MCP servers.
pub fn known(dialect: &str, tool: &str) -> bool {
    of(dialect).is_some_and(|vocabulary| vocabulary.find(tool).is_some() || vocabulary.mcp(tool).is_some())
}

/// The rights of a tool, by canonical names.
pub fn canonical(dialect: &str, tool: &str) -> Vec<&'static str> {
    let found = of(dialect).and_then(|vocabulary| vocabulary.find(tool));
    found.map(|tool| tool.rights.ids().collect()).unwrap_or_default()
}

/// A dialect's name for the tool with a right, and no more than that right implies.
pub fn spelling(dialect: &str, canonical: &str) -> Option<&'static str> {
    of(dialect)?.spell(Rights::of(canonical)?).first().copied()
}

impl Vocabulary {
    /// The entry of a name.
    pub fn find(&self, tool: &str) -> Option<&'static Tool> {
        let same = |known: &&Tool| {
            if self.any_case {
                known.name.eq_ignore_ascii_case(tool)
            } else {
                known.name == tool
            }
        };
        self.tools.iter().find(same)
    }

    /// Whether a name is only other dialects' tool. It grants nothing then, since nothing else adds tools of such names.
    pub fn is_foreign(&self, tool: &str) -> bool {
        let elsewhere = || VOCABULARIES.iter().any(|other| other.find(tool).is_some());
        self.more.is_empty() && self.find(tool).is_none() && elsewhere()
    }

    /// The closest name of a tool.
    pub fn nearest(&self, tool: &str) -> Option<&'static str> {
        closest(tool, self.current().map(|tool| tool.name))
    }

    /// The server and the tool of a name, if it is an MCP server's tool.
    pub fn mcp<'a>(&self, tool: &'a str) -> Option<Mcp<'a>> {
        let style = self.mcp.filter(|_| self.find(tool).is_none());
        style.and_then(|style| style.parse(tool))
    }

    /// The tools that together have as many of these rights as possible, and no others.
    pub fn spell(&self, rights: Rights) -> Vec<&'static str> {
        self.spell_within(rights.closed())
    }

    /// The same for rights that imply no others: some of those may have been denied.
    pub fn spell_within(&self, allowed: Rights) -> Vec<&'static str> {
        let mut covered = Rights::default();
        let mut names = Vec::new();
        for tool in self.current() {
            let new = tool.rights.without(covered);
            if !new.is_empty() && allowed.contains(tool.rights) {
                covered = covered.with(tool.rights.closed());
                names.push(tool.name);
            }
        }
        names
    }

    /// Tools with these rights, and nothing outside of `allowed`.
    ///
    /// Each right gets a tool of its own if there is one, even if another right implies it. Rights without one get the tools for the rights
    /// they imply.
    pub fn spell_each(&self, wanted: Rights, allowed: Rights) -> Vec<&'static str> {
        let mut chosen = vec![false; self.tools.len()];
        let covered = self.choose(wanted, allowed, Rights::default(), &mut chosen);
        let missing = wanted.without(covered.closed()).closed();
        self.choose(missing, allowed, covered.closed(), &mut chosen);
        let tools = self.tools.iter().zip(chosen);
        tools
            .filter(|(_, chosen)| *chosen)
            .map(|(tool, _)| tool.name)
            .collect()
    }

    /// Chooses tools for the rights that are not covered yet. Returns the covered rights.
    fn choose(&self, wanted: Rights, allowed: Rights, mut covered: Rights, chosen: &mut [bool]) -> Rights {
        for (tool, chosen) in self.tools.iter().zip(chosen) {
            let adds = tool.rights.meets(wanted.without(covered));
            if tool.standing == Standing::Current && adds && allowed.contains(tool.rights) {
                covered = covered.with(tool.rights);
                *chosen = true;
            }
        }
        covered
    }

    /// The names of tools.
    pub fn current(&self) -> impl Iterator<Item = &'static Tool> {
        self.tools
            .iter()
            .filter(|tool| tool.standing == Standing::Current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_names_map_to_rights() {
        assert!(
            known("claude-code", "Bash") && known("claude-code", "Task") && known("claude-code", "mcp__a__b")
        );
        assert!(!known("claude-code", "bash") && !known("claude-code", "a/b"));
        assert!(known("copilot", "bash") && known("copilot", "a/b"));
        assert_eq!(canonical("kode", "MultiEdit"), ["edit"]);
        assert_eq!(spelling("gemini-cli", "edit"), Some("replace"));
        assert_eq!(spelling("copilot", "grep"), Some("search/textSearch"));
        assert_eq!(spelling("cursor", "write"), Some("edit_file"));
        assert_eq!(spelling("claude-code", "browser"), None);
        assert_eq!(
            speakers("run_shell_command").collect::<Vec<_>>(),
            ["gemini-cli", "qwen-code"]
        );
        let claude = of("claude-code").expect("it is a dialect");
        assert_eq!(claude.nearest("Websearch"), Some("WebSearch"));
        let old = claude.find("MultiEdit").map(|tool| tool.standing);
        assert_eq!(old, Some(Standing::Retired(Some("Edit"))));
    }

    #[test]
    fn converted_tools_never_grant_more() {
        for vocabulary in VOCABULARIES {
            for right in Rights::all().iter() {
                let rights = Rights::of(right.id).expect("it is a right");
                for name in vocabulary.spell(rights) {
                    let tool = vocabulary.find(name).expect("it was found there");
                    assert!(
                        rights.closed().contains(tool.rights),
                        "{} {name}",
                        vocabulary.dialect
                    );
                }
            }
        }
    }
}
