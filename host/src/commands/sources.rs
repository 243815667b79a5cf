//! The sources of the project, as `[build]` of its configuration says.

use std::path::{Path, PathBuf};

use callsheet::output::report::Origins;
use callsheet::output::text::clean;
use callsheet::projects::{Build, Composed};
use callsheet::types::Diagnostic;

use super::context::Context;
use crate::exit::Failure;

/// The table of the configuration, which belongs to the project of its file.
pub(super) fn configured(context: &Context) -> Result<Build, Failure> {
    let Some(build) = context.config.build.clone() else {
        let failure = Failure::trouble("no `[build]` in callsheet.toml");
        return Err(failure.help(
            "name the folder of the sources and the tools: `from = \"agents\"`, `to = [\"claude-code\"]`",
        ));
    };
    let written = context.config.written.as_ref();
    let folder = written.and_then(|written| written.path.parent());
    let project = real(&context.options.project).ok();
    match folder.filter(|folder| project.as_deref() != Some(*folder)) {
        None => Ok(build),
        Some(folder) => {
            let folder = clean(&folder.to_string_lossy());
            let failure = Failure::trouble(format!("`[build]` is about the project in {folder}"));
            Err(failure.help(format!("run `callsheet build --project {folder}`")))
        }
    }
}

/// The findings in the sources of this project, for `check`.
pub(super) fn findings(context: &mut Context) -> Result<Vec<Diagnostic>, Failure> {
    if context.config.build.is_none() {
        return Ok(Vec::new());
    }
    match configured(context) {
        Ok(build) => Ok(context.callsheet.compose(&build)?.findings),
        // The sources are those of another project.
        Err(_) => Ok(Vec::new()),
    }
}

/// Where the fields of a file are stated, if it is compiled.
pub(super) fn origins(context: &mut Context, path: &str) -> Result<Option<Origins>, Failure> {
    let build = context.config.build.is_some().then(|| configured(context));
    let Some(Ok(build)) = build else {
        return Ok(None);
    };
    let mut sources = context.callsheet.compose(&build)?.sources.into_iter();
    let compiles = |source: &Composed| source.outputs.iter().any(|output| output.path == path);
    Ok(sources.find(compiles).map(|source| Origins {
        source: source.path,
        fields: source.fields,
    }))
}

/// A directory without links; an empty name is the working directory.
pub(super) fn real(directory: &Path) -> std::io::Result<PathBuf> {
    if directory.as_os_str().is_empty() {
        Path::new(".").canonicalize()
    } else {
        directory.canonicalize()
    }
}
