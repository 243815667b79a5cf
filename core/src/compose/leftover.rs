//! Compiled files that no source compiles to.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::build::{Composed, Leftover};
use super::mark::mark;
use crate::dialect::Dialects;
use crate::files::{FileKind, Files, join};
use crate::limits::DIRECTORY_DEPTH;

/// Those in the folders of every dialect, sorted by path. What a source with errors compiled to before is none.
pub(super) fn leftovers(
    files: &dyn Files,
    dialects: &Dialects,
    directory: &str,
    sources: &[Composed],
) -> Vec<Leftover> {
    let (mut outputs, mut broken) = (BTreeSet::<&str>::new(), BTreeSet::<&str>::new());
    for source in sources {
        outputs.extend(source.outputs.iter().map(|output| &*output.path));
        broken.extend(source.outputs.is_empty().then_some(&*source.path));
    }
    let mut folders: BTreeSet<String> = BTreeSet::new();
    for dialect in dialects.iter() {
        folders.extend(dialect.own_directories().map(|own| join(directory, own)));
    }
    let mut found = BTreeSet::new();
    folders
        .iter()
        .for_each(|folder| look(files, folder, DIRECTORY_DEPTH, &mut found));
    let leftover = |path: &String| {
        let contents = files.read(path).ok().filter(|_| !outputs.contains(&**path))?;
        let mark = mark(&contents)?;
        let is_broken = broken.contains(&*join(directory, &mark.source));
        (!is_broken).then(|| Leftover {
            path: path.clone(),
            source: mark.source,
            is_intact: mark.is_intact,
            contents,
        })
    };
    found.iter().filter_map(leftover).collect()
}

fn look(files: &dyn Files, folder: &str, depth: usize, found: &mut BTreeSet<String>) {
    for entry in files.list(folder).unwrap_or_default() {
        let path = join(folder, &entry.name);
        match entry.kind {
            FileKind::Directory if depth > 0 => look(files, &path, depth - 1, found),
            FileKind::File => drop(found.insert(path.to_string())),
            _ => {}
        }
    }
}
