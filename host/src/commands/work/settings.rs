//! What the command line says of a session, as the contract says it.

use std::path::Path;

use callsheet::delegation::{Bounds, PermissionMode, Settings};
use callsheet::model;
use callsheet::trust::Trust;

use super::super::context::Context;
use crate::cli::{self, Work};

/// The word for the model that the user named.
pub(in crate::commands) const NAMED: &str = "the model that was named";

pub(in crate::commands) fn of(
    context: &mut Context,
    work: &Work,
    project: &Path,
    trust: &Trust,
) -> callsheet::Result<Settings> {
    let mut allow = work.allow.clone();
    let mut usual_mode = None;
    if trust.holds_for(&context.config) {
        allow.extend(context.config.run.allow.iter().cloned());
        usual_mode = context.config.run.permission_mode;
    }
    let named = work.model.as_deref().map(model::parse);
    let mut aliases = context.config.aliases.clone();
    let usual = aliases.iter().find(|(word, _)| word == "default");
    let usual = usual.map(|(_, choice)| choice.clone());
    aliases.extend(named.clone().map(|named| (NAMED.to_owned(), named)));
    let home = match &context.options.home {
        Some(home) => Some(home.clone()),
        None => std::env::home_dir(),
    };
    let home = home.and_then(|home| home.canonicalize().ok());
    let home = home.as_ref().map(|home| home.to_string_lossy());
    let defaults = context
        .callsheet
        .default_settings(&project.to_string_lossy(), home.as_deref())?;
    Ok(Settings {
        bounds: bounds(work),
        attenuate: work.attenuate,
        mode: work
            .permission_mode
            .map(mode)
            .or(usual_mode)
            .unwrap_or(defaults.mode),
        allow,
        default_model: named
            .clone()
            .or(usual)
            .unwrap_or_else(|| defaults.default_model.clone()),
        aliases,
        ..defaults
    })
}

fn bounds(work: &Work) -> Bounds {
    Bounds {
        depth: work.depth,
        turns: work.turns,
        total_turns: work.total_turns,
        children: work.children,
        parallel: work.parallel,
        tokens: work.tokens,
        cost: work.cost,
        deadline: work.time,
        result_bytes: work.result_bytes,
    }
}

fn mode(mode: cli::PermissionMode) -> PermissionMode {
    match mode {
        cli::PermissionMode::Plan => PermissionMode::Plan,
        cli::PermissionMode::Default => PermissionMode::Default,
        cli::PermissionMode::AcceptEdits => PermissionMode::AcceptEdits,
        cli::PermissionMode::Bypass => PermissionMode::Bypass,
    }
}

#[cfg(test)]
mod tests {
    use callsheet::Callsheet;
    use clap::Parser as _;

    use crate::cli::{Cli, Command};

    #[test]
    fn the_usual_bounds_are_the_component_s() {
        let Ok(Command::Run(run)) =
            Cli::try_parse_from(["callsheet", "run", "a", "b"]).map(|cli| cli.command)
        else {
            panic!("it is a command line");
        };
        let mut callsheet = Callsheet::builder().without_home().build().unwrap();
        let settings = callsheet.default_settings("/", None).unwrap();
        assert_eq!(
            format!("{:?}", super::bounds(&run.work)),
            format!("{:?}", settings.bounds)
        );
    }
}
