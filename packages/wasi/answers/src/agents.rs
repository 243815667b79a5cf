//! Active agents.

use callsheet_contract::documents;
use callsheet_contract::projects::{Graph, Part, Request, Scope};
use callsheet_contract::types::{Agent, Kind};
use callsheet_report::report::{Explained, Listing, Lookout, Named, Shown};

use crate::{Failure, Project, read};

/// The agents of each dialect; if no dialect is in use, the folders that each searches.
///
/// Fails like [`Project::open`].
pub fn listed(project: &Project, dialects: &[String]) -> Result<(Vec<Listing>, Vec<Lookout>), Failure> {
    let mut listings = Vec::new();
    for dialect in dialects {
        let catalog = project.open(dialect, false)?;
        listings.push(Listing {
            kind: Kind::Agent,
            dialect: dialect.clone(),
            visited: catalog.visited(),
            entries: catalog.entries(true),
        });
    }
    let mut lookouts = Vec::new();
    if listings.is_empty() {
        for documents::Dialect { id: dialect, .. } in documents::dialects(Kind::Agent) {
            let locations = project.locations(&dialect)?;
            lookouts.push(Lookout { dialect, locations });
        }
    }
    Ok((listings, lookouts))
}

/// A part of what the files of the project refer to, in a scope.
///
/// Fails like [`Project::open`].
pub fn graph(project: &Project, scope: &Scope, part: Part) -> Result<Graph, Failure> {
    let request = Request {
        dialect: None,
        targets: Vec::new(),
        paths: Vec::new(),
    };
    let graph = project.contract().graph(&request, scope, part);
    graph.map_err(|error| Failure::catalog(error, ""))
}

/// What has a name in the project, and what refers to it.
///
/// Fails like [`Project::open`].
pub(crate) fn named(project: &Project, name: &str) -> Result<Named, Failure> {
    let graph = graph(project, &Scope::Users(name.to_owned()), Part::Whole)?;
    Ok(Named::new(name, graph))
}

/// What `why` says of a name: what has it and refers to it, its definitions in each dialect, and whether there are any.
///
/// Fails like [`Project::open`].
pub fn reasons(
    project: &Project,
    dialects: &[String],
    name: &str,
) -> Result<(Named, Vec<Explained>, bool), Failure> {
    let explained = explained(project, dialects, name)?;
    let is_explained = explained.iter().any(|it| !it.explanation.candidates.is_empty());
    let found = if is_explained {
        named(project, &format!("agent:{name}"))?
    } else {
        named(project, name)?
    };
    let known = is_explained || !found.nodes.is_empty();
    Ok((found, explained, known))
}

/// The definitions of a name in each dialect, and why one wins.
///
/// Fails like [`Project::open`].
pub fn explained(project: &Project, dialects: &[String], name: &str) -> Result<Vec<Explained>, Failure> {
    let mut explained = Vec::new();
    for dialect in dialects {
        explained.push(Explained {
            dialect: dialect.clone(),
            kind: Kind::Agent,
            explanation: project.open(dialect, false)?.explain(name),
        });
    }
    Ok(explained)
}

/// The active agent of this name, in the first dialect that has one.
///
/// Fails like [`Project::open`], and with [`Failure::Unreadable`] if its file cannot be read.
pub fn shown(project: &Project, dialects: &[String], name: &str) -> Result<Option<Shown>, Failure> {
    let mut found: Option<(String, Agent)> = None;
    let mut also = Vec::new();
    for dialect in dialects {
        match project.open(dialect, false)?.get(name) {
            Some(_) if found.is_some() => also.push(dialect.clone()),
            Some(agent) => found = Some((dialect.clone(), agent)),
            None => {}
        }
    }
    let Some((dialect, agent)) = found else {
        return Ok(None);
    };
    let (mut document, mut line) = (None, None);
    if let Some(path) = &agent.origin.path {
        let contents = read(path)?;
        let parsed = documents::parse(path, &contents, Some(&dialect), None);
        document = Some(parsed.map_err(|error| Failure::document(error, Some(&dialect)))?);
        line = Some(line_of_name(&agent, &contents));
    }
    let name = match &agent.origin.path {
        Some(path) => path.clone(),
        None => format!("agent:{}", agent.name),
    };
    let mut users = named(project, &name)?.users;
    users.retain(|user| agent.origin.path.is_some() || user.node.dialect.as_ref() == Some(&dialect));
    Ok(Some(Shown {
        dialect,
        agent,
        document,
        line,
        also,
        users,
        origins: None,
    }))
}

fn line_of_name(agent: &Agent, contents: &[u8]) -> usize {
    let mut fields = agent.fields.iter();
    let name = fields.find(|field| field.canonical.as_deref() == Some("name"));
    let at = name.map_or(0, |field| field.key_span.start as usize);
    let before = &contents[..at.min(contents.len())];
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}
