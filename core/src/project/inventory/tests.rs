//! What agents reach, and the cost of knowing it.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

use super::{Asset, Inventory, inventory};
use crate::dialect::Dialects;
use crate::files::{FileEntry, FileError, Files};
use crate::project::Request;
use crate::project::tests::{files, project};

/// Files that count how often one is read.
struct Counted(Rc<dyn Files>, Cell<usize>);

impl Files for Counted {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        self.0.list(path)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.1.set(self.1.get() + 1);
        self.0.read(path)
    }
}

fn agent(tools: &str) -> String {
    format!("---\nname: NAME\ndescription: Does what NAME does.\n{tools}\n---\nDo it.\n")
}

fn of(agents: &[(&str, &str)]) -> Inventory {
    let agents: Vec<(String, String)> = agents
        .iter()
        .map(|(path, tools)| ((*path).into(), agent(tools)))
        .collect();
    let agents: Vec<(&str, &str)> = agents.iter().map(|(path, text)| (&**path, &**text)).collect();
    taken(&files(&agents))
}

fn taken(files: &Rc<dyn Files>) -> Inventory {
    let taken = inventory(
        files,
        &Dialects::embedded(),
        &project(".", &[]),
        &Request::default(),
    );
    taken.unwrap_or_else(|error| panic!("{error:?}"))
}

/// What an agent reaches: `permission<next<owner`, with `~` before what it reaches in part.
fn reached(inventory: &Inventory, name: &str) -> Vec<String> {
    let node = |node: usize| &*inventory.graph.nodes[node].name;
    let asset = |asset: &&Asset| node(asset.node) == name;
    let asset = inventory.assets.iter().find(asset).expect("it is there");
    let reached = asset.reached.iter().map(|reached| {
        let mark = if reached.limited { "~" } else { "" };
        let [next, owner] = [reached.next, reached.owner].map(node);
        format!("{mark}{}<{next}<{owner}", reached.name)
    });
    reached.collect()
}

#[test]
fn a_shortest_way_leads_through_cycles() {
    let inventory = of(&[
        (".claude/agents/a.md", "tools: Read, Agent(b)"),
        (".claude/agents/b.md", "tools: Read, Agent(a, c, d)"),
        (".claude/agents/c.md", "tools: Read, Agent(b, e)"),
        (".claude/agents/d.md", "tools: Read, Agent(b), Bash(git *)"),
        (".claude/agents/e.md", "tools: Bash, Write"),
    ]);
    assert_eq!(reached(&inventory, "a"), ["write<b<e", "shell<b<e"]);
    assert_eq!(reached(&inventory, "c"), ["write<e<e", "shell<e<e"]);
    assert_eq!(reached(&inventory, "e"), [""; 0]);
}

#[test]
fn patterns_are_reached_in_part() {
    let inventory = of(&[
        (".claude/agents/a.md", "tools: Read, Agent(b)"),
        (
            ".claude/agents/b.md",
            "tools: Bash(git *), mcp__wiki__read, Agent(missing)",
        ),
    ]);
    let expected = ["~shell<b<b", "~mcp-servers<b<b"];
    assert_eq!(reached(&inventory, "a"), expected);
}

#[test]
fn an_agent_without_names_reaches_every_agent_that_it_finds() {
    let inventory = of(&[
        (".claude/agents/any.md", "tools: Read, Agent"),
        (".claude/agents/every.md", "model: opus"),
        (".claude/agents/most.md", "disallowedTools: Bash, Agent"),
        (".github/agents/open.agent.md", "tools: [read, agent]"),
        (
            ".github/agents/shell.agent.md",
            "tools: [execute]\ndisable-model-invocation: true",
        ),
        (
            ".github/agents/some.agent.md",
            "tools: [read, agent]\nagents: [shell]",
        ),
    ]);
    assert_eq!(reached(&inventory, "any"), ["any-tool<every<every"]);
    assert_eq!(reached(&inventory, "some"), ["shell<shell<shell"]);
    assert!(
        !reached(&inventory, "open").contains(&"shell<shell<shell".into()),
        "only the user may choose it"
    );
    let mut assets = inventory.assets.iter();
    let most = assets
        .find(|asset| asset.other_tools == ["*"])
        .expect("it denies some");
    let names: Vec<&str> = most.permissions.iter().map(|own| own.name).collect();
    assert!(names.contains(&"write") && !names.contains(&"shell"), "{names:?}");
}

/// A skill's own list only says what needs no question, and cannot be reached.
#[test]
fn skills_lead_to_the_agents_that_they_run_in() {
    let skill = |name: &str, keys: &str| {
        format!("---\nname: {name}\ndescription: Does it.\nallowed-tools: WebFetch\n{keys}---\nDo it.\n")
    };
    let fork = skill("fork", "context: fork\nagent: writer\n");
    let locked = skill(
        "locked",
        "context: fork\nagent: shell\ndisable-model-invocation: true\n",
    );
    let [loads, plain, writer, shell] =
        ["tools: Read, Skill", "tools: Read", "tools: Write", "tools: Bash"].map(agent);
    let inventory = taken(&files(&[
        (".claude/agents/loads.md", &loads),
        (".claude/agents/plain.md", &plain),
        (".claude/agents/writer.md", &writer),
        (".claude/agents/shell.md", &shell),
        (".claude/skills/fork/SKILL.md", &fork),
        (".claude/skills/locked/SKILL.md", &locked),
    ]));
    assert_eq!(reached(&inventory, "loads"), ["write<writer<writer"]);
    assert_eq!(reached(&inventory, "plain"), [""; 0]);
}

#[test]
fn agents_of_other_packages_are_not_found() {
    let inventory = of(&[
        (".claude/agents/general-purpose.md", "tools: Grep"),
        (".claude/agents/top.md", "tools: Read, Agent"),
        ("kit/.claude/agents/any.md", "tools: Read, Agent"),
        ("other/.claude/agents/far.md", "tools: Bash, Grep, Glob"),
    ]);
    let far = "shell<far<far".into();
    // It is also active where the other package is the working directory.
    assert!(reached(&inventory, "top").contains(&far));
    assert!(!reached(&inventory, "any").contains(&far));
}

#[test]
fn every_file_is_read_as_often_as_any_other() {
    let reads = |count: usize| {
        let paths: Vec<String> = (0..count).map(|at| format!(".claude/agents/a{at}.md")).collect();
        let texts: Vec<String> = (0..count)
            .map(|at| agent(&format!("tools: Agent, Agent(a{})", at + 1)))
            .collect();
        let pairs: Vec<(&str, &str)> = paths
            .iter()
            .zip(&texts)
            .map(|(path, text)| (&**path, &**text))
            .collect();
        let counted = Rc::new(Counted(files(&pairs), Cell::new(0)));
        let files: Rc<dyn Files> = Rc::clone(&counted) as Rc<dyn Files>;
        let reached: usize = taken(&files).assets.iter().map(|asset| asset.reached.len()).sum();
        (counted.1.get(), reached)
    };
    let (few, more, most) = (reads(50), reads(100), reads(150));
    assert_eq!(more.0 - few.0, most.0 - more.0);
    assert_eq!(more.1 - few.1, most.1 - more.1);
}
