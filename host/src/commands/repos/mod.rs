//! `--repos`: many repositories, each on its own.

mod cache;
mod found;
mod one;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};

use callsheet::closest::closest;
use callsheet::config::Known;
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::cache::{Cache, Kept};
use self::one::Reader;
pub(super) use self::one::{Made, Opened};
use super::configuration;
use super::context::Context;
use crate::cli::Repos;
use crate::exit::Failure;

/// A repository, and what was said of it.
pub(super) struct Done<S> {
    pub(super) path: String,
    pub(super) result: Result<Kept<S>, Failure>,
}

impl<S> Done<S> {
    pub(super) fn said(&self) -> Option<&S> {
        self.result.as_ref().ok().map(|kept| &kept.said)
    }
}

/// What `work` says of each repository, in the order of their paths. `asked` are the options that change it, and `targets` dialects among them.
pub(super) fn all<S: Clone + DeserializeOwned + Serialize + Send + Sync>(
    context: &mut Context,
    many: &Repos,
    asked: &str,
    targets: &[String],
    work: impl Fn(&mut Opened) -> Result<Made<S>, Failure> + Sync,
) -> Result<Vec<Done<S>>, Failure> {
    let Some(from) = &many.repos else {
        unreachable!("only called with repositories")
    };
    refuse(context)?;
    let paths = found::repositories(from, many.shard, &|said| context.remark(said))?;
    let asked = cache::asked(&context.options, asked);
    let cache = match &many.cache {
        Some(file) => Cache::open(file, asked)?,
        None => Cache::new(asked),
    };
    let known = configuration::known(&mut context.callsheet)?;
    let mut dialects = context.options.dialect.iter().chain(targets);
    if let Some(dialect) = dialects.find(|dialect| !known.dialects.contains(dialect)) {
        return Err(unknown(dialect, &known));
    }
    let reader = Reader {
        options: &context.options,
        library: context.libraries(),
        cache: &cache,
        known: &known,
        work,
    };
    let done = side_by_side(&paths, |path| reader.read(path));
    let new = || {
        let kept = done.iter().filter_map(|one| one.result.as_ref().ok());
        kept.filter(|kept| kept.is_new)
    };
    if let Some(file) = many.cache.as_ref().filter(|_| new().next().is_some()) {
        cache.save(file, new())?;
    }
    for one in &done {
        if let Err(failure) = &one.result {
            context.complain(failure);
        }
    }
    Ok(done)
}

/// Says how many results are from the cache, if there is one.
pub(super) fn remark<S>(context: &Context, many: &Repos, done: &[Done<S>]) {
    if many.cache.is_none() {
        return;
    }
    let is_old = |one: &&Done<S>| one.result.as_ref().is_ok_and(|kept| !kept.is_new);
    let (old, all) = (done.iter().filter(is_old).count(), done.len());
    context.remark(&format!(
        "note: the results of {old} of {all} repositories are from the cache"
    ));
}

/// Some options are about one project.
fn refuse(context: &Context) -> Result<(), Failure> {
    let options = &context.options;
    let is_elsewhere = options.project != Path::new(".");
    for (is_given, option) in [
        (options.home.is_some(), "--home"),
        (is_elsewhere, "--project"),
        (options.gives_agents(), "agents on the command line"),
    ] {
        if is_given {
            let failure = Failure::trouble(format!("`--repos` cannot be used with {option}"));
            return Err(failure.help("each repository is read on its own, without the home directory"));
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

fn side_by_side<S: Send>(
    paths: &[String],
    read: impl Fn(&str) -> Result<Kept<S>, Failure> + Sync,
) -> Vec<Done<S>> {
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
                    let result = read(path);
                    let path = path.clone();
                    let mut results = results.lock().unwrap_or_else(|held| held.into_inner());
                    results.push((at, Done { path, result }));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|held| held.into_inner());
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, done)| done).collect()
}
