//! Commands for what only an open catalog can do. The program does not have them.

use callsheet::catalogs::{Change, ChangeKind, Counters, Grant, Grants};
use callsheet::output::json_v1;
use callsheet::output::report::Shown;
use clap::Subcommand;
use serde_json::{Value, json};

use super::{Ran, Room};
use crate::backend::{Answer, Catalog, Refusal};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// The tools that an agent gets out of those offered.
    Grants { name: String, offered: Vec<String> },
    /// Registers an agent whose text is in a file.
    Register { name: String, file: String },
    /// Refreshes the catalog.
    Refresh,
    /// One agent from the cache.
    Get { name: String },
    /// The active names.
    Names,
    /// The counters of the catalog.
    Counters,
}

pub(super) fn run(room: &mut Room, command: &Command, dialect: Option<&String>) -> Answer<Ran> {
    let dialect = dialect.ok_or_else(|| Refusal("name a dialect, such as `--as kode`".to_owned()))?;
    let catalog = room.catalog(dialect)?;
    match command {
        Command::Grants { name, offered } => Ok(match catalog.grants(name, offered)? {
            Some(granted) => print(&grants(&granted)),
            None => Ran::silent(1),
        }),
        Command::Register { name, file } => register(catalog, name, file),
        Command::Refresh => {
            let changes: Vec<Value> = catalog.refresh()?.iter().map(change).collect();
            Ok(print(&json!(changes)))
        }
        Command::Get { name } => Ok(match catalog.get(name)? {
            Some(agent) => Ran::clean(json_v1::show(&Shown {
                dialect: dialect.clone(),
                agent,
                document: None,
                line: None,
                also: Vec::new(),
                users: Vec::new(),
                origins: None,
            })),
            None => Ran::silent(1),
        }),
        Command::Names => Ok(print(&json!(catalog.names()?))),
        Command::Counters => Ok(print(&counters(catalog.counters()?))),
    }
}

fn register(catalog: &mut dyn Catalog, name: &str, file: &str) -> Answer<Ran> {
    let contents = std::fs::read_to_string(file).map_err(|error| Refusal(error.to_string()))?;
    catalog.register(name, &contents)?;
    Ok(Ran::silent(0))
}

fn grants(grants: &Grants) -> Value {
    let grant = |grant: &Grant| {
        json!({
            "tool": grant.tool,
            "granted": grant.granted,
            "reason": grant.reason,
            "specifiers": grant.specifiers,
        })
    };
    let offered: Vec<Value> = grants.offered.iter().map(grant).collect();
    json!({ "offered": offered, "unmatched": grants.unmatched })
}

fn change(change: &Change) -> Value {
    let kind = match change.kind {
        ChangeKind::Appeared => "appeared",
        ChangeKind::Changed => "changed",
        ChangeKind::Vanished => "vanished",
        ChangeKind::NowWins => "now-wins",
        ChangeKind::Broke => "broke",
        ChangeKind::Fixed => "fixed",
    };
    json!({ "name": change.name, "kind": kind, "path": change.origin.path, "source": change.origin.source })
}

fn counters(counters: Counters) -> Value {
    json!({
        "files": counters.files,
        "parsed": counters.parsed,
        "bytes": counters.bytes,
        "hits": counters.hits,
        "misses": counters.misses,
        "cached": counters.cached,
    })
}

fn print(value: &Value) -> Ran {
    let text = serde_json::to_string_pretty(value).expect("a value has string keys");
    Ran::clean(text + "\n")
}
