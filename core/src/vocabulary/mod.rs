//! Tools: what each dialect calls them, and what they may do.

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
    /// The document or the release that it comes from.
    pub evidence: &'static str,
    /// When that was current.
    pub date: &'static str,
    /// How it spells the tools of MCP servers, if its lists take them.
    pub mcp: Option<McpStyle>,
    /// Whether upper and lower case are the same to it.
    pub any_case: bool,
    /// Whether a tool with something in parentheses is granted only that.
    pub specifiers: bool,
    /// The canonical field that bounds what may be done, where there is no list of tools.
    pub bounds: Option<Canonical>,
    /// Its values, with the rights that they leave, the widest first.
    pub bounded: &'static [(&'static str, Rights)],
    /// The rights that none of these values takes away. They reach nothing.
    pub kept: Rights,
    /// The rights that the user's own settings decide, as they do for MCP servers.
    pub settings: Rights,
    /// The keys that turn one right on and off.
    pub switches: &'static [Switch],
    /// What paths have to hold for its other names to be taken.
    pub aliases_in: &'static str,
    /// Who still takes names that are retired; empty for nobody.
    pub old_names: &'static str,
    /// What brings tools of other names; empty for nothing.
    pub more: &'static str,
    /// Its names, the preferred ones first.
    pub tools: &'static [Tool],
}

/// A key that turns one right on and off.
#[derive(Debug)]
pub struct Switch {
    /// The canonical field.
    pub field: Canonical,
    /// The right.
    pub right: Rights,
    /// The value that grants it.
    pub on: &'static str,
    /// The value that takes it away.
    pub off: &'static str,
}

/// A name of a tool.
#[derive(Debug)]
pub struct Tool {
    /// The name.
    pub name: &'static str,
    /// How it stands.
    pub standing: Standing,
    /// What it may do; nothing where no other dialect has anything like it.
    pub rights: Rights,
}

/// How a name of a tool stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is a tool's name.
    Current,
    /// It is taken for this one.
    Alias(&'static str),
    /// It was a tool's name and is still taken for this one.
    Renamed(&'static str),
    /// It was a tool's name; this one came instead, if any did.
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

/// The tools that a dialect has now, the preferred ones first.
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

/// Whether a dialect knows a tool by this name, be it an old one or one of an MCP server.
pub fn known(dialect: &str, tool: &str) -> bool {
    of(dialect).is_some_and(|vocabulary| vocabulary.find(tool).is_some() || vocabulary.mcp(tool).is_some())
}

/// What a tool may do, by canonical names.
pub fn canonical(dialect: &str, tool: &str) -> Vec<&'static str> {
    let found = of(dialect).and_then(|vocabulary| vocabulary.find(tool));
    found.map(|tool| tool.rights.ids().collect()).unwrap_or_default()
}

/// What a dialect calls the tool that carries a right, and no more than that right implies.
pub fn spelling(dialect: &str, canonical: &str) -> Option<&'static str> {
    of(dialect)?.spell(Rights::of(canonical)?).first().copied()
}

impl Vocabulary {
    /// What is known of a name.
    pub fn find(&self, tool: &str) -> Option<&'static Tool> {
        let same = |known: &&Tool| match self.any_case {
            true => known.name.eq_ignore_ascii_case(tool),
            false => known.name == tool,
        };
        self.tools.iter().find(same)
    }

    /// Whether a name is that of other dialects' tools only. It grants nothing then, as nothing else brings tools of such names.
    pub fn is_foreign(&self, tool: &str) -> bool {
        let elsewhere = || VOCABULARIES.iter().any(|other| other.find(tool).is_some());
        self.more.is_empty() && self.find(tool).is_none() && elsewhere()
    }

    /// The nearest name that is a tool's.
    pub fn nearest(&self, tool: &str) -> Option<&'static str> {
        closest(tool, self.current().map(|tool| tool.name))
    }

    /// The server and the tool that a name means, where it is that of an MCP server's tool.
    pub fn mcp<'a>(&self, tool: &'a str) -> Option<Mcp<'a>> {
        let style = self.mcp.filter(|_| self.find(tool).is_none());
        style.and_then(|style| style.parse(tool))
    }

    /// The tools that together carry as many of these rights as can be, and no others.
    pub fn spell(&self, rights: Rights) -> Vec<&'static str> {
        self.spell_within(rights.closed())
    }

    /// The same of rights that imply no others: some of those may have been taken away.
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

    /// Tools that carry these rights, and nothing outside of `allowed`.
    ///
    /// Each right gets a tool of its own where there is one, even if another right implies it. Rights without one get the tools
    /// for what they imply.
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

    /// Chooses tools for the rights that are not covered yet. Returns what is covered then.
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

    /// The names that are tools'.
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
    fn names_and_rights() {
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
    fn spelling_never_widens() {
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
