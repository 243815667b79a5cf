//! The MCP servers of trusted files.

use std::path::Path;
use std::sync::Arc;

use callsheet::Say;
use callsheet::confine::Confinement;
use callsheet::mcp::{Plan, ProjectServers, Servers, ServersConfig, SignIns};
use callsheet::output::text::clean;
use callsheet::trust::{Trust, TrustedAgent};

use super::super::context::Context;
use crate::exit::Failure;

/// Started servers.
pub(super) struct Started {
    pub(super) servers: Servers,
    /// Agents, and tools that only they have.
    pub(super) own: Vec<(String, String)>,
}

/// Starts those of the configuration, of `.mcp.json` and of agents' files; none if there are none.
pub(super) fn start(
    context: &mut Context,
    project: &Path,
    trust: &Trust,
    agents: &[TrustedAgent],
    dialect: &str,
    say: Say,
    confinement: Option<&Arc<Confinement>>,
) -> Result<Option<Started>, Failure> {
    let mut plan = planned(context, project, trust);
    own(context, agents, dialect, &mut plan)?;
    for problem in &plan.problems {
        context.remark(&clean(problem));
    }
    if plan.servers().is_empty() {
        return Ok(None);
    }
    // They may fail at any time, which is reported on the terminal.
    let mut config = ServersConfig::new(plan.servers(), project, say);
    config.sign_ins = SignIns::of_user(context.options.home.as_deref());
    if let Some(confinement) = confinement {
        let reach = context.callsheet.server_reach(&project.to_string_lossy())?;
        config.confined = Some((Arc::clone(confinement), reach));
    }
    let servers = Servers::start(config, &|_| true);
    let servers = servers.map_err(|error| Failure::trouble(format!("cannot start servers: {error}")))?;
    let own = plan.owned().flat_map(|(agent, server)| {
        let tools = servers.tools_of(server);
        tools.map(|tool| (agent.to_owned(), tool.to_owned()))
    });
    let own = own.collect();
    Ok(Some(Started { servers, own }))
}

/// Those that are for all agents.
pub(in crate::commands) fn planned(context: &Context, project: &Path, trust: &Trust) -> Plan {
    let mut plan = Plan::default();
    plan.add(context.passed.clone());
    configured(context, trust, &mut plan);
    named_by_the_project(context, project, trust, &mut plan);
    plan
}

/// Adds those of agents' files.
pub(in crate::commands) fn own(
    context: &mut Context,
    agents: &[TrustedAgent],
    dialect: &str,
    plan: &mut Plan,
) -> Result<(), Failure> {
    for agent in agents {
        let (servers, problems) = agent.servers(&mut context.callsheet, dialect)?;
        plan.problems.extend(problems);
        plan.add_own(&agent.name, servers);
    }
    Ok(())
}

fn configured(context: &Context, trust: &Trust, plan: &mut Plan) {
    let config = &context.config;
    if trust.holds_for(config) {
        plan.add(config.servers.clone());
    } else if let Some(server) = config.servers.first() {
        ignored(context, &server.source);
    }
}

fn named_by_the_project(context: &Context, project: &Path, trust: &Trust, plan: &mut Plan) {
    let found = match ProjectServers::read(project) {
        Ok(Some(found)) => found,
        Ok(None) => return,
        // Nothing trusts such a file, and an agent that could write it must not stop later runs.
        Err(problem) => {
            return context.remark(&format!(
                "note: the servers in .mcp.json are ignored: {}",
                clean(&problem)
            ));
        }
    };
    if trust.trusts(&found.path, &found.contents) {
        plan.problems.extend(found.problems);
        plan.add(found.servers);
    } else {
        ignored(context, ".mcp.json");
    }
}

fn ignored(context: &Context, file: &str) {
    let file = clean(file);
    context.remark(&format!(
        "note: the servers in {file} are ignored; `callsheet trust {file}` enables them"
    ));
}
