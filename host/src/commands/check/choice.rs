//! Which dialect reads a file whose path was given.

use callsheet::documents::Found;

use crate::commands::context::Context;
use crate::exit::Failure;

/// What decides it.
pub(super) struct Choice {
    /// The one that was named.
    named: Option<String>,
    /// Those that the files are written for.
    targets: Vec<Target>,
}

/// A dialect, or one of its releases.
struct Target {
    id: String,
    dialect: String,
    /// The directories that it reads.
    directories: Vec<String>,
}

impl Choice {
    pub(super) fn new(context: &mut Context) -> Result<Self, Failure> {
        let dialects = context.callsheet.dialects()?;
        let target = |id: &String| {
            let dialect = id.split_once('@').map_or(id.as_str(), |(dialect, _)| dialect);
            let known = dialects.iter().filter(|known| known.id == dialect);
            let sources = known.flat_map(|known| &known.sources);
            let directories = sources.map(|source| source.directory.replace('~', ""));
            Target {
                id: id.clone(),
                dialect: dialect.to_owned(),
                directories: directories.filter(|directory| !directory.is_empty()).collect(),
            }
        };
        Ok(Self {
            named: context.options.dialect.clone(),
            targets: context.config.targets.iter().map(target).collect(),
        })
    }

    /// Whether the file is to be read. If it is, its reader is known afterwards, or left to the component.
    pub(super) fn reads(&self, found: &mut Found) -> bool {
        if self.named.is_some() {
            found.dialect.clone_from(&self.named);
        }
        if self.named.is_some() || self.targets.is_empty() {
            return true;
        }
        let owner = found.dialect.as_ref();
        let path = format!("/{}", found.path);
        let mut targets = self.targets.iter();
        let first = targets.clone().next().filter(|_| owner.is_none());
        let reader = targets
            .clone()
            .find(|target| Some(&target.dialect) == owner)
            .or_else(|| targets.find(|target| target.looks_at(&path)))
            .or(first);
        found.dialect = reader.map(|target| target.id.clone());
        reader.is_some()
    }
}

impl Target {
    fn looks_at(&self, path: &str) -> bool {
        let mut directories = self.directories.iter();
        directories.any(|directory| path.contains(&format!("/{}/", directory.trim_start_matches('/'))))
    }
}
