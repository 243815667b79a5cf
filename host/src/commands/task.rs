//! `task`: has something done by whichever agents fit.

use callsheet::Catalog;

use super::context::Context;
use super::work::{self, coordinator};
use crate::cli::Task;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: Task) -> Result<Exit, Failure> {
    let has_model = command.work.model.is_some();
    work::of(context, command.task, &command.work, |context| {
        match command.agent {
            Some(agent) => {
                let (dialect, catalog) = work::catalog_of(context, &agent)?;
                Ok((dialect, catalog, agent))
            }
            None => {
                let (dialect, catalog) = coordinated(context, has_model)?;
                Ok((dialect, catalog, coordinator::COORDINATOR.to_owned()))
            }
        }
    })
}

/// The catalog of the first dialect in use, and a coordinator in it.
fn coordinated(context: &mut Context, has_model: bool) -> Result<(String, Catalog), Failure> {
    let dialects = context.dialects()?;
    let Some(dialect) = dialects.first().cloned() else {
        let failure = Failure::nothing_found("there are no agents: no known tool keeps any here");
        return Err(failure.help("`callsheet list` says what was looked for"));
    };
    if dialects.len() > 1 {
        let others = dialects[1..].join(", ");
        context.remark(&format!(
            "these are the agents of {dialect}; `--as` takes others: {others}"
        ));
    }
    let mut catalog = context.callsheet.open(&dialect)?;
    let made_up = coordinator::register(&mut context.callsheet, &mut catalog)?;
    if made_up && !has_model {
        let failure = Failure::trouble("nobody says which model the coordinator is to ask");
        return Err(failure.help("say `--model provider:name`"));
    }
    Ok((dialect, catalog))
}
