//! Version 1 of the JSON output, described in `docs/json.md`.
//!
//! The documents have types of their own: the contract may grow without changing a document that others rely on. Keys are snake_case,
//! values of closed sets are kebab-case, unset values are null, and every key is always present.

mod accepted;
mod agent;
mod built;
mod catalog;
mod convert;
mod diagnostic;
mod dialect;
mod document;
mod event;
mod fixed;
mod grants;
mod graph;
mod inventory;
mod prompt;
mod readers;
mod repository;
mod rule;
mod trust;
mod watch;
mod written;

use serde::Serialize;
use serde_json::value::RawValue;

use callsheet_contract::catalogs::{Change, Standing};
use callsheet_contract::conversation::{ModelRequest, ToolAnswer, ToolCall};
use callsheet_contract::documents::Rule;
use callsheet_contract::projects::{Graph, Inventory};

use crate::built::{Built, Origins};
use crate::doctor::Section;
use crate::json;
use crate::report::{
    Checked, Conversion, Conversions, Dialects, Ended, Explained, Granted, Hits, Listing, Lookout, Named,
    Readers, Shown, Trusted, Written,
};

/// The document that `check` prints.
pub fn check(checked: &Checked) -> String {
    document("check", diagnostic::Check::from(checked))
}

/// The contents of that document, to be kept.
pub fn kept(checked: &Checked) -> Box<RawValue> {
    serde_json::value::to_raw_value(&diagnostic::Check::from(checked)).expect("the wire types cannot fail")
}

/// The document that `check --repos` prints: what each check says, or why it failed.
pub fn repositories<'a>(
    counts: [usize; 3],
    repositories: impl Iterator<Item = (&'a str, Result<&'a RawValue, &'a str>)>,
) -> String {
    document("check", diagnostic::Repositories::new(counts, repositories))
}

/// The document that `list` prints; without `all`, only active definitions are among the entries.
///
/// `looked_for` are the searched places if no dialect is in use.
pub fn list(listings: &[Listing], looked_for: &[Lookout], all: bool) -> String {
    #[derive(Serialize)]
    struct List<'a> {
        dialects: Vec<catalog::Listing<'a>>,
        looked_for: Vec<catalog::Lookout<'a>>,
    }
    let keep = |standing| all || standing == Standing::Active;
    document(
        "list",
        List {
            dialects: listings
                .iter()
                .map(|listing| catalog::Listing::new(listing, keep))
                .collect(),
            looked_for: looked_for.iter().map(Into::into).collect(),
        },
    )
}

/// The document that `show` prints.
pub fn show(shown: &Shown) -> String {
    document("show", agent::Show::from(shown))
}

/// The document that `show --prompt` prints: what the model of an agent gets.
pub fn prompt(dialect: &str, request: &ModelRequest) -> String {
    document("show", prompt::Prompt::new(dialect, request))
}

/// The document that `show` prints for an MCP server or a file.
pub fn named(named: &Named) -> String {
    #[derive(Serialize)]
    struct Show<'a> {
        name: &'a str,
        nodes: Vec<graph::Node<'a>>,
        used_by: Vec<graph::User<'a>>,
    }
    document(
        "show",
        Show {
            name: &named.name,
            nodes: named.nodes.iter().map(Into::into).collect(),
            used_by: named.users.iter().map(Into::into).collect(),
        },
    )
}

/// The document that `why` prints; without `named`, only about one catalog. `compiled` are the candidates that are.
pub fn why(
    name: &str,
    named: Option<&Named>,
    explained: &[Explained],
    compiled: &[(String, Origins)],
) -> String {
    #[derive(Serialize)]
    struct Why<'a> {
        name: &'a str,
        nodes: Option<Vec<graph::Node<'a>>>,
        used_by: Option<Vec<graph::User<'a>>>,
        dialects: Vec<catalog::Explained<'a>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        compiled: Vec<built::Compiled<'a>>,
    }
    document(
        "why",
        Why {
            name,
            nodes: named.map(|named| named.nodes.iter().map(Into::into).collect()),
            used_by: named.map(|named| named.users.iter().map(Into::into).collect()),
            dialects: explained.iter().map(Into::into).collect(),
            compiled: compiled.iter().map(Into::into).collect(),
        },
    )
}

/// The document that `search` prints.
pub fn search(query: &str, hits: &[Hits]) -> String {
    #[derive(Serialize)]
    struct Search<'a> {
        query: &'a str,
        dialects: Vec<catalog::Hits<'a>>,
    }
    document(
        "search",
        Search {
            query,
            dialects: hits.iter().map(Into::into).collect(),
        },
    )
}

/// The document that `graph` prints.
pub fn graph(graph: &Graph) -> String {
    document("graph", graph::Graph::from(graph))
}

/// The document that `inventory` prints.
pub fn inventory(inventory: &Inventory) -> String {
    document("inventory", inventory::Inventory::from(inventory))
}

/// The contents of that document, to be kept.
pub fn kept_inventory(inventory: &Inventory) -> Box<RawValue> {
    serde_json::value::to_raw_value(&inventory::Inventory::from(inventory))
        .expect("the wire types cannot fail")
}

/// The document that `inventory --repos` prints: each inventory, or why there is none.
pub fn inventories<'a>(
    repositories: impl Iterator<Item = (&'a str, Result<&'a RawValue, &'a str>)>,
) -> String {
    document("inventory", inventory::Repositories::new(repositories))
}

/// The document that `convert` prints for a directory.
pub fn conversions(conversions: &Conversions) -> String {
    document("convert", convert::Folder::from(conversions))
}

/// The document that `convert` prints.
pub fn convert(conversion: &Conversion) -> String {
    document("convert", convert::Convert::from(conversion))
}

/// The document that `build` prints.
pub fn built(built: &Built, checked: &Checked) -> String {
    document("build", built::Built::new(built, checked))
}

/// The document that `dialects` prints.
pub fn dialects(all: &Dialects) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        dialects: Vec<dialect::Dialect<'a>>,
        releases: Vec<readers::Reader<'a>>,
    }
    document(
        "dialects",
        Document {
            dialects: all.dialects.iter().map(Into::into).collect(),
            releases: all.releases.iter().map(Into::into).collect(),
        },
    )
}

/// The document that `check --readers` and `show --readers` print.
pub fn readers(readers: &Readers) -> String {
    document("readers", readers::Document::new(readers))
}

/// The document that `rules` prints.
pub fn rules(rules: &[Rule]) -> String {
    #[derive(Serialize)]
    struct Rules<'a> {
        rules: Vec<rule::Rule<'a>>,
    }
    document(
        "rules",
        Rules {
            rules: rules.iter().map(Into::into).collect(),
        },
    )
}

/// The document that `explain` prints.
pub fn explain(rule: &Rule) -> String {
    #[derive(Serialize)]
    struct Explain<'a> {
        rule: rule::Rule<'a>,
    }
    document("explain", Explain { rule: rule.into() })
}

/// The document that `new`, `edit`, `rename`, `rm` and `copy` print.
pub fn written(written: &Written) -> String {
    document(written.command, written::Written::from(written))
}

/// The document that `doctor` prints.
pub fn doctor(sections: &[Section]) -> String {
    #[derive(Serialize)]
    struct Doctor<'a> {
        sections: &'a [Section],
    }
    document("doctor", Doctor { sections })
}

/// The document that `tools` prints.
pub fn tools(granted: &Granted) -> String {
    document("tools", grants::Grants::from(granted))
}

/// The document that `trust` prints.
pub fn trust(files: &[Trusted]) -> String {
    document("trust", trust::Trust::from(files))
}

/// The line that `run` and `task` print for an event.
pub fn event(event: &callsheet_contract::delegation::Event) -> String {
    line("run", event::Event::from(event))
}

/// The line that `run` and `task` print for a piece of an agent's text, as it arrives.
pub fn piece(run: u32, text: &str) -> String {
    line("run", event::Seen::Piece { run, text })
}

/// The line that `run` and `task` print for the result of a tool.
pub fn result(agent: &[String], call: &ToolCall, answer: &ToolAnswer) -> String {
    let seen = event::Seen::Result {
        agent,
        id: &call.id,
        tool: &call.name,
        text: &answer.text,
        is_error: answer.is_error,
    };
    line("run", seen)
}

/// The line that `run` and `task` print for a call that the user or the host denied.
pub fn denied(agent: &[String], call: &ToolCall, reason: &str) -> String {
    let seen = event::Seen::Denied {
        agent,
        id: &call.id,
        tool: &call.name,
        reason,
    };
    line("run", seen)
}

/// The line that `run` and `task` print for a call that may have been made before the session was resumed.
pub fn in_doubt(agent: &[String], tool: &str, arguments: &str) -> String {
    let seen = event::Seen::InDoubt {
        agent,
        tool,
        arguments,
    };
    line("run", seen)
}

/// The last line that `run` and `task` print. `session` is the ID that it is saved by.
pub fn outcome(ended: &Ended, session: Option<&str>) -> String {
    line("run", event::Last::new(ended, session))
}

/// The first line that `watch` prints: the number of active agents in each dialect.
pub fn watching(agents: &[(String, usize)]) -> String {
    line("watch", watch::Watching::from(agents))
}

/// A line that `watch` prints for changes.
pub fn news(dialect: &str, changes: &[Change], checked: &Checked) -> String {
    line("watch", watch::News::new(dialect, changes, checked))
}

fn line(command: &'static str, content: impl Serialize) -> String {
    json::line(&Document {
        version: 1,
        command,
        content,
    })
}

#[derive(Serialize)]
struct Document<T> {
    version: u32,
    command: &'static str,
    #[serde(flatten)]
    content: T,
}

fn document(command: &'static str, content: impl Serialize) -> String {
    let document = Document {
        version: 1,
        command,
        content,
    };
    json::pretty(&document)
}
