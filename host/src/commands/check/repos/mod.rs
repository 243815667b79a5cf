//! `check --repos`: many repositories, each on its own.

mod cache;
mod found;
mod one;
mod print;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};

use callsheet::closest::closest;
use callsheet::config::Known;

use self::cache::{Cache, Kept};
use self::one::{Checked, Checker};
use super::chosen::Chosen;
use crate::cli::{Check, Output};
use crate::commands::configuration;
use crate::commands::context::Context;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Check) -> Result<Exit, Failure> {
    let Some(from) = &command.repos else {
        unreachable!("only called with repositories")
    };
    refuse(context)?;
    let paths = found::repositories(from, command.shard)?;
    let chosen = Chosen::of(context, command)?;
    let cache = match &command.cache {
        Some(file) => Cache::open(file, &cache::asked(&context.options, command))?,
        None => Cache::default(),
    };
    let known = configuration::known(&mut context.callsheet)?;
    let mut dialects = context.options.dialect.iter().chain(&command.target);
    if let Some(dialect) = dialects.find(|dialect| !known.dialects.contains(dialect)) {
        return Err(unknown(dialect, &known));
    }
    let checker = Checker {
        options: &context.options,
        library: context.libraries(),
        command,
        chosen: &chosen,
        cache: &cache,
        known: &known,
    };
    let checked = all(&paths, |path| checker.check(path));
    let new = || {
        let kept = checked.iter().filter_map(|one| one.result.as_ref().ok());
        kept.filter(|kept| kept.is_new)
    };
    if let Some(file) = command.cache.as_ref().filter(|_| new().next().is_some()) {
        cache.save(file, new())?;
    }
    for one in &checked {
        if let Err(failure) = &one.result {
            context.complain(failure);
        }
    }
    print::all(context, &checked)?;
    if command.cache.is_some() {
        let old = checked
            .iter()
            .filter(|one| one.result.as_ref().is_ok_and(|kept| !kept.is_new));
        let (old, all) = (old.count(), checked.len());
        context.remark(&format!(
            "note: the results of {old} of {all} repositories are from the cache"
        ));
    }
    Ok(exit(&checked, command))
}

/// Some options are about one project.
fn refuse(context: &Context) -> Result<(), Failure> {
    let options = &context.options;
    if !matches!(options.format, Output::Text | Output::Concise | Output::Json) {
        let failure = Failure::trouble("`--repos` prints text, concise lines or JSON");
        return Err(failure.help("for another format, check each repository on its own"));
    }
    let is_elsewhere = options.project != Path::new(".");
    for (is_given, option) in [
        (options.home.is_some(), "--home"),
        (is_elsewhere, "--project"),
        (options.gives_agents(), "agents on the command line"),
    ] {
        if is_given {
            let failure = Failure::trouble(format!("`--repos` cannot be used with {option}"));
            return Err(failure.help("each repository is checked on its own, without the home directory"));
        }
    }
    Ok(())
}

/// One error instead of one for each repository.
fn unknown(dialect: &str, known: &Known) -> Failure {
    let nearest = closest(dialect, known.dialects.iter().map(String::as_str));
    Failure::from(callsheet::Error::UnknownDialect {
        asked: dialect.to_owned(),
        nearest: nearest.map(str::to_owned),
    })
}

/// The results in the order of the paths.
fn all(paths: &[String], check: impl Fn(&str) -> Result<Kept, Failure> + Sync) -> Vec<Checked> {
    let threads = available_parallelism().map_or(1, usize::from).min(paths.len());
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(paths.len()));
    scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((at, path)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    paths.get(at).map(|path| (at, path))
                } {
                    let result = check(path);
                    let path = path.clone();
                    let mut results = results.lock().unwrap_or_else(|held| held.into_inner());
                    results.push((at, Checked { path, result }));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|held| held.into_inner());
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, checked)| checked).collect()
}

fn exit(checked: &[Checked], command: &Check) -> Exit {
    let said = || checked.iter().filter_map(|one| one.result.as_ref().ok());
    if said().count() < checked.len() {
        Exit::Trouble
    } else if command.exit_zero || said().all(|kept| kept.said.errors + kept.said.warnings == 0) {
        Exit::Clean
    } else {
        Exit::Findings
    }
}
