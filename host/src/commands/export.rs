//! `export`: describes agents to others.

use std::path::Path;

use callsheet::catalogs::Card;
use callsheet::output::a2a;
use callsheet::output::text::clean;
use callsheet::write::Rewrite;

use super::context::Context;
use super::{why, written};
use crate::cli::Export;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Export) -> Result<Exit, Failure> {
    let agents = agents(context, &command.names)?;
    match (&command.url, &command.agent_version, &command.write) {
        (Some(url), Some(version), _) => {
            let server = a2a::Server {
                url,
                binding: command.binding.name(),
                version,
                provider: command.provider.as_ref().map(|(name, url)| (&**name, &**url)),
            };
            print_cards(context, command, &agents, &server)
        }
        (.., Some(file)) => write(context, &agents, file, command.check),
        _ => {
            let section = section(context, "", &agents)?;
            context.print(&section)?;
            Ok(Exit::Clean)
        }
    }
}

/// Those of every dialect. Copies of an agent have its name, and the first dialect's is taken.
fn agents(context: &mut Context, names: &[String]) -> Result<Vec<Card>, Failure> {
    let mut agents: Vec<Card> = Vec::new();
    for dialect in context.dialects()? {
        let cards = context.open(&dialect)?.cards(names)?;
        let known = agents.len();
        for card in cards {
            if !agents[..known].iter().any(|agent| agent.name == card.name) {
                agents.push(card);
            }
        }
    }
    agents.sort_by(|a, b| a.name.cmp(&b.name));
    let is_missing = |name: &&String| !agents.iter().any(|agent| agent.name == **name);
    match names.iter().find(is_missing) {
        Some(name) => Err(why::not_found(context, name)?),
        None => Ok(agents),
    }
}

fn print_cards(
    context: &mut Context,
    command: &Export,
    agents: &[Card],
    server: &a2a::Server<'_>,
) -> Result<Exit, Failure> {
    if agents.is_empty() {
        let failure = Failure::nothing_found("no agents in the project's folders");
        return Err(failure.help("name agents from other folders: `callsheet export --a2a … NAME`"));
    }
    let text = match (&command.names[..], agents) {
        ([_], [agent]) => a2a::one(agent, server),
        _ => a2a::several(agents, server),
    };
    context.print(&text)?;
    for agent in agents {
        let left_out = agent.left_out.join(", ");
        let note = format!("note: not in the card of `{}`: {left_out}", agent.name);
        context.remark(&clean(&note));
    }
    Ok(Exit::Clean)
}

fn write(context: &mut Context, agents: &[Card], file: &str, check: bool) -> Result<Exit, Failure> {
    let shown = clean(file);
    let before = if Path::new(file).exists() {
        Some(context.callsheet.read(file)?)
    } else {
        None
    };
    let text = String::from_utf8(before.clone().unwrap_or_default())
        .map_err(|_| Failure::trouble(format!("{shown} is not valid UTF-8")))?;
    let after = section(context, &text, agents).map_err(|failure| failure.help(format!("in {shown}")))?;
    if before.is_some() && after == text {
        context.print(&format!("{shown} is up to date\n"))?;
        return Ok(Exit::Clean);
    }
    if check {
        let failure = Failure::nothing_found(format!("the list of agents in {shown} is out of date"));
        return Err(failure.help(format!(
            "`callsheet export --agents-md --write {shown}` updates it"
        )));
    }
    let rewrite = Rewrite {
        path: file.to_owned(),
        before,
        after: Some(after.into_bytes()),
    };
    context.callsheet.rewrite(&[rewrite]).map_err(written::not_made)?;
    context.print(&format!("wrote {shown}\n"))?;
    Ok(Exit::Clean)
}

fn section(context: &mut Context, text: &str, agents: &[Card]) -> Result<String, Failure> {
    let section = context.callsheet.with_section(text, agents)?;
    section.map_err(|reason| Failure::trouble(format!("the marks of the list are not one pair: {reason}")))
}
