//! `doctor`: what Callsheet reads here, and from where.

use std::path::Path;

use callsheet::confine::{Confinement, Extras};
use callsheet::drive::Sessions;
use callsheet::model::key_variables;
use callsheet::output::doctor::Section;
use callsheet::output::text::{clean, plural};
use callsheet::output::{json_v1, text};
use callsheet::trust::Trust;
use callsheet::types::{Level, Severity};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context) -> Result<Exit, Failure> {
    let mut sections = vec![program(context)?];
    // The rest is useful even if the configuration cannot be read.
    let configured = context.configure();
    sections.push(project(context, configured)?);
    sections.push(tools(context)?);
    sections.push(runs(context));
    let has_problem = sections
        .iter()
        .flat_map(|section| &section.facts)
        .any(|fact| fact.is_problem);
    match context.format() {
        Format::Json => context.print(&json_v1::doctor(&sections))?,
        Format::Text | Format::Concise => context.print(&text::doctor(&context.look, &sections))?,
    }
    Ok(if has_problem { Exit::Findings } else { Exit::Clean })
}

fn program(context: &mut Context) -> Result<Section, Failure> {
    let mut section = Section::new("Callsheet");
    section.add("version", env!("CARGO_PKG_VERSION"));
    let executable = std::env::current_exe().map(|path| path.display().to_string());
    section.add("program", executable.unwrap_or_default());
    section.add(
        "knows",
        format!(
            "{} dialects, {} measured releases, {} rules",
            context.callsheet.dialects()?.len(),
            context.callsheet.readers()?.len(),
            context.callsheet.rules()?.len()
        ),
    );
    Ok(section)
}

fn project(context: &mut Context, configured: Result<(), Failure>) -> Result<Section, Failure> {
    let mut section = Section::new("Project");
    let directory = context.options.project.canonicalize();
    let directory = directory.unwrap_or_else(|_| context.options.project.clone());
    section.add("directory", directory.display().to_string());
    match (configured, &context.config.written) {
        (Err(failure), _) => section.add_problem("configuration", failure.message()),
        (Ok(()), None) => section.add("configuration", "none; `callsheet init` writes one"),
        (Ok(()), Some(written)) => {
            section.add("configuration", written.path.display().to_string());
            let trust = Trust::open(context.options.home.as_deref());
            let needs_trust = !context.config.run.is_empty()
                || !context.config.servers.is_empty()
                || !context.config.providers.is_empty();
            if trust.is_ok_and(|trust| trust.holds_for(&context.config)) {
                section.add("trust", "the configuration is trusted");
            } else if needs_trust {
                section.add_problem(
                    "trust",
                    format!(
                        "the configuration is not trusted: `[run]`, `[mcp]` and `[providers]` have no effect until `callsheet trust {}`",
                        clean(&written.path.display().to_string())
                    ),
                );
            } else {
                section.add("trust", "not needed");
            }
        }
    }
    if section
        .facts
        .iter()
        .any(|fact| fact.is_problem && fact.name == "configuration")
    {
        return Ok(section);
    }
    let checked = super::check::whole(context)?;
    let count = |severity| checked.count(severity);
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let found = format!(
        "{}: {}, {}",
        plural(checked.files, "file"),
        plural(errors, "error"),
        plural(warnings, "warning")
    );
    match errors + warnings {
        0 => section.add("check", found),
        _ => section.add_problem("check", format!("{found}; `callsheet check` shows them")),
    }
    Ok(section)
}

/// The tools with agents here, and their directories.
fn tools(context: &mut Context) -> Result<Section, Failure> {
    let mut section = Section::new("Tools with agents here");
    for dialect in context.dialects()? {
        let mut catalog = context.callsheet.open(&dialect)?;
        let places = catalog.visited()?;
        let places = places.iter().filter(|visited| visited.files > 0);
        let places = places.map(|visited| {
            let files = plural(visited.files as usize, "file");
            format!("{} ({files})", visited.location.directory)
        });
        let mut places: Vec<String> = places.collect();
        let in_settings = catalog.entries(true)?.into_iter().filter(|entry| {
            entry.origin.path.is_none() && matches!(entry.origin.level, Level::User | Level::Project)
        });
        places.extend(in_settings.map(|entry| entry.origin.source));
        places.dedup();
        let none = || "built-in agents only".to_owned();
        section.add(
            dialect,
            if places.is_empty() {
                none()
            } else {
                places.join(", ")
            },
        );
    }
    if section.facts.is_empty() {
        section.add("none", "`callsheet list` shows where each tool looks");
    }
    Ok(section)
}

/// What `run` and `task` would use.
fn runs(context: &Context) -> Section {
    let mut section = Section::new("Running agents");
    for (alias, model) in &context.config.aliases {
        let provider = model.provider.iter().map(|provider| format!("{provider}:"));
        section.add(
            format!("model {alias}"),
            provider.collect::<String>() + &model.model,
        );
    }
    if context.config.aliases.is_empty() {
        section.add(
            "models",
            "none in [models]; name one with `--model PROVIDER:NAME`",
        );
    }
    for (provider, variable) in key_variables(&context.config.providers) {
        let value = match variable {
            None => "needs no key".to_owned(),
            Some(variable) if std::env::var_os(&variable).is_some() => format!("{variable} is set"),
            Some(variable) => format!("{variable} is not set"),
        };
        section.add(format!("provider {provider}"), value);
    }
    for server in &context.config.servers {
        section.add(format!("MCP server {}", server.name), server.source.clone());
    }
    let project: &Path = &context.options.project;
    match Confinement::new(project, context.options.home.as_deref(), Extras::default()) {
        Ok(confinement) => section.add("confinement", confinement.gap().unwrap_or("complete")),
        Err(reason) => section.add_problem("confinement", format!("not available: {reason}")),
    }
    if let Some(sessions) = Sessions::of(context.options.home.as_deref()) {
        let kept = sessions.all().map_or(0, |all| all.len());
        section.add("sessions", format!("{} ({kept})", sessions.directory().display()));
    }
    section
}
