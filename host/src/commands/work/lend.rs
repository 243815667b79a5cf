//! The models and tools of this machine.

use std::collections::BTreeSet;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use callsheet::config;
use callsheet::documents::Dialect;
use callsheet::mcp::{ProjectServers, Servers, ServersConfig};
use callsheet::model::{self, ProviderConfig};
use callsheet::output::text::{clean, clean_lines};
use callsheet::tools::{Aside, Asking, Joined, LocalTools, Nobody, Options, Terminal};
use callsheet::trust::Trust;
use callsheet::{Models, Tools};

use super::super::context::Context;
use crate::exit::Failure;

/// What changes nothing can be done twice.
const REPEATABLE: [&str; 4] = ["read", "glob", "grep", "list"];

/// The project's directory, absolute.
pub(in crate::commands) fn project(context: &Context) -> Result<PathBuf, Failure> {
    let project = &context.options.project;
    let found = project.canonicalize();
    found.map_err(|error| Failure::trouble(format!("cannot read {}: {error}", project.display())))
}

/// The tools that agents of this dialect may be given.
pub(in crate::commands) fn tools(context: &mut Context, dialect: &str) -> Result<Arc<dyn Tools>, Failure> {
    let (project, dialect) = (project(context)?, described(context, dialect)?);
    let environment = match trust(context)?.holds_for(&context.config) {
        true => context.config.run.environment.clone(),
        false => Vec::new(),
    };
    let local = Arc::new(LocalTools::new(&project, &dialect, Options { environment })?);
    Ok(match servers(context, &project)? {
        Some(servers) => Arc::new(Joined::new(vec![local, servers])),
        None => local,
    })
}

/// The tools of the project's servers, if the user trusts the file that names them.
fn servers(context: &Context, project: &Path) -> Result<Option<Arc<dyn Tools>>, Failure> {
    let Some(found) = ProjectServers::read(project).map_err(Failure::trouble)? else {
        return Ok(None);
    };
    let trusted = trust(context)?.trusts(&found.path, &found.contents);
    if !trusted {
        context
            .remark("note: the servers in .mcp.json are ignored: `callsheet trust .mcp.json` has them count");
        return Ok(None);
    }
    for problem in &found.problems {
        context.remark(&clean(problem));
    }
    // They may fail at any time: whoever looks at the terminal hears of it.
    let say = Arc::new(|words: &str| drop(writeln!(stderr(), "{}", clean_lines(words))));
    let servers = Servers::start(ServersConfig::new(found.servers, project, say), &|_| true);
    let servers = servers.map_err(|error| Failure::trouble(format!("cannot start servers: {error}")))?;
    Ok(Some(Arc::new(servers)))
}

/// The same, but whoever sits at the terminal is asked first where that is due.
pub(super) fn asking(context: &mut Context, dialect: &str, aside: Aside) -> Result<Arc<dyn Tools>, Failure> {
    let tools = tools(context, dialect)?;
    let asking = match Terminal::find(aside) {
        Some(terminal) => Asking::new(tools, Arc::new(terminal)),
        None => Asking::new(tools, Arc::new(Nobody)),
    };
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

/// What the user trusts.
pub(in crate::commands) fn trust(context: &Context) -> Result<Trust, Failure> {
    let trust = Trust::open(context.options.home.as_deref());
    trust.map_err(|error| Failure::trouble(format!("cannot read what you trust: {error}")))
}

/// The tools by which agents of this dialect call others.
pub(in crate::commands) fn calling(context: &mut Context, dialect: &str) -> Result<Vec<String>, Failure> {
    Ok(described(context, dialect)?
        .tools
        .into_iter()
        .filter(|tool| tool.rights.iter().any(|right| right == "delegate"))
        .map(|tool| tool.name)
        .collect())
}

/// Tools that may be called twice, because they change nothing.
pub(super) fn repeatable(context: &mut Context, dialect: &str) -> Result<BTreeSet<String>, Failure> {
    let tools = described(context, dialect)?.tools.into_iter();
    let harmless = |right: &String| REPEATABLE.contains(&right.as_str());
    let repeatable = tools.filter(|tool| !tool.rights.is_empty() && tool.rights.iter().all(harmless));
    Ok(repeatable.map(|tool| tool.name).collect())
}

/// What answers for models: a recording, or those that are asked over the network.
pub(in crate::commands) fn models(
    context: &Context,
    named: Option<&str>,
    record: Option<&Path>,
) -> Result<Arc<dyn Models>, Failure> {
    let models: Arc<dyn Models> = match named.and_then(|named| named.strip_prefix("replay:")) {
        Some(file) => {
            Arc::new(model::Replay::open(file).map_err(|error| Failure::trouble(error.to_string()))?)
        }
        None => Arc::new(model::Providers::new(ProviderConfig {
            providers: context.config.providers.clone(),
            prices: context.config.prices.clone(),
            trusted: trust(context)?.holds_for(&context.config),
            ..ProviderConfig::default()
        })),
    };
    let Some(file) = record else {
        return Ok(models);
    };
    let recorder = model::Recorder::new(models, file);
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
