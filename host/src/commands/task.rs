//! `task`: runs a task and lets agents share the work.

use callsheet::Catalog;

use super::context::Context;
use super::work::{self, coordinator};
use crate::cli::Task;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: Task) -> Result<Exit, Failure> {
    let has_model = command.work.model().is_some();
    work::of(context, &command.task, &command.work, |context| {
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
pub(super) fn coordinated(context: &mut Context, has_model: bool) -> Result<(String, Catalog), Failure> {
    let dialects = context.dialects()?;
    let Some(dialect) = dialects.first().cloned() else {
        let failure = Failure::nothing_found("no agents: no known tool has any here");
        return Err(failure.help("`callsheet list` shows the searched folders"));
    };
    if dialects.len() > 1 {
        let others = dialects[1..].join(", ");
        context.remark(&format!(
            "using the agents of {dialect}; `--as` selects others: {others}"
        ));
    }
    let mut catalog = context.callsheet.open(&dialect)?;
    let made_up = coordinator::register(&mut context.callsheet, &mut catalog)?;
    if made_up && !has_model {
        let failure = Failure::trouble("no model is set for the coordinator");
        return Err(failure.help("use `--model provider:name`"));
    }
    Ok((dialect, catalog))
}
