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
use crate::places::normal;

/// Compiles the sources of the project in `directory`. Nothing is written.
///
/// Fails if a dialect is unknown, or that of the sources has no Markdown files.
pub fn compose(
    files: &dyn Files,
    dialects: &Dialects,
    directory: &str,
    build: &Build,
) -> Result<Composition, CatalogError> {
    let unknown = CatalogError::UnknownDialect;
    let folder = normal(&join(directory, &build.directory));
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
    let directory = normal(directory);
    let ground = Ground {
        files,
        dialects,
        dialect,
        directory: &directory,
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
    Ok(Composition {
        leftovers: leftovers(ground, &folder, &sources),
        findings: ground.without_suppressed(diagnostic::sorted(found.collect())),
        sources,
    })
}
