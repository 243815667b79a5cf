//! `run`: lets an agent do something.

use callsheet::drive::Saver;

use super::context::Context;
use super::work;
use crate::cli::Run;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: Run) -> Result<Exit, Failure> {
    if let Some(file) = &command.resume {
        let resumed = Saver::resume(file).map_err(callsheet::Error::from)?;
        return work::run(context, &command.work, |context, aside| {
            work::begin::again(context, resumed, &command.work, aside)
        });
    }
    let agent = command.agent.expect("it is required without --resume");
    work::of(context, command.task, &command.work, |context| {
        let (dialect, catalog) = work::catalog_of(context, &agent)?;
        Ok((dialect, catalog, agent))
    })
}
