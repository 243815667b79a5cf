//! The file that a name resolves to.

use callsheet::catalogs::{Entry, Standing};
use callsheet::documents::{KeyChange, WriteError};
use callsheet::output::secrets::Secrets;
use callsheet::output::text::clean;
use callsheet::types::Level;
use callsheet::write::edited;

use crate::commands::context::Context;
use crate::commands::{kinds, sources, why};
use crate::exit::Failure;

/// The file of an agent to change.
pub(in crate::commands) struct Target {
    pub(in crate::commands) path: String,
    /// Its dialect.
    pub(in crate::commands) dialect: String,
    /// The same with its kind, if that is not an agent.
    pub(in crate::commands) rules: String,
    pub(in crate::commands) contents: Vec<u8>,
    entry: Entry,
}

impl Target {
    /// Finds the active definition, or the first one that does not load, which may be about to be fixed.
    ///
    /// Fails if no file or several files match.
    pub(in crate::commands) fn find(context: &mut Context, name: &str) -> Result<Self, Failure> {
        let mut found: Vec<(String, Entry)> = Vec::new();
        for dialect in context.dialects()? {
            let candidates = context.open(&dialect)?.explain(name)?.candidates;
            let strongest = candidates
                .into_iter()
                .find(|it| it.standing != Standing::NotAnAgent);
            found.extend(strongest.map(|entry| (dialect, entry)));
        }
        if found.is_empty() {
            return Err(why::not_found(context, name)?);
        }
        if found.iter().all(|(_, entry)| entry.origin.path.is_none()) {
            return Err(no_file(name, &found));
        }
        found.retain(|(_, entry)| entry.origin.path.is_some());
        let (dialect, entry) = found.remove(0);
        let path = entry.origin.path.clone().unwrap_or_default();
        if let Some((other, entry)) = found
            .iter()
            .find(|(_, it)| it.origin.path.as_ref() != Some(&path))
        {
            let other_path = entry.origin.path.as_deref().unwrap_or_default();
            return Err(several(name, [(&dialect, &path), (other, other_path)]));
        }
        let contents = context.callsheet.read(&path)?;
        let owner = context.callsheet.parse(&path, &contents, None)?.dialect;
        let dialect = if found.iter().any(|(other, _)| *other == owner) {
            owner
        } else {
            dialect
        };
        Ok(Self {
            path,
            rules: kinds::dialect(context.kind, &dialect),
            dialect,
            contents,
            entry,
        })
    }

    /// The same, unless the file is managed elsewhere.
    pub(in crate::commands) fn find_own(context: &mut Context, name: &str) -> Result<Self, Failure> {
        let target = Self::find(context, name)?;
        // A plugin in the repository is the user's own.
        if !(target.is_of_plugin() && context.callsheet.path_in_repository(&target.path).is_some()) {
            may_change(name, &target.entry)?;
        }
        match sources::origins(context, &[&target.path])?.pop() {
            Some((path, origins)) => Err(compiled(&path, &origins.source)),
            None => Ok(target),
        }
    }

    pub(in crate::commands) fn is_of_plugin(&self) -> bool {
        self.entry.origin.level == Level::Plugin
    }

    /// The secrets of such contents.
    pub(in crate::commands) fn secrets(
        &self,
        context: &mut Context,
        contents: &[u8],
    ) -> Result<Secrets, Failure> {
        secrets(context, &self.path, contents, Some(&self.rules))
    }

    /// The contents after some changes, and with a new prompt.
    pub(in crate::commands) fn revised(
        &self,
        context: &mut Context,
        changes: &[KeyChange],
        prompt: Option<&str>,
    ) -> Result<Vec<u8>, Failure> {
        let path = clean(&self.path);
        let edits = context
            .callsheet
            .revise(&self.contents, &self.rules, changes, prompt);
        match edits {
            Ok(edits) => Ok(edited(&self.contents, &edits)),
            Err(callsheet::Error::Unwritten(WriteError::Unreadable(reason))) => {
                let failure = Failure::trouble(format!("{path} cannot be edited: {}", clean(&reason)));
                if path.ends_with(".toml") {
                    Err(failure)
                } else {
                    Err(failure.help(format!("try `callsheet check --fix {path}` first")))
                }
            }
            Err(error @ callsheet::Error::Unwritten(_)) => Err(Failure::trouble(format!(
                "{path} was not changed: {}",
                clean(&error.to_string())
            ))),
            Err(error) => Err(error.into()),
        }
    }
}

/// The secrets of a file's contents.
pub(in crate::commands) fn secrets(
    context: &mut Context,
    path: &str,
    contents: &[u8],
    dialect: Option<&str>,
) -> Result<Secrets, Failure> {
    let parsed = context.callsheet.parse(path, contents, dialect)?;
    let found = parsed.diagnostics.iter().chain(&parsed.suppressed);
    Ok(Secrets::of(contents, found))
}

fn no_file(name: &str, found: &[(String, Entry)]) -> Failure {
    let name = clean(name);
    let of = |levels: &[Level]| {
        let mut found = found.iter();
        found.find(|(_, entry)| levels.contains(&entry.origin.level))
    };
    if let Some((_, entry)) = of(&[Level::Project, Level::User]) {
        let place = clean(&entry.origin.source);
        let failure = Failure::trouble(format!(
            "`{name}` is in the settings {place} and has no file of its own"
        ));
        return failure.help("change it there");
    }
    match of(&[Level::BuiltIn]) {
        Some((dialect, _)) => {
            let failure = Failure::trouble(format!("`{name}` is built into {dialect} and has no file"));
            failure.help(format!(
                "`callsheet new {name} --as {dialect}` creates one that overrides it"
            ))
        }
        None => Failure::trouble(format!("`{name}` was given on the command line and has no file")),
    }
}

fn several(name: &str, files: [(&String, &str); 2]) -> Failure {
    let [(a, path_a), (b, path_b)] = files;
    let (path_a, path_b) = (clean(path_a), clean(path_b));
    let name = clean(name);
    let failure = Failure::trouble(format!("`{name}` is {path_a} for {a}, and {path_b} for {b}"));
    failure.help(format!("choose one: `--as {a}` or `--as {b}`"))
}

/// The next `build` would undo a change, or refuse.
fn compiled(path: &str, source: &str) -> Failure {
    let (path, source) = (clean(path), clean(source));
    let failure = Failure::trouble(format!("{path} is compiled from {source}"));
    failure.help(format!("change {source}, then run `callsheet build`"))
}

fn may_change(name: &str, entry: &Entry) -> Result<(), Failure> {
    let (name, source) = (clean(name), clean(&entry.origin.source));
    let failure = match entry.origin.level {
        Level::Policy => Failure::trouble(format!("`{name}` is managed by an administrator, in {source}")),
        Level::Plugin => Failure::trouble(format!(
            "`{name}` belongs to a plugin, whose next update would undo it"
        ))
        .help(format!(
            "`callsheet copy {name} --to project` makes a copy that overrides it"
        )),
        _ => return Ok(()),
    };
    Err(failure)
}
