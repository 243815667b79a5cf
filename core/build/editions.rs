//! The edition files: what releases do with a file.

use std::path::Path;

use callsheet_schema::Dialect;
use callsheet_schema::edition::Reader;

use crate::dialects::built_ins;
use crate::{files, text};

/// Every reader, sorted by name.
pub(crate) fn read(root: &Path, dialects: &[Dialect]) -> Vec<Reader> {
    let editions = files(&root.join("editions"));
    let readers: Vec<Reader> = editions.iter().map(|path| reader(root, path, dialects)).collect();
    for dialect in dialects {
        let decide = readers
            .iter()
            .filter(|reader| reader.dialect == dialect.id && reader.decides);
        assert!(
            decide.count() < 2,
            "`{}` has two editions that decide",
            dialect.id
        );
    }
    readers
}

fn reader(root: &Path, path: &Path, dialects: &[Dialect]) -> Reader {
    let place = path.display();
    let mut reader: Reader = toml::from_str(&text(path)).unwrap_or_else(|error| panic!("{place}: {error}"));
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    assert_eq!(stem, Some(&*reader.id), "{place}: the id is not the file's name");
    if let Some(catalog) = &mut reader.catalog {
        catalog.built_ins = built_ins(root, &reader.id);
    }
    let known = dialects.iter().any(|dialect| dialect.id == reader.dialect);
    assert!(known, "{place}: unknown dialect `{}`", reader.dialect);
    reader
}
