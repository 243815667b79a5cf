//! Command line options as settings of a session.

use std::path::Path;

use callsheet::delegation::{PermissionMode, Settings, Surroundings};
use callsheet::drive::Limits;
use callsheet::model::{self, Replay};
use callsheet::output::text::clean;
use callsheet::surroundings;
use callsheet::trust::Trust;

use super::super::context::Context;
use crate::cli::{self, Told, Work};

/// The alias of the model given on the command line.
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
    } else if !context.config.run.is_empty()
        && let Some(written) = &context.config.written
    {
        let file = clean(&written.path.to_string_lossy());
        context.remark(&format!(
            "note: `[run]` in {file} is ignored; `callsheet trust {file}` enables it"
        ));
    }
    let named = work.model().map(model::parse);
    let mut aliases = context.config.aliases.clone();
    let usual = aliases.iter().find(|(word, _)| word == "default");
    let usual = usual.map(|(_, choice)| choice.clone());
    for (word, named) in work.aliases() {
        // The first one of a name counts.
        aliases.insert(0, (word.to_owned(), model::parse(named)));
    }
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
        surroundings: told(work, project),
        bounds: (&limits(&work.limits, Limits::from(&defaults.bounds), 0)).into(),
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

/// What agents are told about where they work; in a replay, what they were told then.
fn told(work: &Work, project: &Path) -> Option<Surroundings> {
    let file = work.model().and_then(|named| named.strip_prefix("replay:"));
    match (&work.told, file) {
        (Told::Recorded(recorded), _) => recorded.clone(),
        // One that cannot be read is reported when it answers.
        (_, Some(file)) => Replay::open(file)
            .ok()
            .and_then(|replay| replay.surroundings().cloned()),
        (Told::Usual, None) => Some(surroundings(project)),
        (Told::Shared, None) => Some(Surroundings {
            personal: false,
            ..surroundings(project)
        }),
    }
}

/// The previous limits, except those given. Time starts again.
pub(in crate::commands) fn limits(given: &cli::Limits, before: Limits, now: u64) -> Limits {
    let deadline = given.time.map(|time| now.saturating_add(time));
    Limits {
        depth: given.depth.unwrap_or(before.depth),
        turns: given.turns.unwrap_or(before.turns),
        total_turns: given.total_turns.unwrap_or(before.total_turns),
        children: given.children.unwrap_or(before.children),
        parallel: given.parallel.unwrap_or(before.parallel),
        tokens: given.tokens.or(before.tokens),
        cost: given.cost.or(before.cost),
        context: given.context.or(before.context),
        deadline: deadline.or(before.deadline),
        result_bytes: given.result_bytes.unwrap_or(before.result_bytes),
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
    use clap::CommandFactory as _;

    use crate::cli::Cli;

    #[test]
    fn the_help_states_the_default_limits() {
        let mut callsheet = Callsheet::builder().without_home().build().unwrap();
        let bounds = callsheet.default_settings("/", None).unwrap().bounds;
        let command = Cli::command();
        let run = command.find_subcommand("run").unwrap();
        for (id, usual) in [
            ("depth", bounds.depth),
            ("turns", bounds.turns),
            ("total_turns", bounds.total_turns),
            ("children", bounds.children),
            ("parallel", bounds.parallel),
            ("result_bytes", bounds.result_bytes),
        ] {
            let argument = run
                .get_arguments()
                .find(|argument| argument.get_id() == id)
                .unwrap();
            let help = argument.get_help().unwrap().to_string();
            assert!(help.contains(&format!("[default: {usual}]")), "{id}: {help}");
        }
    }
}
