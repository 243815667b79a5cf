//! Names of skills and commands: `skill:NAME`, `command:NAME`, or the name alone if no agent has it.

use std::path::Path;

use callsheet::output::report::Named;
use callsheet::output::text;
use callsheet::projects::{NodeKind, Part, Scope};
use callsheet::types::Kind;

use super::context::Context;
use crate::exit::Failure;

/// The kind before a name, if there is one, and the name.
pub(super) fn split(name: &str) -> (Option<Kind>, &str) {
    let prefixes = [
        ("agent:", Kind::Agent),
        ("skill:", Kind::Skill),
        ("command:", Kind::Command),
    ];
    let mut prefixes = prefixes.into_iter();
    let found = prefixes.find_map(|(prefix, kind)| Some((Some(kind), name.strip_prefix(prefix)?)));
    found.unwrap_or((None, name))
}

/// The name without its prefix, which decides what the command is about.
pub(super) fn named<'n>(context: &mut Context, name: &'n str) -> &'n str {
    let (kind, name) = split(name);
    context.kind = kind.unwrap_or(context.kind);
    name
}

/// The name of an agent without its prefix. Refuses skills and commands.
pub(super) fn of_agent<'n>(name: &'n str, command: &str) -> Result<&'n str, Failure> {
    let kind = match split(name) {
        (None | Some(Kind::Agent), name) => return Ok(name),
        (Some(kind), _) => kind,
    };
    let failure = Failure::trouble(format!("`{command}` does not support {}s", text::noun(kind)));
    let name = text::clean(name);
    Err(failure.help(format!("`callsheet why {name}` shows the files")))
}

/// Whether a name is that of something without a catalog.
pub(super) fn is_of_graph(name: &str) -> bool {
    ["server:", "plugin:", "file:"]
        .iter()
        .any(|kind| name.starts_with(kind))
}

/// The dialect of files of a kind, as what writes them takes it.
pub(super) fn dialect(kind: Kind, id: &str) -> String {
    if kind == Kind::Agent {
        id.to_owned()
    } else {
        full(kind, id)
    }
}

/// A name with its kind.
pub(super) fn full(kind: Kind, name: &str) -> String {
    format!("{}:{name}", text::noun(kind))
}

/// What has a name, or is the file of this path, and what refers to it.
pub(super) fn users(context: &mut Context, name: &str) -> Result<Named, Failure> {
    let scope = Scope::Users(name.to_owned());
    let graph = context.callsheet.part_of_graph(&scope, Part::Whole)?;
    Ok(Named::new(name, graph))
}

/// The name that the file of this path defines, which decides what the command is about.
pub(super) fn of_file(context: &mut Context, path: &str) -> Result<Option<String>, Failure> {
    if !Path::new(path).is_file() {
        return Ok(None);
    }
    for node in users(context, path)?.nodes {
        context.kind = match node.kind {
            NodeKind::Agent => Kind::Agent,
            NodeKind::Skill => Kind::Skill,
            NodeKind::Command => Kind::Command,
            NodeKind::Server | NodeKind::Plugin | NodeKind::File => continue,
        };
        return Ok(Some(node.name));
    }
    Ok(None)
}

/// Whether something other than an agent has this name. The command is about that from now on.
pub(super) fn is_other(context: &mut Context, name: &str) -> Result<bool, Failure> {
    if context.kind != Kind::Agent {
        return Ok(false);
    }
    for kind in [Kind::Skill, Kind::Command] {
        context.kind = kind;
        let known = context.callsheet.dialects_for(kind)?;
        let mut dialects = context.dialects()?;
        // Not every tool has both.
        dialects.retain(|id| known.iter().any(|dialect| dialect.id == *id));
        for dialect in dialects {
            if !context.open(&dialect)?.explain(name)?.candidates.is_empty() {
                return Ok(true);
            }
        }
    }
    context.kind = Kind::Agent;
    Ok(false)
}
