//! Which dialect reads a file whose path was given.

use callsheet::documents::Found;

use crate::commands::context::Context;
use crate::exit::Failure;

/// What decides it.
pub(super) struct Choice {
    /// The one that was named.
    named: Option<String>,
    /// Those that the files are written for, with the directories that they read.
    targets: Vec<(String, Vec<String>)>,
}

impl Choice {
    pub(super) fn new(context: &mut Context) -> Result<Self, Failure> {
        let targets = context.config.target_dialects();
        let mut dialects = context.callsheet.dialects()?;
        dialects.retain(|dialect| targets.contains(&dialect.id));
        let directories = |dialect: callsheet::documents::Dialect| {
            let sources = dialect.sources.into_iter();
            let directories = sources.map(|source| source.directory.replace('~', ""));
            (
                dialect.id,
                directories.filter(|directory| !directory.is_empty()).collect(),
            )
        };
        Ok(Self {
            named: context.options.dialect.clone(),
            targets: dialects.into_iter().map(directories).collect(),
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
        let owns = |(id, _): &&(String, Vec<String>)| Some(id) == owner;
        let looks = |(_, directories): &&(String, Vec<String>)| {
            let path = format!("/{}", found.path);
            directories
                .iter()
                .any(|directory| path.contains(&format!("/{}/", directory.trim_start_matches('/'))))
        };
        let mut targets = self.targets.iter();
        let first = targets.clone().next().filter(|_| owner.is_none());
        let reader = targets
            .clone()
            .find(owns)
            .or_else(|| targets.find(looks))
            .or(first);
        found.dialect = reader.map(|(id, _)| id.clone());
        reader.is_some()
    }
}
