//! `show`: everything about one agent.

use std::sync::Arc;

use std::path::Path;

use callsheet::delegation::{Step, Task};
use callsheet::documents::Parsed;
use callsheet::output::report::Shown;
use callsheet::output::{concise, json_v1, text};
use callsheet::projects::NodeKind;
use callsheet::types::{Agent, Kind};

use super::context::Context;
use super::work::{self, Voice, begin};
use super::{graph, kinds, readers, sources, why};
use crate::cli::{Format, Work};
use crate::exit::{Exit, Failure};

pub(super) fn run(
    context: &mut Context,
    given: &str,
    whole: bool,
    readers: Option<&[String]>,
) -> Result<Exit, Failure> {
    let name = kinds::named(context, given);
    let mut found = find(context, name)?;
    if found.is_empty() && kinds::is_other(context, name)? {
        found = find(context, name)?;
    }
    let mut found = found.into_iter();
    let first = found.next();
    let also = found.map(|(dialect, _)| dialect).collect();
    match first {
        Some(_) if whole && context.kind == Kind::Agent => asked(context, name),
        Some((dialect, agent)) => match readers {
            Some(names) => {
                let path = agent.origin.path.as_deref();
                let path = path.ok_or_else(|| Failure::trouble(format!("`{name}` has no file")))?;
                readers::show(context, path, names)
            }
            None => print(context, dialect, agent, also, whole).map(|()| Exit::Clean),
        },
        None => other(context, given, name),
    }
}

/// An MCP server, a plugin, or a file that is neither agent, skill nor command.
fn other(context: &mut Context, asked: &str, name: &str) -> Result<Exit, Failure> {
    let named = kinds::users(context, asked)?;
    let mut nodes = named.nodes.iter();
    let is_other = |kind| matches!(kind, NodeKind::Server | NodeKind::Plugin | NodeKind::File);
    if !nodes.any(|node| is_other(node.kind)) {
        return Err(if kinds::is_of_graph(asked) {
            graph::unknown(asked, &named.instead)
        } else {
            why::not_found(context, name)?
        });
    }
    let look = context.look;
    context.print(&match context.format() {
        Format::Json => json_v1::named(&named),
        Format::Concise => concise::named(&named),
        Format::Text => text::named(&look, &named),
    })?;
    Ok(Exit::Clean)
}

/// The place of the task in what a model gets.
const TASK: &str = "TASK";

/// The first request to the agent's model in a run without options.
fn asked(context: &mut Context, name: &str) -> Result<Exit, Failure> {
    let (dialect, mut catalog) = work::catalog_of(context, name)?;
    let task = Task {
        agent: name.to_owned(),
        prompt: TASK.to_owned(),
        description: None,
        model: None,
    };
    let (voice, work) = (Voice::plain(), Work::default());
    let isolated = work::lend::worktrees(context, Arc::clone(&voice.say))?;
    let mut opened = begin::open(context, &mut catalog, &task, &work, &voice, &isolated)?;
    let steps = opened.session.poll(0, 0)?.into_iter();
    let request = steps.map(|step| step.step).find_map(|step| match step {
        Step::AskModel(request) => Some(request),
        Step::CallTool(_) => None,
    });
    let Some(request) = request else {
        let outcome = opened
            .session
            .outcome()?
            .map(|outcome| text::clean(&outcome.text));
        return Err(Failure::trouble(outcome.unwrap_or_default()));
    };
    let shown = match context.format() {
        Format::Json => json_v1::prompt(&dialect, &request),
        _ => text::prompt(&request),
    };
    context.print(&shown)?;
    Ok(Exit::Clean)
}

/// The definitions of this name, with their dialects.
fn find(context: &mut Context, name: &str) -> Result<Vec<(String, Agent)>, Failure> {
    let mut found = Vec::new();
    for dialect in context.dialects()? {
        let agent = context.open(&dialect)?.get(name)?;
        found.extend(agent.map(|agent| (dialect, agent)));
    }
    Ok(found)
}

fn print(
    context: &mut Context,
    dialect: String,
    agent: Agent,
    also: Vec<String>,
    whole: bool,
) -> Result<(), Failure> {
    if context.format() == Format::Concise {
        return Ok(context.print(&concise::agent(&agent))?);
    }
    let (document, line) = match &agent.origin.path {
        Some(path) => document(context, &agent, path, &dialect)?,
        None => (None, None),
    };
    let name = match &agent.origin.path {
        Some(path) => path.clone(),
        None => kinds::full(context.kind, &agent.name),
    };
    let mut users = kinds::users(context, &name)?.users;
    // Several tools have a built-in agent of one name.
    users.retain(|user| agent.origin.path.is_some() || user.node.dialect.as_ref() == Some(&dialect));
    let origins = match &agent.origin.path {
        Some(path) => sources::origins(context, &[path])?
            .pop()
            .map(|(_, origins)| origins),
        None => None,
    };
    let shown = Shown {
        dialect,
        agent,
        document,
        line,
        also,
        users,
        origins,
    };
    if context.format() == Format::Json {
        return Ok(context.print(&json_v1::show(&shown))?);
    }
    let dialects = context.callsheet.dialects_for(context.kind)?;
    let rules = dialects
        .iter()
        // An edition has the keys of its dialect.
        .find(|rules| shown.dialect.split('@').next() == Some(&rules.id))
        .expect("its catalog was opened");
    Ok(context.print(&text::show(&context.look, &shown, rules, whole))?)
}

/// The agent's file read on its own, and the line of its name.
fn document(
    context: &mut Context,
    agent: &Agent,
    path: &str,
    dialect: &str,
) -> Result<(Option<Parsed>, Option<usize>), Failure> {
    let contents = context.callsheet.read(path)?;
    let name = agent
        .fields
        .iter()
        .find(|field| field.canonical.as_deref() == Some("name"));
    let before = &contents[..name
        .map_or(0, |field| field.key_span.start as usize)
        .min(contents.len())];
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    // What a file lacks that settings name is in the settings.
    let source = &agent.origin.source;
    let is_whole = source == "." || Path::new(path).starts_with(source);
    let parsed = is_whole.then(|| context.callsheet.parse(path, &contents, Some(dialect)));
    Ok((parsed.transpose()?, Some(line)))
}
