//! The dialect files and the agents that products ship.

use std::collections::BTreeSet;
use std::path::Path;

use callsheet_schema::{BuiltIn, Dialect};

use crate::{files, text};

/// Every dialect, sorted by name.
pub(crate) fn read(root: &Path) -> Vec<Dialect> {
    let mut dialects: Vec<Dialect> = files(&root.join("dialects"))
        .iter()
        .map(|path| dialect(root, path))
        .collect();
    dialects.sort_by(|a, b| a.id.cmp(&b.id));
    dialects
}

fn dialect(root: &Path, path: &Path) -> Dialect {
    let place = path.display();
    let mut dialect: Dialect = toml::from_str(&text(path)).unwrap_or_else(|error| panic!("{place}: {error}"));
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    assert_eq!(stem, Some(&*dialect.id), "{place}: the id is not the file's name");
    let mut spellings = BTreeSet::new();
    for spelling in dialect.keys.iter().flat_map(|key| &key.spellings) {
        assert!(spellings.insert(spelling), "{place}: duplicate `{spelling}`");
    }
    dialect.built_ins = built_ins(root, &dialect.id);
    dialect
}

/// The agents that a dialect or one of its editions ships.
pub(crate) fn built_ins(root: &Path, id: &str) -> Vec<BuiltIn> {
    let files = files(&root.join("builtins").join(id));
    files.iter().map(|path| built_in(path)).collect()
}

fn built_in(path: &Path) -> BuiltIn {
    let file = path.file_name().and_then(|name| name.to_str());
    BuiltIn {
        file: file.expect("our own files have plain names").to_owned(),
        text: text(path),
    }
}
