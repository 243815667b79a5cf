//! The rules of products for skills and commands, and what releases do with them.

use std::collections::BTreeSet;
use std::path::Path;

use callsheet_schema::edition::Reader;
use callsheet_schema::{Dialect, Kind, KindRules};
use serde::de::DeserializeOwned;

use crate::{files, text};

/// The folders, and what the files described there define.
const KINDS: &[(&str, Kind)] = &[("command", Kind::Command), ("skill", Kind::Skill)];

/// The rules by kind and name, and the readers. A file whose name has an `@` is a reader.
pub(crate) fn read(root: &Path, dialects: &[Dialect]) -> (Vec<KindRules>, Vec<Reader>) {
    let (mut rules, mut readers) = (Vec::new(), Vec::new());
    for (folder, kind) in KINDS {
        for path in files(&root.join("kinds").join(folder)) {
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let stem = stem.expect("our own files have plain names");
            if stem.contains('@') {
                let mut reader: Reader = parsed(&path);
                assert_eq!(
                    stem,
                    reader.id,
                    "{}: the id is not the file's name",
                    path.display()
                );
                reader.kind = *kind;
                readers.push(reader);
            } else {
                rules.push(rule(&path, stem, *kind, dialects));
            }
        }
    }
    (rules, readers)
}

fn rule(path: &Path, stem: &str, kind: Kind, dialects: &[Dialect]) -> KindRules {
    let place = path.display();
    let mut rules: KindRules = parsed(path);
    let id = rules.alone.as_ref().map_or(&rules.dialect, |alone| &alone.id);
    assert_eq!(stem, id, "{place}: the id is not the file's name");
    let known = dialects.iter().any(|dialect| dialect.id == rules.dialect);
    assert!(known, "{place}: unknown dialect `{}`", rules.dialect);
    let mut spellings = BTreeSet::new();
    for spelling in rules.keys.iter().flat_map(|key| &key.spellings) {
        assert!(spellings.insert(spelling), "{place}: duplicate `{spelling}`");
    }
    rules.kind = kind;
    rules
}

fn parsed<T: DeserializeOwned>(path: &Path) -> T {
    toml::from_str(&text(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
