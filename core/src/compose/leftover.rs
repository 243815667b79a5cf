//! Compiled files that no source compiles to.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::build::{Composed, Leftover};
use super::family::Ground;
use super::mark::mark;
use crate::files::{FileError, FileKind, Files, join};
use crate::limits::DIRECTORY_DEPTH;
use crate::places::is_within;

/// Those in the folders of every dialect, sorted by path, whose sources were in this folder. What a source with errors compiled to before is
/// none.
pub(super) fn leftovers(ground: Ground<'_>, folder: &str, sources: &[Composed]) -> Vec<Leftover> {
    let Ground {
        files,
        dialects,
        directory,
        ..
    } = ground;
    let (mut outputs, mut compiled) = (BTreeSet::<&str>::new(), BTreeSet::<&str>::new());
    for source in sources {
        outputs.extend(source.outputs.iter().map(|output| &*output.path));
        compiled.extend((!source.outputs.is_empty()).then_some(&*source.path));
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
        let source = join(directory, &mark.source);
        // A source that cannot be read, such as one in a folder without permissions, may still be there.
        let is_missing = || files.read(&source) == Err(FileError::NotFound);
        let is_left = is_within(&source, folder) && (compiled.contains(&*source) || is_missing());
        is_left.then(|| Leftover {
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
