//! The sources of the project, as `[build]` of its configuration says.

use std::path::{Path, PathBuf};

use callsheet::Callsheet;
use callsheet::config::Config;
use callsheet::output::report::Origins;
use callsheet::output::text::clean;
use callsheet::projects::{Build, Composed};

use super::context::Context;
use crate::exit::Failure;

/// The table of the configuration, which belongs to the project of its file.
pub(super) fn configured(context: &Context) -> Result<Build, Failure> {
    if context.config.checks.build.is_none() {
        let failure = Failure::trouble("no `[build]` in callsheet.toml");
        return Err(failure.help(
            "name the folder of the sources and the tools: `from = \"agents\"`, `to = [\"claude-code\"]`",
        ));
    }
    of_project(context).ok_or_else(|| {
        let folder = folder(&context.config).to_string_lossy().into_owned();
        let folder = clean(&folder);
        let failure = Failure::trouble(format!("`[build]` is about the project in {folder}"));
        failure.help(format!("run `callsheet build --project {folder}`"))
    })
}

/// The table of the configuration, unless its file is in another project.
pub(super) fn of_project(context: &Context) -> Option<Build> {
    of(&context.config, &context.callsheet)
}

/// The same of another configuration.
pub(super) fn of(config: &Config, callsheet: &Callsheet) -> Option<Build> {
    let build = config.checks.build.clone()?;
    let project = callsheet.name_of_project(&folder(config))?;
    Some(Build {
        project: Some(project),
        ..build
    })
}

/// The folder of the configuration.
pub(super) fn folder(config: &Config) -> PathBuf {
    let written = config.written.as_ref();
    let folder = written.and_then(|written| written.path.parent());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// Those of these files that are compiled, and where their fields are stated.
pub(super) fn origins(context: &mut Context, paths: &[&str]) -> Result<Vec<(String, Origins)>, Failure> {
    let Some(build) = of_project(context).filter(|_| !paths.is_empty()) else {
        return Ok(Vec::new());
    };
    let sources = context.callsheet.compose(&build)?.sources;
    let compiled = paths.iter().filter_map(|path| {
        let compiles = |source: &&Composed| source.outputs.iter().any(|output| output.path == *path);
        let source = sources.iter().find(compiles)?;
        let origins = Origins {
            source: source.path.clone(),
            fields: source.fields.clone(),
        };
        Some(((*path).to_owned(), origins))
    });
    Ok(compiled.collect())
}

/// A directory without links; an empty name is the working directory.
pub(super) fn real(directory: &Path) -> std::io::Result<PathBuf> {
    if directory.as_os_str().is_empty() {
        Path::new(".").canonicalize()
    } else {
        directory.canonicalize()
    }
}
