//! `convert`: converts an agent file to another dialect.

mod file;
mod folder;

use std::path::Path;

use super::context::Context;
use crate::cli::Convert;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Convert) -> Result<Exit, Failure> {
    // Fails if the dialect is unknown.
    context.callsheet.locations(&command.to)?;
    if Path::new(&command.what).is_dir() {
        folder::run(context, command)
    } else {
        file::run(context, command)
    }
}
