//! `run`: runs an agent.

use std::path::{Path, PathBuf};

use callsheet::drive::Saver;

use super::context::Context;
use super::work::begin::Then;
use super::{sessions, work};
use crate::cli::Run;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: Run) -> Result<Exit, Failure> {
    if let Some(engine) = &command.on {
        return work::on::run(context, &command, engine);
    }
    if let Some(named) = &command.resume {
        let file = session(context, named)?;
        let resumed = Saver::resume(&file).map_err(callsheet::Error::from)?;
        return work::run(context, &command.work, |context, voice| {
            work::begin::again(context, resumed, &command.work, Then::GoOn, &voice)
        });
    }
    let agent = command.agent.expect("it is required without --resume");
    work::of(context, &command.task, &command.work, |context| {
        let (dialect, catalog) = work::catalog_of(context, &agent)?;
        Ok((dialect, catalog, agent))
    })
}

/// An existing file, otherwise the session with this ID.
fn session(context: &Context, named: &Path) -> Result<PathBuf, Failure> {
    let is_id = |name: &str| name.bytes().all(|byte| byte.is_ascii_hexdigit());
    match named.to_str() {
        Some(name) if is_id(name) && !named.exists() => sessions::find(context, name),
        _ => Ok(named.to_owned()),
    }
}
