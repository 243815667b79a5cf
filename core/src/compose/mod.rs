//! Compiles sources that extend and include others to plain files of any dialect.

mod build;
mod compile;
mod family;
mod finder;
mod header;
mod leftover;
mod lists;
mod mark;
mod merge;
mod output;
mod part;
mod rights;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

pub use self::build::{Build, Composed, Composition, Leftover};
use self::compile::Compiler;
use self::family::{Family, Ground};
use self::leftover::leftovers;
pub use self::output::{Compiled, State};
use crate::catalog::CatalogError;
use crate::diagnostic;
use crate::dialect::{Dialects, Format};
use crate::files::{Files, join};
use crate::places::inside;

/// Compiles the sources of the project in `directory`. Nothing is written.
///
/// Fails if a dialect is unknown, that of the sources has no Markdown files, or their folder is outside of the project.
pub fn compose(
    files: &dyn Files,
    dialects: &Dialects,
    directory: &str,
    build: &Build,
) -> Result<Composition, CatalogError> {
    let unknown = CatalogError::UnknownDialect;
    let Some(folder) = inside(directory, &build.directory) else {
        let reason = alloc::format!("the folder {} is outside of the project", build.directory);
        return Err(CatalogError::Other(reason));
    };
    let dialect = match &build.dialect {
        Some(id) => dialects.get(id).map_err(unknown)?,
        None => dialects.of_file(&join(&build.directory, "a.md"), ""),
    };
    if dialect.format != Format::Markdown {
        let reason = alloc::format!("sources are Markdown files; those of {} are not", dialect.id);
        return Err(CatalogError::Other(reason));
    }
    let targets = build.targets.iter().map(|id| dialects.get(id));
    let targets: Vec<_> = targets.collect::<Result<_, _>>().map_err(unknown)?;
    let ground = Ground {
        files,
        dialects,
        dialect,
        directory,
    };
    let family = Family::open(ground, &folder);
    let mut compiler = Compiler {
        ground,
        family: &family,
        build,
        targets: &targets,
        found: Vec::new(),
    };
    let sources = compiler.sources();
    let found = family.found.iter().cloned().chain(compiler.found);
    let (suppressed, findings) = ground.parted(diagnostic::sorted(found.collect()));
    Ok(Composition {
        leftovers: leftovers(ground, &folder, &sources),
        findings,
        suppressed,
        sources,
    })
}
