//! `convert`: converts an agent file, or the manifest of a plugin, to another dialect.

mod file;
mod folder;

use std::path::Path;

use super::context::Context;
use crate::cli::Convert;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Convert) -> Result<Exit, Failure> {
    // Fails if the dialect is unknown. Manifests also have formats that are no dialect's.
    if !Path::new(&command.what).is_file() {
        context.callsheet.locations(&command.to)?;
    }
    if Path::new(&command.what).is_dir() {
        folder::run(context, command)
    } else {
        file::run(context, command)
    }
}
