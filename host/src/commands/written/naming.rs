//! How a dialect names agents and their files.

use callsheet::documents::{Dialect, Identity};
use callsheet::types::Kind;

use crate::commands::context::Context;
use crate::commands::kinds;
use crate::exit::Failure;

/// How names and files of one kind are related in a dialect.
pub(in crate::commands) struct Naming {
    pub(in crate::commands) dialect: Dialect,
    pub(in crate::commands) kind: Kind,
}

impl Naming {
    /// For a dialect, or the one that this is an edition of.
    pub(in crate::commands) fn of(context: &mut Context, id: &str) -> Result<Self, Failure> {
        // Fails with the closest name if the dialect is unknown.
        if let Err(error) = context.callsheet.locations_for(id, context.kind) {
            return Err(context.unopened(id, error)?);
        }
        let product = id.split_once('@').map_or(id, |(product, _)| product);
        let mut dialects = context.callsheet.dialects_for(context.kind)?.into_iter();
        let dialect = dialects.find(|dialect| dialect.id == product);
        let mut dialect = dialect.expect("an edition is called after its dialect");
        id.clone_into(&mut dialect.id);
        let kind = context.kind;
        Ok(Self { dialect, kind })
    }

    /// Whether a file sets its name. Otherwise its place does.
    pub(in crate::commands) fn is_in_file(&self) -> bool {
        self.dialect.keys.iter().any(|key| key.canonical == "name")
    }

    /// A new file, below the directory. Fails if it cannot have this name.
    pub(in crate::commands) fn file(&self, context: &mut Context, name: &str) -> Result<String, Failure> {
        let rules = kinds::dialect(self.kind, &self.dialect.id);
        let file = context.callsheet.name_file(name, &rules)?;
        file.map_err(|invalid| callsheet_server::Failure::from(invalid).into())
    }

    /// The path of a file below the directory of its dialect, as far as the agent's name tells.
    pub(in crate::commands) fn below<'a>(&self, path: &'a str, name: &str) -> &'a str {
        let stem = path.strip_suffix(self.ending(path)).unwrap_or(path);
        let file = path.rfind('/').map_or(0, |at| at + 1);
        let start = match self.dialect.identity {
            Identity::FileName | Identity::Dashes | Identity::Folder => file,
            Identity::Path | Identity::Colons => stem.strip_suffix(name).map_or(file, str::len),
        };
        &path[start..]
    }

    /// The first of the dialect's extensions that the file has, otherwise what follows its last dot.
    fn ending<'a>(&self, path: &'a str) -> &'a str {
        let file = &path[path.rfind('/').map_or(0, |at| at + 1)..];
        let has =
            |ending: &&String| !ending.is_empty() && file.len() > ending.len() && file.ends_with(&**ending);
        let known = self.dialect.endings.iter().find(has).map(String::len);
        let unknown = || {
            file.rfind('.')
                .filter(|at| *at > 0)
                .map_or(0, |at| file.len() - at)
        };
        &path[path.len() - known.unwrap_or_else(unknown)..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naming(endings: &[&str], identity: Identity) -> Naming {
        let dialect = Dialect {
            id: String::new(),
            title: String::new(),
            evidence: String::new(),
            sources: Vec::new(),
            clash: String::new(),
            file_names: String::new(),
            endings: endings.iter().map(|ending| (*ending).to_owned()).collect(),
            identity,
            keys: Vec::new(),
            prompt_key: None,
            models: Vec::new(),
            tools: Vec::new(),
        };
        Naming {
            dialect,
            kind: Kind::Agent,
        }
    }

    #[test]
    fn a_name_can_include_a_path() {
        let naming = naming(&[".md"], Identity::Path);
        assert_eq!(naming.below("x/a/b.md", "a/b"), "a/b.md");
        assert_eq!(naming.below("x/a/b.md", "other"), "b.md");
    }
}
