//! `build`: compiles agents that extend and include others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use callsheet::config;
use callsheet::fix::FixedFile;
use callsheet::output::report::{Built, BuiltFile, BuiltState, Checked};
use callsheet::output::text::clean;
use callsheet::output::{json_v1, text};
use callsheet::projects::{Build, BuildState, Compiled, Composition, Leftover};
use callsheet::types::Severity;
use callsheet::watch::{Ground, Watch};
use callsheet::write::Rewrite;

use super::context::Context;
use super::remarks::Remarks;
use super::sources;
use crate::cli::{self, Format};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &cli::Build) -> Result<Exit, Failure> {
    if !command.watch {
        return Ok(once(context, command)?.0);
    }
    let mut watch = Watch::start(&mut context.callsheet, None)?;
    watch.stop_on_interrupt()?;
    context.repeat();
    let mut remarks = Remarks::default();
    loop {
        match context.configure().and_then(|()| once(context, command)) {
            Ok((_, grounds)) => {
                if watch.listen_to(&mut context.callsheet, grounds)? {
                    context.pause()?;
                    continue;
                }
            }
            Err(failure) => remarks.fail(context, &failure),
        }
        remarks.wait(context)?;
        if !watch.wait_for_change(&mut context.callsheet)? {
            return Ok(Exit::Clean);
        }
    }
}

/// Compiles once, and names the places of what was read.
fn once(context: &mut Context, command: &cli::Build) -> Result<(Exit, Vec<Ground>), Failure> {
    let build = sources::configured(context)?;
    let composition = context.callsheet.compose(&build)?;
    let mut checked = Checked::from_diagnostics(composition.findings.clone(), None);
    for finding in &mut checked.findings {
        context.config.apply(finding);
    }
    let mut built = built(&composition, command.force);
    if !command.check && !built.is_blocked() {
        let rewrites = rewrites(&composition, command.force);
        context.callsheet.rewrite(&rewrites)?;
        if !rewrites.is_empty() {
            context.print_again();
        }
        built.files.iter_mut().for_each(BuiltFile::write);
    }
    print(context, command, &composition, &built, &checked)?;
    let grounds = grounds(context, &build, &composition);
    if built.files.is_empty() && composition.sources.is_empty() {
        let folder = clean(&build.directory);
        let failure = Failure::nothing_found(format!("no sources in `{folder}`"));
        context.complain(&failure.help("`from` of `[build]` names their folder in the project; files that begin with `_` are only extended"));
        return Ok((Exit::Findings, grounds));
    }
    Ok((exit(command, &built, &checked), grounds))
}

fn exit(command: &cli::Build, built: &Built, checked: &Checked) -> Exit {
    let is_error = |severity| severity == Severity::Error;
    let failed = checked
        .reported()
        .any(|finding| is_error(finding.diagnostic.severity));
    let drifted = command.check && built.files.iter().any(|file| file.state != BuiltState::Unchanged);
    if failed || drifted || built.is_blocked() {
        Exit::Findings
    } else {
        Exit::Clean
    }
}

fn built(composition: &Composition, force: bool) -> Built {
    let mut files = Vec::new();
    let mut broken = Vec::new();
    for source in &composition.sources {
        if source.outputs.is_empty() {
            broken.push(source.path.clone());
        }
        let file = |output: &Compiled| BuiltFile {
            path: output.path.clone(),
            source: source.path.clone(),
            dialect: Some(output.dialect.clone()),
            state: match output.state {
                _ if output.contents.is_none() => BuiltState::Refused,
                BuildState::Unchanged => BuiltState::Unchanged,
                BuildState::Created => BuiltState::Missing,
                BuildState::Edited if !force => BuiltState::Edited,
                BuildState::Foreign if !force => BuiltState::Foreign,
                _ => BuiltState::Stale,
            },
            report: output.report.clone(),
        };
        files.extend(source.outputs.iter().map(file));
    }
    let leftover = |leftover: &Leftover| BuiltFile {
        path: leftover.path.clone(),
        source: leftover.source.clone(),
        dialect: None,
        state: if leftover.intact || force {
            BuiltState::Leftover
        } else {
            BuiltState::EditedLeftover
        },
        report: Vec::new(),
    };
    files.extend(composition.leftovers.iter().map(leftover));
    Built { files, broken }
}

/// What is written if nothing is in the way. A leftover that was edited stays, unless by force.
fn rewrites(composition: &Composition, force: bool) -> Vec<Rewrite> {
    let outputs = composition.sources.iter().flat_map(|source| &source.outputs);
    let outputs = outputs.filter(|output| output.state != BuildState::Unchanged);
    let outputs = outputs.map(|output| Rewrite {
        path: output.path.clone(),
        before: output.before.clone(),
        after: output.contents.clone(),
    });
    let leftovers = composition.leftovers.iter();
    let leftovers = leftovers.filter(|leftover| leftover.intact || force);
    let leftovers = leftovers.map(|leftover| Rewrite {
        path: leftover.path.clone(),
        before: Some(leftover.contents.clone()),
        after: None,
    });
    outputs.chain(leftovers).collect()
}

fn print(
    context: &mut Context,
    command: &cli::Build,
    composition: &Composition,
    built: &Built,
    checked: &Checked,
) -> Result<(), Failure> {
    match context.format() {
        Format::Json => return Ok(context.print(&json_v1::built(built, checked))?),
        Format::Concise => context.print(&text::built(built))?,
        Format::Text => {
            context.print_excerpts(checked, checked.reported())?;
            context.print(&text::built(built))?;
            if command.check {
                let outputs = composition.sources.iter().flat_map(|source| &source.outputs);
                for output in outputs.filter(|output| output.state != BuildState::Unchanged) {
                    print_difference(context, output)?;
                }
            }
        }
    }
    if !command.check && built.is_blocked() {
        context.remark("nothing was written");
    }
    if !context.options.quiet {
        context.print(&text::built_summary(built))?;
    }
    Ok(())
}

/// What would change in a file that is there, without secrets.
fn print_difference(context: &mut Context, output: &Compiled) -> Result<(), Failure> {
    let (Some(before), Some(after)) = (&output.before, &output.contents) else {
        return Ok(());
    };
    let path = &output.path;
    let old = super::written::secrets(context, path, before, None)?;
    let new = super::written::secrets(context, path, after, None)?;
    let diff = FixedFile {
        path: path.clone(),
        before: before.clone(),
        after: after.clone(),
        applied: Vec::new(),
    };
    let look = context.look;
    Ok(context.print(&text::diff(&look, &new.in_diff(old.in_diff(diff))))?)
}

/// The folder of the sources, those of all files that they are made of, and that of the configuration.
fn grounds(context: &Context, build: &Build, composition: &Composition) -> Vec<Ground> {
    let sources = composition.sources.iter();
    let places = sources
        .flat_map(|source| &source.fields)
        .flat_map(|field| &field.places);
    let found = composition.findings.iter().map(|found| &found.primary.place);
    let files = places.chain(found).map(|place| &place.path);
    let folders: BTreeSet<&Path> = files.filter_map(|file| Path::new(file).parent()).collect();
    let folders = folders
        .into_iter()
        .filter_map(|folder| sources::real(folder).ok());
    let project = sources::folder(&context.config);
    let config = Some(project.join(config::FILE));
    let sources = Some(project.join(&build.directory));
    let all = folders.chain(config).map(|path| (path, false));
    let all = all.chain(sources.map(|path| (path, true)));
    let ground = |(path, recursive): (PathBuf, bool)| Ground {
        top: path.parent().unwrap_or(&path).to_owned(),
        path,
        recursive,
    };
    all.map(ground).collect()
}
