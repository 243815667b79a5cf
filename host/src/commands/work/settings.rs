//! What the command line says of a session, as the contract says it.

use std::path::Path;

use callsheet::delegation::{Bounds, ModelChoice, PermissionMode, Settings};
use callsheet::drive::BASE_PROMPT;
use callsheet::model;
use callsheet::trust::Trust;

use super::super::context::Context;
use crate::cli::{self, Work};

/// The word for the model that the user named.
pub(in crate::commands) const NAMED: &str = "the model that was named";

pub(in crate::commands) fn of(context: &Context, work: &Work, project: &Path, trust: &Trust) -> Settings {
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
    Settings {
        bounds: bounds(work),
        attenuate: work.attenuate,
        mode: work
            .permission_mode
            .map(mode)
            .or(usual_mode)
            .unwrap_or(PermissionMode::Default),
        allow,
        trusted: Vec::new(),
        root: project.to_string_lossy().into_owned(),
        home: home.map(|home| home.to_string_lossy().into_owned()),
        base_prompt: BASE_PROMPT.to_owned(),
        default_model: named.clone().or(usual).unwrap_or_else(nobody),
        aliases,
    }
}

fn nobody() -> ModelChoice {
    ModelChoice {
        provider: None,
        model: String::new(),
    }
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
