//! The files and directories that agents refer to.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::skills::{directories, winning_directories};
use super::slots::{Slot, copy_directories, skill_directories, slots};
use super::{Options, Project, instructions, memory, servers};
use crate::dialect::{Dialects, Kind, UnknownDialect};
use crate::places::directory;

/// The other files and directories that a catalog reads: the directories of settings that have some of its files, all of the project if it may
/// have plugins, for commands the directories of skills that win over them, for agents those of skills that they load and instructions that
/// they get, and if files are checked, all that they name.
pub fn referred(dialects: &Dialects, options: &Options) -> Result<Vec<String>, UnknownDialect> {
    let dialect = dialects.get_for(&options.dialect, options.kind)?;
    let slots = slots(dialect, &options.project);
    let settings = slots.iter().filter_map(Slot::settings);
    let mut all: Vec<String> = settings.map(|file| directory(file).to_string()).collect();
    // A manifest may name any folder of the project.
    if dialects.has_plugins(&dialect.id) {
        let Project {
            directory, ancestors, ..
        } = &options.project;
        all.extend([directory].into_iter().chain(ancestors).cloned());
    }
    all.extend(winning_directories(dialects, dialect, &options.project));
    if options.kind != Kind::Agent {
        return Ok(all);
    }
    all.extend(directories(dialects, dialect, options)?);
    all.extend(instructions::places(dialect, &options.project));
    all.extend(memory::places(dialect, &options.project));
    if options.check {
        all.extend(skill_directories(dialect, &options.project));
        all.extend(servers::files(dialect, &options.project.directory));
        let copies = copy_directories(dialects, dialect, options);
        all.extend(copies.into_iter().map(|(_, directory)| directory));
    }
    Ok(all)
}
