//! The results of commands, before they are formatted.

use serde::{Deserialize, Serialize};

use callsheet_contract::catalogs::{Entry, Explanation, Location, Standing, Visited};
use callsheet_contract::delegation::{Outcome, Usage};
use callsheet_contract::documents::{Carried, Converted, Dialect, Parsed, Reader, Seen};
use callsheet_contract::projects::{self, Graph, Node, Relation};
use callsheet_contract::types::{Agent, Kind, Place};

pub use crate::built::{Built, BuiltFile, BuiltState, Origins};
pub use crate::checked::{Accepted, AcceptedFinding, Applied, Checked, Finding, FixedFile, Suppression};

/// What `dialects` describes.
#[derive(Clone, Debug)]
pub struct Dialects {
    /// The dialects, sorted by name.
    pub dialects: Vec<Dialect>,
    /// The releases with rules of their own, sorted by name.
    pub releases: Vec<Reader>,
}

impl Dialects {
    /// Only the dialect of this name and its releases, or the release of this name.
    #[must_use]
    pub fn only(mut self, name: Option<&str>) -> Self {
        if let Some(name) = name {
            self.dialects.retain(|dialect| dialect.id == name);
            self.releases
                .retain(|release| release.dialect == name || release.id == name);
        }
        self
    }
}

/// How the readers read files.
#[derive(Clone, Debug)]
pub struct Readers {
    /// Every reader, sorted by name.
    pub readers: Vec<Reader>,
    /// The files, in order.
    pub files: Vec<Readings>,
    /// Whether to show the prompts, too.
    pub prompts: bool,
}

/// How the readers read one file.
#[derive(Clone, Debug)]
pub struct Readings {
    /// The file.
    pub path: String,
    /// The result of each reader, in the order of the readers.
    pub seen: Vec<Seen>,
}

/// The catalog of one dialect, for `list`.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The dialect.
    pub dialect: String,
    /// What its files define.
    pub kind: Kind,
    /// The searched places, the lowest precedence first.
    pub visited: Vec<Visited>,
    /// Every definition, including inactive ones.
    pub entries: Vec<Entry>,
}

impl Listing {
    /// The number of definitions with this standing.
    pub fn count(&self, standing: Standing) -> usize {
        self.entries
            .iter()
            .filter(|entry| entry.standing == standing)
            .count()
    }
}

/// The places of a dialect, for a `list` without a dialect in use.
#[derive(Clone, Debug)]
pub struct Lookout {
    /// The dialect.
    pub dialect: String,
    /// Its directories, the lowest precedence first.
    pub locations: Vec<Location>,
}

/// One agent, for `show`.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The dialect.
    pub dialect: String,
    /// The active definition.
    pub agent: Agent,
    /// Its file read on its own; none if it has no file.
    pub document: Option<Parsed>,
    /// The line of that file with the name, or the first.
    pub line: Option<usize>,
    /// Other dialects in use that have an agent of this name.
    pub also: Vec<String>,
    /// What refers to it.
    pub users: Vec<User>,
    /// Where its fields are stated, if `build` compiles its file.
    pub origins: Option<Origins>,
}

/// A reference to something.
#[derive(Clone, Debug)]
pub struct User {
    /// The file that refers to it.
    pub node: Node,
    /// How.
    pub relation: Relation,
    /// Where.
    pub place: Place,
}

/// What has a name, and the references to it.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// The name as asked.
    pub name: String,
    /// What has it.
    pub nodes: Vec<Node>,
    /// What refers to it.
    pub users: Vec<User>,
    /// If nothing has it: the names that may be meant.
    pub instead: Vec<String>,
}

impl Named {
    /// The graph of the users of a name.
    pub fn new(name: &str, graph: Graph) -> Self {
        let user = |edge: projects::Edge| User {
            node: graph.nodes[edge.source as usize].clone(),
            relation: edge.relation,
            place: edge.place,
        };
        let named = graph.named.iter();
        Self {
            name: name.to_owned(),
            nodes: named.map(|at| graph.nodes[*at as usize].clone()).collect(),
            users: graph.edges.into_iter().map(user).collect(),
            instead: graph.instead.unwrap_or_default(),
        }
    }
}

/// Every definition of a name in one dialect, for `why`.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The dialect.
    pub dialect: String,
    /// What its files define.
    pub kind: Kind,
    /// The definitions, and the reasons.
    pub explanation: Explanation,
}

/// The matches of a query in one dialect, for `search`.
#[derive(Clone, Debug)]
pub struct Hits {
    /// The dialect.
    pub dialect: String,
    /// The matching definitions, the best first.
    pub entries: Vec<Entry>,
}

/// The result of a command that writes.
#[derive(Clone, Debug)]
pub struct Written {
    /// The command.
    pub command: &'static str,
    /// The file that was created or changed; none if one was only removed.
    pub path: Option<String>,
    /// The file that it was made from, or that was removed.
    pub from: Option<String>,
    /// Whether anything changed.
    pub changed: bool,
    /// Other files that were changed with it.
    pub also: Vec<String>,
    /// What the names resolve to now.
    pub now: Vec<Now>,
}

/// What a name resolves to.
#[derive(Clone, Debug)]
pub struct Now {
    /// The dialect.
    pub dialect: String,
    /// What has the name.
    pub kind: Kind,
    /// The name.
    pub name: String,
    /// The active definition.
    pub winner: Option<Entry>,
    /// The others of the name, in order of precedence.
    pub others: Vec<Entry>,
}

impl Now {
    /// The files that define the name.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let entries = self.winner.iter().chain(&self.others);
        entries.filter_map(|entry| entry.origin.path.as_deref())
    }
}

/// The result of a conversion.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The file.
    pub path: String,
    /// The target dialect.
    pub to: String,
    /// The result; none if it is refused.
    pub converted: Option<Converted>,
    /// The file that was written.
    pub written: Option<String>,
    /// The fate of each field if it is refused.
    refused: Vec<Carried>,
}

/// The conversions of a whole directory.
#[derive(Clone, Debug)]
pub struct Conversions {
    /// The dialect of the results.
    pub to: String,
    /// The files, sorted by path.
    pub files: Vec<Conversion>,
    /// The target of each result; none if it is refused.
    pub targets: Vec<Option<String>>,
}

impl Conversions {
    /// None yet.
    pub fn new(to: &str) -> Self {
        Self {
            to: to.into(),
            files: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// The number of files without a result.
    pub fn refused(&self) -> usize {
        let refused = self.files.iter().filter(|file| file.converted.is_none());
        refused.count()
    }
}

impl Conversion {
    /// The fate of each field.
    pub fn report_mut(&mut self) -> &mut [Carried] {
        match &mut self.converted {
            Some(converted) => &mut converted.report,
            None => &mut self.refused,
        }
    }

    /// It succeeded.
    pub fn done(path: String, to: &str, converted: Converted) -> Self {
        Self {
            path,
            to: to.into(),
            converted: Some(converted),
            written: None,
            refused: Vec::new(),
        }
    }

    /// It was refused.
    pub fn refused(path: String, to: &str, report: Vec<Carried>) -> Self {
        Self {
            path,
            to: to.into(),
            converted: None,
            written: None,
            refused: report,
        }
    }

    /// The fate of each field.
    pub fn report(&self) -> &[Carried] {
        let done = self.converted.as_ref().map(|converted| &converted.report);
        done.unwrap_or(&self.refused)
    }
}

/// The offered tools that an agent gets.
#[derive(Debug)]
pub struct Granted {
    /// The dialect.
    pub dialect: String,
    /// The agent.
    pub name: String,
    /// Tool by tool.
    pub grants: callsheet_contract::catalogs::Grants,
}

/// A file, and whether the user trusts it.
#[derive(Clone, Debug)]
pub struct Trusted {
    /// The file.
    pub path: String,
    /// Whether its current contents are trusted.
    pub trusted: bool,
    /// What it would control, and the values.
    pub stakes: Vec<(&'static str, String)>,
}

/// What one agent used, in all of its runs.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct AgentUsage {
    /// The agent, the outermost first.
    pub agent: Vec<String>,
    /// Its tasks. Earlier versions did not save this, and the next three.
    #[serde(default)]
    pub calls: u32,
    /// How often it ended without an answer.
    #[serde(default)]
    pub failures: u32,
    /// Its tool calls that were denied.
    #[serde(default)]
    pub denials: u32,
    /// The time from its tasks to its answers, including that of the agents it called.
    #[serde(default)]
    pub nanoseconds: u64,
    /// Answers of its models.
    pub turns: u32,
    /// Tokens read.
    pub input_tokens: u64,
    /// Those of them that were read from the provider's cache.
    pub cache_read_tokens: u64,
    /// Those of them that were written to the provider's cache.
    pub cache_write_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Cost, in millionths of the host's currency.
    pub cost: u64,
}

impl AgentUsage {
    /// Adds another usage of the agent.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in [
            (&mut self.calls, other.calls),
            (&mut self.failures, other.failures),
            (&mut self.denials, other.denials),
            (&mut self.turns, other.turns),
        ] {
            *sum = sum.saturating_add(more);
        }
        for (sum, more) in [
            (&mut self.nanoseconds, other.nanoseconds),
            (&mut self.input_tokens, other.input_tokens),
            (&mut self.cache_read_tokens, other.cache_read_tokens),
            (&mut self.cache_write_tokens, other.cache_write_tokens),
            (&mut self.output_tokens, other.output_tokens),
            (&mut self.cost, other.cost),
        ] {
            *sum = sum.saturating_add(more);
        }
    }

    /// The usage of several agents together.
    pub fn sum(agents: &[Self]) -> Self {
        let mut sum = Self::default();
        agents.iter().for_each(|one| sum.add(one));
        sum
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// The outcome; none if it was saved before. After a limit and after a failure it can be resumed.
    pub outcome: Option<Outcome>,
    /// Its usage.
    pub usage: Usage,
    /// The usage of each agent.
    pub agents: Vec<AgentUsage>,
    /// Whether a tool call was denied.
    pub refused: bool,
    /// Git worktrees that its agents changed.
    pub worktrees: Vec<Worktree>,
}

/// A git worktree that an agent worked in, and that is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Worktree {
    /// The agent, the outermost first.
    pub agent: Vec<String>,
    /// Its directory.
    pub path: String,
    /// Its branch.
    pub branch: String,
    /// Commits since its start.
    pub commits: u32,
    /// Files that differ from its start, new ones included. Of a new directory only its name, which ends with `/`.
    pub files: Vec<String>,
    /// Those of them whose changes are not committed.
    pub uncommitted: Vec<String>,
    /// New files and directories that git ignores.
    pub ignored: Vec<String>,
    /// A command that commits the rest, if there is any.
    pub commit: Option<String>,
    /// A command that then merges the commits, if there are any.
    pub merge: Option<String>,
    /// A command that deletes it with all changes.
    pub delete: String,
    /// Why its changes are not known, or why it could not be removed.
    pub problem: Option<String>,
}
