//! The models and tools of this machine.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use callsheet::config;
use callsheet::delegation::{Isolation, Surroundings};
use callsheet::documents::Dialect;
use callsheet::keys::{Keys, Masked};
use callsheet::mcp::Servers;
use callsheet::model::{self, ProviderConfig};
use callsheet::output::text::clean;
use callsheet::tools::{Asker, Asking, Joined, LocalTools, Options, WebSearch};
use callsheet::trust::Trust;
use callsheet::worktrees::Worktrees;
use callsheet::{Catalog, Models, Say, Tools};

use super::super::context::Context;
use super::confined::Confined;
use super::coordinator;
use super::servers::{self, Started};
use crate::exit::Failure;

/// Calls that change nothing can be repeated.
const REPEATABLE: [&str; 5] = ["read", "glob", "grep", "list", "todo"];

/// The project's directory, absolute.
pub(in crate::commands) fn project(context: &Context) -> Result<PathBuf, Failure> {
    let project = &context.options.project;
    let found = project.canonicalize();
    found.map_err(|error| Failure::trouble(format!("cannot read {}: {error}", project.display())))
}

/// Tools for the agents of a catalog.
#[derive(Clone)]
pub(in crate::commands) struct Lent {
    pub(in crate::commands) tools: Arc<dyn Tools>,
    /// The agents whose files the user trusts.
    pub(in crate::commands) trusted: Vec<String>,
    /// Agents, and tools that only they have.
    own: Vec<(String, String)>,
    servers: Option<Arc<Servers>>,
}

impl Lent {
    /// Tells a catalog which tools are reserved.
    pub(in crate::commands) fn reserve(&self, catalog: &mut Catalog) -> callsheet::Result<()> {
        let mut own = self.own.iter();
        own.try_for_each(|(agent, tool)| catalog.reserve(agent, tool))
    }

    /// Replaces rules for the tools that a server calls read-only, `mcp__SERVER(read-only)`, by those tools.
    pub(in crate::commands) fn name_read_only(&self, allow: &mut Vec<String>) {
        let server = |rule: &String| {
            let server = rule.strip_prefix("mcp__")?.strip_suffix("(read-only)")?;
            Some(server.to_owned())
        };
        let servers: Vec<String> = allow.iter().filter_map(server).collect();
        allow.retain(|rule| server(rule).is_none());
        let started = self.servers.iter();
        allow.extend(started.flat_map(|it| servers.iter().flat_map(|server| it.read_only_of(server))));
    }

    /// The names of the tools that an agent may get.
    pub(in crate::commands) fn offered_to(&self, name: &str) -> Vec<String> {
        let specs = self.tools.specs().into_iter().map(|spec| spec.name);
        let is_others = |tool: &String| {
            let mut owners = self.own.iter().filter(|(_, own)| own == tool).peekable();
            owners.peek().is_some() && !owners.any(|(owner, _)| owner == name)
        };
        specs.filter(|tool| !is_others(tool)).collect()
    }
}

/// The worktrees of a new session, or the reason why agents get none.
pub(in crate::commands) type Isolated = Result<Arc<Worktrees>, String>;

/// The worktrees of a new session of `run` or `task`.
pub(in crate::commands) fn worktrees(context: &Context, say: Say) -> Result<Isolated, Failure> {
    let worktrees = Worktrees::new(&project(context)?, context.options.home.as_deref(), say);
    Ok(worktrees.map(Arc::new))
}

/// The same for the component.
pub(super) fn isolation(isolated: &Isolated) -> Isolation {
    match isolated {
        Ok(worktrees) => Isolation::Worktrees(worktrees.places()),
        Err(reason) => Isolation::Unavailable(reason.clone()),
    }
}

/// The tools that agents may get. The catalog is told which of them are reserved.
pub(in crate::commands) fn tools(
    context: &mut Context,
    catalog: &mut Catalog,
    say: Say,
    confined: Confined,
    worktrees: Option<Arc<Worktrees>>,
) -> Result<Lent, Failure> {
    let name = catalog.dialect().to_owned();
    let (project, dialect) = (project(context)?, described(context, &name)?);
    let trust = trust(context)?;
    let run = if trust.holds_for(&context.config) {
        context.config.run.clone()
    } else {
        config::Run::default()
    };
    let confinement = confined.on_this_system(context, &project, &trust)?;
    let options = Options {
        environment: run.environment,
        confinement: confinement.clone(),
        private_hosts: run.private_hosts,
        worktrees,
        unsaved: context.unsaved.clone(),
    };
    let local: Arc<dyn Tools> = Arc::new(LocalTools::new(&project, &dialect, options)?);
    let agents = trust.agents(&mut context.callsheet, catalog)?;
    let started = servers::start(
        context,
        &project,
        &trust,
        &agents,
        &name,
        say,
        confinement.as_ref(),
    )?;
    let (started, own) = match started {
        Some(Started { servers, own }) => (Some(Arc::new(servers)), own),
        None => (None, Vec::new()),
    };
    let servers: Arc<dyn Tools> = match &started {
        Some(servers) => Arc::clone(servers) as Arc<dyn Tools>,
        None => Arc::new(Joined::new(Vec::new())),
    };
    let mut sets = vec![local, Arc::clone(&servers)];
    if let Some(tool) = &run.web_search {
        sets.push(Arc::new(searching(servers, tool, &dialect)?));
    }
    let tools = Joined::new(sets);
    let trusted = agents.into_iter().map(|agent| agent.name).collect();
    let variables = context.config.providers.values();
    let variables = variables.filter_map(|provider| provider.key_variable.clone());
    let tools = Arc::new(Masked::new(Arc::new(tools), Keys::of_environment(variables)));
    let lent = Lent {
        tools,
        trusted,
        own,
        servers: started,
    };
    lent.reserve(catalog)?;
    Ok(lent)
}

fn searching(servers: Arc<dyn Tools>, tool: &str, dialect: &Dialect) -> Result<WebSearch, Failure> {
    WebSearch::new(servers, tool, dialect).map_err(|reason| {
        let failure = Failure::trouble(format!("agents cannot search the web: {}", clean(&reason)));
        failure.help("`web_search` in callsheet.toml names a tool that takes a query: `mcp__SERVER__TOOL`")
    })
}

/// Reports untrusted settings in an agent's file, and how to trust them.
pub(in crate::commands) fn remark_distrust(
    context: &Context,
    catalog: &mut Catalog,
    trusted: &[String],
    name: &str,
) -> Result<(), Failure> {
    let agent = catalog
        .get(name)?
        .filter(|_| !trusted.iter().any(|it| it == name));
    let named = agent.filter(|agent| agent.endpoint.is_some() || !agent.mcp_servers.is_empty());
    if let Some(path) = named.and_then(|agent| agent.origin.path) {
        let (path, name) = (clean(&path), clean(name));
        context.remark(&format!(
            "note: the servers and endpoints in {path} are ignored; `callsheet trust {name}` enables them"
        ));
    }
    Ok(())
}

/// Reports tools in an agent's list that it does not get because the run has none of these names.
pub(in crate::commands) fn remark_missing(
    context: &mut Context,
    catalog: &mut Catalog,
    lent: &Lent,
    (dialect, name): (&str, &str),
) -> Result<(), Failure> {
    let mut offered = lent.offered_to(name);
    let mut missing = |offered: &[String]| -> Result<Vec<String>, Failure> {
        Ok(catalog
            .grants(name, offered)?
            .map_or_else(Vec::new, |grants| grants.unmatched))
    };
    if missing(&offered)?.is_empty() {
        return Ok(());
    }
    offered.extend(coordinator::calling(&mut context.callsheet, dialect)?);
    let missing = missing(&offered)?;
    if !missing.is_empty() {
        let (missing, name) = (clean(&missing.join(", ")), clean(name));
        context.remark(&format!(
            "note: `{name}` lists tools that this run does not have: {missing}; `callsheet tools {name}` shows those that it gets"
        ));
    }
    Ok(())
}

/// The tools, for which the user is asked where necessary.
pub(in crate::commands) fn asking(
    context: &mut Context,
    tools: Arc<dyn Tools>,
    asker: Arc<dyn Asker>,
) -> Result<Arc<dyn Tools>, Failure> {
    let asking = Asking::new(tools, asker);
    let file = match &context.config.written {
        Some(written) => written.path.clone(),
        None => project(context)?.join(config::FILE),
    };
    let trust = Mutex::new(trust(context)?);
    Ok(Arc::new(asking.remembering(Box::new(move |rule| {
        let mut trust = trust.lock().unwrap_or_else(PoisonError::into_inner);
        trust.remember(&file, rule)
    }))))
}

/// The trusted files.
pub(in crate::commands) fn trust(context: &Context) -> Result<Trust, Failure> {
    let trust = Trust::open(context.options.home.as_deref());
    trust.map_err(|error| Failure::trouble(format!("cannot read what you trust: {error}")))
}

/// Tools that may be called twice, because they change nothing.
pub(in crate::commands) fn repeatable(
    context: &mut Context,
    dialect: &str,
) -> Result<BTreeSet<String>, Failure> {
    let tools = described(context, dialect)?.tools.into_iter();
    let harmless = |right: &String| REPEATABLE.contains(&right.as_str());
    let repeatable = tools.filter(|tool| !tool.rights.is_empty() && tool.rights.iter().all(harmless));
    Ok(repeatable.map(|tool| tool.name).collect())
}

/// The source of answers: a recording, or models over the network.
pub(in crate::commands) fn models(
    context: &Context,
    named: Option<&str>,
    limits_cost: bool,
    say: Say,
) -> Result<Arc<dyn Models>, Failure> {
    let say = if context.options.quiet {
        Arc::new(|_: &str| {})
    } else {
        say
    };
    let written = context.config.written.as_ref();
    Ok(match named.and_then(|named| named.strip_prefix("replay:")) {
        Some(file) => {
            Arc::new(model::Replay::open(file).map_err(|error| Failure::trouble(error.to_string()))?)
        }
        None => Arc::new(model::Providers::new(ProviderConfig {
            providers: context.config.providers.clone(),
            prices: context.config.prices.clone(),
            limits_cost,
            trusted: trust(context)?.holds_for(&context.config),
            file: written.map_or_else(String::new, |written| clean(&written.path.display().to_string())),
            say,
            ..ProviderConfig::default()
        })),
    })
}

/// The same, recorded if requested.
pub(in crate::commands) fn recorded(
    models: Arc<dyn Models>,
    record: Option<&Path>,
    surroundings: Option<&Surroundings>,
) -> Result<Arc<dyn Models>, Failure> {
    let Some(file) = record else {
        return Ok(models);
    };
    let recorder = model::Recorder::new(models, file, surroundings);
    let recorder =
        recorder.map_err(|error| Failure::trouble(format!("cannot write {}: {error}", file.display())))?;
    Ok(Arc::new(recorder))
}

/// An edition has the tools of its dialect.
fn described(context: &mut Context, dialect: &str) -> Result<Dialect, Failure> {
    let plain = dialect.split('@').next().unwrap_or(dialect);
    let mut dialects = context.callsheet.dialects()?.into_iter();
    let found = dialects.find(|known| known.id == plain);
    Ok(found.expect("its catalog was opened"))
}
