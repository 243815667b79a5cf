//! What a project has that acts, with what agents reach by calling others.

mod checked;
mod configured;
mod found;
mod masks;
mod nodes;
mod own;
mod reach;
mod stock;
#[cfg(test)]
mod tests;

use alloc::rc::Rc;

pub use self::found::{Asset, Hook, Inventory, Permission, Reached, Server};
use self::stock::Stock;
use super::check::Check;
use super::graph::survey;
use super::listed::Listed;
use super::opened::Opener;
use super::{Project, Request};
use crate::catalog::CatalogError;
use crate::dialect::Dialects;
use crate::files::Files;

/// The inventory of a project, or of some of its files with all that they name. Fails as a check does.
pub fn inventory(
    files: &Rc<dyn Files>,
    dialects: &Dialects,
    project: &Project,
    request: &Request,
) -> Result<Inventory, CatalogError> {
    let (project, request) = &super::normalized(dialects, project, request)?;
    let files = &Listed::of(files);
    let report = Check::new(files, dialects, project, request).run()?;
    let opener = Opener {
        files,
        dialects,
        project,
        request,
    };
    let (graph, mut survey) = survey(&opener)?;
    let mut stock = Stock::new(opener, graph, &report);
    for opened in &mut survey.catalogs {
        stock.take(opened);
    }
    for (dialect, path) in survey.hooking {
        stock.settings_file(dialect, &path);
    }
    Ok(stock.finish())
}
