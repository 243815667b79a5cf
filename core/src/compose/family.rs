//! The sources of a project with their parents, in an order in which parents come first.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::header::Named;
use super::part::Part;
use crate::cycles::cycles;
use crate::diagnostic::{Diagnostic, Place};
use crate::dialect::{Dialect, Dialects, Level};
use crate::document;
use crate::files::{FileError, FileKind, Files, join};
use crate::ignore::{Ignore, is_ignored};
use crate::limits::{DIRECTORY_DEPTH, SOURCE_FILES};
use crate::places::{below, directory, inside};
use crate::rules;

/// The first character of files and folders that only others extend.
const PARTIAL: char = '_';

/// Where sources are.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) files: &'a dyn Files,
    pub(super) dialects: &'a Dialects,
    /// That of the sources.
    pub(super) dialect: &'a Dialect,
    /// The project directory.
    pub(super) directory: &'a str,
}

impl Ground<'_> {
    /// The contents of a file that another one in this folder names. Fails with the reason.
    pub(super) fn named(&self, folder: &str, name: &str) -> Result<(String, Vec<u8>), String> {
        let folder = below(self.directory, folder).unwrap_or(".");
        let path = Some(name).filter(|name| !name.starts_with('/'));
        let path = path.and_then(|name| inside(self.directory, &join(folder, name)));
        let path = path.ok_or_else(|| format!("`{name}` is outside of the project"))?;
        match self.files.read(&path) {
            Ok(bytes) => Ok((path, bytes)),
            Err(FileError::NotFound) => Err(format!("`{name}` does not exist")),
            Err(error) => Err(format!("`{name}` cannot be read: {}", error.words())),
        }
    }
}

impl Ground<'_> {
    /// The findings that comments in their files suppress, and the others. They are sorted by file.
    pub(super) fn parted(&self, found: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let mut known: Option<(String, Vec<Ignore>)> = None;
        found.into_iter().partition(|found| {
            let place = &found.primary.place;
            if known.as_ref().is_none_or(|(path, _)| *path != place.path) {
                known = Some((place.path.clone(), self.ignores(&place.path)));
            }
            known
                .as_ref()
                .is_some_and(|(_, ignores)| is_ignored(ignores, found))
        })
    }

    fn ignores(&self, path: &str) -> Vec<Ignore> {
        let bytes = self.files.read(path).unwrap_or_default();
        let level = Some(Level::Project);
        document::read(path, &bytes, level, self.dialect, self.dialects).ignores
    }
}

/// Sources and their parents.
pub(super) struct Family<'a> {
    ground: Ground<'a>,
    pub(super) paths: Vec<String>,
    /// Each file; none if it cannot be used.
    pub(super) parts: Vec<Option<Part>>,
    /// For each file, the numbers of its parents; none for one that cannot be read.
    pub(super) parents: Vec<Vec<Option<usize>>>,
    /// The number of the sources, which come first.
    pub(super) sources: usize,
    at: BTreeMap<String, usize>,
    pub(super) found: Vec<Diagnostic>,
}

impl<'a> Family<'a> {
    /// Reads the sources in a folder, and all that they extend.
    pub(super) fn open(ground: Ground<'a>, folder: &str) -> Self {
        let mut sources = BTreeSet::new();
        look(ground.files, folder, DIRECTORY_DEPTH, &mut sources);
        let mut family = Self {
            ground,
            paths: Vec::new(),
            parts: Vec::new(),
            parents: Vec::new(),
            sources: sources.len(),
            at: BTreeMap::new(),
            found: Vec::new(),
        };
        for path in sources {
            family.number(path);
        }
        let mut next = 0;
        while let Some(path) = family.paths.get(next).cloned() {
            let part = family.read(&path);
            let parents = part.as_ref().map(|part| family.parents_of(part));
            family.parents.push(parents.unwrap_or_default());
            family.parts.push(part);
            next += 1;
        }
        family.report_cycles();
        family
    }

    /// The number of a file; a new one is read later.
    fn number(&mut self, path: String) -> usize {
        let next = self.paths.len();
        let at = *self.at.entry(path.clone()).or_insert(next);
        if at == next {
            self.paths.push(path);
        }
        at
    }

    fn read(&mut self, path: &str) -> Option<Part> {
        match self.ground.files.read(path) {
            Ok(bytes) => Part::read(path, &bytes, self.ground.dialect, &mut self.found),
            Err(error) => {
                let message = format!("source cannot be read: {}", error.words());
                let rule = &rules::unbuildable_source::RULE;
                self.found
                    .push(Diagnostic::new(rule, Place::beginning(path), message));
                None
            }
        }
    }

    fn parents_of(&mut self, part: &Part) -> Vec<Option<usize>> {
        let number = |named: &Named| match self.ground.named(directory(&part.path), &named.name) {
            Ok((path, _)) => Some(self.number(path)),
            Err(reason) => {
                let rule = &rules::missing_parent::RULE;
                let place = named.place.clone();
                self.found.push(Diagnostic::new(rule, place, reason));
                None
            }
        };
        part.header.extends.iter().map(number).collect()
    }

    fn report_cycles(&mut self) {
        let parents = self.parents.iter();
        let calls = parents.map(|all| all.iter().flatten().copied().collect());
        let calls: Vec<Vec<usize>> = calls.collect();
        for cycle in cycles(&calls) {
            let Some((last, call)) = cycle.last().copied() else {
                continue;
            };
            let (first, parent) = (&self.paths[cycle[0].0], calls[last][call]);
            let named = self.parents[last].iter().position(|at| *at == Some(parent));
            let extends = self.parts[last].as_ref().map(|part| &part.header.extends);
            let Some(named) = extends.zip(named).and_then(|(extends, at)| extends.get(at)) else {
                continue;
            };
            let message = if cycle.len() == 1 {
                format!("{first} extends itself")
            } else {
                format!("`extends` leads back to {first}")
            };
            let rule = &rules::extends_cycle::RULE;
            self.found
                .push(Diagnostic::new(rule, named.place.clone(), message));
        }
    }

    /// The files outside of cycles, parents first.
    pub(super) fn in_order(&self) -> Vec<usize> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.paths.len()];
        let mut waiting = vec![0_usize; self.paths.len()];
        for (child, parents) in self.parents.iter().enumerate() {
            for parent in parents.iter().flatten() {
                children[*parent].push(child);
                waiting[child] += 1;
            }
        }
        let mut order: Vec<usize> = (0..waiting.len()).filter(|at| waiting[*at] == 0).collect();
        let mut next = 0;
        while let Some(at) = order.get(next).copied() {
            for child in &children[at] {
                waiting[*child] -= 1;
                if waiting[*child] == 0 {
                    order.push(*child);
                }
            }
            next += 1;
        }
        order
    }
}

/// The Markdown files in a folder that are no partials.
fn look(files: &dyn Files, folder: &str, depth: usize, found: &mut BTreeSet<String>) {
    for entry in files.list(folder).unwrap_or_default() {
        if entry.name.starts_with([PARTIAL, '.']) || found.len() >= SOURCE_FILES {
            continue;
        }
        let path = join(folder, &entry.name);
        match entry.kind {
            FileKind::Directory if depth > 0 => look(files, &path, depth - 1, found),
            FileKind::File if entry.name.ends_with(".md") => drop(found.insert(path)),
            _ => {}
        }
    }
}
