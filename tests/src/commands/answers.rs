//! The commands of the program, without its texts: the same documents and exit codes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use callsheet::cli::{self, Check, Command, Convert};
use callsheet::documents::Fate;
use callsheet::output::json_v1;
use callsheet::output::report::{
    Checked, Conversion, Dialects, Explained, Hits, Listing, Lookout, Named, Readers, Readings, Shown,
};
use callsheet::projects::{Part, Request, Scope};
use callsheet::types::{Kind, Severity};

use super::{Ran, Room};
use crate::backend::{Answer, of_dialect};

pub(super) fn run(room: &mut Room, command: &Command, dialect: Option<&String>) -> Answer<Ran> {
    match command {
        Command::Check(check) if check.readers.is_some() => check_readers(room, &check.paths, dialect),
        Command::Check(command) => check(room, command, dialect),
        Command::List {
            all,
            kind: cli::Kind::Agent,
        } => list(room, *all, dialect),
        Command::Graph(command) => graph(room, command),
        Command::Inventory(_) => Ok(Ran::clean(json_v1::inventory(&room.runtime.inventory()?))),
        Command::Show { name, readers, .. } => show(room, name, readers.is_some(), dialect),
        Command::Why { name } => why(room, name, dialect),
        Command::Search {
            query,
            limit,
            kind: cli::Kind::Agent,
        } => search(room, query, *limit, dialect),
        Command::Convert(command) => convert(room, command, dialect),
        Command::Dialects { name } => dialects(room, name.as_deref()),
        // Only the program has the others: they write, run agents or do not concern files.
        _ => Ok(Ran::silent(2)),
    }
}

fn check(room: &mut Room, command: &Check, dialect: Option<&String>) -> Answer<Ran> {
    let (paths, missing) = there(&command.paths);
    if paths.is_empty() && missing {
        return Ok(Ran::exit(2, json_v1::check(&Checked::default())));
    }
    let request = Request {
        dialect: dialect.cloned(),
        targets: command.target.clone(),
        paths,
    };
    let report = room.runtime.check(&request, None)?;
    let checked = Checked::new(report);
    let findings = checked.count(Severity::Error) + checked.count(Severity::Warning);
    let exit = match (missing, findings) {
        (true, _) => 2,
        (false, 0) => 0,
        (false, _) => 1,
    };
    Ok(Ran::exit(exit, json_v1::check(&checked)))
}

fn graph(room: &mut Room, command: &cli::Graph) -> Answer<Ran> {
    let shown = room.runtime.graph(&command.scope(), command.part())?;
    match shown.instead {
        Some(_) => Ok(Ran::silent(1)),
        None => Ok(Ran::exit(0, json_v1::graph(&shown))),
    }
}

/// The paths that exist, and whether any is missing.
fn there(paths: &[PathBuf]) -> (Vec<String>, bool) {
    let there = paths.iter().filter(|path| path.symlink_metadata().is_ok());
    let there: Vec<String> = there.map(|path| path.to_string_lossy().into_owned()).collect();
    let missing = there.len() < paths.len();
    (there, missing)
}

fn convert(room: &mut Room, command: &Convert, dialect: Option<&String>) -> Answer<Ran> {
    let (path, dialect) = if Path::new(&command.what).is_file() {
        (command.what.clone(), dialect.cloned())
    } else {
        let mut found = None;
        for dialect in room.dialects(dialect)? {
            let agent = room.catalog(&dialect)?.get(&command.what)?;
            found = found.or(agent.and_then(|agent| Some((agent.origin.path?, Some(dialect)))));
        }
        match found {
            Some(found) => found,
            None => return Ok(Ran::silent(1)),
        }
    };
    let contents = room.runtime.read(&path)?;
    let (to, allow_loss) = (&*command.to, command.allow_loss);
    let answer = room
        .runtime
        .convert(&path, &contents, dialect.as_deref(), to, allow_loss)?;
    Ok(match answer {
        Ok(converted) => Ran::clean(json_v1::convert(&Conversion::done(path, to, converted))),
        Err(Some(report)) => Ran::exit(1, json_v1::convert(&Conversion::refused(path, to, report))),
        Err(None) => Ran::silent(1),
    })
}

fn list(room: &mut Room, all: bool, dialect: Option<&String>) -> Answer<Ran> {
    let (mut listings, mut looked_for) = (Vec::new(), Vec::new());
    for dialect in room.dialects(dialect)? {
        let catalog = room.catalog(&dialect)?;
        let (visited, entries) = (catalog.visited()?, catalog.entries(true)?);
        listings.push(Listing {
            kind: Kind::Agent,
            dialect,
            visited,
            entries,
        });
    }
    if listings.is_empty() {
        for dialect in room.runtime.dialects()? {
            let locations = room.runtime.locations(&dialect.id)?;
            looked_for.push(Lookout {
                dialect: dialect.id,
                locations,
            });
        }
    }
    Ok(Ran::clean(json_v1::list(&listings, &looked_for, all)))
}

fn check_readers(room: &mut Room, paths: &[PathBuf], dialect: Option<&String>) -> Answer<Ran> {
    let mut files = BTreeSet::new();
    for path in paths {
        let (below, _) = room.runtime.discover(&path.to_string_lossy())?;
        let only_owned = below.iter().any(|file| file.dialect.is_some());
        let below = below
            .into_iter()
            .filter(|file| !only_owned || file.dialect.is_some());
        files.extend(below.map(|file| file.path));
    }
    if paths.is_empty() {
        let request = Request {
            dialect: dialect.cloned(),
            targets: Vec::new(),
            paths: Vec::new(),
        };
        let report = room.runtime.check(&request, None)?;
        files.extend(report.files.into_iter().map(|file| file.path));
    }
    let readers = readers(room, files.into_iter().collect(), false)?;
    let splits = readers.files.iter().any(|file| {
        let any = |fate| file.seen.iter().any(|seen| seen.fate == fate);
        any(Fate::Dropped) && (any(Fate::Loads) || any(Fate::LoadsDifferently))
    });
    Ok(Ran::exit(i32::from(splits), json_v1::readers(&readers)))
}

fn readers(room: &mut Room, paths: Vec<String>, prompts: bool) -> Answer<Readers> {
    let mut files = Vec::new();
    for path in paths {
        let contents = room.runtime.read(&path)?;
        let seen = room.runtime.readings(&path, &contents)?;
        files.push(Readings { path, seen });
    }
    let readers = room.runtime.readers()?;
    Ok(Readers {
        readers,
        files,
        prompts,
    })
}

fn show(room: &mut Room, name: &str, read: bool, dialect: Option<&String>) -> Answer<Ran> {
    let (mut found, mut also) = (None, Vec::new());
    for dialect in room.dialects(dialect)? {
        match room.catalog(&dialect)?.get(name)? {
            Some(_) if found.is_some() => also.push(dialect),
            Some(agent) => found = Some((dialect, agent)),
            None => {}
        }
    }
    let Some((dialect, agent)) = found else {
        return Ok(Ran::silent(1));
    };
    if read {
        let path = agent.origin.path.into_iter().collect();
        return Ok(Ran::clean(json_v1::readers(&readers(room, path, true)?)));
    }
    let document = match &agent.origin.path {
        None => None,
        Some(path) => {
            let contents = room.runtime.read(path)?;
            Some(room.runtime.parse(&of_dialect(path, &dialect), &contents)?)
        }
    };
    let name = match &agent.origin.path {
        Some(path) => path.clone(),
        None => format!("agent:{}", agent.name),
    };
    let mut users = users(room, &name)?.users;
    users.retain(|user| agent.origin.path.is_some() || user.node.dialect.as_ref() == Some(&dialect));
    let shown = Shown {
        dialect,
        agent,
        document,
        line: None,
        also,
        users,
        origins: None,
    };
    Ok(Ran::clean(json_v1::show(&shown)))
}

fn why(room: &mut Room, name: &str, dialect: Option<&String>) -> Answer<Ran> {
    let mut explained = Vec::new();
    for dialect in room.dialects(dialect)? {
        let explanation = room.catalog(&dialect)?.explain(name)?;
        explained.push(Explained {
            dialect,
            kind: Kind::Agent,
            explanation,
        });
    }
    let is_explained = explained.iter().any(|it| !it.explanation.candidates.is_empty());
    let named = if is_explained {
        users(room, &format!("agent:{name}"))?
    } else {
        users(room, name)?
    };
    let known = is_explained || !named.nodes.is_empty();
    Ok(Ran::exit(
        i32::from(!known),
        json_v1::why(name, Some(&named), &explained, &[]),
    ))
}

fn users(room: &mut Room, name: &str) -> Answer<Named> {
    let scope = Scope::Users(name.to_owned());
    Ok(Named::new(name, room.runtime.graph(&scope, Part::Whole)?))
}

fn search(room: &mut Room, query: &str, limit: u32, dialect: Option<&String>) -> Answer<Ran> {
    let mut hits = Vec::new();
    for dialect in room.dialects(dialect)? {
        let entries = room.catalog(&dialect)?.search(query, limit)?;
        hits.push(Hits { dialect, entries });
    }
    let found = hits.iter().any(|hits| !hits.entries.is_empty());
    Ok(Ran::exit(i32::from(!found), json_v1::search(query, &hits)))
}

fn dialects(room: &mut Room, name: Option<&str>) -> Answer<Ran> {
    if let Some(name) = name {
        room.runtime.locations(name)?;
    }
    let all = Dialects {
        dialects: room.runtime.dialects()?,
        releases: room.runtime.readers()?,
    };
    Ok(Ran::clean(json_v1::dialects(&all.only(name))))
}
