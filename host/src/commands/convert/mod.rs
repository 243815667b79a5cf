//! `convert`: converts an agent, a skill, a command, or the manifest of a plugin, to another dialect.

mod file;
mod folder;

use std::path::Path;

use callsheet::types::Kind;

use super::context::Context;
use super::kinds;
use crate::cli::Convert;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Convert) -> Result<Exit, Failure> {
    // Fails if the dialect is unknown. Manifests also have formats that are no dialect's.
    if !Path::new(&command.what).is_file() {
        let (kind, dialect) = kinds::split(&command.to);
        let mut others = [Kind::Skill, Kind::Command].into_iter();
        if kind.is_some() || !others.any(|kind| context.callsheet.locations_for(dialect, kind).is_ok()) {
            let kind = kind.unwrap_or(Kind::Agent);
            if let Err(error) = context.callsheet.locations_for(dialect, kind) {
                context.kind = kind;
                return Err(context.unopened(dialect, error)?);
            }
        }
    }
    if Path::new(&command.what).is_dir() {
        folder::run(context, command)
    } else {
        file::run(context, command)
    }
}
