//! Instructions for a project: what they import, and when they apply.

use alloc::vec::Vec;

use super::listed::Existing;
use crate::diagnostic::{Diagnostic, Placer};
use crate::dialect::{Dialect, Dialects};
use crate::files::{Files, join};
use crate::places::below;
use crate::rules::{missing_import, unapplied_instructions};
use crate::source::Source;

/// The dialect whose instructions are in this file of the project `top`.
pub(super) fn owner<'a>(dialects: &'a Dialects, path: &str, top: &str) -> Option<&'a Dialect> {
    let place = below(top, path)?;
    let is_theirs = |dialect: &&alloc::rc::Rc<Dialect>| imports(dialect, place) || is_scoped(dialect, place);
    dialects.iter().find(is_theirs).map(|dialect| &**dialect)
}

fn imports(dialect: &Dialect, place: &str) -> bool {
    dialect.instructions.importing.iter().any(|file| file == place)
}

fn is_scoped(dialect: &Dialect, place: &str) -> bool {
    let rules = &dialect.instructions;
    let folder = rules.folder.as_deref();
    folder.is_some_and(|folder| below(folder, place).is_some() && place.ends_with(&*rules.ending))
}

/// What is wrong with instructions. Those that cannot be read are nothing to judge.
pub(super) fn check(
    dialect: &Dialect,
    path: &str,
    top: &str,
    files: &dyn Files,
    existing: &mut Existing<'_>,
) -> Vec<Diagnostic> {
    let bytes = files.read(path).unwrap_or_default();
    let source = Source::of_file(&bytes);
    let place = below(top, path).unwrap_or(path);
    let mut findings = Vec::new();
    if imports(dialect, place) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let exists = &mut |import: &str| existing.has(&join(folder, import));
        missing_import::check(&source.text, exists, &mut findings);
    } else {
        unapplied_instructions::check(&source.text, &dialect.instructions.scopes, &mut findings);
    }
    let placer = Placer::new(path, &source);
    findings
        .into_iter()
        .map(|found| placer.diagnostic(found))
        .collect()
}
