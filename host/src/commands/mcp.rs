//! `mcp`: serves the active agents as tools of an MCP server.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use callsheet::delegation::Isolation;
use callsheet::drive::{self, About, Interrupts, Limits, Sessions};
use callsheet::mcp::{Office, ServeError, Way, serve};
use callsheet::output::text::clean;
use callsheet::processes::Ending;

use super::context::Context;
use super::work::{self, Voice, begin, lend, settings, watch};
use crate::cli::{Mcp, Work};
use crate::exit::{Exit, Failure};

/// The interval of checking trust.
const PAUSE: Duration = Duration::from_secs(1);

/// The variable with the token of HTTP clients.
const TOKEN: &str = "CALLSHEET_MCP_TOKEN";

pub(super) fn run(context: &mut Context, command: Mcp) -> Result<Exit, Failure> {
    work::serves_many(&command.work)?;
    let ending = Ending::watch();
    let _guard = ending.guard();
    let interrupts = Interrupts::listen(ending.clone())?;
    let dialect = dialect(context)?;
    let collector = watch::collector(&command.work)?;
    let mut office = office(context, &dialect, &command.work)?;
    if let Some(collector) = &collector {
        office = office.trace(Arc::clone(collector));
    }
    let office = Arc::new(office);
    let follower = context.another()?;
    let way = way(context, &command)?;
    context.pause()?;
    let trusted = lend::trust(context)?.file();
    let say = |words: &str| context.remark(words);
    let kept = Arc::clone(&office);
    let served = drive::block_on(async {
        tokio::select! {
            served = serve(office, follower, way, &say, interrupts.stop()) => served,
            never = remind(&trusted, &say) => match never {},
        }
    })?;
    ending.end_soon();
    drop(kept);
    if let Some(collector) = collector {
        watch::finish(&collector, say);
    }
    served.map(|()| Exit::Clean).map_err(failure)
}

/// Reports changes of trust, which apply only at the start.
async fn remind(trusted: &Path, say: &dyn Fn(&str)) -> Infallible {
    let read = || std::fs::read(trusted).ok();
    let mut known = read();
    loop {
        tokio::time::sleep(PAUSE).await;
        let now = read();
        if now != known {
            say("trust has changed: restart `callsheet mcp` to apply it");
            known = now;
        }
    }
}

fn way(context: &Context, command: &Mcp) -> Result<Way, Failure> {
    let Some(address) = command.http else {
        return Ok(Way::Stdio);
    };
    let token = match std::env::var(TOKEN) {
        Ok(token) if !token.is_empty() => token,
        _ if context.options.quiet => {
            let failure = Failure::trouble("clients need a token, which `--quiet` would hide");
            return Err(failure.help(format!("set the variable {TOKEN}")));
        }
        _ => {
            let token = random()?;
            context.remark(&format!(
                "clients must send the header `Authorization: Bearer {token}`"
            ));
            token
        }
    };
    Ok(Way::Http { address, token })
}

/// A token that cannot be guessed.
fn random() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Failure::trouble(format!("cannot make a token: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Clients see one dialect: the given one, or the first in use.
fn dialect(context: &mut Context) -> Result<String, Failure> {
    let dialects = context.dialects()?;
    let Some((first, others)) = dialects.split_first() else {
        let failure = Failure::nothing_found("no known tool has agents here");
        return Err(failure.help("`--as claude-code` serves that dialect's agents, including new ones"));
    };
    if !others.is_empty() {
        let others = others.join(", ");
        context.remark(&format!(
            "serving the agents of {first}; `--as` selects another: {others}"
        ));
    }
    Ok(first.clone())
}

fn office(context: &mut Context, dialect: &str, work: &Work) -> Result<Office, Failure> {
    let mut catalog = context.callsheet.open(dialect)?;
    let (project, trust) = (lend::project(context)?, lend::trust(context)?);
    let mut settings = settings::of(context, work, &project, &trust)?;
    let lent = lend::tools(
        context,
        &mut catalog,
        Voice::plain().say,
        work.confined.into(),
        None,
    )?;
    lent.name_read_only(&mut settings.allow);
    settings.trusted = lent.trusted;
    settings.isolation = Isolation::Unavailable("the MCP server makes no worktrees".to_owned());
    let models = lend::recorded(
        lend::models(
            context,
            work.model(),
            work.limits.cost.is_some(),
            Voice::plain().say,
        )?,
        work.record.as_deref(),
        settings.surroundings.as_ref(),
    )?;
    let model = work.model().is_some().then(|| settings::NAMED.to_owned());
    // Sessions of one recording are told the same.
    let is_told_anew =
        work.record.is_none() && !work.model().is_some_and(|named| named.starts_with("replay:"));
    let place = is_told_anew.then(|| project.clone());
    let about = About {
        dialect: dialect.to_owned(),
        project,
        model: work.model().map(str::to_owned),
        limits: Limits::from(&settings.bounds),
        ..About::default()
    };
    let office = Office::new(catalog, models, lent.tools, settings, model)
        .at(place)
        .repeat(lend::repeatable(context, &about.dialect)?);
    let sessions = Sessions::of(context.options.home.as_deref()).filter(|_| !work.no_save);
    Ok(match sessions {
        Some(sessions) => {
            begin::prune(context, &sessions);
            office.keep(sessions, about)
        }
        None => office,
    })
}

fn failure(error: ServeError) -> Failure {
    Failure::trouble(clean(&error.to_string()))
}
