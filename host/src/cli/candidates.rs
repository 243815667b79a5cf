//! Values that shells complete. What cannot be determined is not offered.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};

use crate::catalogs::Entry;
use crate::types::Kind;
use crate::{Callsheet, Error};

/// Where values come from: the options on the line so far.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) dialect: Option<String>,
    pub(super) project: PathBuf,
    pub(super) home: Option<PathBuf>,
    pub(super) no_home: bool,
}

/// Completers take no arguments.
static SCOPE: OnceLock<Scope> = OnceLock::new();

/// Sets it, once.
pub(super) fn look_in(scope: Scope) {
    SCOPE.get_or_init(|| scope);
}

/// The dialects and their releases.
pub(super) fn dialects() -> Vec<CompletionCandidate> {
    offered(|callsheet, _| {
        let dialects = callsheet.dialects()?.into_iter();
        let releases = callsheet.readers()?.into_iter();
        let named = dialects.map(|dialect| (dialect.id, dialect.title));
        let named = named.chain(releases.map(|reader| (reader.id, reader.title)));
        Ok(named
            .map(|(id, title)| CompletionCandidate::new(id).help(Some(title.into())))
            .collect())
    })
}

/// The rules.
pub(super) fn rules() -> Vec<CompletionCandidate> {
    offered(|callsheet, _| {
        let rules = callsheet.rules()?.into_iter();
        Ok(rules
            .map(|rule| CompletionCandidate::new(rule.name).help(Some(rule.summary.into())))
            .collect())
    })
}

/// Names of agents; those of skills and commands behind `skill:` and `command:`.
pub(super) fn names(current: &OsStr) -> Vec<CompletionCandidate> {
    starting(current, &|_| true)
}

/// Names of what has a file.
pub(super) fn own_names(current: &OsStr) -> Vec<CompletionCandidate> {
    starting(current, &has_file)
}

/// Names and files.
pub(super) fn names_and_files(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut all = names(current);
    all.extend(PathCompleter::any().complete(current));
    all
}

/// Names of agents.
pub(super) fn agents() -> Vec<CompletionCandidate> {
    offered(|callsheet, scope| entries(callsheet, scope, Kind::Agent, &|_| true))
}

/// Names of agents, and files.
pub(super) fn agents_and_files(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut all = agents();
    all.retain(|candidate| is_start(current, candidate));
    all.extend(PathCompleter::any().complete(current));
    all
}

/// Names of agents with a file.
pub(super) fn own_agents() -> Vec<CompletionCandidate> {
    offered(|callsheet, scope| entries(callsheet, scope, Kind::Agent, &has_file))
}

fn starting(current: &OsStr, is_meant: &dyn Fn(&Entry) -> bool) -> Vec<CompletionCandidate> {
    let start = current.to_string_lossy();
    let prefixes = [
        (Kind::Agent, ""),
        (Kind::Skill, "skill:"),
        (Kind::Command, "command:"),
    ];
    // Files of other kinds are only read for who asks for them.
    let is_asked =
        |prefix: &str| !start.is_empty() && prefix.starts_with(&*start) || start.starts_with(prefix);
    let mut found = offered(|callsheet, scope| {
        let mut all = Vec::new();
        for (kind, prefix) in prefixes.into_iter().filter(|(_, prefix)| is_asked(prefix)) {
            let found = entries(callsheet, scope, kind, is_meant)?.into_iter();
            all.extend(found.map(|candidate| candidate.add_prefix(prefix)));
        }
        Ok(all)
    });
    found.retain(|candidate| is_start(current, candidate));
    found
}

fn is_start(current: &OsStr, candidate: &CompletionCandidate) -> bool {
    let value = candidate.get_value().to_string_lossy();
    value.starts_with(&*current.to_string_lossy())
}

fn has_file(entry: &Entry) -> bool {
    entry.origin.path.is_some()
}

/// The active ones of each dialect.
fn entries(
    callsheet: &mut Callsheet,
    scope: &Scope,
    kind: Kind,
    is_meant: &dyn Fn(&Entry) -> bool,
) -> Result<Vec<CompletionCandidate>, Error> {
    let dialects = match &scope.dialect {
        Some(dialect) => vec![dialect.clone()],
        None => callsheet.dialects_in_use_for(kind)?,
    };
    let mut names = BTreeSet::new();
    for dialect in dialects {
        let entries = callsheet.open_for(&dialect, kind)?.entries(false)?.into_iter();
        names.extend(entries.filter(is_meant).map(|entry| entry.name));
    }
    Ok(names.into_iter().map(CompletionCandidate::new).collect())
}

fn offered(
    find: impl FnOnce(&mut Callsheet, &Scope) -> Result<Vec<CompletionCandidate>, Error>,
) -> Vec<CompletionCandidate> {
    let Some(scope) = SCOPE.get() else {
        return Vec::new();
    };
    let project = scope.project.to_string_lossy();
    let mut builder = Callsheet::builder().project(&*project).cache_capacity(1);
    if let Some(home) = &scope.home {
        builder = builder.home(home.to_string_lossy());
    }
    if scope.no_home {
        builder = builder.without_home();
    }
    builder
        .build()
        .and_then(|mut callsheet| find(&mut callsheet, scope))
        .unwrap_or_default()
}
