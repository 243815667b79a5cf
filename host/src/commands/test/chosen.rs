//! The cases to run.

use std::path::PathBuf;

use callsheet::cases::{self, CaseFile};
use callsheet::closest::closest;
use callsheet::output::text::clean;

use super::super::context::Context;
use crate::cli::Test;
use crate::exit::Failure;

/// A file, and whether the user named it.
type Named = (PathBuf, bool);

/// The files with the chosen cases. None if a file is broken, which is reported: then nothing runs.
pub(super) fn files(context: &mut Context, command: &Test) -> Result<Option<Vec<CaseFile>>, Failure> {
    let (mut files, mut is_broken) = (Vec::new(), false);
    for (path, is_named) in paths(context, command)? {
        match CaseFile::read(&path) {
            Ok(Some(file)) => files.push(file),
            Ok(None) => {
                let path = path.to_string_lossy();
                let path = clean(&path);
                let said = format!("{path} tests a skill, not an agent");
                if is_named {
                    let failure = Failure::trouble(said);
                    return Err(failure.help("add `agent`, the name of the agent to run"));
                }
                context.remark(&format!("note: {said}; it is skipped"));
            }
            Err(error) => {
                context.complain(&Failure::trouble(clean(&error.to_string())));
                is_broken = true;
            }
        }
    }
    if is_broken {
        return Ok(None);
    }
    select(&mut files, &command.ids)?;
    if files.iter().all(|file| file.cases.is_empty()) {
        let failure = Failure::nothing_found("no test cases");
        return Err(failure.help("write them to `evals/evals.json`, as docs/testing.md describes"));
    }
    Ok(Some(files))
}

fn paths(context: &mut Context, command: &Test) -> Result<Vec<Named>, Failure> {
    let usual = [PathBuf::from(context.callsheet.root()?)];
    let paths = match &*command.paths {
        [] => &usual[..],
        paths => paths,
    };
    let mut found: Vec<Named> = Vec::new();
    for path in paths {
        let more = if path.is_dir() {
            cases::find(path)
        } else {
            path.metadata().map(|_| vec![path.clone()])
        };
        let more = more.map_err(|error| {
            let path = path.to_string_lossy();
            Failure::trouble(format!("cannot read {}: {error}", clean(&path)))
        })?;
        for file in more {
            if !found.iter().any(|(known, _)| *known == file) {
                found.push((file, !path.is_dir()));
            }
        }
    }
    Ok(found)
}

/// Keeps the cases with these IDs, if there are any.
fn select(files: &mut Vec<CaseFile>, ids: &[String]) -> Result<(), Failure> {
    if ids.is_empty() {
        return Ok(());
    }
    let known = || files.iter().flat_map(|file| &file.cases).map(|case| &*case.id);
    if let Some(id) = ids.iter().find(|id| !known().any(|known| known == **id)) {
        let failure = Failure::nothing_found(format!("no case has the ID `{}`", clean(id)));
        return Err(match closest(id, known()) {
            Some(near) => failure.help(format!("did you mean `{}`?", clean(near))),
            None => failure,
        });
    }
    for file in files.iter_mut() {
        file.cases.retain(|case| ids.contains(&case.id));
    }
    files.retain(|file| !file.cases.is_empty());
    Ok(())
}
