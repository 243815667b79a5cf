//! Checks again whenever a file changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use callsheet::config;
use callsheet::watch::{Ground, Watch};

use super::once::{files_of, once};
use super::work::Work;
use crate::cli::Check;
use crate::commands::context::Context;
use crate::commands::remarks::Remarks;
use crate::commands::sources::real;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Check) -> Result<Exit, Failure> {
    let mut watch = Watch::start(&mut context.callsheet, None)?;
    watch.stop_on_interrupt()?;
    let work = Work::start(context, &command.paths, &command.target);
    let files: Vec<String> = files_of(context, &work)?.into_keys().collect();
    let others = grounds(context, command, &files);
    watch.listen_to(&mut context.callsheet, others)?;
    context.repeat();
    let mut remarks = Remarks::default();
    loop {
        match context.configure().and_then(|()| once(context, command, None)) {
            Ok(done) => {
                let others = grounds(context, command, &done.files);
                if watch.listen_to(&mut context.callsheet, others)? {
                    context.pause()?;
                    context.clear()?;
                    continue;
                }
            }
            Err(failure) => remarks.fail(context, &failure),
        }
        remarks.wait(context)?;
        if !watch.wait_for_change(&mut context.callsheet)? {
            return Ok(Exit::Clean);
        }
        context.clear()?;
    }
}

/// The named paths, the directories of the checked files and the configuration.
fn grounds(context: &Context, command: &Check, files: &[String]) -> Vec<Ground> {
    let named = command.paths.iter().filter_map(|path| path.canonicalize().ok());
    let named = named.map(|path| (path, true));
    let parents = files.iter().filter_map(|file| Path::new(file).parent());
    let parents: BTreeSet<PathBuf> = parents.filter_map(|parent| real(parent).ok()).collect();
    let parents = parents.into_iter().map(|path| (path, false));
    let written = context
        .config
        .written
        .as_ref()
        .map(|written| written.path.clone());
    let config = written.or_else(|| Some(real(&context.options.project).ok()?.join(config::FILE)));
    let config = config.map(|path| (path, false));
    let all = named.chain(parents).chain(config);
    let ground = |(path, recursive): (PathBuf, bool)| Ground {
        top: path.parent().unwrap_or(&path).to_owned(),
        path,
        recursive,
    };
    all.map(ground).collect()
}
